//! Why a `find` chose what it chose, or found nothing.

use crate::explanation::Told;
use crate::facts::Case;
use crate::say;
use crate::words::Words;
use std::collections::BTreeMap;
use treemind_core::behaviour::Find;
use treemind_core::trace::Event;
use treemind_core::{Behaviour, Kind, NodeId, Status, Value};

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
    /// Whether something that was read for it had a fault: of the candidates of one tick, it is not known which.
    pub has_fault: bool,
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
            (Event::Fault, _) => {
                self.has_fault = true;
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

/// A `find` of an agent, which may search for several ticks.
#[derive(Clone, Debug)]
pub struct Sought {
    /// Its node.
    pub node: NodeId,
    /// The search that it began last.
    pub search: Search,
    /// The tick in which it looked at candidates last; 0 before the first.
    pub tick: u64,
    /// Whether that search goes on in the next tick.
    pub goes_on: bool,
}

impl Sought {
    /// All `find`s of a behaviour, in document order, before the first tick.
    pub fn all(behaviour: &Behaviour) -> Vec<Self> {
        let nodes = behaviour.node_ids();
        let finds = nodes.filter(|node| matches!(behaviour.node(*node).kind, Kind::Find(_)));
        let sought = |node| Self {
            node,
            search: Search::default(),
            tick: 0,
            goes_on: false,
        };
        finds.map(sought).collect()
    }

    /// Adds the events of a tick in which the agent was ticked. A tick that does not reach the node cuts it off: it begins
    /// anew later.
    pub fn follow(
        &mut self,
        behaviour: &Behaviour,
        events: impl IntoIterator<Item = (NodeId, Event, Option<Value>)>,
        tick: u64,
    ) {
        let Kind::Find(find) = &behaviour.node(self.node).kind else {
            return;
        };
        let (went_on, mut is_reached) = (std::mem::take(&mut self.goes_on), false);
        let node = self.node;
        for (_, event, value) in events.into_iter().filter(|(of, ..)| *of == node) {
            if !std::mem::replace(&mut is_reached, true) && !went_on {
                self.search = Search::default();
            }
            self.search.add(find, event, value);
            self.tick = tick;
            if let Event::Tick(status) = event {
                self.goes_on = status == Status::Running;
            }
        }
    }
}

impl Case<'_> {
    /// What a search has come to in all of its ticks, and why candidates were out.
    pub(crate) fn found(&self, id: NodeId, find: &Find, status: Status) -> Told {
        let name = self.name(id);
        let mut all = self.sought.iter();
        let search = all.find(|one| one.node == id).map(|one| one.search.clone());
        let search = search.unwrap_or_default();
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
                    _ if of == 1 => say!(FoundTheOnly, name),
                    _ => say!(
                        FoundSome,
                        name,
                        kept = Words::plain(kept),
                        of = Words::plain(of)
                    ),
                }
            }
            (_, Some((_, 0))) => say!(HadNoCandidates, name),
            (_, Some((_, 1))) => say!(TheOnlyWasOut, name),
            (_, Some((_, of))) => say!(AllWereOut, name, of = Words::plain(of)),
            (Status::Running, None) if self.is_open(id) => self.goes_on(id).words,
            (status, None) => {
                let what = self.did_now(id, status);
                match self.has_fault(id) && status == Status::Failure {
                    true => say!(HasFault, what),
                    false => what,
                }
            }
        };
        let scope = match all {
            // Where it began before the agent was followed.
            Some((_, of)) if looked < of as usize => say!(OfThoseSeen),
            Some(_) => Words::Nothing,
            None => say!(SoFar),
        };
        let reasons = outs.into_iter().map(|(keep, count)| {
            let is_one = count == 1;
            let (count, of) = (Words::plain(count), Words::plain(looked));
            let words = match keep.and_then(|keep| find.keeps.get(keep as usize)) {
                Some(keep) => {
                    let keep = self.expression(keep);
                    match is_one {
                        true => say!(OneOutFor, of, keep),
                        false => say!(OutFor, count, of, keep),
                    }
                }
                None if is_one && search.has_fault => say!(OneOutForBadScore, of),
                None if search.has_fault => say!(OutForBadScore, count, of),
                None if is_one => say!(OneOutForScore, of),
                None => say!(OutForScore, count, of),
            };
            Told::new(words.plus(scope.clone()))
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
