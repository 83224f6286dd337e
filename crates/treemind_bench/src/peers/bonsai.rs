//! The guard with the crate `bonsai-bt`: a tree without memory for each agent.

use crate::by_hand;
use crate::contender::Contender;
use crate::facts::{DEAD, Fact, Facts, LOW, SEE};
use crate::ours::DT;
use bonsai_bt::Behavior::{Action, Invert, Select, Sequence};
use bonsai_bt::{ActionArgs, BT, Event, Failure, Running, Status, Success, UpdateArgs};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Leaf {
    SeeEnemy,
    HealthLow,
    EnemyDead,
    RunAway,
    Attack,
    Patrol,
}

pub(crate) struct Guards {
    agents: Vec<BT<Leaf, ()>>,
    rows: Vec<Fact>,
    done: [u64; 3],
}

impl Guards {
    pub(crate) fn new(agents: usize) -> Self {
        let flee = Sequence(vec![Action(Leaf::HealthLow), Action(Leaf::RunAway)]);
        let is_alive = Invert(Box::new(Action(Leaf::EnemyDead)));
        let strike = Sequence(vec![is_alive, Action(Leaf::Attack)]);
        let either = Select(vec![flee.memory(false), strike.memory(false)]);
        let fight = Sequence(vec![Action(Leaf::SeeEnemy), either.memory(false)]);
        let guard = Select(vec![fight.memory(false), Action(Leaf::Patrol)]).memory(false);
        Self {
            agents: vec![BT::new(guard, ()); agents],
            rows: Vec::new(),
            done: [0; 3],
        }
    }
}

impl Contender for Guards {
    fn get_ready(&mut self, facts: &Facts, _: usize) {
        self.rows.clear();
        self.rows.extend_from_slice(facts.rows());
    }

    #[inline]
    fn tick(&mut self, nth: usize) {
        let event: Event = UpdateArgs {
            dt: DT.as_secs_f64(),
        }
        .into();
        let facts = &self.rows[nth * self.agents.len()..];
        let done = &mut self.done;
        for (agent, &fact) in self.agents.iter_mut().zip(facts) {
            let mut act = |args: ActionArgs<'_, Event, Leaf>, (): &mut ()| {
                let is = |holds: bool| if holds { Success } else { Failure };
                let mut act = |place: usize| {
                    by_hand::act(done, place);
                    Running
                };
                let status: Status = match args.action {
                    Leaf::SeeEnemy => is(fact & SEE != 0),
                    Leaf::HealthLow => is(fact & LOW != 0),
                    Leaf::EnemyDead => is(fact & DEAD != 0),
                    Leaf::RunAway => act(0),
                    Leaf::Attack => act(1),
                    Leaf::Patrol => act(2),
                };
                (status, args.dt)
            };
            agent.tick(&event, &mut act);
        }
    }

    fn done(&mut self) -> Vec<u64> {
        self.done.to_vec()
    }

    /// Includes the heap: a box or a list element for each node, in the tree and in the copy that it keeps.
    fn state_bytes(&self) -> usize {
        const NODES: usize = 11;
        let node = size_of::<bonsai_bt::Behavior<Leaf>>();
        self.agents.len() * (size_of::<BT<Leaf, ()>>() + 2 * NODES * node)
    }
}
