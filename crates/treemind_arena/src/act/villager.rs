//! Work at places, and bread.

use super::deed::{Deed, works};
use crate::event::EventKind;
use crate::ids::BodyId;
use crate::time::TICKS_PER_SEC;
use crate::world::World;
use treemind::prelude::*;

/// How long a piece of bread takes, in ticks.
const BREAD_TICKS: u32 = 40;

pub(super) fn register(registry: &mut Registry<World>) {
    Deed::new("work", work).register(
        registry,
        "works where it stands; success after that many seconds",
    );
    registry.param("secs", 2.0_f32, "seconds");
    Deed::new("eat-bread", eat_bread).register(
        registry,
        "eats what it carries in two seconds; then it is not hungry",
    );
}

fn work(world: &mut World, me: BodyId, agent: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let secs: f32 = agent.arg("secs");
    if !(0.0..=1_000.0).contains(&secs) {
        return Err(format!("`secs` is from 0 to 1000, and not {secs}").into());
    }
    // One multiplication and one rounding, which IEEE 754 defines to the last bit.
    Ok(works(world, me, (secs * TICKS_PER_SEC as f32) as u32))
}

fn eat_bread(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let status = works(world, me, BREAD_TICKS);
    if status == Status::Success {
        world.body_mut(me).hunger = 0;
        world.report(me, EventKind::Eats);
    }
    Ok(status)
}
