//! The last steps of a cast, to go back to.

use super::Cast;
use crate::mind::saving::{cannot_keep, living};
use crate::registry::{BindError, RunError, SavedRuns};
use crate::world::World;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use treemind_core::{AgentId, SocietyRollback, Text};

/// A step that is kept: its number, the states of runs, and of which archetype agents were.
type Kept = (u64, Vec<SavedRuns>, Arc<HashMap<AgentId, Text>>);

/// The last steps of a cast: [`SocietyRollback`] with the states of what agents run. It starts anew when a document is
/// added or reloaded.
pub struct CastRollback {
    rollback: SocietyRollback,
    steps: usize,
    /// From the oldest to the newest.
    runs: VecDeque<Kept>,
}

impl CastRollback {
    /// Keeps at most the last `steps` steps, from now on.
    ///
    /// # Errors
    /// When runs have a state of a type that is not registered as
    /// [saved](crate::Registry::saved_action_type).
    pub fn new<W: World + ?Sized>(cast: &Cast<W>, steps: usize) -> Result<Self, BindError> {
        for troupe in &cast.troupes {
            let population = cast.society.population(troupe.id);
            cannot_keep(&troupe.bound, population.program().behaviour())?;
        }
        let mut kept = Self {
            rollback: SocietyRollback::new(&cast.society, steps),
            steps,
            runs: VecDeque::with_capacity(steps + 1),
        };
        kept.keep_runs(cast);
        Ok(kept)
    }

    /// Keeps the state as it is now: call it after each step.
    pub fn record<W: World + ?Sized>(&mut self, cast: &Cast<W>) {
        self.rollback.record(&cast.society);
        self.keep_runs(cast);
        while self.runs.len() > self.steps + 1 {
            self.runs.pop_front();
        }
    }

    fn keep_runs<W: World + ?Sized>(&mut self, cast: &Cast<W>) {
        let troupes = cast.troupes.iter().map(|troupe| {
            let population = cast.society.population(troupe.id);
            troupe.bound.runs_of(population, &living(population))
        });
        self.runs.push_back((
            cast.society.steps(),
            troupes.collect(),
            Arc::clone(&cast.who),
        ));
    }

    /// Makes the cast what it was after a step, and forgets the steps after that: see [`SocietyRollback::go_back`].
    /// `false`, and nothing has changed, if that step is not kept, or other populations are in the cast now.
    ///
    /// # Errors
    /// When a state that was written before cannot be read.
    pub fn go_back<W: World + ?Sized>(
        &mut self,
        cast: &mut Cast<W>,
        step: u64,
    ) -> Result<bool, RunError> {
        let Some(at) = self.runs.iter().position(|(known, ..)| *known == step) else {
            return Ok(false);
        };
        let troupes = cast.troupes.iter();
        let before = troupes.map(|troupe| living(cast.society.population(troupe.id)));
        let before: Vec<Vec<usize>> = before.collect();
        if before.len() != self.runs[at].1.len() || !self.rollback.go_back(&mut cast.society, step)
        {
            return Ok(false);
        }
        self.runs.truncate(at + 1);
        let (_, all, who) = &self.runs[at];
        cast.who = Arc::clone(who);
        for ((troupe, agents), runs) in cast.troupes.iter().zip(before).zip(all) {
            agents
                .iter()
                .for_each(|agent| troupe.bound.forget_runs(*agent));
            let population = cast.society.population(troupe.id);
            troupe
                .bound
                .put_runs(population, &living(population), runs)?;
        }
        Ok(true)
    }

    /// The number of the oldest step that it can go back to.
    pub fn oldest(&self) -> u64 {
        self.rollback.oldest()
    }

    /// The number of the newest step.
    pub fn newest(&self) -> u64 {
        self.rollback.newest()
    }
}
