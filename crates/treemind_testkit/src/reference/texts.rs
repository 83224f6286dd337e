//! Functions of values of any type.

use treemind_core::expr::TextFunc;
use treemind_core::{FaultKind, Text, Value};

/// A value as a part of a text.
fn letters(value: Value) -> String {
    match value {
        Value::Text(text) => text.as_str().to_owned(),
        Value::Float(float) => format!("{float:.6}"),
        Value::Double(double) => format!("{double:.6}"),
        other => other.to_string(),
    }
}

/// The whole number that a value is.
fn whole(value: Value) -> Result<Value, FaultKind> {
    let text = match value {
        Value::Bool(truth) => return Ok(Value::Int(i64::from(truth))),
        Value::Text(text) => text.as_str().trim().to_owned(),
        // With all digits; `-0` is 0.
        Value::Int(int) => int.to_string(),
        Value::Float(float) if float.fract() == 0.0 => format!("{float:.0}"),
        Value::Double(double) if double.fract() == 0.0 => format!("{double:.0}"),
        _ => return Err(FaultKind::NotNumber),
    };
    let int = text.parse().map_err(|_| FaultKind::NotNumber)?;
    Ok(Value::Int(int))
}

/// The number that a value is.
fn double(value: Value) -> Result<Value, FaultKind> {
    Ok(Value::Double(match value {
        Value::Double(double) => double,
        Value::Float(float) => f64::from(float),
        Value::Int(int) => int as f64,
        Value::Bool(truth) => f64::from(u8::from(truth)),
        Value::Text(text) => {
            let double = text.as_str().trim().parse();
            double.map_err(|_| FaultKind::NotNumber)?
        }
        _ => return Err(FaultKind::NotNumber),
    }))
}

/// Its result.
pub(super) fn of_texts(func: TextFunc, values: &[Value]) -> Result<Value, FaultKind> {
    match func {
        TextFunc::Int => return whole(values[0]),
        TextFunc::Double => return double(values[0]),
        _ => {}
    }
    let (a, b) = (values[0], values[1]);
    if func == TextFunc::Joined {
        let all = letters(a) + &letters(b);
        return match all.len() > TextFunc::LONGEST {
            true => Err(FaultKind::Overflow),
            false => Ok(Value::Text(Text::new(&all))),
        };
    }
    if let (Value::Text(a), Value::Text(b)) = (a, b) {
        let (a, b) = (a.as_str().as_bytes(), b.as_str().as_bytes());
        return Ok(Value::Int(i64::from(a > b) - i64::from(a < b)));
    }
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        return Ok(Value::Int(i64::from(a > b) - i64::from(a < b)));
    }
    let number = |value: Value| match value {
        Value::Bool(truth) => f64::from(u8::from(truth)),
        Value::Int(int) => int as f64,
        Value::Float(float) => f64::from(float),
        Value::Double(double) => double,
        Value::Text(text) => text.as_str().trim().parse().unwrap_or(f64::NAN),
        _ => f64::NAN,
    };
    let (a, b) = (number(a), number(b));
    Ok(Value::Int(i64::from(a > b) - i64::from(a < b)))
}
