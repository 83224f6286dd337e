//! The code of scores: considerations, curves and how they are combined.

use super::code::Compiler;
use super::lanes::{bits_of, entries, entry, zip};
use super::op::{Class, ExprOp, Fold};
use super::run::ExprStacks;
use crate::behaviour::{Combine, Consideration, Score, Scoring};
use crate::curve::clamped;
use crate::expr::{Arith, Expr};
use crate::value::Value;
use crate::vectors::{Kernel, vectorized};

impl Compiler<'_> {
    /// Emits code that pushes a score.
    pub(super) fn score(&mut self, score: &Score) {
        match &score.made {
            Scoring::Expr(expr) => self.expr(expr),
            Scoring::Combined(Combine::Average, considerations) => self.average(considerations),
            Scoring::Combined(combine, considerations) => {
                for (index, consideration) in considerations.iter().enumerate() {
                    self.factor(*combine, consideration, considerations.len());
                    if index > 0 {
                        self.fold(match combine {
                            Combine::Min => Fold::Least,
                            Combine::Max => Fold::Most,
                            _ => Fold::Product,
                        });
                    }
                }
            }
        }
        if let Some(weight) = &score.weight {
            self.expr(weight);
            self.fold(Fold::Product);
        }
    }

    /// Pops two values and pushes one.
    fn fold(&mut self, fold: Fold) {
        let at = self.pop(Class::Double, 1) - 1;
        self.ops.push(ExprOp::Fold { fold, at });
    }

    fn consideration(&mut self, consideration: &Consideration) {
        self.expr(&consideration.of);
        let at = self.top.doubles - 1;
        let curve = self.curves.len() as u32;
        self.curves.push(consideration.curve.clone());
        self.ops.push(ExprOp::Curve { curve, at });
    }

    fn factor(&mut self, combine: Combine, consideration: &Consideration, factors: usize) {
        self.consideration(consideration);
        if let Some(weight) = &consideration.weight {
            self.expr(weight);
            self.fold(match combine {
                Combine::Max => Fold::Weighted,
                _ => Fold::TowardsOne,
            });
        }
        if combine == (Combine::Product { compensated: true }) {
            let at = self.top.doubles - 1;
            let by = 1.0 - 1.0 / factors as f64;
            self.ops.push(ExprOp::Compensate { by, at });
        }
    }

    /// Pushes the weighted sum of the considerations and the sum of the weights, and divides one by the other.
    fn average(&mut self, considerations: &[Consideration]) {
        let (none, whole) = (
            Expr::Value(Value::Double(0.0)),
            Expr::Value(Value::Double(1.0)),
        );
        self.expr(&none);
        self.expr(&none);
        for consideration in considerations {
            self.consideration(consideration);
            self.expr(consideration.weight.as_ref().unwrap_or(&whole));
            let at = self.pop(Class::Double, 2) - 2;
            self.ops.push(ExprOp::Gather { at });
        }
        let at = self.pop(Class::Double, 1) - 1;
        let (op, class) = (Arith::Div, Class::Double);
        self.ops.push(ExprOp::Arith { op, class, at });
    }
}

impl ExprStacks {
    /// Runs an instruction that occurs only in scores.
    #[inline(always)]
    pub(super) fn score_step(&mut self, op: ExprOp) {
        let width = self.width;
        match op {
            ExprOp::Fold { fold, at } => {
                let [left, right] = entries(&mut self.doubles, at, width);
                match fold {
                    Fold::Product => zip(left, right, |a, b| a * b),
                    // A value that is not a number stays.
                    Fold::Least => zip(left, right, |a, b| if a < b || a.is_nan() { a } else { b }),
                    Fold::Most => zip(left, right, |a, b| if a > b || a.is_nan() { a } else { b }),
                    Fold::Weighted => zip(left, right, |c, w| c * clamped(w)),
                    Fold::TowardsOne => zip(left, right, |c, w| c + (1.0 - clamped(w)) * (1.0 - c)),
                }
            }
            ExprOp::Compensate { by, at } => entry(&mut self.doubles, at, width)
                .iter_mut()
                .for_each(|f| *f += (1.0 - *f) * by * *f),
            ExprOp::Gather { at } => {
                let [sum, weights, value, weight] = entries(&mut self.doubles, at, width);
                weight.iter_mut().for_each(|w| *w = clamped(*w));
                zip(value, weight, |c, w| c * w);
                zip(sum, value, |sum, value| sum + value);
                zip(weights, weight, |sum, weight| sum + weight);
            }
            _ => unreachable!("is carried out elsewhere"),
        }
    }

    /// The scores of a child of the current node, lane by lane.
    pub(crate) fn score(&mut self, child: usize) -> &mut [f64] {
        entry(&mut self.scores, child as u32, self.width)
    }

    /// A set of lanes for each child of the current node.
    pub(crate) fn picked(&mut self) -> &mut [u64] {
        &mut self.picked
    }

    /// The lanes in which each child of the current node runs.
    pub(crate) fn kept(&mut self) -> &mut [u64] {
        &mut self.kept
    }

    /// By how much others have to exceed the child that runs, in each lane.
    pub(crate) fn hysteresis(&mut self) -> &mut [f64] {
        &mut self.hysteresis
    }

    /// Stores the results of the last evaluation as hysteresis: 0 where they are negative or not finite. Returns where
    /// they are neither.
    pub(crate) fn keep_hysteresis(&mut self) -> u64 {
        let doubles = &self.doubles[..self.width];
        let fits = |value: f64| (0.0..=f64::MAX).contains(&value);
        for (kept, &value) in self.hysteresis.iter_mut().zip(doubles) {
            *kept = if fits(value) { value } else { 0.0 };
        }
        bits_of(self.width, |lane| fits(doubles[lane]))
    }

    /// Finds the first of the children with the highest score above 0 in each lane, and stores it as picked. Of a child,
    /// only the lanes of `left` count.
    #[inline(never)]
    pub(crate) fn find_best(&mut self, children: usize, left: impl Fn(usize) -> u64) {
        let find = FindBest {
            stacks: self,
            children,
            left,
        };
        vectorized(find.stacks.width, find);
    }

    #[inline(always)]
    fn find_best_here(&mut self, children: usize, left: impl Fn(usize) -> u64) {
        self.best.fill(0.0);
        for child in 0..children {
            let width = self.width;
            let scores = entry(&mut self.scores, child as u32, width);
            let best = &mut self.best[..width];
            let left = left(child);
            self.picked[child] = left & bits_of(width, |lane| scores[lane] > best[lane]);
            let better = |best: f64, score: f64| if score > best { score } else { best };
            if left | !(u64::MAX >> (64 - width)) == u64::MAX {
                zip(best, scores, better);
            } else {
                for lane in (0..width).filter(|lane| left >> lane & 1 == 1) {
                    best[lane] = better(best[lane], scores[lane]);
                }
            }
        }
        let mut taken = 0;
        for picked in self.picked[..children].iter_mut().rev() {
            *picked &= !taken;
            taken |= *picked;
        }
    }

    /// Where a child has a score above 0 that no other child exceeds by more than the hysteresis.
    pub(crate) fn holds_out(&mut self, child: usize) -> u64 {
        let own = &self.scores[child * self.width..][..self.width];
        let (best, hysteresis) = (&self.best[..self.width], &self.hysteresis[..self.width]);
        bits_of(self.width, |lane| {
            (own[lane] > 0.0) & (best[lane] <= own[lane] + hysteresis[lane])
        })
    }

    /// Stores the score of a child that was evaluated last. It is 0 if it is negative or not finite, or if the lane
    /// is not `good`. Returns which of the good lanes have a score that is not finite, and which have one above 0.
    #[inline(never)]
    pub(crate) fn keep_score(&mut self, child: usize, good: u64) -> (u64, u64) {
        let keep = KeepScore {
            stacks: self,
            child,
            good,
        };
        vectorized(keep.stacks.width, keep)
    }

    #[inline(always)]
    fn keep_score_here(&mut self, child: usize, good: u64) -> (u64, u64) {
        let width = self.width;
        let scores = entry(&mut self.scores, child as u32, width);
        let values = &self.doubles[..width];
        // Without branches: `&` and not `&&`.
        for (score, &value) in scores.iter_mut().zip(values) {
            let counts = (value > 0.0) & (value <= f64::MAX);
            *score = if counts { value } else { 0.0 };
        }
        let mut others = !good & (u64::MAX >> (64 - width));
        while others != 0 {
            scores[others.trailing_zeros() as usize] = 0.0;
            others &= others - 1;
        }
        let positive = bits_of(width, |lane| scores[lane] > 0.0);
        let mut infinite = 0;
        if good & !positive != 0 {
            infinite = !bits_of(width, |lane| values[lane].abs() <= f64::MAX);
        }
        (infinite & good, positive)
    }
}

struct FindBest<'s, F> {
    stacks: &'s mut ExprStacks,
    children: usize,
    left: F,
}

impl<F: Fn(usize) -> u64> Kernel for FindBest<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.stacks.find_best_here(self.children, self.left);
    }
}

struct KeepScore<'s> {
    stacks: &'s mut ExprStacks,
    child: usize,
    good: u64,
}

impl Kernel for KeepScore<'_> {
    type Output = (u64, u64);

    #[inline(always)]
    fn run(self) -> (u64, u64) {
        self.stacks.keep_score_here(self.child, self.good)
    }
}
