//! What planners saw of their goals when they looked at them last.

use crate::evaluated::Evaluated;
use crate::tick::TickEvents;
use std::collections::HashMap;
use treemind_core::behaviour::{Goal, Planner};
use treemind_core::trace::Event;
use treemind_core::{Expr, KeyId, NodeId, Value};

/// What a planner saw of a goal.
#[derive(Clone, Debug)]
pub(crate) enum Seen {
    /// Its `when` does not hold, or has a fault.
    Shut(Evaluated),
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

/// The `when` of a goal, if its result stands in the trace: that of a constant does not.
fn asks(goal: &Goal) -> Option<&Expr> {
    let when = goal.when.as_ref();
    when.filter(|when| !matches!(when, Expr::Value(_)))
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
        for (_, event, value) in events.of(id) {
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
                (Event::GoalScore(goal), Some(Value::Double(score))) => {
                    goals[goal as usize] = Some(Seen::Scored(score));
                    (next, is_open) = (goal as usize + 1, false);
                    open = Evaluated::default();
                }
                (Event::Result, Some(Value::Bool(true))) => is_open = true,
                (Event::Result, Some(Value::Bool(false))) | (Event::Fault, _) if !is_open => {
                    let mut with_when = planner.goals.iter().enumerate().skip(next);
                    // What has no `when` has a fault in its score, which comes as well.
                    let asked = match event {
                        Event::Fault => with_when.next(),
                        _ => with_when.find(|(_, goal)| asks(goal).is_some()),
                    };
                    let asked = asked.and_then(|(at, goal)| Some((at, asks(goal)?)));
                    let Some((goal, when)) = asked else {
                        continue;
                    };
                    let mut keys = Vec::new();
                    when.for_each_key(&mut |key| keys.push(key));
                    // What was read before is about what another goal wants.
                    open.reads.retain(|(key, _)| keys.contains(key));
                    open.result = value;
                    goals[goal] = Some(Seen::Shut(std::mem::take(&mut open)));
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
