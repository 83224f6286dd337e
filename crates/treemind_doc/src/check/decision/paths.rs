//! Sides of tests that can never be reached, because of earlier tests.

use super::facts::{Declared, Facts};
use super::{Draft, Goal, Step};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::said;
use crate::syntax::Span;
use treemind_core::behaviour::DecisionStep;
use treemind_core::{Expr, Value};

/// A finding about an answer that is known beforehand.
enum KnownAnswer {
    /// A test that never holds or always holds.
    Test(Span, bool),
    /// A test that asks nothing: it is written as `true` or `false`.
    Constant(Span, bool),
    Case(Span),
    Default(Span),
    /// A test with a way that leads nowhere and does not say `none`.
    Unsaid(Span),
}

/// Reports sides that can never be reached; `order` lists the tests that can be reached, each before those that it
/// leads to. Returns the place of the first test with a way that leads nowhere and does not say `none`.
pub(super) fn judge(
    draft: &Draft<'_>,
    order: &[usize],
    declared: Declared<'_>,
    sink: &mut Sink,
) -> Option<Span> {
    let nothing_else = || said!("remove it: earlier tests on the way here leave no other answer");
    let mut unsaid = None;
    for found in impossible(draft, order, declared) {
        let (span, message, help) = match found {
            KnownAnswer::Test(span, true) => {
                (span, said!("this test always holds here"), nothing_else())
            }
            KnownAnswer::Test(span, false) => {
                (span, said!("this test never holds here"), nothing_else())
            }
            KnownAnswer::Constant(span, true) => (
                span,
                said!("this test has no effect: it is always true"),
                said!("replace the test by what it leads to"),
            ),
            KnownAnswer::Constant(span, false) => (
                span,
                said!("this test has no effect: it is never true"),
                said!("to switch it off for now, use `disabled={}`", "#true"),
            ),
            KnownAnswer::Case(span) => (
                span,
                said!("this case is never chosen here"),
                nothing_else(),
            ),
            KnownAnswer::Default(span) => (
                span,
                said!("this `default` is never chosen here"),
                nothing_else(),
            ),
            KnownAnswer::Unsaid(span) => {
                unsaid.get_or_insert(span);
                continue;
            }
        };
        sink.warning(Code::KnownAnswer, span, message)
            .with_help(help);
    }
    unsaid
}

fn impossible(draft: &Draft<'_>, order: &[usize], declared: Declared<'_>) -> Vec<KnownAnswer> {
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
        let is_choice = matches!(
            step.step,
            DecisionStep::Random { .. } | DecisionStep::Best { .. }
        );
        if step.takes_all || is_choice {
            // The rest of a draw, or of cases that take every value, is not a way that the document must cover.
            said.next_back();
        }
        if said.any(|(goal, facts)| *goal == Goal::None && facts.is_some()) {
            found.push(KnownAnswer::Unsaid(step.span.clone()));
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

/// What is known on each way of a test; `None` for a way that cannot be taken.
#[warn(clippy::wildcard_enum_match_arm)]
fn ways<'e>(
    step: &'e Step<'_>,
    facts: Facts<'e>,
    declared: Declared<'_>,
    found: &mut Vec<KnownAnswer>,
) -> Vec<Option<Facts<'e>>> {
    match &step.step {
        DecisionStep::Test { test, .. } => {
            let yes = facts.after(test, true, declared);
            let no = facts.after(test, false, declared);
            if let Expr::Value(Value::Bool(holds)) = test {
                found.push(KnownAnswer::Constant(step.span.clone(), *holds));
            } else if yes.is_none() || no.is_none() {
                found.push(KnownAnswer::Test(step.span.clone(), yes.is_some()));
            }
            vec![yes, no]
        }
        DecisionStep::Switch { cases, .. } => {
            let mut rest = Some(facts.clone());
            let mut ways = Vec::with_capacity(cases.len() + 1);
            for ((case, _), span) in cases.iter().zip(&step.cases) {
                // Values that earlier cases of the same `switch` take are reported with those cases.
                if facts.after(case, true, declared).is_none() {
                    found.push(KnownAnswer::Case(span.clone()));
                }
                let before = rest.as_ref();
                ways.push(before.and_then(|facts| facts.after(case, true, declared)));
                rest = before.and_then(|facts| facts.after(case, false, declared));
            }
            if let (None, Some(span)) = (&rest, &step.default) {
                found.push(KnownAnswer::Default(span.clone()));
            }
            ways.push(rest);
            ways
        }
        DecisionStep::Ask { .. } | DecisionStep::Random { .. } | DecisionStep::Best { .. } => {
            step.goals.iter().map(|_| Some(facts.clone())).collect()
        }
        _ => treemind_core::unlisted(&step.step),
    }
}
