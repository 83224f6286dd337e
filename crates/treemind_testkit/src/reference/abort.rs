//! Aborting what is open.

use super::memory::{Counts, Memory};
use super::{Leaves, Reference};
use treemind_core::behaviour::Family;
use treemind_core::{Event, Kind, NodeId, Outcome};

impl<'b> Reference<'b> {
    /// Aborts everything, because the agent is removed.
    pub fn remove(&mut self, leaves: &mut dyn Leaves) {
        self.abort(leaves);
    }

    /// Aborts everything that is open, then what nodes have left open. The events are only those of this call.
    pub fn abort(&mut self, leaves: &mut dyn Leaves) {
        self.events.clear();
        self.valued.clear();
        self.counts.fill(Counts::default());
        self.posted = 0;
        self.abort_node(self.behaviour.root(), leaves);
        let live = |reference: &Self| -> Vec<bool> {
            let ids = reference.behaviour.node_ids();
            ids.map(|node| reference.is_live(node)).collect()
        };
        // A catch may leave something open again.
        while self.lasting.iter().any(|lasting| lasting.left_open) {
            let before = live(self);
            for lasting in &mut self.lasting {
                lasting.left_open = false;
            }
            let after = live(self).into_iter();
            let around = after.zip(before).map(|(after, before)| after && !before);
            self.leaving = Some(around.collect());
            self.counts.fill(Counts::default());
            self.abort_node(self.behaviour.root(), leaves);
            self.leaving = None;
        }
    }

    /// Aborts a node: children first, in child order; only open nodes are affected.
    pub(super) fn abort_node(&mut self, node: NodeId, leaves: &mut dyn Leaves) {
        let behaviour = self.behaviour;
        let placed = behaviour.node(node);
        let is_around = |around: &Vec<bool>| around[node.index()];
        let was_live = self.is_live(node) && !self.leaving.as_ref().is_some_and(is_around);
        self.aborting += 1;
        match &placed.kind {
            Kind::TryCatch { on_abort: true } => self.abort_try_catch(node, leaves),
            Kind::Machine(machine) => self.abort_machine(node, machine, leaves),
            _ => self.abort_children(node, leaves),
        }
        self.aborting -= 1;
        match placed.kind.facts().family {
            Family::Gate if was_live => self.gate_was_aborted(node, &placed.kind),
            Family::List if was_live => self.list_was_aborted(node, &placed.kind),
            _ => {}
        }
        let memory = std::mem::take(&mut self.memories[node.index()]);
        if memory.open && matches!(placed.kind, Kind::Action { .. } | Kind::Own { .. }) {
            self.report(node, Event::Abort);
            self.report(node, Event::Stop(Outcome::Aborted));
            leaves.stop(node, &memory.args, &mut self.keys, Outcome::Aborted);
        }
        if was_live {
            self.run_statements(node, &placed.hooks.on_abort);
        }
    }

    /// Ends a node that may still have something open in it: the node itself is not aborted.
    pub(super) fn finish(&mut self, node: NodeId, leaves: &mut dyn Leaves) {
        self.abort_children(node, leaves);
        self.memories[node.index()] = Memory::default();
    }

    /// Aborts all children of a node, in child order; the node keeps its own memory.
    pub(super) fn abort_children(&mut self, node: NodeId, leaves: &mut dyn Leaves) {
        let behaviour = self.behaviour;
        if let Kind::OnChange {
            leaves_open: true, ..
        } = behaviour.node(node).kind
            && self.leaving.is_none()
        {
            let child = behaviour.node(node).children[0];
            self.lasting(node).left_open |= self.is_live(child);
        }
        for child in self.children_in_reach(node) {
            self.abort_node(*child, leaves);
        }
    }

    /// The children of a node, without those that it has left open.
    pub(super) fn children_in_reach(&self, node: NodeId) -> &'b [NodeId] {
        let placed = self.behaviour.node(node);
        match placed.kind {
            _ if !self.lasting[node.index()].left_open => &placed.children,
            Kind::If { .. } => &placed.children[..1],
            _ => &[],
        }
    }
}
