//! The runs of actions: who does what, how it has ended, and what Bevy's world does not show yet.

use crate::counts::Counts;
use bevy_ecs::prelude::*;
use std::any::Any;
use std::ops::Range;
use treemind::Outcome;
use treemind::core::host::Lanes;

/// What becomes of a change in Bevy's world: who has begun an action, or ended it, as bits of a word.
pub(crate) type Apply<T> = fn(&mut World, Agents<'_>, &Change<T>);

/// What has happened to agents in one call.
pub(crate) enum Change<T> {
    Start(T),
    Stop(Outcome),
}

/// The agents of a change.
pub(crate) struct Agents<'a> {
    entities: &'a [Entity],
    first_word: usize,
    words: &'a [u64],
    /// Those that have ended it everywhere: the action is one that several nodes can run at once.
    idle: &'a [u64],
}

impl Agents<'_> {
    fn in_words(&self, words: &[u64]) -> impl Iterator<Item = Entity> {
        let words = words.iter().zip(self.first_word..);
        words.flat_map(move |(word, place)| {
            bits(*word).map(move |bit| self.entities[place * 64 + bit])
        })
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = Entity> {
        self.in_words(self.words)
    }

    pub(crate) fn idle(&self) -> impl Iterator<Item = Entity> {
        self.in_words(self.idle)
    }
}

/// A change, and for whom.
struct Block<T> {
    change: Change<T>,
    first_word: usize,
    words: Range<usize>,
}

/// The runs of one type of action in one population.
pub(crate) struct Runs<T> {
    /// How many nodes of each agent run it.
    active: Counts,
    /// How it has ended for agents that do not know it yet: success and failure.
    ends: [Vec<u64>; 2],
    pub(crate) has_ends: bool,
    /// Who has begun it in this tick, so that no end can be meant for it.
    fresh: Vec<u64>,
    /// What has happened in this tick.
    blocks: Vec<Block<T>>,
    words: Vec<u64>,
    /// How many blocks have been applied.
    applied: usize,
    /// Room for those who have ended it everywhere.
    idle: Vec<u64>,
    apply: Apply<T>,
}

impl<T> Runs<T> {
    pub(crate) fn new(apply: Apply<T>) -> Self {
        Self {
            active: Counts::default(),
            ends: [Vec::new(), Vec::new()],
            has_ends: false,
            fresh: Vec::new(),
            blocks: Vec::new(),
            words: Vec::new(),
            applied: 0,
            idle: Vec::new(),
            apply,
        }
    }

    pub(crate) fn end(&mut self, index: usize, is_success: bool) {
        let (word, bit) = (index / 64, 1 << (index % 64));
        let has_ended = self.ends.iter().any(|ends| ends[word] & bit != 0);
        // A run that is over cannot end again; a new one has not been told of.
        if self.active.any(word) & bit != 0 && !has_ended {
            self.ends[usize::from(!is_success)][word] |= bit;
            self.has_ends = true;
        }
    }

    pub(crate) fn change(&mut self, change: Change<T>, lanes: Lanes<'_>) {
        let from = self.words.len();
        self.words.extend_from_slice(lanes.words());
        let first_word = lanes.first_word();
        if let Change::Start(_) = change {
            let fresh = self.fresh[first_word..].iter_mut().zip(lanes.words());
            fresh.for_each(|(fresh, new)| *fresh |= new);
        }
        self.blocks.push(Block {
            change,
            first_word,
            words: from..self.words.len(),
        });
    }

    pub(crate) fn change_one(&mut self, change: Change<T>, index: usize) {
        let word = [1 << (index % 64)];
        self.change(change, Lanes::new(index / 64 * 64, &word));
    }

    /// The agents of a word to which this end can be told.
    #[inline]
    pub(crate) fn ended(&self, end: usize, word: usize) -> u64 {
        self.ends[end][word] & !self.fresh[word]
    }
}

/// [`Runs`] of some type.
pub(crate) trait AnyRuns: Send + Sync {
    fn grow(&mut self, words: usize);
    /// Applies what has happened to agents of words before this one, and was not applied yet. Calls are in ascending
    /// order.
    fn apply(&mut self, entities: &[Entity], before_word: usize, world: &mut World);
    /// A run continues that began before it was saved.
    fn resume(&mut self, agent: usize);
    fn as_any(&mut self) -> &mut dyn Any;
}

impl<T: Send + Sync + 'static> AnyRuns for Runs<T> {
    fn grow(&mut self, words: usize) {
        self.active.grow(words);
        let [success, failure] = &mut self.ends;
        for column in [success, failure, &mut self.fresh] {
            column.resize(words, 0);
        }
    }

    fn apply(&mut self, entities: &[Entity], before_word: usize, world: &mut World) {
        while let Some(block) = self.blocks.get(self.applied)
            && block.first_word < before_word
        {
            self.applied += 1;
            let words = &self.words[block.words.clone()];
            let first_word = block.first_word;
            self.idle.clear();
            for (word, agents) in (first_word..).zip(words) {
                match block.change {
                    Change::Start(_) => {
                        self.active.add(word, *agents);
                        self.fresh[word] &= !agents;
                    }
                    Change::Stop(_) => {
                        self.idle.push(self.active.take(word, *agents));
                        for ends in &mut self.ends {
                            ends[word] &= !agents;
                        }
                    }
                }
            }
            let agents = Agents {
                entities,
                first_word,
                words,
                idle: &self.idle,
            };
            (self.apply)(world, agents, &block.change);
        }
        if self.applied == self.blocks.len() && self.applied > 0 {
            self.applied = 0;
            self.blocks.clear();
            self.words.clear();
            let mut ends = self.ends.iter().flatten();
            self.has_ends = self.has_ends && ends.any(|word| *word != 0);
        }
    }

    fn resume(&mut self, agent: usize) {
        self.active.add(agent / 64, 1 << (agent % 64));
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}

/// The numbers of the bits of a word.
#[inline]
fn bits(word: u64) -> impl Iterator<Item = usize> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let bit = rest
            .checked_ilog2()
            .map(|_| rest.trailing_zeros() as usize)?;
        rest &= rest - 1;
        Some(bit)
    })
}
