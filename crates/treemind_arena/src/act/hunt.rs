//! Looking for somebody who was heard, or whom others of the team have seen.

use super::deed::Deed;
use super::travel::{status, towards};
use crate::body::Sighting;
use crate::ids::BodyId;
use crate::world::World;
use treemind::blackboard::Entity;
use treemind::prelude::*;

pub(super) fn register(registry: &mut Registry<World>) {
    Deed::walk("go-to-noise", |world, me, _| {
        let Some(place) = world.body(me).noise_place else {
            return Ok(Status::Failure);
        };
        Ok(status(towards(world, me, place.cell(), false)))
    })
    .register(
        registry,
        "walks to where the last noise came from; success when it is there, failure when the actor has heard none",
    );
    Deed::walk("hunt", hunt).register(
        registry,
        "runs to where somebody of its team saw the target last; success when it is there, failure when nobody knows",
    );
    registry.required::<Entity>("target", "whom to hunt");
}

fn hunt(world: &mut World, me: BodyId, agent: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let Entity(entity) = agent.arg("target");
    let last = world
        .body_of(entity)
        .and_then(|target| last_seen(world, me, target));
    let Some(last) = last else {
        return Ok(Status::Failure);
    };
    Ok(status(towards(world, me, last.place.cell(), true)))
}

/// Where and when somebody of a body's team saw the target last, as far as they remember.
fn last_seen(world: &World, me: BodyId, target: BodyId) -> Option<Sighting> {
    let team = &world.body(me).traits.team;
    let mates = world.bodies().iter();
    let mates = mates.filter(|body| body.is_alive() && body.traits.team == *team);
    let sightings = mates.filter_map(|mate| mate.seen.filter(|seen| seen.who == target));
    sightings.max_by_key(|seen| seen.tick)
}
