//! The columns of a machine's stack.

use super::Lowering;
use super::rules::pushed_in;
use crate::behaviour::{MAX_STACK, Machine};
use crate::blackboard::{Holds, Part};
use crate::program::op::StackOp;

impl Lowering<'_> {
    /// The columns in which configurations are stored; `None` if no transition stores one.
    pub(super) fn stack(&mut self, machine: &Machine, states: usize) -> Option<StackOp> {
        let domains = pushed_in(machine);
        if domains.is_empty() {
            return None;
        }
        let depth = self
            .run
            .add_narrow(Holds::AtMost(MAX_STACK as u32), "stack_depth");
        let level = |lowering: &mut Self, level: u32| {
            let run = &mut lowering.run;
            let of = run.add_narrow(
                Holds::AtMost(states as u32),
                ("stacked_in", Part::Level(level)),
            );
            let state = |state| run.add_bits(("stacked", Part::StateAt(level, state as u32)));
            (of, (0..states).map(state).collect())
        };
        Some(StackOp {
            depth,
            domains: domains.iter().map(|domain| *domain as u32).collect(),
            levels: (0..MAX_STACK as u32).map(|nth| level(self, nth)).collect(),
        })
    }
}
