//! The world: map, guard, intruder, and one step of time.

use crate::event::{Event, Happening, Who};
use crate::geometry::Cell;
use crate::guard::{GUARD_EYE, Guard};
use crate::intruder::{Doing, Intruder};
use crate::map::{Map, MapError};
use std::hash::{Hash, Hasher};
use treemind::chance::Draw;

/// How many ticks a second has.
pub const TICKS_PER_SEC: u64 = 20;

/// How many ticks the intruder waits before it comes in.
const ARRIVAL_TICKS: u64 = 20;
/// With [`Rules::rounds`]: how many ticks after the end of a fight the next one begins.
const BREAK_TICKS: u64 = 100;
/// A blow costs up to so many hit points more or less.
const DAMAGE_SPREAD: i32 = 2;

/// What may differ between two runs on the same map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// The seed of all chance: how hard each blow is.
    pub seed: u64,
    /// Whether another intruder comes when one is dead or gone (and the guard gets up again when it was killed).
    pub rounds: bool,
}

/// A two-dimensional world with one guard and one intruder, on a fixed step and in whole numbers.
#[derive(Clone, Debug)]
pub struct Arena {
    pub(crate) map: Map,
    pub(crate) guard: Guard,
    pub(crate) intruder: Intruder,
    rules: Rules,
    tick: u64,
    round_tick: u64,
    over_tick: Option<u64>,
    events: Vec<Event>,
    said: Vec<String>,
}

impl Arena {
    /// The arena on a map in its text form.
    ///
    /// # Errors
    /// When the text is not a map.
    pub fn load(map_text: &str, rules: Rules) -> Result<Self, MapError> {
        Ok(Self::new(Map::parse(map_text)?, rules))
    }

    /// The arena on a map.
    pub fn new(map: Map, rules: Rules) -> Self {
        Self {
            guard: Guard::new(&map),
            intruder: Intruder::new(&map),
            map,
            rules,
            tick: 0,
            round_tick: 0,
            over_tick: None,
            events: Vec::with_capacity(16),
            said: Vec::new(),
        }
    }

    /// Everything that happens before the guard decides: time passes, the intruder acts, the guard looks around.
    /// The events of the last step are forgotten.
    pub fn step(&mut self) {
        self.events.clear();
        self.said.clear();
        self.tick += 1;
        if self.rules.rounds
            && self
                .over_tick
                .is_some_and(|over| self.tick >= over + BREAK_TICKS)
        {
            self.begin_round();
        }
        if self.intruder.doing == Doing::Outside && self.tick >= self.round_tick + ARRIVAL_TICKS {
            self.intruder.doing = Doing::Walking;
            self.report(Happening::Arrived);
        }
        self.step_intruder();
        if self.guard.rest(self.tick) {
            self.report(Happening::Recovered);
        }
        if let Some(change) = self.guard.perceive(&self.map, &self.intruder, self.tick) {
            self.report(change);
        }
        let is_over =
            !self.guard.is_alive() || matches!(self.intruder.doing, Doing::Dead | Doing::Gone);
        if is_over && self.over_tick.is_none() {
            self.over_tick = Some(self.tick);
        }
    }

    fn begin_round(&mut self) {
        self.over_tick = None;
        self.round_tick = self.tick;
        self.intruder = Intruder::new(&self.map);
        if !self.guard.is_alive() {
            self.guard = Guard::new(&self.map);
        }
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The guard.
    pub fn guard(&self) -> &Guard {
        &self.guard
    }

    /// The intruder.
    pub fn intruder(&self) -> &Intruder {
        &self.intruder
    }

    /// What this run was started with.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// How many steps there were.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// Whether the guard or the intruder is dead, or the intruder gone.
    pub fn is_over(&self) -> bool {
        self.over_tick.is_some()
    }

    /// What has happened since the last call of [`step`](Self::step), in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Whether the guard sees the middle of a square.
    pub fn guard_sees(&self, cell: Cell) -> bool {
        self.guard.is_alive()
            && GUARD_EYE.sees(
                &self.map,
                self.guard.place(),
                self.guard.facing(),
                cell.centre(),
            )
    }

    /// A hash of everything that can change (FNV-1a, the same on every machine).
    pub fn state_hash(&self) -> u64 {
        let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
        (&self.guard, &self.intruder).hash(&mut hasher);
        (self.tick, self.round_tick, self.over_tick).hash(&mut hasher);
        self.events.hash(&mut hasher);
        hasher.finish()
    }

    /// What the guard has logged and emitted since the last step began.
    pub fn said(&self) -> &[String] {
        &self.said
    }

    pub(crate) fn say(&mut self, text: String) {
        self.said.push(text);
    }

    pub(crate) fn report(&mut self, what: Happening) {
        self.events.push(Event {
            tick: self.tick,
            what,
        });
    }

    /// Draws how hard a blow is.
    pub(crate) fn spread(&self, who: Who, damage: i32) -> i32 {
        let draw = Draw {
            seed: self.rules.seed,
            agent: who as u64,
            node: 0,
            tick: self.tick,
            nth: 0,
        };
        damage - DAMAGE_SPREAD + draw.below(2 * DAMAGE_SPREAD as u32 + 1) as i32
    }

    /// A blow lands.
    pub(crate) fn strike(&mut self, whom: Who, damage: i32) {
        let left = match whom {
            Who::Guard => {
                let origin = self.intruder.place();
                self.guard.hurt(damage, origin, self.tick);
                self.guard.health
            }
            Who::Intruder => {
                self.intruder.hurt(damage);
                self.intruder.health
            }
        };
        self.report(Happening::Hit { whom, damage, left });
        if left == 0 {
            self.report(Happening::Died(whom));
        }
    }
}

struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    // As little-endian bytes and, for sizes, as 64 bits, so that all machines hash alike.
    fn write_u32(&mut self, value: u32) {
        self.write(&value.to_le_bytes());
    }

    fn write_u64(&mut self, value: u64) {
        self.write(&value.to_le_bytes());
    }

    fn write_usize(&mut self, value: usize) {
        self.write(&(value as u64).to_le_bytes());
    }

    fn write_isize(&mut self, value: isize) {
        self.write(&(value as i64).to_le_bytes());
    }
}
