//! Programs: a behaviour lowered to straight-line code over registers of bits, shared by all agents.

pub(crate) mod args;
mod lower;
pub(crate) mod op;
mod questions;
pub(crate) mod visits;

use crate::behaviour::Behaviour;
use crate::board::{BoardLayout, KeySlot};
use crate::cells::Shape;
use crate::expr::{ExprCode, StackSizes};
use crate::ids::NodeId;
use args::ArgSlot;
use op::{Code, Range, SetStep, Slot};

/// A behaviour ready to run: immutable, shared by any number of populations.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) behaviour: Behaviour,
    pub(crate) board: BoardLayout,
    /// The columns beside the blackboard and the slots: deadlines, counters, arguments.
    pub(crate) run: Shape,
    pub(crate) slots: Vec<Slot>,
    pub(crate) args: Vec<ArgSlot>,
    pub(crate) exprs: Vec<ExprCode>,
    pub(crate) sets: Vec<SetStep>,
    pub(crate) stacks: StackSizes,
    /// How many counters per agent live for one tick only.
    pub(crate) counters: u32,
    /// The slots of what can run behind an answer, with one more at the end of each; outer ones before inner ones.
    pub(crate) loose: Vec<Range>,
    pub(crate) reported: Vec<Reported>,
    /// Whether there are composites or decorators of the host's.
    pub(crate) own_nodes: bool,
    pub(crate) code: Code,
    /// The same with an event for every node; slots and columns are the same.
    pub(crate) traced: Code,
}

/// Where it is kept that the host has ended a run of an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reported {
    pub(crate) node: NodeId,
    pub(crate) slot: u32,
    /// Columns of bits: with success, with failure.
    pub(crate) columns: [u32; 2],
}

impl Program {
    /// Lowers a behaviour. Everything that could be wrong was checked when the behaviour was made.
    pub fn new(behaviour: Behaviour) -> Self {
        let mut shape = Shape::default();
        let keys = behaviour
            .keys()
            .iter()
            .map(|key| KeySlot::new(&mut shape, key))
            .collect();
        let board = BoardLayout { shape, keys };
        let plain = lower::lower(&behaviour, &board, false);
        let traced = lower::lower(&behaviour, &board, true);
        debug_assert_eq!(plain.slots, traced.slots);
        debug_assert_eq!(plain.run, traced.run);
        let mut stacks = StackSizes::default();
        for expr in &plain.exprs {
            stacks.cover(expr.sizes);
        }
        Self {
            behaviour,
            board,
            run: plain.run,
            slots: plain.slots,
            args: plain.args,
            exprs: plain.exprs,
            sets: plain.sets,
            stacks,
            counters: plain.counters,
            loose: plain.loose,
            reported: plain.reported,
            own_nodes: plain.own_nodes,
            code: plain.code,
            traced: traced.code,
        }
    }

    /// What it was lowered from.
    pub fn behaviour(&self) -> &Behaviour {
        &self.behaviour
    }

    /// How many instructions a tick passes through, loops left aside.
    pub fn instructions(&self) -> usize {
        self.code.ops.len()
    }

    /// How many bits of state an agent has, keys and columns left aside.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }
}
