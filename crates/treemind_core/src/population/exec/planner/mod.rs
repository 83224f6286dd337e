//! Planners: what they do with the agents that they reach. What a search is, [`crate::planning`] knows.

mod goals;
mod known;
mod memory;
mod searches;

use super::Exec;
use super::bits::{Bits, any, remove, set_lane, zero};
use crate::blackboard::WIDE;
use crate::planning::Flaw;
use crate::population::ticking::intervals::is_turn;
use crate::program::op::{PlannerOp, Range};
use crate::trace::{Dropped, Event, Sink};
pub(in crate::population) use memory::{InPlan, step_of};

/// How the tick of an agent ends at a planner, before the current step is ticked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Goes,
    Succeeds,
    Fails,
}

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    pub(super) fn planner_begin(&mut self, op: &PlannerOp) {
        let input = self.take(op.input);
        self.regs[op.entered.0 as usize] = input;
        self.wake(op.end);
        for (word, &active) in input.iter().enumerate() {
            if active != 0 {
                self.planner_word(op, word, active);
            }
        }
    }

    /// The steps that ended in this tick, and the planners that were not reached.
    pub(super) fn planner_end(&mut self, op: &PlannerOp) {
        let entered = self.take(op.entered);
        let [success, failure, skipped] =
            [op.success, op.failure, op.skipped].map(|reg| self.take(reg));
        let was = self.slots[op.slot as usize];
        let stale = self.stale(&was, &entered, op.reach);
        remove(&mut self.slots[op.slot as usize], &stale);
        self.stir(&super::bits::or(&stale, &success));
        if any(&success) {
            let open = super::bits::and(&self.open(op.inside), &success);
            each_lane(&open, |lane| {
                let child = self.current_step(op, lane);
                self.abort_one(op.children[child].range, lane);
            });
            super::bits::add(self.column_mut(op.memory.ended), &success);
        }
        each_lane(&super::bits::or(&failure, &skipped), |lane| {
            let step = self.current_step(op, lane);
            self.leave_out(op, lane, step);
            self.drop_plan(op, lane, Dropped::Failed);
        });
    }

    fn planner_word(&mut self, op: &PlannerOp, word: usize, active: u64) {
        self.facts_are_unknown();
        let live = self.slots[op.slot as usize][word] & active;
        let failed_last = active & self.call.run.read().bits(op.memory.failed)[word];
        let in_turn = self.in_turn(op, word, active);
        let mut rest = active & !live;
        let mut failed = 0;
        if rest != 0 {
            self.forget(op, word, rest);
        }
        let waiting = rest & !in_turn;
        if waiting != 0 {
            failed = waiting & failed_last;
            rest &= !failed;
        }
        if rest != 0 {
            self.occupy(op.slot, &in_word(word, rest));
        }
        let mut succeeded = 0;
        let ended = live & self.call.run.read().bits(op.memory.ended)[word];
        if ended != 0 && op.asks.is_empty() {
            self.know_facts(op, word, ended);
        }
        if ended != 0 {
            self.clear_all(op.memory.ended, 1, word, ended);
        }
        each_bit(ended, |bit| {
            if self.step_ended(op, word * 64 + bit) {
                succeeded |= 1 << bit;
            }
        });
        let thinking = in_turn & active & !succeeded;
        if thinking != 0 {
            let (more, fails) = self.think(op, word, thinking);
            succeeded |= more;
            failed |= fails;
        }
        if W >= WIDE && self.tracks {
            let same_answer = !live & (failed & failed_last | succeeded & !failed_last);
            let goes_on = live & !ended & !succeeded & !failed & !self.searching(op, word);
            // Until an agent has had a turn, it does not know that there is nothing new.
            let quiet = in_turn & (same_answer | goes_on);
            self.stirred[word] |= active & !quiet;
        }
        self.finish_planner(op, word, (succeeded, failed));
        self.tick_steps(op, word, active & !succeeded & !failed);
    }

    /// The agents whose turn to think it is.
    fn in_turn(&self, op: &PlannerOp, word: usize, active: u64) -> u64 {
        if op.every == 1 {
            return active;
        }
        let first = self.call.around.first + word * 64;
        let mut turn = 0;
        each_bit(active, |bit| {
            let agent = first + bit;
            let id = self.chances.ids.get(agent).copied().unwrap_or(agent as u64);
            let is_its = is_turn(self.call.around.tick, id, op.every);
            turn |= u64::from(is_its) << bit;
        });
        turn
    }

    /// The agents of a word for whom a search is in progress.
    fn searching(&self, op: &PlannerOp, word: usize) -> u64 {
        let search = op.memory.search.as_ref();
        search.map_or(0, |search| self.any_of(search.goals, op.goals.len(), word))
    }

    /// Ends runs: everything open is aborted, then the answer goes out.
    fn finish_planner(&mut self, op: &PlannerOp, word: usize, (succeeded, failed): (u64, u64)) {
        let over = succeeded | failed;
        if over == 0 {
            return;
        }
        let set = in_word(word, over);
        self.abort(op.inside, &set);
        self.facts_are_unknown();
        remove(&mut self.slots[op.slot as usize], &set);
        let column = &mut self.call.run.bits_mut(op.memory.failed)[word];
        *column = *column & !succeeded | failed;
        self.send_word(op.out_success, word, succeeded);
        self.send_word(op.out_failure, word, failed);
    }

    /// Runs begin: nothing is left of the ones before, except which goals are fruitless.
    fn forget(&mut self, op: &PlannerOp, word: usize, agents: u64) {
        let memory = &op.memory;
        let (goals, steps) = (op.goals.len(), op.children.len());
        self.clear_all(memory.planned, 1, word, agents);
        self.clear_all(memory.ended, 1, word, agents);
        self.clear_all(memory.pursues, goals, word, agents);
        self.clear_all(memory.left_out, steps, word, agents);
        if let Some(search) = &memory.search {
            self.clear_all(search.goals, goals, word, agents);
        }
    }

    /// A step ended in an earlier tick. Returns whether the goal is reached; otherwise looks whether the rest can be
    /// done.
    fn step_ended(&mut self, op: &PlannerOp, lane: usize) -> bool {
        let Some(mut place) = self.plan_of(op, lane) else {
            return false;
        };
        let goal = self.pursued(op, lane).saturating_sub(1) as usize;
        let is_last = place.cursor + 1 == place.length;
        if is_last && op.goals[goal].wants.is_none() {
            return true;
        }
        self.read_facts(op, lane);
        if is_last
            && op
                .domain
                .is_met(goal, &self.plans.of_word[op.facts_of(lane)])
        {
            return true;
        }
        let flaw = match is_last {
            true => Err(Flaw::Unmet),
            false => self.follow_rest(op, (goal, place), lane, place.cursor + 1, false),
        };
        let Err(flaw) = flaw else {
            place.cursor += 1;
            self.set_narrow(op.memory.place, lane, place.bits());
            return false;
        };
        let promised = self.flag(op.memory.promised, lane);
        let is_vain = promised && self.hash_facts(op, lane) == self.wide(op.memory.at_start, lane);
        if is_vain {
            let step = self.current_step(op, lane);
            self.leave_out(op, lane, step);
            self.drop_plan(op, lane, Dropped::Vain);
        } else {
            let agent = 1 << (lane % 64);
            self.clear_all(op.memory.left_out, op.children.len(), lane / 64, agent);
            self.drop_plan(op, lane, dropped(flaw));
        }
        false
    }

    /// Ticks the current steps of those who have a plan.
    fn tick_steps(&mut self, op: &PlannerOp, word: usize, active: u64) {
        let planned = active & self.call.run.read().bits(op.memory.planned)[word];
        // When the document has changed, a step may be left of a plan that was dropped.
        let unplanned = active & !planned;
        if unplanned != 0 {
            let left = unplanned & self.open_in_word(op.inside, word);
            each_bit(left, |bit| self.abort_one(op.inside, word * 64 + bit));
        }
        // Whatever is aborted may contain planners, so the list is taken only now.
        let mut at = std::mem::take(&mut self.plans.at_steps);
        at.clear();
        let mut begun = 0;
        for child in &op.children {
            // The step in progress is the current one. State that was made up may have several.
            let live = match planned & !begun {
                0 => 0,
                rest => rest & self.live_in_word(child.range, word),
            };
            begun |= live;
            at.push(live);
        }
        let fresh = planned & !begun;
        if fresh != 0 && op.asks.is_empty() {
            self.know_facts(op, word, fresh);
        }
        if fresh != 0 {
            self.add_current_steps(op, word, fresh, &mut at);
        }
        for (step, &these) in at.iter().enumerate() {
            if these != 0 {
                let begins = these & fresh;
                if begins != 0 {
                    self.begin_steps(op, step, word, begins);
                }
                self.send_word(op.children[step].input, word, these);
            }
        }
        self.plans.at_steps = at;
    }

    /// Adds some agents of a word to those of their current steps.
    fn add_current_steps(&self, op: &PlannerOp, word: usize, agents: u64, at: &mut [u64]) {
        let (run, columns) = (self.call.run.read(), op.memory.steps);
        let places = &run.narrow(op.memory.place)[word * 64..];
        let first = &run.narrow(columns.first)[word * 64..];
        each_bit(agents, |bit| {
            let narrow = |column| match column == columns.first {
                true => first[bit],
                false => run.narrow(column)[word * 64 + bit],
            };
            let cursor = InPlan::of(places[bit]).cursor;
            at[step_of(columns, cursor, at.len(), narrow)] |= 1 << bit;
        });
    }

    /// Notes what the facts are when agents of a word begin a step, and whether it promises to change one.
    fn begin_steps(&mut self, op: &PlannerOp, step: usize, word: usize, agents: u64) {
        let known = match op.asks.is_empty() {
            true => agents & self.plans.foreseen,
            // To ask again may change what was foreseen.
            false => 0,
        };
        let mut promised = known & self.plans.promised;
        if known != 0 {
            let at_start = &mut self.call.run.wide_mut(op.memory.at_start)[word * 64..];
            let hashes = &self.plans.hashes;
            each_bit(known, |bit| at_start[bit] = hashes[bit]);
        }
        each_bit(agents & !known, |bit| {
            let is_promised = self.begin_step(op, step, word * 64 + bit);
            promised |= u64::from(is_promised) << bit;
        });
        let column = &mut self.call.run.bits_mut(op.memory.promised)[word];
        *column = *column & !agents | promised;
    }

    /// Notes what the facts are when a step begins. Returns whether it promises to change one.
    fn begin_step(&mut self, op: &PlannerOp, step: usize, lane: usize) -> bool {
        self.read_facts(op, lane);
        let hash = self.hash_facts(op, lane);
        self.call.run.wide_mut(op.memory.at_start)[lane] = hash;
        let (plans, agent) = (&mut *self.plans, 1 << (lane % 64));
        if plans.foreseen & agent != 0 {
            return plans.promised & agent != 0;
        }
        let facts = &plans.of_word[op.facts_of(lane)];
        op.domain.changes(step, facts, &mut plans.search.later)
    }

    /// Those of a word that have a slot of a range set.
    fn live_in_word(&self, range: Range, word: usize) -> u64 {
        if !self.call.around.program.loose.is_empty() {
            return self.live(range)[word];
        }
        self.open_in_word(range, word)
    }

    /// Those of a word that have a slot of a range set, including runs that continue after an answer.
    fn open_in_word(&self, range: Range, word: usize) -> u64 {
        let slots = &self.slots[range.start as usize..range.end as usize];
        slots.iter().fold(0, |all, slot| all | slot[word])
    }

    /// Gives up the plan; what the agent pursues stays.
    pub(super) fn drop_plan(&mut self, op: &PlannerOp, lane: usize, why: Dropped) {
        self.record_one(op, Event::Drop(why), lane);
        self.set_flag(op.memory.planned, lane, false);
        self.set_flag(op.memory.ended, lane, false);
    }

    pub(super) fn abort_step(&mut self, op: &PlannerOp, lane: usize) {
        let step = self.current_step(op, lane);
        self.abort_one(op.children[step].range, lane);
    }
}

fn dropped(flaw: Flaw) -> Dropped {
    match flaw {
        Flaw::Broken(step) => Dropped::Broken(step),
        Flaw::Unmet => Dropped::Unmet,
    }
}

fn one<const W: usize>(lane: usize) -> Bits<W> {
    let mut set = zero();
    set_lane(&mut set, lane);
    set
}

fn in_word<const W: usize>(word: usize, bits: u64) -> Bits<W> {
    let mut set = zero();
    set[word] = bits;
    set
}

fn each_lane<const W: usize>(set: &Bits<W>, each: impl FnMut(usize)) {
    super::bits::for_each(set, each);
}

#[inline(always)]
fn each_bit(bits: u64, mut each: impl FnMut(usize)) {
    let mut rest = bits;
    while rest != 0 {
        each(rest.trailing_zeros() as usize);
        rest &= rest - 1;
    }
}
