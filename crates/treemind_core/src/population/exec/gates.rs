//! Decorators that act before their child is ticked, and watches, which observe how it ends.

use super::Exec;
use super::bits::{Bits, add, and, any, for_each, or, remove, set_lane, without, zero};
use crate::blackboard::WIDE;
use crate::fault::FaultKind;
use crate::host::Lanes;
use crate::ids::NodeId;
use crate::program::op::{Gate, GateKind, Hook, Leave, Out, Reg, Remember, Secs, ServiceOp, Watch};
use crate::time::nanos_of_secs;
use crate::trace::{Event, Sink};
use crate::value::Value;

/// With at least this many agents in a word, the times of the whole word are compared together.
const MANY: u32 = 12;

/// One bit per time: set when the time has been reached.
#[inline]
pub(in crate::population) fn past_of_word(times: &[u64], now: u64) -> u64 {
    // From the last time to the first, so that each comparison shifts the word and adds one bit.
    let later = times.iter().rev().fold(0, |later: u64, time| {
        later
            .wrapping_add(later)
            .wrapping_add(u64::from(now < *time))
    });
    !later
}

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    pub(super) fn gate(&mut self, gate: &Gate) {
        let input = self.take(gate.input);
        if let Some(slot) = gate.kind.waiting() {
            let waiting = self.slots[slot as usize];
            let stale = self.stale(&waiting, &input, gate.reach);
            remove(&mut self.slots[slot as usize], &stale);
        }
        if let Some(keeps) = gate.kind.keeps() {
            let running = self.slots[keeps.slot as usize];
            let stale = self.stale(&running, &input, gate.reach);
            if any(&stale) {
                remove(&mut self.slots[keeps.slot as usize], &stale);
                self.put_aside(keeps.left, &stale);
            }
        }
        if !any(&input) {
            return;
        }
        let live = and(&self.live(gate.child), &input);
        let fresh = without(&input, &live);
        let pass = match gate.kind {
            GateKind::Limit { runs, count } => or(&live, &self.limit(gate, runs, count, &fresh)),
            GateKind::Cooling {
                until,
                else_skipped,
            } => {
                let cold = self.past(until, &fresh);
                let turned_away = without(&fresh, &cold);
                if else_skipped {
                    self.skip(gate.out.skipped, &turned_away);
                } else {
                    self.send(gate.out.failure, &turned_away);
                }
                or(&live, &cold)
            }
            GateKind::Timeout {
                secs,
                deadline,
                kept,
            } => self.timeout(gate, (secs, deadline, kept), &input, &live),
            GateKind::Delay {
                secs,
                deadline,
                slot,
                kept,
            } => {
                let waiting = self.slots[slot as usize];
                let kept = kept.map_or(zero(), |kept| {
                    and(&without(&self.slots[kept as usize], &waiting), &fresh)
                });
                let over = self.delay(gate, (secs, deadline, slot), &without(&fresh, &kept));
                or(&or(&live, &kept), &over)
            }
            GateKind::Chance { probability, draws } => {
                or(&live, &self.chance(gate, probability, draws, &fresh))
            }
            GateKind::Service(index) => {
                let service = self.code.services[index as usize];
                self.serve(gate, &service, &live, &input);
                input
            }
            GateKind::Once {
                success,
                failure,
                then_skip,
            } => self.remembered(gate, (success, failure), then_skip, &input),
            GateKind::OnChange {
                key,
                waiting,
                keeps,
            } => {
                let written = self.on_change(gate, key, waiting, &fresh);
                if let Some(keeps) = keeps {
                    self.take_back(keeps.left as usize, &written);
                    self.occupy(keeps.slot, &written);
                }
                or(&live, &written)
            }
            GateKind::Scope { locals } => {
                self.reset(locals, &fresh);
                input
            }
        };
        self.send(gate.body, &pass);
    }

    /// The agents whose time in a column has been reached.
    pub(super) fn past(&self, column: u32, lanes: &Bits<W>) -> Bits<W> {
        let times = self.call.run.read().wide(column);
        let now = self.call.around.now_ns;
        let mut past = zero();
        for word in 0..W {
            let all = times.get(word * 64..word * 64 + 64);
            past[word] = match all.filter(|_| lanes[word].count_ones() >= MANY) {
                Some(times) => lanes[word] & past_of_word(times, now),
                None => {
                    let (mut rest, mut past) = (lanes[word], 0);
                    while rest != 0 {
                        let bit = rest.trailing_zeros();
                        past |= u64::from(times[word * 64 + bit as usize] <= now) << bit;
                        rest &= rest - 1;
                    }
                    past
                }
            };
        }
        past
    }

    /// As [`past`](Self::past), for a column in which `waiting` are all agents that wait for their time, and whose
    /// times are written by [`set_times`](Self::set_times) only. If nobody's time has come, no time is read.
    pub(super) fn due(
        &mut self,
        column: u32,
        lanes: &Bits<W>,
        waiting: impl FnOnce(&Self) -> Bits<W>,
    ) -> Bits<W> {
        if W >= WIDE && self.call.around.now_ns < *self.call.run.earliest_mut(column) {
            return zero();
        }
        let past = self.past(column, lanes);
        // Where some agents are due, others mostly are in the next tick, and their times have to be read anyway.
        if W >= WIDE && !any(&past) {
            let times = self.call.run.read().wide(column);
            let mut earliest = u64::MAX;
            for_each(&waiting(self), |lane| earliest = earliest.min(times[lane]));
            *self.call.run.earliest_mut(column) = earliest;
        }
        past
    }

    /// Calls `each` with the lane and the value of an expression for every agent. Returns the agents for which the
    /// expression failed.
    pub(super) fn for_values(
        &mut self,
        node: NodeId,
        expr: u32,
        lanes: &Bits<W>,
        mut each: impl FnMut(&mut Self, usize, Value),
    ) -> Bits<W> {
        let mut failed = zero();
        let ty = self.call.around.program.exprs[expr as usize].ty;
        for word in 0..W {
            if lanes[word] == 0 {
                continue;
            }
            failed[word] = self.evaluate(node, expr, word, lanes[word]);
            let mut rest = lanes[word] & !failed[word];
            while rest != 0 {
                let bit = rest.trailing_zeros() as usize;
                let value = self.stacks.value(ty, bit);
                each(self, word * 64 + bit, value);
                rest &= rest - 1;
            }
        }
        failed
    }

    /// Writes the current time plus some seconds to a column. Returns the agents for which that is not a valid time.
    pub(super) fn set_times(
        &mut self,
        node: NodeId,
        secs: Secs,
        column: u32,
        lanes: &Bits<W>,
    ) -> Bits<W> {
        let mut bad = zero();
        let now = self.call.around.now_ns;
        let end = |exec: &mut Self, lane, secs: f64, bad: &mut Bits<W>| match nanos_of_secs(secs) {
            Some(nanos) => {
                let time = now.saturating_add(nanos);
                exec.call.run.wide_mut(column)[lane] = time;
                exec.note_earliest(column, time);
            }
            None => set_lane(bad, lane),
        };
        let Some((jitter, draws)) = secs.jitter else {
            let constant = self.call.around.program.exprs[secs.expr as usize].constant();
            if let Some(nanos) = constant.and_then(nanos_of_secs) {
                let time = now.saturating_add(nanos);
                let times = self.call.run.wide_mut(column);
                for_each(lanes, |lane| times[lane] = time);
                if any(lanes) {
                    self.note_earliest(column, time);
                }
                return zero();
            }
            let failed = self.for_values(node, secs.expr, lanes, |exec, lane, value| {
                end(exec, lane, value.as_double(), &mut bad);
            });
            self.bad_durations(node, &bad);
            return or(&failed, &bad);
        };
        // The column holds the first part until the other one is known.
        let mut failed = self.for_values(node, secs.expr, lanes, |exec, lane, value| {
            exec.call.run.wide_mut(column)[lane] = value.as_double().to_bits();
        });
        let rest = without(lanes, &failed);
        let drawn = self.for_values(node, jitter, &rest, |exec, lane, value| {
            let unit = exec.next_draw(node, draws, lane).unit();
            let least = f64::from_bits(exec.call.run.read().wide(column)[lane]);
            end(exec, lane, least + unit * value.as_double(), &mut bad);
        });
        add(&mut failed, &drawn);
        self.bad_durations(node, &bad);
        or(&failed, &bad)
    }

    #[inline(always)]
    fn note_earliest(&mut self, column: u32, time: u64) {
        if W >= WIDE {
            let earliest = self.call.run.earliest_mut(column);
            *earliest = time.min(*earliest);
        }
    }

    fn bad_durations(&mut self, node: NodeId, bad: &Bits<W>) {
        for (word, &mask) in bad.iter().enumerate() {
            if mask != 0 {
                self.fault(node, &FaultKind::BadDuration, word, mask);
            }
        }
    }

    /// Calls the service for the agents whose time has been reached, and sets the time of their next call.
    fn serve(&mut self, gate: &Gate, service: &ServiceOp, live: &Bits<W>, input: &Bits<W>) {
        let due = or(&without(input, live), &self.past(service.due, live));
        let mut called = due;
        if service.args.computed && any(&due) {
            let failed = self.evaluate_args(gate.node, service.args, &due);
            remove(&mut called, &failed);
        }
        if any(&called) {
            self.record_all(gate.node, Event::Serve, &called);
            let first = self.call.at(gate.node, service.leaf, service.args);
            self.before_call();
            self.host.serve(&mut self.call, Lanes::new(first, &called));
            self.after_call();
        }
        let never = self.set_times(gate.node, service.secs, service.due, &due);
        let times = self.call.run.wide_mut(service.due);
        for_each(&never, |lane| times[lane] = u64::MAX);
    }

    fn limit(&mut self, gate: &Gate, runs: u32, count: u32, fresh: &Bits<W>) -> Bits<W> {
        let mut pass = zero();
        self.for_values(gate.node, runs, fresh, |exec, lane, value| {
            let begun = &mut exec.call.run.narrow_mut(count)[lane];
            if let Value::Int(most) = value
                && i64::from(*begun) < most
            {
                *begun = begun.saturating_add(1);
                set_lane(&mut pass, lane);
            }
        });
        self.send(gate.out.failure, &without(fresh, &pass));
        pass
    }

    /// The agents whose time is not over.
    fn timeout(
        &mut self,
        gate: &Gate,
        (secs, deadline, kept): (Secs, u32, Option<u32>),
        input: &Bits<W>,
        live: &Bits<W>,
    ) -> Bits<W> {
        let going = kept.map_or(*live, |kept| or(live, &self.slots[kept as usize]));
        let fresh = without(input, &going);
        self.stir(&fresh);
        let failed = self.set_times(gate.node, secs, deadline, &fresh);
        let begun = without(input, &failed);
        let waiting = |exec: &Self| {
            let kept = kept.map_or(zero(), |kept| exec.slots[kept as usize]);
            or(&or(&exec.live(gate.child), &kept), &begun)
        };
        let mut over = self.due(deadline, &begun, waiting);
        if kept.is_some() {
            // Nothing ran that could have been aborted, so this run has no limit any more.
            let times = self.call.run.wide_mut(deadline);
            for_each(&without(&over, live), |lane| times[lane] = u64::MAX);
            over = and(&over, live);
        }
        self.abort(gate.child, &and(&over, live));
        self.send(gate.out.failure, &or(&failed, &over));
        without(&begun, &over)
    }

    fn delay(
        &mut self,
        gate: &Gate,
        (secs, deadline, slot): (Secs, u32, u32),
        fresh: &Bits<W>,
    ) -> Bits<W> {
        let waiting = and(&self.slots[slot as usize], fresh);
        let failed = self.set_times(gate.node, secs, deadline, &without(fresh, &waiting));
        self.send(gate.out.failure, &failed);
        let begun = without(fresh, &failed);
        let waiting = |exec: &Self| or(&exec.slots[slot as usize], &begun);
        let over = self.due(deadline, &begun, waiting);
        remove(&mut self.slots[slot as usize], &over);
        self.occupy(slot, &without(&begun, &over));
        over
    }

    fn chance(&mut self, gate: &Gate, probability: u32, draws: u32, fresh: &Bits<W>) -> Bits<W> {
        let mut pass = zero();
        self.for_values(gate.node, probability, fresh, |exec, lane, value| {
            let draw = exec.next_draw(gate.node, draws, lane);
            if let Value::Double(probability) = value
                && draw.unit() < probability
            {
                set_lane(&mut pass, lane);
            }
        });
        self.send(gate.out.failure, &without(fresh, &pass));
        pass
    }

    /// Answers for the agents whose child has ended before, and returns the others.
    fn remembered(
        &mut self,
        gate: &Gate,
        (success, failure): (u32, u32),
        then_skip: bool,
        input: &Bits<W>,
    ) -> Bits<W> {
        let success = and(&self.column(success), input);
        let failure = and(&self.column(failure), input);
        let ended = or(&success, &failure);
        if then_skip {
            self.skip(gate.out.skipped, &ended);
        } else {
            self.send(gate.out.success, &success);
            self.send(gate.out.failure, &failure);
        }
        without(input, &ended)
    }

    pub(super) fn remember(&mut self, remember: &Remember) {
        let success = self.take(remember.success);
        let failure = self.take(remember.failure);
        let [successes, failures] = remember.columns;
        add(self.column_mut(successes), &success);
        add(self.column_mut(failures), &failure);
        self.send(remember.out.success, &success);
        self.send(remember.out.failure, &failure);
    }

    /// After a child that stays open when it is skipped.
    pub(super) fn leave(&mut self, leave: &Leave) {
        let skipped = self.hand_on(leave.answers, leave.keeps.slot, &leave.out);
        self.put_aside(leave.keeps.left, &skipped);
    }

    /// Hands on what a child has answered that is not running any more, which a slot tells. Returns who was skipped.
    pub(super) fn hand_on(&mut self, answers: [Reg; 3], runs: u32, out: &Out) -> Bits<W> {
        let [success, failure, skipped] = answers.map(|answer| self.take(answer));
        let answered = or(&or(&success, &failure), &skipped);
        remove(&mut self.slots[runs as usize], &answered);
        self.send(out.success, &success);
        self.send(out.failure, &failure);
        self.skip(out.skipped, &skipped);
        skipped
    }

    pub(super) fn watch_begin(&mut self, watch: &Watch) {
        let input = self.take(watch.input);
        self.send(watch.entered, &input);
        self.send(watch.inner, &input);
    }

    pub(super) fn watch_end(&mut self, watch: &Watch) {
        let entered = self.take(watch.entered);
        let [success, failure, skipped] = watch.answers.map(|answer| self.take(answer));
        let was = self.slots[watch.slot as usize];
        let stale = self.stale(&was, &entered, watch.reach);
        let live = and(&self.live(watch.inside), &entered);
        // A catch also waits for agents whose children were all skipped.
        let lasting = match watch.hook {
            Hook::Catch { .. } | Hook::Keep => or(&live, &skipped),
            Hook::Cool { .. } | Hook::Statements(_) => live,
        };
        let mut aborted = stale;
        if watch.drop {
            // What is loose in it as well, which makes nobody live.
            self.abort(watch.inside, &skipped);
            add(&mut aborted, &and(&skipped, &lasting));
        }
        let slot = &mut self.slots[watch.slot as usize];
        remove(slot, &or(&entered, &stale));
        self.occupy(watch.slot, &without(&lasting, &aborted));
        if any(&aborted) {
            self.run_hook(watch, &aborted);
        }
        if let Hook::Cool { .. } = watch.hook {
            let ended = or(&success, &failure);
            if any(&ended) {
                self.run_hook(watch, &ended);
            }
        }
        self.send(watch.out.success, &success);
        self.send(watch.out.failure, &failure);
        self.skip(watch.out.skipped, &skipped);
    }

    /// Carries out the effect of a watch.
    pub(super) fn run_hook(&mut self, watch: &Watch, lanes: &Bits<W>) {
        match watch.hook {
            Hook::Cool { secs, until } => {
                let failed = self.set_times(watch.node, secs, until, lanes);
                let untils = self.call.run.wide_mut(until);
                for_each(&failed, |lane| untils[lane] = 0);
            }
            Hook::Statements(range) => self.statements(watch.node, range, lanes),
            Hook::Keep => {}
            Hook::Catch { part } => {
                let part = self.code.parts[part as usize];
                self.send(part.input, lanes);
                self.run_part(part.start, part.end);
                self.take(part.answers);
                self.abort(part.slots, lanes);
            }
        }
    }

    /// Visits the pending instructions in a part of the code.
    pub(super) fn run_part(&mut self, start: u32, end: u32) {
        let code = self.code;
        let mut place = start;
        while place < end {
            let (word, bit) = (place as usize / 64, place % 64);
            let pending = self.pending[word] & (u64::MAX << bit);
            if pending == 0 {
                place = (word as u32 + 1) * 64;
                continue;
            }
            place = word as u32 * 64 + pending.trailing_zeros();
            if place >= end {
                return;
            }
            self.pending[word] &= !(1 << (place % 64));
            if W >= WIDE && self.tracks {
                self.stir_by(place);
            }
            place = self
                .step(code, &code.ops[place as usize])
                .unwrap_or(place + 1);
        }
    }
}
