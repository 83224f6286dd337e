//! Sides of tests that nothing can lead to, because of what was tested before.

use super::super::tree::present;
use super::super::{Archetype, Checker, What};
use super::facts::{Declared, Facts};
use super::{Draft, Goal, Step};
use crate::code::Code;
use crate::language;
use crate::syntax::{Node, Span, shortened};
use std::collections::HashSet;
use treemind_core::behaviour::DecisionStep;
use treemind_core::{Expr, Value};

/// Something that is never so.
enum Found {
    /// A test that never holds, or always.
    Test(Span, bool),
    /// A test that asks nothing: it is written as `true` or `false`.
    Constant(Span, bool),
    Case(Span),
    Default(Span),
    /// A test on one way of which nothing is said.
    Unsaid(Span),
}

impl Checker<'_> {
    /// Reports sides that nothing can lead to; `order` are the tests that can be come to, each in front of those that
    /// it leads to.
    pub(super) fn judge_paths(&mut self, held: usize, draft: &Draft<'_>, order: &[usize]) {
        let declared = Declared {
            keys: &self.scope.keys,
            enums: &self.scope.enums,
        };
        let found = impossible(draft, order, declared);
        for found in found {
            let (span, message) = match found {
                Found::Test(span, true) => (span, "this test always holds here"),
                Found::Test(span, false) => (span, "this test never holds here"),
                Found::Constant(span, holds) => {
                    self.constant_test(span, holds);
                    continue;
                }
                Found::Case(span) => (span, "this case is never chosen here"),
                Found::Default(span) => (span, "this `default` is never chosen here"),
                Found::Unsaid(span) => {
                    self.unsaid.entry(held).or_insert(span);
                    continue;
                }
            };
            self.sink
                .warning(Code::KnownAnswer, span, message)
                .with_help("what was tested on the way here leaves nothing else");
        }
    }
}

impl Checker<'_> {
    fn constant_test(&mut self, span: Span, holds: bool) {
        let (message, help) = match holds {
            true => (
                "this test asks nothing: it is always true",
                "leave it out, and write what it leads to in its place",
            ),
            false => (
                "this test asks nothing: it is never true",
                "to take it out for a while, use `disabled=#true`",
            ),
        };
        self.sink
            .warning(Code::KnownAnswer, span, message)
            .with_help(help);
    }

    /// What a decision tree leaves open is perhaps forgotten, where nothing is done about it: where it runs by itself, is a
    /// task of one that does, or says where a transition leads. Elsewhere it may be what is wanted, so that a `selector`
    /// goes on to something else.
    pub(in crate::check) fn judge_answers(
        &mut self,
        main: Option<&(What, String)>,
        archetypes: &[Archetype],
    ) {
        let alone = main
            .into_iter()
            .chain(archetypes.iter().map(|one| &one.runs));
        let alone = alone.filter_map(|(what, name)| self.held_named(*what, name));
        let mut pending: Vec<usize> = alone.chain(self.deciders.iter().copied()).collect();
        let mut seen = HashSet::new();
        while let Some(held) = pending.pop() {
            if !seen.insert(held) {
                continue;
            }
            if let Some(span) = self.unsaid.remove(&held) {
                let name = shortened(&self.held[held].name);
                let message = format!("`{name}` may come to nothing behind this test");
                self.sink
                    .warning(Code::NoAnswer, span, message)
                    .with_help("say what is done then, or `none` if nothing is");
            }
            let tasks = match self.held[held].what {
                What::Tree => root_of(self.held[held].node).into_iter().collect(),
                What::Decision => tasks_of(self.held[held].node),
                What::Machine => Vec::new(),
            };
            pending.extend(tasks.into_iter().filter_map(|task| self.stands_for(task)));
        }
    }

    /// The definition that a node stands for, whose answer is the node's.
    fn stands_for(&self, node: &Node) -> Option<usize> {
        let word = node.name.value.as_str();
        let what = What::ALL
            .into_iter()
            .find(|what| what.node_word() == word)?;
        self.held_named(what, &node.first_text()?.value)
    }
}

/// The root of a tree.
fn root_of(tree: &Node) -> Option<&Node> {
    let mut nodes = present(tree.children()).into_iter();
    nodes.find(|node| !language::is_item(&node.name.value))
}

/// What the tests of a decision tree lead to.
fn tasks_of(decision: &Node) -> Vec<&Node> {
    let mut tasks = Vec::new();
    let mut lists = vec![decision];
    while let Some(list) = lists.pop() {
        for node in present(list.children()) {
            match language::is_decision_list(&node.name.value) {
                true => lists.push(node),
                false => tasks.push(node),
            }
        }
    }
    tasks
}

fn impossible(draft: &Draft<'_>, order: &[usize], declared: Declared<'_>) -> Vec<Found> {
    let mut known: Vec<Option<Facts<'_>>> = Vec::new();
    known.resize_with(draft.steps.len(), || None);
    if let Some(first) = order.first() {
        known[*first] = Some(Facts::default());
    }
    let mut found = Vec::new();
    for &number in order {
        let step = &draft.steps[number];
        let Some(facts) = known[number].take() else {
            continue;
        };
        let ways = ways(step, facts, declared, &mut found);
        let mut said = step.goals.iter().zip(&ways);
        if step.takes_all || matches!(step.step, DecisionStep::Random { .. }) {
            // What is left over of a draw, or of cases that take every value, is no way.
            said.next_back();
        }
        if said.any(|(goal, facts)| *goal == Goal::None && facts.is_some()) {
            found.push(Found::Unsaid(step.span.clone()));
        }
        for (goal, facts) in step.goals.iter().zip(ways) {
            let (Goal::Step(next), Some(facts)) = (goal, facts) else {
                continue;
            };
            let met = match &known[*next] {
                Some(known) => known.meet(&facts),
                None => facts,
            };
            known[*next] = Some(met);
        }
    }
    found
}

/// What is known on each way of a test; `None`: it cannot be taken.
fn ways<'e>(
    step: &'e Step<'_>,
    facts: Facts<'e>,
    declared: Declared<'_>,
    found: &mut Vec<Found>,
) -> Vec<Option<Facts<'e>>> {
    match &step.step {
        DecisionStep::Test { test, .. } => {
            let yes = facts.after(test, true, declared);
            let no = facts.after(test, false, declared);
            if let Expr::Value(Value::Bool(holds)) = test {
                found.push(Found::Constant(step.span.clone(), *holds));
            } else if yes.is_none() || no.is_none() {
                found.push(Found::Test(step.span.clone(), yes.is_some()));
            }
            vec![yes, no]
        }
        DecisionStep::Switch { cases, .. } => {
            let mut rest = Some(facts.clone());
            let mut ways = Vec::with_capacity(cases.len() + 1);
            for ((case, _), span) in cases.iter().zip(&step.cases) {
                // What earlier cases of the same `switch` take is reported with them.
                if facts.after(case, true, declared).is_none() {
                    found.push(Found::Case(span.clone()));
                }
                let before = rest.as_ref();
                ways.push(before.and_then(|facts| facts.after(case, true, declared)));
                rest = before.and_then(|facts| facts.after(case, false, declared));
            }
            if let (None, Some(span)) = (&rest, &step.default) {
                found.push(Found::Default(span.clone()));
            }
            ways.push(rest);
            ways
        }
        DecisionStep::Ask { .. } | DecisionStep::Random { .. } => {
            step.goals.iter().map(|_| Some(facts.clone())).collect()
        }
    }
}
