//! The parts of guards and of what goals want: each must hold.

use super::parts_of;
use treemind_core::Expr;
use treemind_core::behaviour::{Guards, usable_if};

/// Something that must hold: for a step to be used, or for a goal to be reached.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    /// The step; `None` for what the goal wants.
    pub(super) step: Option<usize>,
    pub(super) expr: Expr,
}

/// The parts of the guards of a step, in the order in which they are looked at.
pub(super) fn at_step(step: usize, guards: &Guards) -> Vec<Part> {
    let mut parts = Vec::new();
    for (guard, must_hold) in usable_if(guards) {
        let exprs = match must_hold {
            true => parts_of(guard),
            false => refuted(guard),
        };
        parts.extend(exprs.into_iter().map(|expr| Part {
            step: Some(step),
            expr,
        }));
    }
    parts
}

/// The parts of what a goal wants.
pub(super) fn at_goal(wants: &Expr) -> Vec<Part> {
    let parts = parts_of(wants).into_iter();
    parts.map(|expr| Part { step: None, expr }).collect()
}

/// What must hold so that an expression does not.
fn refuted(expr: &Expr) -> Vec<Expr> {
    match expr {
        Expr::Or(left, right) => [refuted(left), refuted(right)].concat(),
        Expr::Not(inner) => parts_of(inner),
        other => vec![Expr::Not(Box::new(other.clone()))],
    }
}

/// All of these together; `None` for none.
pub(super) fn conjunction(parts: Vec<Expr>) -> Option<Expr> {
    let and = |left, right| Expr::And(Box::new(left), Box::new(right));
    parts.into_iter().reduce(and)
}

/// Guards that ask for these parts.
pub(super) fn guard_of(parts: Vec<Expr>) -> Guards {
    Guards {
        while_holds: conjunction(parts),
        ..Guards::default()
    }
}
