//! What a planner decided in a tick, from its trace with values.

use super::{Planned, Prospect};
use crate::explanation::Told;
use crate::facts::Case;
use crate::say;
use crate::words::Words;
use std::collections::HashMap;
use treemind_core::planning::COST_SCALE;
use treemind_core::trace::{Dropped, Event};
use treemind_core::{Held, KeyId, NodeId, Value};

impl Case<'_> {
    /// The goals for which a planner found a plan or none in this tick, and why it gave up the plan that it had.
    pub(crate) fn planned(&self, id: NodeId) -> Vec<Told> {
        let mut reads: HashMap<KeyId, Value> = HashMap::new();
        for (_, event, value) in self.events.of(id) {
            if let (Event::Read(key), Some(value)) = (event, value) {
                reads.insert(key, value);
            }
        }
        let held = |key| {
            let value = reads.get(&key).copied();
            value.map_or(Held::Unset, Held::One)
        };
        let Some(prospect) = Prospect::new(self.behaviour, id, held) else {
            return Vec::new();
        };
        let mut told = Vec::new();
        for (_, event, _) in self.events.of(id) {
            match event {
                Event::Drop(why) => told.push(Told::about(id, prospect.dropped(why))),
                Event::NoPlan(goal, _) => {
                    let mut why = prospect.why_none(goal as usize).into_iter();
                    let head = why.next().unwrap_or_else(|| {
                        let goal = prospect.goal_name(goal as usize);
                        say!(NoPlanFor, goal)
                    });
                    let because = why.map(|words| Told::about(id, words));
                    told.push(Told::about(id, head).because(because.collect()));
                }
                Event::Goal(goal) => told.push(self.adopted(id, goal as usize, &prospect)),
                _ => {}
            }
        }
        told
    }

    /// The goal that is pursued from this tick on, with its plan.
    fn adopted(&self, id: NodeId, goal: usize, prospect: &Prospect<'_>) -> Told {
        let (mut cost, mut steps, mut score) = (0.0, Vec::new(), None);
        for (_, event, value) in self.events.of(id) {
            match (event, value) {
                (Event::GoalScore(of), Some(Value::Double(value))) if of as usize == goal => {
                    score = Some(value);
                }
                (Event::Goal(_), _) => steps.clear(),
                (Event::Plan(thousandths), _) => cost = f64::from(thousandths) / COST_SCALE,
                (Event::Intend(step), _) => steps.push(step as usize),
                _ => {}
            }
        }
        let plan = Planned {
            costs: Vec::new(),
            expansions: 0,
            cost,
            steps,
        };
        let (name, called) = (self.name(id), prospect.goal_name(goal));
        let head = match score {
            Some(score) => {
                let score = Words::plain(format!("{score:.2}"));
                say!(PursuesWithScore, name, goal = called, score)
            }
            None => say!(Pursues, name, goal = called),
        };
        let mut because = vec![Told::about(id, prospect.said(&plan))];
        let why = prospect.why_steps(goal, &plan).into_iter();
        because.extend(why.map(|words| Told::about(id, words)));
        Told::about(id, head).because(because)
    }
}

impl Prospect<'_> {
    /// Why a plan was given up.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn dropped(&self, why: Dropped) -> Words {
        match why {
            Dropped::Broken(step) => {
                let (name, step) = (self.step_name(step as usize), step as usize);
                match self.first_lacking(step, &self.facts) {
                    Some(part) => say!(DroppedBroken, step = name, part = self.part(&part)),
                    None => say!(DroppedBrokenStep, step = name),
                }
            }
            Dropped::Unmet => say!(DroppedUnmet),
            Dropped::Vain => say!(DroppedVain),
            Dropped::Failed => say!(DroppedFailed),
            Dropped::Over => say!(DroppedOver),
            Dropped::Beaten => say!(DroppedBeaten),
            Dropped::Dearer => say!(DroppedDearer),
            _ => treemind_core::unlisted(&why),
        }
    }
}
