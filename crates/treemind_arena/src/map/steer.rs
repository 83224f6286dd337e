//! What the part `[steer]` of a map says: who is steered from outside, what a learner sees of the game, and what it is
//! worth.

use super::error::MapError;
use super::words::Words;
use crate::body::Key;
use std::hash::{Hash, Hasher};
use treemind::doc::said;

/// What a map says for learners; whoever plays may say otherwise. It changes nothing in the world.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SteerPart {
    /// `who NAME …`: the actors that are steered.
    pub who: Vec<String>,
    /// `document FILE`: the document of all minds, beside the map.
    pub document: Option<String>,
    /// `main NAME`: what those run whose mind is `main`.
    pub main: Option<String>,
    /// `observe EXPRESSION`, a line for each: numbers that are seen.
    pub observe: Vec<String>,
    /// `grid` or `grid N`: the map is seen, too.
    pub grid: Option<Sight>,
    /// `actions KEY …`: the keys that may be pressed; `None` is `wait`.
    pub actions: Vec<Option<Key>>,
    /// `reward EXPRESSION`: what a turn is worth.
    pub reward: Option<String>,
    /// `until CONDITION`: what ends a game.
    pub until: Option<String>,
    /// `every N`: how many ticks a turn has.
    pub every: Option<u32>,
    /// `ticks N`: after how many ticks a game is cut off.
    pub ticks: Option<u64>,
}

/// How much of the map is seen as squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sight {
    /// All of it.
    Whole,
    /// So many squares in each direction, with the one who is steered in the middle: an odd number.
    Around(u32),
}

/// The most squares in each direction around somebody.
const MOST_AROUND: u32 = 63;

impl Hash for SteerPart {
    /// Nothing: a saved game belongs to its world, and this is no part of it.
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl SteerPart {
    /// Reads a line.
    pub(super) fn read(&mut self, line: usize, text: &str) -> Result<(), MapError> {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let mut words = Words::new(line, rest);
        let said = || match rest {
            "" => Err(MapError::at(line, said!("`{}` says nothing", word))),
            rest => Ok(rest.to_owned()),
        };
        let is_twice = match word {
            "who" => !std::mem::replace(&mut self.who, names(&said()?)).is_empty(),
            "document" => self.document.replace(said()?).is_some(),
            "main" => self.main.replace(said()?).is_some(),
            "observe" => {
                self.observe.push(said()?);
                false
            }
            "grid" => self.grid.replace(sight(&mut words)?).is_some(),
            "actions" => {
                said()?;
                !std::mem::replace(&mut self.actions, actions(&mut words)?).is_empty()
            }
            "reward" => self.reward.replace(said()?).is_some(),
            "until" => self.until.replace(said()?).is_some(),
            "every" => self.every.replace(at_least_one(&mut words)?).is_some(),
            "ticks" => {
                let ticks = at_least_one(&mut words)?;
                self.ticks.replace(u64::from(ticks)).is_some()
            }
            _ => {
                let text = said!(
                    "`{}` is not `who`, `document`, `main`, `observe`, `grid`, `actions`, `reward`, `until`, `every` or `ticks`",
                    word
                );
                return Err(MapError::at(line, text));
            }
        };
        match is_twice {
            true => Err(MapError::at(line, said!("`{}` is there twice", word))),
            false => Ok(()),
        }
    }
}

/// A name as expressions have it: `_` stands for what no name of a key can contain.
pub(crate) fn in_expressions(name: &str) -> String {
    let fits = |char: char| char.is_alphanumeric() || char == '_';
    name.chars()
        .map(|char| if fits(char) { char } else { '_' })
        .collect()
}

fn names(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn sight(words: &mut Words<'_>) -> Result<Sight, MapError> {
    let Some(word) = words.find() else {
        return Ok(Sight::Whole);
    };
    let squares = words.whole(word)?;
    words.end()?;
    Sight::around(squares).ok_or_else(|| {
        words.error(said!(
            "`grid {}`: it is an odd number from 3 to {}, so that one square is in the middle",
            squares,
            MOST_AROUND
        ))
    })
}

impl Sight {
    /// So many squares in each direction; `None` if it is not an odd number from 3 to 63.
    pub fn around(squares: u32) -> Option<Self> {
        let fits = squares % 2 == 1 && (3..=MOST_AROUND).contains(&squares);
        fits.then_some(Self::Around(squares))
    }
}

fn actions(words: &mut Words<'_>) -> Result<Vec<Option<Key>>, MapError> {
    let mut actions = Vec::new();
    while let Some(word) = words.find() {
        let key = Key::ALL.into_iter().find(|key| key.name() == word);
        if key.is_none() && word != "wait" {
            let known = Key::ALL.map(Key::name).join(", ");
            return Err(words.error(said!("`{}` is not one of: wait, {}", word, known)));
        }
        if actions.contains(&key) {
            return Err(words.error(said!("`{}` is there twice", word)));
        }
        actions.push(key);
    }
    Ok(actions)
}

fn at_least_one(words: &mut Words<'_>) -> Result<u32, MapError> {
    let number = words.number(said!("a number"))?;
    words.end()?;
    match number {
        0 => Err(words.error(said!("it is 1 or more"))),
        number => Ok(number),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Scenario;
    use super::{Key, Sight};

    const MAP: &str = "[map]\nGT\n[legend]\nG actor guard\nT actor thief\n";

    #[test]
    fn what_learners_see_and_do_is_read() {
        let text = format!(
            "{MAP}[steer]\n; who\nwho guard thief\ndocument guards/guard.kdl\nmain quick\nobserve x / 40\n\
             observe  enemy_seen && thief.alarm \ngrid 7\nactions wait up strike\nreward health - was_health\n\
             until coins == 2\nevery 4\nticks 900\n"
        );
        let steer = Scenario::parse(&text).unwrap().steer;
        assert_eq!(steer.who, ["guard", "thief"]);
        assert_eq!(steer.document.as_deref(), Some("guards/guard.kdl"));
        assert_eq!(steer.main.as_deref(), Some("quick"));
        assert_eq!(steer.observe, ["x / 40", "enemy_seen && thief.alarm"]);
        assert_eq!(steer.grid, Some(Sight::Around(7)));
        assert_eq!(steer.actions, [None, Some(Key::Up), Some(Key::Strike)]);
        assert_eq!(steer.reward.as_deref(), Some("health - was_health"));
        assert_eq!(steer.until.as_deref(), Some("coins == 2"));
        assert_eq!((steer.every, steer.ticks), (Some(4), Some(900)));
        let whole = Scenario::parse(&format!("{MAP}[steer]\ngrid\n")).unwrap();
        assert_eq!(whole.steer.grid, Some(Sight::Whole));
    }

    #[test]
    fn says_what_is_wrong_with_them() {
        for (line, said) in [
            ("sees x", "line 7: `sees` is not `who`, `document`"),
            ("observe", "line 7: `observe` says nothing"),
            ("grid 8", "line 7: `grid 8`: it is an odd number"),
            ("grid 7 7", "line 7: unexpected `7`"),
            ("actions up jump", "line 7: `jump` is not one of: wait, up"),
            ("actions up up", "line 7: `up` is there twice"),
            ("every 0", "line 7: it is 1 or more"),
            ("ticks soon", "line 7: `soon` is not a whole number"),
            ("who dog", "unknown actor `dog` in `[steer]`"),
            ("reward 1\nreward 2", "line 8: `reward` is there twice"),
        ] {
            let text = format!("{MAP}[steer]\n{line}\n");
            let found = Scenario::parse(&text).unwrap_err().to_string();
            assert!(found.starts_with(said), "{line}: {found}");
        }
    }
}
