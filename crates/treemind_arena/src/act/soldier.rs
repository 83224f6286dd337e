//! Posts, fire and cover; ammunition.

use super::deed::{Deed, instant, works};
use super::travel::{status, towards};
use crate::body::Order;
use crate::event::EventKind;
use crate::ids::BodyId;
use crate::things::Kind;
use crate::world::World;
use treemind::prelude::*;

/// How long it takes to take aim, and to fill all magazines, in ticks.
const AIM_TICKS: u32 = 8;
const LOAD_TICKS: u32 = 40;
/// The rounds of full magazines.
const FULL_AMMO: u32 = 30;

pub(super) fn register(registry: &mut Registry<World>) {
    instant(
        registry,
        "take-post",
        "walks to the spot `post`",
        |world, me| {
            let post = world.spot("post");
            world.body_mut(me).order = post.map_or(Order::Stand, |post| Order::Go(post, false));
        },
    );
    instant(
        registry,
        "open-fire",
        "shoots at the enemy in sight",
        |world, me| {
            let body = world.body_mut(me);
            body.work_ticks = 0;
            body.order = Order::Fire;
        },
    );
    instant(
        registry,
        "run-for-cover",
        "runs to the spot `cover`",
        |world, me| {
            let cover = world.spot("cover");
            world.body_mut(me).order = cover.map_or(Order::Stand, |cover| Order::Go(cover, true));
        },
    );
    Deed::new("aim", aim).register(
        registry,
        "takes aim at the enemy that the actor is aware of; success after 0.4 seconds, failure when the actor loses the enemy",
    );
    Deed::new("burst", burst).register(
        registry,
        "fires rounds at the enemy while it is in sight; failure when no round is left, or when the actor loses the enemy",
    );
    registry.param("rounds", 5_i64, "how many rounds");
    Deed::walk("crawl-to-depot", crawl_to_depot).register(
        registry,
        "crawls to the nearest depot; failure when there is none",
    );
    Deed::new("take-ammo", take_ammo).register(
        registry,
        "fills all magazines in two seconds; failure when the actor is not at a depot",
    );
}

fn aim(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let body = world.body_mut(me);
    let Some(seen) = body.seen else {
        return Ok(Status::Failure);
    };
    body.walker.face(seen.place);
    Ok(works(world, me, AIM_TICKS))
}

fn burst(world: &mut World, me: BodyId, agent: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let rounds: i64 = agent.arg("rounds");
    let rounds = u32::try_from(rounds).map_err(|_| format!("{rounds} rounds cannot be fired"))?;
    let body = world.body_mut(me);
    let length = body.traits.weapon.length_ticks.max(1);
    let Some(seen) = body.seen else {
        return Ok(Status::Failure);
    };
    if !body.sees_now {
        return Ok(Status::Running);
    }
    let ticks = body.work_ticks;
    body.work_ticks += 1;
    if ticks / length >= rounds {
        return Ok(Status::Success);
    }
    if ticks.is_multiple_of(length) && !world.shoot(me, seen.who) {
        return Ok(Status::Failure);
    }
    // The last round ends the burst at once: the next action does not have to wait for the recoil.
    Ok(
        match ticks.is_multiple_of(length) && ticks / length + 1 == rounds {
            true => Status::Success,
            false => Status::Running,
        },
    )
}

fn crawl_to_depot(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let Some(cell) = world.nearest(me, Kind::Depot).map(|depot| depot.cell) else {
        return Ok(Status::Failure);
    };
    let pace = world.body(me).traits.walk_mm / 2;
    Ok(status(world.go_to(me, cell, pace)))
}

fn take_ammo(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let cell = world.body(me).place().cell();
    let is_here = |thing: &&crate::things::Thing| thing.kind == Kind::Depot && thing.cell == cell;
    if world.things.iter().find(is_here).is_none() {
        return Ok(Status::Failure);
    }
    let status = works(world, me, LOAD_TICKS);
    if status == Status::Success {
        world.body_mut(me).ammo = FULL_AMMO;
        world.report(me, EventKind::Reloads);
    }
    Ok(status)
}

/// One tick of a walk to a spot with this name.
pub(super) fn to_spot(world: &mut World, me: BodyId, name: &str, runs: bool) -> Status {
    match world.spot(name) {
        Some(cell) => status(towards(world, me, cell, runs)),
        None => Status::Failure,
    }
}
