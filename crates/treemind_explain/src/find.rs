//! Why a `find` chose what it chose, or found nothing.

use crate::explanation::Told;
use crate::facts::Case;
use crate::say;
use crate::words::Words;
use std::collections::BTreeMap;
use treemind_core::behaviour::Find;
use treemind_core::trace::Event;
use treemind_core::{Behaviour, NodeId, Status, Value};

/// What became of a candidate of a `find`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Judged {
    /// It was kept, with this score.
    Kept(f32),
    /// It is out: because of this `keep`, given by its position, or because of its score.
    Out(Option<u32>),
}

/// A candidate that a `find` has looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Looked {
    /// The candidate.
    pub value: Value,
    /// What became of it.
    pub judged: Judged,
    /// What it was measured at: the position of the measure, and the number. In the order of the node.
    pub measured: Vec<(u32, f32)>,
}

/// What a `find` has looked at, from events with values: reasons and pictures are made of this.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Search {
    /// The candidates, in order.
    pub looked: Vec<Looked>,
    /// How many have a score above 0, and how many there were; `None` while candidates are left.
    pub found: Option<(u32, u32)>,
    /// The one that was chosen.
    pub chosen: Option<Value>,
    /// The score of the one that was chosen.
    pub score: Option<f32>,
    /// What the candidate that comes next was measured at.
    next: Vec<(u32, f32)>,
}

impl Search {
    /// Adds what happened at the node.
    pub fn add(&mut self, find: &Find, event: Event, value: Option<Value>) {
        let judged = match (event, value) {
            (Event::Measure(number), Some(Value::Float(told))) => {
                self.next.push((number, told));
                return;
            }
            (Event::Keep(bits), _) => Judged::Kept(f32::from_bits(bits)),
            (Event::Out(keep), _) => Judged::Out(keep),
            (Event::Score(bits), _) => {
                self.score = Some(f32::from_bits(bits));
                return;
            }
            (Event::Found(kept, of), _) => {
                self.found = Some((kept, of));
                return;
            }
            (Event::Set(key), _) if key == find.into => {
                self.chosen = value;
                return;
            }
            _ => return,
        };
        if let Some(value) = value {
            self.looked.push(Looked {
                value,
                judged,
                measured: std::mem::take(&mut self.next),
            });
        }
    }
}

impl Case<'_> {
    /// What a search came to, and why candidates were out.
    pub(crate) fn found(&self, id: NodeId, find: &Find, status: Status) -> Told {
        let name = self.name(id);
        let mut search = Search::default();
        for (_, event, value) in self.events.of(id) {
            search.add(find, event, value);
        }
        let mut outs = BTreeMap::<Option<u32>, usize>::new();
        for one in &search.looked {
            if let Judged::Out(keep) = one.judged {
                *outs.entry(keep).or_default() += 1;
            }
        }
        let looked = search.looked.len();
        let (chosen, score, all) = (search.chosen, search.score, search.found);
        let words = match (status, all) {
            (Status::Success, Some((kept, of))) => {
                let is_list = self.behaviour.key(find.into).form.is_list();
                let chosen = chosen.filter(|_| !is_list);
                let score = score.map(|score| Words::plain(format!("{score:.2}")));
                match (chosen, score) {
                    (Some(chosen), Some(score)) => {
                        let item = Words::value(candidate_text(self.behaviour, chosen));
                        say!(FoundBest, name, item, score)
                    }
                    _ => say!(
                        FoundSome,
                        name,
                        kept = Words::plain(kept),
                        of = Words::plain(of)
                    ),
                }
            }
            (_, Some((_, 0))) => say!(HadNoCandidates, name),
            (_, Some((_, of))) => say!(AllWereOut, name, of = Words::plain(of)),
            (status, None) => {
                let what = self.did_now(id, status);
                match self.has_fault(id) && status == Status::Failure {
                    true => say!(HasFault, what),
                    false => what,
                }
            }
        };
        let is_part = all.is_some_and(|(_, of)| looked < of as usize);
        let reasons = outs.into_iter().map(|(keep, count)| {
            let (count, of) = (Words::plain(count), Words::plain(looked));
            let words = match keep.and_then(|keep| find.keeps.get(keep as usize)) {
                Some(keep) => {
                    let keep = self.expression(keep);
                    say!(OutFor, count, of, keep)
                }
                None => say!(OutForScore, count, of),
            };
            Told::new(match is_part {
                true => words.plus(say!(InThisTick)),
                false => words,
            })
        });
        let reasons = reasons.collect();
        Told::about(id, words).because(reasons)
    }
}

/// A candidate of a `find` as people write it: `(3, 4)`.
pub fn candidate_text(behaviour: &Behaviour, value: Value) -> String {
    let parts = |parts: &[f32]| {
        let parts: Vec<String> = parts.iter().map(f32::to_string).collect();
        format!("({})", parts.join(", "))
    };
    match value {
        Value::Vec2(at) => parts(&at),
        Value::Vec3(at) => parts(&at),
        other => behaviour.display_value(other),
    }
}
