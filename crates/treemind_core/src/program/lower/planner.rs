//! The code of planners.

use super::{Context, Lowering, RUNS};
use crate::behaviour::{Aim, Form, Planner, Replan, Score, Scoring};
use crate::blackboard::{Column, Holds, Label, Part};
use crate::expr::Expr;
use crate::ids::{KeyId, NodeId};
use crate::planning::Domain;
use crate::program::op::{
    GoalOp, KeptFact, Op, Out, PlanColumns, PlannerChild, PlannerMemory, PlannerOp, Range, Reg,
    SearchMemory, SkipTo, Slot,
};
use crate::value::Value;

impl Lowering<'_> {
    pub(super) fn planner(
        &mut self,
        node: NodeId,
        planner: &Planner,
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let domain = Domain::new(self.behaviour, node);
        let goals = planner.goals.iter().map(|goal| GoalOp {
            when: goal.when.as_ref().map(|when| self.expr(node, when)),
            wants: match &goal.aim {
                Aim::Wants(wants) => Some(self.expr(node, wants)),
                Aim::Does(_) => None,
            },
            score: self.score(&goal.score, planner.goals.len()),
            steady: steady_score(&goal.score),
        });
        let goals: Vec<GoalOp> = goals.collect();
        let hysteresis = self.expr(node, &planner.hysteresis);
        let asked = goals
            .iter()
            .flat_map(|goal| goal.when.into_iter().chain([goal.score]));
        let asks_nothing = asked.into_iter().all(|expr| {
            self.asks
                .get(expr as usize)
                .is_none_or(|asks| asks.is_empty())
        });
        let memory = self.planner_memory(planner, &domain);
        let [entered, success, failure, skipped] = std::array::from_fn(|_| self.register());
        let board = self.board;
        let asks = domain
            .facts()
            .filter_map(|key| board.keys[key.index()].sensed);
        let asks = asks.collect();
        let index = self.code.planners.len();
        self.code.planners.push(PlannerOp {
            node,
            input,
            entered,
            success,
            failure,
            skipped,
            out_success: out.success,
            out_failure: out.failure,
            reach: context.reach,
            children: Vec::new(),
            goals,
            hysteresis,
            steady_hysteresis: steady(&planner.hysteresis).filter(|margin| *margin >= 0.0),
            asks_nothing,
            asks,
            every: u64::from(planner.every),
            slice: planner.slice,
            max_expansions: planner.max_expansions,
            replans: planner.replan == Replan::Changed,
            domain,
            memory,
            inside: Range::default(),
            slot: 0,
            end: 0,
        });
        self.code.ops.push(Op::PlannerBegin(index as u32));
        let start = self.next_slot();
        let inner = Context {
            observed: true,
            drop: true,
            ..context
        };
        let answers = Out {
            success,
            failure,
            skipped: SkipTo::plain(skipped),
        };
        let behaviour = self.behaviour;
        let children = behaviour.node(node).children.iter().map(|&child| {
            let input = self.register();
            PlannerChild {
                node: child,
                input,
                range: self.node(child, input, answers, inner),
            }
        });
        let children = children.collect();
        let inside = self.range_from(start);
        let slot = self.slot(Slot::Quiet, RUNS);
        let placed = &mut self.code.planners[index];
        placed.children = children;
        placed.inside = inside;
        placed.slot = slot;
        placed.end = self.code.ops.len() as u32;
        self.code.ops.push(Op::PlannerEnd(index as u32));
    }

    fn planner_memory(&mut self, planner: &Planner, domain: &Domain) -> PlannerMemory {
        // When a search finds nothing, the next one begins in the same turn, with what is left of it.
        let most = u64::from(planner.max_expansions) * planner.goals.len() as u64;
        let searches_on = u64::from(planner.slice) < most;
        let search = searches_on.then(|| SearchMemory {
            goals: self.a_bit_each(planner.goals.len(), |goal| {
                Label::run(("goal_searched_for", Part::Goal(goal)))
            }),
            expansions: self.run.add_narrow(Holds::NUMBER, Label::run("expansions")),
            left_out: self.a_bit_each(planner.steps.len(), |step| {
                Label::run(("left_out_of_search", Part::Step(step)))
            }),
            facts: domain.facts().map(|key| self.kept_fact(key)).collect(),
        });
        let pursues = self.a_bit_each(planner.goals.len(), |goal| {
            Label::run(("goal", Part::Goal(goal)))
        });
        let fruitless = self.a_bit_each(planner.goals.len(), |goal| {
            ("fruitless_goals", Part::Goal(goal)).into()
        });
        let left_out = self.a_bit_each(planner.steps.len(), |step| {
            Label::run(("left_out", Part::Step(step)))
        });
        let (columns, bits) = PlanColumns::size(planner.max_steps, planner.steps.len());
        let run = &mut self.run;
        PlannerMemory {
            planned: run.add_bits(Label::run("has_a_plan")),
            ended: run.add_bits(Label::run("step_has_ended")),
            promised: run.add_bits(Label::run("step_promised_a_change")),
            failed: run.add_bits("last_run_failed"),
            pursues,
            fruitless,
            place: run.add_narrow(Holds::NUMBER, Label::run("place_in_plan")),
            steps: PlanColumns {
                first: run.add_narrows(columns, Holds::NUMBER, Label::run("plan")),
                columns,
                bits,
                each: u32::BITS / bits,
            },
            left_out,
            at_start: run.add_wide(Label::run("facts_at_start_of_step")),
            fruitless_for: run.add_wide("facts_of_fruitless_goals"),
            searched_with: (planner.replan == Replan::Changed)
                .then(|| run.add_wide(Label::run("facts_of_last_search"))),
            search,
        }
    }

    /// Columns of bits side by side; returns the first.
    fn a_bit_each(&mut self, count: usize, label: impl Fn(u32) -> Label) -> u32 {
        let first = self.run.counts()[0] as u32;
        for one in 0..count as u32 {
            self.run.add_bits(label(one));
        }
        first
    }

    fn kept_fact(&mut self, key: KeyId) -> KeptFact {
        let placed = self.behaviour.key(key);
        let label = |name| Label::run((name, Part::Key(key)));
        let column = match placed.form {
            // Of a list, only the length is a fact.
            Form::List { bound, .. } => Column::Narrow(
                self.run
                    .add_narrow(Holds::AtMost(bound), label("fact_of_search")),
            ),
            Form::One | Form::Optional { .. } => self.run.add(placed.ty, label("fact_of_search")),
        };
        let is_optional = matches!(placed.form, Form::Optional { .. });
        KeptFact {
            key,
            column,
            set: is_optional.then(|| self.run.add_bits(label("fact_of_search_is_set"))),
        }
    }
}

/// What a score always is, if that is known.
fn steady_score(score: &Score) -> Option<f64> {
    match (&score.made, &score.weight) {
        (Scoring::Expr(expr), None) => steady(expr).map(|score| score.max(0.0)),
        _ => None,
    }
}

/// The value of an expression that is a number, if the number is finite.
fn steady(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Value(Value::Double(value)) if value.is_finite() => Some(*value),
        _ => None,
    }
}
