//! What sentences call the other agents of a population.

use crate::say;
use crate::words::Words;
use std::fmt;
use std::sync::Arc;

/// How an agent is called by its index.
type Called = dyn Fn(usize) -> String + Send + Sync;

/// The names of the agents of a population; without any, they are called `agent 0`, `agent 1` and so on.
#[derive(Clone, Default)]
pub struct Fellows(Option<Arc<Called>>);

impl Fellows {
    /// Names by the indices of the agents.
    pub fn called(names: impl Fn(usize) -> String + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(names)))
    }

    /// The name of the population with a number from 1: `guard-1`, `guard-2`.
    pub fn numbered(population: &str) -> Self {
        let population = population.to_owned();
        Self::called(move |agent| format!("{population}-{}", agent + 1))
    }

    /// The name of an agent, in backticks if it has one.
    pub(crate) fn name(&self, agent: usize) -> Words {
        match &self.0 {
            Some(names) => Words::code(names(agent)),
            None => say!(AgentNumber, number = Words::plain(agent)),
        }
    }
}

impl fmt::Debug for Fellows {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_names = self.0.is_some();
        out.debug_struct("Fellows")
            .field("has_names", &has_names)
            .finish_non_exhaustive()
    }
}
