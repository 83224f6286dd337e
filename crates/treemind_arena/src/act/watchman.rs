//! Keeping watch.

use super::condition;
use super::deed::Deed;
use super::soldier::to_spot;
use crate::body::Walk;
use crate::event::EventKind;
use crate::geometry::Facing;
use crate::ids::BodyId;
use crate::world::World;
use treemind::prelude::*;

/// How many ticks pass between two turns while a body looks around.
const TURN_TICKS: u32 = 20;

pub(super) fn register(registry: &mut Registry<World>) {
    condition(
        registry,
        "is-armed",
        "the actor has rounds left",
        |world, me| world.body(me).ammo > 0,
    );
    Deed::walk("run-to-alarm", |world, me, _| {
        let status = to_spot(world, me, "alarm", true);
        if status == Status::Success {
            world.turn_off_alarm(me);
        }
        Ok(status)
    })
    .register(
        registry,
        "runs to the spot `alarm` and turns off the alarm, which is the fact `alarm_on`",
    );
    Deed::walk("strike", strike)
        .start(|world, me| world.body_mut(me).swing = None)
        .stop(|world, me| world.body_mut(me).swing = None)
        .register(
            registry,
            "attacks the enemy that the actor is aware of with its weapon; failure when there is none, or when it is dead",
        );
    Deed::walk("walk-to-hut", |world, me, _| {
        let status = to_spot(world, me, "hut", false);
        let is_there = status == Status::Success;
        let was_there = std::mem::replace(&mut world.body_mut(me).is_hidden, is_there);
        if is_there && !was_there {
            world.report(me, EventKind::Hides);
        }
        // It stays there until the action is stopped.
        Ok(if is_there { Status::Running } else { status })
    })
    .stop(|world, me| world.body_mut(me).is_hidden = false)
    .register(registry, "walks to the spot `hut` and stays there");
    Deed::new("look-around", look_around)
        .register(registry, "stands still and turns once a second; never ends");
}

fn strike(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let body = world.body(me);
    let Some(seen) = body.seen.filter(|seen| world.body(seen.who).is_alive()) else {
        return Ok(Status::Failure);
    };
    let weapon = body.traits.weapon;
    let is_far = !body.sees_now || body.place().distance_mm(seen.place) > weapon.reach_mm;
    if body.swing.is_none() && is_far {
        let pace = body.traits.run_mm;
        return Ok(match world.go_to(me, seen.place.cell(), pace) {
            Walk::NoWay => Status::Failure,
            _ => Status::Running,
        });
    }
    world.body_mut(me).walker.face(seen.place);
    world.swing_at(me, seen.who);
    Ok(Status::Running)
}

fn look_around(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let body = world.body_mut(me);
    body.work_ticks = (body.work_ticks + 1) % TURN_TICKS;
    if body.work_ticks == 0 {
        // A quarter to the right.
        let Facing { x, y } = body.walker.facing;
        body.walker.facing = Facing { x: -y, y: x };
    }
    Ok(Status::Running)
}
