//! Orders from a leader to the members of its squad.

use super::deed::Deed;
use super::travel::{known_spot, status, towards};
use super::{condition, me};
use crate::body::Walk;
use crate::event::EventKind;
use crate::ids::BodyId;
use crate::world::World;
use treemind::leaves::Action;
use treemind::prelude::*;

pub(super) fn register(registry: &mut Registry<World>) {
    condition(
        registry,
        "ordered",
        "the actor has an order that it has not carried out yet",
        |world, me| world.body(me).ordered.is_some(),
    );
    registry
        .condition("member-able", |world: &World, agent: &Agent| {
            let member = member(world, me(world, agent), agent);
            member.is_some_and(|member| world.body(member).is_up())
        })
        .doc("a member of the squad is on its feet")
        .required::<i64>("member", "the number of the member, from 1");
    registry.action_with("command", Command).doc(
        "orders a member of the squad to a spot; success when the member has carried out the order, failure when it cannot",
    );
    registry
        .required::<i64>("member", "the number of the member, from 1")
        .required::<&str>("place", "the name of a spot");
    Deed::walk("obey", obey).register(
        registry,
        "runs to the spot of its order; success when it arrives, which ends the order",
    );
}

/// A member of a squad. The members are the bodies of the leader's team that have a mind, without the leader, in
/// the order of the map.
fn member(world: &World, me: BodyId, agent: &Agent<'_, '_>) -> Option<BodyId> {
    let nth: i64 = agent.arg("member");
    let nth = usize::try_from(nth).ok()?.checked_sub(1)?;
    let team = &world.body(me).traits.team;
    let mut members = world.ids().filter(|who| {
        let traits = &world.body(*who).traits;
        *who != me && traits.mind.is_some() && traits.team == *team
    });
    members.nth(nth)
}

/// The order to a member. It is cancelled when the run ends before it is carried out.
struct Command;

impl Action<World> for Command {
    fn start(&self, world: &mut World, agent: &mut Agent<'_, '_>) -> Result<(), TaskError> {
        let who = me(world, agent);
        let place: &str = agent.arg("place");
        let cell = known_spot(world, place)?;
        let Some(member) = member(world, who, agent) else {
            return Err("there is no such member of the squad".into());
        };
        world.body_mut(member).ordered = Some(cell);
        world.report(who, EventKind::Orders(member));
        Ok(())
    }

    fn update(&self, world: &mut World, agent: &mut Agent<'_, '_>) -> Result<Status, TaskError> {
        let member = member(world, me(world, agent), agent);
        let body = member.map(|member| world.body(member));
        Ok(match body {
            Some(body) if body.is_up() && body.ordered.is_some() => Status::Running,
            Some(body) if body.is_up() => Status::Success,
            _ => Status::Failure,
        })
    }

    fn stop(
        &self,
        world: &mut World,
        agent: &mut Agent<'_, '_>,
        _: Outcome,
    ) -> Result<(), TaskError> {
        if let Some(member) = member(world, me(world, agent), agent) {
            world.body_mut(member).ordered = None;
        }
        Ok(())
    }
}

fn obey(world: &mut World, me: BodyId, _: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let Some(cell) = world.body(me).ordered else {
        return Ok(Status::Failure);
    };
    let walk = towards(world, me, cell, true);
    if walk == Walk::Arrived {
        world.body_mut(me).ordered = None;
        world.report(me, EventKind::Reaches);
    }
    Ok(status(walk))
}
