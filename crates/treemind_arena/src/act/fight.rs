//! Seeing enemies, attacking them, fleeing from them.

use super::condition;
use super::deed::Deed;
use crate::body::Walk;
use crate::event::EventKind;
use crate::ids::BodyId;
use crate::sight::is_clear;
use crate::world::World;
use treemind::prelude::*;

pub(super) fn register(registry: &mut Registry<World>) {
    condition(
        registry,
        "see-enemy",
        "the actor sees an enemy, or saw or felt one within the last five seconds",
        |world, me| world.body(me).seen.is_some(),
    );
    condition(
        registry,
        "enemy-dead",
        "the enemy that the actor is aware of is dead, or the actor is aware of none",
        |world, me| {
            let seen = world.body(me).seen;
            seen.is_none_or(|seen| !world.body(seen.who).is_alive())
        },
    );
    Deed::walk("attack", attack)
        .start(|world, me| world.body_mut(me).swing = None)
        .stop(|world, me| world.body_mut(me).swing = None)
        .register(
            registry,
            "attacks the enemy that the actor is aware of, and strikes within `range`; success when the enemy is dead, failure when the actor loses it",
        );
    registry.param("range", 2.0_f32, "metres");
    Deed::walk("run-away", run_away)
        .start(|world, me| world.body_mut(me).is_hidden = false)
        .register(
            registry,
            "runs to the spot `hut` and stays there; success when the actor is no longer aware of an enemy",
        );
}

/// A parameter in metres, as millimetres.
pub(super) fn millimetres(metres: f32) -> Result<i32, TaskError> {
    if !(0.0..=100.0).contains(&metres) {
        return Err(format!("a range of {metres} metres is out of reach").into());
    }
    // One multiplication and one rounding, which IEEE 754 defines to the last bit.
    Ok((metres * 1_000.0) as i32)
}

fn attack(world: &mut World, me: BodyId, agent: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let reach_mm = millimetres(agent.arg("range"))?;
    let Some(seen) = world.body(me).seen else {
        return Ok(Status::Failure);
    };
    if !world.body(seen.who).is_alive() {
        return Ok(Status::Success);
    }
    let body = world.body(me);
    let target = seen.place;
    let is_clear = is_clear(world.ground(), body.place(), target);
    if !body.sees_now || !is_clear || body.place().distance_mm(target) > reach_mm {
        let pace = body.traits.run_mm;
        world.body_mut(me).swing = None;
        if is_clear {
            world.body_mut(me).walker.go_straight(target, pace);
        } else if world.go_to(me, target.cell(), pace) == Walk::NoWay {
            return Ok(Status::Failure);
        }
        return Ok(Status::Running);
    }
    world.body_mut(me).walker.face(target);
    world.swing_at(me, seen.who);
    Ok(match world.body(seen.who).is_alive() {
        true => Status::Running,
        false => Status::Success,
    })
}

fn run_away(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let Some(hut) = world.spot("hut") else {
        return Ok(Status::Failure);
    };
    let pace = world.body(me).traits.run_mm;
    match world.go_to(me, hut, pace) {
        Walk::NoWay => return Ok(Status::Failure),
        Walk::Going => return Ok(Status::Running),
        Walk::Arrived => {}
    }
    if !std::mem::replace(&mut world.body_mut(me).is_hidden, true) {
        world.report(me, EventKind::Hides);
    }
    Ok(match world.body(me).seen {
        Some(_) => Status::Running,
        None => Status::Success,
    })
}
