//! Planners: what they do with the agents that they reach. What a search is, [`crate::planning`] knows.

// long: one tick of a planner, in the order of its rules.

use super::Exec;
use super::bits::{Bits, any, has_lane, remove, set_lane, zero};
use crate::behaviour::MAX_PLAN_STEPS;
use crate::blackboard::Column;
use crate::fault::FaultKind;
use crate::ids::AgentId;
use crate::planning::{Flaw, Search, StepSet};
use crate::population::ticking::intervals::turn_of;
use crate::program::op::{KeptFact, PlannerMemory, PlannerOp};
use crate::trace::{Dropped, Event, Sink};
use crate::value::{Type, Value};

/// Where an agent is in its plan, as it is kept in one column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct InPlan {
    /// How many steps the plan has; 0: there is none.
    length: u32,
    cursor: u32,
    /// The method of the goal's task.
    method: u32,
}

impl InPlan {
    fn of(bits: u32) -> Self {
        Self {
            length: bits & 0xff,
            cursor: bits >> 8 & 0xff,
            method: bits >> 16,
        }
    }

    fn bits(self) -> u32 {
        self.length | self.cursor << 8 | self.method << 16
    }
}

/// How the tick of an agent ends at a planner, before the current step is ticked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Goes,
    Succeeds,
    Fails,
}

/// What the agents of a word want at the moment. It is taken out of the working memory, because whatever is aborted in
/// the meantime may contain planners.
struct Looked {
    /// Per goal, the agents for whom its score is above 0 and it does not hold already.
    may: Vec<u64>,
    /// Per goal and agent.
    scores: Vec<f64>,
    hysteresis: Vec<f64>,
    /// The agents that have a goal with a score above 0.
    some: u64,
    /// Those that have one which does not hold already.
    lacking: u64,
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
        if any(&success) {
            each_lane(&success, |lane| {
                let child = self.current_step(op, lane);
                self.abort(op.children[child].range, &one(lane));
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
        let live = self.slots[op.slot as usize][word] & active;
        let in_turn = self.in_turn(op, word, active);
        let mut rest = active & !live;
        let mut failed = 0;
        each_bit(rest, |bit| self.forget(op, word * 64 + bit));
        let waiting = rest & !in_turn;
        if waiting != 0 {
            failed = waiting & self.call.run.read().bits(op.memory.failed)[word];
            rest &= !failed;
        }
        self.occupy(op.slot, &in_word(word, rest));
        let mut succeeded = 0;
        let ended = live & self.call.run.read().bits(op.memory.ended)[word];
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
        self.finish_planner(op, word, (succeeded, failed));
        each_bit(active & !succeeded & !failed, |bit| {
            self.tick_step(op, word * 64 + bit);
        });
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
            let nth = self.call.around.tick % op.every + turn_of(id) % op.every;
            turn |= u64::from(nth % op.every == 0) << bit;
        });
        turn
    }

    /// Ends runs: everything open is aborted, then the answer goes out.
    fn finish_planner(&mut self, op: &PlannerOp, word: usize, (succeeded, failed): (u64, u64)) {
        let over = succeeded | failed;
        if over == 0 {
            return;
        }
        let set = in_word(word, over);
        self.abort(op.inside, &set);
        remove(&mut self.slots[op.slot as usize], &set);
        let column = &mut self.call.run.bits_mut(op.memory.failed)[word];
        *column = *column & !succeeded | failed;
        self.send(op.out_success, &in_word(word, succeeded));
        self.send(op.out_failure, &in_word(word, failed));
    }

    /// A run begins: nothing is left of the one before, except which goals are fruitless.
    fn forget(&mut self, op: &PlannerOp, lane: usize) {
        let memory = &op.memory;
        for column in [memory.pursues, memory.searches, memory.place] {
            self.set_narrow(column, lane, 0);
        }
        self.set_flag(memory.ended, lane, false);
        self.set_left_out(memory, lane, StepSet::default());
    }

    /// A step ended in an earlier tick. Returns whether the goal is reached; otherwise looks whether the rest can be done.
    fn step_ended(&mut self, op: &PlannerOp, lane: usize) -> bool {
        self.set_flag(op.memory.ended, lane, false);
        let Some(mut place) = self.plan_of(op, lane) else {
            return false;
        };
        let goal = self.narrow(op.memory.pursues, lane).saturating_sub(1) as usize;
        let step = self.current_step(op, lane);
        let is_last = place.cursor + 1 == place.length;
        if is_last && op.goals[goal].wants.is_none() {
            return true;
        }
        self.read_facts(op, lane);
        if is_last && op.domain.is_met(goal, &self.plans.facts) {
            return true;
        }
        let flaw = match is_last {
            true => Err(Flaw::Unmet),
            false => self.follow_rest(op, lane, place.cursor + 1, false),
        };
        let Err(flaw) = flaw else {
            place.cursor += 1;
            self.set_narrow(op.memory.place, lane, place.bits());
            return false;
        };
        let promised = self.flag(op.memory.promised, lane);
        let is_vain = promised && self.hash_facts(op) == self.wide(op.memory.at_start, lane);
        if is_vain {
            self.leave_out(op, lane, step);
            self.drop_plan(op, lane, Dropped::Vain);
        } else {
            self.set_left_out(&op.memory, lane, StepSet::default());
            self.drop_plan(op, lane, dropped(flaw));
        }
        false
    }

    /// Ticks the current step, if there is a plan; when the step begins, notes what the facts are.
    fn tick_step(&mut self, op: &PlannerOp, lane: usize) {
        if self.plan_of(op, lane).is_none() {
            // When the document has changed, a step may be left of a plan that was dropped.
            self.abort(op.inside, &one(lane));
            return;
        }
        let step = self.current_step(op, lane);
        let child = op.children[step];
        if !has_lane(&self.live(child.range), lane) {
            self.read_facts(op, lane);
            let hash = self.hash_facts(op);
            self.call.run.wide_mut(op.memory.at_start)[lane] = hash;
            let plans = &mut *self.plans;
            plans.later.clone_from(&plans.facts);
            let did = op.domain.apply(step, &mut plans.later);
            let promised = did && plans.later != plans.facts;
            self.set_flag(op.memory.promised, lane, promised);
        }
        self.send(child.input, &one(lane));
    }

    /// Thinks for the agents of a word whose turn it is. Returns those that succeed and those that fail.
    fn think(&mut self, op: &PlannerOp, word: usize, thinking: u64) -> (u64, u64) {
        let reached = self.pursued_holds(op, word, thinking);
        let asked = thinking & !reached;
        if asked == 0 {
            return (reached, 0);
        }
        let mut looked = self.look_at_goals(op, word, asked);
        let mut chosen = 0;
        each_bit(asked, |bit| {
            let run = self.call.run.read();
            let lane = word * 64 + bit;
            let has_goal =
                run.narrow(op.memory.pursues)[lane] | run.narrow(op.memory.searches)[lane];
            chosen |= u64::from(has_goal != 0) << bit;
        });
        if chosen != 0 {
            self.read_goal_hysteresis(op, word, chosen, &mut looked);
        }
        let (mut succeeded, mut failed) = (reached, 0);
        each_bit(asked, |bit| {
            let lane = word * 64 + bit;
            match self.think_one(op, lane, &looked) {
                Turn::Goes => {}
                Turn::Succeeds => succeeded |= 1 << bit,
                Turn::Fails => failed |= 1 << bit,
            }
        });
        (self.plans.may, self.plans.scores) = (looked.may, looked.scores);
        self.plans.hysteresis = looked.hysteresis;
        (succeeded, failed)
    }

    /// The agents whose goal is reached.
    fn pursued_holds(&mut self, op: &PlannerOp, word: usize, thinking: u64) -> u64 {
        let mut reached = 0;
        for (index, goal) in (1..).zip(&op.goals) {
            let Some(wants) = goal.wants else {
                continue;
            };
            let pursues = &self.call.run.read().narrow(op.memory.pursues)[word * 64..];
            let mut these = 0;
            each_bit(thinking, |bit| {
                these |= u64::from(pursues[bit] == index) << bit
            });
            if these != 0 {
                reached |= self.holds_quietly(op, wants, word, these);
            }
        }
        reached
    }

    /// Whether what a goal wants holds. That it cannot be said is not a fault.
    fn holds_quietly(&mut self, op: &PlannerOp, expr: u32, word: usize, active: u64) -> u64 {
        let program = self.call.around.program;
        if let Some(asks) = program.asks.get(expr as usize) {
            self.sense_all(op.node, asks, word, active);
        }
        self.note_reads(op.node, expr, word, active);
        let failed = self.evaluate_quietly(expr, word, active);
        active & !failed & self.stacks.mask()
    }

    /// Reads the `when` and the score of each goal, and whether it holds already.
    fn look_at_goals(&mut self, op: &PlannerOp, word: usize, asked: u64) -> Looked {
        let mut looked = Looked {
            may: std::mem::take(&mut self.plans.may),
            scores: std::mem::take(&mut self.plans.scores),
            hysteresis: std::mem::take(&mut self.plans.hysteresis),
            some: 0,
            lacking: 0,
        };
        looked.may.clear();
        looked.scores.clear();
        looked.scores.resize(op.goals.len() * 64, 0.0);
        looked.hysteresis.clear();
        looked.hysteresis.resize(64, 0.0);
        for (index, goal) in op.goals.iter().enumerate() {
            let mut may = asked;
            if let Some(when) = goal.when {
                let bad = self.evaluate(op.node, when, word, asked);
                may &= !bad & self.stacks.mask();
            }
            if may == 0 {
                looked.may.push(0);
                continue;
            }
            let bad = self.evaluate_unnoted(op.node, goal.score, word, may);
            let (infinite, positive) = self.stacks.keep_score(index, may & !bad);
            if infinite != 0 {
                self.fault(op.node, &FaultKind::BadScore, word, infinite);
            }
            self.note_goal_scores(op, index, word, may);
            let positive = positive & may;
            let scores = self.stacks.score(index);
            looked.scores[index * 64..][..scores.len()].copy_from_slice(scores);
            let mut holds = 0;
            if let Some(wants) = goal.wants
                && positive != 0
            {
                holds = self.holds_quietly(op, wants, word, positive);
            }
            looked.some |= positive;
            looked.lacking |= positive & !holds;
            looked.may.push(positive & !holds);
        }
        looked
    }

    #[inline(always)]
    fn note_goal_scores(&mut self, op: &PlannerOp, goal: usize, word: usize, lanes: u64) {
        if self.wants_values() {
            each_bit(lanes, |bit| {
                let score = Value::Double(self.stacks.score(goal)[bit]);
                let event = Event::GoalScore(goal as u32);
                self.note_value(op.node, event, word * 64 + bit, score);
            });
        }
    }

    fn read_goal_hysteresis(
        &mut self,
        op: &PlannerOp,
        word: usize,
        lanes: u64,
        looked: &mut Looked,
    ) {
        let bad = self.evaluate(op.node, op.hysteresis, word, lanes);
        let fits = self.stacks.keep_hysteresis();
        each_bit(bad, |bit| self.stacks.hysteresis()[bit] = 0.0);
        let hysteresis = self.stacks.hysteresis();
        looked.hysteresis[..hysteresis.len()].copy_from_slice(hysteresis);
        let unfit = lanes & !bad & !fits;
        if unfit != 0 {
            self.fault(op.node, &FaultKind::BadScore, word, unfit);
        }
    }

    /// One agent thinks: it keeps its goal and its plan, or searches.
    fn think_one(&mut self, op: &PlannerOp, lane: usize, looked: &Looked) -> Turn {
        let mut used = 0;
        self.check_fruitless(op, lane);
        loop {
            let pursued = self.narrow(op.memory.pursues, lane);
            let searched = self.narrow(op.memory.searches, lane);
            if pursued > 0 && !self.goal_is_open(op, looked, pursued, lane) {
                if self.plan_of(op, lane).is_some() {
                    self.abort_step(op, lane);
                    self.drop_plan(op, lane, Dropped::Over);
                }
                self.set_narrow(op.memory.pursues, lane, 0);
                continue;
            }
            if searched > 0 && self.stays(op, looked, searched, lane) {
                match self.search_on(op, searched as usize - 1, lane, &mut used) {
                    Found::Later => return Turn::Goes,
                    Found::Plan(turn) => return turn,
                    Found::Nothing => continue,
                }
            }
            self.set_narrow(op.memory.searches, lane, 0);
            let wanted = if pursued > 0 && self.stays(op, looked, pursued, lane) {
                if self.plan_of(op, lane).is_some() && !self.has_changed(op, lane) {
                    return Turn::Goes;
                }
                pursued
            } else {
                self.best_goal(op, looked, lane)
            };
            if wanted == 0 {
                let bit = 1 << (lane % 64);
                let holds_already = looked.some & bit != 0 && looked.lacking & bit == 0;
                return if holds_already {
                    Turn::Succeeds
                } else {
                    Turn::Fails
                };
            }
            match self.begin_search(op, wanted as usize - 1, lane, &mut used) {
                Found::Later => return Turn::Goes,
                Found::Plan(turn) => return turn,
                Found::Nothing => {}
            }
        }
    }

    /// Whether a goal, counted from 1, is open.
    fn goal_is_open(&self, op: &PlannerOp, looked: &Looked, goal: u32, lane: usize) -> bool {
        let fruitless = self.narrow(op.memory.fruitless, lane) >> (goal - 1) & 1 == 1;
        looked.may[goal as usize - 1] >> (lane % 64) & 1 == 1 && !fruitless
    }

    /// Whether a goal is open and no other one exceeds its score by more than the hysteresis.
    fn stays(&self, op: &PlannerOp, looked: &Looked, goal: u32, lane: usize) -> bool {
        if !self.goal_is_open(op, looked, goal, lane) {
            return false;
        }
        let least = looked.score(goal, lane) + looked.hysteresis[lane % 64];
        let mut others = 1..=op.goals.len() as u32;
        others.all(|other| {
            looked.score(other, lane) <= least || !self.goal_is_open(op, looked, other, lane)
        })
    }

    /// The first of the open goals with the highest score, counted from 1; 0 if none is open.
    fn best_goal(&self, op: &PlannerOp, looked: &Looked, lane: usize) -> u32 {
        let (mut best, mut score) = (0, 0.0);
        for goal in 1..=op.goals.len() as u32 {
            let its = looked.score(goal, lane);
            if its > score && self.goal_is_open(op, looked, goal, lane) {
                (best, score) = (goal, its);
            }
        }
        best
    }

    /// Goals are no longer fruitless when a fact, or what is left out, differs.
    fn check_fruitless(&mut self, op: &PlannerOp, lane: usize) {
        if self.narrow(op.memory.fruitless, lane) != 0
            && self.hash_of_now(op, lane) != self.wide(op.memory.fruitless_for, lane)
        {
            self.set_narrow(op.memory.fruitless, lane, 0);
        }
    }

    /// A number for the facts of now, and what is left out now.
    fn hash_of_now(&mut self, op: &PlannerOp, lane: usize) -> u64 {
        self.read_facts(op, lane);
        let left_out = self.left_out(&op.memory, lane);
        self.hash_inputs(op, left_out)
    }

    /// Whether a fact differs from those of the last search, if that counts.
    fn has_changed(&mut self, op: &PlannerOp, lane: usize) -> bool {
        let Some(column) = op.memory.searched_with else {
            return false;
        };
        self.read_facts(op, lane);
        self.hash_facts(op) != self.wide(column, lane)
    }

    /// Begins a search, as far as the turn allows.
    fn begin_search(&mut self, op: &PlannerOp, goal: usize, lane: usize, used: &mut u32) -> Found {
        self.record_one(op, Event::Think(goal as u32), lane);
        self.read_facts(op, lane);
        self.note_facts(op, lane);
        if let Some(column) = op.memory.searched_with {
            let hash = self.hash_facts(op);
            self.call.run.wide_mut(column)[lane] = hash;
        }
        let left_out = self.left_out(&op.memory, lane);
        self.search_with(op, (goal, left_out), lane, None, used)
    }

    /// Goes on with a search of an earlier turn.
    fn search_on(&mut self, op: &PlannerOp, goal: usize, lane: usize, used: &mut u32) -> Found {
        let Some(search) = &op.memory.search else {
            return Found::Later;
        };
        let before = self.narrow(search.expansions, lane);
        self.read_kept_facts(op, &search.facts, lane);
        let left_out = self.steps_in(search.left_out, op.memory.left_out_columns, lane);
        self.search_with(op, (goal, left_out), lane, Some(before), used)
    }

    /// Searches, `before` being the expansions of the turns before, if it began in one of them.
    fn search_with(
        &mut self,
        op: &PlannerOp,
        (goal, left_out): (usize, StepSet),
        lane: usize,
        before: Option<u32>,
        used: &mut u32,
    ) -> Found {
        let is_new = before.is_none();
        let before = before.unwrap_or(0);
        let given = match op.memory.search {
            Some(_) => before.saturating_add(op.slice - *used),
            None => u32::MAX,
        };
        let plans = &mut *self.plans;
        let desk = &mut plans.search;
        let found = op.domain.search(goal, &plans.facts, left_out, given, desk);
        if found == Search::Unfinished {
            self.keep_search(op, (goal, left_out), lane, (is_new, given));
            return Found::Later;
        }
        *used = (*used + desk.expansions.saturating_sub(before)).min(op.slice);
        self.report_bad_costs(op, lane);
        self.set_narrow(op.memory.searches, lane, 0);
        match found {
            Search::Found { cost, method } => {
                Found::Plan(self.adopt(op, goal, (cost, method), lane))
            }
            Search::Nothing(why) => {
                self.record_one(op, Event::NoPlan(goal as u32, why), lane);
                let hash = self.hash_inputs(op, left_out);
                // These may be the facts of an earlier turn.
                if is_new || hash == self.hash_of_now(op, lane) {
                    self.note_fruitless(op, goal, hash, lane);
                }
                Found::Nothing
            }
            Search::Unfinished => Found::Later,
        }
    }

    /// Keeps what a search needs in the next turn.
    fn keep_search(
        &mut self,
        op: &PlannerOp,
        (goal, left_out): (usize, StepSet),
        lane: usize,
        (is_new, expansions): (bool, u32),
    ) {
        let Some(search) = &op.memory.search else {
            return;
        };
        self.set_narrow(op.memory.searches, lane, goal as u32 + 1);
        self.set_narrow(search.expansions, lane, expansions);
        if is_new {
            self.set_steps_in(search.left_out, op.memory.left_out_columns, lane, left_out);
            self.keep_facts(op, &search.facts, lane);
        }
    }

    /// A goal is fruitless for the facts of the search, and what was left out.
    fn note_fruitless(&mut self, op: &PlannerOp, goal: usize, hash: u64, lane: usize) {
        let known = self.narrow(op.memory.fruitless, lane);
        let same = hash == self.wide(op.memory.fruitless_for, lane);
        let others = if same { known } else { 0 };
        self.set_narrow(op.memory.fruitless, lane, others | 1 << goal);
        self.call.run.wide_mut(op.memory.fruitless_for)[lane] = hash;
    }

    /// Takes the plan on the desk, unless the one that there is goes on.
    fn adopt(
        &mut self,
        op: &PlannerOp,
        goal: usize,
        (cost, method): (u64, u32),
        lane: usize,
    ) -> Turn {
        let pursued = self.narrow(op.memory.pursues, lane);
        let mut live = None;
        if let Some(place) = self.plan_of(op, lane) {
            let reason = match pursued == goal as u32 + 1 {
                false => Some(Dropped::Beaten),
                true => self.why_another(op, goal, place, (cost, method), lane),
            };
            let Some(reason) = reason else {
                return Turn::Goes;
            };
            self.record_one(op, Event::Drop(reason), lane);
            live = Some(self.current_step(op, lane));
        }
        // What is aborted may contain planners, which search.
        let (mut plan, length) = ([0; MAX_PLAN_STEPS as usize], self.plans.search.plan.len());
        plan[..length].copy_from_slice(&self.plans.search.plan);
        let plan = &plan[..length];
        if let Some(step) = live
            && plan.first().map(|first| usize::from(*first)) != Some(step)
        {
            self.abort(op.children[step].range, &one(lane));
        }
        if live.is_none() {
            // Its plan was dropped when the document changed.
            let first = plan.first().map(|first| usize::from(*first));
            for (index, child) in op.children.iter().enumerate() {
                if first != Some(index) {
                    self.abort(child.range, &one(lane));
                }
            }
        }
        self.record_one(op, Event::Goal(goal as u32), lane);
        let shown = u32::try_from(cost).unwrap_or(u32::MAX);
        self.record_one(op, Event::Plan(shown), lane);
        for step in plan {
            self.record_one(op, Event::Intend(u32::from(*step)), lane);
        }
        for (column, four) in (op.memory.steps..).zip(plan.chunks(4)) {
            let mut bytes = [0; 4];
            bytes[..four.len()].copy_from_slice(four);
            self.call.run.narrow_mut(column)[lane] = u32::from_le_bytes(bytes);
        }
        let place = InPlan {
            length: length as u32,
            cursor: 0,
            method,
        };
        self.set_narrow(op.memory.pursues, lane, goal as u32 + 1);
        self.set_narrow(op.memory.place, lane, place.bits());
        self.set_flag(op.memory.ended, lane, false);
        // A task that needs nothing done is done.
        match length {
            0 => Turn::Succeeds,
            _ => Turn::Goes,
        }
    }

    /// Why a new plan for the same goal takes the place of the rest of the old one; `None` if it does not.
    fn why_another(
        &mut self,
        op: &PlannerOp,
        goal: usize,
        place: InPlan,
        (cost, method): (u64, u32),
        lane: usize,
    ) -> Option<Dropped> {
        let is_live = has_lane(
            &self.live(op.children[self.current_step(op, lane)].range),
            lane,
        );
        self.read_facts(op, lane);
        match self.follow_rest(op, lane, place.cursor, is_live) {
            Err(flaw) => Some(dropped(flaw)),
            Ok(_) if op.domain.is_task(goal) => (method < place.method).then_some(Dropped::Beaten),
            Ok(rest) => (rest > cost).then_some(Dropped::Dearer),
        }
    }

    /// Goes through the plan from a place on, with the facts of now.
    fn follow_rest(
        &mut self,
        op: &PlannerOp,
        lane: usize,
        from: u32,
        is_live: bool,
    ) -> Result<u64, Flaw> {
        let goal = self.narrow(op.memory.pursues, lane).saturating_sub(1) as usize;
        let place = InPlan::of(self.narrow(op.memory.place, lane));
        self.plans.steps.clear();
        for index in from..place.length {
            let step = self.step_at(op, lane, index);
            self.plans.steps.push(step as u8);
        }
        let plans = &mut *self.plans;
        plans.later.clone_from(&plans.facts);
        op.domain
            .follow(goal, &plans.steps, is_live, &mut plans.later)
    }

    /// Gives up the plan; what the agent pursues stays.
    fn drop_plan(&mut self, op: &PlannerOp, lane: usize, why: Dropped) {
        self.record_one(op, Event::Drop(why), lane);
        self.set_narrow(op.memory.place, lane, 0);
        self.set_flag(op.memory.ended, lane, false);
    }

    fn abort_step(&mut self, op: &PlannerOp, lane: usize) {
        let step = self.current_step(op, lane);
        self.abort(op.children[step].range, &one(lane));
    }

    fn report_bad_costs(&mut self, op: &PlannerOp, lane: usize) {
        let mut bad = self.plans.search.bad_costs.0;
        while bad != 0 {
            let node = op.children[bad.trailing_zeros() as usize].node;
            self.fault(node, &FaultKind::BadScore, lane / 64, 1 << (lane % 64));
            bad &= bad - 1;
        }
    }

    /// Where the agent is in its plan, if it has one.
    fn plan_of(&self, op: &PlannerOp, lane: usize) -> Option<InPlan> {
        let place = InPlan::of(self.narrow(op.memory.place, lane));
        // State that was made up may say anything.
        let is_one = place.cursor < place.length
            && self.narrow(op.memory.pursues, lane) > 0
            && place.length <= 4 * op.memory.step_columns;
        is_one.then_some(place)
    }

    /// The step that is next or in progress.
    fn current_step(&self, op: &PlannerOp, lane: usize) -> usize {
        let place = InPlan::of(self.narrow(op.memory.place, lane));
        self.step_at(op, lane, place.cursor)
    }

    fn step_at(&self, op: &PlannerOp, lane: usize, index: u32) -> usize {
        let column = op.memory.steps + (index / 4).min(op.memory.step_columns - 1);
        let bytes = self.narrow(column, lane).to_le_bytes();
        // State that was made up may name any step.
        usize::from(bytes[index as usize % 4]).min(op.children.len().saturating_sub(1))
    }

    fn left_out(&self, memory: &PlannerMemory, lane: usize) -> StepSet {
        self.steps_in(memory.left_out, memory.left_out_columns, lane)
    }

    fn set_left_out(&mut self, memory: &PlannerMemory, lane: usize, steps: StepSet) {
        self.set_steps_in(memory.left_out, memory.left_out_columns, lane, steps);
    }

    fn leave_out(&mut self, op: &PlannerOp, lane: usize, step: usize) {
        let mut steps = self.left_out(&op.memory, lane);
        steps.add(step);
        self.set_left_out(&op.memory, lane, steps);
    }

    fn steps_in(&self, first: u32, columns: u32, lane: usize) -> StepSet {
        let bits = (0..columns).map(|index| {
            let word = self.narrow(first + index, lane);
            u128::from(word) << (32 * index)
        });
        StepSet(bits.fold(0, |all, bits| all | bits))
    }

    fn set_steps_in(&mut self, first: u32, columns: u32, lane: usize, steps: StepSet) {
        for index in 0..columns {
            let word = (steps.0 >> (32 * index)) as u32;
            self.set_narrow(first + index, lane, word);
        }
    }

    fn narrow(&self, column: u32, lane: usize) -> u32 {
        self.call.run.read().narrow(column)[lane]
    }

    fn set_narrow(&mut self, column: u32, lane: usize, value: u32) {
        self.call.run.narrow_mut(column)[lane] = value;
    }

    fn wide(&self, column: u32, lane: usize) -> u64 {
        self.call.run.read().wide(column)[lane]
    }

    fn flag(&self, column: u32, lane: usize) -> bool {
        self.call.run.read().bits(column)[lane / 64] >> (lane % 64) & 1 == 1
    }

    fn set_flag(&mut self, column: u32, lane: usize, value: bool) {
        let word = &mut self.call.run.bits_mut(column)[lane / 64];
        let bit = 1 << (lane % 64);
        *word = if value { *word | bit } else { *word & !bit };
    }

    fn record_one(&mut self, op: &PlannerOp, event: Event, lane: usize) {
        self.record(op.node, event, lane / 64, 1 << (lane % 64));
    }

    /// Asks about all facts, and reads them.
    fn read_facts(&mut self, op: &PlannerOp, lane: usize) {
        if !op.asks.is_empty() {
            self.sense_all(op.node, &op.asks, lane / 64, 1 << (lane % 64));
        }
        let agent = self.call.around.first + lane;
        let me = self.call.around.lives.id(agent).map_or(0, AgentId::to_bits);
        let mut facts = std::mem::take(&mut self.plans.facts);
        facts.resize(op.domain.words(), 0);
        let board = self.call.board();
        op.domain.read(&mut facts, me, |key| board.held(key, agent));
        self.plans.facts = facts;
    }

    fn note_facts(&mut self, op: &PlannerOp, lane: usize) {
        if self.wants_values() {
            for key in op.domain.facts() {
                self.note_key(
                    Event::Read(key),
                    (op.node, key),
                    lane / 64,
                    1 << (lane % 64),
                );
            }
        }
    }

    fn hash_facts(&mut self, op: &PlannerOp) -> u64 {
        let plans = &mut *self.plans;
        op.domain.hash(&plans.facts, &mut plans.bytes)
    }

    /// A number for the facts, and what is left out.
    fn hash_inputs(&mut self, op: &PlannerOp, left_out: StepSet) -> u64 {
        let plans = &mut *self.plans;
        op.domain
            .hash_with(&plans.facts, left_out, &mut plans.bytes)
    }

    /// Keeps the facts for the next turn of a search.
    fn keep_facts(&mut self, op: &PlannerOp, kept: &[KeptFact], lane: usize) {
        let facts = std::mem::take(&mut self.plans.facts);
        for fact in kept {
            let value = op.domain.value(&facts, fact.key);
            if let Some(set) = fact.set {
                self.set_flag(set, lane, value.is_some());
            }
            let ty = op.domain.type_of(fact.key);
            match (value, fact.column) {
                (Some(Value::Int(length)), Column::Narrow(column)) if ty.is_none() => {
                    self.set_narrow(column, lane, length as u32);
                }
                (Some(value), column) => self.call.run.set(column, lane, value),
                (None, _) => {}
            }
        }
        self.plans.facts = facts;
    }

    fn read_kept_facts(&mut self, op: &PlannerOp, kept: &[KeptFact], lane: usize) {
        let agent = self.call.around.first + lane;
        let me = self.call.around.lives.id(agent).map_or(0, AgentId::to_bits);
        let mut facts = std::mem::take(&mut self.plans.facts);
        facts.resize(op.domain.words(), 0);
        let run = self.call.run.read();
        let is_set = |column: u32| run.bits(column)[lane / 64] >> (lane % 64) & 1 == 1;
        op.domain.restore(&mut facts, me, |key, ty: Option<Type>| {
            let fact = kept.iter().find(|fact| fact.key == key)?;
            if fact.set.is_some_and(|set| !is_set(set)) {
                return None;
            }
            match (ty, fact.column) {
                (None, Column::Narrow(column)) => {
                    Some(Value::Int(i64::from(run.narrow(column)[lane])))
                }
                (ty, column) => Some(run.get(column, ty?, lane)),
            }
        });
        self.plans.facts = facts;
    }
}

impl Looked {
    /// The score of a goal, counted from 1.
    fn score(&self, goal: u32, lane: usize) -> f64 {
        self.scores[(goal as usize - 1) * 64 + lane % 64]
    }
}

/// What a search has come to in this turn.
enum Found {
    Plan(Turn),
    Nothing,
    /// It goes on in the next turn.
    Later,
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

fn each_bit(bits: u64, mut each: impl FnMut(usize)) {
    let mut rest = bits;
    while rest != 0 {
        each(rest.trailing_zeros() as usize);
        rest &= rest - 1;
    }
}
