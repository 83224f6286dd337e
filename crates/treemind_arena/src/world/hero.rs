//! The hero: a body that is steered by keys.

use super::World;
use crate::body::{Key, Swing, Vital};
use crate::event::EventKind;
use crate::geometry::Cell;
use crate::ids::BodyId;
use crate::things::Kind;

/// How far a whistle is heard, in millimetres.
const WHISTLE_MM: i32 = 16_000;
/// How long a body is out that was struck from behind, without knowing of the hero, in ticks.
const STUNNED_TICKS: u64 = 300;

impl World {
    /// Presses a key for all bodies that are steered. They do as it says from the next step on.
    pub fn press(&mut self, key: Key) {
        for who in self.ids() {
            self.press_for(who, key);
        }
    }

    /// Presses a key for one body, if it is steered.
    pub(crate) fn press_for(&mut self, who: BodyId, key: Key) {
        if !self.body(who).is_steered() {
            return;
        }
        let steering = &mut self.body_mut(who).steering;
        steering.pressed = Some(key);
        match key {
            Key::Up => steering.heading = Some((0, -1)),
            Key::Down => steering.heading = Some((0, 1)),
            Key::Left => steering.heading = Some((-1, 0)),
            Key::Right => steering.heading = Some((1, 0)),
            Key::Stand => steering.heading = None,
            Key::Strike => steering.strikes = true,
            Key::Sneak => steering.sneaks = !steering.sneaks,
            Key::Whistle => steering.whistles = true,
        }
    }

    /// The first body that is steered by keys.
    pub fn hero(&self) -> Option<BodyId> {
        self.ids().find(|who| self.body(*who).traits.is_steered)
    }

    /// How many coins lie on the ground.
    pub fn coins_left(&self) -> usize {
        let coins = self.things.iter().filter(|thing| thing.kind == Kind::Coin);
        coins.count()
    }

    /// One tick of a body that is steered.
    pub(super) fn step_steered(&mut self, who: BodyId) {
        self.play_swing(who);
        let steering = &mut self.body_mut(who).steering;
        let strikes = std::mem::take(&mut steering.strikes);
        let whistles = std::mem::take(&mut steering.whistles);
        if whistles {
            self.make_noise(who, WHISTLE_MM);
            self.report(who, EventKind::Whistles);
        }
        if strikes && self.body(who).swing.is_none() {
            self.face_nearest(who);
            self.body_mut(who).swing = Some(Swing {
                ticks: 0,
                has_struck: false,
            });
        }
        if self.body(who).swing.is_none() {
            self.walk_ahead(who);
        }
        self.take_coin(who);
        self.leave_when_done(who);
    }

    /// Carries the animation of a blow on. The blow lands at the beginning of its hit window.
    fn play_swing(&mut self, who: BodyId) {
        let weapon = self.body(who).traits.weapon;
        let Some(swing) = &mut self.body_mut(who).swing else {
            return;
        };
        swing.ticks += 1;
        if swing.ticks == weapon.opens_ticks {
            self.bring_down(who);
        } else if swing.ticks >= weapon.length_ticks {
            self.body_mut(who).swing = None;
        }
    }

    /// Turns to the nearest enemy within reach.
    fn face_nearest(&mut self, who: BodyId) {
        let (place, reach_mm) = (
            self.body(who).place(),
            self.body(who).traits.weapon.reach_mm,
        );
        let near = self.enemies(who).map(|enemy| self.body(enemy).place());
        let near = near.filter(|target| place.distance_mm(*target) <= reach_mm);
        if let Some(target) = near.min_by_key(|target| place.distance_mm(*target)) {
            self.body_mut(who).walker.face(target);
        }
    }

    fn walk_ahead(&mut self, who: BodyId) {
        let body = self.body(who);
        let (here, place) = (body.place().cell(), body.place());
        let Some((dx, dy)) = body.steering.heading else {
            return;
        };
        let pace_mm = self.pace(who, !body.steering.sneaks);
        let next = Cell {
            x: here.x + dx,
            y: here.y + dy,
        };
        let is_free = !self.ground.is_blocked(next);
        let target = if is_free { next } else { here }.centre();
        let walker = &mut self.body_mut(who).walker;
        walker.go_straight(target, pace_mm);
        walker.face(next.centre());
        if !is_free && place == target {
            self.body_mut(who).steering.heading = None;
        }
    }

    fn take_coin(&mut self, who: BodyId) {
        let cell = self.body(who).place().cell();
        let is_here = |thing: &crate::things::Thing| thing.kind == Kind::Coin && thing.cell == cell;
        let Some(nth) = self.things.iter().position(is_here) else {
            return;
        };
        self.things.remove(nth);
        self.body_mut(who).coins += 1;
        self.report(who, EventKind::Takes(Kind::Coin));
    }

    /// With all coins it leaves through the spot `gate`.
    fn leave_when_done(&mut self, who: BodyId) {
        let is_there = self.spot("gate") == Some(self.body(who).place().cell());
        if is_there && self.coins_left() == 0 {
            self.body_mut(who).vital = Vital::Gone;
            self.report(who, EventKind::Leaves);
        }
    }

    /// Whether a blow of a body that is steered stuns another at once: that one does not know of it.
    pub(super) fn stuns(&mut self, who: BodyId, whom: BodyId) -> bool {
        let is_unaware = self.body(whom).seen.is_none() && self.body(whom).is_up();
        let traits = &self.body(who).traits;
        if !traits.is_steered || traits.mind.is_some() || !is_unaware {
            return false;
        }
        self.body_mut(whom).vital = Vital::Out(self.tick + STUNNED_TICKS);
        self.report(whom, EventKind::Falls);
        true
    }

    /// Whether the hero is dead or has left.
    pub(super) fn is_hero_done(&self) -> bool {
        let hero = self.hero().map(|who| self.body(who).vital);
        matches!(hero, Some(Vital::Dead | Vital::Gone))
    }
}
