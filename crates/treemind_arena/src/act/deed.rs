//! The deeds of bodies while actions run: how they begin, how they are aborted, and that they give back what they took.

use super::me;
use crate::event::EventKind;
use crate::ids::BodyId;
use crate::world::World;
use treemind::leaves::Action;
use treemind::prelude::*;

/// The work of a deed in one tick.
type UpdateFn = fn(&mut World, BodyId, &Agent<'_, '_>) -> Result<Status, TaskError>;
type StartFn = fn(&mut World, BodyId);
type StopFn = fn(&mut World, BodyId);

/// An action of a body.
///
/// A body that is not up fails in every deed. While a walk runs, its body holds one of the world's path finders,
/// and gives it back however the run ends. If none is free the run fails with a fault, so behaviours use a
/// `semaphore` to get one.
pub(super) struct Deed {
    name: &'static str,
    walks: bool,
    start: StartFn,
    update: UpdateFn,
    stop: StopFn,
}

/// Works for one more tick; succeeds with the last of so many.
pub(super) fn works(world: &mut World, me: BodyId, ticks: u32) -> Status {
    let body = world.body_mut(me);
    body.work_ticks += 1;
    match body.work_ticks < ticks {
        true => Status::Running,
        false => Status::Success,
    }
}

impl Deed {
    pub(super) fn new(name: &'static str, update: UpdateFn) -> Self {
        Self {
            name,
            walks: false,
            start: |_, _| {},
            update,
            stop: |_, _| {},
        }
    }

    /// Like [`new`](Self::new), for a deed that needs a path.
    pub(super) fn walk(name: &'static str, update: UpdateFn) -> Self {
        Self {
            walks: true,
            ..Self::new(name, update)
        }
    }

    pub(super) fn start(self, start: StartFn) -> Self {
        Self { start, ..self }
    }

    pub(super) fn stop(self, stop: StopFn) -> Self {
        Self { stop, ..self }
    }

    pub(super) fn register(self, registry: &mut Registry<World>, doc: &str) {
        registry.action_with(self.name, self).doc(doc);
    }
}

impl Action<World> for Deed {
    fn start(&self, world: &mut World, agent: &mut Agent<'_, '_>) -> Result<(), TaskError> {
        let who = me(world, agent);
        if !world.body(who).is_up() {
            return Ok(());
        }
        world.body_mut(who).work_ticks = 0;
        world.report(who, EventKind::Begins(self.name));
        if self.walks && !world.finders.take(who) {
            return Err("no path finder is free".into());
        }
        (self.start)(world, who);
        Ok(())
    }

    fn update(&self, world: &mut World, agent: &mut Agent<'_, '_>) -> Result<Status, TaskError> {
        let who = me(world, agent);
        if !world.body(who).is_up() {
            return Ok(Status::Failure);
        }
        (self.update)(world, who, agent)
    }

    fn stop(
        &self,
        world: &mut World,
        agent: &mut Agent<'_, '_>,
        outcome: Outcome,
    ) -> Result<(), TaskError> {
        let who = me(world, agent);
        if self.walks {
            world.finders.give_back(who);
            world.body_mut(who).walker.halt();
        }
        (self.stop)(world, who);
        if outcome == Outcome::Aborted && world.body(who).is_alive() {
            world.report(who, EventKind::BreaksOff(self.name));
        }
        Ok(())
    }
}

/// Registers an action that gives a body an order and ends at once.
pub(super) fn instant(
    registry: &mut Registry<World>,
    name: &'static str,
    doc: &str,
    tell: fn(&mut World, BodyId),
) {
    registry
        .action(name, move |world: &mut World, agent: &mut Agent| {
            let who = me(world, agent);
            if !world.body(who).is_up() {
                return Status::Failure;
            }
            world.report(who, EventKind::Begins(name));
            tell(world, who);
            Status::Success
        })
        .instant()
        .doc(doc);
}
