//! What the searches of planners began with. A search may take several ticks: its facts are those of the tick in which it
//! began, and so are the steps that it leaves out.

use crate::tick::TickEvents;
use std::collections::{BTreeMap, HashMap};
use treemind_core::planning::StepSet;
use treemind_core::trace::{Dropped, Event};
use treemind_core::{Behaviour, KeyId, Kind, NodeId, PlanState, Population, Status, Value};

/// What a search began with.
#[derive(Clone, Debug)]
pub(crate) struct Thought {
    /// The position of its beginning among the events of this tick; `None` if it began in an earlier one.
    pub(crate) at: Option<usize>,
    pub(crate) facts: HashMap<KeyId, Value>,
    pub(crate) left_out: StepSet,
}

/// What the planners of an agent followed before a tick, and what they thought about in it.
#[derive(Clone, Debug)]
pub(crate) struct Thoughts {
    planners: Vec<NodeId>,
    before: BTreeMap<NodeId, PlanState>,
    of: BTreeMap<NodeId, Vec<Thought>>,
}

impl Thoughts {
    pub(crate) fn new(behaviour: &Behaviour) -> Self {
        let nodes = behaviour.nodes().iter().enumerate();
        let planners = nodes.filter(|(_, node)| matches!(node.kind, Kind::Planner(_)));
        Self {
            planners: planners.map(|(nth, _)| NodeId::new(nth)).collect(),
            before: BTreeMap::new(),
            of: BTreeMap::new(),
        }
    }

    pub(crate) fn before_tick(&mut self, population: &Population, agent: usize) {
        let planners = self.planners.iter();
        let states = planners.filter_map(|id| Some((*id, population.plan(agent, *id)?)));
        self.before = states.collect();
    }

    /// Takes in a tick. Unless it `is_next`, what was thought in earlier ones is over.
    pub(crate) fn after_tick(&mut self, events: &TickEvents, is_next: bool) {
        for planner in &self.planners {
            let mut thoughts: Vec<Thought> = Vec::new();
            let last = self.of.remove(planner).and_then(|mut known| known.pop());
            thoughts.extend(
                last.filter(|_| is_next)
                    .map(|last| Thought { at: None, ..last }),
            );
            let mut left_out = self.before.get(planner).map(|before| before.left_out);
            for (at, event, value) in events.of(*planner) {
                match event {
                    // It has ended, and may begin anew in the same tick.
                    Event::Tick(Status::Success | Status::Failure) => {
                        left_out = Some(StepSet::default());
                    }
                    Event::Drop(Dropped::Vain) => {
                        let before = self.before.get(planner);
                        let step = before.and_then(|one| one.steps.get(one.cursor));
                        left_out
                            .iter_mut()
                            .zip(step)
                            .for_each(|(out, step)| out.add(*step));
                    }
                    // When a step has ended and the rest cannot be done. A new plan that takes the place of such a rest
                    // comes after the thought.
                    Event::Drop(Dropped::Broken(_) | Dropped::Unmet) => {
                        left_out = Some(StepSet::default());
                    }
                    Event::Think(_) => thoughts.extend(left_out.map(|left_out| Thought {
                        at: Some(at),
                        facts: HashMap::new(),
                        left_out,
                    })),
                    Event::Read(key) => {
                        let now = thoughts.last_mut().filter(|thought| thought.at.is_some());
                        now.zip(value)
                            .map(|(now, value)| now.facts.insert(key, value));
                    }
                    _ => {}
                }
            }
            self.of.insert(*planner, thoughts);
        }
    }

    /// What a planner followed before the tick.
    pub(crate) fn before(&self, planner: NodeId) -> Option<&PlanState> {
        self.before.get(&planner)
    }

    /// The search that an event of this tick belongs to, by the position of the event; `None` if its beginning was not seen.
    pub(crate) fn of(&self, planner: NodeId, at: usize) -> Option<&Thought> {
        let mut thoughts = self.of.get(&planner)?.iter().rev();
        thoughts.find(|thought| thought.at.is_none_or(|began| began <= at))
    }

    /// A search that began in this tick: its facts are those of now.
    pub(crate) fn of_now(&self, planner: NodeId) -> Option<&Thought> {
        let mut thoughts = self.of.get(&planner)?.iter();
        thoughts.find(|thought| thought.at.is_some())
    }
}
