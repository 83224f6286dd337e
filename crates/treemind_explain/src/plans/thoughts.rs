//! What the searches of planners began with. A search may take several ticks: its facts are those of the tick in which it
//! began, and so are the steps that it leaves out.

use super::looks::Look;
use crate::tick::TickEvents;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use treemind_core::behaviour::Form;
use treemind_core::planning::{Domain, StepSet};
use treemind_core::trace::{Dropped, Event};
use treemind_core::{Behaviour, Held, KeyId, Kind, NodeId, PlanState, Population, Status, Value};

/// What a search began with.
#[derive(Clone, Debug)]
pub(crate) struct Thought {
    /// The position of its beginning among the events of this tick; `None` if it began in an earlier one.
    pub(crate) at: Option<usize>,
    pub(crate) tick: u64,
    pub(crate) goal: usize,
    pub(crate) facts: HashMap<KeyId, Value>,
    pub(crate) left_out: StepSet,
}

/// A step that was begun.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) step: usize,
    /// What the facts were then.
    pub(crate) facts: HashMap<KeyId, Value>,
}

/// A search that found no plan.
#[derive(Clone, Debug)]
pub(crate) struct Fruitless {
    pub(crate) tick: u64,
    /// What it began with; `None` if that was not seen.
    pub(crate) thought: Option<Thought>,
}

/// What the planners of an agent followed before a tick, and what they thought about in it.
#[derive(Clone, Debug)]
pub(crate) struct Thoughts {
    planners: Vec<NodeId>,
    before: BTreeMap<NodeId, PlanState>,
    of: BTreeMap<NodeId, Vec<Thought>>,
    /// What they saw of their goals when they looked last.
    looks: BTreeMap<NodeId, Look>,
    /// The last search for each goal that found no plan, by the position of the goal.
    fruitless: BTreeMap<(NodeId, usize), Fruitless>,
    /// The steps that they have begun, of those whose beginning was seen, and the same before the tick.
    starts: BTreeMap<NodeId, Start>,
    starts_before: BTreeMap<NodeId, Start>,
    /// The keys that are facts of a planner, and what they held before the tick: of a list, its length.
    keys: BTreeSet<KeyId>,
    held: HashMap<KeyId, Value>,
}

impl Thoughts {
    pub(crate) fn new(behaviour: &Behaviour) -> Self {
        let nodes = behaviour.nodes().iter().enumerate();
        let planners = nodes.filter(|(_, node)| matches!(node.kind, Kind::Planner(_)));
        let planners: Vec<NodeId> = planners.map(|(nth, _)| NodeId::new(nth)).collect();
        let facts = |id: &NodeId| Domain::new(behaviour, *id).facts().collect::<Vec<_>>();
        Self {
            keys: planners.iter().flat_map(facts).collect(),
            held: HashMap::new(),
            starts: BTreeMap::new(),
            starts_before: BTreeMap::new(),
            planners,
            before: BTreeMap::new(),
            of: BTreeMap::new(),
            looks: BTreeMap::new(),
            fruitless: BTreeMap::new(),
        }
    }

    /// The planners of the agent.
    pub(crate) fn planners(&self) -> &[NodeId] {
        &self.planners
    }

    pub(crate) fn before_tick(&mut self, population: &Population, agent: usize) {
        let planners = self.planners.iter();
        let states = planners.filter_map(|id| Some((*id, population.plan(agent, *id)?)));
        self.before = states.collect();
        self.starts_before.clone_from(&self.starts);
        self.held.clear();
        let values = self.keys.iter().filter_map(|key| {
            let value = match population.held(agent, *key) {
                Held::One(value) => value,
                Held::List(items) => Value::Int(items.len() as i64),
                _ => return None,
            };
            Some((*key, value))
        });
        self.held.extend(values);
    }

    /// Notes which steps were begun in this tick. `was_open` was open before it.
    pub(crate) fn note_starts(
        &mut self,
        (population, agent): (&Population, usize),
        events: &TickEvents,
        was_open: &[NodeId],
    ) {
        let behaviour = population.program().behaviour();
        for id in &self.planners {
            let state = population.plan(agent, *id).unwrap_or_default();
            let Some(step) = state.steps.get(state.cursor).copied() else {
                continue;
            };
            let child = behaviour.node(*id).children[step];
            let before = self.before.get(id);
            let was_it = before.is_some_and(|one| one.steps.get(one.cursor) == Some(&step));
            if was_it && was_open.binary_search(&child).is_ok() {
                continue;
            }
            let intends = |event| matches!(event, Event::Goal(_) | Event::Intend(_));
            let planned = events.of(*id).rev().find(|(_, event, _)| intends(*event));
            let planned = planned.map_or(0, |(at, ..)| at);
            let is_inside = |node: NodeId| {
                std::iter::successors(Some(node), |inner| behaviour.node(*inner).parent)
                    .any(|outer| outer == child)
            };
            let mut later = events.all().iter().enumerate().skip(planned);
            let begin = later.find(|(_, (node, ..))| is_inside(*node));
            if let Some((at, _)) = begin {
                let facts = self.facts_before(behaviour, events, at);
                self.starts.insert(*id, Start { step, facts });
            }
        }
    }

    /// What the facts of all planners were at an event of this tick.
    pub(crate) fn facts_before(
        &self,
        behaviour: &Behaviour,
        events: &TickEvents,
        at: usize,
    ) -> HashMap<KeyId, Value> {
        let mut facts = self.held.clone();
        for (_, event, value) in &events.all()[..at.min(events.all().len())] {
            match (event, value) {
                (Event::Set(key) | Event::HostSet(key), Some(value))
                    if self.keys.contains(key)
                        && !matches!(behaviour.key(*key).form, Form::List { .. }) =>
                {
                    facts.insert(*key, *value);
                }
                (Event::Read(key), Some(value)) if self.keys.contains(key) => {
                    facts.insert(*key, *value);
                }
                (Event::Unset(key) | Event::HostUnset(key), _) => {
                    facts.remove(key);
                }
                _ => {}
            }
        }
        facts
    }

    /// The step that a planner had begun last before the tick, if that was seen.
    pub(crate) fn start(&self, planner: NodeId) -> Option<&Start> {
        self.starts_before.get(&planner)
    }

    /// Takes in a tick. Unless it `is_next`, what was thought in earlier ones is over.
    pub(crate) fn after_tick(
        &mut self,
        (behaviour, tick): (&Behaviour, u64),
        events: &TickEvents,
        is_next: bool,
    ) {
        for planner in &self.planners {
            if let Kind::Planner(kind) = &behaviour.node(*planner).kind {
                let look = Look::in_tick((*planner, kind), events, tick);
                self.looks.extend(look.map(|look| (*planner, look)));
            }
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
                    Event::Think(goal) => thoughts.extend(left_out.map(|left_out| Thought {
                        at: Some(at),
                        tick,
                        goal: goal as usize,
                        facts: HashMap::new(),
                        left_out,
                    })),
                    Event::Read(key) => {
                        let now = thoughts.last_mut().filter(|thought| thought.at.is_some());
                        now.zip(value)
                            .map(|(now, value)| now.facts.insert(key, value));
                    }
                    Event::NoPlan(goal, _) => {
                        let goal = goal as usize;
                        let thought = thoughts.last().filter(|thought| thought.goal == goal);
                        let thought = thought.cloned();
                        let found = Fruitless { tick, thought };
                        self.fruitless.insert((*planner, goal), found);
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

    /// What a planner saw of its goals when it looked last.
    pub(crate) fn look(&self, planner: NodeId) -> Option<&Look> {
        self.looks.get(&planner)
    }

    /// The last search of a planner for a goal that found no plan.
    pub(crate) fn fruitless(&self, planner: NodeId, goal: usize) -> Option<&Fruitless> {
        self.fruitless.get(&(planner, goal))
    }

    /// The searches of a planner in this tick.
    pub(crate) fn all(&self, planner: NodeId) -> impl Iterator<Item = &Thought> {
        self.of.get(&planner).into_iter().flatten()
    }

    /// The search of a planner that began last; `None` if that was not seen.
    pub(crate) fn last(&self, planner: NodeId) -> Option<&Thought> {
        self.of.get(&planner)?.last()
    }

    /// The search that an event of this tick belongs to, by the position of the event; `None` if its beginning was not seen.
    pub(crate) fn of(&self, planner: NodeId, at: usize) -> Option<&Thought> {
        let mut thoughts = self.of.get(&planner)?.iter().rev();
        thoughts.find(|thought| thought.at.is_none_or(|began| began <= at))
    }
}
