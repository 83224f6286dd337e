//! Arguments of leaves.

use crate::cells::{Cells, Column};
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
}

/// A run of argument slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ArgRange {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Whether any of them is evaluated.
    pub(crate) computed: bool,
}

impl ArgRange {
    pub(crate) fn of<'a>(&self, slots: &'a [ArgSlot]) -> &'a [ArgSlot] {
        &slots[self.start as usize..self.end as usize]
    }
}

/// The arguments of one node for the agents of a call.
#[derive(Clone, Copy)]
pub(crate) struct Args<'a> {
    pub(crate) slots: &'a [ArgSlot],
    pub(crate) cells: Cells<'a>,
    pub(crate) first: usize,
}

impl Args<'_> {
    pub(crate) fn get(&self, index: usize, agent: usize) -> Value {
        match self.slots[index] {
            ArgSlot::Literal(value) => value,
            ArgSlot::Column { column, ty, .. } => self.cells.get(column, ty, agent - self.first),
        }
    }
}
