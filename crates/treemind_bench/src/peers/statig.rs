//! The machine with the crate `statig`. It asks the innermost state first, so the alarm is handled in each state.

use crate::by_hand::{act, is_alarmed};
use crate::contender::Contender;
use crate::facts::{DEAD, Fact, Facts, LOW};
use statig::Outcome::{self, Handled, Transition};
use statig::blocking::{IntoStateMachine, IntoStateMachineExt as _, State, StateMachine};

struct Fighter;

#[derive(Clone, Copy, Debug)]
enum Fights {
    Idle,
    Walk,
    Attack,
}

impl IntoStateMachine for Fighter {
    type Event<'event> = Fact;
    type Context<'context> = [u64; 3];
    type State = Fights;
    type Superstate<'above> = ();

    fn initial() -> Fights {
        Fights::Idle
    }
}

impl State<Fighter> for Fights {
    fn call_handler(&mut self, _: &mut Fighter, fact: &Fact, done: &mut [u64; 3]) -> Outcome<Self> {
        let is = |bit| fact & bit != 0;
        match self {
            Fights::Idle | Fights::Walk if is_alarmed(*fact) => Transition(Fights::Attack),
            Fights::Idle | Fights::Attack if is(DEAD) => Transition(Fights::Walk),
            Fights::Walk | Fights::Attack if is(LOW) => Transition(Fights::Idle),
            stays => {
                act(done, *stays as usize);
                Handled
            }
        }
    }
}

pub(crate) struct Fighters {
    agents: Vec<StateMachine<Fighter>>,
    rows: Vec<Fact>,
    done: [u64; 3],
    have_begun: bool,
}

impl Fighters {
    pub(crate) fn new(agents: usize) -> Self {
        Self {
            agents: (0..agents).map(|_| Fighter.state_machine()).collect(),
            rows: Vec::new(),
            done: [0; 3],
            have_begun: false,
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
        // As in a document, the first tick only enters the machine.
        if !std::mem::replace(&mut self.have_begun, true) {
            for agent in &mut self.agents {
                agent.init_with_context(&mut self.done);
            }
            return;
        }
        let facts = &self.rows[nth * self.agents.len()..];
        for (agent, fact) in self.agents.iter_mut().zip(facts) {
            agent.handle_with_context(fact, &mut self.done);
        }
    }

    fn done(&mut self) -> Vec<u64> {
        self.done.to_vec()
    }

    fn state_bytes(&self) -> usize {
        self.agents.len() * size_of::<StateMachine<Fighter>>()
    }
}
