//! What a step promised and did not bring about.

use super::Prospect;
use crate::explanation::Told;
use crate::facts::Case;
use crate::say;
use crate::words::{Join, Words};
use treemind_core::{KeyId, NodeId, Status, Value};

/// What became of a fact that a step was to change: what it is, and what it was to be.
struct Untrue {
    key: KeyId,
    is: Option<Value>,
    wanted: Option<Value>,
}

/// What is missing after a step that has succeeded.
pub(super) struct Missed {
    /// The step.
    pub(super) step: usize,
    facts: Vec<Untrue>,
}

impl<'a> Case<'a> {
    /// The planner with the facts that it had at an event of this tick.
    pub(super) fn prospect_at(&self, id: NodeId, at: usize) -> Option<Prospect<'a>> {
        let facts = self.thoughts.facts_before(self.behaviour, self.events, at);
        Prospect::of_facts(self.behaviour, id, &facts)
    }

    /// The changes of the step that ended before this tick that did not come true until an event of this tick; `None` if no
    /// step ended, or if its start was not seen.
    pub(super) fn missed(&self, id: NodeId, at: usize) -> Option<Missed> {
        let step = self.ended_step(id)?;
        let start = self.thoughts.start(id).filter(|start| start.step == step)?;
        let start = Prospect::of_facts(self.behaviour, id, &start.facts)?;
        let promised = start.changes_of(step)?;
        let now = self.prospect_at(id, at)?;
        let facts = promised.into_iter().map(|(key, wanted)| Untrue {
            key,
            is: now.fact(key),
            wanted,
        });
        let facts = facts.filter(|fact| fact.is != fact.wanted).collect();
        Some(Missed { step, facts })
    }

    /// The step that had succeeded at the begin of the tick.
    pub(super) fn ended_step(&self, id: NodeId) -> Option<usize> {
        let before = self.thoughts.before(id)?;
        let step = *before.steps.get(before.cursor)?;
        let child = self.node(id).children[step];
        let has_ended = self.earlier?.status(child) == Some(Status::Success);
        has_ended.then_some(step)
    }
}

impl Missed {
    /// `` `ammo` is 0 and not 6 ``; `None` if everything came true.
    pub(super) fn words(&self, names: &Prospect<'_>) -> Option<Words> {
        let facts = self.facts.iter().map(|fact| {
            let [value, wanted] = [fact.is, fact.wanted].map(|value| names.shown(value));
            say!(KeyIsAndNot, key = names.key_name(fact.key), value, wanted)
        });
        (!self.facts.is_empty()).then(|| Words::several(Join::And, facts))
    }

    /// Who wrote these facts last.
    pub(super) fn written(&self, case: &Case<'_>) -> Vec<Told> {
        let facts = self.facts.iter();
        case.writers(facts.map(|fact| (fact.key, fact.is)))
    }
}

impl Prospect<'_> {
    /// What a step changes where it is carried out now; `None` if that cannot be done.
    fn changes_of(&self, step: usize) -> Option<Vec<(KeyId, Option<Value>)>> {
        let mut later = self.facts.clone();
        let is_done = self.domain.apply(step, &mut later);
        is_done.then(|| self.differences(&self.facts, &later))
    }

    /// The value of a fact.
    fn fact(&self, key: KeyId) -> Option<Value> {
        self.domain.value(&self.facts, key)
    }
}
