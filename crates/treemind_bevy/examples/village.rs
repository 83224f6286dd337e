//! Villagers: `cargo run --release -p treemind_bevy --example village -- 10000`; with a window: `--features window`
//!
//! They have the document of examples/12-village, which the arena plays, too. Here their world is Bevy's.

#[cfg(feature = "window")]
#[path = "shared/window.rs"]
mod window;

use bevy_app::prelude::*;
use bevy_asset::{AssetPlugin, Assets};
use bevy_ecs::prelude::*;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;
use treemind_bevy::prelude::*;

const DOCUMENT: &str = include_str!("../../../examples/12-village/village.kdl");

/// A day has that many seconds.
const DAY_SECS: f32 = 120.0;

/// A place that villagers go to. Those who are there are a group.
#[derive(Component)]
pub(crate) struct Spot {
    x: f32,
    y: f32,
}

/// The places that there are, by their words in the document.
#[derive(Resource, Default)]
struct Spots(BTreeMap<&'static str, Vec<Entity>>);

#[derive(Component)]
pub(crate) struct Villager {
    x: f32,
    y: f32,
    /// Which of the places of each kind is its own.
    number: usize,
    ate_at: f32,
    drank_at: f32,
    /// When it will have done what it does.
    busy_until: f32,
}

/// What everybody knows: the time, and where there is danger.
#[derive(Resource, Default)]
pub(crate) struct Times {
    now: f32,
    danger: Option<(f32, f32)>,
}

/// What villagers look at, so that conditions need no other entity.
#[derive(Component, Default, Facts)]
pub(crate) struct Eyes {
    night: bool,
    sees_danger: bool,
}

#[derive(Deserialize)]
struct Hungry {
    after: f32,
}

impl EntityCondition for Hungry {
    fn holds(&self, entity: EntityRef<'_>) -> bool {
        let needs = entity.get::<Needs>();
        needs.is_some_and(|needs| needs.hunger > self.after)
    }
}

#[derive(Deserialize)]
struct Thirsty {
    after: f32,
}

impl EntityCondition for Thirsty {
    fn holds(&self, entity: EntityRef<'_>) -> bool {
        let needs = entity.get::<Needs>();
        needs.is_some_and(|needs| needs.thirst > self.after)
    }
}

/// Seconds since it ate and drank.
#[derive(Component, Default)]
pub(crate) struct Needs {
    hunger: f32,
    thirst: f32,
}

#[derive(Component, Clone, Deserialize)]
pub(crate) struct Go {
    place: String,
    runs: bool,
}

/// Something that takes its time.
pub(crate) trait Pastime: Component + Clone {
    /// How long it takes.
    fn secs(&self) -> f32;
    /// What has changed when it is over.
    fn ends(_: &mut Villager, _now: f32) {}
}

macro_rules! pastimes {
    ($($name:ident)+) => { $(
        #[derive(Component, Clone, Deserialize)]
        pub(crate) struct $name {
            secs: f32,
        }
    )+ };
}

pastimes!(Work Eat Drink Talk Hide);

impl Pastime for Work {
    fn secs(&self) -> f32 {
        self.secs
    }
}

impl Pastime for Talk {
    fn secs(&self) -> f32 {
        self.secs
    }
}

impl Pastime for Hide {
    fn secs(&self) -> f32 {
        self.secs
    }
}

impl Pastime for Eat {
    fn secs(&self) -> f32 {
        self.secs
    }

    fn ends(villager: &mut Villager, now: f32) {
        villager.ate_at = now;
    }
}

impl Pastime for Drink {
    fn secs(&self) -> f32 {
        self.secs
    }

    fn ends(villager: &mut Villager, now: f32) {
        villager.drank_at = now;
    }
}

#[derive(Component, Clone, Deserialize)]
pub(crate) struct Sleep {}

fn look(
    time: Res<Time>,
    mut times: ResMut<Times>,
    mut villagers: Query<(&Villager, &mut Eyes, &mut Needs)>,
) {
    times.now = time.elapsed_secs();
    let now = times.now;
    let is_night = now % DAY_SECS > DAY_SECS * 0.75;
    for (villager, mut eyes, mut needs) in &mut villagers {
        let sees = times
            .danger
            .is_some_and(|(x, y)| (villager.x - x).powi(2) + (villager.y - y).powi(2) < 8.0 * 8.0);
        if (eyes.night, eyes.sees_danger) != (is_night, sees) {
            (eyes.night, eyes.sees_danger) = (is_night, sees);
        }
        needs.hunger = now - villager.ate_at;
        needs.thirst = now - villager.drank_at;
    }
}

/// Wolves come to the fields once a day, and stay for a while.
fn wolves(
    mut times: ResMut<Times>,
    mut number: Local<i64>,
    mut brains: ResMut<Brains>,
    agents: Query<&Agent, With<Villager>>,
) {
    let hour = times.now % DAY_SECS;
    let are_here = (30.0..45.0).contains(&hour);
    if are_here && times.danger.is_none() {
        // The key belongs to the world, so one of them is enough.
        let first = agents.iter().find(|agent| agent.id().is_some());
        if let Some(agent) = first {
            *number += 1;
            brains
                .set(agent, "danger", *number)
                .expect("the document has the key");
            times.danger = Some((10.0, 10.0));
        }
    } else if !are_here {
        times.danger = None;
    }
}

fn go(
    time: Res<Time>,
    spots: Res<Spots>,
    places: Query<&Spot>,
    mut going: Query<(Entity, &Go, &mut Villager)>,
    mut finish: Finish<Go>,
    mut commands: Commands,
) {
    for (entity, go, mut villager) in &mut going {
        let Some(all) = spots.0.get(go.place.as_str()) else {
            finish.failure(entity);
            continue;
        };
        let target = all[villager.number % all.len()];
        let Ok(spot) = places.get(target) else {
            continue;
        };
        let (dx, dy) = (spot.x - villager.x, spot.y - villager.y);
        let way = dx.hypot(dy);
        let step = if go.runs { 8.0 } else { 4.0 } * time.delta_secs();
        if way <= step {
            (villager.x, villager.y) = (spot.x, spot.y);
            commands.entity(entity).insert(InGroup(target));
            finish.success(entity);
        } else {
            villager.x += dx / way * step;
            villager.y += dy / way * step;
        }
    }
}

fn begin<T: Pastime>(times: Res<Times>, mut begun: Query<(&T, &mut Villager), Added<T>>) {
    for (pastime, mut villager) in &mut begun {
        villager.busy_until = times.now + pastime.secs();
    }
}

fn end<T: Pastime>(
    times: Res<Times>,
    mut busy: Query<(Entity, &mut Villager), With<T>>,
    mut finish: Finish<T>,
) {
    for (entity, mut villager) in &mut busy {
        if times.now >= villager.busy_until {
            T::ends(&mut villager, times.now);
            finish.success(entity);
        }
    }
}

fn wake(sleeping: Query<(Entity, &Eyes), With<Sleep>>, mut finish: Finish<Sleep>) {
    for (entity, eyes) in &sleeping {
        if !eyes.night {
            finish.success(entity);
        }
    }
}

/// The village, without a window.
#[allow(dead_code, reason = "with a window nobody asks")]
pub(crate) fn app(villagers: usize) -> App {
    let mut app = App::new();
    let step = TimeUpdateStrategy::ManualDuration(Duration::from_millis(50));
    app.add_plugins((
        TaskPoolPlugin::default(),
        TimePlugin,
        AssetPlugin::default(),
    ))
    .insert_resource(step);
    add_village(&mut app, villagers);
    app
}

fn add_village(app: &mut App, villagers: usize) {
    app.add_plugins(TreemindPlugin::in_schedule(Update))
        .init_resource::<Times>()
        .add_facts::<Eyes>()
        .add_condition_type::<Hungry>("hungry")
        .add_condition_type::<Thirsty>("thirsty")
        .add_action::<Go>("go")
        .add_action::<Sleep>("sleep")
        .add_action::<Work>("work")
        .add_action::<Eat>("eat")
        .add_action::<Drink>("drink")
        .add_action::<Talk>("talk")
        .add_action::<Hide>("hide")
        .add_systems(
            Update,
            (look, wolves).chain().before(TreemindSystems::Sense),
        );
    let ends = (
        end::<Work>,
        end::<Eat>,
        end::<Drink>,
        end::<Talk>,
        end::<Hide>,
    );
    let begins = (
        begin::<Work>,
        begin::<Eat>,
        begin::<Drink>,
        begin::<Talk>,
        begin::<Hide>,
    );
    let acts = (begins, ends, go, wake)
        .chain()
        .after(TreemindSystems::Think);
    app.add_systems(Update, acts);

    let world = app.world_mut();
    let kinds = [
        "home", "field", "workshop", "market", "tavern", "well", "church",
    ];
    let mut spots = Spots::default();
    for (row, kind) in kinds.into_iter().enumerate() {
        let count = if kind == "home" { 40 } else { 6 };
        let all = (0..count).map(|number| {
            let (x, y) = ((number * 37 % 100) as f32, (row * 14 + number % 5) as f32);
            world.spawn(Spot { x, y }).id()
        });
        spots.0.insert(kind, all.collect());
    }
    world.insert_resource(spots);
    let brain = Brain::parse(DOCUMENT, "village.kdl");
    let brain = world.resource_mut::<Assets<Brain>>().add(brain);
    for number in 0..villagers {
        let villager = Villager {
            x: (number % 100) as f32,
            y: (number / 100 % 60) as f32,
            number,
            ate_at: -((number % 60) as f32),
            drank_at: -((number % 45) as f32),
            busy_until: 0.0,
        };
        let mind = Mind::new(brain.clone());
        world.spawn((villager, mind, Eyes::default(), Needs::default()));
    }
}

/// How many do what.
#[allow(dead_code, reason = "with a window nobody asks")]
pub(crate) fn census(world: &mut World) -> [(&'static str, usize); 7] {
    fn count<T: Component>(world: &mut World) -> usize {
        world.query_filtered::<(), With<T>>().iter(world).count()
    }
    [
        ("go", count::<Go>(world)),
        ("sleep", count::<Sleep>(world)),
        ("work", count::<Work>(world)),
        ("eat", count::<Eat>(world)),
        ("drink", count::<Drink>(world)),
        ("talk", count::<Talk>(world)),
        ("hide", count::<Hide>(world)),
    ]
}

/// How many villagers are asked for.
#[allow(dead_code, reason = "tests say it themselves")]
fn count() -> Option<usize> {
    std::env::args().nth(1).and_then(|count| count.parse().ok())
}

/// Opens a window.
#[cfg(feature = "window")]
#[allow(dead_code, reason = "tests play it without its window")]
fn main() -> AppExit {
    use bevy_internal::prelude::*;

    fn dress(villagers: Query<Entity, Added<Villager>>, mut commands: Commands) {
        for villager in &villagers {
            let body = window::body(0.9, Color::srgb(0.95, 0.85, 0.6));
            commands.entity(villager).insert(body);
        }
    }

    fn place(mut all: Query<(&Villager, &mut Transform)>) {
        for (villager, mut transform) in &mut all {
            // Those who are at the same spot stand around it.
            let turn = Vec2::from_angle(villager.number as f32 * 2.4);
            let aside = turn * (1.5 * (villager.number % 5) as f32);
            transform.translation.x = villager.x + aside.x;
            transform.translation.y = villager.y + aside.y;
        }
    }

    fn draw(spots: Res<Spots>, places: Query<&Spot>, times: Res<Times>, mut gizmos: Gizmos) {
        let wall = Color::srgb(0.4, 0.5, 0.45);
        for (kind, all) in &spots.0 {
            for spot in all.iter().filter_map(|spot| places.get(*spot).ok()) {
                let at = Vec2::new(spot.x, spot.y);
                gizmos.rect_2d(at, Vec2::splat(2.4), wall);
                if *kind != "home" {
                    let below = (at - Vec2::Y * 2.2).extend(0.0);
                    gizmos.text(below, kind, 1.0, Vec2::ZERO, wall);
                }
            }
        }
        if let Some((x, y)) = times.danger {
            let red = Color::srgb(0.95, 0.25, 0.2);
            gizmos.circle_2d(Vec2::new(x, y), 8.0, red);
        }
    }

    let shown = Rect::new(-6.0, -6.0, 106.0, 98.0);
    let mut app = window::app("A village", AssetPlugin::default(), shown, 1.1);
    add_village(&mut app, count().unwrap_or(60));
    let mut gizmos = app.world_mut().resource_mut::<GizmoConfigStore>();
    let (_, style) = gizmos.config_mut::<treemind_bevy::MindGizmos>();
    style.shows_states = false;
    let shows = (dress, place, draw).chain().after(TreemindSystems::Think);
    app.add_systems(Update, shows).run()
}

/// Plays two minutes, and prints how many do what.
#[cfg(not(feature = "window"))]
#[allow(dead_code, reason = "tests play it without its output")]
fn main() {
    let mut app = app(count().unwrap_or(10_000));
    for second in 1..=120 {
        let begun = std::time::Instant::now();
        for _ in 0..20 {
            app.update();
        }
        let millis = begun.elapsed().as_secs_f64() * 1e3 / 20.0;
        if second % 5 == 0 {
            let doing = census(app.world_mut());
            let doing = doing.map(|(name, count)| format!("{name} {count:5}"));
            println!("{second:3} s  {}  {millis:.2} ms a frame", doing.join("  "));
        }
    }
}
