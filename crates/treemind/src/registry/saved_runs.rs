//! Saving the states of runs of the game's own types, and continuing with them.

use super::bind::Bound;
use crate::world::World;
use serde::{Deserialize, Serialize};
use std::fmt;
use treemind_core::{NodeId, Population};

/// The states of runs, as bytes hold them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SavedRuns(Vec<SavedRun>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedRun {
    /// The position of the agent among those that were saved.
    agent: u32,
    node: u32,
    state: Vec<u8>,
}

/// Why runs cannot continue. Nothing was changed.
#[derive(Clone, PartialEq, Eq)]
pub struct RunError {
    /// The leaf; empty if the bytes are no states at all.
    pub leaf: String,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for RunError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.leaf.as_str() {
            "" => write!(out, "the states of runs cannot be read: {}", self.reason),
            leaf => write!(out, "a run of `{leaf}` cannot go on: {}", self.reason),
        }
    }
}

/// Written for people: see [`Error`](crate::Error).
impl fmt::Debug for RunError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl std::error::Error for RunError {}

impl<W: World + ?Sized> Bound<W> {
    /// The states of what agents run, of types that are registered as
    /// [saved](super::Registry::saved_action_type), as bytes. Save them beside the population; `Minds` and `Cast` do so
    /// themselves.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn save_runs(&self, population: &Population, agents: &[usize]) -> Vec<u8> {
        let runs = self.runs_of(population, agents);
        postcard::to_stdvec(&runs).expect("vectors grow as needed")
    }

    /// Continues with the runs of agents, after they were restored: those that [`save_runs`](Self::save_runs) has saved
    /// for the same number of agents. What was known of their runs before is forgotten without a stop.
    ///
    /// # Errors
    /// When the bytes are not the states of such runs.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn restore_runs(
        &self,
        population: &Population,
        agents: &[usize],
        saved: &[u8],
    ) -> Result<(), RunError> {
        let saved = postcard::from_bytes(saved).map_err(|error| RunError {
            leaf: String::new(),
            reason: error.to_string(),
        })?;
        self.check_runs(population, agents.len(), &saved)?;
        self.put_runs(population, agents, &saved)
    }

    pub(crate) fn runs_of(&self, population: &Population, agents: &[usize]) -> SavedRuns {
        let mut runs = Vec::new();
        for (place, agent) in (0..).zip(agents) {
            for node in population.running(*agent) {
                let Some((leaf, ordinal)) = self.leaf_of(node) else {
                    continue;
                };
                if let Some(state) = self.slots[leaf].leaf.save_run(ordinal, *agent) {
                    let node = node.index() as u32;
                    runs.push(SavedRun {
                        agent: place,
                        node,
                        state,
                    });
                }
            }
        }
        SavedRuns(runs)
    }

    /// Checks that all runs, of this many agents, could continue.
    pub(crate) fn check_runs(
        &self,
        population: &Population,
        agents: usize,
        saved: &SavedRuns,
    ) -> Result<(), RunError> {
        for run in &saved.0 {
            if run.agent as usize >= agents {
                return Err(RunError {
                    leaf: String::new(),
                    reason: "they belong to other agents".to_owned(),
                });
            }
            self.put_run(population, run, None)?;
        }
        Ok(())
    }

    /// Continues with runs.
    pub(crate) fn put_runs(
        &self,
        population: &Population,
        agents: &[usize],
        saved: &SavedRuns,
    ) -> Result<(), RunError> {
        for agent in agents {
            self.slots
                .iter()
                .for_each(|slot| slot.leaf.forget_runs(*agent));
        }
        let mut saved = saved.0.iter();
        saved.try_for_each(|run| {
            let agent = agents.get(run.agent as usize).copied();
            self.put_run(population, run, agent)
        })
    }

    fn put_run(
        &self,
        population: &Population,
        run: &SavedRun,
        agent: Option<usize>,
    ) -> Result<(), RunError> {
        let behaviour = population.program().behaviour();
        let known = (run.node as usize) < behaviour.nodes().len();
        let leaf = known.then(|| self.leaf_of(NodeId::new(run.node as usize)));
        let Some((leaf, ordinal)) = leaf.flatten() else {
            return Err(RunError {
                leaf: String::new(),
                reason: "they belong to other nodes".to_owned(),
            });
        };
        let restored = self.slots[leaf]
            .leaf
            .restore_run(ordinal, agent, &run.state);
        restored.map_err(|reason| RunError {
            leaf: behaviour.leaves()[leaf].name.clone(),
            reason,
        })
    }

    /// Forgets the runs of an agent without a stop, because they continue elsewhere.
    pub(crate) fn forget_runs(&self, agent: usize) {
        self.slots
            .iter()
            .for_each(|slot| slot.leaf.forget_runs(agent));
    }

    /// The first leaf whose runs have a state that is not saved, with the name of its type.
    pub(crate) fn unsaved(&self) -> Option<(usize, &'static str)> {
        let slots = self.slots.iter().enumerate();
        slots
            .filter_map(|(leaf, slot)| Some((leaf, slot.leaf.unsaved_state()?)))
            .next()
    }

    fn leaf_of(&self, node: NodeId) -> Option<(usize, usize)> {
        let leaf = self.wiring.leaf_of(node)?;
        Some((leaf.index(), self.wiring.ordinal(node)))
    }
}
