//! The words of a line, read one by one, with errors that name the line.

use super::error::MapError;
use crate::time::TICKS_PER_SEC;
use treemind::doc::{Said, said};

/// The words of one line, and its number.
pub(crate) struct Words<'t> {
    line: usize,
    rest: Vec<&'t str>,
    next: usize,
}

impl<'t> Words<'t> {
    pub(crate) fn new(line: usize, text: &'t str) -> Self {
        let rest = text.split_whitespace().collect();
        Self {
            line,
            rest,
            next: 0,
        }
    }

    pub(crate) fn error(&self, text: Said) -> MapError {
        MapError::at(self.line, text)
    }

    /// The next word, if there is one.
    pub(crate) fn find(&mut self) -> Option<&'t str> {
        let word = self.rest.get(self.next).copied();
        self.next += 1;
        word
    }

    /// The next word.
    pub(crate) fn take(&mut self, what: Said) -> Result<&'t str, MapError> {
        self.find()
            .ok_or_else(|| self.error(said!("expected {}", what)))
    }

    /// The next word, which must be this one.
    pub(crate) fn expect(&mut self, word: &str) -> Result<(), MapError> {
        match self.find() {
            Some(found) if found == word => Ok(()),
            Some(found) => Err(self.error(said!("expected `{}`, found `{}`", word, found))),
            None => Err(self.error(said!("expected `{}`", word))),
        }
    }

    /// The next word as a whole number up to a million.
    pub(crate) fn number(&mut self, what: Said) -> Result<u32, MapError> {
        let word = self.take(what)?;
        self.whole(word)
    }

    /// A whole number up to a million.
    pub(crate) fn whole(&self, word: &str) -> Result<u32, MapError> {
        match word.parse() {
            Ok(number) if number <= 1_000_000 => Ok(number),
            _ => Err(self.error(said!("`{}` is not a whole number from 0 to 1000000", word))),
        }
    }

    /// A number with up to three decimal places, as thousandths; up to a thousand.
    pub(crate) fn thousandths(&self, word: &str) -> Result<i32, MapError> {
        let wrong = || self.error(said!("`{}` is not a number from 0 to 1000", word));
        let (whole, part) = word.split_once('.').unwrap_or((word, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || whole.len() > 4 || part.len() > 3 || !digits(whole) || !digits(part)
        {
            return Err(wrong());
        }
        // There are at most seven digits and nothing else, so this always parses.
        let number: i32 = format!("{whole}{part:0<3}").parse().map_err(|_| wrong())?;
        if number > 1_000_000 {
            return Err(wrong());
        }
        Ok(number)
    }

    /// Metres, as millimetres.
    pub(crate) fn millimetres(&self, word: &str) -> Result<i32, MapError> {
        self.thousandths(word)
    }

    /// Metres per second, as millimetres per tick.
    pub(crate) fn pace_mm(&self, word: &str) -> Result<i32, MapError> {
        Ok(self.thousandths(word)? / TICKS_PER_SEC as i32)
    }

    /// Seconds, as ticks.
    pub(crate) fn ticks(&self, word: &str) -> Result<u32, MapError> {
        Ok((i64::from(self.thousandths(word)?) * TICKS_PER_SEC as i64 / 1_000) as u32)
    }

    /// Checks that no words are left.
    pub(crate) fn end(&mut self) -> Result<(), MapError> {
        match self.find() {
            None => Ok(()),
            Some(word) => Err(self.error(said!("unexpected `{}`", word))),
        }
    }
}
