//! The lane loops: one dynamic call reaches a loop that is compiled together with the closure.

use super::action::Action;
use super::agent::Agent;
use super::answer::{Answer, Done, TaskError};
use super::keys::Wiring;
use crate::world::World;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use treemind_core::host::{Answers, Call, Candidates, Lanes, Moves, Pairs};
use treemind_core::{KeyId, Outcome, Status};

/// What a leaf is called with, and for which agents.
pub(super) struct Visit<'v, 'w, 'a, W: World + ?Sized> {
    pub(super) world: &'v mut W::At<'w>,
    pub(super) call: &'v mut Call<'a>,
    pub(super) wiring: &'v Wiring,
    pub(super) lanes: Lanes<'v>,
}

/// A registered leaf, called for many agents at once. Only the methods that fit its kind are called.
pub(super) trait Leaf<W: World + ?Sized>: Send + Sync {
    fn has_start(&self) -> bool {
        false
    }

    fn has_stop(&self) -> bool {
        false
    }

    /// Asks the condition, or updates the action. Not called on leaves of other kinds.
    fn answer(&self, visit: Visit<'_, '_, '_, W>, answers: &mut Answers<'_>) {
        let _ = (visit, answers);
    }

    /// [`answer`](Leaf::answer) for one agent. It is called so often that its parameters have to be in registers, and not
    /// in a [`Visit`].
    fn answer_one(
        &self,
        world: &mut W::At<'_>,
        call: &mut Call<'_>,
        wiring: &Wiring,
        index: usize,
    ) -> Status {
        let _ = (world, call, wiring, index);
        Status::Failure
    }

    /// Calls the service.
    fn serve(&self, visit: Visit<'_, '_, '_, W>) {
        let _ = visit;
    }

    /// Decides for the composite or decorator.
    fn decide(&self, visit: Visit<'_, '_, '_, W>, moves: &mut Moves<'_>) {
        let _ = (visit, moves);
    }

    /// Has the sensor compute a key, or passes an event or a text to its listener.
    fn tell(&self, visit: Visit<'_, '_, '_, W>, key: Option<KeyId>) {
        let _ = (visit, key);
    }

    /// Lists candidates.
    fn candidates(&self, visit: Visit<'_, '_, '_, W>, candidates: &mut Candidates) {
        let _ = (visit, candidates);
    }

    /// Measures candidates.
    fn measure(
        &self,
        world: &mut W::At<'_>,
        call: &mut Call<'_>,
        wiring: &Wiring,
        pairs: &mut Pairs,
    ) {
        let _ = (world, call, wiring, pairs);
    }

    /// Starts the action; passes each agent whose start went wrong to `failed`.
    fn start(&self, visit: Visit<'_, '_, '_, W>, failed: &mut dyn FnMut(usize)) {
        let _ = (visit, failed);
    }

    /// Stops the action.
    fn stop(&self, visit: Visit<'_, '_, '_, W>, outcome: Outcome) {
        let _ = (visit, outcome);
    }

    /// Makes room for the states of that many agents.
    fn reserve(&self, agents: usize) {
        let _ = agents;
    }

    /// Itself, if its runs have data.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }

    /// Takes over the data of runs from the same leaf bound to another behaviour. The nodes are given by their old and
    /// new numbers among those of the leaf.
    fn take_over(&self, old: &dyn Leaf<W>, nodes: &[(usize, usize)]) {
        let _ = (old, nodes);
    }

    /// The state of a run, of a node by its number among those of the leaf; `None` if runs have no data, or there is no
    /// such run, or it cannot be saved.
    fn save_run(&self, node: usize, agent: usize) -> Option<Vec<u8>> {
        let _ = (node, agent);
        None
    }

    /// Continues with a run that was saved; without an agent, only checks that it could. The error says why not.
    fn restore_run(&self, node: usize, agent: Option<usize>, state: &[u8]) -> Result<(), String> {
        let _ = (node, agent, state);
        Ok(())
    }

    /// Forgets the runs of an agent.
    fn forget_runs(&self, agent: usize) {
        let _ = agent;
    }

    /// The name of the type of its runs' states, if they cannot be saved.
    fn unsaved_state(&self) -> Option<&'static str> {
        None
    }
}

/// A condition made from a closure.
pub(super) struct ConditionLeaf<F>(pub(super) F);

impl<W: World + ?Sized, F, R> Leaf<W> for ConditionLeaf<F>
where
    F: Fn(&W::At<'_>, &Agent<'_, '_>) -> R + Send + Sync,
    R: Answer,
{
    fn answer(&self, visit: Visit<'_, '_, '_, W>, answers: &mut Answers<'_>) {
        let Visit {
            world,
            call,
            wiring,
            lanes,
        } = visit;
        let world = &*world;
        answer_lanes(call, wiring, lanes, answers, |me| {
            (self.0)(world, me).into_status()
        });
    }

    fn answer_one(
        &self,
        world: &mut W::At<'_>,
        call: &mut Call<'_>,
        wiring: &Wiring,
        index: usize,
    ) -> Status {
        let world = &*world;
        answer_agent(call, wiring, index, |me| (self.0)(world, me).into_status())
    }
}

/// A condition whose answers the world has as bits.
pub(super) struct ColumnLeaf<F>(pub(super) F);

impl<W: World + ?Sized, F> Leaf<W> for ColumnLeaf<F>
where
    F: for<'h, 'w> Fn(&'h W::At<'w>) -> &'h [u64] + Send + Sync,
{
    fn answer(&self, visit: Visit<'_, '_, '_, W>, answers: &mut Answers<'_>) {
        let Visit {
            world,
            call,
            wiring: _,
            lanes,
        } = visit;
        let answer = || {
            let column = (self.0)(world);
            let (first, count) = (lanes.first_word(), lanes.words().len());
            match column.get(first..first + count) {
                Some(words) => answers.set_bools(words),
                // The column ends before the block does: agents behind its end have no bit.
                None => {
                    let rest = column.get(first..).unwrap_or_default();
                    answers.success_mut()[..rest.len()].copy_from_slice(rest);
                    answers.set_others(Status::Failure);
                }
            }
            true
        };
        if at_once(call, lanes, answer).is_none() {
            answers.set_others(Status::Failure);
        }
    }

    fn answer_one(
        &self,
        world: &mut W::At<'_>,
        call: &mut Call<'_>,
        wiring: &Wiring,
        index: usize,
    ) -> Status {
        answer_agent(call, wiring, index, |_| {
            let word = (self.0)(world).get(index / 64).copied().unwrap_or(0);
            Ok((word >> (index % 64) & 1 == 1).into())
        })
    }
}

/// A service made from a closure.
pub(super) struct ServiceLeaf<F>(pub(super) F);

impl<W: World + ?Sized, F, R> Leaf<W> for ServiceLeaf<F>
where
    F: Fn(&mut W::At<'_>, &mut Agent<'_, '_>) -> R + Send + Sync,
    R: Done,
{
    fn serve(&self, visit: Visit<'_, '_, '_, W>) {
        let Visit {
            world,
            call,
            wiring,
            lanes,
        } = visit;
        let serve = |me: &mut Agent<'_, '_>| (self.0)(world, me).into_done();
        each_lane(call, wiring, lanes, serve, &mut |_| {});
    }
}

/// An action.
pub(super) struct ActionLeaf<A>(pub(super) A);

impl<W: World + ?Sized, A: Action<W>> Leaf<W> for ActionLeaf<A> {
    fn has_start(&self) -> bool {
        self.0.has_start()
    }

    fn has_stop(&self) -> bool {
        self.0.has_stop()
    }

    fn answer(&self, visit: Visit<'_, '_, '_, W>, answers: &mut Answers<'_>) {
        let Visit {
            world,
            call,
            wiring,
            lanes,
        } = visit;
        answer_lanes(call, wiring, lanes, answers, |me| self.0.update(world, me));
    }

    fn answer_one(
        &self,
        world: &mut W::At<'_>,
        call: &mut Call<'_>,
        wiring: &Wiring,
        index: usize,
    ) -> Status {
        answer_agent(call, wiring, index, |me| self.0.update(world, me))
    }

    fn start(&self, visit: Visit<'_, '_, '_, W>, failed: &mut dyn FnMut(usize)) {
        let Visit {
            world,
            call,
            wiring,
            lanes,
        } = visit;
        each_lane(call, wiring, lanes, |me| self.0.start(world, me), failed);
    }

    fn stop(&self, visit: Visit<'_, '_, '_, W>, outcome: Outcome) {
        let Visit {
            world,
            call,
            wiring,
            lanes,
        } = visit;
        each_lane(
            call,
            wiring,
            lanes,
            |me| self.0.stop(world, me, outcome),
            &mut |_| {},
        );
    }
}

/// How far a loop over lanes has come: kept outside of the code that may panic, so that the rest can be called again.
#[derive(Default)]
struct Progress {
    /// The current word.
    word: usize,
    /// Lanes of the word that have not been called yet.
    rest: u64,
    /// The lane being called, as a bit.
    lane: u64,
    success: u64,
    failure: u64,
    skipped: u64,
}

/// The part of [`Progress`] that changes per lane, in registers; written back when dropped, also by a panic.
struct Registers<'p> {
    home: &'p mut Progress,
    rest: u64,
    lane: u64,
    success: u64,
    failure: u64,
    skipped: u64,
}

impl Drop for Registers<'_> {
    #[inline]
    fn drop(&mut self) {
        self.home.rest = self.rest;
        self.home.lane = self.lane;
        self.home.success |= self.success;
        self.home.failure |= self.failure;
        self.home.skipped |= self.skipped;
    }
}

impl Progress {
    fn new(lanes: Lanes<'_>) -> Self {
        Self {
            rest: lanes.words().first().copied().unwrap_or(0),
            ..Self::default()
        }
    }

    /// Calls `each` for every lane of the current word, with its bit number, and collects the answers.
    #[inline(always)]
    fn sweep_word(&mut self, mut each: impl FnMut(usize) -> Status) {
        let mut at = Registers {
            rest: self.rest,
            lane: 0,
            success: 0,
            failure: 0,
            skipped: 0,
            home: self,
        };
        while at.rest != 0 {
            at.lane = at.rest & at.rest.wrapping_neg();
            at.rest ^= at.lane;
            match each(at.lane.trailing_zeros() as usize) {
                Status::Success => at.success |= at.lane,
                Status::Failure => at.failure |= at.lane,
                Status::Skipped => at.skipped |= at.lane,
                Status::Running => {}
            }
        }
    }

    /// Passes the answers of the current word on and moves to the next; `false` after the last.
    #[inline(always)]
    fn next_word(&mut self, lanes: Lanes<'_>, answers: &mut Answers<'_>) -> bool {
        answers.success_mut()[self.word] |= self.success;
        answers.failure_mut()[self.word] |= self.failure;
        if self.skipped != 0 {
            answers.skipped_mut()[self.word] |= self.skipped;
        }
        self.word += 1;
        (self.success, self.failure, self.skipped) = (0, 0, 0);
        match lanes.words().get(self.word) {
            Some(&rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn agent_in_flight(&self, lanes: Lanes<'_>) -> usize {
        lanes.first_agent() + 64 * self.word + self.lane.trailing_zeros() as usize
    }
}

/// Calls `each` for one agent.
#[inline]
pub(super) fn answer_agent<'a>(
    call: &mut Call<'a>,
    wiring: &Wiring,
    index: usize,
    each: impl FnOnce(&mut Agent<'_, 'a>) -> Result<Status, TaskError>,
) -> Status {
    let answered = catch_unwind(AssertUnwindSafe(|| {
        let mut me = Agent {
            call,
            wiring,
            index,
        };
        each(&mut me)
    }));
    match answered {
        Ok(Ok(status)) => status,
        Ok(Err(error)) => fail(call, index, error),
        Err(panic) => {
            call.fault(index, panic_text(&*panic));
            Status::Failure
        }
    }
}

/// Calls `each` for every agent of `lanes` and records what it answered.
#[inline]
pub(super) fn answer_lanes<'a>(
    call: &mut Call<'a>,
    wiring: &Wiring,
    lanes: Lanes<'_>,
    answers: &mut Answers<'_>,
    mut each: impl FnMut(&mut Agent<'_, 'a>) -> Result<Status, TaskError>,
) {
    let mut progress = Progress::new(lanes);
    loop {
        let swept = catch_unwind(AssertUnwindSafe(|| {
            loop {
                let first = lanes.first_agent() + 64 * progress.word;
                progress.sweep_word(|bit| {
                    let index = first + bit;
                    let mut me = Agent {
                        call,
                        wiring,
                        index,
                    };
                    each(&mut me).unwrap_or_else(|error| fail(call, index, error))
                });
                if !progress.next_word(lanes, answers) {
                    break;
                }
            }
        }));
        match swept {
            Ok(()) => return,
            Err(panic) => {
                call.fault(progress.agent_in_flight(lanes), panic_text(&*panic));
                progress.failure |= progress.lane;
            }
        }
    }
}

#[cold]
#[inline(never)]
fn fail(call: &mut Call<'_>, agent: usize, error: TaskError) -> Status {
    call.fault(agent, error.into_text());
    Status::Failure
}

/// Does something for all agents of `lanes` in one call. Returns what the call returns; `None` if it panicked.
#[inline]
pub(super) fn at_once(
    call: &mut Call<'_>,
    lanes: Lanes<'_>,
    work: impl FnOnce() -> bool,
) -> Option<bool> {
    let done = catch_unwind(AssertUnwindSafe(work));
    let text = match done {
        Ok(done) => return Some(done),
        Err(panic) => panic_text(&*panic),
    };
    if let Some(agent) = lanes.into_iter().next() {
        call.fault(agent, text);
    }
    None
}

/// Calls `each` for every agent of `lanes`; passes the agents for which it went wrong to `failed`.
pub(super) fn each_lane<'a>(
    call: &mut Call<'a>,
    wiring: &Wiring,
    lanes: Lanes<'_>,
    mut each: impl FnMut(&mut Agent<'_, 'a>) -> Result<(), TaskError>,
    failed: &mut dyn FnMut(usize),
) {
    let mut agents = lanes.iter();
    let mut index = 0;
    loop {
        let swept = catch_unwind(AssertUnwindSafe(|| {
            for agent in agents.by_ref() {
                index = agent;
                let mut me = Agent {
                    call,
                    wiring,
                    index,
                };
                if let Err(error) = each(&mut me) {
                    fail(call, agent, error);
                    failed(agent);
                }
            }
        }));
        match swept {
            Ok(()) => return,
            Err(panic) => {
                call.fault(index, panic_text(&*panic));
                failed(index);
            }
        }
    }
}

pub(super) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("panicked: {}", text.unwrap_or("without a text"))
}
