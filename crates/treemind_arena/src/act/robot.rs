//! Rubbish, bins, chargers.

use super::deed::Deed;
use super::intruder::wander;
use super::travel::{status, towards};
use crate::body::Walk;
use crate::event::EventKind;
use crate::ids::BodyId;
use crate::things::Kind;
use crate::world::World;
use treemind::blackboard::Entity;
use treemind::prelude::*;

/// How much a battery gains in a tick, in thousandths.
const CHARGE_PERMILLE: i32 = 10;
/// The distance at which bodies wait in line for a charger, in millimetres.
const LINE_MM: i32 = 2_500;

pub(super) fn register(registry: &mut Registry<World>) {
    Deed::walk("look-for-rubbish", wander).register(registry, "drives along its route; never ends");
    Deed::walk("pick-up", pick_up).register(
        registry,
        "goes to a thing and takes it; failure when the thing is gone",
    );
    registry.required::<Entity>("target", "what to take");
    Deed::walk("dump", dump).register(
        registry,
        "goes to the nearest bin and empties its load into it; failure when there is no way to a bin",
    );
    Deed::walk("go-to-charger", go_to_charger).register(
        registry,
        "goes to the nearest charger and waits in line; success when it is the robot's turn",
    );
    Deed::new("recharge", recharge)
        .stop(leave_charger)
        .register(
            registry,
            "charges until the battery is full; failure when it is not the robot's turn at a charger",
        );
    Deed::walk("hide", hide)
        .stop(|world, me| world.body_mut(me).is_hidden = false)
        .register(
            registry,
            "runs to the spot `hide` and stays there; never ends",
        );
}

fn pick_up(world: &mut World, me: BodyId, agent: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let Entity(target) = agent.arg("target");
    let Some(nth) = world.thing_of(target) else {
        return Ok(Status::Failure);
    };
    let (cell, kind) = (world.things[nth].cell, world.things[nth].kind);
    let walk = towards(world, me, cell, false);
    if walk == Walk::Arrived {
        world.things.remove(nth);
        let body = world.body_mut(me);
        match kind {
            Kind::Coin => body.coins += 1,
            Kind::Rubbish => body.load += 1,
            _ => {}
        }
        world.report(me, EventKind::Takes(kind));
    }
    Ok(status(walk))
}

fn dump(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let Some(cell) = world.nearest(me, Kind::Bin).map(|bin| bin.cell) else {
        return Ok(Status::Failure);
    };
    let walk = towards(world, me, cell, false);
    if walk == Walk::Arrived {
        let load = std::mem::take(&mut world.body_mut(me).load);
        world.report(me, EventKind::Dumps(load));
    }
    Ok(status(walk))
}

fn go_to_charger(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let Some(charger) = world.nearest(me, Kind::Charger) else {
        return Ok(Status::Failure);
    };
    let (cell, entity) = (charger.cell, charger.entity);
    let is_near = world.body(me).place().distance_mm(cell.centre()) <= LINE_MM;
    let Some(nth) = world.thing_of(entity).filter(|_| is_near) else {
        return Ok(status(towards(world, me, cell, false)));
    };
    if !world.things[nth].queue.contains(&me) {
        let before = world.things[nth].queue.len();
        world.things[nth].queue.push(me);
        let places = world.things[nth].amount as usize;
        if before >= places {
            world.report(me, EventKind::Queues(before - places));
        }
    }
    if !world.things[nth].is_turn_of(me) {
        return Ok(Status::Running);
    }
    let walk = towards(world, me, cell, false);
    if walk == Walk::Arrived {
        world.report(me, EventKind::Uses(Kind::Charger));
    }
    Ok(status(walk))
}

fn recharge(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let mut chargers = world
        .things
        .iter()
        .filter(|thing| thing.kind == Kind::Charger);
    if !chargers.any(|charger| charger.is_turn_of(me)) {
        return Ok(Status::Failure);
    }
    let body = world.body_mut(me);
    body.energy = (body.energy + CHARGE_PERMILLE).min(1_000);
    if body.energy < 1_000 {
        return Ok(Status::Running);
    }
    world.report(me, EventKind::IsCharged);
    Ok(Status::Success)
}

/// A body that stops charging frees its place for the next one.
fn leave_charger(world: &mut World, me: BodyId) {
    for thing in world
        .things
        .iter_mut()
        .filter(|thing| thing.kind == Kind::Charger)
    {
        thing.queue.retain(|who| *who != me);
    }
}

fn hide(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let Some(spot) = world.spot("hide") else {
        return Ok(Status::Failure);
    };
    let walk = towards(world, me, spot, true);
    if walk == Walk::Arrived && !std::mem::replace(&mut world.body_mut(me).is_hidden, true) {
        world.report(me, EventKind::Hides);
    }
    Ok(match walk {
        Walk::NoWay => Status::Failure,
        _ => Status::Running,
    })
}
