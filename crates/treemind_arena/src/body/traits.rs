//! The traits of a body, which never change.

use super::routine::Ending;
use super::weapon::Weapon;
use crate::sight::{EYE, Eye};

/// The mind of a body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Mind {
    /// The behaviour that is played.
    Main,
    /// A tree of the same document.
    Tree(String),
    /// A machine of the same document.
    Machine(String),
    /// A decision tree of the same document.
    Decision(String),
    /// A planner of the same document.
    Planner(String),
    /// An archetype of the same document.
    Archetype(String),
}

/// The traits of a body in the legend: `NAME=VALUE`, each of which may be left out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Traits {
    /// The character on the map.
    pub sign: char,
    /// Its name.
    pub name: String,
    /// `mind=main`, `tree:NAME`, `machine:NAME`, `decide:NAME`, `planner:NAME`, `archetype:NAME`: what decides for it. Without a
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
    pub(super) fn of_nobody() -> Self {
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
