//! Walking to places.

use super::deed::Deed;
use crate::body::Walk;
use crate::geometry::Cell;
use crate::ids::BodyId;
use crate::world::World;
use treemind::prelude::*;

pub(super) fn register(registry: &mut Registry<World>) {
    Deed::walk("patrol", patrol).register(
        registry,
        "walks to the next spot of its route; success when it arrives",
    );
    Deed::walk("go-to", go_to).register(
        registry,
        "goes to the first spot with a name; success when it arrives, failure when there is no way",
    );
    registry
        .required::<&str>("place", "the name of a spot")
        .param("runs", false, "whether the actor runs");
}

/// What a step of a walk means for the action.
pub(super) fn status(walk: Walk) -> Status {
    match walk {
        Walk::Going => Status::Running,
        Walk::Arrived => Status::Success,
        Walk::NoWay => Status::Failure,
    }
}

fn patrol(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let body = world.body(me);
    let (next, pace) = (body.next_stop, body.traits.walk_mm);
    let stops: usize = world.scenario.route(&body.traits.route).count();
    let stop = world.scenario.route(&body.traits.route).nth(next);
    let Some(stop) = stop else {
        return Ok(Status::Failure);
    };
    let walk = world.go_to(me, stop, pace);
    if walk == Walk::Arrived {
        world.body_mut(me).next_stop = (next + 1) % stops;
    }
    Ok(status(walk))
}

fn go_to(world: &mut World, me: BodyId, agent: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let name: &str = agent.arg("place");
    let cell = known_spot(world, name)?;
    let pace = world.pace(me, agent.arg("runs"));
    Ok(status(world.go_to(me, cell, pace)))
}

/// The first spot with a name.
///
/// # Errors
/// When the map has none, with the name that was perhaps meant.
pub(super) fn known_spot(world: &World, name: &str) -> Result<Cell, TaskError> {
    world.spot(name).ok_or_else(|| {
        let spots = world.scenario.spots.iter().map(|spot| spot.name.as_str());
        let meant = treemind::doc::nearest_name(name, spots);
        let help = meant.map(|meant| format!("; did you mean `{meant}`?"));
        format!("unknown spot `{name}`{}", help.unwrap_or_default()).into()
    })
}

/// One tick of a walk to a square, at a walk or a run.
pub(super) fn towards(world: &mut World, me: BodyId, cell: Cell, runs: bool) -> Walk {
    let pace = world.pace(me, runs);
    world.go_to(me, cell, pace)
}
