//! Random `utility-selector`s.

use super::trees::TreeMaker;
use treemind_core::behaviour::{Combine, Consideration, Policy, Score, Scoring};
use treemind_core::expr::Func;
use treemind_core::{Curve, Expr, Kind, Value};

impl TreeMaker<'_> {
    pub(super) fn utility(&mut self, children: usize) -> Kind {
        let policy = match self.exprs.random.weighted(&[50, 20, 10, 15, 5]) {
            0 => Policy::Highest,
            1 => Policy::WeightedRandom,
            2 => Policy::Top(1),
            3 => Policy::Top(2),
            _ => Policy::Top(3),
        };
        let scores = (0..children).map(|_| self.score()).collect();
        let hysteresis = match self.exprs.random.weighted(&[30, 40, 15, 15]) {
            0 => Expr::Value(Value::Double(0.0)),
            1 => Expr::Value(Value::Double(0.25)),
            2 => self.share(),
            _ => self.quantity(),
        };
        Kind::UtilitySelector {
            scores,
            policy,
            hysteresis,
            reactive: self.percent(65),
            fails: self.percent(25),
        }
    }

    pub(super) fn score(&mut self) -> Score {
        let made = match self.exprs.random.weighted(&[25, 35, 40]) {
            0 => Scoring::Expr(self.share()),
            1 => Scoring::Expr(self.quantity()),
            _ => {
                let combine = *self.exprs.random.pick(&[
                    Combine::Product { compensated: false },
                    Combine::Product { compensated: true },
                    Combine::Min,
                    Combine::Max,
                    Combine::Average,
                ]);
                let number = 1 + self.exprs.random.weighted(&[5, 5, 2]);
                Scoring::Combined(combine, (0..number).map(|_| self.consideration()).collect())
            }
        };
        let weight = self.percent(20).then(|| self.share());
        Score { made, weight }
    }

    fn consideration(&mut self) -> Consideration {
        let of = if self.percent(70) {
            self.quantity()
        } else {
            self.share()
        };
        Consideration {
            of,
            curve: self.curve(),
            weight: self.percent(35).then(|| self.share()),
        }
    }

    /// A weight; above 0 and finite if faults are not wanted.
    fn share(&mut self) -> Expr {
        if self.exprs.profile.faults {
            return self.weight();
        }
        Expr::Value(Value::Double(
            *self.exprs.random.pick(&[0.1, 0.5, 1.0, 2.0]),
        ))
    }

    /// Any expression; between 0 and 2 if faults are not wanted.
    fn quantity(&mut self) -> Expr {
        let any = self.without_draws(|exprs| exprs.any_double());
        if self.exprs.profile.faults {
            return any;
        }
        let [low, high] = [0.0, 2.0].map(|end| Expr::Value(Value::Double(end)));
        Expr::Call(Func::Clamp, vec![any, low, high])
    }

    fn curve(&mut self) -> Curve {
        let number = *self
            .exprs
            .random
            .pick(&[-2.0, -0.5, 0.0, 0.3, 0.5, 1.0, 2.0, 7.5]);
        let other = *self.exprs.random.pick(&[0.0, 0.25, 0.5, 1.0]);
        match self.exprs.random.weighted(&[4, 3, 3, 3, 3, 3]) {
            0 => Curve::Linear {
                slope: number,
                offset: other,
            },
            1 => Curve::Power {
                exponent: if number > 0.0 { number } else { 3.0 },
            },
            2 => Curve::Logistic {
                mid: other,
                steep: number * 4.0,
            },
            3 => Curve::Exponential { steep: number },
            4 => Curve::Step { at: other },
            _ => Curve::Points(vec![[0.0, other], [0.5, 1.0 - other], [1.0, 0.75]]),
        }
    }
}
