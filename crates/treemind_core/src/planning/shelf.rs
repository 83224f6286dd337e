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
pub(crate) struct Question {
    node: NodeId,
    goal: u32,
    left_out: StepSet,
}

impl Question {
    pub(crate) fn new(node: NodeId, goal: usize, left_out: StepSet) -> Self {
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
    /// What it came to; unfinished: it needs more than these expansions.
    found: Search,
    expansions: u32,
    bad_costs: StepSet,
    /// Of a plan with steps.
    start: Option<Start>,
    length: u8,
    plan: [u8; MAX_PLAN_STEPS as usize],
}

/// What is known of a plan that begins in the situation of its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    /// The hash of the facts.
    pub(crate) facts: u64,
    /// Whether the first step promises to change a fact.
    pub(crate) promises: bool,
}

/// A plan that was found before.
pub(crate) struct KnownPlan<'s> {
    pub(crate) steps: &'s [u8],
    pub(crate) method: u32,
    pub(crate) start: Start,
}

/// Results of searches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shelf {
    /// Room for the situation of each entry.
    stride: usize,
    situations: Vec<u64>,
    /// The hashes of the entries, so that one need not look at those that are others.
    hashes: Vec<u64>,
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
            hashes: vec![0; SIZE],
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
        (self.situations.capacity() + self.hashes.capacity()) * 8
            + self.entries.capacity() * size_of::<Option<Entry>>()
            + self.paused.bytes()
    }

    /// What is known of a question in a situation, and where that is.
    #[inline(always)]
    fn find(&self, (of, hash): (Question, u64), situation: &[u64]) -> Option<(usize, &Entry)> {
        let mut places = (0..PROBES).map(|probe| (hash as usize).wrapping_add(probe) % SIZE);
        places.find_map(|place| {
            if self.hashes[place] != hash {
                return None;
            }
            let entry = self.entries[place].as_ref()?;
            let its = &self.situations[place * self.stride..][..situation.len()];
            // A situation has few words: a call would take longer than the comparison.
            let is_same = entry.of == of && its.iter().zip(situation).all(|(a, b)| a == b);
            is_same.then_some((place, entry))
        })
    }

    /// The plan with steps that [`search`](Self::search) would come to, if it was found before and there is nothing to report.
    #[inline(always)]
    pub(crate) fn known_plan(
        &self,
        of: Question,
        situation: &[u64],
        given: u32,
    ) -> Option<KnownPlan<'_>> {
        let (_, entry) = self.find((of, hash_of(of, situation)), situation)?;
        let Search::Found { method, .. } = entry.found else {
            return None;
        };
        let is_all = entry.expansions <= given && entry.bad_costs == StepSet::default();
        is_all.then_some(KnownPlan {
            steps: &entry.plan[..usize::from(entry.length)],
            method,
            start: entry.start?,
        })
    }

    /// As [`Domain::search`], for the planner of a node; the result may be one that was found before, and a search that
    /// has had too few expansions goes on where it was. With a plan comes what is known of its start.
    pub(crate) fn search(
        &mut self,
        asker: Asker<'_>,
        (goal, left_out): (usize, StepSet),
        situation: &[u64],
        given: u32,
        desk: &mut Desk,
    ) -> (Search, Option<Start>) {
        let Asker { domain, node, .. } = asker;
        let of = Question::new(node, goal, left_out);
        let hash = hash_of(of, situation);
        let known = self.find((of, hash), situation);
        if let Some((_, entry)) = known {
            let is_unfinished = entry.found == Search::Unfinished;
            if is_unfinished && given <= entry.expansions || entry.expansions > given {
                return (Search::Unfinished, None);
            }
            if !is_unfinished {
                desk.waits = None;
                desk.plan.clear();
                desk.plan
                    .extend_from_slice(&entry.plan[..usize::from(entry.length)]);
                desk.expansions = entry.expansions;
                desk.bad_costs = entry.bad_costs;
                return (entry.found, entry.start);
            }
        }
        let place = known.map(|(place, _)| place);
        let found = match self.paused.take((of, hash), situation, given, desk) {
            Known::NeedsMore => return (Search::Unfinished, None),
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
        let place = place.unwrap_or_else(|| {
            self.next = (self.next + 1) % PROBES;
            (hash as usize).wrapping_add(self.next) % SIZE
        });
        let mut plan = [0; MAX_PLAN_STEPS as usize];
        plan[..desk.plan.len()].copy_from_slice(&desk.plan);
        let start = match (found, desk.plan.first().copied()) {
            (Search::Found { .. }, Some(first)) => Some(Start {
                facts: domain.hash(situation, &mut desk.bytes),
                promises: domain.changes(usize::from(first), situation, &mut desk.later),
            }),
            _ => None,
        };
        self.situations[place * self.stride..][..situation.len()].copy_from_slice(situation);
        self.hashes[place] = hash;
        self.entries[place] = Some(Entry {
            of,
            found,
            expansions: match found {
                Search::Unfinished => given,
                _ => desk.expansions,
            },
            bad_costs: desk.bad_costs,
            start,
            length: desk.plan.len() as u8,
            plan,
        });
        // It may be over, but with more expansions than it was given.
        match desk.expansions > given {
            true => (Search::Unfinished, None),
            false => (found, start),
        }
    }
}

#[inline(always)]
pub(super) fn hash_of(of: Question, situation: &[u64]) -> u64 {
    let first = of.node.index() as u64 ^ u64::from(of.goal) << 32;
    let [low, high] = [of.left_out.0 as u64, (of.left_out.0 >> 64) as u64];
    let left_out =
        low.wrapping_mul(0xC2B2_AE3D_27D4_EB4F) ^ high.wrapping_mul(0x1656_67B1_9E37_79F9);
    let mut hash = first ^ left_out;
    for word in situation {
        hash = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^= hash >> 32;
    }
    hash
}
