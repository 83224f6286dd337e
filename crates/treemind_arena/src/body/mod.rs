//! Bodies: what they are, and how they are at a moment.

pub(crate) mod routine;
mod walk;
mod weapon;

pub use routine::Ending;
pub use walk::{Walk, Walker};
pub use weapon::Weapon;

use crate::geometry::{Cell, Facing, Point};
use crate::map::Mind;
use crate::sense::{EYE, Eye};
use routine::Routine;

/// The number of a body in its world, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub u16);

impl BodyId {
    /// The same as a position.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The handle that behaviours have of it: its number, from 1.
    pub fn entity(self) -> u64 {
        u64::from(self.0) + 1
    }
}

/// What a legend says of somebody: `NAME=VALUE`, each of which may be left out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Traits {
    /// The character on the map.
    pub sign: char,
    /// What it is called.
    pub name: String,
    /// `mind=main`, `tree:NAME`, `machine:NAME`, `decide:NAME`, `archetype:NAME`: who decides for it. Nobody: it follows its
    /// route and the script.
    pub mind: Option<Mind>,
    /// `team=NAME`: those of other teams are enemies; without one it has no enemies.
    pub team: String,
    /// `health=N`: its hit points when it is well; 100.
    pub health: i32,
    /// `walk=METRES` a second; here in millimetres a tick. 1.4.
    pub walk_mm: i32,
    /// `run=METRES` a second; here in millimetres a tick. 3.4.
    pub run_mm: i32,
    /// `eye=METRES`, how far it sees to the front, 8; `near=METRES`, how far around it notices everything, 1.5.
    pub eye: Eye,
    /// `weapon=NAME`; a sword.
    pub weapon: &'static Weapon,
    /// `ammo=N`: rounds.
    pub ammo: u32,
    /// `energy=0.0` to `1.0`: how full its battery is; here in thousandths. Full.
    pub energy: i32,
    /// `drain=SECONDS`: for how long a full battery lasts; here in ticks. Without it for ever.
    pub drain_ticks: u32,
    /// `hunger=0.0` to `1.0`; here in thousandths. None.
    pub hunger: i32,
    /// `starve=SECONDS`: after how long somebody who has eaten is as hungry as can be; here in ticks. Without it never.
    pub starve_ticks: u32,
    /// `homework=N`: pieces of it to be done.
    pub homework: u32,
    /// `recovers`: whether it gets a hit point per tick when nobody has struck it for five seconds.
    pub recovers: bool,
    /// `route=NAME`: the spots that it walks to, one after the other.
    pub route: String,
    /// `arrives=TICK`: until then it is not there.
    pub arrives: Option<u64>,
    /// `then=stay`, `leave` or `again`: what somebody without a mind does at the end of its route.
    pub ending: Ending,
    /// `fights`: somebody without a mind stops for enemies that come near, and strikes at them within reach;
    /// `fights=charge`: and goes for them …
    pub fights: bool,
    /// … like that.
    pub charges: bool,
    /// `listens`: whether it hears others.
    pub listens: bool,
    /// `silent`: nobody hears its steps.
    pub is_silent: bool,
    /// `looks=west`: to which side it faces at first, when it has no route; east.
    pub looks_west: bool,
    /// `owner=NAME`: to whom it belongs.
    pub owner: String,
}

impl Traits {
    /// Somebody as most are.
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
        }
    }
}

/// Whether somebody can do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Vital {
    /// Not yet there.
    Outside,
    /// Up and well.
    Up,
    /// Knocked out, until that tick.
    Out(u64),
    /// Tied up.
    Tied,
    /// Dead on the ground.
    Dead,
    /// No longer there.
    Gone,
}

/// What a body was told to do last, and does until it is told otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Stay where it is.
    Stand,
    /// Go straight on.
    Ahead,
    /// Go to a place, running or not.
    Go(Cell, bool),
    /// Shoot at the enemy in sight.
    Fire,
}

/// An animation of a blow that is being played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swing {
    /// How many ticks ago it began.
    pub ticks: u32,
    /// Whether its blow has landed.
    pub has_struck: bool,
}

/// An enemy that somebody knows of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sighting {
    /// Who.
    pub who: BodyId,
    /// Where it was seen or felt last.
    pub place: Point,
    /// When.
    pub tick: u64,
}

/// Somebody.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Body {
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
    /// When it picked up a coin last.
    pub(crate) last_coin_tick: Option<u64>,
    /// When it was beside its owner last.
    pub(crate) last_home_tick: u64,
    /// The piece of rubbish that it has seen last and that is still there.
    pub(crate) rubbish: Option<u64>,
    /// Where it was ordered to.
    pub(crate) ordered: Option<Cell>,
    pub(crate) next_stop: usize,
    pub(crate) order: Order,
    pub(crate) swing: Option<Swing>,
    /// Whether the animation goes on by itself, because its bearer was told so once.
    pub(crate) swing_is_told: bool,
    pub(crate) seen: Option<Sighting>,
    pub(crate) sees_now: bool,
    pub(crate) heard: Option<Sighting>,
    pub(crate) last_hurt_tick: Option<u64>,
    pub(crate) is_hidden: bool,
    /// For how many ticks it has been at what it does.
    pub(crate) work_ticks: u32,
    /// Where it was in the last step, for the noise that it makes.
    pub(crate) last_place: Point,
    pub(crate) routine: Routine,
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
            swing_is_told: false,
            last_place: start.centre(),
            seen: None,
            sees_now: false,
            heard: None,
            last_hurt_tick: None,
            is_hidden: false,
            work_ticks: 0,
            routine: Routine::default(),
            traits: traits.clone(),
        }
    }

    /// What the legend says of it.
    pub fn traits(&self) -> &Traits {
        &self.traits
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.traits.name
    }

    /// What it is called in a sentence: `the guard`, `robot 1`.
    pub fn phrase(&self) -> String {
        phrase(self.name())
    }

    /// Where it is.
    pub fn place(&self) -> Point {
        self.walker.place
    }

    /// What is left of the way that it walks, the next square first.
    pub fn way(&self) -> impl Iterator<Item = Cell> + '_ {
        self.walker.way()
    }

    /// Whether it is where nobody sees it.
    pub fn is_hidden(&self) -> bool {
        self.is_hidden
    }

    /// Where it looks.
    pub fn facing(&self) -> Facing {
        self.walker.facing
    }

    /// Whether it can do something.
    pub fn vital(&self) -> Vital {
        self.vital
    }

    /// Its hit points.
    pub fn health(&self) -> i32 {
        self.health
    }

    /// The rounds that it has left.
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

    /// The animation that is being played.
    pub fn swing(&self) -> Option<Swing> {
        self.swing
    }

    /// When it was struck last.
    pub fn hurt_tick(&self) -> Option<u64> {
        self.last_hurt_tick
    }

    /// Where it was ordered to, if it has not carried that out.
    pub fn ordered_to(&self) -> Option<Cell> {
        self.ordered
    }

    /// Whether it is in the world, dead or alive.
    pub fn is_there(&self) -> bool {
        !matches!(self.vital, Vital::Outside | Vital::Gone)
    }

    /// Whether it is in the world and lives.
    pub fn is_alive(&self) -> bool {
        self.is_there() && self.vital != Vital::Dead
    }

    /// Whether it is up, so that it can do something.
    pub fn is_up(&self) -> bool {
        self.vital == Vital::Up
    }

    /// Whether it decides: it has a mind, and is there and alive.
    pub fn is_minded(&self) -> bool {
        self.traits.mind.is_some() && self.is_alive()
    }

    /// Whether it sees an enemy right now.
    pub fn sees_now(&self) -> bool {
        self.sees_now
    }

    /// The enemy that it reckons with: one that it sees, or saw or felt within the last five seconds.
    pub fn seen(&self) -> Option<Sighting> {
        self.seen
    }

    /// Whom it hears, or heard within the last second.
    pub fn heard(&self) -> Option<Sighting> {
        self.heard
    }

    /// Whether it and somebody of that team are enemies.
    pub fn is_enemy_of(&self, other: &Body) -> bool {
        let (own, team) = (&self.traits.team, &other.traits.team);
        !own.is_empty() && !team.is_empty() && own != team
    }

    /// How far somebody is in front of it, in millimetres; negative behind its back.
    pub fn ahead_mm(&self, target: Point) -> i32 {
        let distance = self.place().distance_mm(target);
        match self.facing().is_ahead(self.place(), target) {
            true => distance,
            false => -distance,
        }
    }
}

/// A name in a sentence: of several with one name each has a number, and needs no article.
pub(crate) fn phrase(name: &str) -> String {
    if name.ends_with(|c: char| c.is_ascii_digit()) {
        name.to_owned()
    } else {
        format!("the {name}")
    }
}
