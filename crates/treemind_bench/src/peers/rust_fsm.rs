//! The machine with the crate `rust-fsm`, whose transitions lead from a state and an input to a state and an output.

use crate::by_hand::{act, is_alarmed};
use crate::contender::Contender;
use crate::facts::{DEAD, Fact, Facts, LOW};
use rust_fsm::{StateMachine, StateMachineImpl};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fights {
    Before,
    Idle,
    Walk,
    Attack,
}

struct Fighter;

impl StateMachineImpl for Fighter {
    type Input = Fact;
    type State = Fights;
    /// The action that is running.
    type Output = usize;
    const INITIAL_STATE: Fights = Fights::Before;

    fn transition(state: &Fights, fact: &Fact) -> Option<Fights> {
        let is = |bit| fact & bit != 0;
        Some(match state {
            // As in a document, the first tick only enters the machine.
            Fights::Before => Fights::Idle,
            Fights::Idle | Fights::Walk if is_alarmed(*fact) => Fights::Attack,
            Fights::Idle | Fights::Attack if is(DEAD) => Fights::Walk,
            Fights::Walk | Fights::Attack if is(LOW) => Fights::Idle,
            Fights::Idle | Fights::Walk | Fights::Attack => return None,
        })
    }

    fn output(_: &Fights, _: &Fact) -> Option<usize> {
        None
    }
}

pub(crate) struct Fighters {
    agents: Vec<StateMachine<Fighter>>,
    rows: Vec<Fact>,
    done: [u64; 3],
}

impl Fighters {
    pub(crate) fn new(agents: usize) -> Self {
        Self {
            agents: (0..agents).map(|_| StateMachine::new()).collect(),
            rows: Vec::new(),
            done: [0; 3],
        }
    }
}

impl Contender for Fighters {
    fn get_ready(&mut self, facts: &Facts, _: usize) {
        self.rows.clear();
        self.rows.extend_from_slice(facts.rows());
    }

    #[inline]
    fn tick(&mut self, nth: usize) {
        let facts = &self.rows[nth * self.agents.len()..];
        for (agent, fact) in self.agents.iter_mut().zip(facts) {
            // It returns an error if there is no transition; then the action of the state continues.
            if agent.consume(fact).is_err() {
                act(&mut self.done, *agent.state() as usize - 1);
            }
        }
    }

    fn done(&mut self) -> Vec<u64> {
        self.done.to_vec()
    }

    fn state_bytes(&self) -> usize {
        self.agents.len() * size_of::<StateMachine<Fighter>>()
    }
}
