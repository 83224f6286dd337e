//! Short tests: one or two comparisons of an agent's own keys. They cannot fail, and need no stack.

use super::code::ExprCode;
use super::compared::keep_where;
use super::lanes::{compare, compare_to};
use super::op::{Class, ExprOp};
use crate::blackboard::{Cells, WIDE};
use crate::expr::Compare;
use crate::vectors::{Kernel, vectorized};

/// A test that is evaluated straight from the columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Short {
    first: Term,
    second: Option<(Join, Term)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Join {
    And,
    Or,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Term {
    test: Test,
    is_negated: bool,
}

/// A column of bits, or a column against a literal or another column.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Test {
    Bits(u32),
    Float(Compare, u32, f32),
    Floats(Compare, u32, u32),
    Int(Compare, u32, i64),
    /// A column of 32 bits: the position of an enum, the place of a text, the length of a list.
    Position(Compare, u32, u32),
}

impl Short {
    /// The short form of a compiled expression, if it has one.
    pub(super) fn of(code: &ExprCode) -> Option<Self> {
        if code.draws.is_some() || code.asks_places {
            return None;
        }
        let (first, rest) = Term::read(&code.ops)?;
        let [ExprOp::Enter { .. }, rest @ ..] = rest else {
            return rest.is_empty().then_some(Self {
                first,
                second: None,
            });
        };
        let (second, rest) = Term::read(rest)?;
        let join = match rest {
            [ExprOp::Leave, ExprOp::And { .. }] => Join::And,
            [ExprOp::Leave, ExprOp::Or { .. }] => Join::Or,
            _ => return None,
        };
        Some(Self {
            first,
            second: Some((join, second)),
        })
    }

    /// For which of some agents it holds.
    #[inline]
    pub(crate) fn holds<const W: usize>(&self, cells: Cells<'_>, lanes: &[u64; W]) -> [u64; W] {
        if W >= WIDE
            && let Some(holds) = self.holds_by_vectors(cells, lanes)
        {
            return holds;
        }
        // The words of a narrow chunk are too few to be worth a call of another function.
        let width = if W >= WIDE { W } else { 1 };
        vectorized(width, Holding(self, cells, lanes))
    }

    /// The same for comparisons of numbers with literals, if the processor has a shorter way for them.
    #[inline(always)]
    fn holds_by_vectors<const W: usize>(
        &self,
        cells: Cells<'_>,
        lanes: &[u64; W],
    ) -> Option<[u64; W]> {
        let keep = |term: &Term, set: &mut [u64; W]| match *term {
            Term {
                test: Test::Float(op, index, value),
                is_negated: false,
            } => keep_where(op, bytemuck::cast_slice(cells.narrow(index)), value, set),
            _ => false,
        };
        let mut holds = *lanes;
        if !keep(&self.first, &mut holds) {
            return None;
        }
        match &self.second {
            None => Some(holds),
            Some((Join::And, second)) => keep(second, &mut holds).then_some(holds),
            Some((Join::Or, second)) => {
                let mut others = *lanes;
                let is_kept = keep(second, &mut others);
                is_kept.then(|| std::array::from_fn(|word| holds[word] | others[word]))
            }
        }
    }

    /// For which agents of a word of a chunk of `W` words it holds.
    #[inline(always)]
    pub(crate) fn holds_in<const W: usize>(&self, cells: Cells<'_>, word: usize) -> u64 {
        let first = self.first.holds_in::<W>(cells, word);
        match &self.second {
            None => first,
            Some((Join::And, second)) => first & second.holds_in::<W>(cells, word),
            Some((Join::Or, second)) => first | second.holds_in::<W>(cells, word),
        }
    }

    /// Whether it holds for one agent.
    #[inline]
    pub(crate) fn holds_for(&self, cells: Cells<'_>, lane: usize) -> bool {
        let first = self.first.holds_for(cells, lane);
        match &self.second {
            None => first,
            Some((Join::And, second)) => first && second.holds_for(cells, lane),
            Some((Join::Or, second)) => first || second.holds_for(cells, lane),
        }
    }
}

/// A short test of some agents.
struct Holding<'h, const W: usize>(&'h Short, Cells<'h>, &'h [u64; W]);

impl<const W: usize> Kernel for Holding<'_, W> {
    type Output = [u64; W];

    #[inline(always)]
    fn run(self) -> [u64; W] {
        let Self(short, cells, lanes) = self;
        let mut holds = *lanes;
        for (word, holds) in holds.iter_mut().enumerate() {
            if *holds != 0 {
                *holds &= short.holds_in::<W>(cells, word);
            }
        }
        holds
    }
}

impl Term {
    /// Reads the term at the beginning; returns also what follows it.
    fn read(ops: &[ExprOp]) -> Option<(Self, &[ExprOp])> {
        use ExprOp::{
            Compare, CompareFloatColumn, ConstInt, LoadFloat, LoadInt, LoadMask, LoadPosition, Not,
        };
        let (test, mut rest) = match *ops {
            [LoadMask { index, .. }, ref rest @ ..] => (Test::Bits(index), rest),
            [
                CompareFloatColumn {
                    op, index, value, ..
                },
                ref rest @ ..,
            ] => (Test::Float(op, index, value), rest),
            [
                LoadFloat { index: left, .. },
                LoadFloat { index: right, .. },
                Compare {
                    op,
                    class: Class::Float,
                    ..
                },
                ref rest @ ..,
            ] => (Test::Floats(op, left, right), rest),
            [
                LoadInt { index, .. },
                ConstInt { value, .. },
                Compare { op, .. },
                ref rest @ ..,
            ] => (Test::Int(op, index, value), rest),
            [
                LoadPosition { index, .. },
                ConstInt { value, .. },
                Compare { op, .. },
                ref rest @ ..,
            ] => (Test::Position(op, index, value.try_into().ok()?), rest),
            _ => return None,
        };
        let mut is_negated = false;
        while let [Not { .. }, after @ ..] = rest {
            is_negated = !is_negated;
            rest = after;
        }
        Some((Self { test, is_negated }, rest))
    }

    #[inline(always)]
    fn holds_in<const W: usize>(&self, cells: Cells<'_>, word: usize) -> u64 {
        let holds = match self.test {
            Test::Bits(index) => cells.bits(index)[word],
            Test::Float(op, index, value) => {
                compare_to(op, floats::<W>(cells.narrow(index), word), value)
            }
            Test::Floats(op, left, right) => {
                let left = floats::<W>(cells.narrow(left), word);
                compare(op, left, floats::<W>(cells.narrow(right), word))
            }
            Test::Int(op, index, value) => {
                let ints: &[i64] = bytemuck::cast_slice(word_of::<W, _>(cells.wide(index), word));
                compare_to(op, ints, value)
            }
            Test::Position(op, index, value) => {
                compare_to(op, word_of::<W, _>(cells.narrow(index), word), value)
            }
        };
        if self.is_negated { !holds } else { holds }
    }

    #[inline]
    fn holds_for(&self, cells: Cells<'_>, lane: usize) -> bool {
        let float = |index| f32::from_bits(cells.narrow(index)[lane]);
        let holds = match self.test {
            Test::Bits(index) => cells.bits(index)[lane / 64] >> (lane % 64) & 1 == 1,
            Test::Float(op, index, value) => op.holds(float(index), value),
            Test::Floats(op, left, right) => op.holds(float(left), float(right)),
            Test::Int(op, index, value) => op.holds(cells.wide(index)[lane] as i64, value),
            Test::Position(op, index, value) => op.holds(cells.narrow(index)[lane], value),
        };
        holds != self.is_negated
    }
}

/// No closure in the place where it is called: closures are not always inlined.
#[inline(always)]
fn floats<const W: usize>(column: &[u32], word: usize) -> &[f32] {
    bytemuck::cast_slice(word_of::<W, _>(column, word))
}

/// The lanes of a word of a chunk of `W` words. Where all words are full, the compiler is to know that: it makes loops
/// without a remainder.
#[inline(always)]
fn word_of<const W: usize, T>(column: &[T], word: usize) -> &[T] {
    let lanes = &column[word * 64..];
    match W >= WIDE {
        true => &lanes[..64],
        false => &lanes[..lanes.len().min(64)],
    }
}
