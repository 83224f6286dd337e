//! A game with closures is recorded and played.

use super::{Shelf, Shown};
use std::sync::Arc;
use std::time::Duration;
use treemind::blackboard::Text;
use treemind::blackboard::Value;
use treemind::population::{Behaviour, Bound, Budget};
use treemind::population::{Population, Program};
use treemind::prelude::*;
use treemind::trace::Trace;
use treemind_recording::{RecordError, Recorder, Recording, ReplayError};

pub(super) const TICK: Duration = Duration::from_millis(50);

/// Guards whose keys the game, the leaves and the tree write, who shout, wait, and go wrong now and then.
pub(super) const GUARD: &str = r#"
leaves {
    condition see-enemy
    action attack
    action patrol
    sensor distance
    event alarm { param where type=string; }
}
blackboard {
    key health type=float default=100.0
    key name type=string default="nobody"
    key hits type=int default=0
    key near type=float sensor=distance
    key seen type=string list=4
}
tree guard {
    reactive-selector {
        sequence {
            check "health < 30 && near < 5";
            set "hits = hits + random(1, 3)";
            emit alarm where="=name";
            wait 0.2;
        }
        reactive-sequence {
            condition see-enemy;
            log "{name} attacks";
            action attack;
        }
        action patrol;
    }
}
"#;

#[derive(Default)]
pub(super) struct World {
    pub(super) ticks: usize,
}

fn leaves() -> Registry<World> {
    let mut registry = Registry::<World>::new();
    registry
        .condition("see-enemy", |world: &World, me: &Agent| {
            (world.ticks + me.index()) % 7 < 3
        })
        .action("attack", |world: &mut World, me: &mut Agent| {
            let health: f32 = me.get("health");
            me.set("health", health - 9.0);
            let enemy = Text::new(&format!("enemy {}", world.ticks % 3));
            me.push("seen", enemy);
            if world.ticks.is_multiple_of(29) {
                me.fault("the sword broke");
            }
            match (world.ticks * 3 + me.index()) % 5 {
                0 => Status::Success,
                1 => Status::Failure,
                _ => Status::Running,
            }
        })
        .action("patrol", |_: &mut World, _: &mut Agent| Status::Running)
        .sensor("distance", |world: &World, me: &Agent| {
            ((world.ticks * 13 + me.index()) % 11) as f32
        })
        .on_event("alarm", |_: &mut World, _: &mut Agent| {});
    registry
}

pub(super) struct Game {
    pub(super) document: Document,
    pub(super) bound: Bound<World>,
    pub(super) world: World,
    pub(super) guards: Population,
    trace: Trace,
    away: Vec<u8>,
}

impl Game {
    pub(super) fn new(agents: usize) -> Self {
        Self::of(GUARD, agents)
    }

    pub(super) fn of(text: &str, agents: usize) -> Self {
        let document = Document::read(text.as_bytes(), "guard.kdl");
        let behaviour = document.behaviour(None).expect("it is sound");
        Self {
            bound: leaves().bind(&behaviour).expect("all leaves are there"),
            guards: Population::new(Arc::new(Program::new(behaviour)), agents).with_seed(7),
            document,
            world: World::default(),
            trace: Trace::with_values(),
            away: Vec::new(),
        }
    }

    fn behaviour(&self) -> &Behaviour {
        self.guards.program().behaviour()
    }

    /// What the game does between two ticks.
    pub(super) fn meddle(&mut self) {
        let tick = self.world.ticks;
        self.world.ticks += 1;
        let [health, name] = ["health", "name"].map(|key| self.behaviour().key_id(key));
        let (health, name) = (health.expect("a key"), name.expect("a key"));
        let agent = tick % self.guards.len();
        if self.guards.is_alive(agent) {
            let value = Value::Float((tick % 100) as f32);
            self.guards.set(agent, health, value).expect("a float");
            let called = Value::Text(format!("guard {}", tick % 5).as_str().into());
            self.guards.set(agent, name, called).expect("a text");
        }
        let host = &mut self.bound.host(&mut self.world);
        match tick % 10 {
            3 => self.guards.remove(agent, host),
            6 => {
                self.guards.spawn();
            }
            // Somebody leaves for another server, and comes back in the next tick.
            4 if self.guards.is_alive(agent) => self.away = self.guards.take_out(&[agent]),
            5 if !self.away.is_empty() => {
                let back = self.guards.put_in(&std::mem::take(&mut self.away));
                assert_eq!(back.map(|back| back.len()), Ok(1));
            }
            8 => self.guards.abort_all(host),
            _ => {}
        }
        if tick.is_multiple_of(25) {
            self.guards.take_faults();
        }
    }

    /// A tick that is recorded; returns its trace, agent by agent.
    pub(super) fn tick(&mut self, recorder: &mut Recorder) -> Vec<Events> {
        self.meddle();
        let host = &mut self.bound.host(&mut self.world);
        recorder.tick_traced(&mut self.guards, host, TICK, &mut self.trace);
        events(&self.trace, self.guards.len())
    }
}

pub(super) type Events = Vec<(
    treemind::trace::NodeId,
    treemind::trace::Event,
    Option<Value>,
)>;

pub(super) fn events(trace: &Trace, agents: usize) -> Vec<Events> {
    (0..agents)
        .map(|agent| trace.valued(agent).collect())
        .collect()
}

#[test]
fn what_is_played_is_what_was_recorded_event_by_event_with_values() {
    for agents in [1, 3, 100, 1_100] {
        let mut game = Game::new(agents);
        let shelf = Shelf::default();
        // A recording may begin in the middle.
        (0..10).for_each(|_| {
            game.meddle();
            let host = &mut game.bound.host(&mut game.world);
            game.guards.tick(host, TICK);
        });
        let mut recorder = Recorder::to(shelf.clone(), &game.document).expect("a recorder");
        let ticks: Vec<Vec<Events>> = (0..300).map(|_| game.tick(&mut recorder)).collect();
        recorder.finish().expect("it is all written");

        let recording = Recording::read(shelf.bytes()).expect("it is a recording");
        assert_eq!(recording.losses(), [""; 0]);
        assert_eq!(recording.ticks(), 11..=310);
        let mut shown = Shown::at(&recording, 10).expect("the first state");
        for (tick, wanted) in (11..).zip(&ticks) {
            assert!(shown.step().unwrap_or_else(|error| panic!("{error}")));
            assert_eq!(shown.tick(), tick);
            let trace = shown.trace();
            assert_eq!(&events(trace, wanted.len()), wanted, "tick {tick}");
        }
        assert!(!shown.step().expect("the end"));
        // Any tick is reached at once, also backwards.
        for tick in [300, 11, 150, 75] {
            let moments = match recording.history(Some("guard"), 0, tick, 4) {
                Ok(moments) => moments,
                Err(ReplayError::NoAgent(0)) => {
                    assert!(ticks[tick as usize - 11][0].is_empty());
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            assert_eq!(moments.last().map(|moment| moment.tick), Some(tick));
            for moment in moments {
                let wanted = &ticks[moment.tick as usize - 11][0];
                assert_eq!(&moment.events, wanted, "tick {}", moment.tick);
            }
        }
        for tick in [10, 311] {
            let error = recording
                .history(None, 0, tick, 0)
                .expect_err("no such tick");
            assert!(matches!(error, ReplayError::NoTick(_)), "{error}");
        }
    }
}

#[test]
fn ticks_of_some_agents_are_played_for_the_same_agents() {
    let mut game = Game::new(2_500);
    let shelf = Shelf::default();
    let mut recorder = Recorder::to(shelf.clone(), &game.document).expect("a recorder");
    for tick in 0..60 {
        game.meddle();
        let host = &mut game.bound.host(&mut game.world);
        let mut left = tick % 4;
        let mut goes_on = || {
            left -= 1;
            left >= 0
        };
        let budget = match tick % 2 {
            0 => Budget::Agents(700),
            _ => Budget::While(&mut goes_on),
        };
        recorder.tick_some(&mut game.guards, host, TICK, budget);
    }
    recorder.finish().expect("it is all written");
    let recording = Recording::read(shelf.bytes()).expect("it is a recording");
    let shown = Shown::at(&recording, 60).expect("all ticks can be played");
    let treemind_core::tape::Stage::Population(guards) = shown.stage() else {
        panic!("a population was recorded");
    };
    for agent in 0..game.guards.len() {
        for key in 0..2 {
            let key = treemind::blackboard::KeyId::new(key);
            assert_eq!(guards.find(agent, key), game.guards.find(agent, key));
        }
    }
}

#[test]
fn a_document_that_is_replaced_is_played_from_there_on() {
    let mut game = Game::new(5);
    let shelf = Shelf::default();
    let mut recorder = Recorder::to(shelf.clone(), &game.document).expect("a recorder");
    (0..40).for_each(|_| drop(game.tick(&mut recorder)));
    let mut other = Game::of(&GUARD.replace("wait 0.2", "wait 0.4"), 5);
    // The new agents go on counting where the old ones were.
    (0..40).for_each(|_| {
        let host = &mut other.bound.host(&mut other.world);
        other.guards.tick(host, TICK);
    });
    recorder.document(&other.document);
    let ticks: Vec<Vec<Events>> = (0..40).map(|_| other.tick(&mut recorder)).collect();
    recorder.finish().expect("it is all written");
    let recording = Recording::read(shelf.bytes()).expect("it is a recording");
    assert_eq!(recording.documents().count(), 2);
    assert_eq!(recording.ticks(), 1..=80);
    let mut shown = Shown::at(&recording, 0).expect("the first state");
    while shown.step().unwrap_or_else(|error| panic!("{error}")) {
        if let Some(wanted) = shown.tick().checked_sub(41) {
            let trace = shown.trace();
            let wanted = &ticks[wanted as usize];
            assert_eq!(&events(trace, wanted.len()), wanted, "{}", shown.tick());
        }
    }
}

#[test]
fn what_cannot_be_recorded_is_said_and_the_game_goes_on() {
    let mut game = Game::new(2);
    let other = Document::read(b"tree other { fail; }", "other.kdl");
    let mut recorder = Recorder::to(Shelf::default(), &other).expect("a recorder");
    game.tick(&mut recorder);
    assert_eq!(game.guards.ticks(), 1);
    let error = recorder.finish().expect_err("its document is missing");
    assert!(matches!(error, RecordError::NoDocument(name) if name == "guard"));

    let mut recorder = Recorder::to(Shelf::default(), &game.document).expect("a recorder");
    game.tick(&mut recorder);
    game.guards
        .tick(&mut game.bound.host(&mut game.world), TICK);
    game.tick(&mut recorder);
    assert_eq!(game.guards.ticks(), 4);
    let error = recorder.finish().expect_err("a tick is missing");
    assert_eq!(
        error.to_string(),
        "the agents were ticked without the recorder: it knows 2 ticks, and there were 3"
    );
}

#[test]
fn a_recording_is_small() {
    for (agents, most) in [(1, 10.0), (1_000, 1.5)] {
        let mut game = Game::new(agents);
        let shelf = Shelf::default();
        let mut recorder = Recorder::to(shelf.clone(), &game.document).expect("a recorder");
        let mut count = 0;
        for _ in 0..1_000 {
            count += game.tick(&mut recorder).iter().map(Vec::len).sum::<usize>();
        }
        recorder.finish().expect("it is all written");
        let per_event = shelf.bytes().len() as f64 / count as f64;
        assert!(per_event <= most, "{agents} agents: {per_event} bytes");
    }
}
