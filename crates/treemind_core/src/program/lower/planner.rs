//! The code of planners.

use super::{Context, Lowering, RUNS};
use crate::behaviour::{Aim, Form, Planner, Replan};
use crate::blackboard::{Column, Holds, Label, Part};
use crate::ids::{KeyId, NodeId};
use crate::planning::Domain;
use crate::program::op::{
    GoalOp, KeptFact, Op, Out, PlannerChild, PlannerMemory, PlannerOp, Range, Reg, SearchMemory,
    SkipTo, Slot,
};

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
        });
        let goals = goals.collect();
        let hysteresis = self.expr(node, &planner.hysteresis);
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
        let goals = Holds::AtMost(planner.goals.len() as u32);
        let left_out_columns = planner.steps.len().div_ceil(32) as u32;
        let number = Holds::NUMBER;
        // When a search finds nothing, the next one begins in the same turn, with what is left of it.
        let most = u64::from(planner.max_expansions) * planner.goals.len() as u64;
        let searches_on = u64::from(planner.slice) < most;
        let search = searches_on.then(|| SearchMemory {
            expansions: self.run.add_narrow(number, Label::run("expansions")),
            left_out: self.run.add_narrows(
                left_out_columns,
                number,
                Label::run("left_out_of_search"),
            ),
            facts: domain.facts().map(|key| self.kept_fact(key)).collect(),
        });
        let run = &mut self.run;
        PlannerMemory {
            ended: run.add_bits(Label::run("step_has_ended")),
            promised: run.add_bits(Label::run("step_promised_a_change")),
            failed: run.add_bits("last_run_failed"),
            pursues: run.add_narrow(goals, Label::run("goal")),
            searches: run.add_narrow(goals, Label::run("goal_searched_for")),
            place: run.add_narrow(number, Label::run("place_in_plan")),
            steps: run.add_narrows(planner.max_steps.div_ceil(4), number, Label::run("plan")),
            step_columns: planner.max_steps.div_ceil(4),
            left_out: run.add_narrows(left_out_columns, number, Label::run("left_out")),
            left_out_columns,
            fruitless: run.add_narrow(number, "fruitless_goals"),
            at_start: run.add_wide(Label::run("facts_at_start_of_step")),
            fruitless_for: run.add_wide("facts_of_fruitless_goals"),
            searched_with: (planner.replan == Replan::Changed)
                .then(|| run.add_wide(Label::run("facts_of_last_search"))),
            search,
        }
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
