//! The evaluation of compiled expressions, one word of agents at a time. Nothing is allocated.

use super::code::ExprCode;
use super::lanes::{
    between, compare, compare_to, double_arith, double_call, entries, entry, float_arith,
    float_call, int_arith, int_call, int_unary, select,
};
use super::op::{Class, ExprOp, StackSizes};
use crate::blackboard::{BoardLayout, Cells, Shared};
use crate::chance::Draw;
use crate::lives::Lives;
use crate::network::Desk;
use crate::text::Text;
use crate::value::{Type, Value};
use crate::vectors::{Kernel, vectorized};

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
    /// The clock.
    pub(crate) now_ns: u64,
}

/// The agents for which an evaluation failed, by the first reason for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExprFaults {
    pub(crate) overflow: u64,
    pub(crate) division: u64,
    pub(crate) unset: u64,
    pub(crate) number: u64,
    /// A text became too long.
    pub(crate) long: u64,
}

/// What was found without a value: a key, or an item of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lack {
    pub(crate) key: u32,
    /// Of a list: the place that was asked for, unless any item would do, and how many items there were.
    pub(crate) item: Option<(Option<i64>, u32)>,
}

impl ExprFaults {
    pub(crate) fn any(self) -> u64 {
        self.overflow | self.division | self.unset | self.number | self.long
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
    /// Per lane, what was found without a value; with room for the widest evaluation.
    pub(super) lacking: Vec<Lack>,
    /// The units of networks.
    pub(crate) networks: Desk,
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
            lacking: vec![Lack::default(); length(u32::from(sizes.unset))],
            networks: Desk::new(sizes.networks, width),
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
            + self.floats.capacity() * 4
            + self.lacking.capacity() * size_of::<Lack>()
            + self.values.capacity() * size_of::<Value>()
            + self.networks.bytes()
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

    /// Keeps the result of the last evaluation, a `double`, as an input of a network.
    pub(crate) fn keep_input(&mut self, nth: usize) {
        let inputs = self.networks.input(nth);
        for (input, value) in inputs.iter_mut().zip(&self.doubles) {
            *input = *value as f32;
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

    /// What the last evaluation found without a value for a lane.
    pub(crate) fn lack_of(&self, lane: usize) -> Lack {
        self.lacking[lane]
    }

    /// Evaluates for the lanes of `active` in word `word`. Other lanes may be evaluated too, without any effect.
    /// Returns the lanes for which it failed; code that draws needs `draws`.
    #[inline(never)]
    pub(crate) fn run(
        &mut self,
        code: &ExprCode,
        sources: Sources<'_>,
        word: usize,
        active: u64,
        draws: Option<&mut dyn Draws>,
    ) -> u64 {
        let evaluation = Evaluation {
            stacks: self,
            code,
            sources,
            word,
            active,
            draws,
        };
        vectorized(evaluation.stacks.width, evaluation)
    }

    #[inline(always)]
    fn run_here(
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

    #[inline(always)]
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

struct Evaluation<'e, 'd> {
    stacks: &'e mut ExprStacks,
    code: &'e ExprCode,
    sources: Sources<'e>,
    word: usize,
    active: u64,
    draws: Option<&'d mut dyn Draws>,
}

impl Kernel for Evaluation<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self {
            stacks,
            code,
            sources,
            word,
            active,
            draws,
        } = self;
        stacks.run_here(code, sources, word, active, draws)
    }
}
