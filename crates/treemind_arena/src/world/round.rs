//! Rounds: how a world begins, when it is over, and how it begins again.

use super::World;
use crate::body::Vital;
use crate::event::EventKind;
use crate::ids::BodyId;
use crate::things::{DoorState, Item, Kind, Thing};
use std::sync::Arc;

/// With [`Rules::rounds`](super::Rules::rounds): how many ticks after the end of a round the next one begins.
const BREAK_TICKS: u64 = 100;
/// After how many ticks without a blow a body begins to recover, by a hit point per tick.
const REST_TICKS: u64 = 100;
/// The hit points of a body that gets up again.
const RISEN_HEALTH: i32 = 30;

impl World {
    pub(super) fn begin_round_when_due(&mut self) {
        let is_due = self.rules.rounds
            && self
                .over_tick
                .is_some_and(|over| self.tick >= over + BREAK_TICKS);
        if !is_due {
            return;
        }
        self.over_tick = None;
        self.round_tick = self.tick;
        self.next_cue = 0;
        self.pulses.clear();
        self.facts.clear();
        let has_hero = self.hero().is_some();
        for nth in 0..self.bodies.len() {
            let body = &self.bodies[nth];
            if has_hero || body.traits.mind.is_none() || Self::is_dead_mind(body) {
                self.bodies[nth] = self.born(nth);
            }
        }
        self.place_things();
    }

    /// Puts everything where the map has it: things that were taken are back, and doors are closed. Things in use
    /// at the moment stay as they are.
    pub(super) fn place_things(&mut self) {
        let scenario = Arc::clone(&self.scenario);
        let is_fixed = |kind| {
            matches!(
                kind,
                Kind::Door
                    | Kind::Charger
                    | Kind::Bin
                    | Kind::Stove
                    | Kind::Desk
                    | Kind::Depot
                    | Kind::Bed
            )
        };
        self.things.retain(|thing| is_fixed(thing.kind));
        for (item, cell) in &scenario.items {
            let there = self.things.iter_mut();
            let mut same = there.filter(|thing| thing.cell == *cell && thing.kind == item.kind);
            match same.next() {
                Some(thing) => shut(thing, item),
                None => {
                    let thing = Thing::new(self.next_entity, item, *cell);
                    self.next_entity += 1;
                    self.things.push(thing);
                }
            }
        }
        self.ground.take_doors(&self.things);
    }

    /// Lets a body come in when its time has come.
    pub(super) fn arrive(&mut self, who: BodyId) {
        let body = self.body(who);
        let due = body.traits.arrives.unwrap_or(0);
        if body.vital == Vital::Outside && self.tick >= self.round_tick + due {
            self.body_mut(who).vital = Vital::Up;
            self.report(who, EventKind::Arrives);
        }
    }

    /// What happens in a body without its doing: it wakes up, its battery drains, it gets hungry.
    pub(super) fn live(&mut self, who: BodyId) {
        let tick = self.tick;
        let is_charging = self
            .things
            .iter()
            .any(|thing| thing.kind == Kind::Charger && thing.is_turn_of(who));
        let body = self.body_mut(who);
        if !body.is_alive() {
            return;
        }
        if !is_charging {
            body.energy = (body.energy - share(tick, body.traits.drain_ticks)).max(0);
        }
        body.hunger = (body.hunger + share(tick, body.traits.starve_ticks)).min(1_000);
        if matches!(body.vital, Vital::Out(until) if until <= tick) {
            body.vital = Vital::Up;
            body.health = body.health.max(RISEN_HEALTH.min(body.traits.health));
            self.report(who, EventKind::Rises);
        }
    }

    /// Bodies that have left what they waited for or used give up their place.
    pub(super) fn leave_lines(&mut self) {
        const NEAR_MM: i32 = 3_500;
        let bodies = &self.bodies;
        for thing in &mut self.things {
            let centre = thing.cell.centre();
            thing.queue.retain(|who| {
                let body = &bodies[who.index()];
                body.is_alive() && body.place().distance_mm(centre) <= NEAR_MM
            });
        }
    }

    /// A body recovers a little when nothing has hurt it for a while.
    pub(super) fn rest(&mut self, who: BodyId) {
        let tick = self.tick;
        let body = self.body_mut(who);
        let most = body.traits.health;
        let rests = body.traits.recovers
            && body.is_up()
            && body.health < most
            && tick - body.last_hurt_tick.unwrap_or(0) > REST_TICKS;
        if !rests {
            return;
        }
        body.health += 1;
        if body.health == most {
            self.report(who, EventKind::Recovers);
        }
    }

    pub(super) fn see_whether_it_is_over(&mut self) {
        let is_over = match self.scenario.rules.ends {
            Some(ticks) => self.tick - self.round_tick >= ticks,
            None if self.hero().is_some() => self.is_hero_done(),
            None => {
                let is_visitor = |nth: &usize| {
                    let traits = &self.scenario.actors[*nth].0;
                    traits.arrives.is_some() && traits.mind.is_none()
                };
                let mut visitors = (0..self.bodies.len()).filter(is_visitor).peekable();
                let was_there = visitors.peek().is_some();
                let is_done =
                    |nth: usize| matches!(self.bodies[nth].vital, Vital::Dead | Vital::Gone);
                self.bodies.iter().any(Self::is_dead_mind) || was_there && visitors.all(is_done)
            }
        };
        if is_over && self.over_tick.is_none() {
            self.over_tick = Some(self.tick);
        }
    }

    /// Whether a round is over: after the number of ticks that the scenario sets. If it sets none, a round is over
    /// when the hero is dead or gone; without a hero, when a body with a mind is dead, or when all bodies that came from
    /// outside are dead or gone.
    pub fn is_over(&self) -> bool {
        self.over_tick.is_some()
    }
}

/// How many thousandths of a period pass in a tick; 0 without one.
fn share(tick: u64, period_ticks: u32) -> i32 {
    match u64::from(period_ticks) {
        0 => 0,
        period => (tick * 1_000 / period - (tick - 1) * 1_000 / period) as i32,
    }
}

fn shut(thing: &mut Thing, item: &Item) {
    if thing.kind == Kind::Door {
        thing.door = match item.lock_ticks {
            0 => DoorState::Closed,
            ticks => DoorState::Locked(ticks),
        };
    }
}
