//! Coins, and an owner.

use super::deed::Deed;
use super::fight::millimetres;
use super::intruder::wander;
use super::me;
use super::travel::{status, towards};
use crate::body::Walk;
use crate::event::EventKind;
use crate::ids::BodyId;
use crate::things::{Kind, Thing};
use crate::time::TICKS_PER_SEC;
use crate::world::World;
use treemind::prelude::*;

/// How near a pet comes to its owner, in millimetres.
const BESIDE_MM: i32 = 1_500;

pub(super) fn register(registry: &mut Registry<World>) {
    registry
        .condition("coin-near", |world: &World, agent: &Agent| {
            let within_mm = millimetres(agent.arg("within"))?;
            let who = me(world, agent);
            let place = world.body(who).place();
            let coin = world.nearest(who, Kind::Coin);
            let is_near = |coin: &Thing| place.distance_mm(coin.cell.centre()) <= within_mm;
            Ok::<_, TaskError>(coin.is_some_and(is_near))
        })
        .doc("a coin is at most `within` metres away, whether the pet sees it or not")
        .param("within", 5.0_f32, "metres")
        .condition("found-lately", |world: &World, agent: &Agent| {
            let ticks = ticks(agent.arg("within"))?;
            let last = world.body(me(world, agent)).last_coin_tick;
            Ok::<_, TaskError>(last.is_some_and(|last| world.tick() - last <= ticks))
        })
        .doc("the pet has picked up a coin within the last `within` seconds")
        .param("within", 20.0_f32, "seconds")
        .condition("long-away", |world: &World, agent: &Agent| {
            let ticks = ticks(agent.arg("for"))?;
            let last = world.body(me(world, agent)).last_home_tick;
            Ok::<_, TaskError>(world.tick() - last >= ticks)
        })
        .doc("the pet has not been beside its owner for `for` seconds")
        .param("for", 30.0_f32, "seconds");
    Deed::walk("pick-up-coin", pick_up_coin).register(
        registry,
        "goes to the nearest coin and takes it; failure when there is no coin",
    );
    Deed::walk("go-to-owner", go_to_owner).register(
        registry,
        "runs to its owner; success when the pet is beside its owner, failure when it has no owner",
    );
    Deed::walk("stroll", wander).register(registry, "strolls along its route; never ends");
}

/// A parameter in seconds, as ticks.
fn ticks(secs: f32) -> Result<u64, TaskError> {
    if !(0.0..=100_000.0).contains(&secs) {
        return Err(format!("cannot wait for {secs} seconds").into());
    }
    // One multiplication and one rounding, which IEEE 754 defines to the last bit.
    Ok((secs * TICKS_PER_SEC as f32) as u64)
}

fn pick_up_coin(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let coin = world.nearest(me, Kind::Coin);
    let Some((entity, cell)) = coin.map(|coin| (coin.entity, coin.cell)) else {
        return Ok(Status::Failure);
    };
    let walk = towards(world, me, cell, false);
    if walk == Walk::Arrived
        && let Some(nth) = world.thing_of(entity)
    {
        world.things.remove(nth);
        let tick = world.tick();
        let body = world.body_mut(me);
        body.coins += 1;
        body.last_coin_tick = Some(tick);
        world.report(me, EventKind::Takes(Kind::Coin));
    }
    Ok(status(walk))
}

fn go_to_owner(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let owner = world.find(&world.body(me).traits.owner);
    let Some(owner) = owner.filter(|owner| world.body(*owner).is_there()) else {
        return Ok(Status::Failure);
    };
    let place = world.body(owner).place();
    if world.body(me).place().distance_mm(place) <= BESIDE_MM {
        world.body_mut(me).last_home_tick = world.tick();
        world.report(me, EventKind::Reaches);
        return Ok(Status::Success);
    }
    Ok(match towards(world, me, place.cell(), true) {
        Walk::NoWay => Status::Failure,
        _ => Status::Running,
    })
}

impl World {
    /// Records that a body is beside its owner.
    pub(crate) fn note_home(&mut self, who: BodyId) {
        if self.body(who).traits.owner.is_empty() {
            return;
        }
        let place = self.body(who).place();
        let owner = self.find(&self.body(who).traits.owner);
        let owner = owner.map(|owner| self.body(owner).place());
        if owner.is_some_and(|owner| owner.distance_mm(place) <= BESIDE_MM) {
            self.body_mut(who).last_home_tick = self.tick();
        }
    }
}
