//! The working memory of searches. Once it has grown, nothing is allocated.

use super::StepSet;
use super::shelf::Question;
use crate::behaviour::Doing;

/// No situation, or the end of a list.
pub(super) const NONE: u32 = u32::MAX;

/// The working memory of searches; the plan that was found last is here.
#[derive(Clone, Debug, Default)]
pub struct Desk {
    /// The steps of the plan that was found.
    pub plan: Vec<u8>,
    /// The expansions of the last search.
    pub expansions: u32,
    /// The steps whose cost was none where they could have been used.
    pub bad_costs: StepSet,
    /// The situation that is looked at, and the one that a step leads to.
    pub(super) here: Vec<u64>,
    pub(super) next: Vec<u64>,
    /// The words of a situation that change.
    pub(super) planned: usize,
    /// The situations reached, and their words one after the other.
    pub(super) nodes: Vec<Reached>,
    pub(super) words: Vec<u64>,
    /// Where a situation is, by its hash: the round that an entry belongs to, and the situation. Only the first `size`
    /// entries are in use, so that a small search stays in a small part of it.
    table: Vec<u64>,
    size: usize,
    round: u32,
    /// The open situations, the lowest rank first; outdated entries stay.
    pub(super) open: std::collections::BinaryHeap<std::cmp::Reverse<(u64, u32)>>,
    /// Those of the rank that is looked at.
    pub(super) batch: Vec<u32>,
    /// How many of those were looked at, and whether it is known that the goal is none of them.
    pub(super) looked_at: usize,
    pub(super) is_checked: bool,
    pub(super) prices: Vec<u64>,
    /// Whether a limit cut off what may have led to the goal.
    pub(super) was_cut: bool,
    /// What is to be done by tasks: each entry names the next.
    pub(super) todo: Vec<Todo>,
    pub(super) choices: Vec<Choice>,
    pub(super) move_next: Move,
    /// The search that lies here unfinished because there is no other room for it, with the hash of what it is of, and the
    /// situation that it began in. The next other search takes its place.
    pub(super) waits: Option<(Question, u64)>,
    pub(super) waits_at: Vec<u64>,
    /// A situation that the facts of an agent lead to, and bytes to be hashed.
    pub(crate) later: Vec<u64>,
    pub(crate) bytes: Vec<u8>,
}

/// What the search for a way to do a task does next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Move {
    /// Do this entry of what is to be done.
    Take(u32),
    /// Look at the next method of a task.
    Choose(Choice),
    /// Go back to the last choice.
    #[default]
    Undo,
}

/// A situation that a search has reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    pub(super) cost: u64,
    pub(super) estimate: u64,
    pub(super) parent: u32,
    pub(super) steps: u8,
    pub(super) step: u8,
    pub(super) is_closed: bool,
}

/// How many entries of the table a search begins with.
const FIRST_SIZE: usize = 64;
/// Memory is set aside for this many situations at most; larger searches get more when they need it.
const MOST_RESERVED: usize = 1 << 18;

/// How large the searches of a planner may become.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extent {
    pub(super) situations: usize,
    pub(super) planned: usize,
    pub(super) words: usize,
    pub(super) parts: usize,
    pub(super) todos: usize,
    pub(super) choices: usize,
}

/// Something to be done, how deep it is in tasks, and what is to be done after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Todo {
    pub(super) doing: Doing,
    pub(super) level: u32,
    pub(super) next: u32,
}

/// A task for which a method was chosen, and what there was before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Choice {
    pub(super) task: u32,
    pub(super) level: u32,
    pub(super) after: u32,
    pub(super) todos: u32,
    pub(super) steps: u32,
    pub(super) next_method: u32,
}

/// A situation that a search for what a goal wants has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    /// Where it was reached from, by its number, and with which step; `None` of the one in which the search began.
    pub from: Option<(usize, usize)>,
    /// What the steps to it cost, in thousandths.
    pub cost: u64,
    /// What is still to be paid at least, in thousandths.
    pub estimate: u64,
    /// How many steps lead to it.
    pub steps: usize,
    /// Whether the search has looked at it, or would have as one of the next.
    pub is_closed: bool,
}

impl Desk {
    /// The situations that the last search for what a goal wants has reached, in the order in which they were. There are none
    /// of a task.
    pub fn situations(&self) -> impl ExactSizeIterator<Item = Situation> + '_ {
        self.nodes.iter().map(|reached| Situation {
            from: (reached.parent != NONE)
                .then_some((reached.parent as usize, usize::from(reached.step))),
            cost: reached.cost,
            estimate: reached.estimate,
            steps: usize::from(reached.steps),
            is_closed: reached.is_closed,
        })
    }

    /// The facts of a situation that the last search has reached, to be asked for [values](super::Domain::value).
    ///
    /// # Panics
    /// When there is no such situation.
    pub fn facts(&self, situation: usize) -> Vec<u64> {
        let mut facts = self.next.clone();
        facts[..self.planned].copy_from_slice(self.words_of(situation as u32));
        facts
    }

    /// Sets memory aside for searches of this extent.
    pub(super) fn reserve(&mut self, extent: Extent) {
        fn more<T>(list: &mut Vec<T>, wanted: usize) {
            list.reserve(wanted.saturating_sub(list.len()));
        }
        let Extent {
            situations,
            planned,
            words,
            parts,
            todos,
            choices,
        } = extent;
        let situations = situations.min(MOST_RESERVED);
        let choices = choices.min(MOST_RESERVED);
        more(&mut self.plan, crate::behaviour::MAX_PLAN_STEPS as usize);
        more(&mut self.here, words);
        more(&mut self.next, words);
        more(&mut self.later, words);
        // A fact takes 17 bytes, and texts as many as they are long.
        more(&mut self.bytes, words * 64 + 1_024);
        more(&mut self.nodes, situations);
        more(&mut self.words, situations.max(choices) * planned);
        more(&mut self.batch, situations);
        let open = self.open.len();
        self.open.reserve(situations.saturating_sub(open));
        more(&mut self.prices, parts);
        more(&mut self.todo, todos.min(MOST_RESERVED));
        more(&mut self.choices, choices);
        let size = (situations * 2 + 2).next_power_of_two().max(FIRST_SIZE);
        if self.table.len() < size {
            self.table = vec![0; size];
            self.round = 0;
        }
    }

    /// Begins a search at a situation of which the first words change.
    pub(super) fn clear(&mut self, planned: usize, situation: &[u64]) {
        self.waits = None;
        self.plan.clear();
        self.expansions = 0;
        self.bad_costs = StepSet::default();
        self.here.clear();
        self.here.extend_from_slice(situation);
        self.next.clear();
        self.next.extend_from_slice(situation);
        self.planned = planned;
        self.nodes.clear();
        self.words.clear();
        self.open.clear();
        self.batch.clear();
        self.prices.clear();
        (self.looked_at, self.is_checked, self.was_cut) = (0, false, false);
        self.todo.clear();
        self.choices.clear();
        self.move_next = Move::default();
        self.size = FIRST_SIZE;
        if self.table.len() < FIRST_SIZE {
            self.table = vec![0; FIRST_SIZE];
        }
        self.begin_round();
    }

    /// Empties the table.
    fn begin_round(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.table.fill(0);
            self.round = 1;
        }
    }

    fn entry(&self, node: u32) -> u64 {
        u64::from(self.round) << 32 | u64::from(node)
    }

    /// The situation at a place of the table, if there is one.
    fn at(&self, place: usize) -> Option<u32> {
        let entry = self.table[place];
        (entry >> 32 == u64::from(self.round)).then_some(entry as u32)
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        (self.here.capacity() + self.next.capacity() + self.words.capacity()) * 8
            + self.nodes.capacity() * size_of::<Reached>()
            + self.table.capacity() * 8
            + self.open.capacity() * 16
            + self.todo.capacity() * size_of::<Todo>()
            + self.choices.capacity() * size_of::<Choice>()
            + self.batch.capacity() * 4
            + self.prices.capacity() * 8
            + self.plan.capacity()
            + (self.later.capacity() + self.waits_at.capacity()) * 8
            + self.bytes.capacity()
    }

    /// The words of a situation.
    pub(super) fn words_of(&self, node: u32) -> &[u64] {
        &self.words[node as usize * self.planned..][..self.planned]
    }

    /// The node of the next situation, if it was reached before, or the place in the table where it belongs.
    pub(super) fn find_next(&self) -> Result<u32, usize> {
        let last = self.size - 1;
        let mut at = hash_of(&self.next[..self.planned]) & last;
        loop {
            let Some(node) = self.at(at) else {
                return Err(at);
            };
            if is_same(self.words_of(node), &self.next) {
                return Ok(node);
            }
            at = (at + 1) & last;
        }
    }

    /// Adds the next situation at a place that was found for it. Returns its node.
    pub(super) fn add_next(&mut self, at: usize, reached: Reached) -> u32 {
        let node = self.nodes.len() as u32;
        self.nodes.push(reached);
        self.words.extend_from_slice(&self.next[..self.planned]);
        self.table[at] = self.entry(node);
        if self.nodes.len() * 2 > self.size {
            self.grow();
        }
        node
    }

    /// Makes the table twice as large.
    #[cold]
    fn grow(&mut self) {
        self.size *= 2;
        self.begin_round();
        self.fill_table();
    }

    /// Enters all situations into an empty table, as large as is good for so many.
    pub(super) fn find_places(&mut self) {
        while self.nodes.len() * 2 > self.size {
            self.size *= 2;
        }
        self.fill_table();
    }

    fn fill_table(&mut self) {
        let size = self.size;
        if self.table.len() < size {
            self.table.resize(size, 0);
        }
        for node in 0..self.nodes.len() as u32 {
            let mut at = hash_of(self.words_of(node)) & (size - 1);
            while self.at(at).is_some() {
                at = (at + 1) & (size - 1);
            }
            self.table[at] = self.entry(node);
        }
    }

    /// Stores the steps that lead to a situation as the plan.
    pub(super) fn keep_plan(&mut self, node: u32) {
        self.plan.clear();
        let mut at = node;
        while self.nodes[at as usize].parent != NONE {
            self.plan.push(self.nodes[at as usize].step);
            at = self.nodes[at as usize].parent;
        }
        self.plan.reverse();
    }

    /// Whether the steps to one situation, and then one more step, come before those to another: lists of one length,
    /// compared in document order.
    pub(super) fn comes_before(&self, (parent, step): (u32, u8), than: u32) -> bool {
        let other = self.nodes[than as usize];
        let (mut a, mut b) = (parent, other.parent);
        let mut first = step.cmp(&other.step);
        while a != b {
            let (left, right) = (self.nodes[a as usize], self.nodes[b as usize]);
            if left.step != right.step {
                first = left.step.cmp(&right.step);
            }
            (a, b) = (left.parent, right.parent);
        }
        first == std::cmp::Ordering::Less
    }
}

/// Whether a situation begins with these few words.
#[inline(always)]
fn is_same(words: &[u64], situation: &[u64]) -> bool {
    words.iter().zip(situation).all(|(a, b)| a == b)
}

/// Where a situation belongs in the table.
#[inline(always)]
fn hash_of(words: &[u64]) -> usize {
    let mut hash = 0u64;
    for word in words {
        hash = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^= hash >> 29;
    }
    (hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize
}
