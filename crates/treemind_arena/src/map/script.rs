//! The script: what happens at given ticks.

use super::error::MapError;
use super::words::Words;
use crate::things::Kind;
use serde::{Deserialize, Serialize};
use treemind::doc::said;

/// The value of a fact of the world.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FactValue {
    /// A number; as a truth value, everything but 0 is true.
    Number(i32),
    /// `yes` or `no`; as a number, 1 or 0.
    Truth(bool),
    /// A word, for enumerations and texts.
    Word(String),
}

/// What a line of a script does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CueKind {
    /// `NAME goes SPOT`: a body without a mind goes to a place.
    Goes(String, String),
    /// `NAME follows NAME`: a body without a mind follows another, until the script says otherwise.
    Follows(String, String),
    /// `NAME stands`: a body without a mind stays where it is.
    Stands(String),
    /// `NAME falls`: a body is knocked out.
    Falls(String),
    /// `NAME loses N`: a body loses N hit points.
    Loses(String, u32),
    /// `NAME has N energy|hunger|ammo|health|homework`: a body has this value from now on.
    Has(String, String, u32),
    /// `noise METRES at SPOT`: a noise that is heard up to this distance.
    Noise(i32, String),
    /// `set FACT VALUE`: a fact has this value from now on.
    Set(String, FactValue),
    /// `pulse FACT`: a fact is true in this tick only.
    Pulse(String),
    /// `put KIND at SPOT`: a thing is put there.
    Put(Kind, String),
}

/// `at TICK …`: when, and what.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cue {
    /// The tick, counted from the beginning of a round.
    pub tick: u64,
    /// What happens.
    pub kind: CueKind,
    /// Its line in the file.
    pub line: usize,
}

impl Cue {
    pub(super) fn parse(line: usize, words: &mut Words<'_>) -> Result<Self, MapError> {
        words.expect("at")?;
        let tick = u64::from(words.number(said!("a tick"))?);
        let first = words.take(said!("what happens"))?;
        let kind = match first {
            "noise" => {
                let word = words.take(said!("how far it is heard, in metres,"))?;
                let range_mm = words.millimetres(word)?;
                words.expect("at")?;
                CueKind::Noise(
                    range_mm,
                    words.take(said!("the name of a spot"))?.to_owned(),
                )
            }
            "set" => {
                let name = words.take(said!("the name of a fact"))?.to_owned();
                let value = words.take(said!("a value"))?;
                CueKind::Set(name, fact(value))
            }
            "pulse" => CueKind::Pulse(words.take(said!("the name of a fact"))?.to_owned()),
            "put" => {
                let word = words.take(said!("what lies there"))?;
                let Some(kind) = Kind::of(word) else {
                    let known = Kind::ALL.map(Kind::word).join(", ");
                    return Err(words.error(said!("`{}` is not one of: {}", word, known)));
                };
                words.expect("at")?;
                CueKind::Put(kind, words.take(said!("the name of a spot"))?.to_owned())
            }
            who => body(who.to_owned(), words)?,
        };
        words.end()?;
        Ok(Self { tick, kind, line })
    }
}

fn body(who: String, words: &mut Words<'_>) -> Result<CueKind, MapError> {
    Ok(match words.take(said!("what it does"))? {
        "goes" => CueKind::Goes(who, words.take(said!("the name of a spot"))?.to_owned()),
        "follows" => CueKind::Follows(who, words.take(said!("the name of an actor"))?.to_owned()),
        "stands" => CueKind::Stands(who),
        "falls" => CueKind::Falls(who),
        "loses" => CueKind::Loses(who, words.number(said!("how many hit points"))?),
        "has" => {
            let number = words.take(said!("how much"))?;
            let what = words.take(said!("of what"))?.to_owned();
            let amount = match what.as_str() {
                "energy" | "hunger" => words.thousandths(number)?.min(1_000) as u32,
                "ammo" | "health" | "homework" => words.whole(number)?,
                _ => {
                    let text = said!(
                        "`{}` is not `energy`, `hunger`, `ammo`, `health` or `homework`",
                        what
                    );
                    return Err(words.error(text));
                }
            };
            CueKind::Has(who, what, amount)
        }
        word => {
            let text = said!(
                "`{}` is not `goes`, `follows`, `stands`, `falls`, `loses` or `has`",
                word
            );
            return Err(words.error(text));
        }
    })
}

fn fact(value: &str) -> FactValue {
    match value {
        "yes" => FactValue::Truth(true),
        "no" => FactValue::Truth(false),
        word => match word.parse() {
            Ok(number) => FactValue::Number(number),
            Err(_) => FactValue::Word(word.to_owned()),
        },
    }
}
