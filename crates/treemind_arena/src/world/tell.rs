//! Events in words.

use super::World;
use crate::body::{BodyId, phrase};
use crate::event::{Event, What, words};
use crate::map::{CueKind, FactValue};

impl World {
    /// What happened, in words.
    pub fn tell(&self, event: &Event) -> String {
        let who = event.who.map(|who| self.name_of(who)).unwrap_or_default();
        let text = match event.what {
            What::Arrives => "comes in",
            What::Leaves => "leaves",
            What::Begins(deed) => words(deed).0,
            What::BreaksOff(deed) => return format!("{who} breaks off {}", words(deed).1),
            What::Sees(whom) => return format!("{who} sees {}", self.name_of(whom)),
            What::Loses(whom) => return format!("{who} loses track of {}", self.name_of(whom)),
            What::Hears(whom) => return format!("{who} hears {}", self.name_of(whom)),
            What::IsHit { damage, left } => {
                return format!("{who} takes {damage} damage, {left} left");
            }
            What::Misses => "misses",
            What::Dies => "dies",
            What::Falls => "is knocked out",
            What::Rises => "gets up again",
            What::Ties(whom) => return format!("{who} ties {} up", self.name_of(whom)),
            What::Hides => "is hidden",
            What::Recovers => "has recovered",
            What::Opens => "opens a door",
            What::Takes(kind) => return format!("{who} picks up {}", kind.phrase()),
            What::Dumps(1) => "dumps a piece of rubbish",
            What::Dumps(count) => return format!("{who} dumps {count} pieces of rubbish"),
            What::Queues(0) => "is next in line",
            What::Queues(1) => "waits in line behind another",
            What::Queues(before) => return format!("{who} waits in line behind {before} others"),
            What::Uses(kind) => return format!("{who} uses {}", kind.phrase()),
            What::IsCharged => "is fully charged",
            What::Eats => "has eaten",
            What::Cooks => "has cooked",
            What::Finishes(deed) => return format!("{who} finishes {deed}"),
            What::Orders(whom) => return format!("{who} gives {} an order", self.name_of(whom)),
            What::Reaches => "arrives",
            What::Reloads => "has reloaded",
            What::Noise(range_mm) => {
                return format!("a noise can be heard {} metres away", range_mm / 1_000);
            }
            What::Appears(kind) => return format!("{} appears", kind.phrase()),
            What::Changes(cue) => return self.tell_change(cue),
        };
        format!("{who} {text}")
    }

    /// What somebody or something is called that a key holds.
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
