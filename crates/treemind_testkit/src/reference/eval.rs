//! The value of an expression for one agent.

use treemind_core::expr::{Arith, Compare, Func};
use treemind_core::{Expr, FaultKind, Type, Value};

/// Evaluates an expression, from left to right, leaving out what does not count.
///
/// # Errors
/// The first fault.
///
/// # Panics
/// When the expression is not well typed, which [`Behaviour::new`](treemind_core::Behaviour::new) refuses.
pub fn eval(expr: &Expr, keys: &[Value]) -> Result<Value, FaultKind> {
    Ok(match expr {
        Expr::Value(value) => *value,
        Expr::Key(key, _) => keys[key.index()],
        Expr::Not(inner) => Value::Bool(!holds(inner, keys)?),
        Expr::And(left, right) => Value::Bool(holds(left, keys)? && holds(right, keys)?),
        Expr::Or(left, right) => Value::Bool(holds(left, keys)? || holds(right, keys)?),
        Expr::If(cond, then, other) => {
            let chosen = if holds(cond, keys)? { then } else { other };
            eval(chosen, keys)?
        }
        Expr::Neg(inner) => match eval(inner, keys)? {
            Value::Int(value) => Value::Int(value.checked_neg().ok_or(FaultKind::Overflow)?),
            Value::Float(value) => Value::Float(-value),
            Value::Double(value) => Value::Double(-value),
            other => unreachable!("{other} is not a number"),
        },
        Expr::Arith(op, left, right) => arith(*op, eval(left, keys)?, eval(right, keys)?)?,
        Expr::Compare(op, left, right) => {
            Value::Bool(compare(*op, eval(left, keys)?, eval(right, keys)?))
        }
        Expr::Between(value, low, high) => {
            let (value, low, high) = (eval(value, keys)?, eval(low, keys)?, eval(high, keys)?);
            Value::Bool(compare(Compare::Le, low, value) && compare(Compare::Le, value, high))
        }
        Expr::Widen(to, inner) => widen(*to, eval(inner, keys)?),
        Expr::Call(func, args) => {
            let values = args
                .iter()
                .map(|arg| eval(arg, keys))
                .collect::<Result<Vec<Value>, FaultKind>>()?;
            call(*func, &values)?
        }
    })
}

fn holds(expr: &Expr, keys: &[Value]) -> Result<bool, FaultKind> {
    Ok(eval(expr, keys)? == Value::Bool(true))
}

fn arith(op: Arith, left: Value, right: Value) -> Result<Value, FaultKind> {
    Ok(match (left, right) {
        (Value::Int(left), Value::Int(right)) => {
            if right == 0 && matches!(op, Arith::Div | Arith::Rem) {
                return Err(FaultKind::DivisionByZero);
            }
            let result = match op {
                Arith::Add => left.checked_add(right),
                Arith::Sub => left.checked_sub(right),
                Arith::Mul => left.checked_mul(right),
                Arith::Div => left.checked_div(right),
                Arith::Rem => left.checked_rem(right),
            };
            Value::Int(result.ok_or(FaultKind::Overflow)?)
        }
        (Value::Float(left), Value::Float(right)) => Value::Float(match op {
            Arith::Add => left + right,
            Arith::Sub => left - right,
            Arith::Mul => left * right,
            Arith::Div => left / right,
            Arith::Rem => left % right,
        }),
        (Value::Double(left), Value::Double(right)) => Value::Double(match op {
            Arith::Add => left + right,
            Arith::Sub => left - right,
            Arith::Mul => left * right,
            Arith::Div => left / right,
            Arith::Rem => left % right,
        }),
        (left, right) => unreachable!("{left} and {right} are not numbers of one type"),
    })
}

fn compare(op: Compare, left: Value, right: Value) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    match op {
        Compare::Eq => return left == right,
        Compare::Ne => return left != right,
        _ => {}
    }
    let order = match (left, right) {
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(&right)),
        (Value::Float(left), Value::Float(right)) => left.partial_cmp(&right),
        (Value::Double(left), Value::Double(right)) => left.partial_cmp(&right),
        (left, right) => unreachable!("{left} and {right} have no order"),
    };
    match op {
        Compare::Lt => order == Some(Less),
        Compare::Le => matches!(order, Some(Less | Equal)),
        Compare::Gt => order == Some(Greater),
        Compare::Ge => matches!(order, Some(Greater | Equal)),
        Compare::Eq | Compare::Ne => unreachable!("answered above"),
    }
}

fn widen(to: Type, value: Value) -> Value {
    match (value, to) {
        (Value::Int(value), Type::Float) => Value::Float(value as f32),
        (Value::Int(value), Type::Double) => Value::Double(value as f64),
        (Value::Float(value), Type::Double) => Value::Double(f64::from(value)),
        (same, _) => same,
    }
}

fn call(func: Func, values: &[Value]) -> Result<Value, FaultKind> {
    Ok(match values[0] {
        Value::Int(_) => {
            let ints: Vec<i64> = values
                .iter()
                .map(|value| match value {
                    Value::Int(value) => *value,
                    other => unreachable!("{other} is not an int"),
                })
                .collect();
            Value::Int(match func {
                Func::Abs => ints[0].checked_abs().ok_or(FaultKind::Overflow)?,
                Func::Min => ints[0].min(ints[1]),
                Func::Max => ints[0].max(ints[1]),
                Func::Clamp => ints[0].min(ints[2]).max(ints[1]),
                _ => unreachable!("{} does not take ints", func.name()),
            })
        }
        Value::Float(_) => {
            let floats: Vec<f32> = values
                .iter()
                .map(|value| match value {
                    Value::Float(value) => *value,
                    other => unreachable!("{other} is not a float"),
                })
                .collect();
            Value::Float(match func {
                Func::Abs => floats[0].abs(),
                Func::Min => lesser(floats[0], floats[1]),
                Func::Max => greater(floats[0], floats[1]),
                Func::Clamp => greater(lesser(floats[0], floats[2]), floats[1]),
                Func::Floor => floats[0].floor(),
                Func::Ceil => floats[0].ceil(),
                Func::Round => floats[0].round(),
                Func::Sqrt => floats[0].sqrt(),
                Func::Lerp => floats[0] + (floats[1] - floats[0]) * floats[2],
            })
        }
        Value::Double(_) => {
            let doubles: Vec<f64> = values
                .iter()
                .map(|value| match value {
                    Value::Double(value) => *value,
                    other => unreachable!("{other} is not a double"),
                })
                .collect();
            Value::Double(match func {
                Func::Abs => doubles[0].abs(),
                Func::Min => lesser(doubles[0], doubles[1]),
                Func::Max => greater(doubles[0], doubles[1]),
                Func::Clamp => greater(lesser(doubles[0], doubles[2]), doubles[1]),
                Func::Floor => doubles[0].floor(),
                Func::Ceil => doubles[0].ceil(),
                Func::Round => doubles[0].round(),
                Func::Sqrt => doubles[0].sqrt(),
                Func::Lerp => doubles[0] + (doubles[1] - doubles[0]) * doubles[2],
            })
        }
        other => unreachable!("{other} is not a number"),
    })
}

/// The first unless the second is less; the second also when the first is NaN.
fn lesser<T: PartialOrd>(first: T, second: T) -> T {
    let is_nan = first.partial_cmp(&first).is_none();
    if second < first || is_nan {
        second
    } else {
        first
    }
}

/// The first unless the second is greater; the second also when the first is NaN.
fn greater<T: PartialOrd>(first: T, second: T) -> T {
    let is_nan = first.partial_cmp(&first).is_none();
    if second > first || is_nan {
        second
    } else {
        first
    }
}
