//! Conditions and actions as types of the game: parameters through serde, and a state for every run.

mod args;
mod asked;
mod fields;
mod keep;
mod leaf;
mod lives;
mod runs;

pub(super) use asked::{OwnCondition, OwnService};
pub(super) use fields::{Field, fields_of};
pub(super) use keep::Keep;
pub(super) use leaf::{OwnAction, OwnNode};
pub(super) use lives::unsaved_state;
pub(super) use runs::{LockedWord, Runs};

use super::agent::Agent;
use super::answer::TaskError;
use super::bulk::panic_text;
use super::keys::Place;
use crate::world::World;
use serde::de::DeserializeOwned;
use std::panic::{AssertUnwindSafe, catch_unwind};
use treemind_core::behaviour::Arg;
use treemind_core::host::{Answers, Lanes, Move, Told};
use treemind_core::{Outcome, Status, Value};

/// An action as a type: its fields are the parameters of the leaf, and every run has a [`State`](Self::State).
///
/// ```
/// use serde::Deserialize;
/// use treemind::prelude::*;
///
/// struct World { blows: u32 }
///
/// #[derive(Deserialize)]
/// struct Attack { blows: u32, #[serde(default)] is_loud: bool }
///
/// impl ActionType<World> for Attack {
///     /// How many blows are left.
///     type State = u32;
///
///     fn start(&self, left: &mut u32, _: &mut World, _: &mut Agent) -> Result<(), TaskError> {
///         *left = self.blows;
///         Ok(())
///     }
///
///     fn update(&self, left: &mut u32, world: &mut World, _: &mut Agent) -> Result<Status, TaskError> {
///         world.blows += 1;
///         *left = left.saturating_sub(1);
///         Ok(if *left == 0 { Status::Success } else { Status::Running })
///     }
/// }
///
/// let mut registry = Registry::<World>::new();
/// registry.action_type::<Attack>("attack");
/// ```
///
/// # Contract
/// A run begins with its parameters and a new state, then `start` is called. `update` is called once per tick that
/// reaches the run, and `stop` exactly once; then the state is dropped. Parameters are read at the start of each
/// run; where a document gives literals only, they are read once, when the registry is bound.
///
/// An error or a panic in `start` or `update` ends the run with failure, and `stop` still follows. An error or a
/// panic in `stop`, or a panic when a state is dropped, is only recorded. When the parameters cannot be read, or
/// the state cannot be made, there is no run: the leaf fails, and neither `start` nor `stop` is called.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an action in the world `{W}`",
    label = "`{Self}` does not implement `ActionType<{W}>`",
    note = "write `impl ActionType<{W}> for {Self}` with the method `update`; its fields are the parameters, read by `#[derive(serde::Deserialize)]`"
)]
pub trait ActionType<W: World + ?Sized>: DeserializeOwned + Send + Sync + 'static {
    /// The data that each run of each agent has; `()` for none, which costs nothing.
    type State: Default + Send + 'static;

    /// A run starts.
    ///
    /// # Errors
    /// Whatever the game cannot do; the run fails and is not updated.
    #[inline]
    fn start(
        &self,
        state: &mut Self::State,
        world: &mut W::At<'_>,
        me: &mut Agent<'_, '_>,
    ) -> Result<(), TaskError> {
        let _ = (state, world, me);
        Ok(())
    }

    /// The run continues. This is also called in the tick in which it started.
    ///
    /// # Errors
    /// Whatever the game cannot do; the run fails.
    fn update(
        &self,
        state: &mut Self::State,
        world: &mut W::At<'_>,
        me: &mut Agent<'_, '_>,
    ) -> Result<Status, TaskError>;

    /// The run has ended with this outcome.
    ///
    /// # Errors
    /// Whatever the game cannot do; recorded as a fault.
    #[inline]
    fn stop(
        &self,
        state: &mut Self::State,
        world: &mut W::At<'_>,
        me: &mut Agent<'_, '_>,
        outcome: Outcome,
    ) -> Result<(), TaskError> {
        let _ = (state, world, me, outcome);
        Ok(())
    }

    /// Starts runs of many agents at once, in place of [`start`](Self::start). Returns whether it has done so; by
    /// default it has not, and `start` is called for each. Only asked where a document gives literals only and runs
    /// have no state. Implement it, [`update_many`](Self::update_many) or [`stop_many`](Self::stop_many) only if that
    /// is faster. A panic counts for all these agents.
    #[inline]
    fn start_many(&self, world: &mut W::At<'_>, lanes: Lanes<'_>) -> bool {
        let _ = (world, lanes);
        false
    }

    /// Updates runs of many agents at once, in place of [`update`](Self::update): see [`start_many`](Self::start_many).
    /// Every agent starts as running.
    #[inline]
    fn update_many(
        &self,
        world: &mut W::At<'_>,
        lanes: Lanes<'_>,
        answers: &mut Answers<'_>,
    ) -> bool {
        let _ = (world, lanes, answers);
        false
    }

    /// Stops runs of many agents at once, in place of [`stop`](Self::stop): see [`start_many`](Self::start_many).
    #[inline]
    fn stop_many(&self, world: &mut W::At<'_>, lanes: Lanes<'_>, outcome: Outcome) -> bool {
        let _ = (world, lanes, outcome);
        false
    }
}

/// A condition as a type: its fields are the parameters of the leaf.
///
/// ```
/// use serde::Deserialize;
/// use treemind::prelude::*;
///
/// struct World { distance: f32 }
///
/// #[derive(Deserialize)]
/// struct EnemyWithin { range: f32 }
///
/// impl ConditionType<World> for EnemyWithin {
///     fn ask(&self, world: &World, _: &Agent) -> Result<Status, TaskError> {
///         Ok((world.distance <= self.range).into())
///     }
/// }
///
/// let mut registry = Registry::<World>::new();
/// registry.condition_type::<EnemyWithin>("enemy-within");
/// ```
///
/// Parameters are read each time the condition is asked; where a document gives literals only, they are read once,
/// when the registry is bound.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a condition in the world `{W}`",
    label = "`{Self}` does not implement `ConditionType<{W}>`",
    note = "write `impl ConditionType<{W}> for {Self}` with the method `ask`; its fields are the parameters, read by `#[derive(serde::Deserialize)]`"
)]
pub trait ConditionType<W: World + ?Sized>: DeserializeOwned + Send + Sync + 'static {
    /// Whether the condition holds.
    ///
    /// # Errors
    /// Whatever the game cannot find out; the condition fails.
    fn ask(&self, world: &W::At<'_>, me: &Agent<'_, '_>) -> Result<Status, TaskError>;
}

/// A service as a type: its fields are the parameters of the leaf.
///
/// Parameters are read at each call; where a document gives literals only, they are read once, when the registry is
/// bound.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a service in the world `{W}`",
    label = "`{Self}` does not implement `ServiceType<{W}>`",
    note = "write `impl ServiceType<{W}> for {Self}` with the method `serve`; its fields are the parameters, read by `#[derive(serde::Deserialize)]`"
)]
pub trait ServiceType<W: World + ?Sized>: DeserializeOwned + Send + Sync + 'static {
    /// The service is called.
    ///
    /// # Errors
    /// Whatever the game cannot do; recorded as a fault.
    fn serve(&self, world: &mut W::At<'_>, me: &mut Agent<'_, '_>) -> Result<(), TaskError>;
}

/// A composite or decorator as a type: its fields are the parameters of the leaf, and every run has a
/// [`State`](Self::State).
///
/// ```
/// use serde::Deserialize;
/// use treemind::NodeType;
/// use treemind::leaves::{Move, Told};
/// use treemind::prelude::*;
///
/// /// Ticks its children one after another, for the given number of rounds, whatever they answer.
/// #[derive(Deserialize)]
/// struct Rounds { rounds: usize }
///
/// impl NodeType<()> for Rounds {
///     /// How many children have ended.
///     type State = usize;
///
///     fn decide(&self, ended: &mut usize, (): &mut (), me: &mut Agent, told: Told) -> Result<Move, TaskError> {
///         if let Told::Answered { status, .. } = told {
///             if status == Status::Running {
///                 return Ok(Move::Answer(Status::Running));
///             }
///             *ended += 1;
///         }
///         if *ended == self.rounds * me.children() {
///             return Ok(Move::Answer(Status::Success));
///         }
///         Ok(Move::Tick(*ended % me.children()))
///     }
/// }
///
/// let mut registry = Registry::<()>::new();
/// registry.composite_type::<Rounds>("rounds");
/// ```
///
/// # Contract
/// The contract of [`ActionType`] holds, with `decide` in place of `update`: `decide` gets [`Told::Tick`] in every
/// tick that reaches the node, then the result of each move that it asked for, until it answers. An error or a
/// panic in `decide` counts as the answer failure.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a composite or decorator in the world `{W}`",
    label = "`{Self}` does not implement `NodeType<{W}>`",
    note = "write `impl NodeType<{W}> for {Self}` with the method `decide`; its fields are the parameters, read by `#[derive(serde::Deserialize)]`"
)]
pub trait NodeType<W: World + ?Sized>: DeserializeOwned + Send + Sync + 'static {
    /// The data that each run of each agent has; `()` for none, which costs nothing.
    type State: Default + Send + 'static;

    /// A run starts.
    ///
    /// # Errors
    /// Whatever the game cannot do; the run fails without ticking a child.
    #[inline]
    fn start(
        &self,
        state: &mut Self::State,
        world: &mut W::At<'_>,
        me: &mut Agent<'_, '_>,
    ) -> Result<(), TaskError> {
        let _ = (state, world, me);
        Ok(())
    }

    /// What to do next.
    ///
    /// # Errors
    /// Whatever the game cannot do; the run fails.
    fn decide(
        &self,
        state: &mut Self::State,
        world: &mut W::At<'_>,
        me: &mut Agent<'_, '_>,
        told: Told,
    ) -> Result<Move, TaskError>;

    /// The run has ended with this outcome.
    ///
    /// # Errors
    /// Whatever the game cannot do; recorded as a fault.
    #[inline]
    fn stop(
        &self,
        state: &mut Self::State,
        world: &mut W::At<'_>,
        me: &mut Agent<'_, '_>,
        outcome: Outcome,
    ) -> Result<(), TaskError> {
        let _ = (state, world, me, outcome);
        Ok(())
    }
}

impl Agent<'_, '_> {
    /// All arguments of the leaf as a type of the game, with a field for each parameter that it uses.
    ///
    /// # Errors
    /// When a field has no parameter of its name and no default, or a value does not fit its type.
    pub fn args<T: DeserializeOwned>(&self) -> Result<T, TaskError> {
        let value = |index| self.call.arg(index, self.index);
        let params = self.wiring.params(self.call.leaf());
        Ok(args::read(params, self.wiring.enums(), &value)?)
    }
}

/// The parameters of a node that has only literal arguments, or why they cannot be read; `None` for other nodes.
fn literal_args<T: DeserializeOwned>(place: &Place<'_>) -> Option<Result<T, String>> {
    let literal = |arg: &Arg| match arg {
        Arg::Value(value) => Some(*value),
        Arg::Expr(_) | Arg::Key(_) => None,
    };
    let values: Vec<Value> = place.args.iter().map(literal).collect::<Option<_>>()?;
    let read = || args::read(place.params, place.enums, &|index| values[index]);
    // A type can have its own way of reading, which may panic.
    let read = catch_unwind(AssertUnwindSafe(read));
    Some(match read {
        Ok(read) => read.map_err(|error| error.to_string()),
        Err(panic) => Err(panic_text(&*panic)),
    })
}
