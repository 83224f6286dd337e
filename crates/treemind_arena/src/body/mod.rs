//! Bodies: their traits and their state.

pub(crate) mod routine;
mod walk;
mod weapon;

pub use routine::Ending;
pub use walk::{Walk, Walker};
pub use weapon::Weapon;

use crate::geometry::{Cell, Facing, Point};
use crate::map::Mind;
use crate::sense::{EYE, Eye};
use crate::world::Steering;
use routine::Routine;
use serde::{Deserialize, Serialize};

/// The number of a body in its world, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BodyId(pub u16);

impl BodyId {
    /// The number as an index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The handle by which behaviours refer to it: its number, from 1.
    pub fn entity(self) -> u64 {
        u64::from(self.0) + 1
    }
}

/// The traits of a body in the legend: `NAME=VALUE`, each of which may be left out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Traits {
    /// The character on the map.
    pub sign: char,
    /// Its name.
    pub name: String,
    /// `mind=main`, `tree:NAME`, `machine:NAME`, `decide:NAME`, `archetype:NAME`: what decides for it. Without a
    /// mind, it follows its route and the script.
    pub mind: Option<Mind>,
    /// `team=NAME`: bodies of other teams are enemies; without a team it has no enemies.
    pub team: String,
    /// `health=N`: its full hit points. Default: 100.
    pub health: i32,
    /// `walk=METRES` per second; here in millimetres per tick. Default: 1.4.
    pub walk_mm: i32,
    /// `run=METRES` per second; here in millimetres per tick. Default: 3.4.
    pub run_mm: i32,
    /// `eye=METRES`: how far it sees to the front; default: 8. `near=METRES`: how far around itself it notices
    /// everything; default: 1.5.
    pub eye: Eye,
    /// `weapon=NAME`. Default: a sword.
    pub weapon: &'static Weapon,
    /// `ammo=N`: its rounds.
    pub ammo: u32,
    /// `energy=0.0` to `1.0`: how full its battery is; here in thousandths. Default: full.
    pub energy: i32,
    /// `drain=SECONDS`: how long a full battery lasts; here in ticks. Without it, for ever.
    pub drain_ticks: u32,
    /// `hunger=0.0` to `1.0`; here in thousandths. Default: none.
    pub hunger: i32,
    /// `starve=SECONDS`: the time from a meal to the greatest hunger; here in ticks. Without it, it never gets hungry.
    pub starve_ticks: u32,
    /// `homework=N`: how many pieces of homework it has to do.
    pub homework: u32,
    /// `recovers`: whether it gains a hit point per tick once nobody has struck it for five seconds.
    pub recovers: bool,
    /// `route=NAME`: the spots that it walks to, in order.
    pub route: String,
    /// `arrives=TICK`: it is not in the world before this tick.
    pub arrives: Option<u64>,
    /// `then=stay`, `leave` or `again`: what a body without a mind does at the end of its route.
    pub ending: Ending,
    /// `fights`: a body without a mind stops for enemies that come near, and strikes at those within reach.
    pub fights: bool,
    /// `fights=charge`: it also goes for them.
    pub charges: bool,
    /// `listens`: whether it hears other bodies.
    pub listens: bool,
    /// `silent`: its steps cannot be heard.
    pub is_silent: bool,
    /// `looks=west`: the direction it faces at first, if it has no route. Default: east.
    pub looks_west: bool,
    /// `owner=NAME`: its owner.
    pub owner: String,
    /// `steered`: it does what the keys say; its mind, if it has one, knows what was pressed.
    pub is_steered: bool,
}

impl Traits {
    /// Stands for the traits of a body that is being restored.
    fn of_nobody() -> Self {
        Self::new(' ', "")
    }

    /// A body with the default traits.
    pub fn new(sign: char, name: &str) -> Self {
        Self {
            sign,
            name: name.to_owned(),
            mind: None,
            team: String::new(),
            health: 100,
            walk_mm: 70,
            run_mm: 170,
            eye: EYE,
            weapon: &Weapon::ALL[0],
            ammo: 0,
            energy: 1_000,
            drain_ticks: 0,
            hunger: 0,
            starve_ticks: 0,
            homework: 0,
            recovers: false,
            route: String::new(),
            arrives: None,
            ending: Ending::Stay,
            fights: false,
            charges: false,
            listens: false,
            is_silent: false,
            looks_west: false,
            owner: String::new(),
            is_steered: false,
        }
    }
}

/// Whether a body can act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Vital {
    /// Not in the world yet.
    Outside,
    /// Up and able to act.
    Up,
    /// Knocked out, until this tick.
    Out(u64),
    /// Tied up.
    Tied,
    /// Dead on the ground.
    Dead,
    /// No longer in the world.
    Gone,
}

/// The last order to a body, which it carries out until it gets another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Order {
    /// Stay where it is.
    Stand,
    /// Go straight ahead; `true` means running.
    Ahead(bool),
    /// A leap ahead, for this many more ticks.
    Leap(u32),
    /// Go to a place; `true` means running.
    Go(Cell, bool),
    /// Shoot at the enemy in sight.
    Fire,
}

/// An animation of a blow in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Swing {
    /// How many ticks ago it began.
    pub ticks: u32,
    /// Whether its blow has landed.
    pub has_struck: bool,
}

/// An enemy that a body knows of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sighting {
    /// The enemy.
    pub who: BodyId,
    /// Where it was last seen, felt or heard.
    pub place: Point,
    /// In which tick.
    pub tick: u64,
}

/// A body.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Body {
    /// They are those of the map, but for the weapon.
    #[serde(skip, default = "Traits::of_nobody")]
    pub(crate) traits: Traits,
    pub(crate) start: Cell,
    pub(crate) walker: Walker,
    pub(crate) vital: Vital,
    pub(crate) health: i32,
    pub(crate) ammo: u32,
    /// In thousandths.
    pub(crate) energy: i32,
    /// In thousandths.
    pub(crate) hunger: i32,
    pub(crate) coins: u32,
    pub(crate) load: u32,
    pub(crate) homework: u32,
    /// When it last picked up a coin.
    pub(crate) last_coin_tick: Option<u64>,
    /// When it was last beside its owner.
    pub(crate) last_home_tick: u64,
    /// The piece of rubbish that it saw last, if it is still there.
    pub(crate) rubbish: Option<u64>,
    /// Where it was ordered to go.
    pub(crate) ordered: Option<Cell>,
    pub(crate) next_stop: usize,
    pub(crate) order: Order,
    pub(crate) swing: Option<Swing>,
    /// Whether the animation runs to its end without further calls, because it was started by an order.
    pub(crate) swing_is_ordered: bool,
    pub(crate) seen: Option<Sighting>,
    pub(crate) sees_now: bool,
    pub(crate) heard: Option<Sighting>,
    /// Where the last noise came from that it heard.
    pub(crate) noise_place: Option<Point>,
    pub(crate) last_hurt_tick: Option<u64>,
    pub(crate) is_hidden: bool,
    /// For how many ticks it has been doing its current work.
    pub(crate) work_ticks: u32,
    /// Where it was in the last step, for the noise that it makes.
    pub(crate) last_place: Point,
    pub(crate) routine: Routine,
    pub(crate) steering: Steering,
}

impl Body {
    pub(crate) fn new(traits: &Traits, start: Cell, first_stop: Option<Cell>) -> Self {
        let facing = match traits.looks_west {
            true => Facing::WEST,
            false => Facing::EAST,
        };
        let mut walker = Walker::new(start, facing);
        if let Some(stop) = first_stop {
            walker.face(stop.centre());
        }
        Self {
            start,
            walker,
            vital: match traits.arrives {
                Some(_) => Vital::Outside,
                None => Vital::Up,
            },
            health: traits.health,
            ammo: traits.ammo,
            energy: traits.energy,
            hunger: traits.hunger,
            coins: 0,
            load: 0,
            homework: traits.homework,
            last_coin_tick: None,
            last_home_tick: 0,
            rubbish: None,
            ordered: None,
            next_stop: 0,
            order: Order::Stand,
            swing: None,
            swing_is_ordered: false,
            last_place: start.centre(),
            seen: None,
            sees_now: false,
            heard: None,
            noise_place: None,
            last_hurt_tick: None,
            is_hidden: false,
            work_ticks: 0,
            routine: Routine::default(),
            steering: Steering::default(),
            traits: traits.clone(),
        }
    }

    /// Its traits from the legend.
    pub fn traits(&self) -> &Traits {
        &self.traits
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.traits.name
    }

    /// Its name in a sentence: `the guard`, `robot 1`.
    pub fn phrase(&self) -> String {
        phrase(self.name())
    }

    /// Where it is.
    pub fn place(&self) -> Point {
        self.walker.place
    }

    /// The rest of its path, the next square first.
    pub fn way(&self) -> impl Iterator<Item = Cell> + '_ {
        self.walker.way()
    }

    /// Whether it is hidden, so that no body sees it.
    pub fn is_hidden(&self) -> bool {
        self.is_hidden
    }

    /// The direction in which it looks.
    pub fn facing(&self) -> Facing {
        self.walker.facing
    }

    /// Whether it can act.
    pub fn vital(&self) -> Vital {
        self.vital
    }

    /// Its hit points.
    pub fn health(&self) -> i32 {
        self.health
    }

    /// The rounds it has left.
    pub fn ammo(&self) -> u32 {
        self.ammo
    }

    /// How full its battery is, in thousandths.
    pub fn energy_permille(&self) -> i32 {
        self.energy
    }

    /// How hungry it is, in thousandths.
    pub fn hunger_permille(&self) -> i32 {
        self.hunger
    }

    /// How many coins it has.
    pub fn coins(&self) -> u32 {
        self.coins
    }

    /// How many pieces of rubbish it has on board.
    pub fn load(&self) -> u32 {
        self.load
    }

    /// The animation in progress.
    pub fn swing(&self) -> Option<Swing> {
        self.swing
    }

    /// When it was last struck.
    pub fn hurt_tick(&self) -> Option<u64> {
        self.last_hurt_tick
    }

    /// Whether it does what the keys say.
    pub fn is_steered(&self) -> bool {
        self.traits.is_steered
    }

    /// Whether it walks softly, as the keys have told it.
    pub fn sneaks(&self) -> bool {
        self.steering.sneaks
    }

    /// Where it was ordered to go, if it has not arrived yet.
    pub fn ordered_to(&self) -> Option<Cell> {
        self.ordered
    }

    /// Whether it is in the world, dead or alive.
    pub fn is_there(&self) -> bool {
        !matches!(self.vital, Vital::Outside | Vital::Gone)
    }

    /// Whether it is in the world and alive.
    pub fn is_alive(&self) -> bool {
        self.is_there() && self.vital != Vital::Dead
    }

    /// Whether it is up, so that it can act.
    pub fn is_up(&self) -> bool {
        self.vital == Vital::Up
    }

    /// Whether it decides: it has a mind, and is in the world and alive.
    pub fn is_minded(&self) -> bool {
        self.traits.mind.is_some() && self.is_alive()
    }

    /// Whether it sees an enemy right now.
    pub fn sees_now(&self) -> bool {
        self.sees_now
    }

    /// The enemy that it knows of: one that it sees, or that it saw or felt within the last five seconds.
    pub fn seen(&self) -> Option<Sighting> {
        self.seen
    }

    /// The enemy that it hears, or that it heard within the last second.
    pub fn heard(&self) -> Option<Sighting> {
        self.heard
    }

    /// Whether this body and the other are enemies.
    pub fn is_enemy_of(&self, other: &Body) -> bool {
        let (own, team) = (&self.traits.team, &other.traits.team);
        !own.is_empty() && !team.is_empty() && own != team
    }

    /// How far a place is in front of it, in millimetres; negative behind its back.
    pub fn ahead_mm(&self, target: Point) -> i32 {
        let distance = self.place().distance_mm(target);
        match self.facing().is_ahead(self.place(), target) {
            true => distance,
            false => -distance,
        }
    }
}

/// A name in a sentence. Bodies that share a name are numbered, and a name with a number has no article.
pub(crate) fn phrase(name: &str) -> String {
    if name.ends_with(|c: char| c.is_ascii_digit()) {
        name.to_owned()
    } else {
        format!("the {name}")
    }
}
