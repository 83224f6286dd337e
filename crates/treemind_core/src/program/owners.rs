//! Which node each slot and each column of a program belongs to.

use super::op::Range;
use crate::blackboard::Shape;
use crate::ids::NodeId;

/// A node, and which of the places with its code: some nodes have more than one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Owner {
    pub(crate) node: NodeId,
    pub(crate) copy: u32,
}

/// The owners of slots and columns, by their numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Owners {
    pub(crate) slots: Vec<Owner>,
    /// What it means that a slot is set.
    pub(crate) slot_names: Vec<&'static str>,
    pub(crate) bits: Vec<Owner>,
    pub(crate) wide: Vec<Owner>,
    pub(crate) narrow: Vec<Owner>,
    /// Per place with code of a node: the slots of the node and of everything below it.
    pub(crate) ranges: Vec<(NodeId, Range)>,
}

impl Owners {
    /// Gives all slots and columns that have no owner yet to this one.
    pub(super) fn extend(&mut self, owner: Owner, slots: usize, shape: &Shape) {
        let [bits, wide, narrow] = shape.counts();
        self.slots.resize(slots, owner);
        self.bits.resize(bits, owner);
        self.wide.resize(wide, owner);
        self.narrow.resize(narrow, owner);
    }
}
