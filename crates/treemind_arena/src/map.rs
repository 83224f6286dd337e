//! Maps as small text files.

use crate::geometry::Cell;
use std::fmt;

/// The widest and highest map, in cells.
pub const MAX_SIDE: usize = 256;

/// Walls, and where everyone starts and goes.
///
/// One character per square: `#` wall, `.` or a blank floor, `G` the guard, `1` to `9` its round, `H` the hut that it
/// hides in, `I` the intruder, `a` to `z` the intruder's way. Lines that start with `;` are comments. What is outside
/// of the map is wall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    width: i32,
    height: i32,
    walls: Vec<bool>,
    guard: Cell,
    hut: Cell,
    round: Vec<Cell>,
    intruder: Cell,
    way: Vec<Cell>,
}

/// Why a text is not a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapError {
    line: Option<usize>,
    text: String,
}

impl MapError {
    /// The line of the file, from 1, where it is about one.
    pub fn line(&self) -> Option<usize> {
        self.line
    }
}

impl fmt::Display for MapError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(out, "line {line}: {}", self.text),
            None => out.write_str(&self.text),
        }
    }
}

impl std::error::Error for MapError {}

fn error(line: Option<usize>, text: impl Into<String>) -> MapError {
    MapError {
        line,
        text: text.into(),
    }
}

impl Map {
    /// Reads a map.
    ///
    /// # Errors
    /// When a character means nothing, a mark stands twice, the guard, the hut, the intruder or both their ways are
    /// missing, or the map is too large.
    pub fn parse(text: &str) -> Result<Self, MapError> {
        let rows: Vec<(usize, Vec<char>)> = text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.starts_with(';') && !line.trim().is_empty())
            .map(|(number, line)| (number + 1, line.trim_end().chars().collect()))
            .collect();
        let width = rows.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
        if width > MAX_SIDE || rows.len() > MAX_SIDE {
            return Err(error(
                None,
                format!("a map has at most {MAX_SIDE} by {MAX_SIDE} squares"),
            ));
        }
        let mut walls = vec![false; width * rows.len()];
        let mut marks: Vec<(char, Cell)> = Vec::new();
        for (y, (line, row)) in rows.iter().enumerate() {
            for (x, &mark) in row.iter().enumerate() {
                let cell = Cell {
                    x: x as i32,
                    y: y as i32,
                };
                match mark {
                    '#' => walls[y * width + x] = true,
                    '.' | ' ' => {}
                    'G' | 'H' | 'I' | '1'..='9' | 'a'..='z' => {
                        if marks.iter().any(|&(known, _)| known == mark) {
                            return Err(error(Some(*line), format!("`{mark}` stands twice")));
                        }
                        marks.push((mark, cell));
                    }
                    other => {
                        return Err(error(
                            Some(*line),
                            format!("`{other}` means nothing on a map"),
                        ));
                    }
                }
            }
        }
        marks.sort_unstable_by_key(|&(mark, _)| mark);
        let one = |wanted: char, what: &str| {
            let found = marks.iter().find(|&&(mark, _)| mark == wanted);
            found
                .map(|&(_, cell)| cell)
                .ok_or_else(|| error(None, format!("there is no {what} (`{wanted}`)")))
        };
        let all = |range: std::ops::RangeInclusive<char>, what: &str| {
            let found = marks.iter().filter(|(mark, _)| range.contains(mark));
            let cells: Vec<Cell> = found.map(|&(_, cell)| cell).collect();
            let missing = || error(None, format!("there is no {what} (`{}`)", range.start()));
            if cells.is_empty() {
                Err(missing())
            } else {
                Ok(cells)
            }
        };
        Ok(Self {
            width: width as i32,
            height: rows.len() as i32,
            guard: one('G', "guard")?,
            hut: one('H', "hut")?,
            round: all('1'..='9', "round for the guard")?,
            intruder: one('I', "intruder")?,
            way: all('a'..='z', "way for the intruder")?,
            walls,
        })
    }

    /// How many columns it has.
    pub fn width(&self) -> i32 {
        self.width
    }

    /// How many rows it has.
    pub fn height(&self) -> i32 {
        self.height
    }

    /// Whether a square is wall; everything outside is.
    pub fn is_wall(&self, cell: Cell) -> bool {
        let inside = (0..self.width).contains(&cell.x) && (0..self.height).contains(&cell.y);
        !inside || self.walls[(cell.y * self.width + cell.x) as usize]
    }

    /// Where the guard starts.
    pub fn guard(&self) -> Cell {
        self.guard
    }

    /// Where the guard hides.
    pub fn hut(&self) -> Cell {
        self.hut
    }

    /// The guard's round.
    pub fn round(&self) -> &[Cell] {
        &self.round
    }

    /// Where the intruder comes in.
    pub fn intruder(&self) -> Cell {
        self.intruder
    }

    /// The intruder's way; at its end it is gone.
    pub fn way(&self) -> &[Cell] {
        &self.way
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, Map};

    #[test]
    fn reads_walls_and_marks_in_order() {
        let map = Map::parse("; a comment\n#####\n#G2H#\n#1Iba\n####\n").unwrap();
        assert_eq!((map.width(), map.height()), (5, 4));
        assert_eq!(map.round(), [Cell { x: 1, y: 2 }, Cell { x: 2, y: 1 }]);
        assert_eq!(map.way(), [Cell { x: 4, y: 2 }, Cell { x: 3, y: 2 }]);
        assert!(map.is_wall(Cell { x: 0, y: 0 }) && map.is_wall(Cell { x: 1, y: 9 }));
        assert!(!map.is_wall(Cell { x: 4, y: 2 }));
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let text = |map: &str| Map::parse(map).unwrap_err().to_string();
        assert_eq!(text("#G1HIa\n##?"), "line 2: `?` means nothing on a map");
        assert_eq!(text("G1HIaG"), "line 1: `G` stands twice");
        assert_eq!(text("1HIa"), "there is no guard (`G`)");
        assert_eq!(text("GHIa"), "there is no round for the guard (`1`)");
        assert_eq!(text(""), "there is no guard (`G`)");
        assert_eq!(
            text(&"#".repeat(300)),
            "a map has at most 256 by 256 squares"
        );
    }
}
