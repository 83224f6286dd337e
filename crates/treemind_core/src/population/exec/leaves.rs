//! Leaves: conditions, actions, checks, assignments, waits.

use super::Exec;
use super::bits::{Bits, add, and, any, for_each, or, remove, without, zero};
use crate::behaviour::Life;
use crate::expr::Change;
use crate::fault::FaultKind;
use crate::host::{Answers, Lanes};
use crate::ids::NodeId;
use crate::program::op::{ActionOp, ConditionOp, Reach, Reg, SetRange, WaitOp};
use crate::status::{Outcome, Status};
use crate::trace::{Event, Sink};
use crate::vectors::{Kernel, vectorized};

/// Answers as the executor uses them: disjoint, and only for agents that were asked.
struct Answered<const W: usize> {
    success: Bits<W>,
    failure: Bits<W>,
    skipped: Bits<W>,
    running: Bits<W>,
}

/// What a host writes into.
struct Blank<const W: usize> {
    success: Bits<W>,
    failure: Bits<W>,
    skipped: Bits<W>,
}

impl<const W: usize> Blank<W> {
    #[inline(always)]
    fn new() -> Self {
        Self {
            success: zero(),
            failure: zero(),
            skipped: zero(),
        }
    }

    #[inline(always)]
    fn answers(&mut self, first: usize) -> Answers<'_> {
        Answers {
            first,
            success: &mut self.success,
            failure: &mut self.failure,
            skipped: &mut self.skipped,
            others: Status::Running,
            is_plain: false,
        }
    }

    #[inline(always)]
    fn read(&self, asked: &Bits<W>, others: Status) -> Answered<W> {
        let mut answered = Answered {
            success: zero(),
            failure: zero(),
            skipped: zero(),
            running: zero(),
        };
        for word in 0..W {
            let success = self.success[word] & asked[word];
            let failure = self.failure[word] & asked[word] & !success;
            let skipped = self.skipped[word] & asked[word] & !(success | failure);
            answered.success[word] = success;
            answered.failure[word] = failure;
            answered.skipped[word] = skipped;
            answered.running[word] = asked[word] & !(success | failure | skipped);
        }
        match others {
            Status::Running => return answered,
            Status::Success => add(&mut answered.success, &answered.running),
            Status::Failure => add(&mut answered.failure, &answered.running),
            Status::Skipped => add(&mut answered.skipped, &answered.running),
        }
        answered.running = zero();
        answered
    }
}

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    pub(super) fn condition(&mut self, op: &ConditionOp) {
        let mut input = self.take(op.input);
        if let Some(slot) = op.slot {
            // A condition has no life: it is forgotten when it is no longer asked.
            let running = self.slots[slot as usize];
            let stale = self.stale(&running, &input, op.reach);
            self.slots[slot as usize] = without(&without(&running, &stale), &input);
        }
        if !any(&input) {
            return;
        }
        if op.args.computed {
            let failed = self.evaluate_args(op.node, op.args, &input);
            self.record_all(op.node, Event::Tick(Status::Failure), &failed);
            self.send(op.out.failure, &failed);
            remove(&mut input, &failed);
            if !any(&input) {
                return;
            }
        }
        let mut blank = Blank::new();
        let mut answers = blank.answers(self.call.around.first);
        let first = self.call.at(op.node, op.leaf, op.args);
        self.before_call();
        self.host
            .ask(&mut self.call, Lanes::new(first, &input), &mut answers);
        self.after_call();
        if answers.is_plain {
            self.plain_condition(op, &input, &blank.success);
            return;
        }
        let others = answers.others;
        let mut answered = blank.read(&input, others);
        if op.negated {
            std::mem::swap(&mut answered.success, &mut answered.failure);
        }
        let running = answered.running;
        self.record_answers(op.node, &answered);
        self.send(op.out.success, &answered.success);
        self.send(op.out.failure, &answered.failure);
        self.skip(op.out.skipped, &answered.skipped);
        if any(&running) {
            if op.running != Reg::NONE {
                self.send(op.running, &running);
            }
            if let Some(slot) = op.slot {
                self.occupy(slot, &running);
            }
        }
    }

    /// Asks a condition outside of its place in the code, without a trace. Returns the agents that succeeded, and those
    /// that were skipped.
    pub(super) fn test(&mut self, op: &ConditionOp, lanes: &Bits<W>) -> [Bits<W>; 2] {
        let mut input = *lanes;
        if op.args.computed {
            let failed = self.evaluate_args(op.node, op.args, lanes);
            remove(&mut input, &failed);
        }
        if !any(&input) {
            return [zero(); 2];
        }
        self.stir(&input);
        let first = self.call.at(op.node, op.leaf, op.args);
        let mut blank = Blank::new();
        let mut answers = blank.answers(first);
        let asked = Lanes::new(first, &input);
        self.before_call();
        self.host.ask(&mut self.call, asked, &mut answers);
        self.after_call();
        if answers.is_plain {
            let holds = &blank.success;
            let success = match op.negated {
                true => without(&input, holds),
                false => and(&input, holds),
            };
            return [success, zero()];
        }
        let others = answers.others;
        let answered = blank.read(&input, others);
        match op.negated {
            true => [answered.failure, answered.skipped],
            false => [answered.success, answered.skipped],
        }
    }

    /// A condition whose answers are success or failure, nothing else.
    #[inline(always)]
    fn plain_condition(&mut self, op: &ConditionOp, input: &Bits<W>, holds: &Bits<W>) {
        let (mut success, mut failure) = (and(input, holds), without(input, holds));
        if op.negated {
            std::mem::swap(&mut success, &mut failure);
        }
        self.record_all(op.node, Event::Tick(Status::Success), &success);
        self.record_all(op.node, Event::Tick(Status::Failure), &failure);
        self.send(op.out.success, &success);
        self.send(op.out.failure, &failure);
    }

    #[inline(always)]
    fn record_answers(&mut self, node: NodeId, answered: &Answered<W>) {
        self.record_all(node, Event::Tick(Status::Success), &answered.success);
        self.record_all(node, Event::Tick(Status::Failure), &answered.failure);
        self.record_all(node, Event::Tick(Status::Skipped), &answered.skipped);
        self.record_all(node, Event::Tick(Status::Running), &answered.running);
    }

    pub(super) fn action(&mut self, op: &ActionOp) {
        vectorized(W, Act(self, op));
    }

    #[inline(always)]
    fn action_with(exec: &mut Self, op: &ActionOp) {
        let mut input = exec.take(op.input);
        let was = exec.slots[op.slot as usize];
        let stale = exec.stale(&was, &input, op.reach);
        let place = (op.node, op.leaf, op.args);
        if any(&stale) {
            remove(&mut exec.slots[op.slot as usize], &stale);
            exec.stir(&stale);
            exec.record_all(op.node, Event::Abort, &stale);
            exec.stop(place, &stale, Outcome::Aborted);
        }
        if !any(&input) {
            return;
        }
        let mut started = without(&input, &was);
        if any(&started) {
            if op.args.computed {
                let failed = exec.evaluate_args(op.node, op.args, &started);
                exec.record_all(op.node, Event::Tick(Status::Failure), &failed);
                exec.send(op.out.failure, &failed);
                remove(&mut input, &failed);
                remove(&mut started, &failed);
            }
            if any(&started) {
                exec.record_all(op.node, Event::Start, &started);
                if op.life == Life::Reported {
                    exec.number_runs(op, &started);
                }
                let first = exec.call.at(op.node, op.leaf, op.args);
                exec.before_call();
                exec.host.start(&mut exec.call, Lanes::new(first, &started));
                exec.after_call();
            }
        }
        if !any(&input) {
            return;
        }
        let answered = if op.life == Life::Reported {
            exec.reported(op, &input, &started)
        } else {
            exec.update(op, &input)
        };
        let running = answered.running;
        exec.record_answers(op.node, &answered);
        remove(&mut exec.slots[op.slot as usize], &input);
        exec.occupy(op.slot, &running);
        if any(&answered.skipped) {
            exec.skipped_action(op, &answered.skipped, &started);
        }
        if any(&answered.success) {
            exec.stop(place, &answered.success, Outcome::Success);
            exec.send(op.out.success, &answered.success);
        }
        if any(&answered.failure) {
            exec.stop(place, &answered.failure, Outcome::Failure);
            exec.send(op.out.failure, &answered.failure);
        }
    }

    #[inline(always)]
    fn update(&mut self, op: &ActionOp, input: &Bits<W>) -> Answered<W> {
        let mut blank = Blank::new();
        let mut answers = blank.answers(self.call.around.first);
        let first = self.call.at(op.node, op.leaf, op.args);
        self.before_call();
        self.host
            .update(&mut self.call, Lanes::new(first, input), &mut answers);
        self.after_call();
        let others = answers.others;
        let mut answered = blank.read(input, others);
        if op.life == Life::Instant {
            let running = std::mem::replace(&mut answered.running, zero());
            for (word, &mask) in running.iter().enumerate() {
                if mask != 0 {
                    self.fault(op.node, &FaultKind::InstantRan, word, mask);
                }
            }
            add(&mut answered.failure, &running);
        }
        answered
    }

    /// Counts runs of actions that the host ends itself.
    #[cold]
    pub(super) fn number_runs(&mut self, op: &ActionOp, started: &Bits<W>) {
        let runs = self.call.run.narrow_mut(op.runs);
        for_each(started, |lane| runs[lane] = runs[lane].wrapping_add(1));
    }

    /// The ends that the host has reported for actions that it ends itself.
    #[cold]
    fn reported(&mut self, op: &ActionOp, input: &Bits<W>, started: &Bits<W>) -> Answered<W> {
        let [success, failure] = op.reported.map(|column| {
            remove(self.column_mut(column), started);
            and(&self.column(column), input)
        });
        self.stir(&or(&or(&success, &failure), started));
        Answered {
            success,
            failure,
            skipped: zero(),
            running: without(&without(input, &success), &failure),
        }
    }

    /// An action answered skipped. At its first update this ends it. Later it stays open, or is aborted if its parent
    /// says so.
    #[cold]
    fn skipped_action(&mut self, op: &ActionOp, skipped: &Bits<W>, started: &Bits<W>) {
        let place = (op.node, op.leaf, op.args);
        let first = and(skipped, started);
        if any(&first) {
            self.stop(place, &first, Outcome::Aborted);
        }
        let open = without(skipped, started);
        if any(&open) {
            if op.drop {
                self.record_all(op.node, Event::Abort, &open);
                self.stop(place, &open, Outcome::Aborted);
            } else {
                self.occupy(op.slot, &open);
            }
        }
        self.skip(op.out.skipped, skipped);
    }

    pub(super) fn check(
        &mut self,
        node: NodeId,
        expr: u32,
        input: Reg,
        (to_success, to_failure): (Reg, Reg),
    ) {
        let input = self.take(input);
        let (success, _) = self.ask_guard(node, expr, &input);
        let failure = without(&input, &success);
        self.record_all(node, Event::Tick(Status::Success), &success);
        self.record_all(node, Event::Tick(Status::Failure), &failure);
        self.send(to_success, &success);
        self.send(to_failure, &failure);
    }

    pub(super) fn set(
        &mut self,
        node: NodeId,
        (start, count): (u32, u32),
        input: Reg,
        (to_success, to_failure): (Reg, Reg),
    ) {
        let input = self.take(input);
        let failed = self.assign(node, (start, count), &input);
        let success = without(&input, &failed);
        self.record_all(node, Event::Write, &success);
        self.record_all(node, Event::Tick(Status::Success), &success);
        self.record_all(node, Event::Tick(Status::Failure), &failed);
        self.send(to_success, &success);
        self.send(to_failure, &failed);
    }

    /// Carries out assignments. Returns the agents for which one failed; the remaining ones are then left out.
    pub(super) fn assign(
        &mut self,
        node: NodeId,
        (start, count): SetRange,
        lanes: &Bits<W>,
    ) -> Bits<W> {
        let mut failed = zero();
        let program = self.call.around.program;
        for step in &program.sets[start as usize..(start + count) as usize] {
            let slot = program.board.keys[step.key.index()];
            for word in 0..W {
                let active = lanes[word] & !failed[word];
                let Some(expr) = step.expr else {
                    self.unset(slot, word, active);
                    if step.forgets && slot.is_own() {
                        self.forget_writes(slot, word, active);
                    }
                    if self.wants_values() {
                        self.record(node, Event::Unset(step.key), word, active);
                    }
                    continue;
                };
                if active != 0 {
                    let bad = self.evaluate(node, expr, word, active);
                    failed[word] |= bad;
                    if step.change != Change::Set {
                        failed[word] |= self.change_list(node, step, word, active & !bad);
                        continue;
                    }
                    self.store(slot, word, active & !bad);
                    self.note_set(node, step.key, word, active & !bad);
                }
            }
        }
        failed
    }

    pub(super) fn wait(&mut self, op: &WaitOp) {
        let input = self.take(op.input);
        let was = self.slots[op.slot as usize];
        let stale = self.stale(&was, &input, op.reach);
        remove(&mut self.slots[op.slot as usize], &stale);
        let failure = self.set_times(op.node, op.secs, op.deadline, &without(&input, &was));
        let begun = without(&input, &failure);
        let waiting = |exec: &Self| or(&exec.slots[op.slot as usize], &begun);
        let success = self.due(op.deadline, &begun, waiting);
        let running = without(&begun, &success);
        remove(&mut self.slots[op.slot as usize], &input);
        self.occupy(op.slot, &running);
        self.stir_changes(op.slot, &was);
        self.stir(&without(&input, &was));
        self.record_all(op.node, Event::Tick(Status::Success), &success);
        self.record_all(op.node, Event::Tick(Status::Failure), &failure);
        self.record_all(op.node, Event::Tick(Status::Running), &running);
        self.send(op.out.success, &success);
        self.send(op.out.failure, &failure);
    }

    pub(super) fn run_forever(&mut self, node: NodeId, input: Reg, slot: u32, reach: Reach) {
        let input = self.take(input);
        let was = self.slots[slot as usize];
        let stale = self.stale(&was, &input, reach);
        remove(&mut self.slots[slot as usize], &stale);
        self.occupy(slot, &input);
        self.stir_changes(slot, &was);
        self.record_all(node, Event::Tick(Status::Running), &input);
    }
}

struct Act<'x, 'e, const W: usize, S>(&'x mut Exec<'e, W, S>, &'x ActionOp);

impl<const W: usize, S: Sink> Kernel for Act<'_, '_, W, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        Exec::action_with(self.0, self.1);
    }
}
