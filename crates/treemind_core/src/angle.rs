//! The angle between two vectors, from operations that give the same bits on every machine.

use std::f64::consts::{FRAC_PI_2, PI};

/// The angle between two vectors, in degrees.
pub(crate) fn angle(a: [f64; 3], b: [f64; 3]) -> f32 {
    let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let cross = [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ];
    let cross = (cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]).sqrt();
    if !(dot.is_finite() && cross.is_finite()) {
        return f32::NAN;
    }
    let radians = if cross > dot.abs() {
        FRAC_PI_2 - arctan(dot / cross)
    } else if dot == 0.0 {
        0.0
    } else {
        let small = arctan(cross / dot.abs());
        if dot < 0.0 { PI - small } else { small }
    };
    (radians * (180.0 / PI)) as f32
}

/// The arc tangent of a number between -1 and 1.
fn arctan(x: f64) -> f64 {
    // Half of the angle, and half of that: the series needs few terms then.
    let half = |x: f64| x / (1.0 + (1.0 + x * x).sqrt());
    let x = half(half(x));
    let square = x * x;
    let mut sum = 0.0;
    for odd in (0..12).rev().map(|term| f64::from(2 * term + 1)) {
        sum = 1.0 / odd - square * sum;
    }
    4.0 * x * sum
}

#[cfg(test)]
mod tests {
    use super::{angle, arctan};

    #[test]
    #[cfg_attr(
        miri,
        ignore = "the standard library's functions are less exact there, on purpose"
    )]
    fn arc_tangents_are_right_to_the_last_digits() {
        for step in -1_000..=1_000 {
            let x = f64::from(step) / 1_000.0;
            assert!((arctan(x) - x.atan()).abs() < 4e-16, "{x}");
        }
    }

    #[test]
    fn angles_are_in_degrees() {
        let x = [1.0, 0.0, 0.0];
        let cases = [
            ([2.0, 0.0, 0.0], 0.0),
            ([0.0, 3.0, 0.0], 90.0),
            ([0.0, 0.0, -3.0], 90.0),
            ([-5.0, 0.0, 0.0], 180.0),
            ([1.0, 1.0, 0.0], 45.0),
            ([-1.0, 0.0, 1.0], 135.0),
            ([0.0; 3], 0.0),
        ];
        for (other, wanted) in cases {
            assert_eq!(angle(x, other), wanted, "{other:?}");
        }
        assert!(angle(x, [f64::NAN, 0.0, 0.0]).is_nan());
        assert!(angle(x, [f64::INFINITY, 0.0, 0.0]).is_nan());
    }
}
