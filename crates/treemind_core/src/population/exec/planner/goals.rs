//! The turn of a planner to think: which goal is pursued, and when another plan is looked for.

use super::searches::{Found, Thought};
use super::{Turn, each_bit};
use crate::eval::bits_of;
use crate::fault::FaultKind;
use crate::planning::StepSet;
use crate::population::exec::Exec;
use crate::program::op::PlannerOp;
use crate::trace::{Dropped, Event, Sink};
use crate::value::Value;

/// What the agents of a word want at the moment. It is taken out of the working memory, because whatever is aborted in
/// the meantime may contain planners.
pub(super) struct Looked {
    /// Per goal, the agents for whom its score is above 0 and it does not hold already.
    may: Vec<u64>,
    /// Per goal and agent; of goals with a steady score, nothing.
    scores: Vec<f64>,
    /// Per agent, unless it is steady.
    hysteresis: Vec<f64>,
    /// The agents that have a goal with a score above 0.
    some: u64,
    /// Those that have one which does not hold already.
    lacking: u64,
    /// Those for whom a goal may be fruitless, those for whom a step is left out, and those who may have anything open in
    /// the steps.
    fruitless: u64,
    left_out: u64,
    open: u64,
}

impl Looked {
    /// The score of a goal, counted from 1.
    #[inline(always)]
    fn score(&self, op: &PlannerOp, goal: u32, lane: usize) -> f64 {
        let goal = goal as usize - 1;
        let steady = op.goals[goal].steady;
        steady.unwrap_or_else(|| self.scores[goal * 64 + lane % 64])
    }

    /// The same for all agents of the word.
    fn scores(&self, op: &PlannerOp, goal: u32) -> [f64; 64] {
        let goal = goal as usize - 1;
        let steady = op.goals[goal].steady;
        steady.map_or_else(|| word_of(&self.scores[goal * 64..]), |score| [score; 64])
    }

    /// Those of some agents whose goal is open, if none is fruitless, and no other one exceeds its score by more than the
    /// hysteresis.
    pub(super) fn staying(&self, op: &PlannerOp, goal: u32, agents: u64) -> u64 {
        let mut stay = agents & self.may[goal as usize - 1];
        for other in 1..=op.goals.len() as u32 {
            let rivals = self.may[other as usize - 1] & stay;
            if other != goal && rivals != 0 {
                stay &= !exceeding(op, self, (goal, other), rivals);
            }
        }
        stay
    }

    /// Those of some agents for whom a goal is the first of the open ones with the highest score, if none is fruitless.
    pub(super) fn choosing(&self, op: &PlannerOp, goal: u32, agents: u64) -> u64 {
        let mut chosen = agents & self.may[goal as usize - 1];
        for other in 1..=op.goals.len() as u32 {
            let rivals = self.may[other as usize - 1] & chosen;
            if other != goal && rivals != 0 {
                let [own, others] = [goal, other].map(|goal| self.scores(op, goal));
                let is_first = other < goal;
                let is_ahead =
                    |lane: usize| others[lane] > own[lane] || is_first && others[lane] == own[lane];
                chosen &= !(rivals & bits_of(64, is_ahead));
            }
        }
        chosen
    }

    /// By how much another score has to exceed that of the goal that is pursued.
    #[inline(always)]
    fn hysteresis(&self, op: &PlannerOp, lane: usize) -> f64 {
        op.steady_hysteresis
            .unwrap_or_else(|| self.hysteresis[lane % 64])
    }
}

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Thinks for the agents of a word whose turn it is. Returns those that succeed and those that fail.
    pub(super) fn think(&mut self, op: &PlannerOp, word: usize, thinking: u64) -> (u64, u64) {
        let reached = self.pursued_holds(op, word, thinking);
        let asked = thinking & !reached;
        if asked == 0 {
            return (reached, 0);
        }
        let mut looked = self.look_at_goals(op, word, asked);
        let pursuing = self.any_of(op.memory.pursues, op.goals.len(), word);
        let searching = self.searching(op, word);
        let chosen = asked & (pursuing | searching);
        if chosen != 0 && op.steady_hysteresis.is_none() {
            self.read_goal_hysteresis(op, word, chosen, &mut looked);
        }
        if !op.asks_nothing {
            self.facts_are_unknown();
        }
        let (mut succeeded, mut failed) = (reached, 0);
        let settled = self.settled(op, word, chosen & !searching, &looked);
        let mut unsettled = asked & !settled;
        if unsettled != 0 {
            looked.left_out = self.any_of(op.memory.left_out, op.children.len(), word);
            looked.open = self.open_in_word(op.inside, word);
            if op.asks.is_empty() {
                self.know_facts(op, word, unsettled);
                if !self.is_traced() {
                    let planned = self.call.run.read().bits(op.memory.planned)[word];
                    let bound = planned | searching | looked.fruitless;
                    let free = unsettled & !(bound | looked.left_out | looked.open);
                    // One alone would only ask twice.
                    if free.count_ones() > 1 {
                        unsettled &= !self.adopt_known(op, word, free, &looked);
                    }
                }
            }
        }
        each_bit(unsettled, |bit| {
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

    /// Those of some agents who go on with their goal and their plan, and have nothing to think about.
    fn settled(&self, op: &PlannerOp, word: usize, agents: u64, looked: &Looked) -> u64 {
        if op.replans {
            return 0;
        }
        let (run, memory) = (self.call.run.read(), &op.memory);
        let quiet = agents & run.bits(memory.planned)[word] & !looked.fruitless;
        let mut settled = 0;
        for goal in 1..=op.goals.len() as u32 {
            let pursues = run.bits(memory.pursues + goal - 1)[word];
            settled |= looked.staying(op, goal, quiet & pursues);
        }
        settled
    }

    /// The agents whose goal is reached.
    fn pursued_holds(&mut self, op: &PlannerOp, word: usize, thinking: u64) -> u64 {
        let mut reached = 0;
        for (column, goal) in (op.memory.pursues..).zip(&op.goals) {
            let these = thinking & self.call.run.read().bits(column)[word];
            if let (Some(wants), true) = (goal.wants, these != 0) {
                reached |= self.holds_quietly(op, wants, word, these);
            }
        }
        reached
    }

    /// Whether what a goal wants holds. That it cannot be said is not a fault.
    fn holds_quietly(&mut self, op: &PlannerOp, expr: u32, word: usize, active: u64) -> u64 {
        if let Some(holds) = self.short_holds(expr, word, active) {
            return holds;
        }
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
            fruitless: self.any_of(op.memory.fruitless, op.goals.len(), word),
            left_out: 0,
            open: 0,
        };
        looked.may.clear();
        // What is left from before is never looked at.
        let goals = op.goals.len();
        looked
            .scores
            .resize(looked.scores.len().max(goals * 64), 0.0);
        looked.hysteresis.resize(64, 0.0);
        for (index, goal) in op.goals.iter().enumerate() {
            let mut may = asked;
            if let Some(when) = goal.when {
                may = self.short_holds(when, word, asked).unwrap_or_else(|| {
                    let bad = self.evaluate(op.node, when, word, asked);
                    asked & !bad & self.stacks.mask()
                });
            }
            if may == 0 {
                looked.may.push(0);
                continue;
            }
            let positive = match goal.steady {
                Some(score) if !self.wants_values() => may * u64::from(score > 0.0),
                _ => self.read_goal_score(op, index, word, may, &mut looked),
            };
            let mut holds = 0;
            if let Some(wants) = goal.wants {
                // Where it is pursued, it was seen just now that it does not hold.
                let pursues = self.call.run.read().bits(op.memory.pursues + index as u32)[word];
                let seen = match op.asks_nothing && !self.wants_values() {
                    true => pursues,
                    false => 0,
                };
                if positive & !seen != 0 {
                    holds = self.holds_quietly(op, wants, word, positive & !seen);
                }
            }
            looked.some |= positive;
            looked.lacking |= positive & !holds;
            looked.may.push(positive & !holds);
        }
        looked
    }

    /// Reads the score of a goal; returns the agents for whom it is above 0.
    fn read_goal_score(
        &mut self,
        op: &PlannerOp,
        goal: usize,
        word: usize,
        may: u64,
        looked: &mut Looked,
    ) -> u64 {
        let bad = self.evaluate_unnoted(op.node, op.goals[goal].score, word, may);
        let (infinite, positive) = self.stacks.keep_score(goal, may & !bad);
        if infinite != 0 {
            self.fault(op.node, &FaultKind::BadScore, word, infinite);
        }
        self.note_goal_scores(op, goal, word, may);
        let scores = self.stacks.score(goal);
        looked.scores[goal * 64..][..scores.len()].copy_from_slice(scores);
        positive & may
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
        let is_in = |agents: u64| agents >> (lane % 64) & 1 == 1;
        let mut thought = Thought {
            used: 0,
            left_out: match is_in(looked.left_out) {
                true => self.left_out(op, lane),
                false => StepSet::default(),
            },
            may_be_open: is_in(looked.open),
        };
        if is_in(looked.fruitless) {
            self.check_fruitless(op, lane);
        }
        loop {
            let pursued = self.pursued(op, lane);
            let searched = self.searched(op, lane);
            if pursued > 0 && !self.goal_is_open(op, looked, pursued, lane) {
                if self.plan_of(op, lane).is_some() {
                    self.abort_step(op, lane);
                    self.drop_plan(op, lane, Dropped::Over);
                }
                self.set_pursued(op, lane, 0);
                continue;
            }
            if searched > 0 && self.stays(op, looked, searched, lane) {
                match self.search_on(op, searched as usize - 1, lane, &mut thought) {
                    Found::Later => return Turn::Goes,
                    Found::Plan(turn) => return turn,
                    Found::Nothing => continue,
                }
            }
            self.set_searched(op, lane, 0);
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
            match self.begin_search(op, wanted as usize - 1, lane, &mut thought) {
                Found::Later => return Turn::Goes,
                Found::Plan(turn) => return turn,
                Found::Nothing => {}
            }
        }
    }

    /// Whether a goal, counted from 1, is open.
    fn goal_is_open(&self, op: &PlannerOp, looked: &Looked, goal: u32, lane: usize) -> bool {
        let fruitless = self.flag(op.memory.fruitless + goal - 1, lane);
        looked.may[goal as usize - 1] >> (lane % 64) & 1 == 1 && !fruitless
    }

    /// Whether a goal is open and no other one exceeds its score by more than the hysteresis.
    fn stays(&self, op: &PlannerOp, looked: &Looked, goal: u32, lane: usize) -> bool {
        if !self.goal_is_open(op, looked, goal, lane) {
            return false;
        }
        let least = looked.score(op, goal, lane) + looked.hysteresis(op, lane);
        let mut others = 1..=op.goals.len() as u32;
        others.all(|other| {
            looked.score(op, other, lane) <= least || !self.goal_is_open(op, looked, other, lane)
        })
    }

    /// The first of the open goals with the highest score, counted from 1; 0 if none is open.
    fn best_goal(&self, op: &PlannerOp, looked: &Looked, lane: usize) -> u32 {
        let (mut best, mut score) = (0, 0.0);
        for goal in 1..=op.goals.len() as u32 {
            let its = looked.score(op, goal, lane);
            if its > score && self.goal_is_open(op, looked, goal, lane) {
                (best, score) = (goal, its);
            }
        }
        best
    }

    /// Goals are no longer fruitless when a fact, or what is left out, differs.
    fn check_fruitless(&mut self, op: &PlannerOp, lane: usize) {
        if self.hash_of_now(op, lane) != self.wide(op.memory.fruitless_for, lane) {
            let agent = 1 << (lane % 64);
            self.clear_all(op.memory.fruitless, op.goals.len(), lane / 64, agent);
        }
    }

    /// A number for the facts of now, and what is left out now.
    pub(super) fn hash_of_now(&mut self, op: &PlannerOp, lane: usize) -> u64 {
        self.read_facts(op, lane);
        let left_out = self.left_out(op, lane);
        self.hash_inputs(op, left_out, lane)
    }

    /// Whether a fact differs from those of the last search, if that counts.
    fn has_changed(&mut self, op: &PlannerOp, lane: usize) -> bool {
        let Some(column) = op.memory.searched_with else {
            return false;
        };
        self.read_facts(op, lane);
        self.hash_facts(op, lane) != self.wide(column, lane)
    }
}

/// Those of some agents for whom the score of the second goal is above that of the first by more than the hysteresis.
fn exceeding(op: &PlannerOp, looked: &Looked, (goal, other): (u32, u32), agents: u64) -> u64 {
    let steady = |goal: u32| op.goals[goal as usize - 1].steady;
    if let (Some(own), Some(its), Some(by)) = (steady(goal), steady(other), op.steady_hysteresis) {
        return if its > own + by { agents } else { 0 };
    }
    let [own, others] = [goal, other].map(|goal| looked.scores(op, goal));
    let hysteresis = op.steady_hysteresis;
    let by = hysteresis.map_or_else(|| word_of(&looked.hysteresis), |by| [by; 64]);
    agents & bits_of(64, |lane| others[lane] > own[lane] + by[lane])
}

/// The values of a word.
fn word_of(values: &[f64]) -> [f64; 64] {
    *values
        .first_chunk()
        .expect("there is room for the agents of a word")
}
