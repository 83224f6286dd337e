//! Ticks a machine for many agents if it has a table: an agent takes the first open transition, and no region or event
//! has to be looked after. Each transition is looked at once, for all agents in its source who have not moved.
//!
//! Machines that receive events are ticked in another way, and so is every traced tick. Both ways call the host in the
//! same order, because recordings are made without a trace and played with one.

use super::super::Exec;
use super::super::bits::{Bits, add, and, any, remove, without, zero};
use crate::program::op::{MachineOp, Reg, Table, TransitionOp, TriggerOp};
use crate::trace::Sink;

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Chooses transitions for some agents, and carries them out.
    #[inline(never)]
    pub(super) fn step_by_table(&mut self, op: &MachineOp, table: &Table, lanes: &Bits<W>) {
        let moved = self.choose_by_table(op, lanes);
        if !any(&moved) {
            return;
        }
        let mut by_history = (0..).zip(&table.moves).filter(|(_, moves)| moves.is_none());
        // Tasks are carried out state by state, and not move by move.
        if table.has_tasks || by_history.any(|(place, _)| any(self.row(op.regs.taken, place))) {
            self.step_machine(op, &moved);
            return;
        }
        self.stir(&moved);
        self.leave_states(op);
        for (place, moves) in (0..).zip(&table.moves) {
            let Some(moves) = moves else {
                continue;
            };
            if !any(self.row(op.regs.taken, place)) {
                continue;
            }
            let taken = self.take(Reg(op.regs.taken + place));
            for &(state, _) in &moves.enters {
                let active = op.states[state as usize].active;
                let entering = without(&taken, self.column_ref(active));
                if any(&entering) {
                    self.enter_state(op, state as usize, &entering);
                }
            }
        }
    }

    /// Fills the registers of the transitions taken. Returns the agents that take any.
    fn choose_by_table(&mut self, op: &MachineOp, lanes: &Bits<W>) -> Bits<W> {
        let (mut left, mut moved) = (*lanes, zero());
        for (place, transition) in (0..).zip(&op.transitions) {
            let source = op.states[transition.source as usize].active;
            let here = and(self.column_ref(source), &left);
            if !any(&here) {
                continue;
            }
            let taken = self.open_for(op, transition, &here);
            if any(&taken) {
                self.regs[(op.regs.taken + place) as usize] = taken;
                add(&mut moved, &taken);
                remove(&mut left, &taken);
            }
        }
        moved
    }

    /// The agents for which a transition is open.
    fn open_for(&mut self, op: &MachineOp, transition: &TransitionOp, lanes: &Bits<W>) -> Bits<W> {
        let source = transition.source as usize;
        let mut open = match &transition.trigger {
            TriggerOp::Polled => *lanes,
            TriggerOp::Event(_) => return zero(),
            TriggerOp::After(_, moment) => {
                let active = op.states[source].active;
                self.due(*moment, lanes, |exec| exec.column(active))
            }
            TriggerOp::Done(with) => and(lanes, &self.done_with(op, source, *with)),
        };
        open = self.unless_active(op, transition, &open);
        open = self.guards_hold(op, transition, &open);
        for test in &transition.enter_ifs {
            if any(&open) {
                open = self.ask_guard(op.node, *test, &open).0;
            }
        }
        open
    }
}
