//! Events in words.

use super::World;
use crate::body::phrase;
use crate::event::{Event, EventKind, words};
use crate::ids::BodyId;
use crate::map::{CueKind, FactValue};

impl World {
    /// The sentence for an event.
    pub fn tell(&self, event: &Event) -> String {
        let who = event.who.map(|who| self.name_of(who)).unwrap_or_default();
        let text = match event.what {
            EventKind::Arrives => "comes in",
            EventKind::Leaves => "leaves",
            EventKind::Begins(deed) => words(deed).0,
            EventKind::BreaksOff(deed) => return format!("{who} breaks off {}", words(deed).1),
            EventKind::Sees(whom) => return format!("{who} sees {}", self.name_of(whom)),
            EventKind::Loses(whom) => {
                return format!("{who} loses track of {}", self.name_of(whom));
            }
            EventKind::Hears(whom) => return format!("{who} hears {}", self.name_of(whom)),
            EventKind::IsHit { damage, left } => {
                return format!("{who} takes {damage} damage, {left} left");
            }
            EventKind::Whistles => "whistles",
            EventKind::Misses => "misses",
            EventKind::Dies => "dies",
            EventKind::Falls => "is knocked out",
            EventKind::Rises => "gets up again",
            EventKind::Ties(whom) => return format!("{who} ties {} up", self.name_of(whom)),
            EventKind::Hides => "is hidden",
            EventKind::Recovers => "has recovered",
            EventKind::Opens => "opens a door",
            EventKind::Takes(kind) => return format!("{who} picks up {}", kind.phrase()),
            EventKind::Dumps(1) => "dumps a piece of rubbish",
            EventKind::Dumps(count) => return format!("{who} dumps {count} pieces of rubbish"),
            EventKind::Queues(0) => "is next in line",
            EventKind::Queues(1) => "waits in line behind another",
            EventKind::Queues(before) => {
                return format!("{who} waits in line behind {before} others");
            }
            EventKind::Uses(kind) => return format!("{who} uses {}", kind.phrase()),
            EventKind::IsCharged => "is fully charged",
            EventKind::Eats => "has eaten",
            EventKind::Cooks => "has cooked",
            EventKind::Finishes(deed) => return format!("{who} finishes {deed}"),
            EventKind::Orders(whom) => {
                return format!("{who} gives {} an order", self.name_of(whom));
            }
            EventKind::Reaches => "arrives",
            EventKind::Reloads => "has reloaded",
            EventKind::Noise(range_mm) => {
                return format!("a noise can be heard {} metres away", range_mm / 1_000);
            }
            EventKind::Appears(kind) => return format!("{} appears", kind.phrase()),
            EventKind::Changes(cue) => return self.tell_change(cue),
        };
        format!("{who} {text}")
    }

    /// The name of the body or thing whose handle a key holds.
    pub(crate) fn name_of_entity(&self, entity: u64) -> Option<String> {
        let body = self.body_of(entity).map(|who| self.name_of(who));
        let things = || self.things.iter().find(|thing| thing.entity == entity);
        body.or_else(|| Some(format!("the {}", things()?.kind)))
    }

    fn name_of(&self, who: BodyId) -> String {
        self.body(who).phrase()
    }

    fn tell_change(&self, cue: usize) -> String {
        match self.scenario.script.get(cue).map(|cue| &cue.kind) {
            Some(CueKind::Set(name, FactValue::Number(value))) => format!("{name}: {value}"),
            Some(CueKind::Set(name, FactValue::Truth(true))) => format!("{name}: yes"),
            Some(CueKind::Set(name, FactValue::Truth(false))) => format!("{name}: no"),
            Some(CueKind::Set(name, FactValue::Word(word))) => format!("{name}: {word}"),
            Some(CueKind::Pulse(name)) => format!("{name}: yes, for one tick"),
            Some(CueKind::Has(who, what, amount)) => {
                let who = phrase(&who.replace('-', " "));
                let amount = match (what.as_str(), *amount) {
                    ("energy" | "hunger", amount) => {
                        format!("{} % {what}", f64::from(amount) / 10.0)
                    }
                    ("homework", 1) => "1 piece of homework".to_owned(),
                    ("homework", amount) => format!("{amount} pieces of homework"),
                    ("ammo", 1) => "1 round".to_owned(),
                    ("ammo", amount) => format!("{amount} rounds"),
                    (_, amount) => format!("{amount} hit points"),
                };
                format!("{who} has {amount}")
            }
            _ => String::new(),
        }
    }
}
