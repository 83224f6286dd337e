//! Perception: bodies look around and listen, and their minds are given the results.

mod facts;

pub(crate) use facts::{Fact, SENSES, WrittenKey, written_keys};

use crate::body::Sighting;
use crate::event::EventKind;
use crate::ids::BodyId;
use crate::sight::is_clear;
use crate::things::{Kind, Thing};
use crate::world::World;

/// For how many ticks a body remembers an enemy that it no longer sees.
const MEMORY_TICKS: u64 = 100;
/// For how many ticks a body remembers what it heard.
const ECHO_TICKS: u64 = 20;
/// How far a step is heard, as a multiple of its length per tick.
const STEP_NOISE: i32 = 100;

impl World {
    /// Lets a body look around and listen.
    pub(crate) fn perceive(&mut self, who: BodyId) {
        self.look(who);
        self.listen(who);
        self.note_home(who);
    }

    /// Notes where all bodies are, once all of them have listened: the next step is heard by how long it is.
    pub(crate) fn note_places(&mut self) {
        for body in &mut self.bodies {
            body.last_place = body.place();
        }
    }

    fn look(&mut self, who: BodyId) {
        let body = self.body(who);
        if body.traits.mind.is_none() {
            return;
        }
        let (tick, before) = (self.tick(), body.seen);
        let rubbish = self
            .nearest_seen(who, Kind::Rubbish)
            .map(|thing| thing.entity);
        let rubbish = rubbish
            .or(body.rubbish)
            .filter(|it| self.thing_of(*it).is_some());
        let nearest = self
            .in_sight(who)
            .map(|enemy| (body.place().distance_mm(self.body(enemy).place()), enemy))
            .min()
            .map(|(_, who)| Sighting {
                who,
                place: self.body(who).place(),
                tick,
            });
        let body = self.body_mut(who);
        body.sees_now = nearest.is_some();
        body.rubbish = rubbish;
        let known = nearest.or(before);
        body.seen = known.filter(|seen| tick - seen.tick <= MEMORY_TICKS);
        match (before, body.seen) {
            (None, Some(seen)) => self.report(who, EventKind::Sees(seen.who)),
            (Some(seen), None) if self.body(who).is_alive() => {
                self.report(who, EventKind::Loses(seen.who));
            }
            // Since the last look, the enemy was felt before it was seen.
            _ => {}
        }
    }

    /// The enemies that a body sees right now.
    pub(crate) fn in_sight(&self, who: BodyId) -> impl Iterator<Item = BodyId> + '_ {
        let body = self.body(who);
        let enemies = self.enemies(who).filter(move |_| body.is_up());
        enemies.filter(move |enemy| {
            let target = self.body(*enemy).place();
            let eye = body.traits.eye;
            eye.sees(self.ground(), body.place(), body.facing(), target)
        })
    }

    fn listen(&mut self, who: BodyId) {
        let body = self.body(who);
        if !body.is_up() || body.traits.mind.is_none() {
            return;
        }
        for nth in 0..self.noises.len() {
            let noise = self.noises[nth];
            let is_strange = noise
                .by
                .is_none_or(|by| self.body(who).is_enemy_of(self.body(by)));
            if is_strange && self.reaches(noise.place, noise.range_mm, who) {
                self.note_heard(who, noise.place, noise.range_mm);
            }
        }
        if !self.body(who).traits.listens {
            return;
        }
        let tick = self.tick();
        let loudest = self
            .enemies(who)
            .filter(|enemy| self.is_heard(*enemy, who))
            .map(|enemy| {
                let place = self.body(enemy).place();
                (self.body(who).place().distance_mm(place), enemy)
            })
            .min()
            .map(|(_, who)| Sighting {
                who,
                place: self.body(who).place(),
                tick,
            });
        let body = self.body_mut(who);
        let before = body.heard;
        let known = loudest.or(before);
        body.heard = known.filter(|heard| tick - heard.tick <= ECHO_TICKS);
        if let (None, Some(heard)) = (before, body.heard) {
            self.report(who, EventKind::Hears(heard.who));
            // Whoever hears steps gets one noise, and not one for each step.
            let range_mm = self.body(who).place().distance_mm(heard.place);
            self.note_heard(who, heard.place, range_mm);
        }
    }

    /// Whether a body hears the steps, blows or shots that another made since the last step.
    fn is_heard(&self, by: BodyId, who: BodyId) -> bool {
        let body = self.body(by);
        let has_made_noise = |nth: usize| {
            let noise = self.noises[nth];
            noise.by == Some(by) && self.reaches(noise.place, noise.range_mm, who)
        };
        let step_mm = body.place().distance_mm(body.last_place);
        let is_silent = body.traits.is_silent || body.steering.sneaks;
        let steps = !is_silent && self.reaches(body.place(), step_mm * STEP_NOISE, who);
        steps || (0..self.noises.len()).any(has_made_noise)
    }

    /// Whether a noise reaches a body; through walls and closed doors it carries half as far.
    fn reaches(&self, place: crate::geometry::Point, range_mm: i32, who: BodyId) -> bool {
        let own = self.body(who).place();
        let distance = own.distance_mm(place);
        distance <= range_mm / 2 || distance <= range_mm && is_clear(self.ground(), own, place)
    }

    /// The nearest thing of a kind that a body sees.
    pub(crate) fn nearest_seen(&self, who: BodyId, kind: Kind) -> Option<&Thing> {
        let body = self.body(who);
        let place = body.place();
        let seen = self.things.iter().filter(|thing| {
            let target = thing.cell.centre();
            let eye = body.traits.eye;
            thing.kind == kind && eye.sees(self.ground(), place, body.facing(), target)
        });
        seen.min_by_key(|thing| (place.distance_mm(thing.cell.centre()), thing.entity))
    }

    /// The nearest thing of a kind, seen or not.
    pub(crate) fn nearest(&self, who: BodyId, kind: Kind) -> Option<&Thing> {
        let place = self.body(who).place();
        let things = self.things.iter().filter(|thing| thing.kind == kind);
        things.min_by_key(|thing| (place.distance_mm(thing.cell.centre()), thing.entity))
    }

    /// The thing with this handle, if it is still there.
    pub(crate) fn thing_of(&self, entity: u64) -> Option<usize> {
        self.things.iter().position(|thing| thing.entity == entity)
    }
}
