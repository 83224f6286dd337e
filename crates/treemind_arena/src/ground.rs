//! Where bodies can walk and see: walls, and the state of doors.

use crate::geometry::Cell;
use crate::grid::Grid;
use crate::things::Thing;
use serde::{Deserialize, Serialize};

/// The walls of a map and its doors.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ground {
    #[serde(skip)]
    grid: Grid,
    locked: Vec<Cell>,
    opaque: Vec<Cell>,
    /// A number that changes whenever a door changes.
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

    /// The same doors, in these walls.
    pub(crate) fn within(self, grid: Grid) -> Self {
        Self { grid, ..self }
    }

    /// Walls and floor.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// A number that changes whenever a door does, so that bodies look for a path again.
    pub fn state(&self) -> u32 {
        self.state
    }

    /// Whether a square cannot be entered: it is wall, or a locked door.
    pub fn is_blocked(&self, cell: Cell) -> bool {
        self.grid.is_wall(cell) || self.locked.contains(&cell)
    }

    /// Whether a square blocks sight: it is wall, or a door that is not open.
    pub fn is_opaque(&self, cell: Cell) -> bool {
        self.grid.is_wall(cell) || self.opaque.contains(&cell)
    }

    /// Copies the state of all doors.
    pub(crate) fn take_doors(&mut self, things: &[Thing]) {
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
