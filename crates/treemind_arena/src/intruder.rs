//! The intruder: goes its way and fights whoever comes near. A script, not a tree.

use crate::Arena;
use crate::event::{Happening, Who};
use crate::geometry::{Facing, Point};
use crate::map::Map;
use crate::path::{Walk, Walker};
use crate::sight::is_clear;

/// The intruder's hit points when it comes in.
pub const INTRUDER_HEALTH: i32 = 120;

const WALK_MM: i32 = 70;
/// It stops for a guard that is nearer than this and in plain view …
const WARY_MM: i32 = 3_000;
/// … and strikes at one that is nearer than this.
const REACH_MM: i32 = 1_600;
const BLOW_LANDS_TICKS: u32 = 8;
const BLOW_TICKS: u32 = 16;
const BLOW_DAMAGE: i32 = 18;

/// What the intruder is up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Doing {
    /// Not yet there.
    Outside,
    /// On its way.
    Walking,
    /// Busy with the guard.
    Fighting,
    /// Dead on the ground.
    Dead,
    /// At the end of its way, and no longer there.
    Gone,
}

/// The intruder.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Intruder {
    pub(crate) walker: Walker,
    pub(crate) health: i32,
    pub(crate) doing: Doing,
    next_stop: usize,
    blow_ticks: u32,
}

impl Intruder {
    pub(crate) fn new(map: &Map) -> Self {
        let mut walker = Walker::new(map.intruder(), Facing::EAST);
        walker.face(map.way()[0].centre());
        Self {
            walker,
            health: INTRUDER_HEALTH,
            doing: Doing::Outside,
            next_stop: 0,
            blow_ticks: 0,
        }
    }

    /// Where it is.
    pub fn place(&self) -> Point {
        self.walker.place
    }

    /// Where it looks.
    pub fn facing(&self) -> Facing {
        self.walker.facing
    }

    /// Its hit points, 0 to [`INTRUDER_HEALTH`].
    pub fn health(&self) -> i32 {
        self.health
    }

    /// What it is up to.
    pub fn doing(&self) -> Doing {
        self.doing
    }

    /// Whether it lives.
    pub fn is_alive(&self) -> bool {
        self.health > 0
    }

    /// Whether it is in the arena, dead or alive.
    pub fn is_there(&self) -> bool {
        matches!(self.doing, Doing::Walking | Doing::Fighting | Doing::Dead)
    }

    pub(crate) fn hurt(&mut self, damage: i32) {
        self.health = (self.health - damage).max(0);
        if self.health == 0 {
            self.doing = Doing::Dead;
        }
    }
}

impl Arena {
    /// One tick of the intruder's script.
    pub(crate) fn step_intruder(&mut self) {
        if !matches!(self.intruder.doing, Doing::Walking | Doing::Fighting) {
            return;
        }
        let place = self.intruder.walker.place;
        let guard = self.guard.place();
        let distance = place.distance_mm(guard);
        if self.guard.is_alive() && distance <= WARY_MM && is_clear(&self.map, place, guard) {
            self.intruder.doing = Doing::Fighting;
            self.fight(guard, distance);
        } else {
            self.intruder.doing = Doing::Walking;
            self.intruder.blow_ticks = 0;
            self.walk_on();
        }
    }

    fn fight(&mut self, guard: Point, distance_mm: i32) {
        let intruder = &mut self.intruder;
        intruder.walker.face(guard);
        if distance_mm > REACH_MM {
            intruder.blow_ticks = 0;
            return;
        }
        intruder.blow_ticks += 1;
        if intruder.blow_ticks == BLOW_LANDS_TICKS {
            let damage = self.spread(Who::Intruder, BLOW_DAMAGE);
            self.strike(Who::Guard, damage);
        } else if intruder.blow_ticks >= BLOW_TICKS {
            intruder.blow_ticks = 0;
        }
    }

    fn walk_on(&mut self) {
        let way = self.map.way();
        let intruder = &mut self.intruder;
        if intruder
            .walker
            .go_to(&self.map, way[intruder.next_stop], WALK_MM)
            == Walk::Going
        {
            return;
        }
        intruder.next_stop += 1;
        if intruder.next_stop == way.len() {
            intruder.doing = Doing::Gone;
            self.report(Happening::Left);
        }
    }
}
