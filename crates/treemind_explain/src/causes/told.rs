//! Causes in sentences.

use super::{Called, Cause, Moved, What};
use crate::explanation::Reason;
use crate::facts::{Case, verb};
use std::cmp::Ordering;
use treemind_core::{Kind, NodeId};

impl Case<'_> {
    /// Why what is open now began when it did.
    pub(crate) fn began(&self, open: impl IntoIterator<Item = NodeId>) -> Vec<Reason> {
        let known = open.into_iter().filter_map(|id| self.begun.get(&id));
        let told = known.flat_map(|begun| {
            let causes = begun.causes.iter();
            causes.map(|cause| self.told(cause, begun.tick))
        });
        told.collect()
    }

    fn told(&self, cause: &Cause, tick: u64) -> Reason {
        let when = match tick {
            tick if tick == self.tick => String::new(),
            tick => format!(" in tick {tick}"),
        };
        let (id, name) = (cause.node, self.name(cause.node));
        let text = match &cause.what {
            What::Test {
                called,
                text,
                holds,
                moved,
            } => {
                let name = self.called(called, text);
                let turned = match holds {
                    true => "began to hold",
                    false => "ceased to hold",
                };
                format!("{name} {turned}{when}{}", self.all_moved(moved))
            }
            What::Found { holds, moved } => {
                let name = match &self.node(id).kind {
                    Kind::Check { expr } => {
                        let text = treemind_doc::expression_text(self.behaviour, expr, &|_| None);
                        self.called(&Called::Name(id), &text)
                    }
                    _ => name,
                };
                let holds = if *holds { "held" } else { "did not hold" };
                format!("{name} {holds}{when}{}", self.all_moved(moved))
            }
            What::Answered(status) => format!("{name} {}{when}", verb(*status)),
            What::Turned(holds) => match holds {
                true => format!("{name} began to hold{when}"),
                false => format!("{name} ceased to hold{when}"),
            },
            What::Ended(outcome) => format!("{name} ended with {outcome}{when}"),
            What::Over => format!("{name} was over{when}"),
            What::Came(event) => {
                let event = &self.behaviour.leaf(*event).name;
                format!("the event `{event}` came{when}")
            }
            What::Written(key) => {
                let key = treemind_doc::key_text(self.behaviour, *key);
                format!("`{key}` was written{when}")
            }
            What::Due(number) => {
                format!("the time of `{}` was over{when}", self.arrow(id, *number))
            }
            What::Done(state) => match &self.node(id).kind {
                Kind::Machine(machine) => {
                    format!("the state `{}` was done{when}", machine.states[*state].name)
                }
                _ => format!("{name} was done{when}"),
            },
            What::Took(number) => {
                format!("{name} took `{}`{when}", self.arrow(id, *number))
            }
            What::Drew { text, way } => format!("`{text}` drew {way}{when}"),
            What::Scored {
                before,
                scores: (now, other),
                moved,
            } => {
                let before = self.name(*before);
                let moved = self.all_moved(moved);
                format!(
                    "{name} came to score {now:.3}, more than {before} with {other:.3}{when}{moved}"
                )
            }
            What::Before(status) => {
                let before = tick.saturating_sub(1);
                format!("{name} {} in tick {before}", verb(*status))
            }
            What::Opened => match &self.node(id).kind {
                Kind::Semaphore { semaphore, .. } => {
                    let semaphore = &self.behaviour.semaphores()[semaphore.index()].name;
                    format!("the semaphore `{semaphore}` gave it a place{when}")
                }
                _ => format!("{name} asked its child again{when}"),
            },
            What::Again(status) => {
                let before = tick.saturating_sub(1);
                let did = verb(*status);
                format!("{name} {did} in tick {before}, and began anew{when}")
            }
            What::Aborted => format!("the game had aborted what it did before{when}"),
            What::Rested => format!("the agent was not ticked before{when}"),
            What::First => format!("it was the first tick of the agent{when}"),
        };
        self.about(id, text)
    }

    fn called(&self, called: &Called, text: &str) -> String {
        let plain = format!("`{text}`");
        let name = match called {
            Called::Expression => return plain,
            Called::Name(node) => self.name(*node),
            Called::Guard(word, node) => {
                format!("the guard `{word}` of {}", self.name(*node))
            }
        };
        match name == plain {
            true => plain,
            false => format!("{name}, {plain},"),
        }
    }

    /// A transition of a machine.
    fn arrow(&self, id: NodeId, number: usize) -> String {
        let Kind::Machine(machine) = &self.node(id).kind else {
            return String::new();
        };
        let transition = &machine.transitions[number];
        let from = &machine.states[transition.source].name;
        let text = treemind_doc::transition_text(self.behaviour, id, transition);
        format!("{from} {text}")
    }

    fn all_moved(&self, moved: &[Moved]) -> String {
        let told = moved.iter().map(|one| {
            let key = treemind_doc::key_text(self.behaviour, one.key);
            let word = match one.order {
                Some(Ordering::Less) => "fell",
                Some(Ordering::Greater) => "rose",
                _ => "changed",
            };
            format!("`{key}` {word} from {} to {}", one.from, one.to)
        });
        let told: Vec<String> = told.collect();
        match told.is_empty() {
            true => String::new(),
            false => format!(": {}", told.join(", ")),
        }
    }
}
