//! Ticks a machine for many agents by its table. The agents whose innermost active state is the same go through the row
//! of that state together. A transition takes those for which it is open, and the others go on to the next one.
//!
//! Machines that receive events are ticked in another way, and so is every traced tick.

use super::super::Exec;
use super::super::bits::{Bits, add, and, any, or, remove, without, zero};
use crate::behaviour::DoneWith;
use crate::program::op::{MachineOp, Reg, Table, TriggerOp};
use crate::trace::Sink;

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Chooses transitions for some agents, and carries them out.
    #[inline(never)]
    pub(super) fn step_by_rows(&mut self, op: &MachineOp, table: &Table, lanes: &Bits<W>) {
        let moved = self.choose_by_rows(op, table, lanes);
        if !any(&moved) {
            return;
        }
        let mut by_history = (0..).zip(&table.moves).filter(|(_, moves)| moves.is_none());
        if by_history.any(|(place, _)| any(self.row(op.regs.taken, place))) {
            self.step_machine(op, &moved);
            return;
        }
        self.stir(&moved);
        self.leave_states(op);
        if table.has_tasks {
            self.carry_out_taken(op);
        }
        for (place, moves) in (0..).zip(&table.moves) {
            let Some(moves) = moves else {
                continue;
            };
            if !any(self.row(op.regs.taken, place)) {
                continue;
            }
            let taken = self.take(Reg(op.regs.taken + place));
            for &(state, descends) in &moves.enters {
                let of = &op.states[state as usize];
                let entering = without(&taken, self.column_ref(of.active));
                if any(&entering) {
                    self.enter_state(op, state as usize, &entering);
                }
                if descends {
                    self.carry_out_tasks(op, &of.initial_tasks, &taken);
                }
            }
        }
    }

    /// Fills the registers of the transitions taken. Returns the agents that take any.
    fn choose_by_rows(&mut self, op: &MachineOp, table: &Table, lanes: &Bits<W>) -> Bits<W> {
        let (mut left, mut moved) = (*lanes, zero());
        for (state, row) in op.states.iter().zip(&table.rows).rev() {
            let mut here = and(self.column_ref(state.active), &left);
            if !any(&here) {
                continue;
            }
            remove(&mut left, &here);
            for place in row {
                let taken = self.open_for(op, *place, &here);
                if any(&taken) {
                    add(&mut self.regs[(op.regs.taken + place) as usize], &taken);
                    add(&mut moved, &taken);
                    remove(&mut here, &taken);
                    if !any(&here) {
                        break;
                    }
                }
            }
        }
        moved
    }

    /// The agents for which a transition is open.
    fn open_for(&mut self, op: &MachineOp, place: u32, lanes: &Bits<W>) -> Bits<W> {
        let transition = &op.transitions[place as usize];
        let source = transition.source as usize;
        let mut open = match &transition.trigger {
            TriggerOp::Polled => *lanes,
            TriggerOp::Event(_) => return zero(),
            TriggerOp::After(_, moment) => {
                let active = op.states[source].active;
                self.due(*moment, lanes, |exec| exec.column(active))
            }
            TriggerOp::Done(with) => {
                let [success, failure] = self.done(op, source);
                let done = match with {
                    DoneWith::Any => or(&success, &failure),
                    DoneWith::Success => success,
                    DoneWith::Failure => failure,
                };
                and(lanes, &done)
            }
        };
        if let Some(target) = transition.unless_active {
            remove(&mut open, &self.column(op.states[target as usize].active));
        }
        if let (Some(when), true) = (transition.when, any(&open)) {
            open = self.ask_guard(op.node, when, &open).0;
        }
        if let (Some(conditions), true) = (&transition.conditions, any(&open)) {
            open = self.conditions_hold(conditions, &open);
        }
        for test in &transition.enter_ifs {
            if any(&open) {
                open = self.ask_guard(op.node, *test, &open).0;
            }
        }
        open
    }
}
