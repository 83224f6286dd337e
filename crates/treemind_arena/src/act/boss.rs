//! Orders to a boss: it carries out the last one until it gets another.

use super::deed::instant;
use crate::body::{Order, Swing};
use crate::world::World;
use treemind::prelude::*;

pub(super) fn register(registry: &mut Registry<World>) {
    instant(registry, "stand", "stops", |world, me| {
        world.body_mut(me).order = Order::Stand;
    });
    instant(registry, "walk", "walks straight on", |world, me| {
        world.body_mut(me).order = Order::Ahead;
    });
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
