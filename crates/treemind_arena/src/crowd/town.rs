//! A town: its places, and the ways to them.

use crate::geometry::{Cell, Point};
use crate::grid::Grid;
use crate::map::Scenario;
use std::collections::VecDeque;
use treemind::core::chance::Draw;

/// How far people stand from the middle of a square at most, in millimetres.
const SPREAD_MM: i32 = 400;

/// The number of a place, from 0.
pub(super) type PlaceId = u16;

/// A place in a town: a square with the name of a spot.
struct Place {
    name: usize,
    cell: Cell,
    /// For each square, the next one on the way to this place; `None` where there is no way.
    next: Vec<Option<u16>>,
}

/// What does not change while a crowd lives in it.
pub(super) struct Town {
    pub(super) grid: Grid,
    /// The names of places, each once, in the order in which the map has them.
    names: Vec<String>,
    places: Vec<Place>,
    seed: u64,
}

impl Town {
    /// The places of a scenario, and the shortest ways to each of them.
    pub(super) fn new(scenario: &Scenario, seed: u64) -> Self {
        let mut town = Self {
            grid: scenario.grid.clone(),
            names: Vec::new(),
            places: Vec::new(),
            seed,
        };
        for spot in &scenario.spots {
            let known = town.names.iter().position(|name| *name == spot.name);
            let name = known.unwrap_or_else(|| {
                town.names.push(spot.name.clone());
                town.names.len() - 1
            });
            let next = ways(&town.grid, spot.cell);
            town.places.push(Place {
                name,
                cell: spot.cell,
                next,
            });
        }
        town
    }

    /// The seed of all that is drawn.
    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// How many places there are.
    pub(super) fn places(&self) -> usize {
        self.places.len()
    }

    /// The number of a name of places.
    pub(super) fn name_of(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// The place of this name that a person goes to: always the same one, drawn among all.
    pub(super) fn place_of(&self, person: usize, name: usize) -> Option<PlaceId> {
        let of_name = || {
            (0..)
                .zip(&self.places)
                .filter(|(_, place)| place.name == name)
        };
        let count = of_name().count() as u32;
        if count == 0 {
            return None;
        }
        let nth = self.draw(person, 1 + name as u32, count);
        of_name().nth(nth as usize).map(|(id, _)| id)
    }

    pub(super) fn cell_of(&self, place: PlaceId) -> Cell {
        self.places[usize::from(place)].cell
    }

    /// A number below `bound` that is drawn for a person once and for ever.
    pub(super) fn draw(&self, person: usize, what: u32, bound: u32) -> u32 {
        let draw = Draw {
            seed: self.seed,
            agent: person as u64,
            node: what,
            tick: 0,
            nth: 0,
        };
        draw.below(bound)
    }

    /// Where in a square a person stands.
    pub(super) fn stand(&self, person: usize, cell: Cell) -> Point {
        let offset = |what| self.draw(person, what, 2 * SPREAD_MM as u32) as i32 - SPREAD_MM;
        let (dx, dy) = (offset(1_000), offset(1_001));
        let centre = cell.centre();
        Point {
            x_mm: centre.x_mm + dx,
            y_mm: centre.y_mm + dy,
        }
    }

    /// The next square on the way from one to a place: the same square at its end.
    pub(super) fn next(&self, from: Cell, place: PlaceId) -> Option<Cell> {
        let next = self.places[usize::from(place)].next[self.index(from)?]?;
        let (width, next) = (self.grid.width(), i32::from(next));
        Some(Cell {
            x: next % width,
            y: next / width,
        })
    }

    /// The number of a square, row by row.
    pub(super) fn index(&self, cell: Cell) -> Option<usize> {
        let is_there = self.grid.contains(cell);
        is_there.then(|| (cell.y * self.grid.width() + cell.x) as usize)
    }

    /// The number of the square that a point is in.
    pub(super) fn square(&self, place: Point) -> Option<usize> {
        self.index(place.cell())
    }
}

/// For each square, the next one on a shortest way to `goal`. Steps go to the four neighbours.
fn ways(grid: &Grid, goal: Cell) -> Vec<Option<u16>> {
    let (width, height) = (grid.width(), grid.height());
    let index = |cell: Cell| (cell.y * width + cell.x) as usize;
    let mut next = vec![None; (width * height) as usize];
    next[index(goal)] = Some(index(goal) as u16);
    let mut edge = VecDeque::from([goal]);
    while let Some(cell) = edge.pop_front() {
        // Which neighbours come first changes from square to square, so that ways do not hug the walls.
        let turn = ((cell.x + cell.y) % 2) as usize * 2;
        for step in 0..4 {
            let (dx, dy) = [(1, 0), (-1, 0), (0, 1), (0, -1)][(step + turn) % 4];
            let from = Cell {
                x: cell.x + dx,
                y: cell.y + dy,
            };
            if !grid.is_wall(from) && next[index(from)].is_none() {
                next[index(from)] = Some(index(cell) as u16);
                edge.push_back(from);
            }
        }
    }
    next
}
