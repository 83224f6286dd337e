//! What goes wrong where something cannot be computed in a situation, for those who explain plans. Searches only ask whether
//! it can.

use super::Domain;
use super::term::Term;
use crate::expr::{Arith, Expr};
use crate::ids::KeyId;
use crate::value::Value;

/// Why something cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Blame {
    /// This key is unset.
    Unset(KeyId),
    /// An `int` is divided by zero.
    DivisionByZero,
    /// A number is outside of its type.
    Overflow,
}

impl Domain {
    /// What goes wrong when an expression is computed in a situation; `None` if nothing does. Its keys are facts, and it is
    /// one that planners may have.
    pub fn fault(&self, expr: &Expr, situation: &[u64]) -> Option<Blame> {
        let eval = |expr: &Expr| Term::new(expr, &self.layout).eval(situation);
        if eval(expr).is_some() {
            return None;
        }
        let mut at = expr;
        // What the fault comes from: of two alternatives, only the one that is taken is computed.
        loop {
            let is_taken = |part: &&Expr| match at {
                Expr::If(cond, then, other) if eval(cond).is_some() => {
                    let taken = match eval(cond) {
                        Some(Value::Bool(true)) => then,
                        _ => other,
                    };
                    std::ptr::eq(*part, &raw const **taken)
                }
                _ => true,
            };
            let mut parts = at.parts().filter(is_taken);
            match parts.find(|part| eval(part).is_none()) {
                Some(part) => at = part,
                None => break,
            }
        }
        Some(match at {
            Expr::Key(key, _) => Blame::Unset(*key),
            Expr::Arith(Arith::Div | Arith::Rem, _, by) if eval(by) == Some(Value::Int(0)) => {
                Blame::DivisionByZero
            }
            _ => Blame::Overflow,
        })
    }

    /// Which statement of a step cannot be carried out in a situation, counted from 0; the situation is then as it is before
    /// that one. `None` if all can, and the situation is as it is after the step.
    pub fn stuck_effect(&self, step: usize, situation: &mut [u64]) -> Option<usize> {
        let mut effects = self.steps[step].effects.iter();
        effects.position(|effect| effect.apply(situation).is_none())
    }
}
