//! Where one can walk and see: walls, and doors as they stand.

use super::super::things::Thing;
use crate::geometry::Cell;
use crate::map::Grid;

/// The walls of a map and its doors.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ground {
    grid: Grid,
    locked: Vec<Cell>,
    opaque: Vec<Cell>,
    /// Another number whenever a door has changed.
    state: u32,
}

impl Ground {
    /// A ground without doors.
    pub fn new(grid: Grid) -> Self {
        Self {
            grid,
            locked: Vec::new(),
            opaque: Vec::new(),
            state: 0,
        }
    }

    /// Walls and floor.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// A number that changes whenever a door does, so that ways are looked for anew.
    pub fn state(&self) -> u32 {
        self.state
    }

    /// Whether nobody gets into a square: it is wall, or a locked door.
    pub fn is_blocked(&self, cell: Cell) -> bool {
        self.grid.is_wall(cell) || self.locked.contains(&cell)
    }

    /// Whether nobody sees through a square: it is wall, or a door that is not open.
    pub fn is_opaque(&self, cell: Cell) -> bool {
        self.grid.is_wall(cell) || self.opaque.contains(&cell)
    }

    /// Takes over how doors stand.
    pub(super) fn take_doors(&mut self, things: &[Thing]) {
        let cells = |is: fn(&Thing) -> bool| {
            let doors = things.iter().filter(move |thing| is(thing));
            doors.map(|thing| thing.cell)
        };
        self.locked.clear();
        self.locked.extend(cells(Thing::is_locked));
        self.opaque.clear();
        self.opaque.extend(cells(Thing::is_opaque));
        self.state += 1;
    }
}
