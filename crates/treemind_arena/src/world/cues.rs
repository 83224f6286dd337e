//! The cues of the script.

use super::{Noise, World};
use crate::body::Vital;
use crate::event::EventKind;
use crate::geometry::Cell;
use crate::ids::BodyId;
use crate::map::{CueKind, FactValue};
use crate::things::{Item, Kind, Thing};
use std::sync::Arc;

/// How long a body that falls is out, in ticks.
const FALL_TICKS: u64 = 200;

impl World {
    /// Ends the facts that held for one tick, and plays all lines of the script that are due.
    pub(super) fn play_cues(&mut self) {
        self.pulses_end();
        let scenario = Arc::clone(&self.scenario);
        let now = self.tick - self.round_tick;
        while let Some(cue) = scenario.script.get(self.next_cue)
            && cue.tick <= now
        {
            self.next_cue += 1;
            self.play(&cue.kind);
        }
    }

    fn play(&mut self, kind: &CueKind) {
        let nth = self.next_cue - 1;
        match kind {
            CueKind::Goes(who, spot) => {
                if let (Some(who), Some(cell)) = (self.find(who), self.spot(spot)) {
                    self.body_mut(who).routine.go(cell);
                }
            }
            CueKind::Follows(who, whom) => {
                if let (Some(who), Some(whom)) = (self.find(who), self.find(whom)) {
                    self.body_mut(who).routine.follow(whom);
                }
            }
            CueKind::Stands(who) => {
                if let Some(who) = self.find(who) {
                    self.body_mut(who).routine.stand();
                }
            }
            CueKind::Falls(who) => {
                if let Some(who) = self.find(who).filter(|who| self.body(*who).is_up()) {
                    self.body_mut(who).vital = Vital::Out(self.tick + FALL_TICKS);
                    self.report(who, EventKind::Falls);
                }
            }
            CueKind::Loses(who, points) => {
                if let Some(who) = self.find(who).filter(|who| self.body(*who).is_alive()) {
                    self.lose(who, *points as i32);
                }
            }
            CueKind::Has(who, what, amount) => {
                if let Some(who) = self.find(who) {
                    self.endow(who, what, *amount);
                    self.push_event(Some(who), EventKind::Changes(nth));
                }
            }
            CueKind::Noise(range_mm, spot) => {
                if let Some(cell) = self.spot(spot) {
                    self.noises.push(Noise {
                        place: cell.centre(),
                        range_mm: *range_mm,
                        by: None,
                    });
                    self.push_event(None, EventKind::Noise(*range_mm));
                }
            }
            CueKind::Set(name, value) => {
                self.set_fact(name, value.clone());
                self.push_event(None, EventKind::Changes(nth));
            }
            CueKind::Pulse(name) => {
                self.set_fact(name, FactValue::Truth(true));
                self.pulses.push(name.clone());
                self.push_event(None, EventKind::Changes(nth));
            }
            CueKind::Put(kind, spot) => {
                if let Some(cell) = self.spot(spot) {
                    self.put(*kind, cell);
                    self.push_event(None, EventKind::Appears(*kind));
                }
            }
        }
    }

    fn pulses_end(&mut self) {
        for name in std::mem::take(&mut self.pulses) {
            self.set_fact(&name, FactValue::Truth(false));
        }
    }

    /// A body turns the alarm off.
    pub(crate) fn turn_off_alarm(&mut self, who: BodyId) {
        self.set_fact("alarm_on", FactValue::Truth(false));
        self.report(who, EventKind::Reaches);
    }

    fn set_fact(&mut self, name: &str, value: FactValue) {
        match self.facts.get_mut(name) {
            Some(held) => *held = value,
            None => {
                self.facts.insert(name.to_owned(), value);
            }
        }
    }

    /// The names of all facts that the script sets.
    pub(crate) fn scripted_facts(&self) -> Vec<String> {
        let cues = self.scenario.script.iter();
        let names = cues.filter_map(|cue| match &cue.kind {
            CueKind::Set(name, _) | CueKind::Pulse(name) => Some(name.clone()),
            _ => None,
        });
        names.collect()
    }

    fn endow(&mut self, who: BodyId, what: &str, amount: u32) {
        let body = self.body_mut(who);
        match what {
            "energy" => body.energy = amount as i32,
            "hunger" => body.hunger = amount as i32,
            "ammo" => body.ammo = amount,
            "homework" => body.homework = amount,
            _ => body.health = (amount as i32).min(body.traits.health),
        }
    }

    /// The first spot with this name.
    pub fn spot(&self, name: &str) -> Option<Cell> {
        self.scenario.spot(name)
    }

    /// Puts down a thing that is not on the map; it stays until it is taken or the round is over.
    pub(crate) fn put(&mut self, kind: Kind, cell: Cell) {
        let item = Item {
            kind,
            name: kind.word().to_owned(),
            lock_ticks: 0,
            amount: 1,
        };
        let thing = Thing::new(self.next_entity, &item, cell);
        self.next_entity += 1;
        self.things.push(thing);
    }
}
