//! Getting in, and overpowering the bodies inside.

use super::condition;
use super::deed::Deed;
use super::travel::{status, towards};
use crate::body::{Vital, Walk};
use crate::event::EventKind;
use crate::geometry::Cell;
use crate::ids::BodyId;
use crate::things::{DoorState, Thing};
use crate::world::World;
use treemind::prelude::*;

/// The greatest distance for working on a lock or on a body on the floor, in millimetres.
const BESIDE_MM: i32 = 1_600;
/// How long it takes to tie a body up, in ticks.
const KNOT_TICKS: u32 = 40;

pub(super) fn register(registry: &mut Registry<World>) {
    condition(registry, "door-locked", "a door is locked", |world, me| {
        locked_door(world, me).is_some()
    });
    condition(
        registry,
        "prey-visible",
        "the intruder sees an enemy that is not tied up",
        |world, me| prey_in_sight(world, me).is_some(),
    );
    condition(
        registry,
        "prey-conscious",
        "the enemy in sight is on its feet",
        |world, me| prey_in_sight(world, me).is_some_and(|prey| world.body(prey).is_up()),
    );
    condition(
        registry,
        "prey-audible",
        "the intruder hears an enemy, or heard one within the last second",
        |world, me| world.body(me).heard.is_some(),
    );
    Deed::walk("go-to-door", go_to_door).register(
        registry,
        "goes to the square in front of the nearest locked door; failure when no door is locked",
    );
    Deed::new("open-door", open_door).register(
        registry,
        "works at the lock of the door beside it; success when the door is open, failure when no locked door is beside it",
    );
    Deed::walk("enter", enter).register(registry, "walks to the spot `inside`");
    Deed::walk("hit", hit)
        .start(|world, me| world.body_mut(me).swing = None)
        .stop(|world, me| world.body_mut(me).swing = None)
        .register(
            registry,
            "runs to the enemy in sight and strikes once; success when the blow is over, failure when no enemy is in sight",
        );
    Deed::walk("tie-up", tie_up).register(
        registry,
        "goes to the enemy on the floor and ties it up in two seconds; failure when the enemy is on its feet",
    );
    Deed::walk("creep", creep).register(
        registry,
        "creeps to the sound of an enemy and waits there; failure when it hears none any more",
    );
    Deed::walk("move", wander).register(registry, "walks along its route; never ends");
}

fn locked_door(world: &World, me: BodyId) -> Option<&Thing> {
    let place = world.body(me).place();
    let doors = world.things.iter().filter(|thing| thing.is_locked());
    doors.min_by_key(|door| (place.distance_mm(door.cell.centre()), door.entity))
}

/// The nearest square beside a door on which a body can stand.
fn before_door(world: &World, me: BodyId, door: Cell) -> Option<Cell> {
    let place = world.body(me).place();
    let beside = [(1, 0), (0, 1), (-1, 0), (0, -1)].map(|(dx, dy)| Cell {
        x: door.x + dx,
        y: door.y + dy,
    });
    let free = beside
        .into_iter()
        .filter(|cell| !world.ground().is_blocked(*cell));
    free.min_by_key(|cell| place.distance_mm(cell.centre()))
}

fn go_to_door(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let door = locked_door(world, me).map(|door| door.cell);
    let Some(beside) = door.and_then(|door| before_door(world, me, door)) else {
        return Ok(Status::Failure);
    };
    Ok(status(towards(world, me, beside, false)))
}

fn open_door(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let place = world.body(me).place();
    let is_here =
        |thing: &Thing| thing.is_locked() && place.distance_mm(thing.cell.centre()) <= BESIDE_MM;
    let Some(nth) = world.things.iter().position(is_here) else {
        return Ok(Status::Failure);
    };
    let target = world.things[nth].cell.centre();
    world.body_mut(me).walker.face(target);
    match &mut world.things[nth].door {
        DoorState::Locked(ticks) if *ticks > 1 => {
            *ticks -= 1;
            Ok(Status::Running)
        }
        _ => {
            world.open_door(me, nth);
            Ok(Status::Success)
        }
    }
}

fn enter(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let Some(inside) = world.spot("inside") else {
        return Ok(Status::Failure);
    };
    Ok(status(towards(world, me, inside, false)))
}

/// The nearest enemy in sight that is not tied up.
fn prey_in_sight(world: &World, me: BodyId) -> Option<BodyId> {
    let place = world.body(me).place();
    let free = world
        .in_sight(me)
        .filter(|prey| world.body(*prey).vital != Vital::Tied);
    free.min_by_key(|prey| (place.distance_mm(world.body(*prey).place()), *prey))
}

fn hit(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let Some(prey) = prey_in_sight(world, me) else {
        return Ok(Status::Failure);
    };
    let target = world.body(prey).place();
    let reach_mm = world.body(me).traits.weapon.reach_mm;
    let is_in_swing = world.body(me).swing.is_some();
    if !is_in_swing && world.body(me).place().distance_mm(target) > reach_mm {
        return Ok(match towards(world, me, target.cell(), true) {
            Walk::NoWay => Status::Failure,
            _ => Status::Running,
        });
    }
    world.body_mut(me).walker.face(target);
    world.swing_at(me, prey);
    Ok(match world.body(me).swing {
        Some(_) => Status::Running,
        None => Status::Success,
    })
}

fn tie_up(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let prey = prey_in_sight(world, me);
    let Some(prey) = prey.filter(|prey| !world.body(*prey).is_up()) else {
        return Ok(Status::Failure);
    };
    let target = world.body(prey).place();
    if world.body(me).place().distance_mm(target) > BESIDE_MM {
        return Ok(match towards(world, me, target.cell(), false) {
            Walk::NoWay => Status::Failure,
            _ => Status::Running,
        });
    }
    let body = world.body_mut(me);
    body.walker.face(target);
    body.work_ticks += 1;
    if body.work_ticks < KNOT_TICKS {
        return Ok(Status::Running);
    }
    world.body_mut(prey).vital = Vital::Tied;
    world.report(me, EventKind::Ties(prey));
    Ok(Status::Success)
}

fn creep(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let Some(heard) = world.body(me).heard else {
        return Ok(Status::Failure);
    };
    let pace = world.body(me).traits.walk_mm / 2;
    Ok(match world.go_to(me, heard.place.cell(), pace) {
        Walk::NoWay => Status::Failure,
        _ => Status::Running,
    })
}

/// Walks along the route again and again.
pub(super) fn wander(
    world: &mut World,
    me: BodyId,
    _: &Agent<'_, '_>,
) -> Result<Status, TaskError> {
    let body = world.body(me);
    let stops = world.scenario.route(&body.traits.route).count();
    let stop = world.scenario.route(&body.traits.route).nth(body.next_stop);
    if let Some(stop) = stop
        && towards(world, me, stop, false) != Walk::Going
    {
        let body = world.body_mut(me);
        body.next_stop = (body.next_stop + 1) % stops;
    }
    Ok(Status::Running)
}
