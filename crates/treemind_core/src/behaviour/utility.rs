//! How the children of a `utility-selector` are scored, and which of them are chosen.

use crate::curve::Curve;
use crate::expr::Expr;

/// Which child a [`Kind::UtilitySelector`](super::Kind::UtilitySelector) chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Policy {
    /// The one with the highest score; if there are several, the first.
    Highest,
    /// Any, drawn in proportion to the scores.
    WeightedRandom,
    /// One of this many with the highest scores, 1 or more, drawn in proportion to the scores.
    Top(u32),
}

/// The score of a child of a [`Kind::UtilitySelector`](super::Kind::UtilitySelector).
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// How it is computed.
    pub made: Scoring,
    /// A `double` expression that it is multiplied by.
    pub weight: Option<Expr>,
}

/// How a score is computed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Scoring {
    /// A `double` expression.
    Expr(Expr),
    /// Several considerations combined, at least one and at most [`MAX_CONSIDERATIONS`].
    Combined(Combine, Vec<Consideration>),
}

/// How considerations are combined into one number between 0 and 1. `c` is a consideration, `w` its weight, 1 if it
/// has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Combine {
    /// The product of all `f = c + (1 - w) * (1 - c)`: each can veto, and a consideration of weight 0 counts as 1.
    Product {
        /// Whether, with `n` considerations, each `f` is first raised to `f + (1 - f) * (1 - 1 / n) * f`, because a
        /// product of many numbers below 1 is small. From Dave Mark, "Building a Better Centaur" (GDC 2015).
        compensated: bool,
    },
    /// The least `f`, with `f` as for a product.
    Min,
    /// The greatest `w * c`.
    Max,
    /// The sum of all `w * c` divided by the sum of all `w`; if that is 0, a fault.
    Average,
}

/// One quantity that is taken into account.
#[derive(Clone, Debug, PartialEq)]
pub struct Consideration {
    /// A `double` expression.
    pub of: Expr,
    /// The curve that is applied to it.
    pub curve: Curve,
    /// How much it counts, a `double` expression clamped to 0–1.
    pub weight: Option<Expr>,
}

/// The largest number of considerations of a score.
pub const MAX_CONSIDERATIONS: usize = 64;

impl Score {
    /// A score that is an expression.
    pub fn of(expr: Expr) -> Self {
        Self {
            made: Scoring::Expr(expr),
            weight: None,
        }
    }

    /// Its considerations; empty if it is an expression.
    pub fn considerations(&self) -> &[Consideration] {
        match &self.made {
            Scoring::Expr(_) => &[],
            Scoring::Combined(_, considerations) => considerations,
        }
    }

    /// Its expressions in the order in which they are evaluated.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let alone = match &self.made {
            Scoring::Expr(expr) => Some(expr),
            Scoring::Combined(..) => None,
        };
        let considered = self.considerations().iter();
        let considered = considered.flat_map(|one| [&one.of].into_iter().chain(&one.weight));
        alone.into_iter().chain(considered).chain(&self.weight)
    }
}

impl Policy {
    /// The number of best children among which one is drawn; 1: nothing is drawn.
    pub fn among(self, children: usize) -> usize {
        match self {
            Policy::Highest => 1,
            Policy::WeightedRandom => children,
            Policy::Top(best) => best as usize,
        }
    }
}

/// Checks how scores are built; their expressions are checked like those of all nodes.
pub(super) fn check<'s>(
    scores: impl IntoIterator<Item = &'s Score>,
    policy: Policy,
) -> Result<(), String> {
    if policy == Policy::Top(0) {
        return Err("one of the best 0 children".to_owned());
    }
    for score in scores {
        if let Scoring::Combined(_, considerations) = &score.made
            && !(1..=MAX_CONSIDERATIONS).contains(&considerations.len())
        {
            let count = considerations.len();
            return Err(format!("a score of {count} considerations"));
        }
        for consideration in score.considerations() {
            consideration.curve.check()?;
        }
    }
    Ok(())
}
