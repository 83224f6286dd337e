//! Scenes, which need an animation engine.

use super::deed::{Deed, works};
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
    let status = works(world, me, SCENE_TICKS);
    if status == Status::Success {
        world.report(me, EventKind::Finishes("a scene"));
    }
    Ok(status)
}

fn leave_stage(world: &mut World, me: BodyId) {
    world.engines.give_back(me);
}
