//! Nodes with an instruction before their children and one after them: interrupts, semaphores, runs that continue after
//! an answer, a task with a background. Also what selectors and limits do before their children.

use super::Exec;
use super::bits::{Bits, add, and, any, for_each, or, remove, set_lane, without, zero};
use crate::behaviour::{Scope, Semaphore};
use crate::fault::FaultKind;
use crate::ids::NodeId;
use crate::program::op::{
    Around, Auction, Backed, Close, Interrupt, Interruptible, Loose, Preempt, RunBegin, SemaphoreOp,
};
use crate::status::Status;
use crate::trace::{Event, Sink};

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Sends agents in, and to the instruction after their child.
    fn go_in(&mut self, around: &Around, lanes: &Bits<W>) {
        self.send(around.entered, lanes);
        self.send(around.inner, lanes);
    }

    pub(super) fn interruptible_begin(&mut self, op: &Interruptible) {
        let around = &op.around;
        let mut input = self.take(around.input);
        let mut answers: [Bits<W>; 2] = [zero(), zero()];
        for (slot, answer) in op.pending.into_iter().zip(&mut answers) {
            let pending = self.slots[slot as usize];
            let stale = self.stale(&pending, &input, around.reach);
            *answer = and(&pending, &input);
            self.slots[slot as usize] = without(&without(&pending, &stale), answer);
        }
        remove(&mut input, &or(&answers[0], &answers[1]));
        self.go_in(around, &input);
        self.send(around.out.success, &answers[0]);
        self.send(around.out.failure, &answers[1]);
    }

    pub(super) fn interruptible_end(&mut self, op: &Interruptible) {
        let around = &op.around;
        let entered = self.take(around.entered);
        let [mut success, mut failure, mut skipped] =
            around.answers.map(|answer| self.take(answer));
        let pending = op
            .pending
            .map(|slot| and(&self.slots[slot as usize], &entered));
        let ended = or(&pending[0], &pending[1]);
        if any(&ended) {
            // Tasks that run during an abort cannot be interrupted.
            for slot in op.pending {
                remove(&mut self.slots[slot as usize], &ended);
            }
            self.abort(around.inside, &ended);
            for answer in [&mut success, &mut failure, &mut skipped] {
                remove(answer, &ended);
            }
            add(&mut success, &pending[0]);
            add(&mut failure, &pending[1]);
        }
        self.send(around.out.success, &success);
        self.send(around.out.failure, &failure);
        self.skip(around.out.skipped, &skipped);
    }

    pub(super) fn interrupt(&mut self, op: &Interrupt) {
        let input = self.take(op.input);
        if let Some(slot) = op.slot {
            let running = self.slots[slot as usize];
            let stale = self.stale(&running, &input, op.reach);
            remove(&mut self.slots[slot as usize], &or(&stale, &input));
        }
        let code = self.code;
        let (mut found, mut from_inside) = (zero(), zero());
        let targets = if self.cutting == 0 {
            &op.targets[..]
        } else {
            &[]
        };
        for &(target, inside) in targets {
            let target = &code.interruptibles[target as usize];
            let [first, second] = target.pending.map(|slot| self.slots[slot as usize]);
            let mut hit = without(&input, &or(&first, &second));
            if inside {
                add(&mut from_inside, &hit);
            } else {
                hit = and(&hit, &self.live(target.around.inside));
            }
            let slot = target.pending[usize::from(!op.succeeds)];
            self.occupy(slot, &hit);
            self.wake(target.begin);
            if !inside {
                self.abort(target.around.inside, &hit);
            }
            add(&mut found, &hit);
        }
        let failure = without(&input, &found);
        let success = without(&found, &from_inside);
        if let Some(slot) = op.slot {
            self.occupy(slot, &from_inside);
        }
        self.record_all(op.node, Event::Tick(Status::Success), &success);
        self.record_all(op.node, Event::Tick(Status::Failure), &failure);
        self.record_all(op.node, Event::Tick(Status::Running), &from_inside);
        self.send(op.success, &success);
        self.send(op.failure, &failure);
    }

    pub(super) fn semaphore_begin(&mut self, op: &SemaphoreOp) {
        let around = &op.around;
        let input = self.take(around.input);
        let asking = self.slots[op.asking as usize];
        let stale = self.stale(&asking, &input, around.reach);
        remove(&mut self.slots[op.asking as usize], &or(&stale, &input));
        let outbid = match op.auction {
            Some(auction) => self.take_places_back(op, auction, &input),
            None => zero(),
        };
        let held = and(&self.slots[op.held as usize], &input);
        let mut failure = zero();
        if !op.waits {
            failure = outbid;
        }
        let without_place = without(&without(&input, &held), &failure);
        let mut pass = held;
        if let Some(auction) = op.auction {
            let bidders = match auction.holders_bid {
                true => without(&input, &failure),
                false => without_place,
            };
            self.read_bids(around.node, auction, &bidders);
        }
        if op.shared {
            let again = and(&without_place, &asking);
            let tick = self.call.around.tick;
            for_each(&without(&without_place, &again), |lane| {
                self.call.run.wide_mut(op.since)[lane] = tick;
            });
            if op.waits {
                self.occupy(op.asking, &without_place);
            } else {
                self.occupy(op.asking, &without(&without_place, &again));
                add(&mut failure, &again);
            }
        } else if any(&without_place) {
            let free = self.with_free_place(op, &without_place);
            self.occupy(op.held, &free);
            add(&mut pass, &free);
            let none = without(&without_place, &free);
            if op.waits {
                self.occupy(op.asking, &none);
            } else {
                failure = none;
            }
        }
        self.go_in(around, &pass);
        self.send(around.out.failure, &failure);
    }

    /// Aborts the child of the agents that were outbid, and takes their places back. Returns them.
    fn take_places_back(&mut self, op: &SemaphoreOp, auction: Auction, input: &Bits<W>) -> Bits<W> {
        let marked = and(&self.slots[auction.outbid as usize], input);
        let outbid = and(&marked, &self.slots[op.held as usize]);
        if any(&marked) {
            self.abort(op.around.inside, &outbid);
            remove(&mut self.slots[auction.outbid as usize], &marked);
            remove(&mut self.slots[op.held as usize], &outbid);
        }
        outbid
    }

    fn read_bids(&mut self, node: NodeId, auction: Auction, bidders: &Bits<W>) {
        let mut bad: Bits<W> = zero();
        let failed = self.for_values(node, auction.expr, bidders, |exec, lane, value| {
            let bid = value.as_double();
            if !bid.is_finite() {
                set_lane(&mut bad, lane);
            }
            let bid = if bid.is_finite() && bid > 0.0 {
                bid
            } else {
                0.0
            };
            exec.call.run.wide_mut(auction.bid)[lane] = bid.to_bits();
        });
        for_each(&failed, |lane| {
            self.call.run.wide_mut(auction.bid)[lane] = 0;
        });
        for (word, &mask) in bad.iter().enumerate() {
            if mask != 0 {
                self.fault(node, &FaultKind::BadScore, word, mask);
            }
        }
    }

    /// The agents that have free places left in a semaphore of their own.
    fn with_free_place(&self, op: &SemaphoreOp, lanes: &Bits<W>) -> Bits<W> {
        let mut free = zero();
        for_each(lanes, |lane| {
            if self.free_places(op.semaphore.index(), lane) > 0 {
                set_lane(&mut free, lane);
            }
        });
        free
    }

    /// Records the number of free places of each semaphore for expressions.
    #[cold]
    pub(super) fn tell_free_places(&mut self, word: usize, active: u64) {
        let program = self.call.around.program;
        for (index, semaphore) in program.behaviour.semaphores().iter().enumerate() {
            let mut rest = active;
            while rest != 0 {
                let lane = word * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let free = match semaphore.scope {
                    Scope::Agent => self.free_places(index, lane),
                    Scope::Group | Scope::World => self.shared_places(index, semaphore, lane),
                };
                self.call.board.wide_mut(program.board.free[index])[lane] = free as u64;
            }
        }
    }

    /// The places of a shared semaphore that were free at the start of the tick.
    fn shared_places(&self, index: usize, semaphore: &Semaphore, lane: usize) -> i64 {
        let agent = self.call.around.first + lane;
        let group = match semaphore.scope {
            Scope::Group => self
                .call
                .around
                .shared
                .map_or(0, |shared| shared.group(agent)),
            Scope::Agent | Scope::World => 0,
        };
        let semaphores = self.call.around.program.behaviour.semaphores().len();
        let taken = self.taken_places.get(group as usize * semaphores + index);
        i64::from(semaphore.places) - i64::from(taken.copied().unwrap_or(0))
    }

    /// The free places of an agent's own semaphore.
    fn free_places(&self, semaphore: usize, lane: usize) -> i64 {
        let (word, bit) = (lane / 64, lane % 64);
        let taken = self
            .code
            .semaphores
            .iter()
            .filter(|other| other.semaphore.index() == semaphore)
            .filter(|other| self.slots[other.held as usize][word] >> bit & 1 == 1)
            .count();
        let places = self.call.around.program.behaviour.semaphores()[semaphore].places;
        i64::from(places) - taken as i64
    }

    pub(super) fn semaphore_end(&mut self, op: &SemaphoreOp) {
        let around = &op.around;
        let entered = self.take(around.entered);
        let [success, failure, skipped] = around.answers.map(|answer| self.take(answer));
        let held = self.slots[op.held as usize];
        let stale = self.stale(&held, &entered, around.reach);
        let mut released = or(&stale, &or(&success, &failure));
        if any(&skipped) {
            if around.drop {
                self.abort(around.inside, &skipped);
            }
            let open = self.open(around.inside);
            add(&mut released, &without(&skipped, &open));
        }
        remove(&mut self.slots[op.held as usize], &released);
        if let Some(auction) = op.auction {
            remove(&mut self.slots[auction.outbid as usize], &released);
        }
        self.send(around.out.success, &success);
        self.send(around.out.failure, &failure);
        self.skip(around.out.skipped, &skipped);
    }

    pub(super) fn loose_begin(&mut self, op: &Loose) {
        let around = &op.around;
        let mut input = self.take(around.input);
        let mut again = zero();
        for_each(&input, |lane| {
            if self.counters.next(op.visits, lane) > 0 {
                set_lane(&mut again, lane);
            }
        });
        let again = and(&again, &self.open(around.inside));
        remove(&mut input, &again);
        let outer = self.regs[op.outer_held.0 as usize];
        self.hold(op.held, &or(&again, &outer));
        self.go_in(around, &input);
        self.send(op.to, &again);
    }

    pub(super) fn loose_end(&mut self, op: &Loose) {
        let around = &op.around;
        let entered = self.take(around.entered);
        let [_, _, skipped] = around.answers.map(|answer| self.take(answer));
        self.send(op.to, &without(&entered, &skipped));
        self.skip(around.out.skipped, &skipped);
    }

    pub(super) fn close(&mut self, op: &Close) {
        let success = self.take(op.success);
        let failure = self.take(op.failure);
        let skipped = self.take(op.skipped);
        self.abort(op.range, &or(&or(&success, &failure), &skipped));
        self.send(op.out.success, &success);
        self.send(op.out.failure, &failure);
        self.skip(op.out.skipped, &skipped);
    }

    pub(super) fn backed_begin(&mut self, op: &Backed) {
        let mut input = self.take(op.input);
        if let Some(done) = op.done {
            let mut finishing = zero();
            for slot in done {
                let ended = self.slots[slot as usize];
                let stale = self.stale(&ended, &input, op.reach);
                remove(&mut self.slots[slot as usize], &stale);
                add(&mut finishing, &and(&ended, &input));
            }
            remove(&mut input, &finishing);
            self.send(op.finishing, &finishing);
            self.send(op.background, &finishing);
        }
        self.send(op.entered, &input);
        self.send(op.task, &input);
    }

    pub(super) fn backed_task(&mut self, op: &Backed) {
        let entered = self.take(op.entered);
        let [success, failure, skipped] = op.answers.map(|answer| self.take(answer));
        let ended = or(&success, &failure);
        if op.drop && any(&skipped) {
            self.abort(op.whole, &skipped);
        }
        let outer = self.regs[op.outer_held.0 as usize];
        self.hold(op.held, &or(&skipped, &outer));
        let mut waiting = zero();
        if let Some(done) = op.done {
            waiting = and(&ended, &self.live(op.range));
            self.occupy(done[0], &and(&success, &waiting));
            self.occupy(done[1], &and(&failure, &waiting));
            self.send(op.finishing, &waiting);
        }
        self.abort(op.whole, &without(&ended, &waiting));
        let running = without(&without(&entered, &ended), &skipped);
        self.send(op.background, &or(&running, &waiting));
        self.send(op.passing, &skipped);
        self.send(op.out.success, &without(&success, &waiting));
        self.send(op.out.failure, &without(&failure, &waiting));
    }

    pub(super) fn backed_end(&mut self, op: &Backed) {
        self.take(op.answered);
        let finishing = self.take(op.finishing);
        let skipped = self.take(op.passing);
        if let Some(done) = op.done
            && any(&finishing)
        {
            let ended = without(&finishing, &self.live(op.range));
            for (slot, to) in done.into_iter().zip([op.out.success, op.out.failure]) {
                let answer = and(&self.slots[slot as usize], &ended);
                remove(&mut self.slots[slot as usize], &answer);
                self.send(to, &answer);
            }
        }
        self.skip(op.out.skipped, &skipped);
    }

    /// Begins a run of a node for the agents that have nothing live in it.
    pub(super) fn run_begin(&mut self, op: &RunBegin) {
        let input = self.take(op.input);
        let fresh = without(&input, &self.live(op.range));
        for column in &op.counts {
            let counts = self.call.run.narrow_mut(*column);
            for_each(&fresh, |lane| counts[lane] = 0);
        }
        self.send(op.inner, &input);
    }

    /// Evaluates the `when`s of the children before the live one.
    pub(super) fn preempt(&mut self, op: &Preempt) {
        let mut input = self.take(op.input);
        for child in &op.children {
            let asked = and(&self.live(child.lower), &input);
            if !any(&asked) {
                continue;
            }
            let (holds, bad) = self.ask_guard(child.node, child.fail_if, &asked);
            let failing = or(&holds, &bad);
            let taken = and(&without(&asked, &failing), &self.column(child.held_last));
            let column = self.column_mut(child.held_last);
            *column = or(&without(column, &asked), &failing);
            if any(&taken) {
                self.abort(op.whole, &taken);
                self.unmark(op.mark, &taken);
                self.send(child.passed, &taken);
                self.send(child.input, &taken);
                remove(&mut input, &taken);
            }
        }
        self.send(op.otherwise, &input);
    }
}
