//! Saving a cast, restoring it, and going back.

use super::{Kept, KeptStep, State};
use crate::diagnostics::{exception, misuse};
use crate::runs::{self, Run, SavedRun};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use treemind_core::{AgentId, PopulationId, Program, RestoreError, Society, SocietyRollback, Text};

/// What is saved beside the state of the engine: the runs of each population by its name, and which agents each archetype
/// has.
type Attached = (Vec<(String, Vec<SavedRun>)>, BTreeMap<String, Vec<u64>>);

fn refused(py: Python<'_>, error: &RestoreError) -> PyErr {
    exception(py, "RestoreError", (error.to_string(),))
}

impl State {
    pub(super) fn save(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        let mut all = Vec::with_capacity(self.troupes.len());
        for troupe in &self.troupes {
            let name = self.society.name(troupe.id).to_owned();
            all.push((name, runs::saved(py, &troupe.leaves)?));
        }
        let mut who: BTreeMap<String, Vec<u64>> = BTreeMap::new();
        for agent in self.living() {
            if let Some(archetype) = self.who.get(&agent) {
                let agents = who.entry(archetype.as_str().to_owned()).or_default();
                agents.push(agent.to_bits());
            }
        }
        let attached: Attached = (all, who);
        let attached = serde_json::to_vec(&attached);
        let attached = attached.map_err(|error| misuse(py, error.to_string()))?;
        Ok(self.society.save_with(&attached))
    }

    pub(super) fn restore(&mut self, py: Python<'_>, saved: &[u8]) -> PyResult<()> {
        let attached = Society::attached(saved).map_err(|error| refused(py, &error))?;
        let attached: Attached = match serde_json::from_slice(attached) {
            Ok(attached) => attached,
            Err(_) => return Err(runs::damaged(py)),
        };
        let program = |_: usize, name: &str| -> Option<Arc<Program>> {
            let mut troupes = self.troupes.iter();
            let known = troupes.find(|troupe| self.society.name(troupe.id) == name)?;
            Some(Arc::clone(self.society.population(known.id).program()))
        };
        let society = Society::restore(saved, program).map_err(|error| refused(py, &error))?;
        let ids: Vec<Option<PopulationId>> = self
            .troupes
            .iter()
            .map(|troupe| {
                let name = self.society.name(troupe.id);
                society.ids().find(|id| society.name(*id) == name)
            })
            .collect();
        let Some(ids) = ids.into_iter().collect::<Option<Vec<PopulationId>>>() else {
            let text = "a document was added that the saved cast did not have";
            return Err(exception(py, "RestoreError", (text,)));
        };
        let (all, who) = attached;
        let mut made: Vec<Vec<Run>> = Vec::with_capacity(self.troupes.len());
        for (troupe, id) in self.troupes.iter().zip(&ids) {
            let name = society.name(*id);
            let of = all.iter().find(|(known, _)| known == name);
            let of = of.map(|(_, saved)| saved.clone()).unwrap_or_default();
            let agents = society.population(*id).len();
            made.push(runs::made(py, &troupe.leaves, agents, of)?);
        }
        self.take(society, &ids, made);
        self.who = HashMap::new();
        for (archetype, agents) in &who {
            let agents = agents.iter().filter_map(|bits| AgentId::from_bits(*bits));
            self.who
                .extend(agents.map(|agent| (agent, Text::new(archetype))));
        }
        match self.kept.take() {
            Some(kept) => self.keep(py, kept.most),
            None => Ok(()),
        }
    }

    fn take(&mut self, society: Society, ids: &[PopulationId], made: Vec<Vec<Run>>) {
        for role in &mut self.roles {
            let mut known = self.troupes.iter().zip(ids);
            if let Some((_, id)) = known.find(|(troupe, _)| troupe.id == role.population) {
                role.population = *id;
            }
        }
        for ((troupe, id), runs) in self.troupes.iter_mut().zip(ids).zip(made) {
            troupe.id = *id;
            troupe.leaves.set_runs(runs);
        }
        self.society = society;
    }

    pub(super) fn keep(&mut self, py: Python<'_>, most: usize) -> PyResult<()> {
        self.kept = None;
        if most == 0 {
            return Ok(());
        }
        let mut troupes = self.troupes.iter();
        if let Some(name) = troupes.find_map(|troupe| troupe.leaves.generator()) {
            return Err(misuse(py, runs::unsaved(name)));
        }
        let first = self.kept_step(py)?;
        self.kept = Some(Kept {
            rollback: SocietyRollback::new(&self.society, most),
            most,
            steps: VecDeque::from([first]),
        });
        Ok(())
    }

    fn kept_step(&self, py: Python<'_>) -> PyResult<KeptStep> {
        let troupes = self.troupes.iter();
        let runs = troupes.map(|troupe| runs::saved(py, &troupe.leaves));
        Ok(KeptStep {
            number: self.society.steps(),
            runs: runs.collect::<PyResult<_>>()?,
            who: self.who.clone(),
        })
    }

    /// Keeps a step that has just ended.
    pub(super) fn record(&mut self, py: Python<'_>) -> PyResult<()> {
        if self.kept.is_none() {
            return Ok(());
        }
        // An object whose fields cannot be saved ends the keeping, not the game.
        let step = match self.kept_step(py) {
            Ok(step) => step,
            Err(error) => {
                self.kept = None;
                return Err(error);
            }
        };
        if let Some(kept) = &mut self.kept {
            kept.rollback.record(&self.society);
            kept.steps.push_back(step);
            while kept.steps.len() > kept.most + 1 {
                kept.steps.pop_front();
            }
        }
        Ok(())
    }

    pub(super) fn go_back(&mut self, py: Python<'_>, step: u64) -> PyResult<()> {
        let Some(kept) = &mut self.kept else {
            return Err(misuse(py, "nothing is kept: call `keep(steps)` first"));
        };
        let at = kept.steps.iter().position(|one| one.number == step);
        let saved = at.and_then(|at| kept.steps.get(at));
        let (Some(at), Some(saved)) = (at, saved) else {
            return Err(not_kept(kept, step));
        };
        let mut made = Vec::with_capacity(self.troupes.len());
        for (troupe, saved) in self.troupes.iter().zip(&saved.runs) {
            made.push(runs::made(py, &troupe.leaves, usize::MAX, saved.clone())?);
        }
        if !kept.rollback.go_back(&mut self.society, step) {
            return Err(not_kept(kept, step));
        }
        kept.steps.truncate(at + 1);
        self.who = kept.steps[at].who.clone();
        for (troupe, runs) in self.troupes.iter_mut().zip(made) {
            troupe.leaves.set_runs(runs);
        }
        Ok(())
    }
}

fn not_kept(kept: &Kept, step: u64) -> PyErr {
    PyValueError::new_err(format!(
        "step {step} is not kept, only {} to {}",
        kept.rollback.oldest(),
        kept.rollback.newest()
    ))
}
