//! Loops over the lanes of a word: arithmetic, comparisons and choices. They are inlined, so that they are compiled with
//! wide vectors where their caller is.

use super::run::ExprFaults;
use crate::expr::{Arith, Compare, Func};
use crate::vectors::highest_bits;

#[inline(always)]
pub(super) fn entry<T>(stack: &mut [T], at: u32, width: usize) -> &mut [T] {
    &mut stack[at as usize * width..][..width]
}

/// `N` neighbouring entries.
#[inline(always)]
pub(super) fn entries<const N: usize, T>(stack: &mut [T], at: u32, width: usize) -> [&mut [T]; N] {
    let mut rest = &mut stack[at as usize * width..];
    std::array::from_fn(|_| {
        let (first, others) = std::mem::take(&mut rest).split_at_mut(width);
        rest = others;
        first
    })
}

/// The bits of a test over lanes. It computes bytes first, because compilers can vectorise that.
#[inline(always)]
pub(crate) fn bits_of(lanes: usize, holds: impl Fn(usize) -> bool) -> u64 {
    if lanes < 8 {
        return (0..lanes).fold(0, |mask, lane| mask | u64::from(holds(lane)) << lane);
    }
    let mut bytes = [0; 64];
    for (lane, byte) in bytes[..lanes].iter_mut().enumerate() {
        *byte = u8::from(holds(lane)).wrapping_neg();
    }
    highest_bits(&bytes)
}

#[inline(always)]
pub(super) fn compare<T: PartialOrd + Copy>(op: Compare, left: &[T], right: &[T]) -> u64 {
    let lanes = left.len().min(right.len());
    let (left, right) = (&left[..lanes], &right[..lanes]);
    match op {
        Compare::Eq => bits_of(lanes, |lane| left[lane] == right[lane]),
        Compare::Ne => bits_of(lanes, |lane| left[lane] != right[lane]),
        Compare::Lt => bits_of(lanes, |lane| left[lane] < right[lane]),
        Compare::Le => bits_of(lanes, |lane| left[lane] <= right[lane]),
        Compare::Gt => bits_of(lanes, |lane| left[lane] > right[lane]),
        Compare::Ge => bits_of(lanes, |lane| left[lane] >= right[lane]),
    }
}

#[inline(always)]
pub(super) fn compare_to<T: PartialOrd + Copy>(op: Compare, column: &[T], value: T) -> u64 {
    let lanes = column.len();
    match op {
        Compare::Eq => bits_of(lanes, |lane| column[lane] == value),
        Compare::Ne => bits_of(lanes, |lane| column[lane] != value),
        Compare::Lt => bits_of(lanes, |lane| column[lane] < value),
        Compare::Le => bits_of(lanes, |lane| column[lane] <= value),
        Compare::Gt => bits_of(lanes, |lane| column[lane] > value),
        Compare::Ge => bits_of(lanes, |lane| column[lane] >= value),
    }
}

#[inline(always)]
pub(super) fn between<T: PartialOrd + Copy>([value, low, high]: [&mut [T]; 3]) -> u64 {
    bits_of(value.len(), |lane| {
        low[lane] <= value[lane] && value[lane] <= high[lane]
    })
}

#[inline(always)]
pub(super) fn select<T: Copy>([then, other]: [&mut [T]; 2], mask: u64) {
    for (lane, (then, other)) in then.iter_mut().zip(other).enumerate() {
        if mask >> lane & 1 == 0 {
            *then = *other;
        }
    }
}

#[inline(always)]
pub(super) fn zip<T: Copy>(left: &mut [T], right: &[T], op: impl Fn(T, T) -> T) {
    for (left, &right) in left.iter_mut().zip(right) {
        *left = op(*left, right);
    }
}

#[inline(always)]
pub(super) fn int_unary(values: &mut [i64], op: fn(i64) -> (i64, bool)) -> u64 {
    let mut overflow = 0;
    for (lane, value) in values.iter_mut().enumerate() {
        let (result, overflowed) = op(*value);
        *value = result;
        overflow |= u64::from(overflowed) << lane;
    }
    overflow
}

pub(super) fn int_arith(
    op: Arith,
    left: &mut [i64],
    right: &[i64],
    active: u64,
    faults: &mut ExprFaults,
) {
    let active = active & !(faults.unset | faults.number | faults.long);
    for (lane, (left, &right)) in left.iter_mut().zip(right).enumerate() {
        let bit = active & 1 << lane;
        if right == 0 && matches!(op, Arith::Div | Arith::Rem) {
            faults.division |= bit & !faults.overflow;
            continue;
        }
        let (result, overflowed) = match op {
            Arith::Add => left.overflowing_add(right),
            Arith::Sub => left.overflowing_sub(right),
            Arith::Mul => left.overflowing_mul(right),
            Arith::Div => left.overflowing_div(right),
            Arith::Rem => left.overflowing_rem(right),
        };
        *left = result;
        if overflowed {
            faults.overflow |= bit & !faults.division;
        }
    }
}

pub(super) fn int_call(
    func: Func,
    stack: &mut [i64],
    at: u32,
    width: usize,
    active: u64,
    faults: &mut ExprFaults,
) {
    match func {
        Func::Min => {
            let [a, b] = entries(stack, at, width);
            zip(a, b, i64::min);
        }
        Func::Max => {
            let [a, b] = entries(stack, at, width);
            zip(a, b, i64::max);
        }
        Func::Clamp => {
            let [x, low, high] = entries(stack, at, width);
            zip(x, high, i64::min);
            zip(x, low, i64::max);
        }
        Func::BitAnd => {
            let [a, b] = entries(stack, at, width);
            zip(a, b, |a, b| a & b);
        }
        Func::BitOr => {
            let [a, b] = entries(stack, at, width);
            zip(a, b, |a, b| a | b);
        }
        Func::BitXor => {
            let [a, b] = entries(stack, at, width);
            zip(a, b, |a, b| a ^ b);
        }
        Func::Abs | Func::Floor | Func::Ceil | Func::Round | Func::Sqrt | Func::Lerp => {
            let overflow = int_unary(entry(stack, at, width), i64::overflowing_abs);
            faults.overflow |= active & overflow & !faults.any();
        }
    }
}

// The operator is chosen outside the loop over lanes, so that each loop can be vectorised.
macro_rules! reals {
    ($call:ident, $arith:ident, $real:ty) => {
        #[inline(always)]
        pub(super) fn $arith(op: Arith, left: &mut [$real], right: &[$real]) {
            match op {
                Arith::Add => zip(left, right, |a, b| a + b),
                Arith::Sub => zip(left, right, |a, b| a - b),
                Arith::Mul => zip(left, right, |a, b| a * b),
                Arith::Div => zip(left, right, |a, b| a / b),
                Arith::Rem => zip(left, right, |a, b| a % b),
            }
        }

        #[inline(always)]
        pub(super) fn $call(func: Func, stack: &mut [$real], at: u32, width: usize) {
            // Written out, because `min` and `max` of the standard library do not define which of two zeros they
            // return.
            let least = |a: $real, b: $real| if b < a || a.is_nan() { b } else { a };
            let most = |a: $real, b: $real| if b > a || a.is_nan() { b } else { a };
            let each = |stack: &mut [$real], op: fn($real) -> $real| {
                entry(stack, at, width).iter_mut().for_each(|x| *x = op(*x));
            };
            match func {
                Func::Abs => each(stack, <$real>::abs),
                Func::Floor => each(stack, <$real>::floor),
                Func::Ceil => each(stack, <$real>::ceil),
                Func::Round => each(stack, <$real>::round),
                Func::Sqrt => each(stack, <$real>::sqrt),
                Func::Min => {
                    let [a, b] = entries(stack, at, width);
                    zip(a, b, least);
                }
                Func::Max => {
                    let [a, b] = entries(stack, at, width);
                    zip(a, b, most);
                }
                Func::Clamp => {
                    let [x, low, high] = entries(stack, at, width);
                    zip(x, high, least);
                    zip(x, low, most);
                }
                Func::Lerp => {
                    let [a, b, t] = entries(stack, at, width);
                    zip(b, a, |b, a| b - a);
                    zip(b, t, |span, t| span * t);
                    zip(a, b, |a, way| a + way);
                }
                Func::BitAnd => {
                    let [a, b] = entries(stack, at, width);
                    zip(a, b, |a, b| (a as i64 & b as i64) as $real);
                }
                Func::BitOr => {
                    let [a, b] = entries(stack, at, width);
                    zip(a, b, |a, b| (a as i64 | b as i64) as $real);
                }
                Func::BitXor => {
                    let [a, b] = entries(stack, at, width);
                    zip(a, b, |a, b| (a as i64 ^ b as i64) as $real);
                }
            }
        }
    };
}

reals!(float_call, float_arith, f32);
reals!(double_call, double_arith, f64);
