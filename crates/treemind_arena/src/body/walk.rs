//! Paths around walls.

use crate::geometry::{Cell, Facing, Point};
use crate::ground::Ground;
use pathfinding::prelude::{astar, dijkstra_all};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

const STRAIGHT: u32 = 10;
const DIAGONAL: u32 = 14;

/// The squares from `from` (not included) to `to`, the last one first; `None` when there is no path.
fn find(ground: &Ground, from: Cell, to: Cell) -> Option<Vec<Cell>> {
    let estimate = |cell: &Cell| {
        let (dx, dy) = (cell.x.abs_diff(to.x), cell.y.abs_diff(to.y));
        DIAGONAL * dx.min(dy) + STRAIGHT * dx.abs_diff(dy)
    };
    let (mut cells, _) = astar(
        &from,
        |&cell| steps(ground, cell),
        estimate,
        |&cell| cell == to,
    )?;
    cells.reverse();
    cells.pop();
    Some(cells)
}

/// The neighbouring squares that can be walked to, without cutting the corner of a wall.
fn steps(ground: &Ground, from: Cell) -> impl Iterator<Item = (Cell, u32)> + '_ {
    const AROUND: [(i32, i32); 8] = [
        (1, 0),
        (0, 1),
        (-1, 0),
        (0, -1),
        (1, 1),
        (-1, 1),
        (-1, -1),
        (1, -1),
    ];
    AROUND.into_iter().filter_map(move |(dx, dy)| {
        let to = Cell {
            x: from.x + dx,
            y: from.y + dy,
        };
        let blocked = ground.is_blocked(to)
            || ground.is_blocked(Cell { x: to.x, y: from.y })
            || ground.is_blocked(Cell { x: from.x, y: to.y });
        let cost = if dx != 0 && dy != 0 {
            DIAGONAL
        } else {
            STRAIGHT
        };
        (!blocked).then_some((to, cost))
    })
}

/// The progress of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// On the way.
    Going,
    /// Arrived.
    Arrived,
    /// There is no path.
    NoWay,
}

/// A body that walks: its place, its direction and the path ahead.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Walker {
    /// Where it is.
    pub place: Point,
    /// The direction in which it looks.
    pub facing: Facing,
    /// Its goal, and the state of the ground for which the path was found.
    goal: Option<(Cell, u32)>,
    /// A start and a goal with no path between them, so that the path is not searched for again every tick.
    no_way: Option<(Cell, Cell, u32)>,
    /// The rest of the path, the last square first.
    ahead: Vec<Cell>,
}

impl Walker {
    /// A walker in the middle of a square.
    pub fn new(cell: Cell, facing: Facing) -> Self {
        Self {
            place: cell.centre(),
            facing,
            goal: None,
            no_way: None,
            ahead: Vec::new(),
        }
    }

    /// Turns towards a place.
    pub fn face(&mut self, target: Point) {
        self.facing = self.place.direction_to(target).unwrap_or(self.facing);
    }

    /// The rest of its path, the next square first, with the goal at the end.
    pub fn way(&self) -> impl Iterator<Item = Cell> + '_ {
        let goal = self.goal.map(|(goal, _)| goal);
        let is_open = self.ahead.first().copied() != goal;
        let ahead = self.ahead.iter().rev().copied();
        ahead
            .chain(goal.filter(|_| is_open))
            .filter(|_| self.goal.is_some())
    }

    /// The length of the way to each square that it can reach, in tenths of the width of a square.
    pub(crate) fn ways(&self, ground: &Ground) -> HashMap<Cell, u32> {
        let here = self.place.cell();
        let all = dijkstra_all(&here, |&cell| steps(ground, cell));
        let lengths = all.into_iter().map(|(cell, (_, length))| (cell, length));
        lengths.chain([(here, 0)]).collect()
    }

    /// Forgets its path.
    pub fn halt(&mut self) {
        self.goal = None;
        self.ahead.clear();
    }

    /// Puts it at another place, without searching for a path.
    pub fn move_to(&mut self, place: Point) {
        self.goal = None;
        self.place = place;
    }

    /// Goes straight towards a place, by at most `step_mm`.
    pub fn go_straight(&mut self, target: Point, step_mm: i32) {
        self.goal = None;
        self.face(target);
        self.place = self.place.towards(target, step_mm);
    }

    /// Continues towards the middle of a square, around walls, by at most `step_mm`.
    pub fn go_to(&mut self, ground: &Ground, goal: Cell, step_mm: i32) -> Walk {
        let state = ground.state();
        if self.goal != Some((goal, state)) {
            let here = self.place.cell();
            if self.no_way == Some((here, goal, state)) {
                return Walk::NoWay;
            }
            let Some(ahead) = find(ground, here, goal) else {
                self.no_way = Some((here, goal, state));
                return Walk::NoWay;
            };
            self.ahead = ahead;
            self.goal = Some((goal, state));
        }
        let next = self.ahead.last().copied().unwrap_or(goal).centre();
        self.face(next);
        self.place = self.place.towards(next, step_mm);
        if self.place == next && self.ahead.pop().is_none_or(|_| self.ahead.is_empty()) {
            self.goal = None;
            return Walk::Arrived;
        }
        Walk::Going
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, Facing, Ground, Walk, Walker, find};
    use crate::map::Scenario;

    fn ground(rows: &str) -> Ground {
        Ground::new(Scenario::parse(&format!("[map]\n{rows}")).unwrap().grid)
    }

    #[test]
    fn goes_around_walls_and_never_across_their_corners() {
        let ground = ground(".....\n.##..\n.....\n");
        let way = find(&ground, Cell { x: 1, y: 0 }, Cell { x: 1, y: 2 }).unwrap();
        let expected = [(1, 2), (0, 2), (0, 1), (0, 0)].map(|(x, y)| Cell { x, y });
        assert_eq!(way, expected);
    }

    #[test]
    fn arrives_once_or_says_that_there_is_no_way() {
        let ground = ground(".....\n###.#\n#...#\n#####\n..###");
        let mut walker = Walker::new(Cell { x: 0, y: 0 }, Facing::EAST);
        let mut ticks = 0;
        while walker.go_to(&ground, Cell { x: 1, y: 2 }, 100) == Walk::Going {
            ticks += 1;
        }
        assert_eq!(walker.place.cell(), Cell { x: 1, y: 2 });
        assert_eq!(ticks, 69);
        assert_eq!(
            walker.go_to(&ground, Cell { x: 1, y: 2 }, 100),
            Walk::Arrived
        );
        for _ in 0..2 {
            assert_eq!(walker.go_to(&ground, Cell { x: 0, y: 4 }, 100), Walk::NoWay);
        }
    }
}
