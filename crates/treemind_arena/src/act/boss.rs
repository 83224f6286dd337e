//! Orders to a boss: it carries out the last one until it gets another.

use super::deed::instant;
use super::me;
use crate::body::{Order, Swing};
use crate::world::World;
use treemind::prelude::*;

/// How long a leap takes, in ticks.
const LEAP_TICKS: u32 = 10;

pub(super) fn register(registry: &mut Registry<World>) {
    instant(registry, "stand", "stops", |world, me| {
        world.body_mut(me).order = Order::Stand;
    });
    instant(registry, "walk", "walks straight on", |world, me| {
        world.body_mut(me).order = Order::Ahead(false);
    });
    instant(registry, "dash", "runs straight on", |world, me| {
        world.body_mut(me).order = Order::Ahead(true);
    });
    instant(
        registry,
        "leap",
        "leaps three metres straight on, in half a second",
        |world, me| world.body_mut(me).order = Order::Leap(LEAP_TICKS),
    );
    instant(
        registry,
        "jab",
        "a quick, light blow that costs the nearest enemy within reach a few hit points",
        |world, me| world.jab(me),
    );
    registry
        .condition("struck", |world: &World, agent: &Agent| {
            let secs: f32 = agent.arg("within");
            let last = world.body(me(world, agent)).last_hurt_tick;
            last.is_some_and(|last| crate::time::secs(world.tick() - last) <= f64::from(secs))
        })
        .doc("somebody struck the actor within the last `within` seconds")
        .param("within", 0.3_f32, "seconds");
    instant(registry, "turn", "turns around", |world, me| {
        let walker = &mut world.body_mut(me).walker;
        walker.facing = walker.facing.turned();
    });
    instant(
        registry,
        "swing",
        "stops, and begins the animation of a blow",
        |world, me| {
            let body = world.body_mut(me);
            body.order = Order::Stand;
            body.swing_is_ordered = true;
            body.swing = Some(Swing {
                ticks: 0,
                has_struck: false,
            });
        },
    );
    instant(
        registry,
        "blow",
        "the blow comes down; it hits when the animation of `swing` is far enough and an enemy is within reach",
        |world, me| {
            world.bring_down(me);
        },
    );
}
