//! Places and directions in whole numbers, so that every machine computes the same.

use serde::{Deserialize, Serialize};

/// A square of the map, one metre wide.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Cell {
    /// Columns from the left.
    pub x: i32,
    /// Rows from the top.
    pub y: i32,
}

impl Cell {
    /// The middle of the square.
    pub fn centre(self) -> Point {
        Point {
            x_mm: self.x * CELL_MM + CELL_MM / 2,
            y_mm: self.y * CELL_MM + CELL_MM / 2,
        }
    }
}

/// How wide a cell is, in millimetres.
pub const CELL_MM: i32 = 1_000;

/// A place, in millimetres from the top left corner of the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Point {
    /// To the right.
    pub x_mm: i32,
    /// Downwards.
    pub y_mm: i32,
}

impl Point {
    /// The square that the place is in.
    pub fn cell(self) -> Cell {
        Cell {
            x: self.x_mm.div_euclid(CELL_MM),
            y: self.y_mm.div_euclid(CELL_MM),
        }
    }

    pub(crate) fn offset_to(self, other: Point) -> (i64, i64) {
        let (dx, dy) = (other.x_mm - self.x_mm, other.y_mm - self.y_mm);
        (i64::from(dx), i64::from(dy))
    }

    /// How far it is to another place, rounded down to whole millimetres.
    pub fn distance_mm(self, other: Point) -> i32 {
        let (dx, dy) = self.offset_to(other);
        ((dx * dx + dy * dy) as u64).isqrt() as i32
    }

    /// The place `step_mm` from here on the way to `target`, or the target when it is nearer than that.
    pub fn towards(self, target: Point, step_mm: i32) -> Point {
        let distance = self.distance_mm(target);
        if distance <= step_mm {
            return target;
        }
        let (dx, dy) = self.offset_to(target);
        let part = |offset: i64| (offset * i64::from(step_mm) / i64::from(distance)) as i32;
        Point {
            x_mm: self.x_mm + part(dx),
            y_mm: self.y_mm + part(dy),
        }
    }

    /// The place `step_mm` from here in a direction.
    pub fn ahead(self, facing: Facing, step_mm: i32) -> Point {
        let part =
            |part: i32| (i64::from(part) * i64::from(step_mm) / i64::from(Facing::LENGTH)) as i32;
        Point {
            x_mm: self.x_mm + part(facing.x),
            y_mm: self.y_mm + part(facing.y),
        }
    }

    /// The direction of another place; `None` for the same place.
    pub fn direction_to(self, other: Point) -> Option<Facing> {
        let distance = i64::from(self.distance_mm(other));
        let (dx, dy) = self.offset_to(other);
        let part = |offset: i64| (offset * i64::from(Facing::LENGTH) / distance) as i32;
        (distance > 0).then(|| Facing {
            x: part(dx),
            y: part(dy),
        })
    }
}

/// A direction: a vector of length [`Facing::LENGTH`], give or take rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Facing {
    /// To the right.
    pub x: i32,
    /// Downwards.
    pub y: i32,
}

impl Facing {
    /// The length of the vector.
    pub const LENGTH: i32 = 1_000;

    /// To the right.
    pub const EAST: Self = Self {
        x: Self::LENGTH,
        y: 0,
    };

    /// To the left.
    pub const WEST: Self = Self {
        x: -Self::LENGTH,
        y: 0,
    };

    /// The opposite direction.
    pub fn turned(self) -> Self {
        Self {
            x: -self.x,
            y: -self.y,
        }
    }

    /// Whether `target` is in front of a body at `from` that looks this way (also to the side), and not behind it.
    pub fn is_ahead(self, from: Point, target: Point) -> bool {
        let (dx, dy) = from.offset_to(target);
        dx * i64::from(self.x) + dy * i64::from(self.y) >= 0
    }

    /// Whether `target`, seen from `eye`, is within the cone around this direction whose half angle has this
    /// cosine, in thousandths.
    pub fn has_in_cone(self, eye: Point, target: Point, half_angle_cos_permille: i64) -> bool {
        let (dx, dy) = eye.offset_to(target);
        let dot = dx * i64::from(self.x) + dy * i64::from(self.y);
        dot >= half_angle_cos_permille * i64::from(eye.distance_mm(target))
    }

    /// The nearest of the eight winds, counted clockwise from east.
    pub fn eighth(self) -> usize {
        // tan 22.5° is 0.414: beyond that, the other axis counts too.
        let (x, y) = (i64::from(self.x), i64::from(self.y));
        let (wide, high) = (x.abs(), y.abs());
        match (high * 1_000 > wide * 414, wide * 1_000 > high * 414) {
            (true, true) => match (x > 0, y > 0) {
                (true, true) => 1,
                (false, true) => 3,
                (false, false) => 5,
                (true, false) => 7,
            },
            (true, false) => [6, 2][usize::from(y > 0)],
            (false, _) => [4, 0][usize::from(x > 0)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Facing, Point};

    fn at(x_mm: i32, y_mm: i32) -> Point {
        Point { x_mm, y_mm }
    }

    #[test]
    fn steps_end_at_the_target() {
        assert_eq!(at(0, 0).towards(at(300, 400), 100), at(60, 80));
        assert_eq!(at(0, 0).towards(at(30, 40), 100), at(30, 40));
        assert_eq!(at(0, 0).direction_to(at(0, 0)), None);
    }

    #[test]
    fn a_cone_of_sixty_degrees_to_each_side() {
        let inside = |x, y| Facing::EAST.has_in_cone(at(0, 0), at(x, y), 500);
        assert!(inside(1_000, 0) && inside(1_000, 1_700) && inside(1_000, -1_700));
        assert!(!inside(1_000, 1_800) && !inside(-1_000, 0));
    }

    #[test]
    fn eighths_go_clockwise_from_east() {
        let around = [
            (9, 1),
            (7, 7),
            (1, 9),
            (-7, 7),
            (-9, 1),
            (-7, -7),
            (1, -9),
            (7, -7),
        ];
        for (eighth, (x, y)) in around.into_iter().enumerate() {
            assert_eq!(Facing { x, y }.eighth(), eighth);
        }
    }
}
