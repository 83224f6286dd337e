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

/// The number that a value is, or that its text begins with.
fn leading(value: Value) -> Result<f64, FaultKind> {
    let Value::Text(text) = value else {
        return match double(value)? {
            Value::Double(double) => Ok(double),
            _ => Err(FaultKind::NotNumber),
        };
    };
    let text = text.as_str();
    if let Some(at) = ["false", "true"].iter().position(|word| text == *word) {
        return Ok(at as f64);
    }
    let text = text.trim_ascii_start().to_ascii_lowercase();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(&text);
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    if let Some(hex) = digits.strip_prefix("0x") {
        let digits = hex.chars().map_while(|c| c.to_digit(16));
        return Ok(sign * digits.fold(0.0, |sum, digit| sum * 16.0 + f64::from(digit)));
    }
    // The longest beginning that is a number; what Rust reads begins with a digit, a point or a word.
    let ends = (1..=digits.len()).rev().filter_map(|end| digits.get(..end));
    let numbers = ends.filter(|part| !part.starts_with(['-', '+']));
    let mut numbers = numbers.filter_map(|part| part.parse::<f64>().ok());
    numbers
        .next()
        .map(|number| sign * number)
        .ok_or(FaultKind::NotNumber)
}

/// The whole number that a value is, or that its text begins with.
fn leading_whole(value: Value) -> Result<Value, FaultKind> {
    let Value::Text(text) = value else {
        return whole(value);
    };
    let is_part = |(at, c): &(usize, char)| c.is_ascii_digit() || (*at == 0 && *c == '-');
    let part = text.as_str().char_indices().take_while(is_part);
    let part: String = part.map(|(_, c)| c).collect();
    let int = part.parse().map_err(|_| FaultKind::NotNumber)?;
    Ok(Value::Int(int))
}

/// Whether two values are about the same: 0, or which of them is less.
fn likeness(a: Value, b: Value) -> Result<i64, FaultKind> {
    let is_odd = |value| !matches!(value, Value::Text(_)) && double(value).is_err();
    match (a, b) {
        (a, b) if is_odd(a) && is_odd(b) => return Ok(i64::from(a != b)),
        (Value::Text(_), Value::Text(_)) | (Value::Int(_), Value::Int(_)) => return order(a, b),
        _ => {}
    }
    let (a, b) = (leading(a)?, leading(b)?);
    let near = a == b || (a - b).abs() <= 1.0 / 8_388_608.0;
    Ok(if near {
        0
    } else if a < b {
        -1
    } else {
        1
    })
}

/// Whether two values are numbers, or spell them whole, that are about the same.
fn spelled_near(a: Value, b: Value) -> bool {
    let spelled = |value| match value {
        Value::Text(text) => {
            let text = text.as_str();
            let is_plain = !text.starts_with('+') && !text.contains(char::is_whitespace);
            text.parse::<f64>().ok().filter(|_| is_plain)
        }
        other => double(other).ok().and_then(|number| match number {
            Value::Double(number) => Some(number),
            _ => None,
        }),
    };
    match (spelled(a), spelled(b)) {
        (Some(a), Some(b)) => (a - b).abs() <= 1.0 / 8_388_608.0,
        _ => false,
    }
}

/// Which of two values comes first.
fn order(a: Value, b: Value) -> Result<i64, FaultKind> {
    if let (Value::Text(a), Value::Text(b)) = (a, b) {
        let (a, b) = (a.as_str().as_bytes(), b.as_str().as_bytes());
        return Ok(i64::from(a > b) - i64::from(a < b));
    }
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        return Ok(i64::from(a > b) - i64::from(a < b));
    }
    let (a, b) = (leading(a)?, leading(b)?);
    if a.is_nan() || b.is_nan() {
        return Err(FaultKind::NotNumber);
    }
    Ok(i64::from(a > b) - i64::from(a < b))
}

/// Its result.
pub(super) fn of_texts(func: TextFunc, values: &[Value]) -> Result<Value, FaultKind> {
    match func {
        TextFunc::Int => return whole(values[0]),
        TextFunc::Double => return double(values[0]),
        TextFunc::Number if matches!(values[0], Value::Text(_)) => {
            return Err(FaultKind::NotNumber);
        }
        TextFunc::Number => return double(values[0]),
        TextFunc::LeadingInt => return leading_whole(values[0]),
        _ => {}
    }
    let (a, b) = (values[0], values[1]);
    if func == TextFunc::SpelledAlike {
        return Ok(Value::Bool(a == b || spelled_near(a, b)));
    }
    if func != TextFunc::Joined {
        let of = if func == TextFunc::Order {
            order
        } else {
            likeness
        };
        return of(a, b).map(Value::Int);
    }
    let all = letters(a) + &letters(b);
    match all.len() > TextFunc::LONGEST {
        true => Err(FaultKind::TextTooLong),
        false => Ok(Value::Text(Text::new(&all))),
    }
}
