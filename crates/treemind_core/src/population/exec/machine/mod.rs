//! State machines. A column of bits says which agents are in a state, and a transition is a mask. All agents of a chunk
//! go through the tables of a machine together. The tasks of states and transitions are pieces of code, which run when
//! they are due.

mod by_table;
mod choose;
mod crowd_by_table;
mod events;
mod sent_events;
mod step;

use super::Exec;
use super::bits::{Bits, add, and, any, for_each, or, remove, set_lane, without, zero};
use crate::behaviour::{DoneWith, Kind, MICROSTEPS_KNOWN};
use crate::blackboard::WIDE;
use crate::fault::FaultKind;
use crate::program::op::{MachineOp, Op, Piece, Tested};
use crate::trace::Sink;

/// Which transitions are checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Offer {
    /// All, with every waiting event.
    Everything,
    /// Those that need no event.
    Eventless,
    /// Those of the first event that was raised inside, or came from outside.
    Raised,
    Outside,
}

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    pub(super) fn machine_begin(&mut self, op: &MachineOp) {
        let input = self.take(op.input);
        let was = self.slots[op.slot as usize];
        let stale = self.stale(&was, &input, op.reach);
        self.stir(&or(&stale, &without(&input, &was)));
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
        if W >= WIDE && self.tracks {
            self.stir_by_events(op, &going);
        }
        if any(&fresh) {
            self.start_machine(op, &fresh);
        }
        self.let_delayed_come(op, &going);
        if op.statechart {
            self.run_to_completion(op, &input, &fresh);
        } else if let (Some(table), false) = (&op.table, self.is_traced() || op.inbox.is_some()) {
            self.step_by_table(op, table, &going);
        } else {
            let taken = self.choose_transitions(op, &going, Offer::Everything);
            self.step_machine(op, &taken);
        }
        let running = self.end_machine(op, &input);
        self.run_activities(op, &and(&going, &running));
        if op.inbox.is_some() {
            self.drop_events(op, &input);
        }
        self.forget_moves(op);
        self.occupy(op.slot, &running);
        self.pass_pieces(op);
    }

    /// Clears what was recorded for this tick. Nothing may stay in a register: if traced and untraced programs
    /// alternate, the register belongs to another machine.
    fn forget_moves(&mut self, op: &MachineOp) {
        self.forget_chosen(op);
        let states = op.states.len() as u32;
        for (place, state) in (0..).zip(&op.states) {
            if state.activity.is_some() {
                self.regs[(op.regs.entered + place) as usize] = zero();
            }
        }
        let mut forget = |first: u32, count: u32| {
            self.regs[first as usize..(first + count) as usize].fill(zero());
        };
        if op.statechart || op.inbox.is_some() {
            forget(op.regs.left, states);
        }
        if op.statechart {
            forget(op.regs.spent, op.transitions.len() as u32);
        }
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

    /// Notes that something happens for the agents that have events, or that have sent some for later.
    fn stir_by_events(&mut self, op: &MachineOp, lanes: &Bits<W>) {
        let delayed = op.delayed.as_ref().map(|delayed| &delayed.queue);
        for inbox in [&op.inbox, &op.raised].into_iter().flatten().chain(delayed) {
            let some = self.with_narrow(inbox.count, lanes, |count| count > 0);
            self.stir(&some);
        }
    }

    /// The agents in which a final state of the machine is active are done. Returns the agents that keep running.
    fn end_machine(&mut self, op: &MachineOp, input: &Bits<W>) -> Bits<W> {
        let mut running = *input;
        for &(state, success) in &op.states[0].finals {
            let ended = and(self.column_ref(op.states[state as usize].active), input);
            if any(&ended) {
                remove(&mut running, &ended);
                self.stir(&ended);
                // From here on it receives no events.
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
        // From here on it receives events.
        self.occupy(op.slot, fresh);
        if let Some(stack) = &op.stack {
            let depths = self.call.run.narrow_mut(stack.depth);
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

    /// Takes microsteps until nothing more happens.
    fn run_to_completion(&mut self, op: &MachineOp, input: &Bits<W>, fresh: &Bits<W>) {
        self.keep_stable(op, fresh);
        self.set_microsteps(op, input);
        let trail = self.trail.len();
        self.take_microsteps(op, input);
        self.trail.truncate(trail);
    }

    fn take_microsteps(&mut self, op: &MachineOp, input: &Bits<W>) {
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
            // All internal events have been handled: a livelock goes back to this configuration.
            self.keep_stable(op, &rest);
            self.set_microsteps(op, &rest);
            let (offered, taken) = self.offer(op, &rest, Offer::Outside);
            self.microstep(op, &taken);
            remove(&mut rest, &offered);
            remove(&mut working, &rest);
            remove(&mut working, &spent);
        }
    }

    /// Carries out the chosen transitions, except for the agents that have reached the limit of microsteps. Returns
    /// these agents.
    fn microstep(&mut self, op: &MachineOp, taken: &Bits<W>) -> Bits<W> {
        let (mut spent, mut late) = (zero(), zero());
        let known_from = op.max_microsteps.saturating_sub(MICROSTEPS_KNOWN);
        let steps = self.call.run.narrow_mut(op.microsteps);
        for_each(taken, |lane| {
            if steps[lane] >= known_from {
                set_lane(&mut late, lane);
            }
            if steps[lane] == op.max_microsteps {
                set_lane(&mut spent, lane);
            }
            steps[lane] += 1;
        });
        if any(&late) {
            self.note_microstep(op, &late);
        }
        if any(&spent) {
            for place in 0..op.transitions.len() as u32 {
                remove(&mut self.regs[(op.regs.taken + place) as usize], &spent);
            }
            self.livelock(op, &spent);
        }
        self.step_machine(op, &without(taken, &spent));
        spent
    }

    /// Records the transitions taken, for agents that may be in an endless loop.
    #[cold]
    fn note_microstep(&mut self, op: &MachineOp, lanes: &Bits<W>) {
        self.trail.begin_step();
        for place in &op.by_document {
            let taken = and(self.row(op.regs.taken, *place), lanes);
            if any(&taken) {
                let number = op.transitions[*place as usize].number;
                self.trail.note(number, &taken);
            }
        }
    }

    fn set_microsteps(&mut self, op: &MachineOp, lanes: &Bits<W>) {
        let steps = self.call.run.narrow_mut(op.microsteps);
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

    /// Goes back to the last stable configuration. States that were left since then count as entered now, but without
    /// their tasks.
    #[cold]
    fn livelock(&mut self, op: &MachineOp, lanes: &Bits<W>) {
        let known = op.max_microsteps.min(MICROSTEPS_KNOWN) as usize + 1;
        let kind = &self.call.around.program.behaviour.node(op.node).kind;
        for_each(lanes, |lane| {
            let mut round = String::new();
            if let (Kind::Machine(machine), true) =
                (kind, self.call.outbox.faults.keeps_round(op.node))
            {
                round = machine.round(&self.trail.of(lane, W, known));
            }
            let kind = FaultKind::Livelock(round);
            self.fault(op.node, &kind, lane / 64, 1 << (lane % 64));
        });
        for state in &op.states {
            let stable = and(&self.column(state.stable), lanes);
            let active = self.column_mut(state.active);
            *active = or(&without(active, lanes), &stable);
        }
        for (index, state) in op.states.iter().enumerate() {
            let left = self.regs[op.regs.left as usize + index];
            let back = and(&and(&left, lanes), &self.column(state.active));
            if any(&back) {
                if state.activity.is_some() {
                    add(&mut self.regs[op.regs.entered as usize + index], &back);
                }
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
            let mut due = and(self.column_ref(state.active), lanes);
            remove(&mut due, &self.regs[op.regs.entered as usize + index]);
            for over in state.over {
                remove(&mut due, self.column_ref(over));
            }
            if !any(&due) {
                continue;
            }
            let input = self.routes[piece.input.0 as usize];
            add(&mut self.regs[input.reg.0 as usize], &due);
            if piece.end == piece.start + 1 {
                // No other instruction has to be visited.
                if W >= WIDE && self.tracks {
                    self.stir_by(piece.start);
                }
                self.step(self.code, &self.code.ops[piece.start as usize]);
            } else {
                self.wake(input.consumer);
                self.wake_slots(piece.slots, piece.start, piece.end);
                self.run_part(piece.start, piece.end);
            }
            let [success, failure, skipped] = piece.answers;
            self.take(skipped);
            for (answer, over) in [success, failure].into_iter().zip(state.over) {
                let ended = self.take(answer);
                if any(&ended) {
                    self.stir(&ended);
                    add(self.column_mut(over), &ended);
                    // What still runs after its answer no longer has an owner.
                    self.abort(piece.slots, &ended);
                }
            }
        }
    }

    /// Carries out tasks that end at once: each one once, whatever it answers.
    #[inline(always)]
    fn carry_out_tasks(&mut self, op: &MachineOp, tasks: &[Piece], lanes: &Bits<W>) {
        if !tasks.is_empty() && any(lanes) {
            self.carry_out_some_tasks(op, tasks, lanes);
        }
    }

    #[inline(never)]
    fn carry_out_some_tasks(&mut self, op: &MachineOp, tasks: &[Piece], lanes: &Bits<W>) {
        for task in tasks {
            self.send(task.input, lanes);
            self.run_part(task.start, task.end);
            let mut running = *lanes;
            for answer in task.answers {
                let answered = self.take(answer);
                remove(&mut running, &answered);
            }
            // An agent that was interrupted from inside answers running, and is about to be aborted.
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

    /// The agents for which the only child of the conditions succeeds.
    pub(super) fn conditions_hold(&mut self, tested: &Tested, lanes: &Bits<W>) -> Bits<W> {
        if !self.is_traced() && !tested.all.is_empty() {
            return self.all_hold(&tested.all, lanes);
        }
        self.piece_holds(&tested.piece, lanes)
    }

    /// The agents for which a piece succeeds that is asked. What runs in it is aborted.
    pub(super) fn piece_holds(&mut self, piece: &Piece, lanes: &Bits<W>) -> Bits<W> {
        self.send(piece.input, lanes);
        self.run_part(piece.start, piece.end);
        let [success, failure, skipped] = piece.answers;
        let holds = self.take(success);
        self.take(failure);
        self.take(skipped);
        self.abort(piece.slots, lanes);
        holds
    }

    /// The agents for which conditions hold. The conditions are asked in order as long as they hold; skipped ones do
    /// not count.
    fn all_hold(&mut self, conditions: &[u32], lanes: &Bits<W>) -> Bits<W> {
        let code = self.code;
        let (mut rest, mut held) = (*lanes, zero());
        for place in conditions {
            let Op::Condition(condition) = &code.ops[*place as usize] else {
                continue;
            };
            if any(&rest) {
                let [success, skipped] = self.test(condition, &rest);
                add(&mut held, &success);
                rest = or(&success, &skipped);
            }
        }
        and(&rest, &held)
    }

    /// The agents whose state is done in this way.
    fn done_with(&self, op: &MachineOp, state: usize, with: DoneWith) -> Bits<W> {
        let [success, failure] = self.done(op, state);
        match with {
            DoneWith::Any => or(&success, &failure),
            DoneWith::Success => success,
            DoneWith::Failure => failure,
        }
    }

    /// The agents whose state is done, and how: its activity has ended, or its final state is active.
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
    #[inline(always)]
    fn of_row(&self, first: u32, index: u32) -> Bits<W> {
        self.regs[(first + index) as usize]
    }

    /// As [`of_row`](Self::of_row), by reference.
    #[inline(always)]
    fn row(&self, first: u32, index: u32) -> &Bits<W> {
        &self.regs[(first + index) as usize]
    }

    /// Agents by the value of a narrow column.
    pub(super) fn with_narrow(
        &self,
        column: u32,
        lanes: &Bits<W>,
        test: impl Fn(u32) -> bool,
    ) -> Bits<W> {
        let values = self.call.run.read().narrow(column);
        let mut found = zero();
        for_each(lanes, |lane| {
            if test(values[lane]) {
                set_lane(&mut found, lane);
            }
        });
        found
    }

    /// What a machine does when it is aborted: its activities have been aborted already.
    pub(super) fn machine_is_cut_off(&mut self, op: &MachineOp, lanes: &Bits<W>) {
        // Interrupts in the tasks carried out now could abort what is about to run.
        self.cutting += 1;
        self.leave_all(op, lanes);
        self.cutting -= 1;
        if op.statechart {
            for state in 0..op.states.len() as u32 {
                remove(&mut self.regs[(op.regs.left + state) as usize], lanes);
            }
        }
    }
}
