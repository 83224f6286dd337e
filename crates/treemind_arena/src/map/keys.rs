//! Files that say when which key is pressed.

use super::error::MapError;
use super::words::Words;
use crate::body::Key;
use treemind::doc::said;

/// Keys, each with the tick in which it is pressed, in the order of time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presses(Vec<(u64, Key)>);

impl Presses {
    /// Reads a file of keys: a line `TICK KEY` for each key. Empty lines and lines that start with `;` or `#` are left
    /// out.
    ///
    /// # Errors
    /// At the first line that makes no sense.
    pub fn parse(text: &str) -> Result<Self, MapError> {
        let mut presses = Self::default();
        for (nth, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with([';', '#']) {
                continue;
            }
            let mut words = Words::new(nth + 1, line);
            let tick = u64::from(words.number(said!("a tick"))?);
            let name = words.take(said!("a key"))?;
            let Some(key) = Key::ALL.into_iter().find(|key| key.name() == name) else {
                let known = Key::ALL.map(Key::name).join(", ");
                return Err(words.error(said!("`{}` is not one of: {}", name, known)));
            };
            words.end()?;
            if presses.0.last().is_some_and(|(last, _)| *last > tick) {
                return Err(words.error(said!("the ticks must be in the order of time")));
            }
            presses.0.push((tick, key));
        }
        Ok(presses)
    }

    /// The file for these keys.
    pub fn text(&self) -> String {
        let line = |(tick, key): &(u64, Key)| format!("{tick} {}\n", key.name());
        self.0.iter().map(line).collect()
    }

    /// The keys of a tick, in order.
    pub fn at(&self, tick: u64) -> impl Iterator<Item = Key> + '_ {
        let from = self.0.partition_point(|(at, _)| *at < tick);
        let due = self.0[from..].iter().take_while(move |(at, _)| *at == tick);
        due.map(|(_, key)| *key)
    }

    /// Presses a key in a tick, and forgets all keys of later ticks.
    pub fn press(&mut self, tick: u64, key: Key) {
        self.0.retain(|(at, _)| *at <= tick);
        self.0.push((tick, key));
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, Presses};

    #[test]
    fn files_of_keys_are_read_and_written() {
        let text = "3 up\n3 strike\n12 stand\n";
        let mut presses = Presses::parse(&format!("; keys\n\n{text}")).unwrap();
        assert_eq!(presses.text(), text);
        let at: Vec<Key> = presses.at(3).collect();
        assert_eq!(at, [Key::Up, Key::Strike]);
        assert_eq!(presses.at(4).count(), 0);
        presses.press(5, Key::Left);
        assert_eq!(presses.text(), "3 up\n3 strike\n5 left\n");
    }

    #[test]
    fn says_what_is_wrong_with_keys() {
        for (text, said) in [
            (
                "3 jump",
                "line 1: `jump` is not one of: up, down, left, right, stand, strike, sneak, whistle",
            ),
            (
                "x up",
                "line 1: `x` is not a whole number from 0 to 1000000",
            ),
            ("3 up 4", "line 1: unexpected `4`"),
            (
                "5 up\n3 up",
                "line 2: the ticks must be in the order of time",
            ),
        ] {
            assert_eq!(Presses::parse(text).unwrap_err().to_string(), said);
        }
    }
}
