//! Bodies: their state.

mod routine;
mod steering;
mod traits;
mod walk;
mod weapon;

pub use routine::Ending;
pub(crate) use routine::Task;
pub use steering::Key;
pub use traits::{Mind, Traits};
pub use walk::{Walk, Walker};
pub use weapon::Weapon;

use crate::geometry::{Cell, Facing, Point};
use crate::ids::BodyId;
use routine::Routine;
use serde::{Deserialize, Serialize};
use steering::Steering;

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
