//! The cases as plain Rust without any library: `if` and `match` over plain structs.

use crate::case::{Case, ROW, which};
use crate::contender::{Contender, Runner};
use crate::facts::{DEAD, Fact, Facts, LOW, SEE};
use crate::ours::{DT, numbers};
use std::hint::black_box;

/// How often each action was carried out. There is room for every case, so that no index needs a bounds check.
pub(crate) type Done = [u64; 4096];

/// Carries an action out. In a game something happens here, so the compiler must not merge several calls or drop one.
#[inline(always)]
pub(crate) fn act<const ACTIONS: usize>(done: &mut [u64; ACTIONS], action: usize) {
    done[action] += 1;
    black_box(done);
}

/// One agent.
pub(crate) trait Hand {
    /// What it reads in a tick.
    type Input: Copy;
    /// Makes the input from a fact, before the measurement.
    fn input(fact: Fact) -> Self::Input;
    fn new(case: Case, agent: usize) -> Self;
    fn tick(&mut self, input: Self::Input, now_ns: u64, done: &mut Done);
}

/// All agents.
pub(crate) struct Hands<H: Hand> {
    agents: Vec<H>,
    inputs: Vec<H::Input>,
    now_ns: u64,
    done: Done,
    actions: usize,
}

impl<H: Hand> Hands<H> {
    pub(crate) fn new(case: Case, agents: usize) -> Self {
        Self {
            agents: (0..agents).map(|agent| H::new(case, agent)).collect(),
            inputs: Vec::new(),
            now_ns: 0,
            done: [0; 4096],
            actions: case.actions().len(),
        }
    }
}

impl<H: Hand> Contender for Hands<H> {
    fn get_ready(&mut self, facts: &Facts, _: usize) {
        self.inputs.clear();
        self.inputs
            .extend(facts.rows().iter().map(|&fact| H::input(fact)));
    }

    #[inline]
    fn tick(&mut self, nth: usize) {
        self.now_ns += DT.as_nanos() as u64;
        let inputs = &self.inputs[nth * self.agents.len()..];
        for (agent, &input) in self.agents.iter_mut().zip(inputs) {
            agent.tick(input, self.now_ns, &mut self.done);
        }
    }

    fn done(&mut self) -> Vec<u64> {
        self.done[..self.actions].to_vec()
    }

    fn state_bytes(&self) -> usize {
        self.agents.len() * size_of::<H>()
    }
}

/// The case, written by hand.
pub(crate) fn runner(case: Case, agents: usize) -> Box<dyn Runner> {
    match case {
        Case::Guard | Case::Decide => Box::new(Hands::<Guard>::new(case, agents)),
        Case::GuardExpr | Case::DecideExpr => Box::new(Hands::<GuardOfNumbers>::new(case, agents)),
        Case::Utility => Box::new(Hands::<Utility>::new(case, agents)),
        Case::Machine => Box::new(Hands::<Machine>::new(case, agents)),
        Case::Timers => Box::new(Hands::<Timers>::new(case, agents)),
        Case::Selector | Case::Branches(_) => Box::new(Hands::<Selector>::new(case, agents)),
        Case::Leaves => Box::new(Hands::<Leaves>::new(case, agents)),
        Case::Row => Box::new(Hands::<Row>::new(case, agents)),
        Case::Inverters => Box::new(Hands::<Inverters>::new(case, agents)),
        Case::Waiting => Box::new(Hands::<Waiting>::new(case, agents)),
        Case::Draws => Box::new(Hands::<Draws>::new(case, agents)),
    }
}

const RUN_AWAY: usize = 0;
const ATTACK: usize = 1;
const PATROL: usize = 2;

struct Guard;

impl Hand for Guard {
    type Input = Fact;

    fn input(fact: Fact) -> Fact {
        fact
    }

    fn new(_: Case, _: usize) -> Self {
        Self
    }

    #[inline]
    fn tick(&mut self, fact: Fact, _: u64, done: &mut Done) {
        if fact & SEE != 0 {
            if fact & LOW != 0 {
                act(done, RUN_AWAY);
            } else if fact & DEAD == 0 {
                act(done, ATTACK);
            } else {
                act(done, PATROL);
            }
        } else {
            act(done, PATROL);
        }
    }
}

struct GuardOfNumbers;

impl Hand for GuardOfNumbers {
    type Input = [f32; 3];

    fn input(fact: Fact) -> [f32; 3] {
        numbers(fact)
    }

    fn new(_: Case, _: usize) -> Self {
        Self
    }

    #[inline]
    fn tick(&mut self, input: [f32; 3], _: u64, done: &mut Done) {
        let [enemy_distance, health, enemy_health] = input;
        if enemy_distance < 10.0 {
            if health < 20.0 {
                act(done, RUN_AWAY);
            } else if enemy_health > 0.0 {
                act(done, ATTACK);
            } else {
                act(done, PATROL);
            }
        } else {
            act(done, PATROL);
        }
    }
}

struct Utility {
    runs: Option<usize>,
}

impl Hand for Utility {
    type Input = [f32; 3];

    fn input(fact: Fact) -> [f32; 3] {
        numbers(fact)
    }

    fn new(_: Case, _: usize) -> Self {
        Self { runs: None }
    }

    #[inline]
    fn tick(&mut self, input: [f32; 3], _: u64, done: &mut Done) {
        let [distance, health, enemy_health] = input.map(f64::from);
        let near = (1.0 - distance / 50.0).clamp(0.0, 1.0);
        let hurt = (1.0 - health / 100.0).clamp(0.0, 1.0);
        let alive = (enemy_health / 100.0).clamp(0.0, 1.0) >= 0.01;
        let logistic = |x: f64, mid: f64, steep: f64| 1.0 / (1.0 + (-steep * (x - mid)).exp());
        let scores = [
            logistic(hurt, 0.6, 12.0) * near * near,
            logistic(near, 0.5, 10.0) * f64::from(u8::from(alive)),
            0.2,
        ];
        let mut best = 0;
        for other in 1..3 {
            if scores[other] > scores[best] {
                best = other;
            }
        }
        let runs = match self.runs {
            Some(runs) if scores[runs] > 0.0 && scores[best] <= scores[runs] + 0.1 => runs,
            _ => best,
        };
        self.runs = Some(runs);
        act(done, runs);
    }
}

/// Whether the alarm of the machine goes off.
#[inline]
pub(crate) fn is_alarmed(fact: Fact) -> bool {
    fact & SEE != 0 && fact & LOW == 0
}

#[derive(Clone, Copy, PartialEq)]
enum Machine {
    /// As in a document, the first tick only enters the machine.
    Before,
    Idle,
    Walk,
    Attack,
}

impl Hand for Machine {
    type Input = Fact;

    fn input(fact: Fact) -> Fact {
        fact
    }

    fn new(_: Case, _: usize) -> Self {
        Self::Before
    }

    #[inline]
    fn tick(&mut self, fact: Fact, _: u64, done: &mut Done) {
        *self = match *self {
            Machine::Before => Machine::Idle,
            Machine::Idle | Machine::Walk if is_alarmed(fact) => Machine::Attack,
            Machine::Idle | Machine::Attack if fact & DEAD != 0 => Machine::Walk,
            Machine::Walk | Machine::Attack if fact & LOW != 0 => Machine::Idle,
            stays => {
                act(done, stays as usize - 1);
                stays
            }
        };
    }
}

struct Timers {
    state: Machine,
    entered_ns: u64,
}

impl Hand for Timers {
    type Input = Fact;

    fn input(fact: Fact) -> Fact {
        fact
    }

    fn new(_: Case, _: usize) -> Self {
        Self {
            state: Machine::Before,
            entered_ns: 0,
        }
    }

    #[inline]
    fn tick(&mut self, fact: Fact, now_ns: u64, done: &mut Done) {
        let is_attacked = fact & SEE != 0 && fact & LOW != 0;
        let has_passed = |seconds: u64| now_ns >= self.entered_ns + seconds * 1_000_000_000;
        let next = match self.state {
            Machine::Before => Machine::Idle,
            Machine::Idle | Machine::Walk if is_attacked => Machine::Attack,
            Machine::Idle if has_passed(2) => Machine::Walk,
            Machine::Walk if has_passed(3) => Machine::Idle,
            Machine::Attack if has_passed(1) => Machine::Idle,
            stays => {
                act(done, stays as usize - 1);
                return;
            }
        };
        self.state = next;
        self.entered_ns = now_ns;
    }
}

struct Selector {
    branches: usize,
}

impl Hand for Selector {
    type Input = Fact;

    fn input(fact: Fact) -> Fact {
        fact
    }

    fn new(case: Case, _: usize) -> Self {
        Self {
            branches: case.branches(),
        }
    }

    #[inline]
    fn tick(&mut self, fact: Fact, _: u64, done: &mut Done) {
        for branch in 0..self.branches {
            // Each comparison is separate, as if each were its own condition.
            if which(black_box(fact), self.branches) == branch {
                act(done, branch);
                break;
            }
        }
    }
}

struct Leaves;

impl Hand for Leaves {
    type Input = Fact;

    fn input(fact: Fact) -> Fact {
        fact
    }

    fn new(_: Case, _: usize) -> Self {
        Self
    }

    #[inline]
    fn tick(&mut self, fact: Fact, _: u64, done: &mut Done) {
        let mut leaf = 0;
        for bit in 0..6 {
            leaf = if black_box(fact) & 0x8000 >> bit != 0 {
                2 * leaf + 1
            } else {
                2 * leaf
            };
        }
        act(done, leaf);
    }
}

struct Row {
    holds: [bool; ROW],
}

impl Hand for Row {
    type Input = Fact;

    fn input(fact: Fact) -> Fact {
        fact
    }

    fn new(_: Case, _: usize) -> Self {
        Self {
            holds: black_box([true; ROW]),
        }
    }

    #[inline]
    fn tick(&mut self, _: Fact, _: u64, _: &mut Done) {
        for holds in &self.holds {
            if !black_box(*holds) {
                return;
            }
        }
    }
}

struct Inverters;

impl Hand for Inverters {
    type Input = Fact;

    fn input(fact: Fact) -> Fact {
        fact
    }

    fn new(_: Case, _: usize) -> Self {
        Self
    }

    #[inline]
    fn tick(&mut self, fact: Fact, _: u64, _: &mut Done) {
        // An even number of inverters cancels out.
        black_box(fact & SEE != 0);
    }
}

struct Waiting {
    until_ns: u64,
}

impl Hand for Waiting {
    type Input = Fact;

    fn input(fact: Fact) -> Fact {
        fact
    }

    fn new(_: Case, _: usize) -> Self {
        Self {
            until_ns: black_box(1_000_000 * 1_000_000_000),
        }
    }

    #[inline]
    fn tick(&mut self, _: Fact, now_ns: u64, done: &mut Done) {
        if now_ns >= self.until_ns {
            act(done, 0);
        }
    }
}

struct Draws {
    state: u64,
}

impl Hand for Draws {
    type Input = Fact;

    fn input(fact: Fact) -> Fact {
        fact
    }

    fn new(_: Case, agent: usize) -> Self {
        Self {
            state: agent as u64,
        }
    }

    #[inline]
    fn tick(&mut self, _: Fact, _: u64, done: &mut Done) {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        let drawn = ((mixed ^ mixed >> 31) >> 11) as f64 / (1_u64 << 53) as f64;
        act(done, usize::from(drawn >= 0.25));
    }
}
