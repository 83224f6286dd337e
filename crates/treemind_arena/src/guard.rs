//! The guard: a body and the skills that its tree chooses among.

use crate::event::{Happening, Who};
use crate::geometry::{Facing, Point};
use crate::map::Map;
use crate::path::{Walk, Walker};
use crate::sight::{Eye, is_clear};
use crate::{Arena, Intruder};
use treemind::Status;

/// What the guard sees.
pub const GUARD_EYE: Eye = Eye {
    range_mm: 8_000,
    half_angle_cos_permille: 500,
    near_mm: 1_500,
};

/// The guard's hit points when it is well.
pub const GUARD_HEALTH: i32 = 100;

const WALK_MM: i32 = 100;
const RUN_MM: i32 = 170;
/// For how many ticks it reckons with an intruder that it no longer sees.
const MEMORY_TICKS: u64 = 100;
/// After how many ticks without a blow it begins to recover, a hit point per tick.
const REST_TICKS: u64 = 100;
/// A blow lands so many ticks after it is begun …
const BLOW_LANDS_TICKS: u32 = 6;
/// … and the next one begins so many ticks after it.
const BLOW_TICKS: u32 = 14;
const BLOW_DAMAGE: i32 = 15;

/// The guard.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    pub(crate) walker: Walker,
    pub(crate) health: i32,
    /// The next stop of its round, as a position in the map's list.
    next_stop: usize,
    /// Where and when it last saw or felt the intruder.
    last_seen: Option<(Point, u64)>,
    sees_now: bool,
    blow_ticks: u32,
    last_hurt_tick: u64,
    is_hidden: bool,
}

impl Guard {
    pub(crate) fn new(map: &Map) -> Self {
        let mut walker = Walker::new(map.guard(), Facing::EAST);
        walker.face(map.round()[0].centre());
        Self {
            walker,
            health: GUARD_HEALTH,
            next_stop: 0,
            last_seen: None,
            sees_now: false,
            blow_ticks: 0,
            last_hurt_tick: 0,
            is_hidden: false,
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

    /// Its hit points, 0 to [`GUARD_HEALTH`].
    pub fn health(&self) -> i32 {
        self.health
    }

    /// Whether it lives.
    pub fn is_alive(&self) -> bool {
        self.health > 0
    }

    /// Whether it sees the intruder right now.
    pub fn sees_now(&self) -> bool {
        self.sees_now
    }

    /// Whether it reckons with the intruder: sees it, or saw or felt it within the last five seconds.
    pub fn is_aware(&self) -> bool {
        self.last_seen.is_some()
    }

    /// Takes a blow from `origin`.
    pub(crate) fn hurt(&mut self, damage: i32, origin: Point, tick: u64) {
        self.health = (self.health - damage).max(0);
        self.last_hurt_tick = tick;
        self.last_seen = Some((origin, tick));
    }

    /// Looks around; the change in what it reckons with, if there is one.
    pub(crate) fn perceive(
        &mut self,
        map: &Map,
        intruder: &Intruder,
        tick: u64,
    ) -> Option<Happening> {
        let was_aware = self.is_aware();
        let target = intruder.place();
        self.sees_now = self.is_alive()
            && intruder.is_there()
            && GUARD_EYE.sees(map, self.walker.place, self.walker.facing, target);
        if self.sees_now {
            self.last_seen = Some((target, tick));
        }
        if self
            .last_seen
            .is_some_and(|(_, seen)| tick - seen > MEMORY_TICKS)
        {
            self.last_seen = None;
        }
        match (was_aware, self.is_aware()) {
            (false, true) => Some(Happening::Saw),
            (true, false) => Some(Happening::LostSight),
            _ => None,
        }
    }

    /// Recovers a little when nobody has hurt it for a while; `true` when it is well again.
    pub(crate) fn rest(&mut self, tick: u64) -> bool {
        let rests = self.is_alive()
            && self.health < GUARD_HEALTH
            && tick - self.last_hurt_tick > REST_TICKS;
        self.health += i32::from(rests);
        rests && self.health == GUARD_HEALTH
    }
}

/// What the tree can have the guard do; each is one tick of it.
impl Arena {
    /// Walks towards the next stop of the round; success at each stop.
    pub(crate) fn patrol(&mut self) -> Status {
        let stops = self.map.round();
        let guard = &mut self.guard;
        match guard
            .walker
            .go_to(&self.map, stops[guard.next_stop], WALK_MM)
        {
            Walk::Going => Status::Running,
            Walk::NoWay => Status::Failure,
            Walk::Arrived => {
                guard.next_stop = (guard.next_stop + 1) % stops.len();
                Status::Success
            }
        }
    }

    /// Runs to the hut and stays there as long as the guard reckons with the intruder; then success.
    pub(crate) fn run_away(&mut self) -> Status {
        let guard = &mut self.guard;
        match guard.walker.go_to(&self.map, self.map.hut(), RUN_MM) {
            Walk::NoWay => return Status::Failure,
            Walk::Going => return Status::Running,
            Walk::Arrived => {}
        }
        if !std::mem::replace(&mut guard.is_hidden, true) {
            self.report(Happening::Hid);
        }
        if self.guard.is_aware() {
            Status::Running
        } else {
            Status::Success
        }
    }

    /// Begins to run, or leaves the hut.
    pub(crate) fn leave_hut(&mut self) {
        self.guard.is_hidden = false;
    }

    /// Begins a new series of blows.
    pub(crate) fn ready_blow(&mut self) {
        self.guard.blow_ticks = 0;
    }

    /// Goes for the intruder and strikes when it is within reach. Success when it is dead, failure when the guard
    /// no longer knows where it is.
    pub(crate) fn attack(&mut self, reach_mm: i32) -> Status {
        let Some((target, _)) = self.guard.last_seen else {
            return Status::Failure;
        };
        if !self.intruder.is_alive() {
            return Status::Success;
        }
        let guard = &mut self.guard;
        let is_clear = is_clear(&self.map, guard.walker.place, target);
        if !guard.sees_now || !is_clear || guard.walker.place.distance_mm(target) > reach_mm {
            guard.blow_ticks = 0;
            if is_clear {
                guard.walker.go_straight(target, RUN_MM);
            } else if guard.walker.go_to(&self.map, target.cell(), RUN_MM) == Walk::NoWay {
                return Status::Failure;
            }
            return Status::Running;
        }
        guard.walker.face(target);
        guard.blow_ticks += 1;
        if guard.blow_ticks == BLOW_LANDS_TICKS {
            let damage = self.spread(Who::Guard, BLOW_DAMAGE);
            self.strike(Who::Intruder, damage);
        } else if guard.blow_ticks >= BLOW_TICKS {
            guard.blow_ticks = 0;
        }
        if self.intruder.is_alive() {
            Status::Running
        } else {
            Status::Success
        }
    }
}
