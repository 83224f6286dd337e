//! What began and ended in a tick, and what cut off a run.

use crate::explanation::Told;
use crate::facts::Case;
use crate::say;
use crate::transitions::{Candidate, Verdict};
use crate::words::{Join, Words};
use treemind_core::behaviour::Machine;
use treemind_core::trace::Event;
use treemind_core::{Kind, NodeId, Outcome, Status};

impl Case<'_> {
    /// The runs of actions and the searches that ended in this tick, the rules that fired, what became of plans, the
    /// transitions that machines took, and the runs that began.
    pub(crate) fn changes(&self) -> Vec<Told> {
        let mut found: Vec<Told> = Vec::new();
        // The runs that began in this tick and continue.
        let mut begun: Vec<NodeId> = Vec::new();
        let started = |node| Told::about(node, say!(Started, name = self.name(node)));
        for (at, (node, event, _)) in self.events.all().iter().enumerate() {
            found.extend(self.plan_changed(*node, *event, at));
            let outcome = match event {
                Event::Stop(outcome) => *outcome,
                Event::Fire(number) => {
                    found.extend(self.rule(*node, *number as usize));
                    continue;
                }
                Event::Tick(status @ (Status::Success | Status::Failure)) => {
                    if let Kind::Find(find) = &self.node(*node).kind
                        && self.answers_anew(*node)
                    {
                        found.push(self.found(*node, find, *status));
                    }
                    continue;
                }
                Event::Start => {
                    begun.push(*node);
                    continue;
                }
                _ => continue,
            };
            let began = begun.iter().position(|known| known == node);
            if let Some(place) = began {
                begun.remove(place);
            }
            let name = self.name(*node);
            let words = match (outcome, began) {
                (Outcome::Aborted, began) => {
                    found.extend(began.map(|_| started(*node)));
                    found.push(self.cut_off(*node, at));
                    continue;
                }
                (Outcome::Success, Some(_)) => say!(StartedAndSucceeded, name),
                (Outcome::Failure, Some(_)) => say!(StartedAndFailed, name),
                (outcome, None) => Words::ended(name, outcome, Words::Nothing),
            };
            found.push(Told::about(*node, words));
        }
        let taken = self.candidates.iter();
        let taken = taken.filter(|candidate| candidate.verdict == Verdict::Taken);
        found.extend(taken.map(|candidate| self.went(candidate)));
        found.extend(begun.into_iter().map(started));
        counted(found)
    }

    /// Whether a node gave another answer in this tick than at its turn before.
    pub(crate) fn answers_anew(&self, id: NodeId) -> bool {
        let since = self.history.since(id);
        since.is_some_and(|since| since.first == self.tick)
    }

    /// Where a machine went by a transition.
    fn went(&self, candidate: &Candidate) -> Told {
        let id = candidate.node;
        let taken = self.taken(candidate);
        let Kind::Machine(machine) = &self.node(id).kind else {
            return taken;
        };
        let targets = machine.transitions[candidate.transition].targets.iter();
        let targets = targets.map(|target| {
            let target = Machine::target_state(target);
            Words::code(&machine.states[target].name)
        });
        let targets: Vec<Words> = targets.collect();
        match targets.is_empty() {
            // It stays where it is.
            true => taken,
            false => {
                let machine = Words::code(self.behaviour.label(id));
                let states = Words::several(Join::And, targets);
                Told::about(id, say!(WentTo, machine, states)).because(vec![taken])
            }
        }
    }

    /// Why a run was aborted; `at` is the position of its stop.
    fn cut_off(&self, node: NodeId, at: usize) -> Told {
        let (why, because) = self.why_cut_off(node, at);
        let words = say!(CutOffBecause, name = self.name(node), why);
        Told::about(node, words).because(because)
    }

    fn why_cut_off(&self, node: NodeId, at: usize) -> (Words, Vec<Told>) {
        let own = self.events.answer(node).filter(|answer| !answer.by_guard);
        if own.is_some_and(|answer| answer.status == Status::Skipped) {
            return (say!(AskedToBeSkipped), Vec::new());
        }
        let mut inner = node;
        loop {
            // A guard of the node itself, or of one around it.
            if let Some(answer) = self.events.answer(inner).filter(|answer| answer.by_guard) {
                let asked = self.guard_asked(self.events, inner, answer.at);
                let words = match asked.filter(|asked| asked.word == "while") {
                    Some(asked) => say!(WhileEnded, name = self.guard_named(asked.word, inner)),
                    None => say!(GuardAnswered, name = self.name(inner)),
                };
                return (words, vec![self.guard(inner, answer.at)]);
            }
            let Some(outer) = self.node(inner).parent else {
                let words = match self.history.is_of_test {
                    true => say!(TestAborted),
                    false => say!(GameAborted),
                };
                return (words, Vec::new());
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
    fn why_left(&self, outer: NodeId, inner: NodeId) -> (Words, Vec<Told>) {
        use Status::{Failure, Running, Success};
        let (node, name) = (self.node(outer), self.name(outer));
        let others = |wanted: &[Status]| {
            let mut children = node.children.iter().filter(|child| **child != inner);
            children.find(|child| {
                let status = self.events.status(**child);
                status.is_some_and(|status| wanted.contains(&status))
            })
        };
        let by = |wanted: &[Status], words: &dyn Fn(Words, Words) -> Words| {
            let other = others(wanted)?;
            let did = self.did_now(*other, self.events.status(*other)?);
            Some((words(did, name.clone()), self.new_facts(*other)))
        };
        let found = match &node.kind {
            Kind::ReactiveSelector | Kind::Selector { .. } => {
                by(&[Success, Running], &|did, name| {
                    say!(AndComesBefore, did, name)
                })
            }
            Kind::ReactiveSequence | Kind::Monitor | Kind::TryCatch { .. } => {
                by(&[Failure, Running], &|did, name| say!(DidIn, did, name))
            }
            Kind::Parallel { .. } | Kind::ParallelAll { .. } => {
                by(&[Failure, Success], &|did, name| say!(AndEnded, did, name))
            }
            Kind::SimpleParallel { .. } => {
                by(&[Failure, Success], &|did, name| say!(AndIsTask, did, name))
            }
            Kind::If { .. } | Kind::ReactiveIf { .. } => {
                let test = node.children.first();
                let facts = test.map(|test| self.new_facts(*test)).unwrap_or_default();
                Some((say!(TestTurned, name = name.clone()), facts))
            }
            Kind::Switch { .. } | Kind::SubtreeBy { .. } | Kind::Decide(_) => {
                Some((say!(ChoseElse, name = name.clone()), self.choice(outer)))
            }
            Kind::UtilitySelector { .. } => {
                Some((say!(ChoseByScore, name = name.clone()), self.scores(outer)))
            }
            Kind::Timeout { .. } => {
                let when = Words::Nothing;
                Some((say!(TimeWasOver, name = name.clone(), when), Vec::new()))
            }
            Kind::Interruptible { .. } => {
                Some((say!(WasInterrupted, name = name.clone()), Vec::new()))
            }
            Kind::Machine(_) => {
                let words = say!(LeftItsState, name = name.clone());
                Some((words, self.transitions(outer)))
            }
            Kind::Planner(_) => self.changed_plan(outer).map(|said| {
                let mut said = said.into_iter();
                let first = said.next().unwrap_or(Words::Nothing);
                (first, said.map(|words| Told::about(outer, words)).collect())
            }),
            Kind::Semaphore { semaphore, bid, .. } => {
                self.why_lost((outer, *semaphore), bid.as_ref())
            }
            Kind::Own { .. } => Some((say!(GameDecided, name = name.clone()), Vec::new())),
            _ => None,
        };
        found.unwrap_or_else(|| {
            let words = match self.events.status(outer) {
                Some(status) => self.did_now(outer, status),
                None => say!(DidNotGoOn, name),
            };
            (words, Vec::new())
        })
    }
}

/// What was said several times is said once: a loop can start an action again and again in one tick.
fn counted(reasons: Vec<Told>) -> Vec<Told> {
    let mut found: Vec<(Told, usize)> = Vec::new();
    for reason in reasons {
        match found
            .iter_mut()
            .find(|(known, _)| known.words == reason.words)
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
            let what = reason.words;
            reason.words = say!(Times, what, times = Words::plain(times));
        }
        reason
    });
    said.collect()
}
