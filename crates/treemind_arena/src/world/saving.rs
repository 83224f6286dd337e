//! Saving a world, and restoring it into a world of the same map.

use super::{Noise, Pool, Rules, World};
use crate::body::{Body, Weapon};
use crate::ground::Ground;
use crate::hash::Fnv;
use crate::ids::BodyId;
use crate::map::FactValue;
use crate::things::Thing;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// Everything of a world that changes, between two ticks.
#[derive(Serialize, Deserialize)]
pub(crate) struct Saved {
    /// A hash of the map.
    map: u64,
    ground: Ground,
    bodies: Vec<Body>,
    /// The weapon of each body, by name.
    weapons: Vec<String>,
    things: Vec<Thing>,
    facts: BTreeMap<String, FactValue>,
    pulses: Vec<String>,
    noises: Vec<Noise>,
    sounds: Vec<Noise>,
    finders: Pool,
    engines: Pool,
    rules: Rules,
    tick: u64,
    round_tick: u64,
    over_tick: Option<u64>,
    next_cue: usize,
    next_entity: u64,
}

impl World {
    pub(crate) fn save(&self) -> Saved {
        // A new field has to be named here, so nobody forgets to save it.
        let Self {
            scenario: _,
            ground,
            bodies,
            things,
            facts,
            pulses,
            noises,
            sounds,
            // The next step begins with the following empty.
            heard: _,
            events: _,
            said: _,
            acting: _,
            finders,
            engines,
            rules,
            tick,
            round_tick,
            over_tick,
            next_cue,
            next_entity,
        } = self;
        let weapons = bodies.iter().map(|body| body.traits.weapon.name.to_owned());
        Saved {
            map: self.map_hash(),
            ground: ground.clone(),
            bodies: bodies.clone(),
            weapons: weapons.collect(),
            things: things.clone(),
            facts: facts.clone(),
            pulses: pulses.clone(),
            noises: noises.clone(),
            sounds: sounds.clone(),
            finders: finders.clone(),
            engines: engines.clone(),
            rules: *rules,
            tick: *tick,
            round_tick: *round_tick,
            over_tick: *over_tick,
            next_cue: *next_cue,
            next_entity: *next_entity,
        }
    }

    /// The world that was saved. The error says why it cannot be one of this map.
    pub(crate) fn restored(&self, saved: Saved) -> Result<Self, &'static str> {
        if saved.map != self.map_hash() {
            return Err("the map has changed since");
        }
        let bodies = self.bodies.len();
        let is_sound = saved.bodies.len() == bodies
            && saved.weapons.len() == bodies
            && saved.next_cue <= self.scenario.script.len()
            && saved.named().all(|who| who.index() < bodies);
        if !is_sound {
            return Err("its world cannot be one of this map");
        }
        let mut bodies = saved.bodies;
        for ((body, own), weapon) in bodies.iter_mut().zip(&self.bodies).zip(&saved.weapons) {
            body.traits = own.traits.clone();
            body.traits.weapon = Weapon::of(weapon).ok_or("it has an unknown weapon")?;
        }
        Ok(Self {
            scenario: self.scenario.clone(),
            ground: saved.ground.within(self.scenario.grid.clone()),
            bodies,
            things: saved.things,
            facts: saved.facts,
            pulses: saved.pulses,
            noises: saved.noises,
            sounds: saved.sounds,
            heard: Vec::new(),
            finders: saved.finders,
            engines: saved.engines,
            rules: saved.rules,
            tick: saved.tick,
            round_tick: saved.round_tick,
            over_tick: saved.over_tick,
            next_cue: saved.next_cue,
            next_entity: saved.next_entity,
            acting: Vec::new(),
            events: Vec::new(),
            said: Vec::new(),
        })
    }

    fn map_hash(&self) -> u64 {
        let mut hasher = Fnv::new();
        self.scenario.hash(&mut hasher);
        hasher.finish()
    }
}

impl Saved {
    /// All bodies that something refers to.
    fn named(&self) -> impl Iterator<Item = BodyId> {
        let of_bodies = self.bodies.iter().flat_map(|body| {
            let sightings = [body.seen, body.heard].into_iter().flatten();
            sightings
                .map(|sighting| sighting.who)
                .chain(body.routine.follows())
        });
        let noises = self.noises.iter().chain(&self.sounds);
        let in_line = self.things.iter().flat_map(|thing| &thing.queue);
        let holders = self.finders.holders().iter().chain(self.engines.holders());
        of_bodies
            .chain(noises.filter_map(|noise| noise.by))
            .chain(in_line.chain(holders).copied())
    }
}
