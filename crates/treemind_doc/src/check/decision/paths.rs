//! Sides of tests that nothing can lead to, because of what was tested before.

use super::super::Checker;
use super::facts::{Declared, Facts};
use super::{Draft, Goal, Step};
use crate::code::Code;
use crate::syntax::Span;
use treemind_core::behaviour::DecisionStep;

/// Something that is never so.
enum Found {
    /// A test that never holds, or always.
    Test(Span, bool),
    Case(Span),
    Default(Span),
}

impl Checker<'_> {
    /// Reports sides that nothing can lead to; `order` are the tests that can be come to, each in front of those that
    /// it leads to.
    pub(super) fn judge_paths(&mut self, draft: &Draft<'_>, order: &[usize]) {
        let declared = Declared {
            keys: &self.scope.keys,
            enums: &self.scope.enums,
        };
        let found = impossible(draft, order, declared);
        for found in found {
            let (span, message) = match found {
                Found::Test(span, true) => (span, "this test always holds here"),
                Found::Test(span, false) => (span, "this test never holds here"),
                Found::Case(span) => (span, "this case is never chosen here"),
                Found::Default(span) => (span, "this `default` is never chosen here"),
            };
            self.sink
                .warning(Code::KnownAnswer, span, message)
                .with_help("what was tested on the way here leaves nothing else");
        }
    }
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
            if yes.is_none() || no.is_none() {
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
