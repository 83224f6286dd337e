//! A step: what is left is left, what transitions do is done, what is entered is entered.

use super::super::Exec;
use super::super::bits::{Bits, add, and, any, for_each, remove, without, zero};
use crate::behaviour::Depth;
use crate::host::Host;
use crate::program::op::{MachineOp, StackUse, Step, TriggerOp};
use crate::trace::{Event, Sink};

impl<const W: usize, H: Host, S: Sink> Exec<'_, W, H, S> {
    /// Carries out the transitions that were taken, whose registers are emptied.
    pub(super) fn step_machine(&mut self, op: &MachineOp, lanes: &Bits<W>) {
        if !any(lanes) {
            return;
        }
        let mut moved = zero();
        for place in 0..op.transitions.len() as u32 {
            add(&mut moved, &self.of_row(op.regs.taken, place));
        }
        if !any(&moved) {
            return;
        }
        for (place, transition) in (0..).zip(&op.transitions) {
            if let StackUse::Push(state) = transition.stack {
                let pushing = self.of_row(op.regs.taken, place);
                self.push_frame(op, state, &pushing);
            }
        }
        for (index, state) in op.states.iter().enumerate() {
            if state.memory.is_some() {
                let leaving = self.leaving(op, index);
                self.remember_state(op, index, &leaving);
            }
        }
        for index in (0..op.states.len()).rev() {
            let leaving = self.leaving(op, index);
            if let (true, Some(piece)) = (any(&leaving), &op.states[index].activity) {
                self.abort(piece.slots, &leaving);
            }
            self.leave_state(op, index, &leaving);
        }
        self.drop_frames(op);
        if op.statechart {
            for &place in &op.by_document {
                self.take_transition(op, place);
            }
        } else {
            for place in 0..op.transitions.len() as u32 {
                self.take_transition(op, place);
            }
        }
        for (place, transition) in (0..).zip(&op.transitions) {
            let taken = self.take(crate::program::op::Reg(op.regs.taken + place));
            if any(&taken) {
                self.mark(op, &transition.entries, &taken);
                if let StackUse::Pop(_) = transition.stack {
                    self.pop_frame(op, &taken);
                }
            }
        }
        self.enter_states(op);
    }

    fn take_transition(&mut self, op: &MachineOp, place: u32) {
        let taken = self.of_row(op.regs.taken, place);
        if any(&taken) {
            let transition = &op.transitions[place as usize];
            self.record_all(op.node, Event::Take(transition.number), &taken);
            self.carry_out_tasks(op, &transition.tasks, &taken);
        }
    }

    /// Those in whom a state is active that a transition leaves.
    fn leaving(&self, op: &MachineOp, state: usize) -> Bits<W> {
        let mut leaving = zero();
        for place in &op.states[state].left_by {
            add(&mut leaving, &self.of_row(op.regs.taken, *place));
        }
        and(&leaving, &self.column(op.states[state].active))
    }

    fn remember_state(&mut self, op: &MachineOp, state: usize, lanes: &Bits<W>) {
        let Some(memory) = &op.states[state].memory else {
            return;
        };
        if !any(lanes) {
            return;
        }
        add(self.column_mut(memory.left), lanes);
        for (inner, column) in &memory.inside {
            let active = and(&self.column(op.states[*inner as usize].active), lanes);
            let remembered = self.column_mut(*column);
            remove(remembered, lanes);
            add(remembered, &active);
        }
    }

    /// A state is left: its activity has been aborted.
    fn leave_state(&mut self, op: &MachineOp, index: usize, lanes: &Bits<W>) {
        if !any(lanes) {
            return;
        }
        let state = &op.states[index];
        self.record_state(op, Event::LeaveState(index as u32), lanes);
        self.carry_out_tasks(op, &state.exit, lanes);
        remove(self.column_mut(state.active), lanes);
    }

    /// Everything is left, from inside out.
    pub(super) fn leave_all(&mut self, op: &MachineOp, lanes: &Bits<W>) {
        for index in (0..op.states.len()).rev() {
            let leaving = and(&self.column(op.states[index].active), lanes);
            if let (true, Some(piece)) = (any(&leaving), &op.states[index].activity) {
                self.abort(piece.slots, &leaving);
            }
            self.leave_state(op, index, &leaving);
        }
    }

    /// Says who enters what.
    fn mark(&mut self, op: &MachineOp, steps: &[Step], lanes: &Bits<W>) {
        for step in steps {
            add(
                &mut self.regs[(op.regs.entering + step.state()) as usize],
                lanes,
            );
            match step {
                Step::Pass(_) => {}
                Step::Descend(state) => {
                    add(&mut self.regs[(op.regs.descending + state) as usize], lanes);
                }
                Step::Restore(_, history) => {
                    add(
                        &mut self.regs[(op.regs.restoring + history) as usize],
                        lanes,
                    );
                }
            }
        }
    }

    /// Enters what is marked, outer states before inner ones.
    pub(super) fn enter_states(&mut self, op: &MachineOp) {
        for (index, state) in op.states.iter().enumerate() {
            let row = |first: u32| crate::program::op::Reg(first + index as u32);
            let marked = self.take(row(op.regs.entering));
            let mut descending = self.take(row(op.regs.descending));
            let active = self.column(state.active);
            let entering = without(&marked, &active);
            if any(&entering) {
                add(self.column_mut(state.active), &entering);
                add(&mut self.regs[op.regs.entered as usize + index], &entering);
                if state.activity.is_some() {
                    for column in state.over {
                        remove(self.column_mut(column), &entering);
                    }
                }
                self.record_state(op, Event::EnterState(index as u32), &entering);
                self.carry_out_tasks(op, &state.entry, &entering);
                self.arm(op, index, &entering);
            }
            for history in &state.histories {
                self.restore(op, *history, &mut descending);
            }
            if any(&descending) && !state.initial.is_empty() {
                self.mark(op, &state.initial, &descending);
                self.carry_out_tasks(op, &state.initial_tasks, &descending);
            }
            if any(&entering) {
                self.raise_done(op, index, &entering);
            }
        }
    }

    /// Sets the timers of a state that was entered.
    fn arm(&mut self, op: &MachineOp, state: usize, lanes: &Bits<W>) {
        for timer in &op.states[state].timers {
            if let TriggerOp::After(secs, moment) = &op.transitions[*timer as usize].trigger {
                let never = self.set_times(op.node, *secs, *moment, lanes);
                let moments = self.run.wide_mut(*moment);
                for_each(&never, |lane| moments[lane] = u64::MAX);
            }
        }
    }

    /// Goes on to what was active in a state, or to where a history says.
    fn restore(&mut self, op: &MachineOp, history: u32, descending: &mut Bits<W>) {
        let place = op.regs.restoring + history;
        let lanes = self.take(crate::program::op::Reg(place));
        if !any(&lanes) {
            return;
        }
        let history = &op.histories[history as usize];
        let of = history.of;
        let Some(memory) = &op.states[of as usize].memory else {
            return;
        };
        let left = and(&self.column(memory.left), &lanes);
        for (inner, column) in &memory.inside {
            let direct = op.states[*inner as usize].parent == Some(of);
            if history.depth == Depth::Shallow && !direct {
                continue;
            }
            let back = and(&self.column(*column), &left);
            add(&mut self.regs[(op.regs.entering + inner) as usize], &back);
            if history.depth == Depth::Shallow {
                add(&mut self.regs[(op.regs.descending + inner) as usize], &back);
            }
        }
        let never = without(&lanes, &left);
        if history.fallback.is_empty() {
            add(descending, &never);
        } else {
            self.mark(op, &history.fallback, &never);
        }
        self.carry_out_tasks(op, &history.tasks, &never);
    }

    fn push_frame(&mut self, op: &MachineOp, state: u32, lanes: &Bits<W>) {
        let Some(stack) = &op.stack else {
            return;
        };
        for (level, (of, bits)) in (0..).zip(&stack.levels) {
            let here = self.with_narrow(stack.depth, lanes, |depth| depth == level);
            if !any(&here) {
                continue;
            }
            let tops = self.run.narrow_mut(*of);
            for_each(&here, |lane| tops[lane] = state);
            for (inner, column) in bits.iter().enumerate() {
                let inside = self.is_in(op, inner, state);
                let active = if inside {
                    and(&self.column(op.states[inner].active), &here)
                } else {
                    zero()
                };
                let kept = self.column_mut(*column);
                remove(kept, &here);
                add(kept, &active);
            }
        }
        let depths = self.run.narrow_mut(stack.depth);
        for_each(lanes, |lane| depths[lane] += 1);
    }

    fn is_in(&self, op: &MachineOp, inner: usize, outer: u32) -> bool {
        let mut above = op.states[inner].parent;
        while let Some(state) = above {
            if state == outer {
                return true;
            }
            above = op.states[state as usize].parent;
        }
        false
    }

    fn pop_frame(&mut self, op: &MachineOp, lanes: &Bits<W>) {
        let Some(stack) = &op.stack else {
            return;
        };
        for (level, (_, bits)) in (1..).zip(&stack.levels) {
            let here = self.with_narrow(stack.depth, lanes, |depth| depth == level);
            if any(&here) {
                for (inner, column) in (0..).zip(bits) {
                    let back = and(&self.column(*column), &here);
                    add(&mut self.regs[(op.regs.entering + inner) as usize], &back);
                }
            }
        }
        let depths = self.run.narrow_mut(stack.depth);
        for_each(lanes, |lane| depths[lane] -= 1);
    }

    /// What was remembered of a state that is not active any more is dropped.
    fn drop_frames(&mut self, op: &MachineOp) {
        let Some(stack) = &op.stack else {
            return;
        };
        for (level, (of, _)) in (1..).zip(&stack.levels) {
            for (index, state) in op.states.iter().enumerate() {
                let gone = without(&[u64::MAX; W], &self.column(state.active));
                let alive = and(&self.slots[0], &gone);
                let deep = self.with_narrow(stack.depth, &alive, |depth| depth >= level);
                let gone = self.with_narrow(*of, &deep, |top| top == index as u32);
                let depths = self.run.narrow_mut(stack.depth);
                for_each(&gone, |lane| depths[lane] = level - 1);
            }
        }
    }
}
