//! What minds cost in Bevy: a guard as a plain system, as a mind, and as a tree of another crate.
//!
//! `cargo run --profile dist -p treemind_bench --features bevy --bin frames`

mod ours;
mod peer;
mod plain;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use std::time::Duration;

/// The schedule that is measured. Facts are drawn before it, in no schedule.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Frame;

/// What a guard knows.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, treemind_bevy::Facts)]
pub(crate) struct Sight {
    see_enemy: bool,
    is_hurt: bool,
}

/// What a guard does.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Doing {
    #[default]
    Nothing,
    Attack,
    Flee,
    Patrol,
}

/// How often facts change.
#[derive(Clone, Copy)]
enum Change {
    /// All are drawn again in each frame.
    All,
    /// One guard in a hundred gets other facts.
    Few,
}

/// A way to have guards.
struct Contender {
    name: &'static str,
    /// An app with guards that have a [`Sight`] and a [`Doing`].
    make: fn(usize) -> App,
}

const CONTENDERS: [Contender; 4] = [
    Contender {
        name: "plain system",
        make: plain::app,
    },
    Contender {
        name: "treemind, messages",
        make: ours::with_messages,
    },
    Contender {
        name: "treemind, components",
        make: ours::with_components,
    },
    Contender {
        name: "bevior_tree 0.12",
        make: peer::app,
    },
];

/// A few numbers after one another, the same in each run.
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

/// Gives guards other facts.
fn draw(world: &mut World, guards: &[Entity], draws: &mut Draws, change: Change) {
    let chosen = match change {
        Change::All => guards.len(),
        Change::Few => guards.len() / 100,
    };
    for place in 0..chosen {
        let guard = match change {
            Change::All => guards[place],
            Change::Few => guards[draws.next() as usize % guards.len()],
        };
        let drawn = draws.next();
        let sight = Sight {
            see_enemy: drawn & 1 == 1,
            is_hurt: drawn & 6 == 6,
        };
        if let Some(mut old) = world.get_mut::<Sight>(guard) {
            *old = sight;
        }
    }
}

/// The CPU time of this thread, which does not include other programs.
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let nanos = u32::try_from(time.tv_nsec).unwrap_or(0);
    Duration::new(time.tv_sec.unsigned_abs(), nanos)
}

/// The nanoseconds per guard and frame (the median), the allocations per frame, and the bytes per guard.
fn measure(contender: &Contender, guards: usize, change: Change) -> (f64, f64, f64) {
    let mut app = None;
    let made = allocation_counter::measure(|| app = Some((contender.make)(guards)));
    let mut app = app.expect("it was made");
    let world = app.world_mut();
    let all: Vec<Entity> = world
        .query_filtered::<Entity, With<Doing>>()
        .iter(world)
        .collect();
    let mut draws = Draws(7);
    for _ in 0..5 {
        draw(app.world_mut(), &all, &mut draws, change);
        app.world_mut().run_schedule(Frame);
        app.world_mut().clear_trackers();
    }
    let frames = (2_000_000 / guards).clamp(12, 200);
    let (mut times, mut allocations) = (Vec::new(), 0);
    for _ in 0..frames {
        draw(app.world_mut(), &all, &mut draws, change);
        let mut time = Duration::ZERO;
        let count = allocation_counter::measure(|| {
            let before = thread_time();
            app.world_mut().run_schedule(Frame);
            time = thread_time() - before;
        });
        app.world_mut().clear_trackers();
        allocations += count.count_total;
        times.push(time.as_secs_f64() * 1e9 / guards as f64);
    }
    times.sort_by(f64::total_cmp);
    let bytes = made.bytes_current as f64 / guards as f64;
    (
        times[times.len() / 2],
        allocations as f64 / frames as f64,
        bytes,
    )
}

/// Checks that all contenders do the same, after many frames.
fn check() {
    let mut apps: Vec<App> = CONTENDERS.iter().map(|one| (one.make)(300)).collect();
    for frame in 0..100 {
        let mut all_doing: Vec<Vec<Doing>> = Vec::new();
        for app in &mut apps {
            let world = app.world_mut();
            let mut query = world.query_filtered::<Entity, With<Doing>>();
            let guards: Vec<Entity> = query.iter(world).collect();
            draw(world, &guards, &mut Draws(frame), Change::All);
            world.run_schedule(Frame);
            world.clear_trackers();
            let doing = guards
                .iter()
                .map(|guard| *world.get::<Doing>(*guard).expect("it does something"));
            all_doing.push(doing.collect());
        }
        for (contender, doing) in CONTENDERS.iter().zip(&all_doing) {
            assert_eq!(doing, &all_doing[0], "{} in frame {frame}", contender.name);
        }
    }
}

fn main() {
    check();
    println!(
        "| guards | facts | | ns per guard and frame | × plain | allocations per frame | bytes per guard |"
    );
    println!("|---|---|---|---|---|---|---|");
    for guards in [10_000, 100_000] {
        for (change, name) in [(Change::All, "all change"), (Change::Few, "1 % change")] {
            let mut plain = 0.0;
            for contender in &CONTENDERS {
                let (time, allocations, bytes) = measure(contender, guards, change);
                if plain == 0.0 {
                    plain = time;
                }
                let times = time / plain;
                println!(
                    "| {guards} | {name} | {} | {time:.1} | {times:.1} | {allocations:.0} | {bytes:.0} |",
                    contender.name
                );
            }
        }
    }
}
