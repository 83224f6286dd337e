//! An agent that is followed on although its program was replaced.

use super::super::replaced::Replaced;
use super::{Called, Follower, Memory, Shown};
use treemind_core::trace::Event;
use treemind_core::{NodeId, Population};

impl Memory {
    fn carried(
        &self,
        replaced: &Replaced<'_>,
        (population, agent): (&Population, Option<usize>),
        events: &[(NodeId, Event)],
        called: &Called,
    ) -> Self {
        let of = (population, agent);
        let mut explainer = self.explainer.clone();
        let has_stayed = explainer
            .as_mut()
            .is_none_or(|it| it.go_on_with(population));
        let mut explained_since = self.explained_since;
        if !has_stayed {
            explained_since = population.ticks();
            let follow = |agent| called.explainer(population, agent).after_change();
            explainer = agent.map(follow);
        }
        let keys = replaced.now.keys().iter().map(|key| {
            let mut known = replaced.before.keys().iter().zip(&self.keys);
            let known = known.find(|(known, _)| known.name == key.name);
            let fresh = || Shown {
                value: replaced.now.display_value(key.default),
                changed: None,
            };
            known.map_or_else(fresh, |(_, shown)| shown.clone())
        });
        Self {
            begin: self.begin,
            explained_since,
            marks: self.marks.carried(replaced, of, events),
            plans: self.plans.carried(replaced, of),
            finds: self.finds.carried(replaced),
            weighed: self.weighed.carried(replaced),
            explainer,
            keys: keys.collect(),
        }
    }
}

impl Follower {
    /// What was known after the last tick, if the program is the one of that tick again, and nothing else of the agent has
    /// changed: a change was undone before the next tick.
    fn undone(&self, (population, agent): (&Population, Option<usize>)) -> Option<Self> {
        let (mut was, agent) = (Self::clone(self.before_change.as_deref()?), agent?);
        for memory in std::iter::once(&mut was.own).chain(&mut was.next) {
            let explainer = memory.explainer.as_mut()?;
            if !explainer.go_on_with(population)
                || !memory.marks.fit((population, agent), &was.events)
            {
                return None;
            }
        }
        Some(was)
    }

    /// The same, of an agent that was followed as `known` until its population got another program, between two ticks: what
    /// is known of nodes and keys that are still there stays known. Without an agent, it is absent. A change that is undone
    /// again leaves everything known.
    #[must_use]
    pub fn after(
        self,
        known: &Self,
        replaced: &Replaced<'_>,
        (population, agent): (&Population, Option<usize>),
    ) -> Self {
        let of = (population, agent);
        if let Some(was) = known.undone(of) {
            return Self {
                called: self.called,
                behaviour: self.behaviour,
                ..was
            };
        }
        let before_change = match replaced.is_same() {
            true => known.before_change.clone(),
            false => known
                .before_change
                .clone()
                .or_else(|| Some(Box::new(known.clone()))),
        };
        let carry = |memory: &Memory| memory.carried(replaced, of, &known.events, &self.called);
        let (own, next) = (carry(&known.own), known.next.as_ref().map(carry));
        let events = known.events.iter();
        Self {
            agent: known.agent,
            id: known.id,
            agents: known.agents,
            is_changed: known.is_changed || !replaced.is_same(),
            own,
            next,
            root: known.root,
            events: events.filter_map(|one| replaced.event(*one)).collect(),
            before_change,
            ..self
        }
    }
}
