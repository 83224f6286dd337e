//! Types whose values have runs: the parameters and the state of each run, from its start to its stop.

use super::super::agent::Agent;
use super::super::answer::TaskError;
use super::super::bulk::{Visit, at_once, each_lane};
use super::super::keys::{Place, Wiring};
use super::asked::Literals;
use super::keep::Keep;
use super::runs::{InUse, LockedWord, Runs};
use crate::world::World;
use serde::de::DeserializeOwned;
use std::any::{TypeId, type_name};
use std::fmt;
use std::marker::PhantomData;
use treemind_core::Outcome;
use treemind_core::host::{Call, Lanes};

/// A type whose values have runs.
pub(super) trait Lives<W: World + ?Sized>: DeserializeOwned + Send + Sync + 'static {
    type State: Default + Send + 'static;

    fn start(
        &self,
        state: &mut Self::State,
        world: &mut W::At<'_>,
        me: &mut Agent<'_, '_>,
    ) -> Result<(), TaskError>;

    fn stop(
        &self,
        state: &mut Self::State,
        world: &mut W::At<'_>,
        me: &mut Agent<'_, '_>,
        outcome: Outcome,
    ) -> Result<(), TaskError>;

    /// Starts many runs; `false` if it cannot.
    #[inline]
    fn start_many(&self, world: &mut W::At<'_>, lanes: Lanes<'_>) -> bool {
        let _ = (world, lanes);
        false
    }

    /// Stops many runs; `false` if it cannot.
    #[inline]
    fn stop_many(&self, world: &mut W::At<'_>, lanes: Lanes<'_>, outcome: Outcome) -> bool {
        let _ = (world, lanes, outcome);
        false
    }
}

/// The nodes of a leaf.
pub(super) struct Nodes<W: World + ?Sized, T: Lives<W>> {
    nodes: Vec<NodeRuns<T, T::State>>,
    /// How states are saved, if they are.
    keep: Option<Keep<T::State>>,
    world: PhantomData<fn(&mut W)>,
}

/// One node.
struct NodeRuns<T, S> {
    /// Its parameters, unless they are computed for each run.
    literal: Option<T>,
    runs: Runs<Run<T, S>>,
}

/// One run of one agent.
struct Run<T, S> {
    /// Its parameters, where they are computed. After a restore they are read when they are first needed.
    computed: Option<T>,
    state: S,
}

/// The runs of a node, while a loop goes over its agents.
pub(super) struct Going<'n, T, S> {
    literal: Option<&'n T>,
    held: LockedWord<'n, Run<T, S>>,
}

/// The run to be continued was not started here.
pub(super) struct NotHere;

impl fmt::Display for NotHere {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("this run was started by another host, so its state is not available")
    }
}

impl fmt::Display for InUse {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(
            "the states of this leaf are in use: a bound registry serves only one population",
        )
    }
}

/// Whether a run has no state.
fn is_nothing<S: 'static>() -> bool {
    TypeId::of::<S>() == TypeId::of::<()>()
}

/// The name of a type of states that is not saved; `None` for states that are nothing.
pub(in super::super) fn unsaved_state<S: 'static>() -> Option<&'static str> {
    (!is_nothing::<S>()).then(type_name::<S>)
}

impl<'n, T: DeserializeOwned, S: Default> Going<'n, T, S> {
    /// The run of an agent, if it has one.
    #[inline]
    fn find(&mut self, me: &Agent<'_, '_>) -> Result<Option<(&T, &mut S)>, TaskError> {
        let Some(run) = self.held.place(me.index)? else {
            return Ok(None);
        };
        if run.computed.is_none() && self.literal.is_none() {
            run.computed = Some(me.args::<T>()?);
        }
        let params = run.computed.as_ref().or(self.literal);
        Ok(params.map(|params| (params, &mut run.state)))
    }

    /// The run of an agent.
    #[inline]
    pub(super) fn run(&mut self, me: &Agent<'_, '_>) -> Result<(&T, &mut S), TaskError> {
        Ok(self.find(me)?.ok_or(NotHere)?)
    }

    /// Makes the run of an agent.
    fn make(&mut self, me: &Agent<'_, '_>) -> Result<(&T, &mut S), TaskError> {
        let place = self.held.place(me.index)?;
        // A run of a population that was dropped without being stopped.
        drop(place.take());
        let computed = match self.literal {
            Some(_) => None,
            None => Some(me.args::<T>()?),
        };
        let state = S::default();
        *place = Some(Run { computed, state });
        self.run(me)
    }

    fn forget(&mut self, agent: usize) -> Result<(), TaskError> {
        drop(self.held.place(agent)?.take());
        Ok(())
    }
}

impl<W: World + ?Sized, T: Lives<W>> Nodes<W, T> {
    /// Reads the literal parameters; passes each node where this fails, with the reason, to `failed`.
    pub(super) fn bind(
        places: &[Place<'_>],
        keep: Option<Keep<T::State>>,
        failed: &mut dyn FnMut(&Place<'_>, String),
    ) -> Self {
        let literals = Literals::read(places, failed).into_nodes();
        let nodes = literals.map(|literal| NodeRuns {
            literal,
            runs: Runs::new(),
        });
        Self {
            nodes: nodes.collect(),
            keep,
            world: PhantomData,
        }
    }

    fn node(&self, call: &Call<'_>, wiring: &Wiring) -> &NodeRuns<T, T::State> {
        &self.nodes[wiring.ordinal(call.node())]
    }

    /// The node's parameters, when its runs have no data of their own.
    #[inline(always)]
    pub(super) fn stateless(&self, call: &Call<'_>, wiring: &Wiring) -> Option<&T> {
        if is_nothing::<T::State>() {
            self.node(call, wiring).literal.as_ref()
        } else {
            None
        }
    }

    #[inline]
    pub(super) fn going(&self, call: &Call<'_>, wiring: &Wiring) -> Going<'_, T, T::State> {
        let node = self.node(call, wiring);
        Going {
            literal: node.literal.as_ref(),
            held: LockedWord::new(&node.runs),
        }
    }

    pub(super) fn start(&self, visit: Visit<'_, '_, '_, W>, failed: &mut dyn FnMut(usize)) {
        let Visit {
            world,
            call,
            wiring,
            lanes,
        } = visit;
        if let Some(task) = self.stateless(call, wiring) {
            match at_once(call, lanes, || task.start_many(world, lanes)) {
                Some(true) => return,
                Some(false) => {}
                None => return lanes.into_iter().for_each(failed),
            }
            let start = |me: &mut Agent<'_, '_>| task.start(&mut T::State::default(), world, me);
            return each_lane(call, wiring, lanes, start, failed);
        }
        let mut going = self.going(call, wiring);
        let start = |me: &mut Agent<'_, '_>| {
            let (task, state) = going.make(me)?;
            task.start(state, world, me)
        };
        each_lane(call, wiring, lanes, start, failed);
    }

    pub(super) fn stop(&self, visit: Visit<'_, '_, '_, W>, outcome: Outcome) {
        let Visit {
            world,
            call,
            wiring,
            lanes,
        } = visit;
        if let Some(task) = self.stateless(call, wiring) {
            if at_once(call, lanes, || task.stop_many(world, lanes, outcome)) != Some(false) {
                return;
            }
            let stop =
                |me: &mut Agent<'_, '_>| task.stop(&mut T::State::default(), world, me, outcome);
            return each_lane(call, wiring, lanes, stop, &mut |_| {});
        }
        let mut going = self.going(call, wiring);
        let stop = |me: &mut Agent<'_, '_>| match going.find(me)? {
            Some((task, state)) => task.stop(state, world, me, outcome),
            // A run that could not be made has nothing to stop.
            None => Ok(()),
        };
        each_lane(call, wiring, lanes, stop, &mut |_| {});
        // Outside of the stop: a state that panics on drop while another panic unwinds would end the process.
        let forget = |me: &mut Agent<'_, '_>| going.forget(me.index);
        each_lane(call, wiring, lanes, forget, &mut |_| {});
    }

    /// Takes over the runs of nodes, by their old and new numbers among the nodes of the leaf.
    pub(super) fn take_over(&self, old: &Self, nodes: &[(usize, usize)]) {
        for (from, to) in nodes {
            if let (Some(from), Some(to)) = (old.nodes.get(*from), self.nodes.get(*to)) {
                to.runs.take_over(&from.runs);
            }
        }
    }

    /// The state of a run.
    pub(super) fn save_run(&self, node: usize, agent: usize) -> Option<Vec<u8>> {
        let mut held = LockedWord::new(&self.nodes.get(node)?.runs);
        let run = held.place(agent).ok()?.as_ref()?;
        match &self.keep {
            Some(keep) => keep.save(&run.state),
            None => is_nothing::<T::State>().then(Vec::new),
        }
    }

    /// Continues with a run that was saved; without an agent, only checks that it could.
    pub(super) fn restore_run(
        &self,
        node: usize,
        agent: Option<usize>,
        state: &[u8],
    ) -> Result<(), String> {
        let state = match &self.keep {
            Some(keep) => keep.restore(state)?,
            None if is_nothing::<T::State>() => T::State::default(),
            None => return Err(format!("`{}` is not saved", type_name::<T::State>())),
        };
        let node = self.nodes.get(node).ok_or("it has fewer nodes")?;
        if let Some(agent) = agent {
            let mut held = LockedWord::new(&node.runs);
            let place = held.place(agent).map_err(|error| error.to_string())?;
            *place = Some(Run {
                computed: None,
                state,
            });
        }
        Ok(())
    }

    pub(super) fn forget_runs(&self, agent: usize) {
        for node in &self.nodes {
            if let Ok(place) = LockedWord::new(&node.runs).place(agent) {
                *place = None;
            }
        }
    }

    pub(super) fn unsaved_state(&self) -> Option<&'static str> {
        match self.keep {
            Some(_) => None,
            None => unsaved_state::<T::State>(),
        }
    }

    pub(super) fn reserve(&self, agents: usize) {
        for node in &self.nodes {
            if node.literal.is_none() || !is_nothing::<T::State>() {
                node.runs.reserve(agents);
            }
        }
    }
}
