//! Expressions in an `each`, of which more is known than is written: its item stands for a value.

use treemind_core::expr::Arith;
use treemind_core::planning::known_value;
use treemind_core::{Expr, Value};

/// A value as an expression. Where only other numbers make sense, a negative literal is refused, and what comes to it is
/// not: of a value of an `each`, only the others may be meant there. So it is written as the opposite of a literal.
pub(super) fn said_in_full(value: Value) -> Expr {
    let minus = |value: Value| Expr::Neg(Box::new(Expr::Value(value)));
    match value {
        Value::Int(i64::MIN) => {
            let one = Box::new(Expr::Value(Value::Int(1)));
            Expr::Arith(Arith::Sub, Box::new(minus(Value::Int(i64::MAX))), one)
        }
        Value::Int(number) if number < 0 => minus(Value::Int(-number)),
        Value::Float(number) if number < 0.0 => minus(Value::Float(-number)),
        Value::Double(number) if number < 0.0 => minus(Value::Double(-number)),
        value => Expr::Value(value),
    }
}

/// Whether it is a negative number.
fn is_below_zero(expr: &Expr) -> bool {
    match expr {
        Expr::Value(Value::Int(number)) => *number < 0,
        Expr::Value(Value::Float(number)) => *number < 0.0,
        Expr::Value(Value::Double(number)) => *number < 0.0,
        _ => false,
    }
}

/// The same expression, with values for the parts that are known, unless it is a negative number as a whole.
pub(crate) fn settled(expr: Expr) -> Expr {
    let known = with_values(expr.clone());
    match is_below_zero(&known) {
        true => expr,
        false => known,
    }
}

/// The same expression, with values for the parts that are known. What may be a fault stays as it is.
pub(crate) fn with_values(expr: Expr) -> Expr {
    let boxed = |expr: Box<Expr>| Box::new(with_values(*expr));
    let all = |exprs: Vec<Expr>| exprs.into_iter().map(with_values).collect();
    let expr =
        match expr {
            Expr::And(a, b) => match (with_values(*a), with_values(*b)) {
                (Expr::Value(Value::Bool(true)), known)
                | (known, Expr::Value(Value::Bool(true))) => known,
                (known @ Expr::Value(_), _) => known,
                (a, b) => Expr::And(Box::new(a), Box::new(b)),
            },
            Expr::Or(a, b) => match (with_values(*a), with_values(*b)) {
                (Expr::Value(Value::Bool(false)), known)
                | (known, Expr::Value(Value::Bool(false))) => known,
                (known @ Expr::Value(_), _) => known,
                (a, b) => Expr::Or(Box::new(a), Box::new(b)),
            },
            Expr::If(cond, then, other) => match with_values(*cond) {
                Expr::Value(Value::Bool(true)) => with_values(*then),
                Expr::Value(Value::Bool(false)) => with_values(*other),
                cond => Expr::If(Box::new(cond), boxed(then), boxed(other)),
            },
            Expr::Not(a) => Expr::Not(boxed(a)),
            Expr::Neg(a) => Expr::Neg(boxed(a)),
            Expr::Arith(op, a, b) => Expr::Arith(op, boxed(a), boxed(b)),
            Expr::Scale(op, a, b) => Expr::Scale(op, boxed(a), boxed(b)),
            Expr::Part(part, a) => Expr::Part(part, boxed(a)),
            Expr::Vector(parts) => Expr::Vector(all(parts)),
            Expr::Length(a) => Expr::Length(boxed(a)),
            Expr::Curve(curve, a) => Expr::Curve(curve, boxed(a)),
            Expr::OfVectors(func, args) => Expr::OfVectors(func, all(args)),
            Expr::Compare(op, a, b) => Expr::Compare(op, boxed(a), boxed(b)),
            Expr::Between(a, b, c) => Expr::Between(boxed(a), boxed(b), boxed(c)),
            Expr::Widen(ty, a) => Expr::Widen(ty, boxed(a)),
            Expr::Call(func, args) => Expr::Call(func, all(args)),
            other => other,
        };
    match known_value(&expr) {
        Some(value) if value.ty() == expr.ty() => Expr::Value(value),
        _ => expr,
    }
}
