//! What began and ended in a tick, and what cut off a run.

use crate::explanation::Reason;
use crate::facts::{Case, verb};
use crate::transitions::{Candidate, Verdict};
use treemind_core::behaviour::Machine;
use treemind_core::trace::Event;
use treemind_core::{Kind, NodeId, Outcome, Status};

impl Case<'_> {
    /// The runs of actions that ended in this tick, the transitions that machines took, and the runs that began.
    pub(crate) fn changes(&self) -> Vec<Reason> {
        let mut found: Vec<Reason> = Vec::new();
        // The runs that began in this tick and continue.
        let mut begun: Vec<NodeId> = Vec::new();
        for (at, (node, event, _)) in self.events.all().iter().enumerate() {
            let ended = match event {
                Event::Stop(Outcome::Success) => "ended with success",
                Event::Stop(Outcome::Failure) => "ended with failure",
                Event::Stop(Outcome::Aborted) => {
                    let began = begun.iter().position(|known| known == node);
                    if let Some(place) = began {
                        begun.remove(place);
                        found.push(self.about(*node, format!("{} started", self.name(*node))));
                    }
                    found.push(self.cut_off(*node, at));
                    continue;
                }
                Event::Start => {
                    begun.push(*node);
                    continue;
                }
                _ => continue,
            };
            let name = self.name(*node);
            let text = match begun.iter().position(|known| known == node) {
                Some(place) => {
                    begun.remove(place);
                    format!("{name} started and {ended}")
                }
                None => format!("{name} {ended}"),
            };
            found.push(self.about(*node, text));
        }
        let taken = self.candidates.iter();
        let taken = taken.filter(|candidate| candidate.verdict == Verdict::Taken);
        found.extend(taken.map(|candidate| self.went(candidate)));
        let begun = begun.iter();
        found.extend(begun.map(|node| self.about(*node, format!("{} started", self.name(*node)))));
        counted(found)
    }

    /// Where a machine went by a transition.
    fn went(&self, candidate: &Candidate) -> Reason {
        let id = candidate.node;
        let taken = self.taken(candidate);
        let Kind::Machine(machine) = &self.node(id).kind else {
            return taken;
        };
        let targets = machine.transitions[candidate.transition].targets.iter();
        let targets = targets.map(|target| {
            let target = Machine::target_state(target);
            format!("`{}`", machine.states[target].name)
        });
        let targets: Vec<String> = targets.collect();
        match targets.is_empty() {
            // It stays where it is.
            true => taken,
            false => {
                let label = self.behaviour.label(id);
                let text = format!("`{label}` went to {}", targets.join(" and "));
                self.about(id, text).because(vec![taken])
            }
        }
    }

    /// Why a run was aborted; `at` is the position of its stop.
    fn cut_off(&self, node: NodeId, at: usize) -> Reason {
        let (text, because) = self.why_cut_off(node, at);
        let text = format!("{} was cut off: {text}", self.name(node));
        self.about(node, text).because(because)
    }

    fn why_cut_off(&self, node: NodeId, at: usize) -> (String, Vec<Reason>) {
        if self.events.status(node) == Some(Status::Skipped) {
            return ("it asked to be skipped".to_owned(), Vec::new());
        }
        let mut inner = node;
        loop {
            // A guard of the node itself, or of one around it.
            if let Some(answer) = self.events.answer(inner).filter(|answer| answer.by_guard) {
                let text = format!("a guard of {} answered", self.name(inner));
                return (text, vec![self.guard(inner, answer.at)]);
            }
            let Some(outer) = self.node(inner).parent else {
                return ("the game aborted it".to_owned(), Vec::new());
            };
            // A node around it that answered after the abort is the one that decided.
            if self
                .events
                .answer(outer)
                .is_some_and(|answer| answer.at > at)
            {
                return self.why_left(outer, inner);
            }
            inner = outer;
        }
    }

    /// Why a node that continues left the run of one of its children.
    fn why_left(&self, outer: NodeId, inner: NodeId) -> (String, Vec<Reason>) {
        use Status::{Failure, Running, Success};
        let (node, name) = (self.node(outer), self.name(outer));
        let others = |wanted: &[Status]| {
            let mut children = node.children.iter().filter(|child| **child != inner);
            children.find(|child| {
                let status = self.events.status(**child);
                status.is_some_and(|status| wanted.contains(&status))
            })
        };
        let by = |wanted: &[Status], words: &dyn Fn(String) -> String| {
            let other = others(wanted)?;
            let did = self.events.status(*other).map_or("", verb);
            let text = words(format!("{} {did}", self.name(*other)));
            Some((text, self.new_facts(*other)))
        };
        let found = match &node.kind {
            Kind::ReactiveSelector | Kind::Selector { .. } => by(&[Success, Running], &|other| {
                format!("{other}, and comes before it in {name}")
            }),
            Kind::ReactiveSequence | Kind::Monitor | Kind::TryCatch { .. } => {
                by(&[Failure, Running], &|other| format!("{other} in {name}"))
            }
            Kind::Parallel { .. } | Kind::ParallelAll { .. } => by(&[Failure, Success], &|other| {
                format!("{other}, and that ended {name}")
            }),
            Kind::SimpleParallel { .. } => by(&[Failure, Success], &|other| {
                format!("{other}, and it is the task of {name}")
            }),
            Kind::If | Kind::ReactiveIf => {
                let test = node.children.first();
                let facts = test.map(|test| self.new_facts(*test)).unwrap_or_default();
                Some((format!("the test of {name} gave another answer"), facts))
            }
            Kind::Switch { .. } | Kind::SubtreeBy { .. } | Kind::Decide(_) => {
                let text = format!("{name} chose something else");
                Some((text, self.choice(outer)))
            }
            Kind::UtilitySelector { .. } => {
                let text = format!("{name} chose another child by its score");
                Some((text, self.scores(outer)))
            }
            Kind::Timeout { .. } => Some((format!("the time of {name} was over"), Vec::new())),
            Kind::Interruptible { .. } => Some((format!("{name} was interrupted"), Vec::new())),
            Kind::Machine(_) => {
                let text = format!("{name} left its state");
                Some((text, self.transitions(outer)))
            }
            Kind::Own { .. } => Some((format!("the game decided so in {name}"), Vec::new())),
            _ => None,
        };
        found.unwrap_or_else(|| {
            let did = self.events.status(outer).map_or("did not go on", verb);
            (format!("{name} {did}"), Vec::new())
        })
    }
}

/// What was said several times is said once: a loop can start an action again and again in one tick.
fn counted(reasons: Vec<Reason>) -> Vec<Reason> {
    let mut found: Vec<(Reason, usize)> = Vec::new();
    for reason in reasons {
        match found
            .iter_mut()
            .find(|(known, _)| known.text == reason.text)
        {
            Some((known, times)) => {
                *times += 1;
                known.because.extend(reason.because);
            }
            None => found.push((reason, 1)),
        }
    }
    let said = found.into_iter().map(|(mut reason, times)| {
        if times > 1 {
            reason.text += &format!(" ({times} times)");
        }
        reason
    });
    said.collect()
}
