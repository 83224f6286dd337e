//! What decided the choices of nodes that choose between children: cases, tests of decision trees, scores, transitions.

use crate::evaluated::{Evaluated, evaluated, every_evaluation};
use crate::explanation::Told;
use crate::facts::Case;
use crate::say;
use crate::tick::TickEvents;
use crate::transitions::{Candidate, Verdict, transition_words};
use crate::words::{Join, Words};
use treemind_core::behaviour::{Awaited, Decision, DecisionStep, Trigger};
use treemind_core::trace::Event;
use treemind_core::{Expr, Kind, LeafId, NodeId, Value};
use treemind_doc::{test_text, way_text};

impl Case<'_> {
    /// What decided the choice of a node that chooses by tests.
    pub(crate) fn choice(&self, id: NodeId) -> Vec<Told> {
        match &self.node(id).kind {
            Kind::Switch { cases, .. } | Kind::SubtreeBy { cases } => self.cases(id, cases),
            Kind::Decide(decision) => self.decision(id, decision),
            Kind::Rules { rules, .. } => {
                let told = self.rules(id, rules).into_iter();
                told.map(|(.., told)| told).collect()
            }
            Kind::Machine(_) => {
                let taken = self.transitions(id);
                let mut states = self.active_states(id);
                if let Some(state) = states.first_mut() {
                    state.because = taken;
                }
                states
            }
            _ => Vec::new(),
        }
    }

    /// The case of a `switch` that was chosen.
    fn cases(&self, id: NodeId, cases: &[Expr]) -> Vec<Told> {
        let until = self
            .events
            .answer(id)
            .map_or(usize::MAX, |answer| answer.at);
        let asked = evaluated(self.events, id, until);
        let mut found = Vec::new();
        for (case, values) in cases.iter().zip(asked) {
            let holds = values.holds();
            found.push(self.test(id, self.expression(case), case, Some(values), holds));
            if holds {
                break;
            }
        }
        found
    }

    /// The tests of a decision tree on the way down.
    fn decision(&self, id: NodeId, decision: &Decision) -> Vec<Told> {
        let mut found = Vec::new();
        for (at, event, _) in self.events.of(id) {
            if let Event::Branch(test, way) = event
                && let Some(step) = decision.steps.get(test as usize)
            {
                found.push(self.branch(id, step, way as usize, at));
            }
        }
        found
    }

    /// A test of a decision tree, and the way that it took.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub(crate) fn branch(&self, id: NodeId, step: &DecisionStep, way: usize, at: usize) -> Told {
        let way_name = || Words::value(way_text(self.behaviour, step, way));
        match step {
            DecisionStep::Test { test, .. } => {
                let values = evaluated(self.events, id, at).pop();
                self.test(id, self.expression(test), test, values, way == 0)
            }
            DecisionStep::Ask { child, .. } => {
                let child = self.node(id).children[*child];
                let mut facts = self.facts(child);
                match facts.len() {
                    1 => facts.remove(0),
                    _ => {
                        let words = say!(LeadsTo, name = self.name(child), way = way_name());
                        Told::about(child, words).because(facts)
                    }
                }
            }
            DecisionStep::Switch { cases, .. } => {
                let asked = evaluated(self.events, id, at);
                let reads = asked.iter().flat_map(|one| one.reads.iter());
                let reads: Vec<_> = reads.map(|(key, value)| (*key, Some(*value))).collect();
                let chosen = cases.get(way).zip(asked.last());
                match chosen {
                    Some(((case, _), values)) => {
                        let name = self.expression(case);
                        self.test(id, name, case, Some(values.clone()), true)
                    }
                    None => Told::about(id, say!(NoCaseHolds)).because(self.writers(reads)),
                }
            }
            DecisionStep::Random { .. } => {
                let test = Words::code(test_text(self.behaviour, id, step));
                // The draw may be that of an earlier tick, which is kept.
                Told::about(id, say!(ChoseWay, test, way = way_name()))
            }
            DecisionStep::Best { .. } => {
                let asked = evaluated(self.events, id, at);
                let reads = asked.iter().flat_map(|one| one.reads.iter());
                let reads: Vec<_> = reads.map(|(key, value)| (*key, Some(*value))).collect();
                let test = Words::code(test_text(self.behaviour, id, step));
                let words = say!(ChoseWay, test, way = way_name());
                Told::about(id, words).because(self.writers(reads))
            }
            _ => treemind_core::unlisted(&step),
        }
    }

    /// The scores of the children of a `utility-selector`, the highest first, and by how much it leads.
    pub(crate) fn scores(&self, id: NodeId) -> Vec<Told> {
        let mut scores = self.scored(id);
        if scores.is_empty() {
            return Vec::new();
        }
        scores.sort_by(|one, two| two.1.total_cmp(&one.1));
        let all = scores.iter().map(|(child, score)| {
            let score = Words::plain(format!("{score:.3}"));
            say!(ScoreOf, name = self.name(*child), score)
        });
        let scores = Words::several(Join::Clauses, all);
        let reads = self
            .events
            .of(id)
            .filter_map(|(_, event, value)| match event {
                Event::Read(key) => Some((key, value)),
                _ => None,
            });
        let reads: Vec<_> = reads.collect();
        vec![Told::about(id, say!(ScoresWere, scores)).because(self.writers(reads))]
    }

    /// The children of a `utility-selector` whose scores were computed in this tick, with their scores.
    pub(crate) fn scored(&self, id: NodeId) -> Vec<(NodeId, f32)> {
        self.scored_in(self.events, id)
    }

    /// The same in another tick.
    pub(crate) fn scored_in(&self, events: &TickEvents, id: NodeId) -> Vec<(NodeId, f32)> {
        let score = |child: &NodeId| {
            let mut events = events.of(*child).rev();
            let bits = events.find_map(|(_, event, _)| match event {
                Event::Score(bits) => Some(bits),
                _ => None,
            })?;
            Some((*child, f32::from_bits(bits)))
        };
        self.node(id).children.iter().filter_map(score).collect()
    }

    /// The transitions of a machine that were taken in this tick, and why.
    pub(crate) fn transitions(&self, id: NodeId) -> Vec<Told> {
        let taken = self.candidates.iter();
        let taken = taken.filter(|one| one.node == id && one.verdict == Verdict::Taken);
        taken.map(|one| self.taken(one)).collect()
    }

    /// A transition that was taken, with what made it possible.
    pub(crate) fn taken(&self, candidate: &Candidate) -> Told {
        let id = candidate.node;
        let reason = Told::about(id, transition_words(self.behaviour, candidate));
        let Kind::Machine(machine) = &self.node(id).kind else {
            return reason;
        };
        let transition = &machine.transitions[candidate.transition];
        let mut because = Vec::new();
        let until = self.taken_at(id, candidate.transition);
        if let Some(event) = self.event_of(id, candidate.transition)
            && let Trigger::Event(events) = &transition.trigger
            && events.contains(&event)
        {
            let event = Words::code(&self.behaviour.leaf(event).name);
            let words = say!(TheEventCame, event, when = Words::Nothing);
            because.push(Told::about(id, words));
        }
        if let Some(when) = &transition.when {
            let values = self.guard_values(id, when, true, until);
            because.push(self.test(id, self.expression(when), when, values, true));
        }
        if let Some(conditions) = transition.conditions {
            because.extend(self.facts(self.node(id).children[conditions]));
        }
        if let Some(decided) = transition.decided {
            because.extend(self.decided(id, decided.by));
        }
        reason.because(because)
    }

    /// The position of the event with which a machine took a transition.
    pub(crate) fn taken_at(&self, machine: NodeId, transition: usize) -> usize {
        let take = Event::Take(transition as u32);
        let mut events = self.events.of(machine);
        let at = events.find(|(_, event, _)| *event == take);
        at.map_or(usize::MAX, |(at, ..)| at)
    }

    /// The last event that a machine used before it took a transition.
    pub(crate) fn event_of(&self, machine: NodeId, transition: usize) -> Option<LeafId> {
        let until = self.taken_at(machine, transition);
        let before = self.events.of(machine).filter(|(at, ..)| *at < until);
        let mut used = before.filter_map(|(_, event, _)| match event {
            Event::Use(leaf) => Some(leaf),
            _ => None,
        });
        used.next_back()
    }

    /// The values with which the `when` of a transition came to `holds`, the last time before an event.
    pub(crate) fn guard_values(
        &self,
        machine: NodeId,
        when: &Expr,
        holds: bool,
        until: usize,
    ) -> Option<Evaluated> {
        self.guard_values_in(self.events, machine, when, holds, until)
    }

    /// The same in another tick.
    pub(crate) fn guard_values_in(
        &self,
        events: &TickEvents,
        machine: NodeId,
        when: &Expr,
        holds: bool,
        until: usize,
    ) -> Option<Evaluated> {
        let mut keys = Vec::new();
        when.for_each_key(&mut |key| {
            if !keys.contains(&key) {
                keys.push(key);
            }
        });
        // The event may stand far behind, because a machine reports what it takes after what it refuses.
        let all = every_evaluation(events, machine, until).into_iter().rev();
        let mut fitting = all.filter(|one| {
            one.result == Some(Value::Bool(holds)) && one.keys().all(|key| keys.contains(&key))
        });
        fitting.find(|one| keys.is_empty() || one.keys().next().is_some())
    }

    /// The tests of the decision tree that chose between transitions.
    fn decided(&self, id: NodeId, decider: usize) -> Vec<Told> {
        let Kind::Machine(machine) = &self.node(id).kind else {
            return Vec::new();
        };
        let (first, count) = (
            machine.first_test(decider),
            machine.deciders[decider].steps.len(),
        );
        let mut found = Vec::new();
        for (at, event, _) in self.events.of(id) {
            if let Event::Branch(test, way) = event
                && (first..first + count).contains(&(test as usize))
            {
                let step = &machine.deciders[decider].steps[test as usize - first];
                found.push(self.branch(id, step, way as usize, at));
            }
        }
        found
    }

    /// The innermost active states of a machine, and since when.
    pub(crate) fn active_states(&self, id: NodeId) -> Vec<Told> {
        let Kind::Machine(machine) = &self.node(id).kind else {
            return Vec::new();
        };
        let is_active = |state: &usize| self.population.is_in(self.agent, id, *state);
        let active: Vec<usize> = (1..machine.states.len()).filter(is_active).collect();
        let is_innermost = |state: &&usize| {
            let mut parents = active.iter().map(|inner| machine.states[*inner].parent);
            parents.all(|parent| parent != Some(**state))
        };
        let label = Words::code(self.behaviour.label(id));
        let told = active.iter().filter(is_innermost).map(|state| {
            let path = Words::code(machine.path(*state).join("/"));
            let since = self.since(self.history.state_since(id, *state));
            let words = say!(IsInState, machine = label.clone(), state = path, since);
            Told::about(id, words)
        });
        told.collect()
    }

    /// The events that a node waits for: `` event `noise` ``.
    pub(crate) fn awaited(&self, awaited: &Awaited) -> Words {
        let names = awaited.events.iter();
        let names = names.map(|event| Words::code(&self.behaviour.leaf(*event).name));
        say!(TheEvent, events = Words::several(Join::Or, names))
    }
}
