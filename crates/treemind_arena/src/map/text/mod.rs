//! Changes of a map that leave every other byte of its text as it is.

mod legend;
mod tests;

use super::error::MapError;
use super::parts::{self, Line, Part};
use super::scenario::Scenario;
use crate::geometry::Cell;
use crate::grid::MAX_SIDE;
use std::ops::Range;
use treemind::doc::said;

const WALL: char = '#';
const FLOOR: char = '.';

/// The text of a map that is to be changed. Each change gives another text, in which only the bytes differ that it is
/// about. Of a text that can be read, no change makes one that cannot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapText(String);

/// A line of the legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegendLine {
    /// The first and the last character that it is about.
    pub signs: (char, char),
    /// `actor`, `spot`, or what kind of thing it is.
    pub word: String,
    /// The name; empty for none.
    pub name: String,
    /// The properties, with their values.
    pub properties: Vec<(String, String)>,
}

/// A side of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapSide {
    /// Above.
    North,
    /// At the right.
    East,
    /// Below.
    South,
    /// At the left.
    West,
}

/// Bytes of the text, and what takes their place.
type Splice = (Range<usize>, String);

impl MapText {
    /// The text of a map; it may have mistakes.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The rows of the ground, as they are written.
    ///
    /// # Errors
    /// When the parts of the map are not clear.
    pub fn rows(&self) -> Result<Vec<&str>, MapError> {
        let rows = self.part(Part::Map)?.into_iter();
        Ok(rows.map(|line| line.text.trim_end()).collect())
    }

    /// The lines of the legend that can be read.
    ///
    /// # Errors
    /// When the parts of the map are not clear.
    pub fn legend(&self) -> Result<Vec<LegendLine>, MapError> {
        let lines = self.part(Part::Legend)?.into_iter();
        Ok(lines.filter_map(|line| legend::read(line.text)).collect())
    }

    /// Puts one character on squares: `#` for a wall, `.` for the floor, or one of the legend. One row below the last one and
    /// one column after the last one may be painted, too: the map grows. An actor that stands nowhere any more goes with its
    /// line of the legend.
    ///
    /// # Errors
    /// When a square is too far outside, or the map could not be read with it.
    pub fn paint(&self, cells: &[Cell], sign: char) -> Result<Self, MapError> {
        if sign.is_whitespace() || sign.is_control() {
            return Err(MapError::whole(said!(
                "this character cannot stand on a map"
            )));
        }
        let mut sorted = cells.to_vec();
        sorted.sort_by_key(|cell| (cell.y, cell.x));
        sorted.dedup();
        let signs: Vec<(Cell, char)> = sorted.into_iter().map(|cell| (cell, sign)).collect();
        let mut drawn = self.drawn(&signs)?;
        for sign in self.actors_gone_from(&drawn)? {
            drawn = drawn.without(sign)?;
        }
        self.checked(drawn)
    }

    /// The actors that stand on this map, and nowhere on another one.
    fn actors_gone_from(&self, other: &Self) -> Result<Vec<char>, MapError> {
        let (before, after) = (self.rows()?, other.rows()?);
        let stands = |rows: &[&str], sign| rows.iter().any(|row| row.contains(sign));
        let legend = self.legend()?.into_iter();
        let actors = legend.filter(|line| line.word == "actor" && line.signs.0 == line.signs.1);
        let signs = actors.map(|line| line.signs.0);
        Ok(signs
            .filter(|sign| stands(&before, *sign) && !stands(&after, *sign))
            .collect())
    }

    /// Moves what stands on a square to one with floor.
    ///
    /// # Errors
    /// When nothing stands there, or the other square is not free.
    pub fn move_mark(&self, from: Cell, to: Cell) -> Result<Self, MapError> {
        let what = self.sign_at(from)?;
        let sign = what.filter(|sign| !is_ground(*sign));
        let sign = sign.ok_or_else(|| MapError::whole(said!("nothing stands there")))?;
        if from == to {
            return Ok(self.clone());
        }
        if self.sign_at(to)?.is_some_and(|sign| !is_floor(sign)) {
            return Err(MapError::whole(said!("there is something already")));
        }
        let mut signs = [(from, FLOOR), (to, sign)];
        signs.sort_by_key(|(cell, _)| (cell.y, cell.x));
        self.checked(self.drawn(&signs)?)
    }

    /// Adds a row or a column of walls at a side.
    ///
    /// # Errors
    /// When the map is as large as it can be.
    pub fn grow(&self, side: MapSide) -> Result<Self, MapError> {
        let rows = self.part(Part::Map)?;
        let width = rows.iter().map(|row| count(row.text.trim_end())).max();
        let width = width.filter(|width| *width > 0);
        let width = width.ok_or_else(|| MapError::whole(said!("there is no map")))?;
        let (first, last) = (&rows[0], &rows[rows.len() - 1]);
        let wall = WALL.to_string().repeat(width);
        let splices = match side {
            MapSide::North => vec![self.line_at(first.start, &wall)],
            MapSide::South => vec![self.line_after(last, &wall)],
            MapSide::West => {
                let rows = rows.iter();
                rows.map(|row| (row.start..row.start, WALL.to_string()))
                    .collect()
            }
            MapSide::East => {
                let end = |row: &Line<'_>| {
                    let text = row.text.trim_end();
                    let at = row.start + text.len();
                    let gap = FLOOR.to_string().repeat(width - count(text));
                    (at..row.start + row.text.len(), format!("{gap}{WALL}"))
                };
                rows.iter().map(end).collect()
            }
        };
        self.with(splices)
    }

    /// The same map with these characters, which are sorted by their squares; not checked.
    fn drawn(&self, signs: &[(Cell, char)]) -> Result<Self, MapError> {
        let rows = self.part(Part::Map)?;
        let width = rows.iter().map(|row| count(row.text)).max().unwrap_or(0);
        let mut splices = Vec::new();
        for group in signs.chunk_by(|(left, _), (right, _)| left.y == right.y) {
            let y = usize::try_from(group[0].0.y).unwrap_or(usize::MAX);
            let before = match rows.get(y) {
                Some(row) => row.text,
                None if y == rows.len() && y < MAX_SIDE => "",
                None => return Err(MapError::whole(said!("this is outside of the map"))),
            };
            let mut row: Vec<char> = before.chars().collect();
            for (cell, sign) in group {
                let x = usize::try_from(cell.x).unwrap_or(usize::MAX);
                if x > width || x >= MAX_SIDE {
                    return Err(MapError::whole(said!("this is outside of the map")));
                }
                while row.len() <= x {
                    row.push(FLOOR);
                }
                // What is floor already stays as it is written.
                if !(is_floor(*sign) && is_floor(row[x])) {
                    row[x] = *sign;
                }
            }
            if matches!(row.first(), Some(';' | '[')) {
                let text = said!("a row cannot begin with `;` or `[`");
                return Err(MapError::whole(text));
            }
            let row: String = row.into_iter().collect();
            match (rows.get(y), rows.last()) {
                (Some(line), _) => splices.extend(differing(line.start, line.text, &row)),
                (None, Some(last)) => splices.push(self.line_after(last, &row)),
                (None, None) => return Err(MapError::whole(said!("there is no map"))),
            }
        }
        Ok(self.spliced(splices))
    }

    /// The character on a square, if that is on the map; floor where a row has ended.
    fn sign_at(&self, cell: Cell) -> Result<Option<char>, MapError> {
        let rows = self.rows()?;
        let (Ok(x), Ok(y)) = (usize::try_from(cell.x), usize::try_from(cell.y)) else {
            return Ok(None);
        };
        let row = rows.get(y);
        Ok(row.map(|row| row.chars().nth(x).unwrap_or(FLOOR)))
    }

    fn part(&self, part: Part) -> Result<Vec<Line<'_>>, MapError> {
        let mut lines = parts::lines(&self.0)?;
        lines.retain(|line| line.part == part);
        Ok(lines)
    }

    fn line_end(&self) -> &'static str {
        if self.0.contains("\r\n") {
            "\r\n"
        } else {
            "\n"
        }
    }

    /// A new line at a place where a line begins.
    fn line_at(&self, start: usize, text: &str) -> Splice {
        (start..start, format!("{text}{}", self.line_end()))
    }

    /// A new line after another one.
    fn line_after(&self, line: &Line<'_>, text: &str) -> Splice {
        let end = line.start + line.text.len();
        (end..end, format!("{}{text}", self.line_end()))
    }

    /// The text with these changes, which are in order and apart from one another.
    fn with(&self, splices: Vec<Splice>) -> Result<Self, MapError> {
        self.checked(self.spliced(splices))
    }

    /// The same, not checked.
    fn spliced(&self, splices: Vec<Splice>) -> Self {
        let mut text = self.0.clone();
        for (range, new) in splices.into_iter().rev() {
            text.replace_range(range, &new);
        }
        Self(text)
    }

    /// What a change has made of this map: if this one can be read, so has it to be.
    fn checked(&self, changed: Self) -> Result<Self, MapError> {
        if Scenario::parse(&self.0).is_ok() {
            Scenario::parse(&changed.0)?;
        }
        Ok(changed)
    }
}

fn count(row: &str) -> usize {
    row.chars().count()
}

fn is_floor(sign: char) -> bool {
    matches!(sign, FLOOR | ' ')
}

fn is_ground(sign: char) -> bool {
    sign == WALL || is_floor(sign)
}

/// The bytes of a line that differ, and what takes their place.
fn differing(start: usize, before: &str, after: &str) -> Option<Splice> {
    if before == after {
        return None;
    }
    let same = |(left, right): &(char, char)| left == right;
    let pairs = before.chars().zip(after.chars());
    let head: usize = pairs.take_while(same).map(|(one, _)| one.len_utf8()).sum();
    let (left, right) = (&before[head..], &after[head..]);
    let pairs = left.chars().rev().zip(right.chars().rev());
    let tail: usize = pairs.take_while(same).map(|(one, _)| one.len_utf8()).sum();
    let range = start + head..start + before.len() - tail;
    Some((range, right[..right.len() - tail].to_owned()))
}
