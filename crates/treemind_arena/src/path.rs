//! Ways around walls.

use crate::geometry::{Cell, Facing, Point};
use crate::map::Map;
use pathfinding::prelude::astar;

const STRAIGHT: u32 = 10;
const DIAGONAL: u32 = 14;

/// The squares from `from` (left out) to `to`, the last one first; `None` when there is no way.
fn find(map: &Map, from: Cell, to: Cell) -> Option<Vec<Cell>> {
    let estimate = |cell: &Cell| {
        let (dx, dy) = (cell.x.abs_diff(to.x), cell.y.abs_diff(to.y));
        DIAGONAL * dx.min(dy) + STRAIGHT * dx.abs_diff(dy)
    };
    let (mut cells, _) = astar(
        &from,
        |&cell| steps(map, cell),
        estimate,
        |&cell| cell == to,
    )?;
    cells.reverse();
    cells.pop();
    Some(cells)
}

/// The neighbours that can be walked to; not across the corner of a wall.
fn steps(map: &Map, from: Cell) -> impl Iterator<Item = (Cell, u32)> + '_ {
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
        let blocked = map.is_wall(to)
            || map.is_wall(Cell { x: to.x, y: from.y })
            || map.is_wall(Cell { x: from.x, y: to.y });
        let cost = if dx != 0 && dy != 0 {
            DIAGONAL
        } else {
            STRAIGHT
        };
        (!blocked).then_some((to, cost))
    })
}

/// How far a walk has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// On the way.
    Going,
    /// There.
    Arrived,
    /// There is no way.
    NoWay,
}

/// Somebody who walks: a place, a direction and the way ahead.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Walker {
    /// Where it is.
    pub place: Point,
    /// Where it looks.
    pub facing: Facing,
    goal: Option<Cell>,
    /// What is left of the way, the last square first.
    ahead: Vec<Cell>,
}

impl Walker {
    /// Somebody in the middle of a square.
    pub fn new(cell: Cell, facing: Facing) -> Self {
        Self {
            place: cell.centre(),
            facing,
            goal: None,
            ahead: Vec::new(),
        }
    }

    /// Looks towards a place.
    pub fn face(&mut self, target: Point) {
        self.facing = self.place.direction_to(target).unwrap_or(self.facing);
    }

    /// Goes straight towards a place, by at most `step_mm`.
    pub fn go_straight(&mut self, target: Point, step_mm: i32) {
        self.goal = None;
        self.face(target);
        self.place = self.place.towards(target, step_mm);
    }

    /// Goes on towards the middle of a square, around walls, by at most `step_mm`.
    pub fn go_to(&mut self, map: &Map, goal: Cell, step_mm: i32) -> Walk {
        if self.goal != Some(goal) {
            let Some(ahead) = find(map, self.place.cell(), goal) else {
                return Walk::NoWay;
            };
            self.ahead = ahead;
            self.goal = Some(goal);
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
    use super::{Cell, Facing, Map, Walk, Walker, find};

    #[test]
    fn goes_around_walls_and_never_across_their_corners() {
        let map = Map::parse("G1HIa\n.##..\n.....\n").unwrap();
        let way = find(&map, Cell { x: 1, y: 0 }, Cell { x: 1, y: 2 }).unwrap();
        let expected = [(1, 2), (0, 2), (0, 1), (0, 0)].map(|(x, y)| Cell { x, y });
        assert_eq!(way, expected);
    }

    #[test]
    fn arrives_once_or_says_that_there_is_no_way() {
        let map = Map::parse("G1HIa\n###.#\n#...#\n#####\n..###").unwrap();
        let mut walker = Walker::new(map.guard(), Facing::EAST);
        let mut ticks = 0;
        while walker.go_to(&map, Cell { x: 1, y: 2 }, 100) == Walk::Going {
            ticks += 1;
        }
        assert_eq!(walker.place.cell(), Cell { x: 1, y: 2 });
        assert_eq!(ticks, 69);
        assert_eq!(walker.go_to(&map, Cell { x: 1, y: 2 }, 100), Walk::Arrived);
        assert_eq!(walker.go_to(&map, Cell { x: 0, y: 4 }, 100), Walk::NoWay);
    }
}
