//! The evaluation of compiled expressions, one word of agents at a time. Nothing is allocated.

use super::code::ExprCode;
use super::op::{Class, ExprOp, StackSizes};
use crate::blackboard::{BoardLayout, Cells, Shared};
use crate::chance::Draw;
use crate::expr::{Arith, Compare, Func};
use crate::lives::Lives;
use crate::text::Text;
use crate::value::{Type, Value};

/// The values of keys, for the agents of a chunk.
#[derive(Clone, Copy)]
pub(crate) struct Sources<'a> {
    /// Each agent's own keys.
    pub(crate) own: Cells<'a>,
    pub(crate) shared: Option<&'a Shared>,
    pub(crate) board: &'a BoardLayout,
    pub(crate) lives: &'a Lives,
    /// The first agent of the chunk.
    pub(crate) first: usize,
}

/// The agents for which an evaluation failed, by the first reason for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExprFaults {
    pub(crate) overflow: u64,
    pub(crate) division: u64,
    pub(crate) unset: u64,
}

impl ExprFaults {
    pub(crate) fn any(self) -> u64 {
        self.overflow | self.division | self.unset
    }
}

/// The source of random numbers for an expression that draws.
pub(crate) trait Draws {
    /// The next draw for an agent of the word.
    fn next(&mut self, lane: usize) -> Draw;
}

/// The working memory of evaluations.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExprStacks {
    pub(super) width: usize,
    pub(super) masks: Vec<u64>,
    /// The agents in the states that an expression asks about; filled in before the evaluation.
    pub(crate) states: Vec<u64>,
    active: Vec<u64>,
    pub(super) ints: Vec<i64>,
    pub(super) floats: Vec<f32>,
    pub(super) doubles: Vec<f64>,
    pub(super) values: Vec<Value>,
    /// The scores of the children of a node.
    pub(super) scores: Vec<f64>,
    pub(super) picked: Vec<u64>,
    /// For each child of a node, the lanes in which it runs and may be kept.
    pub(super) kept: Vec<u64>,
    /// The best of the scores in each lane, and by how much it has to exceed that of the child that runs.
    pub(super) best: Vec<f64>,
    pub(super) hysteresis: Vec<f64>,
    /// Why the last evaluation failed, and for which agents.
    pub(super) faults: ExprFaults,
    /// Per lane, the key that was found unset; with room for the widest evaluation.
    pub(super) unset_keys: Vec<u32>,
}

impl ExprStacks {
    /// Stacks for words of `width` agents, 64 at most.
    pub(crate) fn new(sizes: StackSizes, width: usize) -> Self {
        let length = |entries: u32| entries as usize * width;
        Self {
            width,
            masks: vec![0; sizes.masks as usize],
            states: vec![0; sizes.states as usize],
            active: vec![0; sizes.active as usize],
            ints: vec![0; length(sizes.ints)],
            floats: vec![0.0; length(sizes.floats)],
            doubles: vec![0.0; length(sizes.doubles)],
            values: vec![Value::Int(0); length(sizes.values)],
            scores: vec![0.0; length(sizes.scores)],
            picked: vec![0; sizes.scores as usize],
            kept: vec![0; sizes.scores as usize],
            best: vec![0.0; length(sizes.scores.min(1))],
            hysteresis: vec![0.0; length(sizes.scores.min(1))],
            faults: ExprFaults::default(),
            unset_keys: vec![0; length(u32::from(sizes.unset))],
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.masks.capacity()
            + self.states.capacity()
            + self.active.capacity()
            + self.ints.capacity()
            + self.doubles.capacity()
            + self.scores.capacity()
            + self.picked.capacity()
            + self.kept.capacity()
            + self.best.capacity()
            + self.hysteresis.capacity())
            * 8
            + (self.floats.capacity() + self.unset_keys.capacity()) * 4
            + self.values.capacity() * size_of::<Value>()
    }

    /// The result of a `bool` expression, as a mask.
    pub(crate) fn mask(&self) -> u64 {
        self.masks[0]
    }

    /// The result of an expression of type `ty` for one lane of the word.
    pub(crate) fn value(&self, ty: Type, lane: usize) -> Value {
        match ty {
            Type::Bool => Value::Bool(self.masks[0] >> lane & 1 == 1),
            Type::Int => Value::Int(self.ints[lane]),
            Type::Entity => Value::Entity(self.ints[lane] as u64),
            Type::Enum(list) => Value::Enum(list, self.ints[lane] as u32),
            Type::Float => Value::Float(self.floats[lane]),
            Type::Double => Value::Double(self.doubles[lane]),
            Type::Text => Value::Text(Text::from_bits(self.ints[lane] as u32)),
            Type::Vec2 => Value::Vec2(std::array::from_fn(|part| self.part(part, lane))),
            Type::Vec3 => Value::Vec3(std::array::from_fn(|part| self.part(part, lane))),
            Type::Any => self.values[lane],
        }
    }

    /// A component of the vector that an expression gave.
    fn part(&self, part: usize, lane: usize) -> f32 {
        self.floats[part * self.width + lane]
    }

    /// Why the last evaluation failed, and for which agents.
    pub(crate) fn faults(&self) -> ExprFaults {
        self.faults
    }

    /// The key that the last evaluation found unset for a lane.
    pub(crate) fn unset_key(&self, lane: usize) -> usize {
        self.unset_keys[lane] as usize
    }

    /// Evaluates for the lanes of `active` in word `word`. Other lanes may be evaluated too, without any effect.
    /// Returns the lanes for which it failed; code that draws needs `draws`.
    pub(crate) fn run(
        &mut self,
        code: &ExprCode,
        sources: Sources<'_>,
        word: usize,
        active: u64,
        mut draws: Option<&mut dyn Draws>,
    ) -> u64 {
        let mut faults = ExprFaults::default();
        let mut active = active;
        let mut depth = 0;
        let mut next = 0;
        while let Some(&op) = code.ops.get(next) {
            next += 1;
            match op {
                ExprOp::Enter {
                    mask,
                    negated,
                    skip,
                } => {
                    self.active[depth] = active;
                    depth += 1;
                    let mask = self.masks[mask as usize];
                    active &= if negated { !mask } else { mask };
                    active &= !faults.any();
                    if active == 0 {
                        next += skip as usize;
                    }
                }
                ExprOp::Leave => {
                    depth -= 1;
                    active = self.active[depth];
                }
                ExprOp::Random { class, at } => {
                    if let Some(draws) = &mut draws {
                        self.draw(class, at, active & !faults.any(), *draws);
                    }
                }
                ExprOp::Curve { curve, at } => {
                    let width = self.width;
                    code.curves[curve as usize].bend(entry(&mut self.doubles, at, width));
                }
                op => self.step(op, sources, word, active, &mut faults),
            }
        }
        let failed = faults.any();
        if failed != 0 {
            self.faults = faults;
        }
        failed
    }

    fn step(
        &mut self,
        op: ExprOp,
        sources: Sources<'_>,
        word: usize,
        active: u64,
        faults: &mut ExprFaults,
    ) {
        let cells = sources.own;
        let width = self.width;
        let lanes = word * 64..word * 64 + width;
        match op {
            ExprOp::ConstMask { at, value } => {
                self.masks[at as usize] = if value { u64::MAX } else { 0 }
            }
            ExprOp::ConstInt { at, value } => entry(&mut self.ints, at, width).fill(value),
            ExprOp::ConstFloat { at, value } => entry(&mut self.floats, at, width).fill(value),
            ExprOp::ConstDouble { at, value } => entry(&mut self.doubles, at, width).fill(value),
            ExprOp::LoadMask { at, index } => self.masks[at as usize] = cells.bits(index)[word],
            ExprOp::LoadState { at, number } => {
                self.masks[at as usize] = self.states[number as usize];
            }
            ExprOp::LoadInt { at, index } => {
                let column = bytemuck::cast_slice(&cells.wide(index)[lanes]);
                entry(&mut self.ints, at, width).copy_from_slice(column);
            }
            ExprOp::LoadDouble { at, index } => {
                let column = bytemuck::cast_slice(&cells.wide(index)[lanes]);
                entry(&mut self.doubles, at, width).copy_from_slice(column);
            }
            ExprOp::LoadFloat { at, index } => {
                let column = bytemuck::cast_slice(&cells.narrow(index)[lanes]);
                entry(&mut self.floats, at, width).copy_from_slice(column);
            }
            ExprOp::LoadPosition { at, index } => {
                let column = &cells.narrow(index)[lanes];
                for (value, &position) in entry(&mut self.ints, at, width).iter_mut().zip(column) {
                    *value = i64::from(position);
                }
            }
            ExprOp::Not { at } => self.masks[at as usize] = !self.masks[at as usize],
            ExprOp::And { at } => self.masks[at as usize] &= self.masks[at as usize + 1],
            ExprOp::Or { at } => self.masks[at as usize] |= self.masks[at as usize + 1],
            ExprOp::SameMask { at, negated } => {
                let differs = self.masks[at as usize] ^ self.masks[at as usize + 1];
                self.masks[at as usize] = if negated { differs } else { !differs };
            }
            ExprOp::SelectMask { at } => {
                let [cond, then, other] = [0, 1, 2].map(|offset| self.masks[at as usize + offset]);
                self.masks[at as usize] = cond & then | !cond & other;
            }
            ExprOp::Neg { class, at } => match class {
                Class::Int => {
                    let overflow =
                        int_unary(entry(&mut self.ints, at, width), i64::overflowing_neg);
                    faults.overflow |= active & overflow & !faults.any();
                }
                Class::Float => entry(&mut self.floats, at, width)
                    .iter_mut()
                    .for_each(|x| *x = -*x),
                _ => entry(&mut self.doubles, at, width)
                    .iter_mut()
                    .for_each(|x| *x = -*x),
            },
            ExprOp::Arith { op, class, at } => match class {
                Class::Int => {
                    let [left, right] = entries(&mut self.ints, at, width);
                    int_arith(op, left, right, active, faults);
                }
                Class::Float => {
                    let [left, right] = entries(&mut self.floats, at, width);
                    float_arith(op, left, right);
                }
                _ => {
                    let [left, right] = entries(&mut self.doubles, at, width);
                    double_arith(op, left, right);
                }
            },
            ExprOp::Compare {
                op,
                class,
                left,
                at,
            } => {
                self.masks[at as usize] = match class {
                    Class::Int => {
                        let [left, right] = entries(&mut self.ints, left, width);
                        compare(op, left, right)
                    }
                    Class::Float => {
                        let [left, right] = entries(&mut self.floats, left, width);
                        compare(op, left, right)
                    }
                    _ => {
                        let [left, right] = entries(&mut self.doubles, left, width);
                        compare(op, left, right)
                    }
                };
            }
            ExprOp::CompareFloatColumn {
                op,
                index,
                value,
                at,
            } => {
                let column: &[f32] = bytemuck::cast_slice(&cells.narrow(index)[lanes]);
                self.masks[at as usize] = compare_to(op, column, value);
            }
            ExprOp::Between { class, left, at } => {
                self.masks[at as usize] = match class {
                    Class::Int => between(entries(&mut self.ints, left, width)),
                    Class::Float => between(entries(&mut self.floats, left, width)),
                    _ => between(entries(&mut self.doubles, left, width)),
                };
            }
            ExprOp::Call { func, class, at } => match class {
                Class::Int => int_call(func, &mut self.ints, at, width, active, faults),
                Class::Float => float_call(func, &mut self.floats, at, width),
                _ => double_call(func, &mut self.doubles, at, width),
            },
            ExprOp::IntToFloat { from, at } => {
                let target = entry(&mut self.floats, at, width);
                for (to, &from) in target.iter_mut().zip(&self.ints[from as usize * width..]) {
                    *to = from as f32;
                }
            }
            ExprOp::IntToDouble { from, at } => {
                let target = entry(&mut self.doubles, at, width);
                for (to, &from) in target.iter_mut().zip(&self.ints[from as usize * width..]) {
                    *to = from as f64;
                }
            }
            ExprOp::FloatToDouble { from, at } => {
                let target = entry(&mut self.doubles, at, width);
                for (to, &from) in target.iter_mut().zip(&self.floats[from as usize * width..]) {
                    *to = f64::from(from);
                }
            }
            ExprOp::Select { class, mask, at } => {
                let mask = self.masks[mask as usize];
                match class {
                    Class::Int => select(entries(&mut self.ints, at, width), mask),
                    Class::Float => select(entries(&mut self.floats, at, width), mask),
                    _ => select(entries(&mut self.doubles, at, width), mask),
                }
            }
            op @ (ExprOp::Fold { .. } | ExprOp::Compensate { .. } | ExprOp::Gather { .. }) => {
                self.score_step(op);
            }
            op => self.composed_step(op, sources, word, active, faults),
        }
    }
}

pub(super) fn entry<T>(stack: &mut [T], at: u32, width: usize) -> &mut [T] {
    &mut stack[at as usize * width..][..width]
}

/// `N` neighbouring entries.
pub(super) fn entries<const N: usize, T>(stack: &mut [T], at: u32, width: usize) -> [&mut [T]; N] {
    let mut rest = &mut stack[at as usize * width..];
    std::array::from_fn(|_| {
        let (first, others) = std::mem::take(&mut rest).split_at_mut(width);
        rest = others;
        first
    })
}

/// The bits of a test over lanes. It computes bytes first, because compilers can vectorise that.
#[inline]
pub(super) fn bits_of(lanes: usize, holds: impl Fn(usize) -> bool) -> u64 {
    if lanes < 8 {
        return (0..lanes).fold(0, |mask, lane| mask | u64::from(holds(lane)) << lane);
    }
    let mut bytes = [0u8; 64];
    for (lane, byte) in bytes[..lanes].iter_mut().enumerate() {
        *byte = u8::from(holds(lane));
    }
    let mut mask = 0;
    for (index, chunk) in bytes.chunks_exact(8).enumerate() {
        let eight = u64::from_le_bytes([
            chunk[0], chunk[1], chunk[2], chunk[3], chunk[4], chunk[5], chunk[6], chunk[7],
        ]);
        // Gathers the lowest bits of eight bytes in the highest byte.
        mask |= (eight.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (index * 8);
    }
    mask
}

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

fn between<T: PartialOrd + Copy>([value, low, high]: [&mut [T]; 3]) -> u64 {
    bits_of(value.len(), |lane| {
        low[lane] <= value[lane] && value[lane] <= high[lane]
    })
}

pub(super) fn select<T: Copy>([then, other]: [&mut [T]; 2], mask: u64) {
    for (lane, (then, other)) in then.iter_mut().zip(other).enumerate() {
        if mask >> lane & 1 == 0 {
            *then = *other;
        }
    }
}

pub(super) fn zip<T: Copy>(left: &mut [T], right: &[T], op: impl Fn(T, T) -> T) {
    for (left, &right) in left.iter_mut().zip(right) {
        *left = op(*left, right);
    }
}

fn int_unary(values: &mut [i64], op: fn(i64) -> (i64, bool)) -> u64 {
    let mut overflow = 0;
    for (lane, value) in values.iter_mut().enumerate() {
        let (result, overflowed) = op(*value);
        *value = result;
        overflow |= u64::from(overflowed) << lane;
    }
    overflow
}

fn int_arith(op: Arith, left: &mut [i64], right: &[i64], active: u64, faults: &mut ExprFaults) {
    let active = active & !faults.unset;
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

fn int_call(
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
        Func::Abs | Func::Floor | Func::Ceil | Func::Round | Func::Sqrt | Func::Lerp => {
            let overflow = int_unary(entry(stack, at, width), i64::overflowing_abs);
            faults.overflow |= active & overflow & !faults.any();
        }
    }
}

// The operator is chosen outside the loop over lanes, so that each loop can be vectorised.
macro_rules! reals {
    ($call:ident, $arith:ident, $real:ty) => {
        fn $arith(op: Arith, left: &mut [$real], right: &[$real]) {
            match op {
                Arith::Add => zip(left, right, |a, b| a + b),
                Arith::Sub => zip(left, right, |a, b| a - b),
                Arith::Mul => zip(left, right, |a, b| a * b),
                Arith::Div => zip(left, right, |a, b| a / b),
                Arith::Rem => zip(left, right, |a, b| a % b),
            }
        }

        fn $call(func: Func, stack: &mut [$real], at: u32, width: usize) {
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
            }
        }
    };
}

reals!(float_call, float_arith, f32);
reals!(double_call, double_arith, f64);
