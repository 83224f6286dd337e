//! Sight: range, field of view, and walls in between.

use crate::geometry::{CELL_MM, Cell, Facing, Point};
use crate::ground::Ground;

/// An eye: how far and how wide it sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Eye {
    /// How far, in millimetres.
    pub range_mm: i32,
    /// The cosine of half the field of view, in thousandths.
    pub half_angle_cos_permille: i64,
    /// The distance within which it notices things in any direction, in millimetres.
    pub near_mm: i32,
}

/// The eye that most bodies have.
pub const EYE: Eye = Eye {
    range_mm: 8_000,
    half_angle_cos_permille: 500,
    near_mm: 1_500,
};

impl Eye {
    /// Whether `target` is visible from `place` when looking in this direction.
    pub fn sees(&self, ground: &Ground, place: Point, facing: Facing, target: Point) -> bool {
        let distance = place.distance_mm(target);
        let in_view = distance <= self.near_mm
            || distance <= self.range_mm
                && facing.has_in_cone(place, target, self.half_angle_cos_permille);
        in_view && is_clear(ground, place, target)
    }
}

/// Whether no wall and no closed door is on the straight line between two places. A line through the corner between
/// two squares is blocked when the squares on both sides of it are.
pub fn is_clear(ground: &Ground, from: Point, to: Point) -> bool {
    let (dx, dy) = (
        i64::from(to.x_mm - from.x_mm),
        i64::from(to.y_mm - from.y_mm),
    );
    let (step_x, step_y) = (dx.signum() as i32, dy.signum() as i32);
    let (mut at, end) = (from.cell(), to.cell());
    // Millimetres from the start to the next border between squares, along each axis.
    let border = |start: i32, cell: i32, ahead: bool| {
        let edge = (cell + i32::from(ahead)) * CELL_MM;
        i64::from((edge - start).abs())
    };
    let mut next_x = border(from.x_mm, at.x, dx > 0);
    let mut next_y = border(from.y_mm, at.y, dy > 0);
    let squares = (end.x - at.x).abs() + (end.y - at.y).abs();
    for _ in 0..=squares {
        if ground.is_opaque(at) {
            return false;
        }
        if at == end {
            break;
        }
        // The border that the line meets first. It compares products instead of quotients, to stay with whole numbers.
        let (time_x, time_y) = (next_x * dy.abs(), next_y * dx.abs());
        let (cross_x, cross_y) = match (dx, dy) {
            (_, 0) => (true, false),
            (0, _) => (false, true),
            _ => (time_x <= time_y, time_y <= time_x),
        };
        let beside_x = Cell {
            x: at.x + step_x,
            ..at
        };
        let beside_y = Cell {
            y: at.y + step_y,
            ..at
        };
        if cross_x && cross_y && ground.is_opaque(beside_x) && ground.is_opaque(beside_y) {
            return false;
        }
        if cross_x {
            at.x += step_x;
            next_x += i64::from(CELL_MM);
        }
        if cross_y {
            at.y += step_y;
            next_y += i64::from(CELL_MM);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{Cell, Eye, Facing, Ground, is_clear};
    use crate::map::Scenario;

    const EYE: Eye = Eye {
        range_mm: 5_000,
        half_angle_cos_permille: 500,
        near_mm: 1_000,
    };

    fn ground() -> Ground {
        let text = "[map]\n..........\n...#......\n..#.......\n..........\n";
        Ground::new(Scenario::parse(text).unwrap().grid)
    }

    fn clear(from: (i32, i32), to: (i32, i32)) -> bool {
        let centre = |(x, y)| Cell { x, y }.centre();
        let both = [
            is_clear(&ground(), centre(from), centre(to)),
            is_clear(&ground(), centre(to), centre(from)),
        ];
        assert_eq!(
            both[0], both[1],
            "sight lines go both ways: {from:?} {to:?}"
        );
        both[0]
    }

    #[test]
    fn walls_block_the_line() {
        assert!(clear((0, 0), (9, 0)));
        assert!(!clear((0, 1), (9, 1)));
        assert!(!clear((3, 0), (3, 3)));
        assert!(clear((0, 3), (9, 3)));
        assert!(clear((4, 3), (4, 0)));
    }

    #[test]
    fn nothing_slips_through_two_touching_corners() {
        assert!(!clear((2, 1), (3, 2)), "between the walls at 3,1 and 2,2");
        assert!(clear((1, 2), (2, 3)), "past the corner of one wall");
    }

    #[test]
    fn range_and_field_of_view_count() {
        let ground = ground();
        let sees = |facing, x, y| {
            EYE.sees(
                &ground,
                Cell { x: 4, y: 3 }.centre(),
                facing,
                Cell { x, y }.centre(),
            )
        };
        let west = Facing { x: -1_000, y: 0 };
        assert!(sees(Facing::EAST, 9, 3) && !sees(west, 9, 3));
        assert!(!sees(Facing::EAST, 0, 3) && sees(west, 0, 3));
        assert!(
            sees(Facing::EAST, 3, 3),
            "what is near is noticed behind one's back"
        );
    }
}
