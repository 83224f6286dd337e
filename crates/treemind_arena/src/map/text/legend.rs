//! Changes of the legend.

use super::super::error::MapError;
use super::super::parts::{Line, Part};
use super::super::scenario::range;
use super::super::steer::in_expressions;
use super::{FLOOR, LegendLine, MapText, Splice, differing, is_floor};
use crate::geometry::Cell;
use treemind::doc::said;

/// The words of a line with where each begins.
fn words(line: &str) -> Vec<(usize, &str)> {
    let mut at = 0;
    let parts = line.split_inclusive(char::is_whitespace);
    let placed = parts.map(|part| {
        let start = at;
        at += part.len();
        (start, part.trim_end())
    });
    placed.filter(|(_, word)| !word.is_empty()).collect()
}

/// A line of the legend, if it can be read.
pub(super) fn read(line: &str) -> Option<LegendLine> {
    let words = words(line);
    let signs = range(words.first()?.1)?;
    let word = words.get(1)?.1.to_owned();
    let (mut name, mut properties) = (String::new(), Vec::new());
    for (nth, (_, part)) in words.iter().enumerate().skip(2) {
        match part.split_once('=') {
            Some((key, value)) => properties.push((key.to_owned(), value.to_owned())),
            None if nth == 2 || word != "actor" => (*part).clone_into(&mut name),
            None => properties.push(((*part).to_owned(), String::new())),
        }
    }
    Some(LegendLine {
        signs,
        word,
        name,
        properties,
    })
}

impl MapText {
    /// Puts something new on a square with floor: the words of a line of the legend after the character, such as `actor
    /// guard mind=main`. If a line says just that, it is used; otherwise there is a new one, with a free character. Returns
    /// that, too.
    ///
    /// # Errors
    /// When the square is not free, or the words make no sense.
    pub fn put(&self, cell: Cell, words: &str) -> Result<(Self, char), MapError> {
        let words: Vec<&str> = words.split_whitespace().collect();
        if self.sign_at(cell)?.is_none_or(|sign| !is_floor(sign)) {
            return Err(MapError::whole(said!("there is something already")));
        }
        let wanted = words.join(" ");
        let lines = self.part(Part::Legend)?;
        let known = lines.iter().find_map(|line| {
            let found: Vec<&str> = line.text.split_whitespace().collect();
            let (first, last) = range(found.first()?)?;
            (first == last && found[1..] == words).then_some(first)
        });
        if let Some(sign) = known.filter(|_| words.first() != Some(&"actor")) {
            return Ok((self.paint(&[cell], sign)?, sign));
        }
        let sign = self.free_sign(&words)?;
        let line = format!("{sign} {wanted}");
        let splice = match (lines.last(), self.part(Part::Map)?.last()) {
            (Some(last), _) => self.line_after(last, &line),
            (None, Some(last)) => {
                let end = self.line_end();
                self.line_after(last, &format!("{end}[legend]{end}{line}"))
            }
            (None, None) => return Err(MapError::whole(said!("there is no map"))),
        };
        // Each alone would not be a map.
        let mut text = self.0.clone();
        let row = self.part(Part::Map)?[cell.y as usize];
        let mut signs: Vec<char> = row.text.chars().collect();
        signs.resize(signs.len().max(cell.x as usize + 1), FLOOR);
        signs[cell.x as usize] = sign;
        let drawn: String = signs.into_iter().collect();
        text.replace_range(splice.0, &splice.1);
        if let Some((range, new)) = differing(row.start, row.text, &drawn) {
            text.replace_range(range, &new);
        }
        Ok((self.checked(Self(text))?, sign))
    }

    /// Sets a property of what a character stands for; `None` removes it. An empty value is a property without one.
    ///
    /// # Errors
    /// When there is no such line, or the map could not be read with it.
    pub fn set(&self, sign: char, name: &str, value: Option<&str>) -> Result<Self, MapError> {
        let line = self.legend_line(sign)?;
        if let Some(value) = value
            && (value.contains(char::is_whitespace) || value.contains('='))
        {
            return Err(MapError::whole(said!("a value has no blanks and no `=`")));
        }
        let words = words(line.text);
        let found = words.iter().skip(2).find(|(_, word)| {
            let key = word.split_once('=').map_or(*word, |(key, _)| key);
            key == name && (word.contains('=') || *word != words[2].1)
        });
        let said = value.map(|value| match value {
            "" => name.to_owned(),
            value => format!("{name}={value}"),
        });
        let end = line.start + line.text.trim_end().len();
        let splice = match (found, said) {
            (Some((at, word)), Some(said)) => {
                let start = line.start + at;
                (start..start + word.len(), said)
            }
            (Some((at, word)), None) => {
                let before = line.text[..*at].trim_end().len();
                let start = line.start + before;
                (start..line.start + at + word.len(), String::new())
            }
            (None, Some(said)) => (end..end, format!(" {said}")),
            (None, None) => return Ok(self.clone()),
        };
        self.with(vec![splice])
    }

    /// Gives an actor, a spot or a thing another name, wherever the map names it.
    ///
    /// # Errors
    /// When there is no such line, or the map could not be read with it.
    pub fn rename(&self, sign: char, name: &str) -> Result<Self, MapError> {
        if name.is_empty() || name.contains(char::is_whitespace) || name.contains('=') {
            return Err(MapError::whole(said!("a name is one word without `=`")));
        }
        let line = self.legend_line(sign)?;
        let of =
            read(line.text).ok_or_else(|| MapError::whole(said!("this line makes no sense")))?;
        if of.name.is_empty() {
            let at = line.start + words(line.text)[1].0 + of.word.len();
            return self.with(vec![(at..at, format!(" {name}"))]);
        }
        let mut splices = Vec::new();
        for line in self.part(Part::Legend)? {
            splices.extend(renamed_in_legend(&line, &of, name));
        }
        for line in self.part(Part::Script)? {
            splices.extend(renamed_in_script(&line, &of, name));
        }
        for line in self.part(Part::Steer)? {
            splices.extend(renamed_in_steer(&line, &of, name));
        }
        splices.sort_by_key(|(range, _)| range.start);
        self.with(splices)
    }

    /// Removes what a character stands for: its line of the legend, and the character from the map.
    ///
    /// # Errors
    /// When there is no such line, or something else needs it.
    pub fn remove(&self, sign: char) -> Result<Self, MapError> {
        self.checked(self.without(sign)?)
    }

    /// The same, not checked.
    pub(super) fn without(&self, sign: char) -> Result<Self, MapError> {
        let line = self.legend_line(sign)?;
        let (first, last) = read(line.text).map_or((sign, sign), |of| of.signs);
        let mut splices = Vec::new();
        for row in self.part(Part::Map)? {
            let free = |one: char| match (first..=last).contains(&one) {
                true => FLOOR,
                false => one,
            };
            let drawn: String = row.text.chars().map(free).collect();
            splices.extend(differing(row.start, row.text, &drawn));
        }
        let end = self.0[line.start..].find('\n');
        let end = end.map_or(self.0.len(), |end| line.start + end + 1);
        splices.push((line.start..end, String::new()));
        splices.sort_by_key(|(range, _)| range.start);
        Ok(self.spliced(splices))
    }

    fn legend_line(&self, sign: char) -> Result<Line<'_>, MapError> {
        let is_it = |line: &Line<'_>| {
            read(line.text).is_some_and(|of| (of.signs.0..=of.signs.1).contains(&sign))
        };
        let found = self.part(Part::Legend)?.into_iter().find(is_it);
        found.ok_or_else(|| MapError::whole(said!("the legend has no `{}`", sign)))
    }

    /// A character that nothing has yet, from the name if possible: a capital letter for an actor.
    fn free_sign(&self, words: &[&str]) -> Result<char, MapError> {
        let legend = self.legend()?;
        let rows = self.rows()?;
        let is_free = |sign: &char| {
            let mut lines = legend.iter();
            sign.is_ascii_alphanumeric()
                && !lines.any(|line| (line.signs.0..=line.signs.1).contains(sign))
                && !rows.iter().any(|row| row.contains(*sign))
        };
        let named = words.get(1).or(words.first()).unwrap_or(&"");
        let letters = named.chars().filter(char::is_ascii_alphanumeric);
        let (low, high): (Vec<char>, Vec<char>) = letters
            .map(|one| (one.to_ascii_lowercase(), one.to_ascii_uppercase()))
            .unzip();
        let [first, then] = match words.first() {
            Some(&"actor") => [high, low],
            _ => [low, high],
        };
        let all = ('1'..='9').chain('a'..='z').chain('A'..='Z');
        let mut signs = first.into_iter().chain(then).chain(all);
        let free = signs.find(is_free);
        free.ok_or_else(|| MapError::whole(said!("no character is free any more")))
    }
}

/// The name in the lines of the legend that mean the same, and where it is a route or an owner.
fn renamed_in_legend(line: &Line<'_>, of: &LegendLine, name: &str) -> Vec<Splice> {
    let words = words(line.text);
    let is_same = words.get(1).is_some_and(|(_, word)| *word == of.word);
    let link = match of.word.as_str() {
        "spot" => "route=",
        "actor" => "owner=",
        _ => "",
    };
    let splices = words
        .iter()
        .enumerate()
        .skip(2)
        .filter_map(|(nth, (at, word))| {
            let start = line.start + at;
            if is_same && *word == of.name && (nth == 2 || of.word != "actor") {
                return Some((start..start + word.len(), name.to_owned()));
            }
            let value = word.strip_prefix(link).filter(|_| !link.is_empty())?;
            let from = start + link.len();
            (value == of.name).then(|| (from..from + value.len(), name.to_owned()))
        });
    splices.collect()
}

/// The name in a line of the script, where that names somebody or a place.
fn renamed_in_script(line: &Line<'_>, of: &LegendLine, name: &str) -> Vec<Splice> {
    let words = words(line.text);
    let splices = words
        .iter()
        .enumerate()
        .skip(2)
        .filter_map(|(nth, (at, word))| {
            let before = words[nth - 1].1;
            let is_named = match of.word.as_str() {
                "spot" => nth > 2 && matches!(before, "goes" | "at"),
                "actor" => before == "follows" || nth == 2,
                _ => false,
            };
            // Several actors of one line have numbers.
            let rest = word.strip_prefix(of.name.as_str())?;
            let is_one = rest.is_empty()
                || of.word == "actor"
                    && rest.len() > 1
                    && rest.starts_with('-')
                    && rest[1..].bytes().all(|one| one.is_ascii_digit());
            let start = line.start + at;
            (is_named && is_one).then(|| (start..start + of.name.len(), name.to_owned()))
        });
    splices.collect()
}

/// The name of an actor in a line for learners: after `who`, and before the point of a key, as in `guard.alarm`.
fn renamed_in_steer(line: &Line<'_>, of: &LegendLine, name: &str) -> Vec<Splice> {
    if of.word != "actor" {
        return Vec::new();
    }
    let words = words(line.text);
    let is_who = words.first().is_some_and(|(_, word)| *word == "who");
    let (old, new) = match is_who {
        true => (of.name.clone(), name.to_owned()),
        false => (in_expressions(&of.name), in_expressions(name)),
    };
    let is_part = |char: char| char.is_alphanumeric() || char == '_' || is_who && char == '-';
    let found = line.text.match_indices(old.as_str());
    let splices = found.filter_map(|(at, _)| {
        let (before, after) = (&line.text[..at], &line.text[at + old.len()..]);
        let begins = at > 0 && !before.ends_with(|char| is_part(char) || char == '.');
        // Several actors of one line have numbers.
        let after = after.strip_prefix(['-', '_']).map_or(after, |rest| {
            rest.trim_start_matches(|char: char| char.is_ascii_digit())
        });
        let ends = match is_who {
            true => !after.starts_with(is_part),
            false => after.starts_with('.'),
        };
        let start = line.start + at;
        (begins && ends).then(|| (start..start + old.len(), new.clone()))
    });
    splices.collect()
}
