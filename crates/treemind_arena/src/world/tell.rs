//! Events in words.

use super::World;
use crate::body::BodyId;
use crate::event::{Event, What, words};
use crate::map::{CueKind, FactValue};

impl World {
    /// What happened, in words.
    pub fn tell(&self, event: &Event) -> String {
        let who = event.who.map(|who| self.name_of(who)).unwrap_or_default();
        let text = match event.what {
            What::Arrives => "comes in",
            What::Leaves => "is gone",
            What::Begins(deed) => words(deed).0,
            What::BreaksOff(deed) => return format!("{who} breaks {} off", words(deed).1),
            What::Sees(whom) => return format!("{who} sees {}", self.name_of(whom)),
            What::Loses(whom) => return format!("{who} has lost {}", self.name_of(whom)),
            What::Hears(whom) => return format!("{who} hears {}", self.name_of(whom)),
            What::IsHit { damage, left } => {
                return format!("{who} is hit: -{damage}, {left} left");
            }
            What::Misses => "misses",
            What::Dies => "dies",
            What::Falls => "is knocked out",
            What::Rises => "is up again",
            What::Ties(whom) => return format!("{who} has tied {} up", self.name_of(whom)),
            What::Hides => "is hidden",
            What::Recovers => "has recovered",
            What::Opens => "opens a door",
            What::Takes(kind) => return format!("{who} takes a {kind}"),
            What::Dumps(count) => return format!("{who} dumps {count}"),
            What::Queues(0) => "is the next in line",
            What::Queues(before) => return format!("{who} waits in line behind {before}"),
            What::Uses(kind) => return format!("{who} uses a {kind}"),
            What::IsCharged => "is fully charged",
            What::Eats => "has eaten",
            What::Cooks => "has cooked",
            What::Finishes(deed) => return format!("{who} is done: {deed}"),
            What::Orders(whom) => return format!("{who} gives {} an order", self.name_of(whom)),
            What::Reaches => "is where it was to go",
            What::Reloads => "has full magazines",
            What::Noise(range_mm) => {
                return format!("a noise, heard {} metres away", range_mm / 1_000);
            }
            What::Appears(kind) => return format!("a {kind} lies there"),
            What::Changes(cue) => return self.tell_change(cue),
        };
        format!("{who} {text}")
    }

    fn name_of(&self, who: BodyId) -> String {
        format!("the {}", self.body(who).name())
    }

    fn tell_change(&self, cue: usize) -> String {
        match self.scenario.script.get(cue).map(|cue| &cue.kind) {
            Some(CueKind::Set(name, FactValue::Number(value))) => format!("{name} is {value}"),
            Some(CueKind::Set(name, FactValue::Word(word))) => format!("{name} is {word}"),
            Some(CueKind::Pulse(name)) => format!("{name} happens"),
            Some(CueKind::Has(who, what, amount)) => match what.as_str() {
                "energy" | "hunger" => format!("the {who} has {amount} ‰ of {what}"),
                _ => format!("the {who} has {amount} {what}"),
            },
            _ => String::new(),
        }
    }
}
