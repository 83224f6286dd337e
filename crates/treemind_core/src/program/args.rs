//! Arguments of leaves.

use crate::blackboard::{Cells, Column};
use crate::ids::{ArgRange, KeyId};
use crate::value::{Type, Value};

/// Where the value of an argument comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ArgSlot {
    Literal(Value),
    /// Evaluated into a column when a run starts.
    Column {
        column: Column,
        ty: Type,
        expr: u32,
    },
    /// Read when the leaf asks for it.
    Key(KeyId),
}

impl ArgRange {
    pub(crate) fn of<'a>(&self, slots: &'a [ArgSlot]) -> &'a [ArgSlot] {
        &slots[self.start as usize..self.end as usize]
    }
}

impl ArgSlot {
    /// The value for the agent of a lane.
    pub(crate) fn get(self, cells: Cells<'_>, lane: usize) -> Value {
        match self {
            ArgSlot::Literal(value) => value,
            ArgSlot::Column { column, ty, .. } => cells.get(column, ty, lane),
            // Whoever knows the blackboard reads it there.
            ArgSlot::Key(_) => Type::Any.zero(),
        }
    }
}
