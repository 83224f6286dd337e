//! What the `find`s of an agent have looked at.

use super::replaced::Replaced;
use treemind_core::trace::Trace;
use treemind_core::{Behaviour, Population};
use treemind_explain::Sought;

/// All `find`s of an agent, in document order.
#[derive(Clone, Debug, Default)]
pub(super) struct Finds(pub(super) Vec<Sought>);

impl Finds {
    /// Before the first tick.
    pub(super) fn new(behaviour: &Behaviour) -> Self {
        Self(Sought::all(behaviour))
    }

    /// The same after the population got another program. A search that looked for something else is forgotten.
    pub(super) fn carried(&self, replaced: &Replaced<'_>) -> Self {
        let mut finds = Self::new(replaced.now);
        for one in &mut finds.0 {
            let old = replaced.was_alike(one.node);
            let known = self.0.iter().find(|known| Some(known.node) == old);
            if let (Some(known), Some(old)) = (known, old) {
                *one = Sought {
                    node: one.node,
                    goes_on: known.goes_on && replaced.goes_on(old).is_some(),
                    ..known.clone()
                };
            }
        }
        finds
    }

    /// Adds the trace of a tick.
    pub(super) fn update(
        &mut self,
        population: &Population,
        trace: &Trace,
        (agent, tick): (usize, u64),
    ) {
        // While an agent is not ticked, as between two intervals, its searches are only delayed.
        if trace.agent(agent).next().is_none() {
            return;
        }
        let behaviour = population.program().behaviour();
        for one in &mut self.0 {
            one.follow(behaviour, trace.valued(agent), tick);
        }
    }
}
