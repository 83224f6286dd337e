//! The populations that are compared with the reference.

use super::{Meddler, Paired};
use crate::generate::Case;
use std::sync::Arc;
use treemind_core::{Population, Program};

/// A population and its host.
pub(super) struct Side {
    pub(super) population: Population,
    pub(super) host: Paired<Meddler>,
    pub(super) way: Way,
}

/// How a population is ticked.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Way {
    Traced,
    Untraced,
    /// Untraced, with single agents ticked as crowds are.
    Swept,
    /// Untraced, and saved and restored in every second tick.
    Restored,
}

impl Way {
    pub(super) const ALL: [Way; 4] = [Way::Traced, Way::Untraced, Way::Swept, Way::Restored];
}

impl Side {
    pub(super) fn new(case: &Case, program: &Arc<Program>, way: Way) -> Self {
        let population = Population::new(Arc::clone(program), case.agents).with_seed(case.seed);
        let behaviour = program.behaviour();
        Self {
            population: match way {
                Way::Swept => population.sweeping_all(),
                Way::Traced | Way::Untraced | Way::Restored => population,
            },
            host: Paired::new(Meddler::new(case, behaviour), behaviour, case.agents)
                .noting_calls()
                .teasing(),
            way,
        }
    }

    /// Continues with what was saved, if that is its way.
    pub(super) fn resume(&mut self) {
        if self.way == Way::Restored {
            self.population = resumed(&self.population);
        }
    }

    pub(super) fn name(&self) -> &'static str {
        match self.way {
            Way::Traced => "traced",
            Way::Untraced => "untraced",
            Way::Swept => "swept",
            Way::Restored => "restored",
        }
    }
}

/// The population as it comes out of its snapshot.
///
/// # Panics
/// When it cannot be restored, or another snapshot is made of it then.
pub fn resumed(population: &Population) -> Population {
    let saved = population.save();
    let restored = Population::restore(Arc::clone(population.program()), &saved);
    let restored = restored.unwrap_or_else(|error| panic!("what was just saved: {error}"));
    assert!(
        restored.save() == saved,
        "what was restored is saved differently"
    );
    restored
}
