//! Scenes, which need an animation engine.

use super::deed::Deed;
use crate::event::EventKind;
use crate::ids::BodyId;
use crate::world::World;
use treemind::prelude::*;

/// How long a scene is, in ticks.
const SCENE_TICKS: u32 = 40;

pub(super) fn register(registry: &mut Registry<World>) {
    Deed::new("perform", perform).stop(leave_stage).register(
        registry,
        "plays a scene of two seconds with an animation engine; failure with a fault when no engine is free",
    );
}

fn perform(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    if !world.engines.holders().contains(&me) && !world.engines.take(me) {
        return Err("no animation engine is free".into());
    }
    let body = world.body_mut(me);
    body.work_ticks += 1;
    if body.work_ticks < SCENE_TICKS {
        return Ok(Status::Running);
    }
    world.report(me, EventKind::Finishes("a scene"));
    Ok(Status::Success)
}

fn leave_stage(world: &mut World, me: BodyId) {
    world.engines.give_back(me);
}
