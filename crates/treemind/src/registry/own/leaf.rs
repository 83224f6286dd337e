//! Types of the game's own as leaves: where their parameters are, and who has which state.

use super::super::agent::Agent;
use super::super::answer::TaskError;
use super::super::bulk::{Leaf, answer_agent, answer_lanes, each_lane};
use super::super::keys::{Place, Wiring};
use super::runs::{Held, InUse, Runs};
use super::{ActionType, ConditionType, literal_args};
use std::any::TypeId;
use std::marker::PhantomData;
use treemind_core::host::{Answers, Call, Lanes};
use treemind_core::{Outcome, Status};

/// A condition of a type, bound: the parameters of each of its nodes, `None` where they are computed.
pub(in super::super) struct OwnCondition<T> {
    nodes: Vec<Option<T>>,
}

impl<T: serde::de::DeserializeOwned> OwnCondition<T> {
    /// Reads what is literal; the errors are of the nodes that they are about.
    pub(in super::super) fn bind(
        places: &[Place<'_>],
        failed: &mut dyn FnMut(&Place<'_>, String),
    ) -> Self {
        Self {
            nodes: read_literals(places, failed),
        }
    }

    fn literal(&self, call: &Call<'_>, wiring: &Wiring) -> Option<&T> {
        self.nodes[wiring.ordinal(call.node())].as_ref()
    }
}

/// The parameters of all nodes of a leaf, as far as they are literal.
fn read_literals<T: serde::de::DeserializeOwned>(
    places: &[Place<'_>],
    failed: &mut dyn FnMut(&Place<'_>, String),
) -> Vec<Option<T>> {
    let read = places.iter().map(|place| match literal_args(place)? {
        Ok(params) => Some(params),
        Err(text) => {
            failed(place, text);
            None
        }
    });
    read.collect()
}

fn ask<W, T: ConditionType<W>>(
    literal: Option<&T>,
    world: &W,
    me: &Agent<'_, '_>,
) -> Result<Status, TaskError> {
    match literal {
        Some(condition) => condition.ask(world, me),
        None => me.args::<T>()?.ask(world, me),
    }
}

impl<W, T: ConditionType<W>> Leaf<W> for OwnCondition<T> {
    fn answer(
        &self,
        world: &mut W,
        call: &mut Call<'_>,
        wiring: &Wiring,
        lanes: Lanes<'_>,
        answers: &mut Answers<'_>,
    ) {
        let world = &*world;
        let literal = self.literal(call, wiring);
        answer_lanes(call, wiring, lanes, answers, |me| ask(literal, world, me));
    }

    fn answer_one(
        &self,
        world: &mut W,
        call: &mut Call<'_>,
        wiring: &Wiring,
        index: usize,
    ) -> Status {
        let world = &*world;
        let literal = self.literal(call, wiring);
        answer_agent(call, wiring, index, |me| ask(literal, world, me))
    }
}

/// An action of a type, bound.
pub(in super::super) struct OwnAction<W, T: ActionType<W>> {
    nodes: Vec<Node<W, T>>,
}

/// A node that carries the action out.
struct Node<W, T: ActionType<W>> {
    /// What it is given, unless that is computed for each run.
    literal: Option<T>,
    runs: Runs<Run<T, T::State>>,
    world: PhantomData<fn(&mut W)>,
}

/// One run of one agent.
struct Run<T, S> {
    /// What it is given, where that is computed.
    computed: Option<T>,
    state: S,
}

impl<W: 'static, T: ActionType<W>> OwnAction<W, T> {
    /// Reads what is literal; the errors are of the nodes that they are about.
    pub(in super::super) fn bind(
        places: &[Place<'_>],
        failed: &mut dyn FnMut(&Place<'_>, String),
    ) -> Self {
        let literals = read_literals(places, failed).into_iter();
        let nodes = literals.map(|literal| Node {
            literal,
            runs: Runs::new(),
            world: PhantomData,
        });
        Self {
            nodes: nodes.collect(),
        }
    }

    fn node(&self, call: &Call<'_>, wiring: &Wiring) -> &Node<W, T> {
        &self.nodes[wiring.ordinal(call.node())]
    }
}

impl<W, T: ActionType<W>> Node<W, T> {
    /// The action itself, where a run of it has nothing of its own.
    #[inline(always)]
    fn stateless(&self) -> Option<&T> {
        if TypeId::of::<T::State>() == TypeId::of::<()>() {
            self.literal.as_ref()
        } else {
            None
        }
    }

    fn start(
        &self,
        place: Result<&mut Option<Run<T, T::State>>, InUse>,
        world: &mut W,
        me: &mut Agent<'_, '_>,
    ) -> Result<(), TaskError> {
        let place = place?;
        // Of a population that was dropped without being told to stop.
        drop(place.take());
        let computed = match self.literal {
            Some(_) => None,
            None => Some(me.args::<T>()?),
        };
        let run = place.insert(Run {
            computed,
            state: T::State::default(),
        });
        match run.computed.as_ref().or(self.literal.as_ref()) {
            Some(action) => action.start(&mut run.state, world, me),
            None => Err(NotHere.into()),
        }
    }

    #[inline]
    fn update(
        &self,
        place: Result<&mut Option<Run<T, T::State>>, InUse>,
        world: &mut W,
        me: &mut Agent<'_, '_>,
    ) -> Result<Status, TaskError> {
        let run = place?.as_mut().ok_or(NotHere)?;
        match run.computed.as_ref().or(self.literal.as_ref()) {
            Some(action) => action.update(&mut run.state, world, me),
            None => Err(NotHere.into()),
        }
    }

    fn stop(
        &self,
        place: Result<&mut Option<Run<T, T::State>>, InUse>,
        world: &mut W,
        me: &mut Agent<'_, '_>,
        outcome: Outcome,
    ) -> Result<(), TaskError> {
        // Where a run could not be made there is none to stop.
        let Some(run) = place?.as_mut() else {
            return Ok(());
        };
        match run.computed.as_ref().or(self.literal.as_ref()) {
            Some(action) => action.stop(&mut run.state, world, me, outcome),
            None => Ok(()),
        }
    }
}

/// A run that goes on was not started here.
struct NotHere;

impl std::fmt::Display for NotHere {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("this run was started by another host, and its state is not here")
    }
}

impl std::fmt::Display for InUse {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("the states of this leaf are in use: a bound registry serves one population")
    }
}

impl<W: 'static, T: ActionType<W>> Leaf<W> for OwnAction<W, T> {
    fn has_start(&self) -> bool {
        true
    }

    fn has_stop(&self) -> bool {
        true
    }

    fn answer(
        &self,
        world: &mut W,
        call: &mut Call<'_>,
        wiring: &Wiring,
        lanes: Lanes<'_>,
        answers: &mut Answers<'_>,
    ) {
        let node = self.node(call, wiring);
        if let Some(action) = node.stateless() {
            return answer_lanes(call, wiring, lanes, answers, |me| {
                action.update(&mut T::State::default(), world, me)
            });
        }
        let mut held = Held::new(&node.runs);
        answer_lanes(call, wiring, lanes, answers, |me| {
            node.update(held.place(me.index), world, me)
        });
    }

    fn answer_one(
        &self,
        world: &mut W,
        call: &mut Call<'_>,
        wiring: &Wiring,
        index: usize,
    ) -> Status {
        let node = self.node(call, wiring);
        if let Some(action) = node.stateless() {
            return answer_agent(call, wiring, index, |me| {
                action.update(&mut T::State::default(), world, me)
            });
        }
        let mut held = Held::new(&node.runs);
        answer_agent(call, wiring, index, |me| {
            node.update(held.place(index), world, me)
        })
    }

    fn start(
        &self,
        world: &mut W,
        call: &mut Call<'_>,
        wiring: &Wiring,
        lanes: Lanes<'_>,
        failed: &mut dyn FnMut(usize),
    ) {
        let node = self.node(call, wiring);
        if let Some(action) = node.stateless() {
            let start = |me: &mut Agent<'_, '_>| action.start(&mut T::State::default(), world, me);
            return each_lane(call, wiring, lanes, start, failed);
        }
        let mut held = Held::new(&node.runs);
        let start = |me: &mut Agent<'_, '_>| node.start(held.place(me.index), world, me);
        each_lane(call, wiring, lanes, start, failed);
    }

    fn stop(
        &self,
        world: &mut W,
        call: &mut Call<'_>,
        wiring: &Wiring,
        lanes: Lanes<'_>,
        outcome: Outcome,
    ) {
        let node = self.node(call, wiring);
        if let Some(action) = node.stateless() {
            let stop =
                |me: &mut Agent<'_, '_>| action.stop(&mut T::State::default(), world, me, outcome);
            return each_lane(call, wiring, lanes, stop, &mut |_| {});
        }
        let mut held = Held::new(&node.runs);
        let stop = |me: &mut Agent<'_, '_>| node.stop(held.place(me.index), world, me, outcome);
        each_lane(call, wiring, lanes, stop, &mut |_| {});
        // Not within the stop: a state that panics when it is dropped while a panic is on its way would end the process.
        let forget = |me: &mut Agent<'_, '_>| {
            drop(held.place(me.index)?.take());
            Ok(())
        };
        each_lane(call, wiring, lanes, forget, &mut |_| {});
    }

    fn reserve(&self, agents: usize) {
        if TypeId::of::<T::State>() != TypeId::of::<()>()
            || self.nodes.iter().any(|node| node.literal.is_none())
        {
            for node in &self.nodes {
                node.runs.reserve(agents);
            }
        }
    }
}
