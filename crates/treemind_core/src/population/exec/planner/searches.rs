//! Searches of a planner: how they begin and go on, and what becomes of the plans that they find.

use super::memory::{InPlan, steps_from};
use super::{Turn, dropped};
use crate::behaviour::MAX_PLAN_STEPS;
use crate::blackboard::Column;
use crate::fault::FaultKind;
use crate::ids::AgentId;
use crate::planning::{Asker, Flaw, Search, Start, StepSet};
use crate::population::exec::Exec;
use crate::program::op::{KeptFact, PlannerOp};
use crate::trace::{Dropped, Event, Sink};
use crate::value::{Type, Value};

/// A turn of one agent.
pub(super) struct Thought {
    /// The expansions so far.
    pub(super) used: u32,
    /// The steps that are left out.
    pub(super) left_out: StepSet,
    /// Whether anything may be open in the steps.
    pub(super) may_be_open: bool,
}

/// What a search has come to in this turn.
pub(super) enum Found {
    Plan(Turn),
    Nothing,
    /// It goes on in the next turn.
    Later,
}

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Begins a search, as far as the turn allows.
    pub(super) fn begin_search(
        &mut self,
        op: &PlannerOp,
        goal: usize,
        lane: usize,
        thought: &mut Thought,
    ) -> Found {
        self.record_one(op, Event::Think(goal as u32), lane);
        self.read_facts(op, lane);
        self.note_facts(op, lane);
        if let Some(column) = op.memory.searched_with {
            let hash = self.hash_facts(op, lane);
            self.call.run.wide_mut(column)[lane] = hash;
        }
        self.search_with(op, (goal, thought.left_out), lane, None, thought)
    }

    /// Goes on with a search of an earlier turn.
    pub(super) fn search_on(
        &mut self,
        op: &PlannerOp,
        goal: usize,
        lane: usize,
        thought: &mut Thought,
    ) -> Found {
        let Some(search) = &op.memory.search else {
            return Found::Later;
        };
        let before = self.narrow(search.expansions, lane);
        self.read_kept_facts(op, &search.facts, lane);
        let left_out = self.steps_in(op, search.left_out, lane);
        self.search_with(op, (goal, left_out), lane, Some(before), thought)
    }

    /// Searches, `before` being the expansions of the turns before, if it began in one of them.
    fn search_with(
        &mut self,
        op: &PlannerOp,
        (goal, left_out): (usize, StepSet),
        lane: usize,
        before: Option<u32>,
        thought: &mut Thought,
    ) -> Found {
        let is_new = before.is_none();
        let before = before.unwrap_or(0);
        let given = match op.memory.search {
            Some(_) => before.saturating_add(op.slice - thought.used),
            None => u32::MAX,
        };
        let plans = &mut *self.plans;
        let desk = &mut plans.search;
        let asker = Asker {
            domain: &op.domain,
            node: op.node,
            tick: self.call.around.tick,
            every: op.every,
        };
        let shelf = &mut plans.shelf;
        let facts = &plans.of_word[op.facts_of(lane)];
        let (found, start) = shelf.search(asker, (goal, left_out), facts, given, desk);
        if found == Search::Unfinished {
            self.keep_search(op, (goal, left_out), lane, (is_new, given));
            return Found::Later;
        }
        thought.used = (thought.used + desk.expansions.saturating_sub(before)).min(op.slice);
        self.report_bad_costs(op, lane);
        self.set_searched(op, lane, 0);
        match found {
            Search::Found { cost, method } => {
                let (found, start) = ((cost, method), is_new.then_some(start).flatten());
                Found::Plan(self.adopt(op, (goal, found, start), lane, thought.may_be_open))
            }
            Search::Nothing(why) => {
                self.record_one(op, Event::NoPlan(goal as u32, why), lane);
                let hash = self.hash_inputs(op, left_out, lane);
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
        self.set_searched(op, lane, goal as u32 + 1);
        self.set_narrow(search.expansions, lane, expansions);
        if is_new {
            self.set_steps_in(op, search.left_out, lane, left_out);
            self.keep_facts(op, &search.facts, lane);
        }
    }

    /// A goal is fruitless for the facts of the search, and what was left out.
    fn note_fruitless(&mut self, op: &PlannerOp, goal: usize, hash: u64, lane: usize) {
        if hash != self.wide(op.memory.fruitless_for, lane) {
            let agent = 1 << (lane % 64);
            self.clear_all(op.memory.fruitless, op.goals.len(), lane / 64, agent);
        }
        self.set_flag(op.memory.fruitless + goal as u32, lane, true);
        self.call.run.wide_mut(op.memory.fruitless_for)[lane] = hash;
    }

    /// Takes the plan on the desk, unless the one that there is goes on.
    fn adopt(
        &mut self,
        op: &PlannerOp,
        (goal, (cost, method), start): (usize, (u64, u32), Option<Start>),
        lane: usize,
        may_be_open: bool,
    ) -> Turn {
        let pursued = self.pursued(op, lane);
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
            self.abort_one(op.children[step].range, lane);
        }
        if live.is_none() && may_be_open {
            // Its plan was dropped when the document changed.
            self.abort_others(op, plan.first().map(|first| usize::from(*first)), lane);
        }
        self.record_one(op, Event::Goal(goal as u32), lane);
        let shown = u32::try_from(cost).unwrap_or(u32::MAX);
        self.record_one(op, Event::Plan(shown), lane);
        for step in plan {
            self.record_one(op, Event::Intend(u32::from(*step)), lane);
        }
        self.set_steps(op, lane, plan);
        let place = InPlan {
            length: length as u32,
            cursor: 0,
            method,
        };
        self.set_pursued(op, lane, goal as u32 + 1);
        self.set_narrow(op.memory.place, lane, place.bits());
        self.set_flag(op.memory.planned, lane, length > 0);
        self.set_flag(op.memory.ended, lane, false);
        if let Some(start) = start {
            self.foresee(start, lane);
        }
        // A task that needs nothing done is done.
        match length {
            0 => Turn::Succeeds,
            _ => Turn::Goes,
        }
    }

    /// What the first step promises is known, if the facts still are.
    fn foresee(&mut self, start: Start, lane: usize) {
        let (plans, agent) = (&mut *self.plans, 1 << (lane % 64));
        if plans.known & agent == 0 {
            return;
        }
        plans.hashes[lane % 64] = start.facts;
        plans.hashed |= agent;
        plans.foreseen |= agent;
        plans.promised &= !agent;
        plans.promised |= agent * u64::from(start.promises);
    }

    /// Aborts what is open in all steps but one.
    fn abort_others(&mut self, op: &PlannerOp, step: Option<usize>, lane: usize) {
        let slots = &self.slots[op.inside.start as usize..op.inside.end as usize];
        let mut slots = slots.iter();
        if !slots.any(|slot| slot[lane / 64] >> (lane % 64) & 1 == 1) {
            return;
        }
        for (index, child) in op.children.iter().enumerate() {
            if step != Some(index) {
                self.abort_one(child.range, lane);
            }
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
        let range = op.children[self.current_step(op, lane)].range;
        let is_live = self.live_in_word(range, lane / 64) >> (lane % 64) & 1 == 1;
        self.read_facts(op, lane);
        match self.follow_rest(op, (goal, place), lane, place.cursor, is_live) {
            Err(flaw) => Some(dropped(flaw)),
            Ok(_) if op.domain.is_task(goal) => (method < place.method).then_some(Dropped::Beaten),
            Ok(rest) => (rest > cost).then_some(Dropped::Dearer),
        }
    }

    /// Goes through the plan from a place on, with the facts of now.
    pub(super) fn follow_rest(
        &mut self,
        op: &PlannerOp,
        (goal, place): (usize, InPlan),
        lane: usize,
        from: u32,
        is_live: bool,
    ) -> Result<u64, Flaw> {
        let (plans, run) = (&mut *self.plans, &self.call.run);
        let later = &mut plans.search.later;
        later.clear();
        later.extend_from_slice(&plans.of_word[op.facts_of(lane)]);
        let narrow = |column| run.narrow_of(column, lane);
        let steps = steps_from(op.memory.steps, from, place, op.children.len(), narrow);
        op.domain.follow_steps(goal, steps, is_live, later)
    }

    fn report_bad_costs(&mut self, op: &PlannerOp, lane: usize) {
        let mut bad = self.plans.search.bad_costs.0;
        while bad != 0 {
            let node = op.children[bad.trailing_zeros() as usize].node;
            self.fault(node, &FaultKind::BadScore, lane / 64, 1 << (lane % 64));
            bad &= bad - 1;
        }
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

    /// Keeps the facts for the next turn of a search.
    fn keep_facts(&mut self, op: &PlannerOp, kept: &[KeptFact], lane: usize) {
        for fact in kept {
            let facts = &self.plans.of_word[op.facts_of(lane)];
            let value = op.domain.value(facts, fact.key);
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
    }

    fn read_kept_facts(&mut self, op: &PlannerOp, kept: &[KeptFact], lane: usize) {
        let agent = self.call.around.first + lane;
        let me = self.call.around.lives.id(agent).map_or(0, AgentId::to_bits);
        // They take the place of the facts of now.
        self.plans.forget_facts(1 << (lane % 64));
        let facts = &mut self.plans.of_word[op.facts_of(lane)];
        let run = self.call.run.read();
        let is_set = |column: u32| run.bits(column)[lane / 64] >> (lane % 64) & 1 == 1;
        op.domain.restore(facts, me, |key, ty: Option<Type>| {
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
    }
}
