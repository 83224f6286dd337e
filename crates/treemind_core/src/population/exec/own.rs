//! Composites and decorators of the host, which is asked what to do until it answers.

use super::Exec;
use super::bits::{Bits, add, and, any, for_each, has_lane, or, remove, set_lane, without, zero};
use crate::MAX_RUNS_PER_TICK;
use crate::fault::{FaultKind, OwnNodeFault};
use crate::host::{Lanes, Move, Moves, Told};
use crate::program::op::{Own, OwnChild};
use crate::status::{Outcome, Status};
use crate::trace::{Event, Sink};

/// The answers to the agents of one round.
struct Round<const W: usize> {
    success: Bits<W>,
    failure: Bits<W>,
    skipped: Bits<W>,
    /// The agents whose node has to be informed that a child was halted.
    halted: Bits<W>,
}

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    pub(super) fn own_begin(&mut self, op: &Own) {
        let mut input = self.take(op.input);
        let was = self.slots[op.slot as usize];
        let mut began = without(&input, &was);
        if any(&began) && op.args.computed {
            let failed = self.evaluate_args(op.node, op.args, &began);
            self.send(op.out.failure, &failed);
            remove(&mut input, &failed);
            remove(&mut began, &failed);
        }
        if any(&began) {
            self.record_all(op.node, Event::Start, &began);
            let first = self.call.at(op.node, op.leaf, op.args);
            self.before_call();
            self.host.start(&mut self.call, Lanes::new(first, &began));
            self.after_call();
            self.occupy(op.slot, &began);
        }
        let outer = self.regs[op.outer_held.0 as usize];
        for child in &op.children {
            self.hold(child.held, &or(&input, &outer));
        }
        if !any(&input) {
            return;
        }
        self.regs[op.entered.0 as usize] = input;
        self.regs[op.began.0 as usize] = began;
        self.wake(*op.places.last().expect("the end is one"));
        for_each(&input, |lane| self.moves.told[lane] = Told::Tick);
        self.ask_own(op, input, true);
    }

    /// After a child: the agents that were sent in have an answer, or are running.
    pub(super) fn own_check(&mut self, op: &Own, index: usize) {
        let child: &OwnChild = &op.children[index];
        let sent = self.take(child.sent);
        let [success, failure, skipped] = child.answers.map(|answer| self.take(answer));
        if !any(&sent) {
            return;
        }
        let ended = or(&or(&success, &failure), &skipped);
        let running = without(&sent, &ended);
        let open = and(&skipped, &self.live(child.range));
        add(&mut self.regs[child.ran.0 as usize], &or(&running, &open));
        let answers = [
            (Status::Success, success),
            (Status::Failure, failure),
            (Status::Skipped, skipped),
            (Status::Running, running),
        ];
        for (status, lanes) in answers {
            let told = Told::Answered {
                child: index,
                status,
            };
            for_each(&lanes, |lane| self.moves.told[lane] = told);
        }
        add(&mut self.regs[op.told.0 as usize], &sent);
        add(&mut self.regs[child.held.0 as usize], &sent);
        self.wake(*op.places.last().expect("the end is one"));
    }

    /// Returns whether children have to be ticked again.
    pub(super) fn own_end(&mut self, op: &Own) -> bool {
        let entered = self.regs[op.entered.0 as usize];
        let was = self.slots[op.slot as usize];
        let stale = self.stale(&was, &entered, op.reach);
        if any(&stale) {
            remove(&mut self.slots[op.slot as usize], &stale);
            self.record_all(op.node, Event::Abort, &stale);
            self.stop((op.node, op.leaf, op.args), &stale, Outcome::Aborted);
        }
        let told = self.take(op.told);
        if any(&told) && self.ask_own(op, told, false) {
            return true;
        }
        self.take(op.entered);
        self.take(op.began);
        for child in &op.children {
            self.take(child.ran);
            self.take(child.held);
        }
        false
    }

    /// Asks the host until every agent waits for the answer of a child. Returns whether a child has to be ticked.
    fn ask_own(&mut self, op: &Own, lanes: Bits<W>, begins: bool) -> bool {
        let mut ticks = false;
        let mut asked = lanes;
        let mut first = begins;
        loop {
            if !std::mem::take(&mut first) {
                let spent = self.out_of_decisions(op, &asked);
                remove(&mut asked, &spent);
            }
            if !any(&asked) {
                return ticks;
            }
            for_each(&asked, |lane| {
                self.moves.wanted[lane] = Move::Answer(Status::Running);
            });
            let first = self.call.at(op.node, op.leaf, op.args);
            self.before_call();
            let mut moves = Moves {
                first,
                told: &self.moves.told,
                wanted: &mut self.moves.wanted,
            };
            self.host
                .decide(&mut self.call, Lanes::new(first, &asked), &mut moves);
            self.after_call();
            let mut round = Round {
                success: zero(),
                failure: zero(),
                skipped: zero(),
                halted: zero(),
            };
            for_each(&asked, |lane| {
                ticks |= self.carry_out(op, lane, &mut round);
            });
            self.own_answers(op, &round);
            asked = round.halted;
        }
    }

    /// The agents that have reached the limit of decisions in this tick; they keep running.
    fn out_of_decisions(&mut self, op: &Own, lanes: &Bits<W>) -> Bits<W> {
        let mut spent = zero();
        for_each(lanes, |lane| {
            if self.counters.get(op.turns, lane) >= MAX_RUNS_PER_TICK {
                set_lane(&mut spent, lane);
            }
        });
        for (word, &mask) in spent.iter().enumerate() {
            if mask != 0 {
                self.fault(
                    op.node,
                    &FaultKind::OwnNode(OwnNodeFault::NoAnswer),
                    word,
                    mask,
                );
            }
        }
        spent
    }

    /// Carries out the host's decision for one agent. Returns whether a child has to be ticked.
    fn carry_out(&mut self, op: &Own, lane: usize, round: &mut Round<W>) -> bool {
        let wanted = self.moves.wanted[lane];
        let index = match wanted {
            Move::Answer(status) => {
                match status {
                    Status::Success => set_lane(&mut round.success, lane),
                    Status::Failure => set_lane(&mut round.failure, lane),
                    Status::Skipped => set_lane(&mut round.skipped, lane),
                    Status::Running => {}
                }
                return false;
            }
            Move::Tick(index) | Move::Halt(index) => index,
        };
        let mut one: Bits<W> = zero();
        set_lane(&mut one, lane);
        let Some(child) = op.children.get(index) else {
            set_lane(&mut round.failure, lane);
            return self.own_fault(op, lane, &FaultKind::OwnNode(OwnNodeFault::NoSuchChild));
        };
        if let Move::Halt(_) = wanted {
            self.counters.next(op.turns, lane);
            self.abort(child.range, &one);
            remove(&mut self.regs[child.ran.0 as usize], &one);
            self.moves.told[lane] = Told::Halted { child: index };
            set_lane(&mut round.halted, lane);
            return false;
        }
        if has_lane(&self.regs[child.ran.0 as usize], lane) {
            return self.own_fault(op, lane, &FaultKind::OwnNode(OwnNodeFault::TickedTwice));
        }
        self.counters.next(op.turns, lane);
        add(&mut self.regs[child.sent.0 as usize], &one);
        remove(&mut self.regs[child.held.0 as usize], &one);
        self.wake(op.places[index]);
        // What it passes by has to be seen also when the child is ticked in a later round.
        let start = match index {
            0 => op.body_start,
            _ => op.places[index - 1],
        };
        self.wake_slots(child.range, start, op.places[index]);
        self.send(child.input, &one);
        true
    }

    /// Records a fault; no child is ticked.
    fn own_fault(&mut self, op: &Own, lane: usize, kind: &FaultKind) -> bool {
        self.fault(op.node, kind, lane / 64, 1 << (lane % 64));
        false
    }

    fn own_answers(&mut self, op: &Own, round: &Round<W>) {
        let place = (op.node, op.leaf, op.args);
        let ends = [
            (&round.success, Outcome::Success, op.out.success),
            (&round.failure, Outcome::Failure, op.out.failure),
        ];
        for (lanes, outcome, to) in ends {
            if any(lanes) {
                self.abort(op.inside, lanes);
                remove(&mut self.slots[op.slot as usize], lanes);
                self.stop(place, lanes, outcome);
                self.send(to, lanes);
            }
        }
        if !any(&round.skipped) {
            return;
        }
        let first = and(&round.skipped, &self.regs[op.began.0 as usize]);
        let later = if op.drop {
            without(&round.skipped, &first)
        } else {
            zero()
        };
        let over = or(&first, &later);
        if any(&over) {
            self.abort(op.inside, &over);
            remove(&mut self.slots[op.slot as usize], &over);
            self.record_all(op.node, Event::Abort, &later);
            self.stop(place, &over, Outcome::Aborted);
        }
        self.skip(op.out.skipped, &round.skipped);
    }
}
