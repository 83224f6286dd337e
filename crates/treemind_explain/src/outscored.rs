//! Why a machine did not go to a state that it chooses by score.

use crate::bids::number;
use crate::say;
use crate::words::Words;
use treemind_core::behaviour::{Decision, DecisionStep, Machine, Transition, Way};
use treemind_core::trace::Event;
use treemind_core::{Behaviour, Expr, Value};
use treemind_doc::way_text;

/// What a machine did in a tick, with the values if the trace has any.
pub(crate) type MachineEvents = [(Event, Option<Value>)];

/// That the option which leads to a transition lost to another one, if its decision tree came to both in this tick.
pub(crate) fn outscored(
    behaviour: &Behaviour,
    machine: &Machine,
    transition: &Transition,
    events: &MachineEvents,
) -> Option<Words> {
    let decided = transition.decided?;
    let decision = &machine.deciders[decided.by];
    let first = machine.first_test(decided.by);
    let mut branches = events.iter().enumerate().rev();
    branches.find_map(|(at, (event, _))| {
        let Event::Branch(test, chosen) = event else {
            return None;
        };
        let step = decision.steps.get((*test as usize).checked_sub(first)?)?;
        let DecisionStep::Best { options, .. } = step else {
            return None;
        };
        let chosen = *chosen as usize;
        let leads = |(_, way): &(Expr, Way)| leads_to(decision, *way, decided.leaf);
        let own = options.iter().position(leads)?;
        let Some((_, way)) = options.get(chosen) else {
            return Some(say!(ItsScoreIsNothing));
        };
        if own == chosen {
            return None;
        }
        let state = machine.transitions.iter().find_map(|other| {
            let is_chosen = other.source == transition.source
                && other
                    .decided
                    .is_some_and(|of| of.by == decided.by && *way == Way::Leaf(of.leaf));
            let target = other.targets.first().filter(|_| is_chosen)?;
            Some(&machine.states[Machine::target_state(target)].name)
        });
        let other = match state {
            Some(state) => Words::code(state),
            None => Words::value(way_text(behaviour, step, chosen)),
        };
        let Some(scores) = scores(options, &events[..at]) else {
            return Some(say!(OtherChosenByScore, other));
        };
        let (Some(of_own), Some(of_chosen)) = (scores[own], scores[chosen]) else {
            return Some(say!(ItsScoreHasFault, other));
        };
        let (score, best) = (number(of_own), number(of_chosen));
        Some(if of_own < of_chosen {
            say!(ItsScoreIsLower, score, best, other)
        } else if of_own > of_chosen {
            say!(ItsScoreIsNotEnough, score, best, other)
        } else {
            say!(ItsScoreIsEqual, score, other)
        })
    })
}

/// Whether a way leads to this leaf, perhaps by other tests.
fn leads_to(decision: &Decision, way: Way, leaf: usize) -> bool {
    match way {
        Way::Leaf(one) => one == leaf,
        Way::Step(step) => {
            let ways = decision.steps[step].ways();
            ways.into_iter().any(|way| leads_to(decision, way, leaf))
        }
        Way::None => false,
    }
}

/// The scores of all options, from what was computed last; none if the trace has no values. A score with a fault is none.
/// Those of constants are not in the trace.
fn scores(options: &[(Expr, Way)], before: &MachineEvents) -> Option<Vec<Option<f64>>> {
    let mut computed = Vec::new();
    for (event, value) in before.iter().rev() {
        match (event, value) {
            // What is no finite number comes before the fault that it is.
            (Event::Result, Some(Value::Double(score))) if !score.is_finite() => {}
            (Event::Result, Some(Value::Double(score))) => computed.push(Some(*score)),
            (Event::Fault, _) => computed.push(None),
            (
                Event::Enter
                | Event::Tick(_)
                | Event::Branch(..)
                | Event::Take(_)
                | Event::Refuse(..)
                | Event::EnterState(_)
                | Event::LeaveState(_),
                _,
            ) => break,
            _ => {}
        }
    }
    // The hysteresis comes after the scores.
    let scores = options.iter().map(|(score, _)| match score {
        Expr::Value(Value::Double(score)) => Some(Some(score.max(0.0))),
        _ => Some(computed.pop()?.map(|score| score.max(0.0))),
    });
    scores.collect()
}
