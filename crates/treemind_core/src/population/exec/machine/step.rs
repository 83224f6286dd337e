//! A step: states are left, the tasks of transitions run, states are entered.

use super::super::Exec;
use super::super::bits::{Bits, add, and, any, for_each, remove, without, zero};
use crate::behaviour::Depth;
use crate::program::op::{DecideStep, MachineOp, Reg, StackOp, StackUse, Step, TriggerOp};
use crate::trace::{Event, Sink};

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Carries out the transitions that were taken by some agents; their registers are emptied.
    pub(super) fn step_machine(&mut self, op: &MachineOp, moved: &Bits<W>) {
        if !any(moved) {
            return;
        }
        self.stir(moved);
        self.report_taken(op);
        self.use_draws(op);
        self.use_stack(op);
        for (index, state) in op.states.iter().enumerate() {
            if state.memory.is_some() {
                let leaving = self.leaving(op, index);
                self.remember_state(op, index, &leaving);
            }
        }
        self.leave_states(op);
        self.drop_frames(op, moved);
        self.carry_out_taken(op);
        for (place, transition) in (0..).zip(&op.transitions) {
            if any(self.row(op.regs.taken, place)) {
                let taken = self.take(Reg(op.regs.taken + place));
                self.mark(op, &transition.entries, &taken);
            }
        }
        self.enter_states(op);
    }

    /// Leaves the states that the taken transitions leave, from inside out.
    pub(super) fn leave_states(&mut self, op: &MachineOp) {
        // Sibling states are mostly left by the same transitions.
        let (mut left_by, mut all_leaving) = (&[][..], zero());
        for (index, state) in op.states.iter().enumerate().rev() {
            if state.left_by.is_empty() {
                continue;
            }
            if left_by != state.left_by {
                left_by = &state.left_by;
                all_leaving = self.taken_any(op, left_by);
            }
            let leaving = and(&all_leaving, self.column_ref(state.active));
            if any(&leaving) {
                if let Some(piece) = &state.activity {
                    self.abort(piece.slots, &leaving);
                }
                self.leave_state(op, index, &leaving);
                if op.statechart || op.inbox.is_some() {
                    add(&mut self.regs[op.regs.left as usize + index], &leaving);
                }
            }
        }
    }

    /// Carries out the tasks of the taken transitions.
    fn carry_out_taken(&mut self, op: &MachineOp) {
        for turn in 0..op.transitions.len() {
            let place = in_turn(op, turn);
            let tasks = &op.transitions[place as usize].tasks;
            if !tasks.is_empty() {
                let taken = self.of_row(op.regs.taken, place);
                self.carry_out_tasks(op, tasks, &taken);
            }
        }
    }

    fn report_taken(&mut self, op: &MachineOp) {
        if !self.is_traced() && !op.statechart {
            return;
        }
        for turn in 0..op.transitions.len() {
            let place = in_turn(op, turn);
            let taken = self.of_row(op.regs.taken, place);
            if any(&taken) {
                let number = op.transitions[place as usize].number;
                self.record_all(op.node, Event::Take(number), &taken);
                if op.statechart {
                    add(&mut self.regs[(op.regs.spent + number) as usize], &taken);
                }
            }
        }
    }

    /// Draws that have led out of a state, or into it again, are not kept.
    fn use_draws(&mut self, op: &MachineOp) {
        if op.deciders.is_empty() {
            return;
        }
        for (place, transition) in (0..).zip(&op.transitions) {
            let Some(decided) = transition.decided.filter(|decided| decided.uses_draws) else {
                continue;
            };
            let taken = self.of_row(op.regs.taken, place);
            for (step, _) in &op.deciders[decided.by as usize].steps {
                if let DecideStep::Random(held) = step {
                    let ways = self.call.run.narrow_mut(held.way);
                    for_each(&taken, |lane| ways[lane] = 0);
                }
            }
        }
    }

    /// Goes back to the entry on the stack before anything is pushed.
    fn use_stack(&mut self, op: &MachineOp) {
        if op.stack.is_none() {
            return;
        }
        // Two regions may push in one step: the last transition that is taken is the first that a pop goes back on.
        let turns = 0..op.transitions.len();
        let of_turn = |turn| {
            let place = in_turn(op, turn);
            (place, op.transitions[place as usize].stack)
        };
        for (place, stack) in turns.clone().map(of_turn) {
            if let StackUse::Pop(_) = stack {
                let popping = self.of_row(op.regs.taken, place);
                self.pop_frame(op, &popping);
            }
        }
        for (place, stack) in turns.map(of_turn) {
            if let StackUse::Push(state) = stack {
                let pushing = self.of_row(op.regs.taken, place);
                self.push_frame(op, state, &pushing);
            }
        }
    }

    /// The agents with an active state that a transition leaves.
    fn leaving(&self, op: &MachineOp, state: usize) -> Bits<W> {
        let leaving = self.taken_any(op, &op.states[state].left_by);
        and(&leaving, self.column_ref(op.states[state].active))
    }

    /// The agents that take any of some transitions.
    fn taken_any(&self, op: &MachineOp, places: &[u32]) -> Bits<W> {
        let mut taken = zero();
        for place in places {
            add(&mut taken, self.row(op.regs.taken, *place));
        }
        taken
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

    /// Leaves a state, whose activity has been aborted.
    pub(super) fn leave_state(&mut self, op: &MachineOp, index: usize, lanes: &Bits<W>) {
        if !any(lanes) {
            return;
        }
        let state = &op.states[index];
        self.carry_out_tasks(op, &state.exit, lanes);
        self.record_all(op.node, Event::LeaveState(index as u32), lanes);
        remove(self.column_mut(state.active), lanes);
        if state.activity.is_some() {
            for column in state.over {
                remove(self.column_mut(column), lanes);
            }
        }
    }

    /// Leaves all states, from inside out.
    pub(super) fn leave_all(&mut self, op: &MachineOp, lanes: &Bits<W>) {
        for index in (0..op.states.len()).rev() {
            let leaving = and(self.column_ref(op.states[index].active), lanes);
            if let (true, Some(piece)) = (any(&leaving), &op.states[index].activity) {
                self.abort(piece.slots, &leaving);
            }
            self.leave_state(op, index, &leaving);
        }
    }

    /// Marks the states that agents enter.
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

    /// Enters the marked states, outer states before inner ones.
    pub(super) fn enter_states(&mut self, op: &MachineOp) {
        for (index, state) in op.states.iter().enumerate() {
            if any(self.row(op.regs.entering, index as u32)) {
                let marked = self.take(Reg(op.regs.entering + index as u32));
                let entering = without(&marked, self.column_ref(state.active));
                if any(&entering) {
                    self.enter_state(op, index, &entering);
                }
            }
            let mut descending = zero();
            if any(self.row(op.regs.descending, index as u32)) {
                descending = self.take(Reg(op.regs.descending + index as u32));
            }
            loop {
                if any(&descending) {
                    self.mark(op, &state.initial, &descending);
                    // Its own history may be where it begins; the state itself is entered by now.
                    self.take(Reg(op.regs.entering + index as u32));
                    self.carry_out_tasks(op, &state.initial_tasks, &descending);
                }
                descending = zero();
                for history in &state.histories {
                    self.restore(op, *history, &mut descending);
                }
                // A history without a record leads to the initial state, which may be a history again.
                if !any(&descending) {
                    break;
                }
            }
        }
    }

    pub(super) fn enter_state(&mut self, op: &MachineOp, index: usize, entering: &Bits<W>) {
        let state = &op.states[index];
        add(self.column_mut(state.active), entering);
        if state.activity.is_some() {
            add(&mut self.regs[op.regs.entered as usize + index], entering);
        }
        for number in &state.once {
            remove(&mut self.regs[(op.regs.spent + number) as usize], entering);
        }
        self.record_all(op.node, Event::EnterState(index as u32), entering);
        self.carry_out_tasks(op, &state.entry, entering);
        self.arm(op, index, entering);
        self.raise_done(op, index, entering);
    }

    /// Sets the timers of a state that was entered.
    #[inline]
    pub(super) fn arm(&mut self, op: &MachineOp, state: usize, lanes: &Bits<W>) {
        for (_, place) in &op.states[state].timers {
            if let TriggerOp::After(secs, moment) = &op.transitions[*place as usize].trigger {
                let never = self.set_times(op.node, *secs, *moment, lanes);
                let moments = self.call.run.wide_mut(*moment);
                for_each(&never, |lane| moments[lane] = u64::MAX);
            }
        }
    }

    /// Continues to what was active in a state, or to the target of a history.
    fn restore(&mut self, op: &MachineOp, history: u32, descending: &mut Bits<W>) {
        let place = op.regs.restoring + history;
        let lanes = self.take(Reg(place));
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
            self.carry_out_tasks(op, &history.tasks, &never);
        }
    }

    fn push_frame(&mut self, op: &MachineOp, state: u32, lanes: &Bits<W>) {
        let (Some(stack), true) = (&op.stack, any(lanes)) else {
            return;
        };
        for (level, (of, bits)) in (0..).zip(&stack.levels) {
            let here = self.with_narrow(stack.depth, lanes, |depth| depth == level);
            if !any(&here) {
                continue;
            }
            let tops = self.call.run.narrow_mut(*of);
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
        let depths = self.call.run.narrow_mut(stack.depth);
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
        let (Some(stack), true) = (&op.stack, any(lanes)) else {
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
        let depths = self.call.run.narrow_mut(stack.depth);
        for_each(lanes, |lane| depths[lane] -= 1);
    }

    /// Drops stack entries that were pushed inside a state that is no longer active.
    pub(super) fn drop_frames(&mut self, op: &MachineOp, lanes: &Bits<W>) {
        let Some(stack) = &op.stack else {
            return;
        };
        for (level, (of, _)) in stack.levels.iter().enumerate().rev() {
            let mut deep = self.with_narrow(stack.depth, lanes, |depth| depth as usize > level);
            if !any(&deep) {
                continue;
            }
            for domain in &stack.domains {
                let active = self.column(op.states[*domain as usize].active);
                let left = without(&deep, &active);
                let gone = self.with_narrow(*of, &left, |state| state == *domain);
                if any(&gone) {
                    self.drop_frame(stack, level, &gone);
                    // The entries that moved down have been checked already.
                    remove(&mut deep, &gone);
                }
            }
        }
    }

    /// Removes one entry of the stack; the entries above it move down.
    fn drop_frame(&mut self, stack: &StackOp, level: usize, lanes: &Bits<W>) {
        for pair in stack.levels[level..].windows(2) {
            let [(to, to_bits), (from, from_bits)] = pair else {
                continue;
            };
            for_each(lanes, |lane| {
                let state = self.call.run.read().narrow(*from)[lane];
                self.call.run.narrow_mut(*to)[lane] = state;
            });
            for (to, from) in to_bits.iter().zip(from_bits) {
                let moved = and(&self.column(*from), lanes);
                let column = self.column_mut(*to);
                remove(column, lanes);
                add(column, &moved);
            }
        }
        let depths = self.call.run.narrow_mut(stack.depth);
        for_each(lanes, |lane| depths[lane] -= 1);
    }
}

/// The place of the transition whose turn it is in a step.
fn in_turn(op: &MachineOp, turn: usize) -> u32 {
    if op.statechart {
        op.by_document[turn]
    } else {
        turn as u32
    }
}
