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
}

impl Way {
    pub(super) const ALL: [Way; 3] = [Way::Traced, Way::Untraced, Way::Swept];
}

impl Side {
    pub(super) fn new(case: &Case, program: &Arc<Program>, way: Way) -> Self {
        let population = Population::new(Arc::clone(program), case.agents).with_seed(case.seed);
        let behaviour = program.behaviour();
        Self {
            population: match way {
                Way::Swept => population.sweeping_all(),
                Way::Traced | Way::Untraced => population,
            },
            host: Paired::new(Meddler::new(case, behaviour), behaviour, case.agents)
                .noting_calls()
                .teasing(),
            way,
        }
    }

    pub(super) fn name(&self) -> &'static str {
        match self.way {
            Way::Traced => "traced",
            Way::Untraced => "untraced",
            Way::Swept => "swept",
        }
    }
}
