//! A host made of columns: conditions and answers are bit columns that the game fills, requests are bit masks that
//! it reads. There are no callbacks.

use super::{Answers, Call, Host, Lanes};
use crate::behaviour::{Behaviour, LeafKind};
use crate::ids::{KeyId, LeafId};
use crate::status::Outcome;

/// A bit per agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitColumn {
    words: Vec<u64>,
}

impl BitColumn {
    /// All bits clear.
    pub fn new(agents: usize) -> Self {
        Self {
            // Whole chunks of 16 words, so that the last chunk has all its words too.
            words: vec![0; agents.div_ceil(1024) * 16],
        }
    }

    /// The bit of an agent.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn get(&self, agent: usize) -> bool {
        self.words[agent / 64] >> (agent % 64) & 1 == 1
    }

    /// Sets the bit of an agent.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn set(&mut self, agent: usize, holds: bool) {
        let (word, bit) = (&mut self.words[agent / 64], 1 << (agent % 64));
        *word = if holds { *word | bit } else { *word & !bit };
    }

    /// The words: bit `b` of word `w` is agent `64 * w + b`.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words, for writing many bits at once.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }
}

/// The agents that made a request in a tick.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    /// Blocks, one for each call or for several. A block begins with the position of its first word, and how many words
    /// it has; then come the words.
    blocks: Vec<u64>,
    /// Where the last block begins.
    last: usize,
}

/// How many bits of the begin of a block say how many words it has.
const LENGTH_BITS: u32 = 8;

impl Requests {
    /// With room for some blocks of 16 words.
    fn with_room(blocks: usize) -> Self {
        Self {
            blocks: Vec::with_capacity(blocks * 17),
            last: 0,
        }
    }

    fn clear(&mut self) {
        self.blocks.clear();
        self.last = 0;
    }

    fn push(&mut self, lanes: Lanes<'_>) {
        let words = lanes.words();
        let begin = (lanes.first_word() << LENGTH_BITS | words.len()) as u64;
        // Nodes with the same leaf share a block, unless an agent makes the request twice.
        if self.blocks.get(self.last) == Some(&begin) {
            let block = &mut self.blocks[self.last + 1..];
            let twice = block.iter().zip(words).fold(0, |all, (a, b)| all | a & b);
            if twice == 0 {
                block.iter_mut().zip(words).for_each(|(to, of)| *to |= of);
                return;
            }
        }
        self.last = self.blocks.len();
        self.blocks.push(begin);
        self.blocks.extend_from_slice(words);
    }

    /// The position of the first word of each block, and its words.
    fn blocks(&self) -> impl Iterator<Item = (usize, &[u64])> {
        let mut rest = &self.blocks[..];
        std::iter::from_fn(move || {
            let (&begin, after) = rest.split_first()?;
            let (words, others) = after.split_at(begin as usize & ((1 << LENGTH_BITS) - 1));
            rest = others;
            Some((begin as usize >> LENGTH_BITS, words))
        })
    }

    /// The agents in ascending order, except where an agent made two requests in a tick.
    pub fn agents(&self) -> impl Iterator<Item = usize> + '_ {
        self.words().flat_map(|(word, mask)| {
            let mut rest = mask;
            std::iter::from_fn(move || {
                let bit = rest
                    .checked_ilog2()
                    .map(|_| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(word * 64 + bit)
            })
        })
    }

    /// The words with a bit, and the position of each. Bit `b` of word `w` is agent `64 * w + b`.
    pub fn words(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        let words = self.blocks();
        let words = words.flat_map(|(first, words)| (first..).zip(words.iter().copied()));
        words.filter(|(_, mask)| *mask != 0)
    }

    /// How many requests there are.
    pub fn count(&self) -> usize {
        let words = self.blocks().flat_map(|(_, words)| words);
        words.map(|mask| mask.count_ones() as usize).sum()
    }
}

#[derive(Clone, Debug, Default)]
struct LeafColumns {
    success: BitColumn,
    failure: BitColumn,
    started: Requests,
    running: Requests,
    stopped: [Requests; 3],
}

/// The columns of all leaves of a behaviour.
///
/// Before a tick, the game sets where each condition holds ([`holds_mut`](Self::holds_mut)), and which agents have
/// finished each action ([`succeeded_mut`](Self::succeeded_mut), [`failed_mut`](Self::failed_mut); if neither is
/// set, the action continues). After the tick, it reads which agents started, ran and stopped each action. These
/// lists hold the requests of one tick: the game calls [`clear`](Self::clear) before the next.
#[derive(Clone, Debug)]
pub struct Columns {
    leaves: Vec<LeafColumns>,
}

impl Columns {
    /// Columns for `agents` agents. Memory for the requests of every leaf is allocated here, so that a tick never
    /// allocates.
    pub fn new(behaviour: &Behaviour, agents: usize) -> Self {
        let chunks = agents.div_ceil(1024);
        let nodes_of = |leaf| {
            let uses = |node: &&crate::behaviour::PlacedNode| node.kind.leaf() == Some(leaf);
            behaviour.nodes().iter().filter(uses).count()
        };
        let leaves = (0..behaviour.leaves().len()).map(LeafId::new).map(|leaf| {
            let requests = match behaviour.leaf(leaf).kind {
                LeafKind::Condition
                | LeafKind::Sensor
                | LeafKind::Event
                | LeafKind::Candidates { .. }
                | LeafKind::Measure => 0,
                _ => chunks * nodes_of(leaf),
            };
            let with_room = || Requests::with_room(requests);
            LeafColumns {
                success: BitColumn::new(agents),
                failure: BitColumn::new(agents),
                started: with_room(),
                running: with_room(),
                stopped: [with_room(), with_room(), with_room()],
            }
        });
        Self {
            leaves: leaves.collect(),
        }
    }

    /// Clears the requests of the last tick.
    pub fn clear(&mut self) {
        for leaf in &mut self.leaves {
            leaf.started.clear();
            leaf.running.clear();
            leaf.stopped.iter_mut().for_each(Requests::clear);
        }
    }

    /// Where a condition holds.
    ///
    /// # Panics
    /// When the leaf belongs to another behaviour and is out of range. The same holds for all methods that take a leaf.
    pub fn holds_mut(&mut self, condition: LeafId) -> &mut BitColumn {
        &mut self.leaves[condition.index()].success
    }

    /// Which agents have completed the action.
    pub fn succeeded_mut(&mut self, action: LeafId) -> &mut BitColumn {
        &mut self.leaves[action.index()].success
    }

    /// Which agents have failed to carry the action out.
    pub fn failed_mut(&mut self, action: LeafId) -> &mut BitColumn {
        &mut self.leaves[action.index()].failure
    }

    /// Which agents started the action in the last tick.
    pub fn started(&self, action: LeafId) -> &Requests {
        &self.leaves[action.index()].started
    }

    /// Which agents were running the action in the last tick, including those that started it.
    pub fn running(&self, action: LeafId) -> &Requests {
        &self.leaves[action.index()].running
    }

    /// Which agents ended a run of the action with this outcome in the last tick.
    pub fn stopped(&self, action: LeafId, outcome: Outcome) -> &Requests {
        &self.leaves[action.index()].stopped[outcome as usize]
    }
}

impl Host for Columns {
    #[inline]
    fn ask(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        let words = lanes.words().len();
        let holds = &self.leaves[call.leaf().index()].success.words[lanes.first_word()..][..words];
        answers.set_bools(holds);
    }

    #[inline]
    fn start(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.leaves[call.leaf().index()].started.push(lanes);
    }

    #[inline]
    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        let leaf = &mut self.leaves[call.leaf().index()];
        leaf.running.push(lanes);
        let words = lanes.words().len();
        answers
            .success
            .copy_from_slice(&leaf.success.words[lanes.first_word()..][..words]);
        answers
            .failure
            .copy_from_slice(&leaf.failure.words[lanes.first_word()..][..words]);
    }

    /// A sensed key has the value that the game wrote to its column before the tick.
    fn sense(&mut self, _: &mut Call<'_>, _: KeyId, _: Lanes<'_>) {}

    #[inline]
    fn stop(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, outcome: Outcome) {
        self.leaves[call.leaf().index()].stopped[outcome as usize].push(lanes);
    }
}
