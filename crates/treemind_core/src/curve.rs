//! Response curves: how much a quantity between 0 and 1 counts in favour of a decision.
//!
//! The functions of the standard library may round differently on another machine. These curves use only additions,
//! multiplications and divisions, whose results are defined to the last bit, so that a decision is the same
//! everywhere.

use crate::vectors::{Kernel, vectorized};
use std::f64::consts::{LN_2, LOG2_E};

/// A curve from 0–1 to 0–1. Its argument is clamped to 0–1 before, and its result is clamped after; NaN stays NaN.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Curve {
    /// `slope * x + offset`
    Linear {
        /// How much it rises from 0 to 1; below 0 it falls.
        slope: f64,
        /// Its value at 0.
        offset: f64,
    },
    /// `x` to the power of `exponent`: above 1 it starts slowly, below 1 quickly.
    Power {
        /// Above 0.
        exponent: f64,
    },
    /// `1 / (1 + e^(-steep * (x - mid)))`: an S around the middle.
    Logistic {
        /// Where its value is one half.
        mid: f64,
        /// Its steepness there, which is four times its slope; below 0 it falls.
        steep: f64,
    },
    /// `(e^(steep * x) - 1) / (e^steep - 1)`, or `x` if `steep` is 0: from 0 to 1, getting steeper.
    Exponential {
        /// [`-MAX_STEEP`](Self::MAX_STEEP) to [`MAX_STEEP`](Self::MAX_STEEP); below 0 it is steepest at 0.
        steep: f64,
    },
    /// 1 from `at` on, 0 before.
    Step {
        /// Where it steps.
        at: f64,
    },
    /// Straight lines from point to point, level before the first and after the last one.
    Points(Vec<[f64; 2]>),
}

impl Curve {
    /// The steepest allowed [`Exponential`](Self::Exponential).
    pub const MAX_STEEP: f64 = 100.0;

    /// The largest number of points of [`Points`](Self::Points).
    pub const MAX_POINTS: usize = 64;

    /// The word in documents.
    pub fn name(&self) -> &'static str {
        match self {
            Curve::Linear { .. } => "linear",
            Curve::Power { .. } => "power",
            Curve::Logistic { .. } => "logistic",
            Curve::Exponential { .. } => "exponential",
            Curve::Step { .. } => "step",
            Curve::Points(_) => "points",
        }
    }

    /// The value of the curve at `x`.
    pub fn value(&self, x: f64) -> f64 {
        let mut values = [x];
        self.bend(&mut values);
        values[0]
    }

    /// Replaces each value by its value on the curve.
    #[inline(never)]
    pub(crate) fn bend(&self, values: &mut [f64]) {
        let bend = Bend {
            curve: self,
            values,
        };
        vectorized(bend.values.len(), bend);
    }

    #[inline(always)]
    fn bend_here(&self, values: &mut [f64]) {
        match self {
            Curve::Linear { slope, offset } => each(values, |x| slope * x + offset),
            Curve::Power { exponent } => match whole(*exponent) {
                Some(whole) => each(values, |x| multiplied(x, whole)),
                None => each(values, |x| {
                    let power = exp(exponent * ln(x));
                    // There is no logarithm of 0, nor of NaN.
                    if x > 0.0 { power } else { x }
                }),
            },
            Curve::Logistic { mid, steep } => {
                each(values, |x| 1.0 / (1.0 + exp(-steep * (x - mid))))
            }
            Curve::Exponential { steep } if steep.abs() < 1e-6 => each(values, |x| x),
            Curve::Exponential { steep } => {
                let most = exp_m1(*steep);
                each(values, |x| exp_m1(steep * x) / most);
            }
            Curve::Step { at } => each(values, |x| {
                let high = if x >= *at { 1.0 } else { x };
                if x < *at { 0.0 } else { high }
            }),
            Curve::Points(points) => each(values, |x| between_points(points, x)),
        }
    }

    /// Checks that the curve is valid.
    ///
    /// # Errors
    /// What is wrong with its numbers.
    pub fn check(&self) -> Result<(), String> {
        let finite = |numbers: &[f64]| match numbers.iter().all(|number| number.is_finite()) {
            true => Ok(()),
            false => Err("a number of a curve is not finite".to_owned()),
        };
        match self {
            Curve::Linear { slope, offset } => finite(&[*slope, *offset]),
            Curve::Logistic { mid, steep } => finite(&[*mid, *steep]),
            Curve::Step { at } => finite(&[*at]),
            Curve::Power { exponent } if *exponent > 0.0 => finite(&[*exponent]),
            Curve::Power { .. } => Err("an exponent that is not greater than 0".to_owned()),
            Curve::Exponential { steep } if steep.abs() <= Self::MAX_STEEP => Ok(()),
            Curve::Exponential { .. } => Err("an exponential that is too steep".to_owned()),
            Curve::Points(points) => {
                let fits = (2..=Self::MAX_POINTS).contains(&points.len())
                    && points.iter().flatten().all(|at| (0.0..=1.0).contains(at))
                    && points.windows(2).all(|pair| pair[0][0] < pair[1][0]);
                match fits {
                    true => Ok(()),
                    false => Err("points that do not make a curve".to_owned()),
                }
            }
        }
    }
}

struct Bend<'a> {
    curve: &'a Curve,
    values: &'a mut [f64],
}

impl Kernel for Bend<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.curve.bend_here(self.values);
    }
}

/// The value clamped to 0–1; NaN stays NaN.
#[inline(always)]
pub(crate) fn clamped(value: f64) -> f64 {
    let low = if value < 0.0 { 0.0 } else { value };
    if low > 1.0 { 1.0 } else { low }
}

#[inline(always)]
fn each(values: &mut [f64], curve: impl Fn(f64) -> f64) {
    for value in values {
        *value = clamped(curve(clamped(*value)));
    }
}

/// A whole exponent that is small enough for repeated multiplication.
fn whole(exponent: f64) -> Option<u32> {
    (1..=16).find(|whole| f64::from(*whole) == exponent)
}

#[inline(always)]
fn multiplied(x: f64, times: u32) -> f64 {
    let mut power = x;
    for _ in 1..times {
        power *= x;
    }
    power
}

fn between_points(points: &[[f64; 2]], x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    let behind = points.partition_point(|[at, _]| *at <= x);
    match (
        behind.checked_sub(1).map(|index| points[index]),
        points.get(behind),
    ) {
        (Some([from, low]), Some([to, high])) => low + (high - low) * ((x - from) / (to - from)),
        (Some([_, last]), None) => last,
        (None, Some([_, first])) => *first,
        (None, None) => 0.0,
    }
}

/// Adding this to a number that is not too large rounds the number to an integer, which is then in the lowest bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// ln 2 with its last bits set to zero, so that small multiples of it are exact; and the remainder.
const LN_2_HIGH: f64 = f64::from_bits(LN_2.to_bits() & !0xFFFF);
const LN_2_LOW: f64 = 1.6465949582897082e-12;

/// The series of e^x, its last term first; its error is less than 2⁻⁵⁷ for |x| below 0.35.
const EXP: [f64; 14] = {
    let mut terms = [1.0; 14];
    let mut place = 13;
    while place > 0 {
        terms[place - 1] = terms[place] / (14 - place) as f64;
        place -= 1;
    }
    terms
};

/// The series of artanh(s) / s in s², its last term first; its error is less than 2⁻⁵⁷ for |s| below 0.172.
const ARTANH: [f64; 11] = {
    let mut terms = [0.0; 11];
    let mut place = 0;
    while place < 11 {
        terms[place] = 1.0 / (21 - 2 * place) as f64;
        place += 1;
    }
    terms
};

/// e to the power of x, to about 2⁻⁵²; `x` is clamped to the range from -708 to 709. It has no branches, so that
/// compilers can vectorise it.
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    let low = if x < -708.0 { -708.0 } else { x };
    let x = if low > 709.0 { 709.0 } else { low };
    let shifted = x * LOG2_E + ROUNDER;
    let twos = shifted - ROUNDER;
    let rest = x - twos * LN_2_HIGH - twos * LN_2_LOW;
    let mut sum = 0.0;
    for term in EXP {
        sum = sum * rest + term;
    }
    sum * f64::from_bits((shifted.to_bits() << 52).wrapping_add(1023 << 52))
}

/// eˣ − 1, with the same precision near 0 as near 1.
#[inline(always)]
pub(crate) fn exp_m1(x: f64) -> f64 {
    let mut sum = 0.0;
    for term in &EXP[..EXP.len() - 1] {
        sum = sum * x + term;
    }
    if x.abs() < 0.34 {
        sum * x
    } else {
        exp(x) - 1.0
    }
}

/// The natural logarithm of a number above 0 and at most 1, to about 2⁻⁵².
#[inline(always)]
fn ln(x: f64) -> f64 {
    // Subnormal numbers are scaled up first.
    let tiny = x < f64::MIN_POSITIVE;
    let raised = if tiny { x * (1u64 << 54) as f64 } else { x };
    let bits = raised.to_bits();
    // The factor between √½ and √2, and the remaining power of two.
    let part = bits.wrapping_sub(0x3FE6_A09E_667F_3BCD);
    let twos = (part as i64 >> 52) as f64 - if tiny { 54.0 } else { 0.0 };
    let part = f64::from_bits((part & 0x000F_FFFF_FFFF_FFFF).wrapping_add(0x3FE6_A09E_667F_3BCD));
    // ln(part) = 2 artanh(s) = 2 (s + s³/3 + s⁵/5 + …), |s| below 0.172.
    let s = (part - 1.0) / (part + 1.0);
    let square = s * s;
    let mut sum = 0.0;
    for term in ARTANH {
        sum = sum * square + term;
    }
    twos * LN_2_HIGH + (twos * LN_2_LOW + 2.0 * s * sum)
}

#[cfg(test)]
mod tests;
