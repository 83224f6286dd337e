//! Loops.

use super::Exec;
use super::bits::{Bits, and, any, for_each, or, remove, set_lane, without, zero};
use crate::behaviour::Yields;
use crate::fault::FaultKind;
use crate::program::op::{Loop, LoopTimes, Reg, Reread};
use crate::trace::Sink;
use crate::value::Value;

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    pub(super) fn loop_begin(&mut self, again: &Loop) {
        if let Some(each) = again.each {
            return self.each_begin(again, &self.code.eaches[each as usize]);
        }
        let mut input = self.take(again.input);
        self.wake(again.end);
        let live = self.live(again.child);
        let between = self.slots[again.between as usize];
        let stale = self.stale(&between, &input, again.reach);
        let fresh = without(&without(&input, &between), &live);
        self.slots[again.between as usize] = without(&without(&between, &stale), &input);
        self.stir_changes(again.between, &between);
        self.stir(&fresh);
        if any(&fresh) {
            let left_out = self.start_loop(again, &fresh);
            remove(&mut input, &left_out);
        }
        if again.times.reread() != Reread::Never {
            let older = without(&input, &fresh);
            if any(&older) {
                let over = self.read_times_again(again, &older);
                self.abort(again.child, &over);
                remove(&mut input, &over);
            }
        }
        if again.entered != Reg::NONE {
            self.count_ticks(again, &input);
        }
        self.send(again.body, &input);
        if again.yields != Yields::Always {
            self.regs[again.continued.0 as usize] = and(&input, &live);
            self.regs[again.scope.0 as usize] = self.regs[again.reach.scope.0 as usize];
        }
    }

    /// Reads how often the loop runs. Returns the agents that have no runs.
    fn start_loop(&mut self, again: &Loop, fresh: &Bits<W>) -> Bits<W> {
        if let Some(count) = again.count {
            let counts = self.call.run.narrow_mut(count);
            for_each(fresh, |lane| counts[lane] = 0);
            if again.entered != Reg::NONE {
                for_each(fresh, |lane| self.counters.clear(again.ticked, lane));
            }
        }
        match again.times {
            LoopTimes::Forever => zero(),
            LoopTimes::Literal(0) => {
                self.send(again.out_done, fresh);
                *fresh
            }
            LoopTimes::Literal(_) => zero(),
            LoopTimes::Expr { expr, column, .. } => {
                let mut none = zero();
                let failed = self.for_values(again.node, expr, fresh, |exec, lane, value| {
                    let times = match value {
                        Value::Int(times) => LoopTimes::clamp(times),
                        _ => 0,
                    };
                    exec.call.run.narrow_mut(column)[lane] = times;
                    if times == 0 {
                        set_lane(&mut none, lane);
                    }
                });
                self.send(again.out_done, &none);
                self.send(again.out_failure, &failed);
                or(&none, &failed)
            }
        }
    }

    /// Reads again how often the loop runs. Returns the agents whose loop ends by that.
    #[cold]
    fn read_times_again(&mut self, again: &Loop, lanes: &Bits<W>) -> Bits<W> {
        let LoopTimes::Expr { expr, column, .. } = again.times else {
            return zero();
        };
        let failed = self.for_values(again.node, expr, lanes, |exec, lane, value| {
            if let Value::Int(times) = value {
                exec.call.run.narrow_mut(column)[lane] = LoopTimes::clamp(times);
            }
        });
        let done = self.out_of_ticks(again, &without(lanes, &failed));
        self.send(again.out_done, &done);
        self.send(again.out_failure, &failed);
        or(&done, &failed)
    }

    /// Returns whether the body has to be swept again.
    pub(super) fn loop_end(&mut self, again: &Loop) -> bool {
        if let Some(each) = again.each {
            return self.each_end(again, &self.code.eaches[each as usize]);
        }
        let ended = self.take(again.again);
        let skipped = self.take(again.skipped);
        let stopped = self.take(again.stop);
        self.stir(&or(&or(&ended, &skipped), &stopped));
        if any(&stopped) {
            self.count_ends(again, &stopped);
            self.send(again.out_stop, &stopped);
        }
        if any(&skipped) {
            self.skipped_loop(again, &skipped);
        }
        if again.entered != Reg::NONE {
            let entered = self.take(again.entered);
            let answered = or(&or(&ended, &skipped), &stopped);
            let done = self.out_of_ticks(again, &without(&entered, &answered));
            self.abort(again.child, &done);
            self.send(again.out_done, &done);
        }
        let mut more = ended;
        if any(&ended) {
            let done = self.count_runs(again, &ended);
            let done = match again.times.reread() {
                Reread::TicksAndRuns => self.read_times_again(again, &ended),
                Reread::Never | Reread::Ticks => {
                    self.send(again.out_done, &done);
                    done
                }
            };
            remove(&mut more, &done);
        }
        let mut back = match again.yields {
            Yields::Always => {
                self.occupy(again.between, &more);
                return false;
            }
            Yields::Never => more,
            Yields::Fresh => and(&more, &self.regs[again.continued.0 as usize]),
        };
        self.take(again.continued);
        self.take(again.scope);
        if any(&ended) {
            let spent = self.count_ends(again, &ended);
            let spent = and(&back, &spent);
            self.budget_faults(again, &FaultKind::LoopBudget(again.max_runs), &spent);
            remove(&mut back, &spent);
            self.count_turns(again, &mut back);
        }
        self.occupy(again.between, &without(&more, &back));
        if again.entered != Reg::NONE {
            self.regs[again.entered.0 as usize] = back;
        }
        self.send(again.body, &back);
        any(&back)
    }

    /// Counts a run of each agent. Returns the agents that have completed all runs.
    fn count_runs(&mut self, again: &Loop, ended: &Bits<W>) -> Bits<W> {
        if again.entered != Reg::NONE {
            return self.out_of_ticks(again, ended);
        }
        let Some(count) = again.count else {
            return zero();
        };
        let counts = self.call.run.narrow_mut(count);
        for_each(ended, |lane| counts[lane] = counts[lane].saturating_add(1));
        self.out_of_ticks(again, ended)
    }

    /// Counts a tick of each, once in every tick.
    fn count_ticks(&mut self, again: &Loop, entered: &Bits<W>) {
        self.regs[again.entered.0 as usize] = *entered;
        self.holds |= any(entered);
        if let Some(count) = again.count {
            for_each(entered, |lane| {
                if self.counters.next(again.ticked, lane) == 0 {
                    let ticks = &mut self.call.run.narrow_mut(count)[lane];
                    *ticks = ticks.saturating_add(1);
                }
            });
        }
    }

    /// The agents whose count has reached the number of the loop.
    fn out_of_ticks(&self, again: &Loop, lanes: &Bits<W>) -> Bits<W> {
        let mut done = zero();
        let Some(count) = again.count else {
            return done;
        };
        let run = self.call.run.read();
        for_each(lanes, |lane| {
            let times = match again.times {
                LoopTimes::Literal(times) => times,
                LoopTimes::Expr { column, .. } => run.narrow(column)[lane],
                LoopTimes::Forever => u32::MAX,
            };
            if run.narrow(count)[lane] >= times {
                set_lane(&mut done, lane);
            }
        });
        done
    }

    /// Counts the runs that ended in this tick. Returns the agents whose budget is used up.
    pub(super) fn count_ends(&mut self, again: &Loop, ended: &Bits<W>) -> Bits<W> {
        let mut spent = zero();
        for_each(ended, |lane| {
            if self.counters.next(again.ends, lane) + 1 >= again.max_runs {
                set_lane(&mut spent, lane);
            }
        });
        spent
    }

    /// Counts how often agents go back. Agents whose loops have reached the limit stay here.
    pub(super) fn count_turns(&mut self, again: &Loop, back: &mut Bits<W>) {
        let most = self.call.around.runs_per_tick;
        let mut spent = zero();
        for_each(back, |lane| {
            if self.counters.next(again.turns, lane) >= most {
                set_lane(&mut spent, lane);
            }
        });
        self.budget_faults(again, &FaultKind::TurnBudget(most), &spent);
        remove(back, &spent);
    }

    /// Records the agents that continue in the next tick.
    pub(super) fn budget_faults(&mut self, again: &Loop, kind: &FaultKind, spent: &Bits<W>) {
        for (word, &mask) in spent.iter().enumerate() {
            if mask != 0 {
                self.fault(again.node, kind, word, mask);
            }
        }
    }

    /// The child was skipped: it has been aborted, and the loop keeps its count.
    #[cold]
    fn skipped_loop(&mut self, again: &Loop, skipped: &Bits<W>) {
        if again.keeps_running {
            self.occupy(again.between, skipped);
            return;
        }
        if let (Some(count), false) = (again.count, again.drop) {
            let counts = self.call.run.read();
            let counts = counts.narrow(count);
            let mut open: Bits<W> = zero();
            for_each(skipped, |lane| {
                if counts[lane] > 0 {
                    set_lane(&mut open, lane);
                }
            });
            self.occupy(again.between, &open);
        }
        self.skip(again.out_skipped, skipped);
    }
}
