//! What the networks of an agent have read, and which of its rules have fired.

use super::replaced::Replaced;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Kind, NodeId, Population};
use treemind_explain::Explainer;

/// A `policy` of an agent after a tick.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Its node.
    pub node: NodeId,
    /// The tick in which it ran last; 0 before the first.
    pub tick: u64,
    /// What its inputs came to then.
    pub inputs: Vec<f32>,
}

/// A `rules` of an agent after a tick.
#[derive(Clone, Debug)]
pub struct Ruled {
    /// Its node.
    pub node: NodeId,
    /// The tick in which it was reached last; 0 before the first.
    pub tick: u64,
    /// The tick in which each rule fired last, if that is known, in the order of the document.
    pub fired: Vec<Option<u64>>,
}

/// All of them, in document order.
#[derive(Clone, Debug, Default)]
pub(super) struct Weighed {
    pub(super) ran: Vec<Ran>,
    pub(super) ruled: Vec<Ruled>,
}

impl Weighed {
    /// Before the first tick.
    pub(super) fn new(behaviour: &Behaviour) -> Self {
        let mut all = Self::default();
        for node in behaviour.node_ids() {
            match &behaviour.node(node).kind {
                Kind::Policy(_) => all.ran.push(Ran {
                    node,
                    tick: 0,
                    inputs: Vec::new(),
                }),
                Kind::Rules { rules, .. } => all.ruled.push(Ruled {
                    node,
                    tick: 0,
                    fired: vec![None; rules.len()],
                }),
                _ => {}
            }
        }
        all
    }

    /// The same after the population got another program. What networks and rules did that are others now is forgotten.
    pub(super) fn carried(&self, replaced: &Replaced<'_>) -> Self {
        let mut all = Self::new(replaced.now);
        for one in &mut all.ran {
            let old = replaced.was_alike(one.node);
            if let Some(known) = self.ran.iter().find(|known| Some(known.node) == old) {
                (one.tick, one.inputs) = (known.tick, known.inputs.clone());
            }
        }
        for one in &mut all.ruled {
            let old = replaced.was_alike(one.node);
            if let Some(known) = self.ruled.iter().find(|known| Some(known.node) == old) {
                (one.tick, one.fired) = (known.tick, known.fired.clone());
            }
        }
        all
    }

    /// Adds the trace of a tick, which the explainer has taken in already.
    pub(super) fn update(
        &mut self,
        (explainer, population): (Option<&Explainer>, &Population),
        trace: &Trace,
        (agent, tick): (usize, u64),
    ) {
        for one in &mut self.ran {
            let inputs = explainer.and_then(|it| it.network_inputs(population, one.node));
            if let Some(inputs) = inputs {
                (one.tick, one.inputs) = (tick, inputs);
            }
        }
        if self.ruled.is_empty() {
            return;
        }
        for (node, event) in trace.agent(agent) {
            let Some(one) = self.ruled.iter_mut().find(|one| one.node == node) else {
                continue;
            };
            match event {
                Event::Fire(rule) => one.fired[rule as usize] = Some(tick),
                Event::Tick(_) => one.tick = tick,
                _ => {}
            }
        }
    }
}
