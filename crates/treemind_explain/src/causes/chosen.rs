//! Why nodes that choose between children choose another one than in the tick before.

use super::{Called, Cause, What, cause, leads_to};
use crate::evaluated::{Evaluated, Source, evaluated};
use crate::facts::Case;
use crate::tick::TickEvents;
use crate::transitions::{Candidate, Verdict};
use crate::unreached::machine_state;
use treemind_core::behaviour::{Decision, DecisionStep, Family, Machine, Trigger};
use treemind_core::trace::{Event, Refusal};
use treemind_core::{Expr, Kind, NodeId, Status};
use treemind_doc::{test_text, way_text};

impl Case<'_> {
    /// Why a node comes to a child, where it came elsewhere in the tick before; without a child, why it answers otherwise.
    pub(super) fn turned_choice(
        &self,
        outer: NodeId,
        inner: Option<NodeId>,
        found: &mut Vec<Cause>,
    ) {
        let node = self.node(outer);
        let place = |inner| node.children.iter().position(|child| *child == inner);
        let before = inner.and_then(place).unwrap_or(node.children.len());
        match &node.kind {
            Kind::If { .. } | Kind::ReactiveIf { .. } => {
                let test = node.children.first();
                test.into_iter().for_each(|test| self.turned(*test, found));
            }
            Kind::Switch { cases, .. } | Kind::SubtreeBy { cases } => {
                found.extend(self.turned_cases(outer, cases));
            }
            Kind::Decide(decision) => self.turned_steps(outer, (decision, 0), found),
            Kind::UtilitySelector { .. } => found.extend(self.turned_scores(outer, inner)),
            Kind::Machine(machine) => self.turned_state(outer, machine, inner, found),
            Kind::Planner(_) if inner.is_some() => {
                let said = self.changed_plan(outer);
                let is_next = || self.next_in_plan(outer);
                let cause = said.map(|said| cause(outer, What::Planned(said)));
                found.extend(cause.or_else(is_next));
            }
            Kind::OnChange { key, .. } if self.is_opened(outer) => {
                found.push(cause(outer, What::Written(*key)));
            }
            kind => match kind.facts().family {
                Family::Gate | Family::Wrapper | Family::Loop | Family::Host
                    if self.is_opened(outer) =>
                {
                    found.push(cause(outer, What::Opened));
                }
                Family::Gate if inner.is_none() => {
                    let children = node.children.iter();
                    children.for_each(|child| self.turned(*child, found));
                }
                Family::List => {
                    let children = node.children[..before].iter();
                    children.for_each(|child| self.turned(*child, found));
                }
                Family::Draw => {
                    let others = node.children.iter().filter(|child| Some(**child) != inner);
                    others.for_each(|child| self.turned(*child, found));
                }
                _ if matches!(kind, Kind::Monitor) => {
                    let children = node.children[..before].iter();
                    children.for_each(|child| self.turned(*child, found));
                }
                _ => {}
            },
        }
    }

    /// Whether a decorator asks its child now, and answered without it in the tick before. One that has ended what its child
    /// did, as a `timeout` does, has had its run: what comes next is another one.
    fn is_opened(&self, id: NodeId) -> bool {
        let is_asked = |events: &TickEvents| {
            let mut children = self.node(id).children.iter();
            children.any(|child| events.touched(*child))
        };
        let then = self.then(id).filter(|then| !then.by_guard);
        let earlier = self.earlier.filter(|_| then.is_some());
        let has_ended = |earlier: &TickEvents| {
            let is_semaphore = matches!(self.node(id).kind, Kind::Semaphore { .. });
            !is_semaphore
                && earlier.status(id) != Some(Status::Running)
                && self.was_cut_inside(earlier, id)
        };
        is_asked(self.events)
            && earlier.is_some_and(|earlier| !is_asked(earlier) && !has_ended(earlier))
    }

    /// The step that succeeded in the tick before, so that the next one of the plan began.
    fn next_in_plan(&self, id: NodeId) -> Option<Cause> {
        let before = self.thoughts.before(id)?;
        let step = self.node(id).children[*before.steps.get(before.cursor)?];
        let status = self.earlier?.status(step)?;
        (status == Status::Success).then(|| cause(step, What::Before(status)))
    }

    /// The case of a `switch` that holds now, or does no longer.
    fn turned_cases(&self, id: NodeId, cases: &[Expr]) -> Option<Cause> {
        let asked = |events: &TickEvents| {
            let until = events.answer(id).map_or(usize::MAX, |answer| answer.at);
            evaluated(events, id, until)
        };
        self.then(id).filter(|then| !then.by_guard)?;
        let what = self.turned_case(cases, (asked(self.earlier?), asked(self.events)))?;
        Some(cause(id, what))
    }

    /// Of cases that are asked one after the other, the first that turned.
    fn turned_case(
        &self,
        cases: &[Expr],
        (then, now): (Vec<Evaluated>, Vec<Evaluated>),
    ) -> Option<What> {
        let pairs = cases.iter().zip(then.into_iter().zip(now));
        let mut turned = pairs.filter(|(_, (then, now))| then.holds() != now.holds());
        let (case, (then, now)) = turned.next()?;
        let holds = now.holds();
        Some(self.test_turned(Called::Expression, case, holds, (Some(then), Some(now))))
    }

    /// The first test of a decision tree that took another way.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn turned_steps(&self, id: NodeId, steps: (&Decision, usize), found: &mut Vec<Cause>) {
        let Some(earlier) = self.earlier else {
            return;
        };
        let (decision, _) = steps;
        let then = branches(earlier, id, steps);
        for (nth, way, at) in branches(self.events, id, steps) {
            let Some((_, before, was_at)) = then.iter().rfind(|(known, ..)| *known == nth) else {
                return;
            };
            if *before == way {
                continue;
            }
            let step = &decision.steps[nth];
            let reads = || {
                (
                    evaluated(earlier, id, *was_at),
                    evaluated(self.events, id, at),
                )
            };
            let what = match step {
                DecisionStep::Test { test, .. } => {
                    let (mut then, mut now) = reads();
                    let reads = (then.pop(), now.pop());
                    Some(self.test_turned(Called::Expression, test, way == 0, reads))
                }
                DecisionStep::Ask { child, .. } => {
                    self.turned(self.node(id).children[*child], found);
                    None
                }
                DecisionStep::Switch { cases, .. } => {
                    let cases: Vec<Expr> = cases.iter().map(|(case, _)| case.clone()).collect();
                    self.turned_case(&cases, reads())
                }
                DecisionStep::Random { .. } => Some(What::Drew {
                    text: test_text(self.behaviour, id, step),
                    way: way_text(self.behaviour, step, way),
                }),
                DecisionStep::Best { .. } => Some(What::Chose {
                    text: test_text(self.behaviour, id, step),
                    way: way_text(self.behaviour, step, way),
                }),
                _ => treemind_core::unlisted(&step),
            };
            found.extend(what.map(|what| cause(id, what)));
            return;
        }
    }

    /// The child that scores most now, and the one that was chosen before.
    fn turned_scores(&self, id: NodeId, inner: Option<NodeId>) -> Option<Cause> {
        let earlier = self.earlier?;
        let inner = inner?;
        let was_chosen = |child: &&NodeId| {
            let status = earlier.status(**child);
            **child != inner && matches!(status, Some(Status::Running | Status::Success))
        };
        let before = *self.node(id).children.iter().find(was_chosen)?;
        let score = |events: &TickEvents, wanted: NodeId| {
            let scores = self.scored_in(events, id);
            let mut scores = scores.into_iter();
            Some(scores.find(|(child, _)| *child == wanted)?.1)
        };
        let (now, other) = (score(self.events, inner)?, score(self.events, before)?);
        let was_more = score(earlier, inner)? > score(earlier, before)?;
        if was_more || now <= other {
            return None;
        }
        let reads = |events: &TickEvents| {
            let reads = events.of(id);
            let reads = reads.filter_map(|(_, event, value)| Some((Source::told(event)?, value?)));
            reads.collect::<Vec<_>>()
        };
        let what = What::Scored {
            before,
            scores: (now, other),
            moved: self.moved(&reads(earlier), &reads(self.events)),
        };
        Some(cause(inner, what))
    }

    /// What made a machine come to the state of a child; without a child, to where it is.
    fn turned_state(
        &self,
        id: NodeId,
        machine: &Machine,
        inner: Option<NodeId>,
        found: &mut Vec<Cause>,
    ) {
        let state = inner.and_then(|inner| machine_state(machine, self.node(id), inner));
        let leads_there =
            |one: &&Candidate| state.is_none_or(|state| leads_to(machine, one.transition, state));
        let taken = self.candidates.iter();
        let taken = taken.filter(|one| one.node == id && one.verdict == Verdict::Taken);
        for one in taken.filter(leads_there) {
            self.turned_transition(id, machine, one.transition, found);
        }
    }

    /// What made a transition possible that was taken.
    pub(super) fn turned_transition(
        &self,
        id: NodeId,
        machine: &Machine,
        number: usize,
        found: &mut Vec<Cause>,
    ) {
        let transition = &machine.transitions[number];
        let before = found.len();
        match &transition.trigger {
            Trigger::Event(events) => {
                let event = self.event_of(id, number).filter(|one| events.contains(one));
                found.extend(event.map(|event| cause(id, What::Came(event))));
            }
            Trigger::After(_) => found.push(cause(id, What::Due(number))),
            Trigger::Done(_) => {
                let activity = machine.states[transition.source].activity;
                let activity = activity.map(|activity| self.node(id).children[activity]);
                if let Some(activity) = activity {
                    self.turned(activity, found);
                }
                if found.len() == before {
                    let then = activity.and_then(|activity| Some((activity, self.then(activity)?)));
                    found.push(match then {
                        Some((activity, then)) if then.status != Status::Running => {
                            cause(activity, What::Before(then.status))
                        }
                        _ => cause(id, What::Done(transition.source)),
                    });
                }
            }
            _ => {}
        }
        if let (Some(when), Some(earlier)) = (&transition.when, self.earlier) {
            let then = self.guard_values_in(earlier, id, when, false, usize::MAX);
            let until = self.taken_at(id, number);
            let now = self.guard_values(id, when, true, until);
            let refused = Event::Refuse(number as u32, Refusal::Guard);
            let is_refused = || earlier.of(id).any(|(_, event, _)| event == refused);
            let is_all = transition.conditions.is_none() && transition.decided.is_none();
            if then.is_some() && now.is_some() || is_all && is_refused() {
                let what = self.test_turned(Called::Expression, when, true, (then, now));
                found.push(cause(id, what));
            }
        }
        if let Some(conditions) = transition.conditions {
            self.turned(self.node(id).children[conditions], found);
        }
        if let Some(decided) = transition.decided {
            let decision = &machine.deciders[decided.by];
            self.turned_steps(id, (decision, machine.first_test(decided.by)), found);
        }
        if found.len() == before {
            found.push(cause(id, What::Took(number)));
        }
    }
}

/// The tests of a decision tree that were made, each with its way and the position of the event. `first` is the number of its
/// first test in the trace.
fn branches(
    events: &TickEvents,
    id: NodeId,
    (decision, first): (&Decision, usize),
) -> Vec<(usize, usize, usize)> {
    let branches = events.of(id).filter_map(|(at, event, _)| match event {
        Event::Branch(test, way) => {
            let nth = (test as usize).checked_sub(first)?;
            decision.steps.get(nth)?;
            Some((nth, way as usize, at))
        }
        _ => None,
    });
    branches.collect()
}
