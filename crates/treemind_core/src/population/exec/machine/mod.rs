//! State machines. Who is in a state is a column of bits, a transition is a mask; all agents of a chunk go through the
//! tables of a machine together. What states and transitions carry out are pieces of code, run where they are due.

mod choose;
mod events;
mod step;
mod told;

use super::Exec;
use super::bits::{Bits, add, and, any, for_each, or, remove, set_lane, without, zero};
use crate::fault::FaultKind;
use crate::host::Host;
use crate::program::op::{MachineOp, Piece, Reg};
use crate::trace::Sink;

/// Which transitions are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Offer {
    /// All, with every event that waits.
    Everything,
    /// Those that need no event.
    Eventless,
    /// Those of the first event that was raised inside, or came from outside.
    Raised,
    Outside,
}

impl<const W: usize, H: Host, S: Sink> Exec<'_, W, H, S> {
    pub(super) fn machine_begin(&mut self, op: &MachineOp) {
        let input = self.take(op.input);
        let was = self.slots[op.slot as usize];
        let stale = self.stale(&was, &input, op.reach);
        if any(&stale) {
            self.abort(op.activities, &stale);
            remove(&mut self.slots[op.slot as usize], &stale);
            self.machine_is_cut_off(op, &stale);
        }
        if !any(&input) {
            return;
        }
        let fresh = without(&input, &was);
        let going = and(&input, &was);
        if any(&fresh) {
            self.start_machine(op, &fresh);
        }
        self.let_delayed_come(op, &going);
        if op.statechart {
            self.run_to_completion(op, &input, &fresh);
        } else if any(&going) {
            self.choose_transitions(op, &going, Offer::Everything);
            self.step_machine(op, &going);
        }
        let running = self.end_machine(op, &input);
        self.run_activities(op, &and(&going, &running));
        if op.inbox.is_some() {
            self.drop_events(op, &input);
        }
        let states = op.states.len() as u32;
        let transitions = op.transitions.len() as u32;
        for (first, count) in [
            (op.regs.chosen, states),
            (op.regs.entered, states),
            (op.regs.left, states),
            (op.regs.spent, transitions),
        ] {
            for register in first..first + count {
                self.take(Reg(register));
            }
        }
        self.occupy(op.slot, &running);
        self.pass_pieces(op);
    }

    /// What is pending between the two instructions has had its turn: agents are there only when a piece is run.
    fn pass_pieces(&mut self, op: &MachineOp) {
        let (first, last) = (op.begin + 1, op.end);
        for word in first / 64..=last / 64 {
            let from = u64::MAX << first.saturating_sub(word * 64).min(63);
            let below_end = match last - word * 64 {
                bits @ 0..64 => !(u64::MAX << bits),
                _ => u64::MAX,
            };
            self.pending[word as usize] &= !(from & below_end);
        }
    }

    /// Those in whom a final state of the machine is active are done. Answers who runs on.
    fn end_machine(&mut self, op: &MachineOp, input: &Bits<W>) -> Bits<W> {
        let mut running = *input;
        for &(state, success) in &op.states[0].finals {
            let ended = and(&self.column(op.states[state as usize].active), input);
            if any(&ended) {
                remove(&mut running, &ended);
                // It is told nothing from here on.
                remove(&mut self.slots[op.slot as usize], &ended);
                self.leave_all(op, &ended);
                self.send(op.ended[usize::from(!success)], &ended);
            }
        }
        running
    }

    /// The second instruction of a machine: answers leave its code.
    pub(super) fn machine_end(&mut self, op: &MachineOp) {
        let [success, failure] = op.ended.map(|ended| self.take(ended));
        self.send(op.out.success, &success);
        self.send(op.out.failure, &failure);
    }

    fn start_machine(&mut self, op: &MachineOp, fresh: &Bits<W>) {
        self.forget_events(op, fresh);
        // It can be told of events from here on.
        self.occupy(op.slot, fresh);
        if let Some(stack) = &op.stack {
            let depths = self.run.narrow_mut(stack.depth);
            for_each(fresh, |lane| depths[lane] = 0);
        }
        for state in &op.states {
            if let Some(memory) = &state.memory {
                remove(self.column_mut(memory.left), fresh);
            }
        }
        add(&mut self.regs[op.regs.entering as usize], fresh);
        add(&mut self.regs[op.regs.descending as usize], fresh);
        self.enter_states(op);
    }

    /// Microsteps until nothing more happens.
    fn run_to_completion(&mut self, op: &MachineOp, input: &Bits<W>, fresh: &Bits<W>) {
        self.keep_stable(op, fresh);
        self.set_microsteps(op, input);
        let mut working = *input;
        loop {
            for (state, _) in &op.states[0].finals {
                remove(
                    &mut working,
                    &self.column(op.states[*state as usize].active),
                );
            }
            if !any(&working) {
                return;
            }
            let taken = self.choose_transitions(op, &working, Offer::Eventless);
            let mut spent = self.microstep(op, &taken);
            let mut rest = without(&working, &taken);
            let (offered, taken) = self.offer(op, &rest, Offer::Raised);
            add(&mut spent, &self.microstep(op, &taken));
            remove(&mut rest, &offered);
            // Everything inside is dealt with: this is where a livelock goes back to.
            self.keep_stable(op, &rest);
            self.set_microsteps(op, &rest);
            let (offered, taken) = self.offer(op, &rest, Offer::Outside);
            self.microstep(op, &taken);
            remove(&mut rest, &offered);
            remove(&mut working, &rest);
            remove(&mut working, &spent);
        }
    }

    /// Carries out what was chosen, but for those who have taken as many microsteps as they may. Answers who they are.
    fn microstep(&mut self, op: &MachineOp, taken: &Bits<W>) -> Bits<W> {
        let mut spent = zero();
        let steps = self.run.narrow_mut(op.microsteps);
        for_each(taken, |lane| {
            if steps[lane] == op.max_microsteps {
                set_lane(&mut spent, lane);
            }
            steps[lane] += 1;
        });
        if any(&spent) {
            for place in 0..op.transitions.len() as u32 {
                remove(&mut self.regs[(op.regs.taken + place) as usize], &spent);
            }
            self.livelock(op, &spent);
        }
        self.step_machine(op, &without(taken, &spent));
        spent
    }

    fn set_microsteps(&mut self, op: &MachineOp, lanes: &Bits<W>) {
        let steps = self.run.narrow_mut(op.microsteps);
        for_each(lanes, |lane| steps[lane] = 0);
    }

    fn keep_stable(&mut self, op: &MachineOp, lanes: &Bits<W>) {
        if !any(lanes) {
            return;
        }
        for (index, state) in op.states.iter().enumerate() {
            let active = and(&self.column(state.active), lanes);
            let stable = self.column_mut(state.stable);
            *stable = or(&without(stable, lanes), &active);
            remove(&mut self.regs[op.regs.left as usize + index], lanes);
        }
    }

    /// Goes back to where all was stable. States that were left since are as if they were entered now, but without
    /// their tasks.
    #[cold]
    fn livelock(&mut self, op: &MachineOp, lanes: &Bits<W>) {
        for (word, &mask) in lanes.iter().enumerate() {
            if mask != 0 {
                self.fault(op.node, &FaultKind::Livelock, word, mask);
            }
        }
        for state in &op.states {
            let stable = and(&self.column(state.stable), lanes);
            let active = self.column_mut(state.active);
            *active = or(&without(active, lanes), &stable);
        }
        for (index, state) in op.states.iter().enumerate() {
            let left = self.regs[op.regs.left as usize + index];
            let back = and(&and(&left, lanes), &self.column(state.active));
            if any(&back) {
                add(&mut self.regs[op.regs.entered as usize + index], &back);
                self.arm(op, index, &back);
            }
        }
        self.drop_frames(op, lanes);
        self.forget_raised(op, lanes);
    }

    /// The activities of states that were not entered in this tick, from inside out.
    fn run_activities(&mut self, op: &MachineOp, lanes: &Bits<W>) {
        for (index, state) in op.states.iter().enumerate().rev() {
            let Some(piece) = &state.activity else {
                continue;
            };
            let entered = self.regs[op.regs.entered as usize + index];
            let [success, failure] = state.over.map(|column| self.column(column));
            let over = or(&success, &failure);
            let active = and(&self.column(state.active), lanes);
            let due = without(&without(&active, &entered), &over);
            self.wake_slots(piece.slots, piece.start, piece.end);
            self.send(piece.input, &due);
            self.run_part(piece.start, piece.end);
            let [success, failure, _] = piece.answers.map(|answer| self.take(answer));
            add(self.column_mut(state.over[0]), &success);
            add(self.column_mut(state.over[1]), &failure);
            // What goes on behind its answer is nobody's any more.
            self.abort(piece.slots, &or(&success, &failure));
        }
    }

    /// Carries out what is over when it has been: each once, whatever it answers.
    fn carry_out_tasks(&mut self, op: &MachineOp, tasks: &[Piece], lanes: &Bits<W>) {
        if !any(lanes) {
            return;
        }
        for task in tasks {
            self.send(task.input, lanes);
            self.run_part(task.start, task.end);
            let mut running = *lanes;
            for answer in task.answers {
                let answered = self.take(answer);
                remove(&mut running, &answered);
            }
            // Who has been interrupted from inside answers that it runs, and is about to be cut off.
            for place in &op.interruptibles {
                let pending = self.code.interruptibles[*place as usize].pending;
                for slot in pending {
                    remove(&mut running, &self.slots[slot as usize]);
                }
            }
            for (word, &mask) in running.iter().enumerate() {
                if mask != 0 {
                    self.fault(op.node, &FaultKind::TaskRan, word, mask);
                }
            }
            self.abort(task.slots, lanes);
        }
    }

    /// For whom the one child of conditions succeeds.
    pub(super) fn conditions_hold(&mut self, piece: &Piece, lanes: &Bits<W>) -> Bits<W> {
        self.send(piece.input, lanes);
        self.run_part(piece.start, piece.end);
        let [holds, _, _] = piece.answers.map(|answer| self.take(answer));
        self.abort(piece.slots, lanes);
        holds
    }

    /// Whose state is over, and how: its activity has ended, or its final state is active.
    fn done(&self, op: &MachineOp, state: usize) -> [Bits<W>; 2] {
        let of = &op.states[state];
        let mut done = [zero(), zero()];
        if of.activity.is_some() {
            done = of.over.map(|column| self.column(column));
        }
        for &(inner, success) in &of.finals {
            let active = self.column(op.states[inner as usize].active);
            add(&mut done[usize::from(!success)], &active);
        }
        if !of.regions.is_empty() {
            let mut all = [u64::MAX; W];
            let mut failed = zero();
            for region in &of.regions {
                let [success, failure] = self.done(op, *region as usize);
                all = and(&all, &or(&success, &failure));
                failed = or(&failed, &failure);
            }
            add(&mut done[1], &and(&all, &failed));
            add(&mut done[0], &without(&all, &failed));
        }
        done
    }

    /// The agents of a register of a row.
    fn of_row(&self, first: u32, index: u32) -> Bits<W> {
        self.regs[(first + index) as usize]
    }

    /// Agents by the value of a narrow column.
    pub(super) fn with_narrow(
        &self,
        column: u32,
        lanes: &Bits<W>,
        test: impl Fn(u32) -> bool,
    ) -> Bits<W> {
        let values = self.run.read().narrow(column);
        let mut found = zero();
        for_each(lanes, |lane| {
            if test(values[lane]) {
                set_lane(&mut found, lane);
            }
        });
        found
    }

    /// What a machine does when it is cut off: its activities have been aborted.
    pub(super) fn machine_is_cut_off(&mut self, op: &MachineOp, lanes: &Bits<W>) {
        // Interrupts in what is carried out now could cut off what is on its way.
        self.cutting += 1;
        self.leave_all(op, lanes);
        self.cutting -= 1;
        for state in 0..op.states.len() as u32 {
            remove(&mut self.regs[(op.regs.left + state) as usize], lanes);
        }
    }
}
