//! Why an agent does what it does rather than something else: the choices on the way to what runs, and what spoke
//! against the alternatives.

use crate::explanation::Told;
use crate::facts::Case;
use crate::say;
use crate::transitions::{Verdict, transition_words};
use crate::words::Words;
use treemind_core::behaviour::{Machine, PlacedNode, StateIndex};
use treemind_core::trace::{Event, Refusal};
use treemind_core::{Kind, NodeId, Status};

impl Case<'_> {
    /// The leaves that are running after the tick, whether it came to them or not.
    pub(crate) fn running(&self) -> Vec<NodeId> {
        let is_leaf = |id: &&NodeId| self.node(**id).children.is_empty();
        let leaves = self.open.iter().filter(is_leaf);
        // A machine without anything to do is in its states.
        let leaves = leaves.filter(|id| !matches!(self.node(**id).kind, Kind::Machine(_)));
        leaves.copied().collect()
    }

    /// The machines that are running although no leaf in them is: they wait in their states.
    pub(crate) fn waiting(&self, running: &[NodeId]) -> Vec<NodeId> {
        let holds = |machine: NodeId, leaf: NodeId| {
            std::iter::successors(Some(leaf), |inner| self.node(*inner).parent)
                .any(|outer| outer == machine)
        };
        let waits = |id: &NodeId| {
            matches!(self.node(*id).kind, Kind::Machine(_))
                && !running.iter().any(|leaf| holds(*id, *leaf))
        };
        self.open.iter().copied().filter(waits).collect()
    }

    /// What goes on although no leaf does: a loop between two runs of its child, say.
    pub(crate) fn between(&self) -> Vec<Told> {
        let is_innermost = |id: &&NodeId| {
            let mut children = self.node(**id).children.iter();
            children.all(|child| !self.is_open(*child))
        };
        let innermost = self.open.iter().filter(is_innermost);
        let told = innermost.map(|id| {
            let facts = self.facts(*id);
            // A decorator that waits says so itself.
            if let [only] = &facts[..]
                && only.node == Some(*id)
            {
                return only.clone();
            }
            Told::about(*id, say!(GoesOnNextTick, name = self.name(*id))).because(facts)
        });
        told.collect()
    }

    /// The leaf that runs, and the choices that led to it, from the root down.
    pub(crate) fn way_to(&self, leaf: NodeId) -> Told {
        let mut because = Vec::new();
        for pair in self.way(leaf).windows(2) {
            because.extend(self.why_this(pair[0], pair[1]));
        }
        let mut told = self.running_leaf(leaf);
        if matches!(self.node(leaf).kind, Kind::Find(_)) {
            // What its search has come to so far.
            because.splice(0..0, told.because);
            told.because = Vec::new();
        }
        told.because(because)
    }

    /// What is said about a leaf that is running.
    fn running_leaf(&self, leaf: NodeId) -> Told {
        let mut facts = self.facts(leaf);
        match (self.events.status(leaf), facts.len()) {
            (Some(Status::Running), 1) => facts.remove(0),
            _ => self.goes_on(leaf),
        }
    }

    /// Why a node has come to one of its children.
    fn why_this(&self, outer: NodeId, inner: NodeId) -> Vec<Told> {
        let node = self.node(outer);
        let position = node.children.iter().position(|child| *child == inner);
        let before = &node.children[..position.unwrap_or(0)];
        let answered = |wanted: Status| {
            before
                .iter()
                .filter(move |child| self.events.status(**child) == Some(wanted))
        };
        match &node.kind {
            Kind::Sequence { .. }
            | Kind::StickySequence { .. }
            | Kind::ReactiveSequence
            | Kind::Monitor
            | Kind::If { .. }
            | Kind::ReactiveIf { .. }
            | Kind::TryCatch { .. } => {
                let mut found: Vec<Told> = self.went_on(outer, inner, before).into_iter().collect();
                for status in [Status::Success, Status::Failure] {
                    found.extend(answered(status).flat_map(|child| self.facts(*child)));
                }
                found
            }
            Kind::Selector { .. } | Kind::ReactiveSelector => {
                let failed = answered(Status::Failure).map(|child| self.did(*child));
                self.went_on(outer, inner, before)
                    .into_iter()
                    .chain(failed)
                    .collect()
            }
            Kind::Switch { .. } | Kind::SubtreeBy { .. } | Kind::Decide(_) => self.choice(outer),
            Kind::UtilitySelector { .. } => self.scores(outer),
            Kind::Machine(_) => self.active_states(outer),
            Kind::Planner(_) => self.planned(outer),
            _ => Vec::new(),
        }
    }

    /// A list that remembers its running child does not ask those before it again; what they answered when it did.
    fn went_on(&self, outer: NodeId, inner: NodeId, before: &[NodeId]) -> Option<Told> {
        let was_asked = |child: &NodeId| self.events.status(*child).is_some();
        if before.is_empty() || before.iter().any(was_asked) {
            return None;
        }
        let answered = before.iter().filter_map(|child| self.did_before(*child));
        let (name, child) = (self.name(outer), self.name(inner));
        let words = match self.events.touched(outer) {
            true => say!(GoesOnAt, name, child),
            false => say!(StaysAt, name, child),
        };
        Some(Told::about(outer, words).because(answered.collect()))
    }

    /// What a node answered, with the facts behind it.
    fn did(&self, id: NodeId) -> Told {
        let facts = self.facts(id);
        let words = match self.events.status(id) {
            Some(status) => self.did_now(id, status),
            None => say!(WasNotAsked, name = self.name(id)),
        };
        let mut told = match &facts[..] {
            // The fact says the same.
            [fact] if fact.node == Some(id) => fact.clone(),
            _ => Told::about(id, words).because(facts),
        };
        if let Kind::Rate { .. } | Kind::Policy(_) = self.node(id).kind {
            told.because.extend(self.computed(id));
        }
        told
    }

    /// Why the alternatives on the way to a running leaf, or to a machine that waits, were not chosen.
    pub(crate) fn alternatives(&self, node: NodeId) -> Vec<Told> {
        let mut found = Vec::new();
        let mut inner = node;
        if let Kind::Machine(_) = self.node(inner).kind {
            found.extend(self.untaken(inner));
        }
        while let Some(outer) = self.node(inner).parent {
            let node = self.node(outer);
            if let Kind::Machine(_) = node.kind {
                found.extend(self.untaken(outer));
            } else if let Kind::Planner(_) = node.kind {
                found.extend(self.other_goals(outer));
            } else {
                let others = node.children.iter().filter(|child| **child != inner);
                found.extend(others.filter_map(|other| self.why_not(outer, inner, *other)));
            }
            inner = outer;
        }
        found
    }

    /// Why a node did not choose a child; `None` where the child is no alternative.
    fn why_not(&self, outer: NodeId, chosen: NodeId, other: NodeId) -> Option<Told> {
        let node = self.node(outer);
        let name = self.name(other);
        match &node.kind {
            Kind::Selector { .. } | Kind::ReactiveSelector => {
                if self.events.status(other).is_some() {
                    return Some(self.did(other));
                }
                if !self.events.touched(outer) {
                    return self.did_before(other);
                }
                let place = |id| node.children.iter().position(|child| *child == id);
                let is_before = place(other) > place(chosen);
                let chosen = self.name(chosen);
                let words = match is_before {
                    true => say!(ComesBeforeIt, name, chosen),
                    false => say!(HasBegun, name, chosen),
                };
                Some(Told::about(other, words))
            }
            Kind::UtilitySelector { .. } => Some(self.lower_score(outer, chosen, other)),
            Kind::RandomSelector { .. } | Kind::WeightedSelector { .. } => {
                Some(match self.events.status(other) {
                    Some(_) => self.did(other),
                    None => Told::about(other, say!(WasNotDrawn, name)),
                })
            }
            Kind::If { .. } | Kind::ReactiveIf { .. } => {
                let is_test = node.children.first() == Some(&other);
                (!is_test).then(|| {
                    Told::about(other, say!(IsOtherBranch, name))
                        .because(self.facts(node.children[0]))
                })
            }
            Kind::Switch { .. } | Kind::SubtreeBy { .. } => {
                Some(Told::about(other, say!(CaseNotChosen, name)))
            }
            Kind::Rules { rules, .. } => self.rule_of_task(rules, outer, other),
            _ => None,
        }
    }

    /// What a node answered last, if that is known.
    fn did_before(&self, id: NodeId) -> Option<Told> {
        let since = self.history.since(id)?;
        let (name, tick) = (self.name(id), Words::Tick(since.last));
        let words = match since.status {
            Status::Running => say!(WasRunningIn, name, tick),
            status => Words::did(name, status, say!(InTick, tick)),
        };
        Some(Told::about(id, words))
    }

    /// By how much a child has a lower score.
    fn lower_score(&self, outer: NodeId, chosen: NodeId, other: NodeId) -> Told {
        let scores = self.scored(outer);
        let of = |id| Some(scores.iter().find(|(child, _)| *child == id)?.1);
        let (score, best) = (of(other), of(chosen));
        let (name, chosen) = (self.name(other), self.name(chosen));
        let number = |number: f32| Words::plain(format!("{number:.3}"));
        let words = match (score, best) {
            _ if self.events.status(other) == Some(Status::Failure) => {
                self.did_now(other, Status::Failure)
            }
            (Some(score), Some(best)) if score < best => {
                let (score, less) = (number(score), number(best - score));
                say!(ScoredLess, name, score, less, chosen)
            }
            (Some(score), Some(best)) => {
                let (score, best) = (number(score), number(best));
                say!(ScoredTooLittle, name, score, chosen, best)
            }
            _ => say!(WasNotScored, name),
        };
        Told::about(other, words)
    }

    /// The transitions out of active states that were not taken, and why not.
    fn untaken(&self, machine: NodeId) -> Vec<Told> {
        let own = self.candidates.iter().filter(|one| one.node == machine);
        let untaken = own.filter(|one| one.verdict != Verdict::Taken);
        untaken
            .map(|one| {
                let reason = Told::about(machine, transition_words(self.behaviour, one));
                reason.because(self.untaken_facts(one.node, one.transition, one.verdict))
            })
            .collect()
    }

    /// Why the condition of a transition does not hold.
    fn untaken_facts(&self, machine: NodeId, number: usize, verdict: Verdict) -> Vec<Told> {
        let Kind::Machine(data) = &self.node(machine).kind else {
            return Vec::new();
        };
        if verdict != Verdict::Refused(Refusal::Guard) {
            return Vec::new();
        }
        let transition = &data.transitions[number];
        let refused = Event::Refuse(number as u32, Refusal::Guard);
        let mut places = self.events.of(machine);
        let Some((at, ..)) = places.find(|(_, event, _)| *event == refused) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        if let Some(when) = &transition.when {
            let holds = self.guard_values(machine, when, false, at).is_none()
                && self.guard_values(machine, when, true, at).is_some();
            let values = self.guard_values(machine, when, holds, at);
            found.push(self.test(machine, self.expression(when), when, values, holds));
        }
        if let Some(conditions) = transition.conditions {
            found.extend(self.facts(self.node(machine).children[conditions]));
        }
        found
    }

    /// Why a node is doing what it does, or was not reached.
    pub(crate) fn why(&self, id: NodeId) -> Told {
        let mut told = self.why_so(id);
        let outer = self.node(id).parent;
        if let Kind::Planner(_) = self.node(id).kind {
            told.because.extend(self.other_goals(id));
        }
        if let Some(outer) = outer.filter(|outer| self.is_current_step(*outer, id)) {
            told.because.extend(self.planned(outer));
            told.because.extend(self.other_goals(outer));
        }
        told
    }

    fn why_so(&self, id: NodeId) -> Told {
        if self.is_open(id) && self.node(id).children.is_empty() {
            return self.way_to(id);
        }
        if self.events.status(id).is_some() {
            return self.did(id);
        }
        if self.is_open(id) {
            let open = self.running();
            let is_inside = |leaf: &&NodeId| {
                std::iter::successors(Some(**leaf), |inner| self.node(*inner).parent)
                    .any(|outer| outer == id)
            };
            let inside = open.iter().filter(is_inside);
            let inside = inside.map(|leaf| self.running_leaf(*leaf)).collect();
            let running = self.did_now(id, Status::Running);
            return Told::about(id, running.plus(say!(Unticked))).because(inside);
        }
        let mut inner = id;
        while let Some(outer) = self.node(inner).parent {
            if self.events.touched(outer) {
                return self.why_unreached(id, outer, inner);
            }
            inner = outer;
        }
        Told::about(id, say!(NothingTicked, name = self.name(id)))
    }

    /// Why a node around it that was reached did not come to a child.
    fn why_unreached(&self, id: NodeId, outer: NodeId, inner: NodeId) -> Told {
        let (node, name) = (self.node(outer), self.name(outer));
        let status = self.events.status(outer);
        let chosen = node.children.iter().find(|child| {
            **child != inner
                && self.events.status(**child).is_some()
                && self.events.status(**child) != Some(Status::Skipped)
        });
        let last = node
            .children
            .iter()
            .rev()
            .find(|child| self.events.status(**child).is_some());
        let because = match &node.kind {
            Kind::Machine(machine) => self.why_no_state(outer, machine_state(machine, node, inner)),
            Kind::Planner(_) => self.why_no_step(outer, inner),
            Kind::UtilitySelector { .. } => match last {
                Some(chosen) => vec![self.lower_score(outer, *chosen, inner)],
                None => self.scores(outer),
            },
            Kind::Switch { .. } | Kind::SubtreeBy { .. } | Kind::Decide(_) => self.choice(outer),
            _ => match (last.or(chosen), status) {
                (Some(other), _) => vec![self.did(*other)],
                (None, Some(_)) => self.facts(outer),
                (None, None) => vec![Told::about(outer, say!(DidNotGoOn, name))],
            },
        };
        Told::about(id, say!(WasNotReached, name = self.name(id))).because(because)
    }

    /// Why a state is not active: which is, and what the transitions say.
    fn why_no_state(&self, machine: NodeId, state: Option<StateIndex>) -> Vec<Told> {
        let mut found = self.active_states(machine);
        let Kind::Machine(data) = &self.node(machine).kind else {
            return found;
        };
        let Some(state) = state else {
            return found;
        };
        let leads_there = |number: usize| {
            let targets = data.transitions[number].targets.iter();
            targets
                .map(Machine::target_state)
                .any(|target| target == state || data.is_inside(state, target))
        };
        let untaken = self.candidates.iter().filter(|one| {
            one.node == machine && one.verdict != Verdict::Taken && leads_there(one.transition)
        });
        for one in untaken {
            let reason = Told::about(machine, transition_words(self.behaviour, one));
            found.push(reason.because(self.untaken_facts(machine, one.transition, one.verdict)));
        }
        found
    }
}

/// The state that carries out a child of a machine.
pub(crate) fn machine_state(
    machine: &Machine,
    node: &PlacedNode,
    child: NodeId,
) -> Option<StateIndex> {
    let child = node.children.iter().position(|known| *known == child)?;
    machine.states.iter().position(|state| {
        state.activity == Some(child) || state.entry.contains(&child) || state.exit.contains(&child)
    })
}
