//! A day at home: eating, cooking, homework, playing.

use super::deed::{Deed, works};
use super::travel::{status, towards};
use crate::body::Walk;
use crate::event::EventKind;
use crate::geometry::Cell;
use crate::ids::BodyId;
use crate::things::{Kind, Thing};
use crate::world::World;
use treemind::prelude::*;

/// How long a meal, cooking, and a piece of homework take, in ticks.
const MEAL_TICKS: u32 = 60;
const COOK_TICKS: u32 = 100;
const HOMEWORK_TICKS: u32 = 80;
/// How many portions are cooked at a time.
const COOKED_PORTIONS: u32 = 2;

pub(super) fn register(registry: &mut Registry<World>) {
    Deed::walk("eat", eat).register(
        registry,
        "goes to the food and eats a portion in three seconds; failure when no food is left",
    );
    Deed::walk("cook", cook).register(
        registry,
        "goes to the stove and cooks two portions in five seconds; they appear where the food is",
    );
    Deed::walk("do-homework", do_homework).register(
        registry,
        "goes to the desk and does a piece of homework in four seconds; failure when there is no homework",
    );
    Deed::walk("play-ball", play_ball).stop(drop_ball).register(
        registry,
        "takes the ball and runs along the route once; failure when somebody else has the ball",
    );
    Deed::walk("go-to-bed", go_to_bed)
        .register(registry, "goes to the nearest bed and stays there");
}

/// Goes to a thing, then works there for `ticks` ticks; succeeds when the work is done.
fn work_at(world: &mut World, me: BodyId, cell: Cell, ticks: u32) -> Status {
    if world.body(me).place() != cell.centre() {
        let walk = status(towards(world, me, cell, false));
        if walk != Status::Success {
            return walk;
        }
    }
    works(world, me, ticks)
}

fn eat(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let has_some = |thing: &Thing| thing.kind == Kind::Food && thing.amount > 0;
    let Some(nth) = world.things.iter().position(has_some) else {
        return Ok(Status::Failure);
    };
    let status = work_at(world, me, world.things[nth].cell, MEAL_TICKS);
    if status == Status::Success {
        world.things[nth].amount -= 1;
        world.body_mut(me).hunger = 0;
        world.report(me, EventKind::Eats);
    }
    Ok(status)
}

fn cook(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let Some(stove) = world.nearest(me, Kind::Stove).map(|stove| stove.cell) else {
        return Ok(Status::Failure);
    };
    let is_food = |thing: &&mut Thing| thing.kind == Kind::Food;
    let status = work_at(world, me, stove, COOK_TICKS);
    if status == Status::Success {
        match world.things.iter_mut().find(is_food) {
            Some(food) => food.amount += COOKED_PORTIONS,
            None => return Ok(Status::Failure),
        }
        world.report(me, EventKind::Cooks);
    }
    Ok(status)
}

fn do_homework(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let desk = world.nearest(me, Kind::Desk).map(|desk| desk.cell);
    let Some(desk) = desk.filter(|_| world.body(me).homework > 0) else {
        return Ok(Status::Failure);
    };
    let status = work_at(world, me, desk, HOMEWORK_TICKS);
    if status == Status::Success {
        world.body_mut(me).homework -= 1;
        world.report(me, EventKind::Finishes("a piece of homework"));
    }
    Ok(status)
}

fn play_ball(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let Some(nth) = world
        .things
        .iter()
        .position(|thing| thing.kind == Kind::Ball)
    else {
        return Ok(Status::Failure);
    };
    let ball = &world.things[nth];
    if ball.queue.first().is_some_and(|holder| *holder != me) {
        return Ok(Status::Failure);
    }
    let (cell, has_it) = (ball.cell, !ball.queue.is_empty());
    if !has_it {
        let walk = towards(world, me, cell, true);
        if walk == Walk::Arrived {
            world.things[nth].queue.push(me);
            world.body_mut(me).next_stop = 0;
            world.report(me, EventKind::Takes(Kind::Ball));
        }
        return Ok(match walk {
            Walk::NoWay => Status::Failure,
            _ => Status::Running,
        });
    }
    let body = world.body(me);
    let (next, stops) = (
        body.next_stop,
        world.scenario.route(&body.traits.route).count(),
    );
    let Some(stop) = world.scenario.route(&body.traits.route).nth(next) else {
        return Ok(Status::Success);
    };
    let walk = towards(world, me, stop, true);
    // The ball is where the body that plays with it is.
    world.things[nth].cell = world.body(me).place().cell();
    if walk == Walk::Going {
        return Ok(Status::Running);
    }
    world.body_mut(me).next_stop = next + 1;
    if next + 1 < stops {
        return Ok(Status::Running);
    }
    world.report(me, EventKind::Finishes("a game"));
    Ok(Status::Success)
}

/// Leaves the ball where it is dropped.
fn drop_ball(world: &mut World, me: BodyId) {
    for thing in world
        .things
        .iter_mut()
        .filter(|thing| thing.kind == Kind::Ball)
    {
        thing.queue.retain(|who| *who != me);
    }
}

fn go_to_bed(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let Some(bed) = world.nearest(me, Kind::Bed).map(|bed| bed.cell) else {
        return Ok(Status::Failure);
    };
    let walk = towards(world, me, bed, false);
    if walk == Walk::Arrived && world.body(me).work_ticks == 0 {
        world.body_mut(me).work_ticks = 1;
        world.report(me, EventKind::Uses(Kind::Bed));
    }
    Ok(match walk {
        Walk::NoWay => Status::Failure,
        _ => Status::Running,
    })
}
