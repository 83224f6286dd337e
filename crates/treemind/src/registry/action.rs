//! Tasks that are started, updated in every tick, and stopped.

use super::agent::Agent;
use super::answer::{Answer, Done, TaskError};
use crate::world::World;
use std::marker::PhantomData;
use treemind_core::{Outcome, Status};

/// An action as a type of the game. For closures see [`Callbacks`].
///
/// # Contract
/// `start` is called once before the first `update` of a run, `update` once in each tick that reaches the run, and
/// `stop` exactly once when the run ends. An error or a panic in `start` or `update` ends the run with failure, and
/// `stop` still follows; an error or a panic in `stop` is only recorded.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an action in the world `{W}`",
    label = "expected `update(…)`, or a type that implements `Action`",
    note = "write the types of the closures down: `update(|world: &mut World, me: &mut Agent| …)`",
    note = "a type with parameters implements `ActionType`, and is registered with `action_type`"
)]
pub trait Action<W: World + ?Sized>: Send + Sync + 'static {
    /// Whether [`start`](Self::start) does anything; asked once, when the registry is bound.
    fn has_start(&self) -> bool {
        true
    }

    /// Whether [`stop`](Self::stop) does anything; asked once, when the registry is bound.
    fn has_stop(&self) -> bool {
        true
    }

    /// A run starts.
    ///
    /// # Errors
    /// Whatever the game cannot do; the run fails and is not updated.
    #[inline]
    fn start(&self, world: &mut W::At<'_>, me: &mut Agent<'_, '_>) -> Result<(), TaskError> {
        let _ = (world, me);
        Ok(())
    }

    /// The run continues. This is also called in the tick in which it started.
    ///
    /// # Errors
    /// Whatever the game cannot do; the run fails.
    fn update(&self, world: &mut W::At<'_>, me: &mut Agent<'_, '_>) -> Result<Status, TaskError>;

    /// The run has ended with this outcome.
    ///
    /// # Errors
    /// Whatever the game cannot do; recorded as a fault.
    #[inline]
    fn stop(
        &self,
        world: &mut W::At<'_>,
        me: &mut Agent<'_, '_>,
        outcome: Outcome,
    ) -> Result<(), TaskError> {
        let _ = (world, me, outcome);
        Ok(())
    }
}

type NoStart<W> = fn(&mut <W as World>::At<'_>, &mut Agent<'_, '_>) -> Result<(), TaskError>;
type NoStop<W> =
    fn(&mut <W as World>::At<'_>, &mut Agent<'_, '_>, Outcome) -> Result<(), TaskError>;

/// An action put together from closures: an [`update`](Callbacks::update), and if needed a start and a stop.
pub struct Callbacks<W: World + ?Sized, U, S = NoStart<W>, P = NoStop<W>> {
    update: U,
    start: Option<S>,
    stop: Option<P>,
    world: PhantomData<fn(&mut W)>,
}

/// An action that runs this closure at each update. Add to it with [`Callbacks::start`] and [`Callbacks::stop`].
pub fn update<W, F, R>(update: F) -> Callbacks<W, impl UpdateFn<W>>
where
    W: World + ?Sized,
    F: Fn(&mut W::At<'_>, &mut Agent<'_, '_>) -> R + Send + Sync + 'static,
    R: Answer + 'static,
{
    Callbacks {
        update: move |world: &mut W::At<'_>, me: &mut Agent<'_, '_>| {
            update(world, me).into_status()
        },
        start: None,
        stop: None,
        world: PhantomData,
    }
}

impl<W: World + ?Sized, U, S, P> Callbacks<W, U, S, P> {
    /// Calls this closure at the start of each run.
    pub fn start<F, R>(self, start: F) -> Callbacks<W, U, impl StartFn<W>, P>
    where
        F: Fn(&mut W::At<'_>, &mut Agent<'_, '_>) -> R + Send + Sync + 'static,
        R: Done + 'static,
    {
        Callbacks {
            update: self.update,
            start: Some(move |world: &mut W::At<'_>, me: &mut Agent<'_, '_>| {
                start(world, me).into_done()
            }),
            stop: self.stop,
            world: PhantomData,
        }
    }

    /// Calls this closure at the end of each run.
    pub fn stop<F, R>(self, stop: F) -> Callbacks<W, U, S, impl StopFn<W>>
    where
        F: Fn(&mut W::At<'_>, &mut Agent<'_, '_>, Outcome) -> R + Send + Sync + 'static,
        R: Done + 'static,
    {
        let stop = move |world: &mut W::At<'_>, me: &mut Agent<'_, '_>, outcome: Outcome| {
            stop(world, me, outcome).into_done()
        };
        Callbacks {
            update: self.update,
            start: self.start,
            stop: Some(stop),
            world: PhantomData,
        }
    }
}

/// A closure for updates, as [`Callbacks`] stores it.
#[diagnostic::on_unimplemented(
    message = "this is not an update in the world `{W}`",
    label = "expected a closure `|world, me|` over the world of this registry",
    note = "write the types of the closure down: `|world: &mut World, me: &mut Agent| …`"
)]
pub trait UpdateFn<W: World + ?Sized>:
    Fn(&mut W::At<'_>, &mut Agent<'_, '_>) -> Result<Status, TaskError> + Send + Sync + 'static
{
}
impl<
    W: World + ?Sized,
    F: Fn(&mut W::At<'_>, &mut Agent<'_, '_>) -> Result<Status, TaskError> + Send + Sync + 'static,
> UpdateFn<W> for F
{
}

/// A closure for starts, as [`Callbacks`] stores it.
#[diagnostic::on_unimplemented(
    message = "this is not a start in the world `{W}`",
    label = "expected a closure `|world, me|` over the world of this registry",
    note = "write the types of the closure down: `|world: &mut World, me: &mut Agent| …`"
)]
pub trait StartFn<W: World + ?Sized>:
    Fn(&mut W::At<'_>, &mut Agent<'_, '_>) -> Result<(), TaskError> + Send + Sync + 'static
{
}
impl<
    W: World + ?Sized,
    F: Fn(&mut W::At<'_>, &mut Agent<'_, '_>) -> Result<(), TaskError> + Send + Sync + 'static,
> StartFn<W> for F
{
}

/// A closure for stops, as [`Callbacks`] stores it.
#[diagnostic::on_unimplemented(
    message = "this is not a stop in the world `{W}`",
    label = "expected a closure `|world, me, outcome|` over the world of this registry",
    note = "write the types of the closure down: `|world: &mut World, me: &mut Agent, outcome: Outcome| …`"
)]
pub trait StopFn<W: World + ?Sized>:
    Fn(&mut W::At<'_>, &mut Agent<'_, '_>, Outcome) -> Result<(), TaskError> + Send + Sync + 'static
{
}
impl<
    W: World + ?Sized,
    F: Fn(&mut W::At<'_>, &mut Agent<'_, '_>, Outcome) -> Result<(), TaskError>
        + Send
        + Sync
        + 'static,
> StopFn<W> for F
{
}

impl<W, U, S, P> Action<W> for Callbacks<W, U, S, P>
where
    W: World + ?Sized,
    U: UpdateFn<W>,
    S: StartFn<W>,
    P: StopFn<W>,
{
    fn has_start(&self) -> bool {
        self.start.is_some()
    }

    fn has_stop(&self) -> bool {
        self.stop.is_some()
    }

    #[inline]
    fn start(&self, world: &mut W::At<'_>, me: &mut Agent<'_, '_>) -> Result<(), TaskError> {
        match &self.start {
            Some(start) => start(world, me),
            None => Ok(()),
        }
    }

    #[inline]
    fn update(&self, world: &mut W::At<'_>, me: &mut Agent<'_, '_>) -> Result<Status, TaskError> {
        (self.update)(world, me)
    }

    #[inline]
    fn stop(
        &self,
        world: &mut W::At<'_>,
        me: &mut Agent<'_, '_>,
        outcome: Outcome,
    ) -> Result<(), TaskError> {
        match &self.stop {
            Some(stop) => stop(world, me, outcome),
            None => Ok(()),
        }
    }
}
