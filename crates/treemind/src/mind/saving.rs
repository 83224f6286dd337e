//! Saved minds, which know their documents, and the states of what they run.

use super::{Error, Mind, Minds};
use crate::registry::{BindError, BindProblem, Bound, Registry, RunError, SavedRuns};
use crate::world::World;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;
use treemind_core::observer::Observers;
use treemind_core::{
    AgentId, Behaviour, Migration, Population, Program, Readable, RestoreError, Rollback, Society,
};
use treemind_doc::{Document, Format};

/// What minds attach to their population.
#[derive(Default, Serialize, Deserialize)]
struct Attached {
    /// The names and texts of the document and its imports.
    texts: Vec<(String, String)>,
    runs: SavedRuns,
}

impl Attached {
    fn of(saved: &[u8]) -> Result<Self, Error> {
        let attached = Population::attached(saved)?;
        if attached.is_empty() {
            return Ok(Self::default());
        }
        postcard::from_bytes(attached).map_err(|error| {
            let (leaf, reason) = (String::new(), error.to_string());
            Error::Run(RunError { leaf, reason })
        })
    }

    fn bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("vectors grow as needed")
    }

    fn document(&self) -> Option<Document> {
        document_of(&self.texts)
    }
}

impl<W: World + ?Sized> Mind<W> {
    /// The whole state of the agent, and the text of its document: see [`Minds::save`].
    pub fn save(&self) -> Vec<u8> {
        self.0.save()
    }

    /// The agent that was [saved](Self::save): see [`Minds::restore`].
    ///
    /// # Errors
    /// As [`Minds::restore`], and when not exactly one agent was saved.
    pub fn restore(saved: &[u8], document: &Document, leaves: &Registry<W>) -> Result<Self, Error> {
        Minds::restore(saved, document, leaves).and_then(Self::of_one)
    }

    /// The agent that was [saved](Self::save), perhaps with another version of its document: see
    /// [`Minds::restore_changed`].
    ///
    /// # Errors
    /// As [`Minds::restore_changed`], and when not exactly one agent was saved.
    pub fn restore_changed(
        saved: &[u8],
        document: &Document,
        leaves: &Registry<W>,
        world: &mut W::At<'_>,
    ) -> Result<(Self, Migration), Error> {
        let (minds, migration) = Minds::restore_changed(saved, document, leaves, world)?;
        Ok((Self::of_one(minds)?, migration))
    }

    fn of_one(minds: Minds<W>) -> Result<Self, Error> {
        match minds.population.len() {
            1 => Ok(Self(minds)),
            agents => Err(Error::NotOne(agents)),
        }
    }
}

impl<W: World + ?Sized> Minds<W> {
    /// The whole state of all agents, between two ticks, with the texts of their document and its imports: see
    /// [`Population::save`]. The states of runs are part of it, of types that are registered as
    /// [saved](Registry::saved_action_type). [`Population::restore`] takes these bytes, too.
    pub fn save(&self) -> Vec<u8> {
        self.population.save_with(&self.attached(&self.living()))
    }

    /// Some agents as bytes, with the states of what they run: see [`Population::save_agents`].
    ///
    /// # Panics
    /// As [`Population::save_agents`].
    pub fn save_agents(&self, agents: &[usize]) -> Vec<u8> {
        let attached = self.attached(agents);
        self.population.save_agents_with(agents, &attached)
    }

    /// Takes agents out, with the states of what they run, so that they can continue elsewhere: see
    /// [`Population::take_out`]. Nothing is stopped.
    ///
    /// # Panics
    /// As [`Population::take_out`].
    pub fn take_out(&mut self, agents: &[usize]) -> Vec<u8> {
        let attached = self.attached(agents);
        let taken = self.population.take_out_with(agents, &attached);
        agents
            .iter()
            .for_each(|agent| self.bound.forget_runs(*agent));
        taken
    }

    /// Adds agents that were [taken out](Self::take_out) elsewhere, or [saved](Self::save), with the states of what
    /// they run: see [`Population::put_in`].
    ///
    /// # Errors
    /// As [`restore`](Self::restore). Then no agent is added.
    pub fn put_in(&mut self, agents: &[u8]) -> Result<Vec<AgentId>, Error> {
        let Attached { runs, .. } = Attached::of(agents)?;
        let program = Arc::clone(self.population.program());
        let newcomers = living(&Population::restore(program, agents)?).len();
        self.bound.check_runs(&self.population, newcomers, &runs)?;
        let ids = self.population.put_in(agents)?;
        self.bound.reserve(self.population.len());
        let agents: Vec<usize> = ids.iter().map(|id| id.index()).collect();
        self.bound.put_runs(&self.population, &agents, &runs)?;
        Ok(ids)
    }

    fn attached(&self, agents: &[usize]) -> Vec<u8> {
        let attached = Attached {
            texts: self.texts.clone(),
            runs: self.bound.runs_of(&self.population, agents),
        };
        attached.bytes()
    }

    fn living(&self) -> Vec<usize> {
        living(&self.population)
    }

    /// The agents that were [saved](Self::save), in this process or another. They continue as if they had never
    /// stopped.
    ///
    /// # Errors
    /// When the bytes are damaged, or were saved with a document that has changed since; when there is an error in the
    /// document, or it needs a leaf or a key that `leaves` does not have; when the states of runs do not fit the types
    /// of `leaves`.
    pub fn restore(saved: &[u8], document: &Document, leaves: &Registry<W>) -> Result<Self, Error> {
        let behaviour = document.behaviour(None)?;
        let bound = leaves.bind(&behaviour)?;
        let population = Population::restore(Arc::new(Program::new(behaviour)), saved)?;
        let Attached { runs, .. } = Attached::of(saved)?;
        bound.reserve(population.len());
        let agents = living(&population);
        bound.check_runs(&population, agents.len(), &runs)?;
        bound.put_runs(&population, &agents, &runs)?;
        Ok(Self {
            population,
            bound,
            texts: document.texts(),
            observers: Observers::default(),
        })
    }

    /// Like [`restore`](Self::restore), but the agents may have been saved with another version of the document, whose
    /// text is in the bytes: they continue with this one, as after a [reload](Self::reload). Returns what this did.
    /// `leaves` must have the leaves of both versions, because whatever cannot continue is stopped.
    ///
    /// # Errors
    /// As [`restore`](Self::restore); documents that have changed are an error only if the agents were saved without
    /// the text of their document.
    pub fn restore_changed(
        saved: &[u8],
        document: &Document,
        leaves: &Registry<W>,
        world: &mut W::At<'_>,
    ) -> Result<(Self, Migration), Error> {
        let mut minds = match Self::restore(saved, document, leaves) {
            Err(Error::Restore(error)) if error.is_other_program() => {
                let old = Attached::of(saved)?.document().ok_or(error)?;
                Self::restore(saved, &old, leaves)?
            }
            restored => restored?,
        };
        let migration = minds.reload(document, leaves, world)?;
        Ok((minds, migration))
    }
}

/// The state of agents for people, from what [`Minds::save`] or [`Cast::save`](crate::Cast::save) has written: see
/// [`Population::readable`]. Shows all agents, or only the one with this index, in each population. The documents are
/// those in the bytes, so neither they nor the code of their leaves are needed.
///
/// # Errors
/// When the bytes are damaged, or hold no document.
pub fn readable(saved: &[u8], only: Option<usize>) -> Result<Readable, Error> {
    if Society::attached(saved).is_ok() {
        let shown = crate::cast::readable(saved, only);
        return shown.map_err(|error| Error::Cast(Arc::new(error)));
    }
    let document = Attached::of(saved)?.document().ok_or_else(|| {
        RestoreError::refused("the snapshot does not have the text of its document".to_owned())
    })?;
    let program = Arc::new(Program::new(document.behaviour(None)?));
    let population = Population::restore(program, saved)?;
    let mut agents = living(&population);
    agents.retain(|agent| only.is_none_or(|only| only == *agent));
    Ok(population.readable_of(&agents))
}

/// The last ticks of minds, to go back to: [`Rollback`] with the states of what they run.
pub struct MindsRollback {
    rollback: Rollback,
    ticks: usize,
    /// The states of runs after each tick that is kept, and the number of the tick.
    runs: VecDeque<(u64, SavedRuns)>,
}

impl MindsRollback {
    /// Keeps at most the last `ticks` ticks, from now on.
    ///
    /// # Errors
    /// When runs have a state of a type that is not registered as [saved](Registry::saved_action_type).
    pub fn new<W: World + ?Sized>(minds: &Minds<W>, ticks: usize) -> Result<Self, BindError> {
        cannot_keep(&minds.bound, minds.behaviour())?;
        let mut kept = Self {
            rollback: Rollback::new(&minds.population, ticks),
            ticks,
            runs: VecDeque::with_capacity(ticks + 1),
        };
        kept.keep_runs(minds);
        Ok(kept)
    }

    /// Keeps the state as it is now: call it after each tick.
    pub fn record<W: World + ?Sized>(&mut self, minds: &Minds<W>) {
        self.rollback.record(&minds.population);
        self.keep_runs(minds);
        while self.runs.len() > self.ticks + 1 {
            self.runs.pop_front();
        }
    }

    fn keep_runs<W: World + ?Sized>(&mut self, minds: &Minds<W>) {
        let runs = minds.bound.runs_of(&minds.population, &minds.living());
        self.runs.push_back((minds.population.ticks(), runs));
    }

    /// Makes the minds what they were after a tick, and forgets the ticks after that: see [`Rollback::go_back`].
    /// `false`, and nothing has changed, if that tick is not kept.
    ///
    /// # Errors
    /// When a state that was written before cannot be read.
    pub fn go_back<W: World + ?Sized>(
        &mut self,
        minds: &mut Minds<W>,
        tick: u64,
    ) -> Result<bool, RunError> {
        let Some(at) = self.runs.iter().position(|(known, _)| *known == tick) else {
            return Ok(false);
        };
        let before = minds.living();
        if !self.rollback.go_back(&mut minds.population, tick) {
            return Ok(false);
        }
        before
            .iter()
            .for_each(|agent| minds.bound.forget_runs(*agent));
        self.runs.truncate(at + 1);
        let agents = minds.living();
        let (_, runs) = &self.runs[at];
        minds.bound.put_runs(&minds.population, &agents, runs)?;
        Ok(true)
    }

    /// The number of the oldest tick that it can go back to.
    pub fn oldest(&self) -> u64 {
        self.rollback.oldest()
    }

    /// The number of the newest tick.
    pub fn newest(&self) -> u64 {
        self.rollback.newest()
    }
}

/// Refuses leaves whose runs have a state that is not saved.
pub(crate) fn cannot_keep<W: World + ?Sized>(
    bound: &Bound<W>,
    behaviour: &Behaviour,
) -> Result<(), BindError> {
    let Some((leaf, state)) = bound.unsaved() else {
        return Ok(());
    };
    let name = behaviour.leaves()[leaf].name.clone();
    let text = format!("the state `{state}` of its runs is not saved: register it as `saved`");
    Err(BindProblem::CannotSave { name, text }.into())
}

pub(crate) fn living(population: &Population) -> Vec<usize> {
    let agents = 0..population.len();
    agents.filter(|agent| population.is_alive(*agent)).collect()
}

/// The document with these texts; `None` if there are none.
pub(crate) fn document_of(texts: &[(String, String)]) -> Option<Document> {
    let (name, text) = texts.first()?;
    Document::of_texts(Format::of(name, text), texts)
}
