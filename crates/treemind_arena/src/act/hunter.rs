//! Threats, and attacking them.

use super::deed::Deed;
use super::me;
use super::travel::towards;
use crate::body::Walk;
use crate::ids::BodyId;
use crate::world::World;
use treemind::blackboard::Entity;
use treemind::prelude::*;

/// The longest list of threats.
const MOST_THREATS: usize = 8;

pub(super) fn register(registry: &mut Registry<World>) {
    registry
        .sensor("threats", |world: &World, agent: &Agent| {
            let mut seen = world.in_sight(me(world, agent));
            std::array::from_fn::<_, MOST_THREATS, _>(|_| {
                seen.next().map(|threat| Entity(threat.entity()))
            })
        })
        .doc("the enemies in sight, eight at most, in the order of the map");
    registry
        .condition("more-dangerous", |world: &World, agent: &Agent| {
            let who = me(world, agent);
            let danger = |parameter| {
                let Entity(entity) = agent.arg(parameter);
                world
                    .body_of(entity)
                    .map_or(-1, |other| danger(world, who, other))
            };
            danger("target") > danger("than")
        })
        .doc("`target` is a greater threat than `than`: stronger, or nearer")
        .required::<Entity>("target", "the first enemy")
        .required::<Entity>("than", "the enemy to compare it with");
    Deed::walk("approach", approach).register(
        registry,
        "runs to the target; success when it is within reach with nothing in between, failure when it is dead or gone",
    );
    registry.required::<Entity>("target", "whom to attack");
    Deed::new("shoot", shoot).register(
        registry,
        "fires one shot at the target; success after the animation, failure without a round, or when the target is dead or hidden",
    );
    registry.required::<Entity>("target", "whom to attack");
    Deed::new("cut", cut)
        .start(|world, me| world.body_mut(me).swing = None)
        .stop(|world, me| world.body_mut(me).swing = None)
        .register(
            registry,
            "strikes the target once; success after the animation, failure when the target is dead or out of reach",
        );
    registry.required::<Entity>("target", "whom to attack");
}

/// How dangerous a body is: its strength, weighted by its distance.
fn danger(world: &World, who: BodyId, other: BodyId) -> i64 {
    let body = world.body(other);
    if !body.is_alive() {
        return -1;
    }
    let strength = i64::from(body.health) * i64::from(body.traits.weapon.damage);
    let distance = world.body(who).place().distance_mm(body.place());
    strength * 1_000 / i64::from(distance.max(1_000))
}

/// The target of an action, if it is present and alive.
fn target(world: &World, agent: &Agent<'_, '_>) -> Option<BodyId> {
    let Entity(entity) = agent.arg("target");
    let target = world.body_of(entity)?;
    world.body(target).is_alive().then_some(target)
}

fn is_within_reach(world: &World, me: BodyId, target: BodyId) -> bool {
    let distance = world
        .body(me)
        .place()
        .distance_mm(world.body(target).place());
    distance <= world.body(me).traits.weapon.reach_mm && world.is_clear_between(me, target)
}

fn approach(world: &mut World, me: BodyId, agent: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let Some(target) = target(world, agent) else {
        return Ok(Status::Failure);
    };
    if is_within_reach(world, me, target) {
        let place = world.body(target).place();
        world.body_mut(me).walker.face(place);
        return Ok(Status::Success);
    }
    let cell = world.body(target).place().cell();
    Ok(match towards(world, me, cell, true) {
        Walk::NoWay => Status::Failure,
        _ => Status::Running,
    })
}

fn shoot(world: &mut World, me: BodyId, agent: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let length = world.body(me).traits.weapon.length_ticks;
    let ticks = world.body(me).work_ticks + 1;
    world.body_mut(me).work_ticks = ticks;
    if ticks == 1 {
        let target = target(world, agent).filter(|target| world.is_clear_between(me, *target));
        let has_shot = target.is_some_and(|target| world.shoot(me, target));
        if !has_shot {
            return Ok(Status::Failure);
        }
    }
    Ok(match ticks < length {
        true => Status::Running,
        false => Status::Success,
    })
}

fn cut(world: &mut World, me: BodyId, agent: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let is_in_swing = world.body(me).swing.is_some();
    let target = target(world, agent);
    let Some(target) = target.filter(|target| is_in_swing || is_within_reach(world, me, *target))
    else {
        return Ok(Status::Failure);
    };
    let place = world.body(target).place();
    world.body_mut(me).walker.face(place);
    world.swing_at(me, target);
    Ok(match world.body(me).swing {
        Some(_) => Status::Running,
        None => Status::Success,
    })
}
