//! The legend: the meaning of the characters of a map.

use super::error::MapError;
use super::words::Words;
use crate::body::{Ending, Mind, Traits, Weapon};
use crate::things::{Item, Kind};
use treemind::doc::said;

/// The meaning of a character of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Legend {
    /// `actor NAME …`: an actor. See [`Traits`].
    Actor(Box<Traits>),
    /// `spot NAME`: a place with a name; several with the same name are a route, in the order of their characters.
    Spot(String),
    /// Any other word: a [thing](Kind).
    Item(Item),
}

impl Legend {
    /// Reads the words after the character.
    pub(super) fn parse(sign: char, words: &mut Words<'_>) -> Result<Self, MapError> {
        let word = words.take(said!("what it stands for"))?;
        let legend = match word {
            "actor" => Self::Actor(Box::new(actor(sign, words)?)),
            "spot" => Self::Spot(words.take(said!("the name of the spot"))?.to_owned()),
            _ => match Kind::of(word) {
                Some(kind) => Self::Item(item(kind, words)?),
                None => {
                    let known = Kind::ALL.map(Kind::word).join(", ");
                    let text = said!("`{}` is not one of: actor, spot, {}", word, known);
                    return Err(words.error(text));
                }
            },
        };
        words.end()?;
        Ok(legend)
    }
}

/// What an actor may have, each with an example of its value; empty for none.
pub const ACTOR_PROPERTIES: [(&str, &str); 24] = [
    ("mind", "main"),
    ("team", "guards"),
    ("health", "100"),
    ("recovers", ""),
    ("walk", "1.4"),
    ("run", "3.4"),
    ("eye", "8"),
    ("near", "1.5"),
    ("listens", ""),
    ("silent", ""),
    ("steered", ""),
    ("weapon", "sword"),
    ("ammo", "6"),
    ("energy", "0.5"),
    ("drain", "60"),
    ("hunger", "0.5"),
    ("starve", "60"),
    ("homework", "3"),
    ("route", "round"),
    ("arrives", "100"),
    ("then", "leave"),
    ("fights", "charge"),
    ("looks", "west"),
    ("owner", "guard"),
];

fn item(kind: Kind, words: &mut Words<'_>) -> Result<Item, MapError> {
    let mut item = Item {
        kind,
        name: kind.word().to_owned(),
        lock_ticks: 0,
        amount: 1,
    };
    while let Some(word) = words.find() {
        match word.split_once('=') {
            None => item.name = word.to_owned(),
            Some(("lock", value)) => item.lock_ticks = words.ticks(value)?,
            Some(("amount", value)) => item.amount = words.whole(value)?,
            Some((name, _)) => {
                let text = said!(
                    "a {} has no `{}`; it can only have `lock` and `amount`",
                    kind.to_string(),
                    name
                );
                return Err(words.error(text));
            }
        }
    }
    Ok(item)
}

fn actor(sign: char, words: &mut Words<'_>) -> Result<Traits, MapError> {
    let name = words.take(said!("the name of the actor"))?;
    let mut traits = Traits::new(sign, name);
    while let Some(word) = words.find() {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        match name {
            "mind" => traits.mind = Some(mind(value, words)?),
            "team" => traits.team = value.to_owned(),
            "health" => traits.health = words.whole(value)? as i32,
            "walk" => traits.walk_mm = words.pace_mm(value)?,
            "run" => traits.run_mm = words.pace_mm(value)?,
            "eye" => traits.eye.range_mm = words.millimetres(value)?,
            "near" => traits.eye.near_mm = words.millimetres(value)?,
            "weapon" => traits.weapon = weapon(value, words)?,
            "ammo" => traits.ammo = words.whole(value)?,
            "energy" => traits.energy = words.thousandths(value)?.min(1_000),
            "drain" => traits.drain_ticks = words.ticks(value)?,
            "hunger" => traits.hunger = words.thousandths(value)?.min(1_000),
            "starve" => traits.starve_ticks = words.ticks(value)?,
            "homework" => traits.homework = words.whole(value)?,
            "recovers" => traits.recovers = yes(value, words)?,
            "route" => traits.route = value.to_owned(),
            "arrives" => traits.arrives = Some(u64::from(words.whole(value)?)),
            "then" => traits.ending = ending(value, words)?,
            "fights" => (traits.fights, traits.charges) = fights(value, words)?,
            "listens" => traits.listens = yes(value, words)?,
            "silent" => traits.is_silent = yes(value, words)?,
            "looks" => traits.looks_west = looks(value, words)?,
            "owner" => traits.owner = value.to_owned(),
            "steered" => traits.is_steered = yes(value, words)?,
            _ => return Err(words.error(said!("an actor has no `{}`", name))),
        }
    }
    Ok(traits)
}

fn mind(value: &str, words: &Words<'_>) -> Result<Mind, MapError> {
    Ok(match value.split_once(':') {
        None if value == "main" => Mind::Main,
        Some(("tree", name)) => Mind::Tree(name.to_owned()),
        Some(("machine", name)) => Mind::Machine(name.to_owned()),
        Some(("decide", name)) => Mind::Decision(name.to_owned()),
        Some(("planner", name)) => Mind::Planner(name.to_owned()),
        Some(("archetype", name)) => Mind::Archetype(name.to_owned()),
        _ => {
            let text = said!(
                "`{}` is not `main`, `tree:NAME`, `machine:NAME`, `decide:NAME`, `planner:NAME` or `archetype:NAME`",
                value
            );
            return Err(words.error(text));
        }
    })
}

fn weapon(value: &str, words: &Words<'_>) -> Result<&'static Weapon, MapError> {
    Weapon::of(value).ok_or_else(|| {
        let known: Vec<&str> = Weapon::ALL.iter().map(|weapon| weapon.name).collect();
        words.error(said!("`{}` is not one of: {}", value, known.join(", ")))
    })
}

fn ending(value: &str, words: &Words<'_>) -> Result<Ending, MapError> {
    Ok(match value {
        "stay" => Ending::Stay,
        "leave" => Ending::Leave,
        "again" => Ending::Again,
        _ => return Err(words.error(said!("`{}` is not `stay`, `leave` or `again`", value))),
    })
}

fn fights(value: &str, words: &Words<'_>) -> Result<(bool, bool), MapError> {
    match value {
        "" | "hold" => Ok((true, false)),
        "charge" => Ok((true, true)),
        "no" => Ok((false, false)),
        _ => Err(words.error(said!("`{}` is not `hold`, `charge` or `no`", value))),
    }
}

fn looks(value: &str, words: &Words<'_>) -> Result<bool, MapError> {
    match value {
        "east" => Ok(false),
        "west" => Ok(true),
        _ => Err(words.error(said!("`{}` is not `east` or `west`", value))),
    }
}

fn yes(value: &str, words: &Words<'_>) -> Result<bool, MapError> {
    match value {
        "" | "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(words.error(said!("`{}` is not `yes` or `no`", value))),
    }
}

#[cfg(test)]
mod tests {
    use super::{ACTOR_PROPERTIES, Legend, Words};

    #[test]
    fn each_property_that_is_offered_is_read() {
        for (name, value) in ACTOR_PROPERTIES {
            let said = match value {
                "" => name.to_owned(),
                value => format!("{name}={value}"),
            };
            let line = format!("actor somebody {said}");
            let read = Legend::parse('S', &mut Words::new(1, &line));
            assert!(read.is_ok(), "{line}: {read:?}");
        }
    }
}
