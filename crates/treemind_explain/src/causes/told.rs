//! Causes in sentences.

use super::{Called, Cause, Moved, What};
use crate::evaluated::Source;
use crate::explanation::Told;
use crate::facts::Case;
use crate::say;
use crate::words::{Join, Words};
use std::cmp::Ordering;
use treemind_core::{Kind, NodeId};

impl Case<'_> {
    /// Why what is open now began when it did.
    pub(crate) fn began(&self, open: impl IntoIterator<Item = NodeId>) -> Vec<Told> {
        let known = open.into_iter().filter_map(|id| self.begun.get(&id));
        let told = known.flat_map(|begun| {
            let causes = begun.causes.iter();
            causes.map(|cause| self.told(cause, begun.tick))
        });
        told.collect()
    }

    fn told(&self, cause: &Cause, tick: u64) -> Told {
        let when = match tick {
            tick if tick == self.tick => Words::Nothing,
            tick => say!(InTick, tick = Words::Tick(tick)),
        };
        let before = || say!(InTick, tick = Words::Tick(tick.saturating_sub(1)));
        let (id, name) = (cause.node, self.name(cause.node));
        let words = match &cause.what {
            What::Test {
                called,
                text,
                holds,
                moved,
            } => {
                let name = self.called(called, text);
                let turned = match holds {
                    true => say!(BeganToHold, name, when),
                    false => say!(CeasedToHold, name, when),
                };
                turned.plus(self.all_moved(moved))
            }
            What::Found { holds, moved } => {
                let name = match &self.node(id).kind {
                    Kind::Check { expr } => {
                        let text = treemind_doc::expression_text(self.behaviour, expr, &|_| None);
                        self.called(&Called::Name(id), &text)
                    }
                    _ => name,
                };
                let held = match holds {
                    true => say!(Held, name, when),
                    false => say!(DidNotHold, name, when),
                };
                held.plus(self.all_moved(moved))
            }
            What::Answered(status) => Words::did(name, *status, when),
            What::Turned(true) => say!(BeganToHold, name, when),
            What::Turned(false) => say!(CeasedToHold, name, when),
            What::Ended(outcome) => Words::ended(name, *outcome, when),
            What::Over => say!(WasOver, name, when),
            What::Came(event) => {
                let event = Words::code(&self.behaviour.leaf(*event).name);
                say!(TheEventCame, event, when)
            }
            What::Written(key) => {
                let key = Words::code(treemind_doc::key_text(self.behaviour, *key));
                say!(WasWritten, key, when)
            }
            What::Due(number) => say!(TimeWasOver, name = self.arrow(id, *number), when),
            What::Done(state) => match &self.node(id).kind {
                Kind::Machine(machine) => {
                    let state = Words::code(&machine.states[*state].name);
                    say!(StateWasDone, state, when)
                }
                _ => say!(WasDone, name, when),
            },
            What::Took(number) => {
                let transition = self.arrow(id, *number);
                say!(Took, name, transition, when)
            }
            What::Drew { text, way } => {
                let (test, way) = (Words::code(text), Words::value(way));
                say!(DrewWay, test, way, when)
            }
            What::Chose { text, way } => {
                let (test, way) = (Words::code(text), Words::value(way));
                say!(ChoseWay, test, way).plus(when)
            }
            What::Scored {
                before,
                scores: (now, other),
                moved,
            } => {
                let [score, less] = [now, other].map(|one| Words::plain(format!("{one:.3}")));
                let other = self.name(*before);
                say!(CameToScore, name, score, other, less, when).plus(self.all_moved(moved))
            }
            What::Before(status) => Words::did(name, *status, before()),
            What::Planned(said) => Words::several(Join::Sentences, said.iter().cloned()).plus(when),
            What::Opened => match &self.node(id).kind {
                Kind::Semaphore { semaphore, .. } => {
                    let semaphore = &self.behaviour.semaphores()[semaphore.index()];
                    let semaphore = Words::code(&semaphore.name);
                    say!(GavePlace, semaphore, when)
                }
                _ => say!(AskedChildAgain, name, when),
            },
            What::Again(status) => {
                let did = Words::did(name, *status, before());
                say!(BeganAnew, did, when)
            }
            What::Faulty(Some(fault)) => {
                say!(HadThisFault, name, fault = Words::wrong(fault), when)
            }
            What::Faulty(None) => say!(HadFault, name, when),
            What::Aborted if self.history.is_of_test => say!(TestHadAborted, when),
            What::Aborted => say!(GameHadAborted, when),
            What::Changed => say!(HadChanged, when),
            What::Rested => say!(HadRested, when),
            What::First => say!(FirstTick, when),
        };
        Told::about(id, words)
    }

    fn called(&self, called: &Called, text: &str) -> Words {
        let test = Words::code(text);
        let name = match called {
            Called::Expression => return test,
            Called::Name(node) => self.name(*node),
            Called::Guard(word, node) => self.guard_named(word, *node),
        };
        match name == test {
            true => test,
            false => say!(TheTest, name, test),
        }
    }

    /// A transition of a machine.
    fn arrow(&self, id: NodeId, number: usize) -> Words {
        let Kind::Machine(machine) = &self.node(id).kind else {
            return Words::Nothing;
        };
        let transition = &machine.transitions[number];
        let from = &machine.states[transition.source].name;
        let text = treemind_doc::transition_text(self.behaviour, id, transition);
        Words::code(format!("{from} {text}"))
    }

    fn all_moved(&self, moved: &[Moved]) -> Words {
        if moved.is_empty() {
            return Words::Nothing;
        }
        let told = moved.iter().map(|one| {
            let key = Words::code(match one.source {
                Source::Key(key) => treemind_doc::key_text(self.behaviour, key).into_owned(),
                Source::Time(time) => {
                    treemind_doc::expression_text(self.behaviour, &time.expr(), &|_| None)
                }
            });
            let (from, to) = (Words::value(&one.from), Words::value(&one.to));
            match one.order {
                Some(Ordering::Less) => say!(Fell, key, from, to),
                Some(Ordering::Greater) => say!(Rose, key, from, to),
                _ => say!(Changed, key, from, to),
            }
        });
        say!(More, more = Words::several(Join::Clauses, told))
    }
}
