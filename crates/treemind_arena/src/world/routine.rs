//! The routine of bodies without a mind: they follow their route, and fight enemies that come near.

use super::World;
use crate::body::{Ending, Task, Vital, Walk};
use crate::event::EventKind;
use crate::ids::BodyId;

/// A body that fights stops for, or goes for, an enemy that is nearer than this and in plain view.
const WARY_MM: i32 = 3_000;
/// For how many ticks a body that does not fight stands still on its way after a blow.
const FRIGHT_TICKS: u64 = 40;
/// The distance that a body keeps to the one it follows.
const BESIDE_MM: i32 = 1_500;

impl World {
    /// One tick of a body without a mind.
    pub(crate) fn step_routine(&mut self, who: BodyId) {
        if self.body(who).vital != Vital::Up {
            return;
        }
        if self.body(who).traits.fights && self.fight_who_is_near(who) {
            return;
        }
        self.body_mut(who).swing = None;
        let hurt = self.body(who).last_hurt_tick;
        let is_frightened = !self.body(who).traits.fights
            && hurt.is_some_and(|hurt| self.tick() - hurt < FRIGHT_TICKS);
        if is_frightened && self.body(who).routine.task == Task::Route {
            return;
        }
        let pace = self.pace(who, false);
        match self.body(who).routine.task {
            Task::Stand => {}
            Task::Route => self.walk_route(who, pace),
            Task::Go(cell) => {
                if self.go_to(who, cell, pace) != Walk::Going {
                    self.body_mut(who).routine.stand();
                }
            }
            Task::Follow(whom) => {
                let place = self.body(whom).place();
                if self.body(who).place().distance_mm(place) > BESIDE_MM {
                    self.go_to(who, place.cell(), pace);
                }
            }
        }
    }

    /// Turns to the nearest enemy that is up, near and in plain view, and strikes at it when it is within reach.
    fn fight_who_is_near(&mut self, who: BodyId) -> bool {
        let place = self.body(who).place();
        let near = self
            .enemies(who)
            .map(|enemy| (place.distance_mm(self.body(enemy).place()), enemy))
            .filter(|&(distance, enemy)| {
                distance <= WARY_MM && self.body(enemy).is_up() && self.is_clear_between(who, enemy)
            })
            .min();
        let Some((distance, enemy)) = near else {
            return false;
        };
        let target = self.body(enemy).place();
        self.body_mut(who).walker.face(target);
        if distance > self.body(who).traits.weapon.reach_mm {
            self.body_mut(who).swing = None;
            if self.body(who).traits.charges {
                let pace = self.pace(who, false);
                self.body_mut(who).walker.go_straight(target, pace);
            }
        } else {
            self.swing_at(who, enemy);
        }
        true
    }

    fn walk_route(&mut self, who: BodyId, pace_mm: i32) {
        let body = self.body(who);
        let (next, ending) = (body.next_stop, body.traits.ending);
        let stops = self.scenario.route(&body.traits.route).count();
        let Some(cell) = self.scenario.route(&body.traits.route).nth(next) else {
            return;
        };
        if self.go_to(who, cell, pace_mm) == Walk::Going {
            return;
        }
        self.body_mut(who).next_stop += 1;
        if next + 1 < stops {
            return;
        }
        match ending {
            Ending::Stay => {}
            Ending::Again => self.body_mut(who).next_stop = 0,
            Ending::Leave => {
                self.body_mut(who).vital = Vital::Gone;
                self.report(who, EventKind::Leaves);
            }
        }
    }
}
