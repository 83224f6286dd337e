//! The cost of crowds of which few have to think in a tick.

use crate::case::Case;
use crate::measure::repeated_on;
use crate::ours::{DT, Shortcut, population};
use treemind::core::LeafId;
use treemind::population::{Bound, Budget, Population};
use treemind::{Document, Registry, Status};

/// Agents who wait for an event, and do something when it comes.
const WAITING: &str = "leaves { event word; action answer instant=#true; }
    tree waiting { repeat forever { sequence { wait-for-event word; action answer; }; }; }";

/// How many ticks of a crowd are measured together: those in which each agent with the longest interval is due once.
const TICKS: usize = 8;

/// Of how many waiting agents one is woken in each tick.
const WOKEN_OF: usize = 100;

/// What a crowd does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Idling {
    /// Everybody waits for an event that does not come.
    Waits,
    /// Everybody waits for an event, which comes to one in a hundred in each tick.
    OfWhomSomeAreWoken,
    /// The guard, whom everybody plays in every so many ticks.
    DueEvery(u32),
    /// The guard, and a budget for one in so many in each tick.
    OneIn(usize),
}

pub(crate) const CROWDS: [Idling; 7] = [
    Idling::Waits,
    Idling::OfWhomSomeAreWoken,
    Idling::DueEvery(1),
    Idling::DueEvery(2),
    Idling::DueEvery(8),
    Idling::OneIn(2),
    Idling::OneIn(8),
];

impl Idling {
    /// What agents do, in a few words.
    pub(crate) fn words(self) -> String {
        match self {
            Idling::Waits => "who wait for an event".to_owned(),
            Idling::OfWhomSomeAreWoken => {
                format!("who wait, of whom an event wakes one in {WOKEN_OF}")
            }
            Idling::DueEvery(1) => "who are all due".to_owned(),
            Idling::DueEvery(ticks) => format!("with an interval of {ticks} ticks"),
            Idling::OneIn(share) => format!("with a budget for one in {share}"),
        }
    }
}

/// Per agent, how often it has acted.
type World = Vec<u32>;

/// A crowd with its game, which calls a closure for each action.
pub(crate) struct Crowd {
    idling: Idling,
    population: Population,
    bound: Bound<World>,
    world: World,
    event: Option<LeafId>,
    /// The number of ticks so far.
    ticks: usize,
}

impl Crowd {
    pub(crate) fn new(idling: Idling, agents: usize, without: Option<Shortcut>) -> Self {
        let behaviour = match idling {
            Idling::Waits | Idling::OfWhomSomeAreWoken => {
                let document = Document::parse(WAITING, "waiting.kdl");
                document.behaviour(None).expect("it has no errors")
            }
            Idling::DueEvery(_) | Idling::OneIn(_) => Case::GuardExpr.behaviour(),
        };
        let mut registry = Registry::<World>::new();
        for action in ["run-away", "attack", "patrol"] {
            registry.action(action, |world, me| {
                world[me.index()] += 1;
                Status::Running
            });
        }
        registry.action("answer", |world, me| {
            world[me.index()] += 1;
            Status::Success
        });
        let bound = registry.bind(&behaviour).expect("every action is there");
        let mut world = vec![0; agents];
        let event = behaviour.leaf_id("word");
        let mut population = population(behaviour, agents, without);
        if let Idling::DueEvery(ticks @ 2..) = idling {
            for agent in 0..agents {
                population.set_interval(agent, ticks);
            }
        }
        // A new agent is due in any case.
        population.tick(&mut bound.host(&mut world), DT);
        let mut crowd = Self {
            idling,
            population,
            bound,
            world,
            event,
            ticks: 0,
        };
        // Memory is allocated.
        crowd.run();
        crowd
    }

    /// As many ticks as are measured together.
    pub(crate) fn run(&mut self) {
        for _ in 0..TICKS {
            self.tick();
        }
    }

    fn tick(&mut self) {
        let mut host = self.bound.host(&mut self.world);
        let agents = self.population.len();
        match (self.idling, self.event) {
            (Idling::OneIn(share), _) => {
                let budget = Budget::Agents(agents.div_ceil(share));
                self.population.tick_some(&mut host, DT, budget);
            }
            (Idling::OfWhomSomeAreWoken, Some(event)) => {
                for agent in (self.ticks % WOKEN_OF..agents).step_by(WOKEN_OF) {
                    self.population.send(agent, event, &[]);
                }
                self.population.tick(&mut host, DT);
            }
            _ => {
                self.population.tick(&mut host, DT);
            }
        }
        self.ticks += 1;
    }
}

/// Nanoseconds of a tick of this many agents.
pub(crate) fn measure(idling: Idling, agents: usize, without: Option<Shortcut>) -> f64 {
    repeated_on(|| Crowd::new(idling, agents, without), Crowd::run) * 1e9 / TICKS as f64
}
