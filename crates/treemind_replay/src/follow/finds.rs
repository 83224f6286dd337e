//! What the `find`s of an agent have looked at.

use super::replaced::Replaced;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Kind, NodeId, Population};
use treemind_explain::Search;

/// A `find` of an agent after a tick.
#[derive(Clone, Debug)]
pub struct Sought {
    /// Its node.
    pub node: NodeId,
    /// The search that it began last.
    pub search: Search,
    /// The tick in which it looked at candidates last; 0 before the first.
    pub tick: u64,
    /// Whether that search goes on in the next tick.
    goes_on: bool,
}

/// All `find`s of an agent, in document order.
#[derive(Clone, Debug, Default)]
pub(super) struct Finds(pub(super) Vec<Sought>);

impl Finds {
    /// Before the first tick.
    pub(super) fn new(behaviour: &Behaviour) -> Self {
        let nodes = behaviour.node_ids();
        let finds = nodes.filter(|node| matches!(behaviour.node(*node).kind, Kind::Find(_)));
        let sought = |node| Sought {
            node,
            search: Search::default(),
            tick: 0,
            goes_on: false,
        };
        Self(finds.map(sought).collect())
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
        let behaviour = population.program().behaviour();
        for one in &mut self.0 {
            let Kind::Find(find) = &behaviour.node(one.node).kind else {
                continue;
            };
            // A tick that does not reach it cuts it off: it begins anew later.
            let (went_on, mut is_reached) = (std::mem::take(&mut one.goes_on), false);
            let events = trace.valued(agent);
            for (_, event, value) in events.filter(|(node, ..)| *node == one.node) {
                if !std::mem::replace(&mut is_reached, true) && !went_on {
                    one.search = Search::default();
                }
                one.search.add(find, event, value);
                one.tick = tick;
                if let Event::Tick(status) = event {
                    one.goes_on = status == treemind_core::Status::Running;
                }
            }
        }
    }
}
