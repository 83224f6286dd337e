//! `planner`: a tick, rule by rule.

mod model;

pub use model::{Answer, Model, Searched, Situation};

use super::{Leaves, Reference};
use std::collections::BTreeSet;
use treemind_core::behaviour::{Aim, Planner, Replan};
use treemind_core::planning::NoPlan;
use treemind_core::trace::Dropped;
use treemind_core::{Event, FaultKind, NodeId, Status, Value};

/// What a planner that runs remembers.
#[derive(Clone, Debug, Default)]
pub(super) struct Planning {
    goal: Option<usize>,
    plan: Option<Plan>,
    search: Option<Pending>,
    left_out: BTreeSet<usize>,
    /// The facts of the last search.
    last_facts: Option<Situation>,
}

#[derive(Clone, Debug)]
struct Plan {
    steps: Vec<usize>,
    cursor: usize,
    method: usize,
    /// The current step has begun: the facts at its start, and whether it promised to change one.
    begun: Option<(Situation, bool)>,
    /// The current step has ended.
    ended: bool,
}

/// A search whose answer is known, and withheld until its turn.
#[derive(Clone, Debug)]
struct Pending {
    goal: usize,
    facts: Situation,
    left_out: BTreeSet<usize>,
    found: Searched,
    /// The expansions of the turns so far.
    done: u64,
}

/// What a planner keeps for the agent's lifetime.
#[derive(Clone, Debug, Default)]
pub(super) struct Fruitless {
    /// Goals, for these facts and what was left out.
    of: Vec<(usize, Situation, BTreeSet<usize>)>,
    last_failed: bool,
}

/// What there is to know of the goals in a turn.
struct Looked {
    scores: Vec<f64>,
    holds: Vec<bool>,
    hysteresis: f64,
}

impl Reference<'_> {
    pub(super) fn visit_planner(
        &mut self,
        node: NodeId,
        planner: &Planner,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let answer = self.planner_answer(node, planner, leaves);
        if answer.is_end() {
            self.abort_children(node, leaves);
            self.memory(node).planning = None;
            self.lasting[node.index()].planner.last_failed = answer == Status::Failure;
        }
        answer
    }

    fn planner_answer(
        &mut self,
        node: NodeId,
        planner: &Planner,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let in_turn = self.is_in_turn(planner);
        if self.memory(node).planning.is_none() {
            if !in_turn && self.lasting[node.index()].planner.last_failed {
                return Status::Failure;
            }
            self.memory(node).planning = Some(Box::default());
        }
        if self.step_ended(node, planner) {
            return Status::Success;
        }
        if in_turn && let Some(answer) = self.think(node, planner, leaves) {
            return answer;
        }
        self.tick_step(node, leaves);
        Status::Running
    }

    fn planning(&mut self, node: NodeId) -> &mut Planning {
        let planning = self.memory(node).planning.as_mut();
        planning.expect("the planner runs")
    }

    fn is_in_turn(&self, planner: &Planner) -> bool {
        let turn = match self.agent {
            0..1_024 => self.agent,
            1_024..16_384 => self.agent / 64,
            _ => self.agent / 1_024,
        };
        (self.tick + turn).is_multiple_of(u64::from(planner.every))
    }

    fn model(&self, node: NodeId) -> Model<'_> {
        Model::new(self.behaviour, node, self.handle)
    }

    /// All facts are asked about, and read.
    fn read_facts(&mut self, node: NodeId) -> Situation {
        for key in self.model(node).fact_keys() {
            self.ask_for(node, key);
        }
        self.model(node).facts(self.keys.values())
    }

    /// A step ended in an earlier tick. Returns whether that was the end of it all.
    fn step_ended(&mut self, node: NodeId, planner: &Planner) -> bool {
        let planning = self.planning(node);
        let Some(plan) = planning.plan.clone().filter(|plan| plan.ended) else {
            return false;
        };
        let goal = planning.goal.expect("a plan has a goal");
        let is_last = plan.cursor + 1 == plan.steps.len();
        let is_task = matches!(planner.goals[goal].aim, Aim::Does(_));
        if is_last && is_task {
            return true;
        }
        let facts = self.read_facts(node);
        if is_last && self.model(node).wants_holds(goal, &facts) {
            return true;
        }
        let rest = &plan.steps[plan.cursor + 1..];
        let flaw = match is_last {
            true => Some(Dropped::Unmet),
            false => self
                .follow(node, (goal, is_task), rest, false, &facts)
                .err(),
        };
        let planning = self.planning(node);
        let Some(flaw) = flaw else {
            let plan = planning.plan.as_mut().expect("it was there");
            plan.cursor += 1;
            (plan.begun, plan.ended) = (None, false);
            return false;
        };
        let is_vain = plan.begun.is_some_and(|(at_start, promised)| {
            promised && format!("{at_start:?}") == format!("{facts:?}")
        });
        if is_vain {
            planning.left_out.insert(plan.steps[plan.cursor]);
        } else {
            planning.left_out.clear();
        }
        planning.plan = None;
        self.report(
            node,
            Event::Drop(if is_vain { Dropped::Vain } else { flaw }),
        );
        false
    }

    /// Goes through the rest of a plan. The guards of a step in progress do not count.
    fn follow(
        &self,
        node: NodeId,
        (goal, is_task): (usize, bool),
        rest: &[usize],
        is_live: bool,
        facts: &Situation,
    ) -> Result<u64, Dropped> {
        let model = self.model(node);
        let mut situation = facts.clone();
        let mut sum = 0;
        for (index, &step) in rest.iter().enumerate() {
            let broken = Dropped::Broken(step as u32);
            let is_begun = is_live && index == 0;
            if !is_begun && !model.usable(step, &situation) {
                return Err(broken);
            }
            sum += match model.cost(step, &situation) {
                Some(cost) => cost,
                None if is_task && is_begun => 0,
                None => return Err(broken),
            };
            situation = model.apply(step, &situation).ok_or(broken)?;
        }
        match is_task || model.wants_holds(goal, &situation) {
            true => Ok(sum),
            false => Err(Dropped::Unmet),
        }
    }

    /// Whether a goal's wants hold on the blackboard; that it cannot be said is no fault.
    fn wants_hold_now(&mut self, node: NodeId, planner: &Planner, goal: usize) -> bool {
        let Aim::Wants(wants) = &planner.goals[goal].aim else {
            return false;
        };
        let mut keys = Vec::new();
        wants.for_each_key(&mut |key| {
            self.ask_for(node, key);
            if !keys.contains(&key) {
                keys.push(key);
            }
        });
        self.report_reads(node, &keys);
        let cells = self.keys.values().to_vec();
        self.model(node).wants_holds(goal, &cells)
    }

    /// Reads the `when` and the score of each goal.
    fn look_at_goals(&mut self, node: NodeId, planner: &Planner) -> Looked {
        let mut looked = Looked {
            scores: Vec::new(),
            holds: Vec::new(),
            hysteresis: 0.0,
        };
        for (index, goal) in planner.goals.iter().enumerate() {
            let may = match &goal.when {
                Some(when) => self.eval_at(node, when) == Some(Value::Bool(true)),
                None => true,
            };
            let score = if may {
                self.goal_score(node, index, &goal.score)
            } else {
                0.0
            };
            looked.scores.push(score);
            let holds = score > 0.0 && self.wants_hold_now(node, planner, index);
            looked.holds.push(holds);
        }
        let planning = self.planning(node);
        if planning.goal.is_some() || planning.search.is_some() {
            looked.hysteresis = self.hysteresis(node, &planner.hysteresis);
        }
        looked
    }

    /// It is the planner's turn. `None`: it goes on with what it has.
    fn think(
        &mut self,
        node: NodeId,
        planner: &Planner,
        leaves: &mut dyn Leaves,
    ) -> Option<Status> {
        if let Some(goal) = self.planning(node).goal
            && self.wants_hold_now(node, planner, goal)
        {
            return Some(Status::Success);
        }
        let looked = self.look_at_goals(node, planner);
        self.forget_fruitless(node);
        let mut used = 0;
        loop {
            let pursued = self.planning(node).goal;
            if let Some(goal) = pursued
                && !self.goal_is_open(node, &looked, goal)
            {
                if let Some(plan) = self.planning(node).plan.take() {
                    let child = self.behaviour.node(node).children[plan.steps[plan.cursor]];
                    self.abort_node(child, leaves);
                    self.report(node, Event::Drop(Dropped::Over));
                }
                self.planning(node).goal = None;
                continue;
            }
            let searched = self
                .planning(node)
                .search
                .as_ref()
                .map(|search| search.goal);
            let goes_on = searched.is_some_and(|goal| self.goal_stays(node, &looked, goal));
            if !goes_on {
                self.planning(node).search = None;
                let stays = pursued.filter(|goal| self.goal_stays(node, &looked, *goal));
                let wanted = match stays {
                    Some(goal) if !self.wants_another(node, planner) => {
                        let _ = goal;
                        return None;
                    }
                    Some(goal) => Some(goal),
                    None => self.best_open(node, &looked),
                };
                let Some(wanted) = wanted else {
                    let with_score =
                        (0..looked.scores.len()).filter(|goal| looked.scores[*goal] > 0.0);
                    let all_hold = with_score.clone().all(|goal| looked.holds[goal]);
                    let is_done = with_score.count() > 0 && all_hold;
                    return Some(Status::from(is_done));
                };
                self.begin_search(node, wanted);
            }
            match self.search_on(node, planner, &mut used, leaves) {
                Some(answer) => return answer,
                None => continue,
            }
        }
    }

    /// Whether a goal that stays is to be searched for: there is no plan, or a fact has changed and that counts.
    fn wants_another(&mut self, node: NodeId, planner: &Planner) -> bool {
        if self.planning(node).plan.is_none() {
            return true;
        }
        if planner.replan != Replan::Changed {
            return false;
        }
        let facts = Some(self.read_facts(node));
        format!("{facts:?}") != format!("{:?}", self.planning(node).last_facts)
    }

    fn begin_search(&mut self, node: NodeId, goal: usize) {
        self.report(node, Event::Think(goal as u32));
        let facts = self.read_facts(node);
        let keys = self.model(node).fact_keys();
        self.report_reads(node, &keys);
        let left_out = self.planning(node).left_out.clone();
        let found = self.model(node).search(goal, &facts, &left_out);
        let planning = self.planning(node);
        planning.last_facts = Some(facts.clone());
        planning.search = Some(Pending {
            goal,
            facts,
            left_out,
            found,
            done: 0,
        });
    }

    /// Goes on with a search as far as the turn allows. `None`: nothing was found. `Some(None)`: it goes on later, or a
    /// plan was found.
    fn search_on(
        &mut self,
        node: NodeId,
        planner: &Planner,
        used: &mut u64,
        leaves: &mut dyn Leaves,
    ) -> Option<Option<Status>> {
        let left = u64::from(planner.slice) - *used;
        let search = self.planning(node).search.as_mut();
        let search = search.expect("a search goes on");
        if search.found.expansions > search.done + left {
            search.done += left;
            return Some(None);
        }
        *used += search.found.expansions - search.done;
        let search = self.planning(node).search.take();
        let search = search.expect("a search goes on");
        for step in &search.found.bad_costs {
            let child = self.behaviour.node(node).children[*step];
            self.fault(child, FaultKind::BadScore);
        }
        let why = match &search.found.answer {
            Answer::Plan {
                steps,
                cost,
                method,
            } => {
                let new = (steps.clone(), *cost, *method);
                return Some(self.adopt(node, planner, search.goal, new, leaves));
            }
            Answer::None => NoPlan::None,
            Answer::Limit => NoPlan::Limit,
        };
        self.report(node, Event::NoPlan(search.goal as u32, why));
        let of = (search.goal, search.facts, search.left_out);
        self.lasting[node.index()].planner.of.push(of);
        self.forget_fruitless(node);
        None
    }

    /// Takes a plan, unless the one that there is goes on.
    fn adopt(
        &mut self,
        node: NodeId,
        planner: &Planner,
        goal: usize,
        (steps, cost, method): (Vec<usize>, u64, usize),
        leaves: &mut dyn Leaves,
    ) -> Option<Status> {
        let is_task = matches!(planner.goals[goal].aim, Aim::Does(_));
        let planning = self.planning(node);
        let is_same_goal = planning.goal == Some(goal);
        let mut begun = None;
        if let Some(old) = planning.plan.clone() {
            let reason = if is_same_goal {
                let facts = self.read_facts(node);
                let rest = &old.steps[old.cursor..];
                let is_live = old.begun.is_some();
                match self.follow(node, (goal, is_task), rest, is_live, &facts) {
                    Err(flaw) => flaw,
                    Ok(_) if is_task && method < old.method => Dropped::Beaten,
                    Ok(rest) if !is_task && rest > cost => Dropped::Dearer,
                    Ok(_) => return None,
                }
            } else {
                Dropped::Beaten
            };
            self.report(node, Event::Drop(reason));
            let current = old.steps[old.cursor];
            if steps.first() == Some(&current) {
                begun = old.begun;
            } else {
                let child = self.behaviour.node(node).children[current];
                self.abort_node(child, leaves);
            }
        }
        self.report(node, Event::Goal(goal as u32));
        self.report(node, Event::Plan(u32::try_from(cost).unwrap_or(u32::MAX)));
        for step in &steps {
            self.report(node, Event::Intend(*step as u32));
        }
        let is_done = steps.is_empty();
        let planning = self.planning(node);
        planning.goal = Some(goal);
        planning.plan = Some(Plan {
            steps,
            cursor: 0,
            method,
            begun,
            ended: false,
        });
        is_done.then_some(Status::Success)
    }

    fn goal_is_open(&mut self, node: NodeId, looked: &Looked, goal: usize) -> bool {
        let fruitless = &self.lasting[node.index()].planner.of;
        let is_fruitless = fruitless.iter().any(|(of, ..)| *of == goal);
        looked.scores[goal] > 0.0 && !looked.holds[goal] && !is_fruitless
    }

    fn goal_stays(&mut self, node: NodeId, looked: &Looked, goal: usize) -> bool {
        let least = looked.scores[goal] + looked.hysteresis;
        let mut others = 0..looked.scores.len();
        self.goal_is_open(node, looked, goal)
            && others.all(|other| {
                !self.goal_is_open(node, looked, other) || looked.scores[other] <= least
            })
    }

    fn best_open(&mut self, node: NodeId, looked: &Looked) -> Option<usize> {
        let mut best: Option<usize> = None;
        for goal in 0..looked.scores.len() {
            let is_better = best.is_none_or(|best| looked.scores[goal] > looked.scores[best]);
            if is_better && self.goal_is_open(node, looked, goal) {
                best = Some(goal);
            }
        }
        best
    }

    /// Goals are fruitless until a fact, or what is left out, differs.
    fn forget_fruitless(&mut self, node: NodeId) {
        if self.lasting[node.index()].planner.of.is_empty() {
            return;
        }
        let facts = format!("{:?}", self.read_facts(node));
        let left_out = self.planning(node).left_out.clone();
        let known = &mut self.lasting[node.index()].planner.of;
        known.retain(|(_, with, out)| *out == left_out && format!("{with:?}") == facts);
    }

    /// Ticks the current step, if there is a plan.
    fn tick_step(&mut self, node: NodeId, leaves: &mut dyn Leaves) {
        let Some(plan) = self.planning(node).plan.clone() else {
            return;
        };
        let step = plan.steps[plan.cursor];
        if plan.begun.is_none() {
            let facts = self.read_facts(node);
            let after = self.model(node).apply(step, &facts);
            let promised = after.is_some_and(|after| format!("{after:?}") != format!("{facts:?}"));
            let plan = self.planning(node).plan.as_mut();
            plan.expect("it was there").begun = Some((facts, promised));
        }
        let child = self.behaviour.node(node).children[step];
        let answer = self.visit(child, leaves);
        match answer {
            Status::Running => {}
            Status::Success => {
                self.abort_node(child, leaves);
                let plan = self.planning(node).plan.as_mut();
                plan.expect("it was there").ended = true;
            }
            Status::Failure | Status::Skipped => {
                self.abort_node(child, leaves);
                let planning = self.planning(node);
                planning.left_out.insert(step);
                planning.plan = None;
                self.report(node, Event::Drop(Dropped::Failed));
            }
        }
    }
}
