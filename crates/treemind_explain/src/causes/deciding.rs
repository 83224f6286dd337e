//! Which of the values that a test read with another value made it come to another answer.

use crate::evaluated::Source;
use treemind_core::expr::Compare;
use treemind_core::{Expr, Type, Value};

/// Whether the test would come to another answer than `holds` if this key or time alone had the value `before` again.
pub(super) fn decides(
    expr: &Expr,
    holds: bool,
    now: &[(Source, Value)],
    (source, before): (Source, Value),
) -> bool {
    let value = |wanted: Source| match wanted == source {
        true => Some(before),
        false => Some(now.iter().find(|(known, _)| *known == wanted)?.1),
    };
    truth(expr, &value) == Some(!holds)
}

/// What a test comes to, if its logic, comparisons of keys, times and literals say so.
fn truth(expr: &Expr, value: &impl Fn(Source) -> Option<Value>) -> Option<bool> {
    match expr {
        Expr::Value(Value::Bool(holds)) => Some(*holds),
        Expr::Key(key, _) => match value(Source::Key(*key))? {
            Value::Bool(holds) => Some(holds),
            _ => None,
        },
        Expr::Not(inner) => Some(!truth(inner, value)?),
        Expr::And(left, right) => match (truth(left, value), truth(right, value)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        Expr::Or(left, right) => match (truth(left, value), truth(right, value)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        Expr::Compare(compare, left, right) => {
            let (left, right) = (term(left, value)?, term(right, value)?);
            compared(*compare, left, right)
        }
        Expr::Between(of, low, high) => {
            let (of, low, high) = (term(of, value)?, term(low, value)?, term(high, value)?);
            let above = compared(Compare::Ge, of, low)?;
            Some(above && compared(Compare::Le, of, high)?)
        }
        _ => None,
    }
}

/// The value of a key, a time or a literal.
fn term(expr: &Expr, value: &impl Fn(Source) -> Option<Value>) -> Option<Value> {
    match expr {
        Expr::Value(value) => Some(*value),
        Expr::Widen(to, inner) => match (term(inner, value)?, to) {
            (Value::Int(number), Type::Float) => Some(Value::Float(number as f32)),
            (Value::Int(number), Type::Double) => Some(Value::Double(number as f64)),
            (Value::Float(number), Type::Double) => Some(Value::Double(f64::from(number))),
            _ => None,
        },
        other => value(Source::of(other)?),
    }
}

fn compared(compare: Compare, left: Value, right: Value) -> Option<bool> {
    let order = match (left, right) {
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(&right)),
        (Value::Float(left), Value::Float(right)) => left.partial_cmp(&right),
        (Value::Double(left), Value::Double(right)) => left.partial_cmp(&right),
        _ => {
            return match compare {
                Compare::Eq => Some(left == right),
                Compare::Ne => Some(left != right),
                _ => None,
            };
        }
    }?;
    Some(match compare {
        Compare::Eq => order.is_eq(),
        Compare::Ne => order.is_ne(),
        Compare::Lt => order.is_lt(),
        Compare::Le => order.is_le(),
        Compare::Gt => order.is_gt(),
        Compare::Ge => order.is_ge(),
    })
}
