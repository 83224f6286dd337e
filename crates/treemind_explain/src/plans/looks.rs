//! What planners saw of their goals when they looked at them last.

use crate::evaluated::Evaluated;
use crate::tick::TickEvents;
use std::collections::HashMap;
use treemind_core::behaviour::{Goal, Planner};
use treemind_core::trace::Event;
use treemind_core::{Expr, FaultKind, KeyId, NodeId, Time, Value};

/// What a planner saw of a goal.
#[derive(Clone, Debug)]
pub(crate) enum Seen {
    /// Its `when` does not hold.
    Shut(Evaluated),
    /// Its `when` or its score has a fault.
    Faulty(Asked, Evaluated, Option<FaultKind>),
    /// Its score.
    Scored(f64),
}

/// A look of a planner at its goals.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub(crate) tick: u64,
    /// One per goal.
    pub(crate) goals: Vec<Option<Seen>>,
    /// What the planner read.
    pub(crate) facts: HashMap<KeyId, Value>,
}

/// What is asked of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Its `when`.
    When,
    /// Its score.
    Score,
}

/// The `when` of a goal, if its result stands in the trace: that of a constant does not.
fn asks(goal: &Goal) -> Option<&Expr> {
    let when = goal.when.as_ref();
    when.filter(|when| !matches!(when, Expr::Value(_)))
}

/// Which goal of a planner a result or a fault in its turn is about, and what of it: `next` is the first goal of which
/// nothing is known yet, and `is_open` says that its `when` is known to hold. Of a score only faults are told in this way.
pub fn goal_asked(
    planner: &Planner,
    (next, is_open): (usize, bool),
    is_fault: bool,
) -> Option<(usize, Asked)> {
    if is_open {
        return is_fault.then_some((next, Asked::Score));
    }
    let goals = planner.goals.iter().enumerate().skip(next);
    let mut asked = goals.filter_map(|(at, goal)| match (asks(goal), &goal.when) {
        (Some(_), _) => Some((at, Asked::When)),
        // That of a goal whose `when` never holds is not read.
        (None, Some(Expr::Value(Value::Bool(false)))) => None,
        (None, _) => is_fault.then_some((at, Asked::Score)),
    });
    asked.next()
}

impl Look {
    /// The look of a planner in a tick, if it had its turn then.
    pub(crate) fn in_tick(
        (id, planner): (NodeId, &Planner),
        events: &TickEvents,
        tick: u64,
    ) -> Option<Self> {
        let mut goals: Vec<Option<Seen>> = vec![None; planner.goals.len()];
        let mut facts = HashMap::new();
        // The goal that is looked at, and whether its `when` held, so that its score comes.
        let (mut next, mut is_open) = (0, false);
        let mut open = Evaluated::default();
        let mut bad_score = None;
        for (at, event, value) in events.of(id) {
            match (event, value) {
                (Event::Enter, _) => {
                    goals.fill(None);
                    (next, is_open) = (0, false);
                    open = Evaluated::default();
                }
                (Event::Read(key), Some(value)) => {
                    open.reads.push((key, value));
                    facts.insert(key, value);
                }
                (Event::Time(time), Some(value)) => open.times.push((time, value)),
                (Event::GoalScore(goal), Some(Value::Double(score))) => {
                    let values = std::mem::take(&mut open);
                    goals[goal as usize] = Some(match bad_score.take() {
                        Some(kind) => Seen::Faulty(Asked::Score, values, kind),
                        None => Seen::Scored(score),
                    });
                    (next, is_open) = (goal as usize + 1, false);
                }
                (Event::Result, Some(Value::Bool(_))) | (Event::Fault, _) => {
                    let is_fault = event == Event::Fault;
                    let asked = goal_asked(planner, (next, is_open), is_fault);
                    let Some((goal, asked)) = asked else {
                        continue;
                    };
                    let kind = events.fault(at).cloned();
                    if asked == Asked::Score {
                        bad_score = Some(kind);
                        continue;
                    }
                    if value == Some(Value::Bool(true)) {
                        (next, is_open) = (goal, true);
                        continue;
                    }
                    if let Some(when) = &planner.goals[goal].when {
                        let mut keys = Vec::new();
                        when.for_each_key(&mut |key| keys.push(key));
                        // What was read before is about what another goal wants.
                        open.reads.retain(|(key, _)| keys.contains(key));
                        let times = Time::all_in(when);
                        open.times.retain(|(time, _)| times.contains(time));
                    }
                    open.result = value;
                    let values = std::mem::take(&mut open);
                    goals[goal] = Some(match is_fault {
                        true => Seen::Faulty(Asked::When, values, kind),
                        false => Seen::Shut(values),
                    });
                    next = goal + 1;
                }
                _ => {}
            }
        }
        let has_looked = goals.iter().any(Option::is_some);
        has_looked.then_some(Self { tick, goals, facts })
    }

    /// The score of a goal.
    pub(crate) fn score(&self, goal: usize) -> Option<f64> {
        match self.goals.get(goal)? {
            Some(Seen::Scored(score)) => Some(*score),
            _ => None,
        }
    }
}
