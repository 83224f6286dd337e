//! Blows and shots, and the orders that bodies carry out.

use super::World;
use crate::body::{Order, Sighting, Swing, Vital, Walk};
use crate::event::EventKind;
use crate::geometry::{Cell, Facing};
use crate::ids::BodyId;
use crate::sight::is_clear;

/// How much the damage of a blow varies in each direction, in hit points.
const DAMAGE_SPREAD: i32 = 2;
/// How long a body that was knocked out is out, in ticks.
const OUT_TICKS: u64 = 300;
/// How far a blow and a shot can be heard, in millimetres.
const BLOW_NOISE_MM: i32 = 6_000;
const SHOT_NOISE_MM: i32 = 20_000;

/// The hit points that a light blow costs.
const JAB_DAMAGE: i32 = 6;
/// How far a leap carries in a tick, in millimetres.
const LEAP_MM: i32 = 300;

impl World {
    /// One tick of striking at an enemy within reach: an animation, in which the blow lands as early as it can.
    pub(crate) fn swing_at(&mut self, who: BodyId, whom: BodyId) {
        let body = self.body_mut(who);
        let weapon = body.traits.weapon;
        let ticks = body.swing.map_or(0, |swing| swing.ticks) + 1;
        let lands = ticks == weapon.opens_ticks;
        let is_over = ticks >= weapon.length_ticks;
        body.swing = (!is_over).then_some(Swing {
            ticks,
            has_struck: lands,
        });
        if lands {
            self.strike(who, whom);
        }
    }

    /// A blow of one body lands on another.
    pub(crate) fn strike(&mut self, who: BodyId, whom: BodyId) {
        let spread = self.draw(who, 0, 2 * DAMAGE_SPREAD as u32 + 1) as i32;
        let weapon = self.body(who).traits.weapon;
        let damage = weapon.damage - DAMAGE_SPREAD + spread;
        let (place, tick) = (self.body(who).place(), self.tick);
        self.make_noise(who, BLOW_NOISE_MM);
        if self.stuns(who, whom) {
            return;
        }
        if self.body(whom).is_enemy_of(self.body(who)) {
            self.body_mut(whom).seen = Some(Sighting { who, place, tick });
        }
        if weapon.is_blunt && self.body(whom).health <= damage {
            let left = self.body(whom).health.min(1);
            self.body_mut(whom).health = left;
            self.body_mut(whom).last_hurt_tick = Some(tick);
            self.report(whom, EventKind::IsHit { damage, left });
            if self.body(whom).is_up() {
                self.body_mut(whom).vital = Vital::Out(tick + OUT_TICKS);
                self.report(whom, EventKind::Falls);
            }
            return;
        }
        self.lose(whom, damage);
    }

    /// A body loses hit points, and dies when none is left.
    pub(crate) fn lose(&mut self, whom: BodyId, damage: i32) {
        let tick = self.tick;
        let body = self.body_mut(whom);
        body.health = (body.health - damage).max(0);
        body.last_hurt_tick = Some(tick);
        let left = body.health;
        self.report(whom, EventKind::IsHit { damage, left });
        if left == 0 {
            self.body_mut(whom).vital = Vital::Dead;
            self.report(whom, EventKind::Dies);
        }
    }

    /// The blow of an animation in progress comes down: it lands on the nearest enemy within reach if the animation
    /// is inside its hit window; otherwise it misses.
    pub(crate) fn bring_down(&mut self, who: BodyId) -> bool {
        let body = self.body(who);
        let weapon = body.traits.weapon;
        let lands = body
            .swing
            .is_some_and(|swing| weapon.lands_at(swing.ticks) && !swing.has_struck);
        let target = self.within_reach(who);
        if let Some(swing) = &mut self.body_mut(who).swing {
            swing.has_struck = true;
        }
        match target.filter(|_| lands) {
            Some(target) => self.strike(who, target),
            None => self.report(who, EventKind::Misses),
        }
        lands && target.is_some()
    }

    /// A light blow: a few hit points of the nearest enemy within reach.
    pub(crate) fn jab(&mut self, who: BodyId) {
        match self.within_reach(who) {
            Some(target) => {
                self.make_noise(who, BLOW_NOISE_MM);
                self.lose(target, JAB_DAMAGE);
            }
            None => self.report(who, EventKind::Misses),
        }
    }

    /// The nearest enemy within reach of a body's weapon, with nothing in between.
    fn within_reach(&self, who: BodyId) -> Option<BodyId> {
        let body = self.body(who);
        let near = self.enemies(who).filter(|enemy| {
            let ahead_mm = body.ahead_mm(self.body(*enemy).place());
            body.traits.weapon.reaches(ahead_mm) && self.is_clear_between(who, *enemy)
        });
        near.min_by_key(|enemy| (body.place().distance_mm(self.body(*enemy).place()), *enemy))
    }

    /// Fires one round at an enemy; the nearer it is, the more likely is a hit. Returns `false` when there is no
    /// round left.
    pub(crate) fn shoot(&mut self, who: BodyId, whom: BodyId) -> bool {
        let place = self.body(whom).place();
        let body = self.body_mut(who);
        if body.ammo == 0 {
            return false;
        }
        body.ammo -= 1;
        body.walker.face(place);
        let distance = body.place().distance_mm(place);
        let reach = body.traits.weapon.reach_mm;
        let chance = 900 - (500 * i64::from(distance) / i64::from(reach.max(1))) as i32;
        self.make_noise(who, SHOT_NOISE_MM);
        let has_hit = distance <= reach && (self.draw(who, 1, 1_000) as i32) < chance;
        if has_hit {
            self.strike(who, whom);
        } else {
            self.report(who, EventKind::Misses);
        }
        true
    }

    /// The enemies of a body that are present and alive.
    pub(crate) fn enemies(&self, who: BodyId) -> impl Iterator<Item = BodyId> + '_ {
        let body = self.body(who);
        let is_enemy = move |other: &BodyId| {
            let other = self.body(*other);
            other.is_alive() && body.is_enemy_of(other)
        };
        self.ids().filter(is_enemy)
    }

    /// One tick of the last order to a body with a mind.
    pub(super) fn carry_out(&mut self, who: BodyId) {
        let is_ordered = self.body(who).swing_is_ordered;
        if let Some(swing) = self.body(who).swing.filter(|_| is_ordered) {
            let ticks = swing.ticks + 1;
            let is_over = ticks >= self.body(who).traits.weapon.length_ticks;
            let next = Swing { ticks, ..swing };
            self.body_mut(who).swing = (!is_over).then_some(next);
        }
        match self.body(who).order {
            Order::Stand => {}
            Order::Ahead(runs) => self.step_ahead(who, self.pace(who, runs)),
            Order::Leap(ticks) => {
                self.step_ahead(who, LEAP_MM);
                self.body_mut(who).order = match ticks {
                    0 | 1 => Order::Stand,
                    ticks => Order::Leap(ticks - 1),
                };
            }
            Order::Go(cell, runs) => {
                let pace = self.pace(who, runs);
                if self.go_to(who, cell, pace) != Walk::Going {
                    let body = self.body_mut(who);
                    body.order = Order::Stand;
                    body.walker.facing = match body.traits.looks_west {
                        true => Facing::WEST,
                        false => Facing::EAST,
                    };
                    self.report(who, EventKind::Reaches);
                }
            }
            Order::Fire => self.keep_firing(who),
        }
    }

    /// A step straight ahead, unless there is a wall.
    fn step_ahead(&mut self, who: BodyId, pace_mm: i32) {
        let body = self.body(who);
        let next = body.place().ahead(body.facing(), pace_mm);
        if !self.ground.is_blocked(next.cell()) {
            self.body_mut(who).walker.move_to(next);
        }
    }

    fn keep_firing(&mut self, who: BodyId) {
        let body = self.body_mut(who);
        let length = body.traits.weapon.length_ticks;
        body.work_ticks = (body.work_ticks + 1) % length.max(1);
        let target = body.seen.filter(|_| body.sees_now);
        if let Some(target) = target.filter(|_| self.body(who).work_ticks == 0) {
            self.shoot(who, target.who);
        }
    }

    /// How far a body gets in a tick, in millimetres.
    pub(crate) fn pace(&self, who: BodyId, runs: bool) -> i32 {
        let traits = &self.body(who).traits;
        if runs { traits.run_mm } else { traits.walk_mm }
    }

    /// One tick of a body's walk to a square.
    pub(crate) fn go_to(&mut self, who: BodyId, cell: Cell, pace_mm: i32) -> Walk {
        let Self { bodies, ground, .. } = self;
        bodies[who.index()].walker.go_to(ground, cell, pace_mm)
    }

    /// Whether nothing is between two bodies.
    pub(crate) fn is_clear_between(&self, who: BodyId, whom: BodyId) -> bool {
        is_clear(
            &self.ground,
            self.body(who).place(),
            self.body(whom).place(),
        )
    }
}
