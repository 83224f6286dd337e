//! The ground: squares that are wall or floor.

use crate::geometry::Cell;

/// The largest width and height of a map, in squares.
pub const MAX_SIDE: usize = 256;

/// Walls and floor. Everything outside is wall.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Grid {
    width: i32,
    height: i32,
    walls: Vec<bool>,
}

impl Grid {
    /// A ground of floor only. Its sides are at most [`MAX_SIDE`]; anything beyond is left out.
    pub fn new(width: usize, height: usize) -> Self {
        let (width, height) = (width.min(MAX_SIDE), height.min(MAX_SIDE));
        Self {
            width: width as i32,
            height: height as i32,
            walls: vec![false; width * height],
        }
    }

    /// Makes a square a wall; squares outside are walls already.
    pub fn build_wall(&mut self, cell: Cell) {
        if self.contains(cell) {
            self.walls[(cell.y * self.width + cell.x) as usize] = true;
        }
    }

    /// How many columns it has.
    pub fn width(&self) -> i32 {
        self.width
    }

    /// How many rows it has.
    pub fn height(&self) -> i32 {
        self.height
    }

    /// Whether a square is on the map.
    pub fn contains(&self, cell: Cell) -> bool {
        (0..self.width).contains(&cell.x) && (0..self.height).contains(&cell.y)
    }

    /// Whether a square is wall.
    pub fn is_wall(&self, cell: Cell) -> bool {
        !self.contains(cell) || self.walls[(cell.y * self.width + cell.x) as usize]
    }
}
