//! What is aborted when a program changes: the runs of nodes that do not continue.

use crate::ids::NodeId;
use crate::program::matching::{Matching, NodeChange};
use crate::program::op::{Range, Slot};

/// What is aborted, for each node of the old program.
#[derive(Debug)]
pub(crate) struct Cut {
    pub(in crate::population) nodes: Vec<CutNode>,
    /// The lists whose open children are taken back first, by number.
    pub(in crate::population) left_open: Vec<usize>,
}

/// An old node.
#[derive(Debug)]
pub(in crate::population) struct CutNode {
    pub(in crate::population) parent: Option<usize>,
    /// Whether it continues.
    pub(in crate::population) goes_on: bool,
    /// The slots of the node and of all below it, for each place with its code.
    pub(in crate::population) ranges: Vec<Range>,
    pub(in crate::population) own_slots: Vec<u32>,
    pub(in crate::population) kind: CutKind,
    /// Machines: the columns of bits of states in which it cannot continue, and its stack if it cannot continue with
    /// one.
    pub(in crate::population) lost_states: Vec<u32>,
    pub(in crate::population) lost_stack: Option<u32>,
    /// How many agents were aborted here: because the node has changed, because a machine could not continue in its
    /// state, because something inside was aborted.
    pub(in crate::population) changed: usize,
    pub(in crate::population) lost: usize,
    pub(in crate::population) emptied: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::population) enum CutKind {
    /// It has nothing to wait for any more when all that runs in it was aborted.
    Plain,
    /// A machine stays in its states.
    Machine,
    /// A planner finds another plan.
    Planner,
    /// A node of the host waits for each child that it has asked for.
    Own,
}

impl Cut {
    pub(super) fn of(matching: &Matching<'_>) -> Self {
        let (old, behaviour) = (matching.old, matching.names.old);
        let mut nodes: Vec<CutNode> = behaviour
            .node_ids()
            .map(|node| CutNode {
                parent: behaviour.node(node).parent.map(NodeId::index),
                goes_on: matching.nodes[node.index()].is_some(),
                ranges: Vec::new(),
                own_slots: Vec::new(),
                kind: CutKind::Plain,
                lost_states: Vec::new(),
                lost_stack: None,
                changed: 0,
                lost: 0,
                emptied: 0,
            })
            .collect();
        for (node, range) in &old.owners.ranges {
            nodes[node.index()].ranges.push(*range);
        }
        for (slot, owner) in (0..).zip(&old.owners.slots).skip(1) {
            let node = &mut nodes[owner.node.index()];
            node.own_slots.push(slot);
            match &old.slots[slot as usize] {
                Slot::Machine(_) => node.kind = CutKind::Machine,
                Slot::Action { .. } => node.kind = CutKind::Own,
                Slot::Alive | Slot::Quiet | Slot::Hook(_) | Slot::Keeper(_) => {}
            }
        }
        for planner in &old.code.planners {
            nodes[planner.node.index()].kind = CutKind::Planner;
        }
        for machine in &matching.machines {
            let node = &mut nodes[machine.node.index()];
            node.lost_states.extend(&machine.lost_states);
            node.lost_stack = node.lost_stack.or(machine.lost_stack);
        }
        let lists = old.code.left_open.iter().enumerate();
        let ends = lists.filter(|(_, left)| {
            let owner = old.owners.bits[left.columns as usize];
            matching.nodes[owner.node.index()].is_none()
        });
        let left_open = ends.map(|(number, _)| number).collect();
        Self { nodes, left_open }
    }

    /// Whether anything may be aborted.
    pub(super) fn is_empty(&self) -> bool {
        self.nodes
            .iter()
            .all(|node| node.goes_on && node.lost_states.is_empty() && node.lost_stack.is_none())
    }

    /// Why agents were aborted, and how many, node by node.
    pub(super) fn aborted(&self) -> impl Iterator<Item = (NodeId, NodeChange, usize)> + '_ {
        let nodes = self.nodes.iter().enumerate();
        nodes
            .flat_map(|(index, node)| {
                let node_id = NodeId::new(index);
                [
                    (node_id, NodeChange::State, node.lost),
                    (node_id, NodeChange::Inside, node.emptied),
                ]
            })
            .filter(|(_, _, agents)| *agents > 0)
    }
}
