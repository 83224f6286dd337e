//! Types without runs as leaves: conditions and services.

use super::super::agent::Agent;
use super::super::answer::TaskError;
use super::super::bulk::{Leaf, Visit, answer_agent, answer_lanes, each_lane};
use super::super::keys::{Place, Wiring};
use super::{ConditionType, ServiceType, literal_args};
use crate::world::World;
use serde::de::DeserializeOwned;
use treemind_core::Status;
use treemind_core::host::{Answers, Call};

/// The parameters of all nodes of a leaf; `None` where they are computed.
pub(super) struct Literals<T>(Vec<Option<T>>);

impl<T: DeserializeOwned> Literals<T> {
    /// Reads them; passes each node where this fails, with the reason, to `failed`.
    pub(super) fn read(places: &[Place<'_>], failed: &mut dyn FnMut(&Place<'_>, String)) -> Self {
        let read = places.iter().map(|place| match literal_args(place)? {
            Ok(params) => Some(params),
            Err(text) => {
                failed(place, text);
                None
            }
        });
        Self(read.collect())
    }

    pub(super) fn into_nodes(self) -> impl Iterator<Item = Option<T>> {
        self.0.into_iter()
    }

    fn of(&self, call: &Call<'_>, wiring: &Wiring) -> Option<&T> {
        self.0[wiring.ordinal(call.node())].as_ref()
    }
}

/// Calls a function with the parameters of a node: the literal ones, or those computed for an agent.
fn with<T: DeserializeOwned, R>(
    literal: Option<&T>,
    me: &mut Agent<'_, '_>,
    work: impl FnOnce(&T, &mut Agent<'_, '_>) -> Result<R, TaskError>,
) -> Result<R, TaskError> {
    match literal {
        Some(params) => work(params, me),
        None => {
            let params = me.args::<T>()?;
            work(&params, me)
        }
    }
}

/// A condition of a type, bound.
pub(in super::super) struct OwnCondition<T>(Literals<T>);

impl<T: DeserializeOwned> OwnCondition<T> {
    pub(in super::super) fn bind(
        places: &[Place<'_>],
        failed: &mut dyn FnMut(&Place<'_>, String),
    ) -> Self {
        Self(Literals::read(places, failed))
    }
}

impl<W: World + ?Sized, T: ConditionType<W>> Leaf<W> for OwnCondition<T> {
    fn answer(&self, visit: Visit<'_, '_, '_, W>, answers: &mut Answers<'_>) {
        let Visit {
            world,
            call,
            wiring,
            lanes,
        } = visit;
        let (world, literal) = (&*world, self.0.of(call, wiring));
        answer_lanes(call, wiring, lanes, answers, |me| {
            with(literal, me, |condition, me| condition.ask(world, me))
        });
    }

    fn answer_one(
        &self,
        world: &mut W::At<'_>,
        call: &mut Call<'_>,
        wiring: &Wiring,
        index: usize,
    ) -> Status {
        let (world, literal) = (&*world, self.0.of(call, wiring));
        answer_agent(call, wiring, index, |me| {
            with(literal, me, |condition, me| condition.ask(world, me))
        })
    }
}

/// A service of a type, bound.
pub(in super::super) struct OwnService<T>(Literals<T>);

impl<T: DeserializeOwned> OwnService<T> {
    pub(in super::super) fn bind(
        places: &[Place<'_>],
        failed: &mut dyn FnMut(&Place<'_>, String),
    ) -> Self {
        Self(Literals::read(places, failed))
    }
}

impl<W: World + ?Sized, T: ServiceType<W>> Leaf<W> for OwnService<T> {
    fn serve(&self, visit: Visit<'_, '_, '_, W>) {
        let Visit {
            world,
            call,
            wiring,
            lanes,
        } = visit;
        let literal = self.0.of(call, wiring);
        let serve =
            |me: &mut Agent<'_, '_>| with(literal, me, |service, me| service.serve(world, me));
        each_lane(call, wiring, lanes, serve, &mut |_| {});
    }
}
