//! Results of searches, kept for agents with the same inputs. It is working memory: nothing that an agent does depends
//! on what is found here.

use super::paused::{Known, Paused};
use super::{Desk, Domain, Search, StepSet};
use crate::behaviour::MAX_PLAN_STEPS;
use crate::ids::NodeId;

/// How many results are kept, a power of two, and how many places a result may be at.
const SIZE: usize = 512;
const PROBES: usize = 4;

/// What a search depends on, beside the situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Question {
    node: NodeId,
    goal: u32,
    left_out: StepSet,
}

impl Question {
    pub(super) fn new(node: NodeId, goal: usize, left_out: StepSet) -> Self {
        let goal = goal as u32;
        Self {
            node,
            goal,
            left_out,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    of: Question,
    hash: u64,
    /// What it came to; unfinished: it needs more than these expansions.
    found: Search,
    expansions: u32,
    bad_costs: StepSet,
    length: u8,
    plan: [u8; MAX_PLAN_STEPS as usize],
}

/// Results of searches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shelf {
    /// Room for the situation of each entry.
    stride: usize,
    situations: Vec<u64>,
    entries: Vec<Option<Entry>>,
    /// Which of the places of a result is given to the next one.
    next: usize,
    /// The searches that are to go on in another turn; there is no room for any if no planner of the program has such.
    pub(super) paused: Paused,
}

/// Whose search it is, and when: the planner with its node; the tick, and how many ticks there are from turn to turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asker<'d> {
    pub(crate) domain: &'d Domain,
    pub(crate) node: NodeId,
    pub(crate) tick: u64,
    pub(crate) every: u64,
}

impl Shelf {
    /// A shelf for situations of this many words; `pauses` if searches may take several turns.
    pub(crate) fn new(words: usize, pauses: bool) -> Self {
        Self {
            stride: words,
            situations: vec![0; words * SIZE],
            entries: vec![None; SIZE],
            next: 0,
            paused: if pauses {
                Paused::new()
            } else {
                Paused::default()
            },
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.situations.capacity() * 8
            + self.entries.capacity() * size_of::<Option<Entry>>()
            + self.paused.bytes()
    }

    /// As [`Domain::search`], for the planner of a node; the result may be one that was found before, and a search that
    /// has had too few expansions goes on where it was.
    pub(crate) fn search(
        &mut self,
        asker: Asker<'_>,
        (goal, left_out): (usize, StepSet),
        situation: &[u64],
        given: u32,
        desk: &mut Desk,
    ) -> Search {
        let Asker { domain, node, .. } = asker;
        let of = Question::new(node, goal, left_out);
        let hash = hash_of(of, situation);
        let places = (0..PROBES).map(|probe| (hash as usize).wrapping_add(probe) % SIZE);
        let mut is_known = None;
        for place in places {
            let Some(entry) = &self.entries[place] else {
                continue;
            };
            let its = &self.situations[place * self.stride..][..situation.len()];
            if entry.hash != hash || entry.of != of || its != situation {
                continue;
            }
            is_known = Some(place);
            let is_unfinished = entry.found == Search::Unfinished;
            if is_unfinished && given <= entry.expansions || entry.expansions > given {
                return Search::Unfinished;
            }
            if !is_unfinished {
                desk.plan.clear();
                desk.plan
                    .extend_from_slice(&entry.plan[..usize::from(entry.length)]);
                desk.expansions = entry.expansions;
                desk.bad_costs = entry.bad_costs;
                return entry.found;
            }
        }
        let found = match self.paused.take((of, hash), situation, given, desk) {
            Known::NeedsMore => return Search::Unfinished,
            Known::OnDesk => domain.go_on(goal, left_out, given, desk),
            Known::Nothing => {
                domain.begin(goal, situation, desk);
                domain.go_on(goal, left_out, given, desk)
            }
        };
        if found == Search::Unfinished {
            let now = (asker.tick, asker.every);
            self.paused.keep((of, hash), situation, now, desk);
        }
        let place = is_known.unwrap_or_else(|| {
            self.next = (self.next + 1) % PROBES;
            (hash as usize).wrapping_add(self.next) % SIZE
        });
        let mut plan = [0; MAX_PLAN_STEPS as usize];
        plan[..desk.plan.len()].copy_from_slice(&desk.plan);
        self.situations[place * self.stride..][..situation.len()].copy_from_slice(situation);
        self.entries[place] = Some(Entry {
            of,
            hash,
            found,
            expansions: match found {
                Search::Unfinished => given,
                _ => desk.expansions,
            },
            bad_costs: desk.bad_costs,
            length: desk.plan.len() as u8,
            plan,
        });
        // It may be over, but with more expansions than it was given.
        match desk.expansions > given {
            true => Search::Unfinished,
            false => found,
        }
    }
}

pub(super) fn hash_of(of: Question, situation: &[u64]) -> u64 {
    let first = of.node.index() as u64 ^ u64::from(of.goal) << 32;
    let left_out = [of.left_out.0 as u64, (of.left_out.0 >> 64) as u64];
    let words = left_out.iter().chain(situation);
    let mut hash = first;
    for word in words {
        hash = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^= hash >> 32;
    }
    hash
}
