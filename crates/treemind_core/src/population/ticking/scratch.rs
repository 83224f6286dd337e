//! The working memory of a sweep. Nothing in it outlives a sweep.

use crate::eval::ExprStacks;
use crate::host::{Candidates, Move, Pairs, Told};
use crate::planning::{Desk, Shelf};
use crate::population::ticking::trail::Trail;
use crate::program::Program;
use crate::program::op::Code;
use crate::status::Status;
use crate::value::Value;

/// Counters per agent that start at zero in every tick.
#[derive(Clone, Debug, Default)]
pub(in crate::population) struct Counters {
    values: Vec<u32>,
    lanes: usize,
    used: bool,
}

impl Counters {
    fn new(counters: u32, lanes: usize) -> Self {
        Self {
            values: vec![0; counters as usize * lanes],
            lanes,
            used: false,
        }
    }

    /// Returns the count so far, and adds one.
    pub(in crate::population) fn next(&mut self, counter: u32, lane: usize) -> u32 {
        self.used = true;
        let value = &mut self.values[counter as usize * self.lanes + lane];
        *value += 1;
        *value - 1
    }

    /// The count so far.
    pub(in crate::population) fn get(&self, counter: u32, lane: usize) -> u32 {
        self.values[counter as usize * self.lanes + lane]
    }

    /// Sets the count.
    pub(in crate::population) fn set(&mut self, counter: u32, lane: usize, value: u32) {
        self.used = true;
        self.values[counter as usize * self.lanes + lane] = value;
    }

    /// Resets the count to zero.
    pub(in crate::population) fn clear(&mut self, counter: u32, lane: usize) {
        self.values[counter as usize * self.lanes + lane] = 0;
    }

    pub(in crate::population) fn reset(&mut self) {
        if self.used {
            self.values.fill(0);
            self.used = false;
        }
    }
}

/// What composites and decorators of the host are told, and their moves, by lane.
#[derive(Clone, Debug, Default)]
pub(in crate::population) struct MoveDesk {
    pub(in crate::population) told: Vec<Told>,
    pub(in crate::population) wanted: Vec<Move>,
}

/// The working memory of planners.
#[derive(Clone, Debug, Default)]
pub(in crate::population) struct PlanDesk {
    pub(in crate::population) search: Desk,
    /// What searches of agents with the same inputs came to.
    pub(in crate::population) shelf: Shelf,
    /// Of a word at a planner: the agents whose facts are known, these facts, and the agents whose facts have a hash,
    /// which is known.
    pub(in crate::population) known: u64,
    pub(in crate::population) of_word: Vec<u64>,
    pub(in crate::population) hashed: u64,
    pub(in crate::population) hashes: Vec<u64>,
    /// Of those: the agents of whom it is known what their current step promises if it begins with these facts, and
    /// those of them for whom it promises to change one.
    pub(in crate::population) foreseen: u64,
    pub(in crate::population) promised: u64,
    /// Per step, the agents of a word whose current step it is.
    pub(in crate::population) at_steps: Vec<u64>,
    /// Per goal, the agents of a word for whom it may be pursued; per goal and agent, the score; per agent, by how much
    /// another score has to exceed that of the goal that is pursued.
    pub(in crate::population) may: Vec<u64>,
    pub(in crate::population) scores: Vec<f64>,
    pub(in crate::population) hysteresis: Vec<f64>,
}

impl PlanDesk {
    /// The facts of some agents of a word are no longer known, nor what follows from them.
    pub(in crate::population) fn forget_facts(&mut self, agents: u64) {
        self.known &= !agents;
        self.hashed &= !agents;
        self.foreseen &= !agents;
    }

    /// With room for the planners of a program.
    fn new(code: &Code) -> Self {
        let mut desk = Self::default();
        let words = code.planners.iter().map(|planner| planner.domain.words());
        if let Some(most) = words.max() {
            let mut planners = code.planners.iter();
            let pauses = planners.any(|planner| planner.memory.search.is_some());
            desk.shelf = Shelf::new(most, pauses);
            desk.of_word = vec![0; most * 64];
            desk.hashes = vec![0; 64];
        }
        for planner in &code.planners {
            planner.domain.reserve(&mut desk.search);
            desk.at_steps.reserve(planner.children.len());
            desk.may.reserve(planner.goals.len());
            desk.scores.reserve(planner.goals.len() * 64);
            desk.hysteresis.reserve(64);
        }
        desk
    }
}

/// The working memory of `find`: what it knows of the candidates of a tick.
#[derive(Clone, Debug, Default)]
pub(in crate::population) struct FindDesk {
    pub(in crate::population) listed: Candidates,
    pub(in crate::population) pairs: Pairs,
    /// Per candidate of the tick and word: the agents for which it is still in.
    pub(in crate::population) left: Vec<u64>,
    /// How many agents a chunk has room for.
    pub(in crate::population) lanes: usize,
    /// Per measure: whether the host was asked.
    pub(in crate::population) asked: Vec<bool>,
    /// The arguments of a pair.
    pub(in crate::population) args: Vec<Value>,
    /// Per measure, candidate of the tick and agent: what the host said.
    pub(in crate::population) measured: Vec<f32>,
    /// Per candidate of the tick and agent, for traces with values: at which `keep` it went out, from 1; then one more
    /// than there are if that was the score, else 0; and its score.
    pub(in crate::population) outs: Vec<u32>,
    /// With values: whether a number was asked, as in `measured`.
    pub(in crate::population) told: Vec<bool>,
    pub(in crate::population) scores: Vec<f32>,
}

impl FindDesk {
    /// With room for a program.
    fn new(code: &Code, words: usize, lanes: usize) -> Self {
        let mut desk = Self::default();
        for find in &code.finds {
            let pairs = find.per_tick as usize * lanes;
            let params = find.measures.iter().map(|measure| measure.args.len());
            desk.listed.reserve(find.max as usize * lanes, lanes);
            desk.left.reserve(find.per_tick as usize * words);
            desk.outs.reserve(pairs);
            desk.scores.reserve(pairs);
            desk.told.reserve(find.measures.len() * pairs);
            desk.asked.reserve(find.measures.len());
            desk.measured.reserve(find.measures.len() * pairs);
            if let Some(params) = params.max() {
                desk.args.reserve(params);
                desk.pairs.reserve(pairs, params);
            }
        }
        desk
    }

    fn bytes(&self) -> usize {
        self.listed.bytes()
            + self.pairs.bytes()
            + self.left.capacity() * 8
            + self.told.capacity()
            + (self.measured.capacity() + self.outs.capacity() + self.scores.capacity()) * 4
    }
}

/// Registers, stacks of expressions and counters for one chunk at a time.
#[derive(Clone, Debug)]
pub(in crate::population) struct Scratch {
    #[cfg(feature = "rayon")]
    words: usize,
    pub(in crate::population) regs: Box<[u64]>,
    /// A bit per instruction, and one for the end of the code.
    pub(in crate::population) pending: Box<[u64]>,
    pub(in crate::population) stacks: ExprStacks,
    pub(in crate::population) counters: Counters,
    pub(in crate::population) moves: MoveDesk,
    pub(in crate::population) plans: PlanDesk,
    pub(in crate::population) finds: FindDesk,
    pub(in crate::population) trail: Trail,
}

impl Scratch {
    pub(in crate::population) fn new(program: &Program, words: usize, lanes: usize) -> Self {
        let registers = program.code.registers as usize;
        let moves = if program.own_nodes { lanes } else { 0 };
        Self {
            #[cfg(feature = "rayon")]
            words,
            regs: vec![0; registers * words].into(),
            pending: vec![0; pending_words(&program.code)].into(),
            stacks: ExprStacks::new(program.stacks, lanes.min(64)),
            counters: Counters::new(program.counters, lanes),
            moves: MoveDesk {
                told: vec![Told::Tick; moves],
                wanted: vec![Move::Answer(Status::Running); moves],
            },
            plans: PlanDesk::new(&program.code),
            finds: FindDesk::new(&program.code, words, lanes),
            trail: Trail::new(&program.code, words),
        }
    }

    /// Whether it fits chunks of this size.
    #[cfg(feature = "rayon")]
    pub(in crate::population) fn fits(&self, words: usize, lanes: usize) -> bool {
        (self.words, self.counters.lanes) == (words, lanes)
    }

    /// Makes room for traced code.
    pub(in crate::population) fn grow(&mut self, code: &Code, words: usize) {
        let registers = code.registers as usize * words;
        if self.regs.len() < registers {
            self.regs = vec![0; registers].into();
        }
        if self.pending.len() < pending_words(code) {
            self.pending = vec![0; pending_words(code)].into();
        }
    }

    pub(in crate::population) fn bytes(&self) -> usize {
        (self.regs.len() + self.pending.len()) * 8
            + self.stacks.bytes()
            + self.counters.values.capacity() * 4
            + self.trail.bytes()
            + self.plans.search.bytes()
            + self.plans.shelf.bytes()
            + (self.plans.of_word.len() + self.plans.hashes.len()) * 8
            + self.finds.bytes()
            + self.moves.told.capacity() * (size_of::<Told>() + size_of::<Move>())
    }
}

fn pending_words(code: &Code) -> usize {
    code.ops.len() / 64 + 1
}
