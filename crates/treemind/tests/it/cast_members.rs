//! What a game does with a cast as a whole: who is in it, keys of the world, events, threads, observers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use treemind::KeyError;
use treemind::blackboard::Value;
use treemind::core::host::Host;
use treemind::events::{Delivery, SendError, To};
use treemind::observer::{Agents, NextStep, NextTick, Observer, Ticks};
use treemind::population::{Population, Society, Tally};
use treemind::prelude::*;

const DT: Duration = Duration::from_millis(100);

const VILLAGE: &str = "
    leaves { action call; action work; event alarm { param near type=float; }; }
    blackboard scope=world { key danger type=float default=0.5; key calls type=int merge=add; }
    blackboard { key heard type=float; }
    tree villager {
        parallel {
            repeat forever { sequence { wait-for-event alarm near=\"{heard}\"; }; }
            repeat forever { sequence { check \"danger > 0.7\"; action call; }; }
        }
    }
    tree chief { action work; }
    archetype farmer tree=villager
    archetype smith tree=villager
    archetype chief tree=chief
";

#[derive(Default)]
struct World {
    asks_for: Option<&'static str>,
}

fn leaves() -> Registry<World> {
    let mut leaves = Registry::<World>::new();
    leaves
        .action("call", |_, me| {
            let calls: i64 = me.get("calls");
            me.set("calls", calls + 1);
            Status::Success
        })
        .action("work", |world, me| {
            if let Some(archetype) = world.asks_for.take() {
                me.spawn(archetype, &[]);
            }
            Status::Running
        });
    leaves
}

fn village() -> Cast<World> {
    let mut cast = Cast::new(leaves());
    cast.add(&Document::parse(VILLAGE, "village.kdl")).unwrap();
    cast
}

#[test]
fn keys_of_the_world_are_set_without_anybody() {
    let mut cast = village();
    cast.set_world("danger", 0.9).unwrap();
    assert_eq!(cast.get_world::<f32>("danger"), Ok(0.9));
    let villager = cast.spawn("farmer", 1).unwrap()[0];
    assert_eq!(cast.get::<f32>(villager, "danger"), Ok(0.9));
    assert_eq!(
        cast.set_world("heard", 1.0).unwrap_err().to_string(),
        "the key `heard` is not declared with `scope=world`, so each agent or group has its own"
    );
    let missing = KeyError::Missing {
        name: "dangr".to_owned(),
        suggestion: Some("danger".to_owned()),
    };
    assert_eq!(cast.set_world("dangr", 1.0), Err(missing));
}

fn who(cast: &Cast<World>) -> Vec<String> {
    let shown = cast.agents().map(|one| {
        let archetype = one.archetype.unwrap_or("?");
        format!("{} {archetype} {}", one.name(), one.program)
    });
    shown.collect()
}

#[test]
fn agents_are_known_by_name_archetype_and_program() {
    let mut cast = village();
    cast.spawn("farmer", 1).unwrap();
    let smith = cast.spawn("smith", 1).unwrap()[0];
    cast.spawn("chief", 1).unwrap();
    let three = [
        "villager-1 farmer villager",
        "villager-2 smith villager",
        "chief chief chief",
    ];
    assert_eq!(who(&cast), three);

    // One that a leaf asks for, and one that goes elsewhere.
    let mut world = World {
        asks_for: Some("smith"),
    };
    cast.step(&mut world, DT);
    let with_newborn = [three[0], three[1], "villager-3 smith villager", three[2]];
    assert_eq!(who(&cast), with_newborn);
    let document = Document::parse(VILLAGE, "village.kdl");
    let restored = Cast::restore(&cast.save(), &[&document], leaves()).unwrap();
    assert_eq!(who(&restored), with_newborn);
    let taken = cast.take_out(&[smith]).unwrap();
    let mut other = village();
    other.put_in(&taken).unwrap();
    assert_eq!(who(&other), ["villager smith villager"]);
}

#[test]
fn the_game_sends_events_to_one_to_a_group_and_to_all() {
    let mut cast = village();
    let farmers = cast.spawn("farmer", 3).unwrap();
    cast.set_group(farmers[2], 1).unwrap();
    let mut world = World::default();
    cast.step(&mut world, DT);
    let mut heard = |cast: &mut Cast<World>, to, near| {
        cast.send(to, "alarm", &[Value::Float(near)]).unwrap();
        cast.step(&mut world, DT);
        let heard = farmers.iter().map(|one| cast.get::<f32>(*one, "heard"));
        heard.collect::<Result<Vec<_>, _>>().unwrap()
    };
    assert_eq!(
        heard(&mut cast, To::Agent(farmers[0]), 1.0),
        [1.0, 0.0, 0.0]
    );
    assert_eq!(heard(&mut cast, To::Group(1), 2.0), [1.0, 0.0, 2.0]);
    assert_eq!(heard(&mut cast, To::World, 3.0), [3.0, 3.0, 3.0]);
    let unknown = SendError::UnknownEvent("alrm".to_owned());
    assert_eq!(cast.send(To::World, "alrm", &[]), Err(unknown));
}

#[cfg(feature = "rayon")]
#[test]
fn steps_on_any_number_of_threads_are_the_same() {
    let played = |threads: usize| {
        let mut cast = village().with_seed(3);
        cast.spawn("farmer", 1_500).unwrap();
        cast.spawn("chief", 70).unwrap();
        cast.set_world("danger", 0.8).unwrap();
        let mut worlds: Vec<World> = (0..threads).map(|_| World::default()).collect();
        let tallies: Vec<Tally> = (0..10)
            .map(|_| cast.step_in_parallel(&mut worlds, DT))
            .collect();
        (tallies, cast.get_world::<i64>("calls"), cast.save())
    };
    let one = played(1);
    assert_eq!(one.1, Ok(15_000));
    for threads in [2, 5] {
        assert!(played(threads) == one, "{threads} threads");
    }
}

/// Counts ticks, and what others have counted before it.
struct Counting {
    own: Arc<AtomicUsize>,
    before: Arc<AtomicUsize>,
    prepared: Arc<AtomicUsize>,
    is_over: bool,
}

impl Observer for Counting {
    fn prepare(&mut self, _: Agents<'_>) {
        self.prepared.fetch_add(1, Ordering::Relaxed);
    }

    fn tick(
        &mut self,
        population: &mut Population,
        host: &mut dyn Host,
        _: Duration,
        next: &mut NextTick<'_>,
    ) -> Tally {
        assert_eq!(self.prepared.load(Ordering::Relaxed) % 2, 0);
        self.own.fetch_add(1, Ordering::Relaxed);
        next(population, host)
    }

    fn step(
        &mut self,
        society: &mut Society,
        _: Duration,
        ticks: &mut Ticks<'_>,
        next: &mut NextStep<'_>,
    ) -> Delivery {
        assert_eq!(
            self.prepared.load(Ordering::Relaxed) % 2,
            0,
            "all prepare first"
        );
        let own = self.own.fetch_add(1, Ordering::Relaxed);
        assert!(own <= self.before.load(Ordering::Relaxed));
        let delivery = next(society, ticks);
        self.is_over = own == 2;
        delivery
    }

    fn is_over(&self) -> bool {
        self.is_over
    }
}

#[test]
fn observers_add_up_and_go_when_they_are_over() {
    let counts = [(); 2].map(|()| Arc::new(AtomicUsize::new(0)));
    let prepared = Arc::new(AtomicUsize::new(0));
    let observer = |own: usize| {
        Box::new(Counting {
            own: Arc::clone(&counts[own]),
            before: Arc::clone(&counts[0]),
            prepared: Arc::clone(&prepared),
            is_over: false,
        })
    };
    let mut cast = village();
    cast.spawn("chief", 2).unwrap();
    cast.observe(observer(0));
    cast.observe(observer(1));
    for _ in 0..5 {
        assert_eq!(cast.step(&mut World::default(), DT).running, 2);
    }
    // Each has seen three steps, and wanted no more.
    assert_eq!(
        counts.each_ref().map(|one| one.load(Ordering::Relaxed)),
        [3, 3]
    );

    let text = b"leaves { action work; }\ntree chief { action work; }";
    let mut mind = Mind::read(text, "chief.kdl", &leaves()).unwrap();
    mind.observe(observer(0));
    mind.observe(observer(1));
    mind.tick(&mut World::default(), DT);
    assert_eq!(
        counts.each_ref().map(|one| one.load(Ordering::Relaxed)),
        [4, 4]
    );
    mind.stop_observing();
    mind.tick(&mut World::default(), DT);
    assert_eq!(
        counts.each_ref().map(|one| one.load(Ordering::Relaxed)),
        [4, 4]
    );
}
