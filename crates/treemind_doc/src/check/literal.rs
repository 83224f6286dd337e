//! Values in the document, converted to a type.

use crate::code::Code;
use crate::diagnostic::{Reported, Sink};
use crate::expression::{KeyScope, a_type};
use crate::suggest;
use crate::syntax::{Entry, Text as Word, Value as Written, shortened};
use crate::{Said, said};
use treemind_core::{EnumId, Text, Type, Value};

/// Reads a value as type `ty`; `what` begins the sentence of a diagnostic.
pub(crate) fn literal(
    entry: &Entry,
    ty: Type,
    what: &Said,
    scope: &KeyScope,
    sink: &mut Sink,
) -> Result<Value, Reported> {
    let value = match (&entry.value, ty) {
        (Written::Bad, _) => return Err(sink.reported_before(entry.value_span.clone())),
        (Written::Bool(value), Type::Bool) => Some(Value::Bool(*value)),
        (Written::Int(value), _) if ty.is_number() || ty == Type::Entity => {
            return whole(*value, ty, entry, sink);
        }
        (Written::Decimal(value, text), Type::Float | Type::Double) => {
            return decimal(*value, text, ty, entry, sink);
        }
        (Written::Text(text), Type::Enum(list)) => {
            return enum_value(text, list, what, scope, sink);
        }
        (Written::Text(text), Type::Text | Type::Any) => Some(Value::Text(Text::new(&text.value))),
        (Written::Text(text), Type::Vec2 | Type::Vec3) => {
            return vector(&text.value, ty, what, entry, sink);
        }
        (Written::Bool(value), Type::Any) => Some(Value::Bool(*value)),
        (Written::Int(value), Type::Any) => return whole(*value, Type::Int, entry, sink),
        (Written::Decimal(value, text), Type::Any) => {
            return decimal(*value, text, Type::Double, entry, sink);
        }
        _ => None,
    };
    value.ok_or_else(|| {
        let message = said!(
            "expected {} for {}, found {}",
            a_type(ty),
            what,
            described(&entry.value)
        );
        sink.error(Code::WrongType, entry.value_span.clone(), message)
            .with_perhaps(meant(&entry.value, ty))
    })
}

/// How to write the value that a literal of another type was perhaps meant to be.
fn meant(value: &Written, ty: Type) -> Option<Said> {
    Some(match (value, ty) {
        (Written::Text(text), _) if text.value.trim().parse::<f64>().is_ok() && ty.is_number() => {
            said!("remove the quotes: `{}`", text.value.trim())
        }
        (Written::Text(text), Type::Bool) if text.value == "true" || text.value == "false" => {
            said!("write `#{}`", text.value)
        }
        (Written::Int(value @ (0 | 1)), Type::Bool) => {
            said!("write `#{}`", if *value == 1 { "true" } else { "false" })
        }
        (Written::Int(_) | Written::Decimal(..) | Written::Bool(_), Type::Text) => {
            said!("write text in quotes")
        }
        (_, Type::Vec2 | Type::Vec3) => said!("write {}", example(ty)),
        _ => return None,
    })
}

fn described(value: &Written) -> Said {
    match value {
        Written::Text(text) => said!("the text `{}`", shortened(&text.value)),
        Written::Int(value) => said!("`{}`", *value),
        Written::Decimal(_, text) => said!("`{}`", shortened(text)),
        Written::Bool(value) => format!("`#{value}`").into(),
        Written::Null => said!("`{}`", "#null"),
        Written::Bad => said!("this"),
    }
}

fn whole(value: i128, ty: Type, entry: &Entry, sink: &mut Sink) -> Result<Value, Reported> {
    let converted = match ty {
        Type::Int => i64::try_from(value).ok().map(Value::Int),
        Type::Entity => u64::try_from(value).ok().map(Value::Entity),
        Type::Float => Some(Value::Float(value as f32)),
        _ => Some(Value::Double(value as f64)),
    };
    let finite = !matches!(converted, Some(Value::Float(value)) if !value.is_finite());
    if let Some(converted) = converted.filter(|_| finite) {
        return Ok(converted);
    }
    let message = said!("`{}` is out of the range of {}", value, a_type(ty));
    let problem = sink.error(Code::BadNumber, entry.value_span.clone(), message);
    Err(problem.reported())
}

fn decimal(
    value: f64,
    text: &str,
    ty: Type,
    entry: &Entry,
    sink: &mut Sink,
) -> Result<Value, Reported> {
    let span = entry.value_span.clone();
    if !value.is_finite() {
        let message = said!("a number must be finite, not infinite or `nan`");
        return Err(sink.error(Code::BadNumber, span, message).reported());
    }
    if ty == Type::Double {
        return Ok(Value::Double(value));
    }
    let float: f32 = text.parse().unwrap_or(f32::INFINITY);
    if !float.is_finite() {
        let message = said!("this number is too large for a float");
        let problem = sink.error(Code::BadNumber, span, message);
        return Err(problem.with_help(said!("use the type `double`")));
    }
    Ok(Value::Float(float))
}

/// `"1.0, 2.0"`
fn vector(
    text: &str,
    ty: Type,
    what: &Said,
    entry: &Entry,
    sink: &mut Sink,
) -> Result<Value, Reported> {
    let span = entry.value_span.clone();
    let parts: Vec<Option<f32>> = text
        .split(',')
        .map(|part| {
            let digits = part.trim().replace('_', "");
            let is_number = digits.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
            digits.parse().ok().filter(|_| is_number)
        })
        .collect();
    let parts: Option<Vec<f32>> = parts.into_iter().collect();
    let value = match parts.as_deref() {
        Some(&[x, y]) if ty == Type::Vec2 => Value::Vec2([x, y]),
        Some(&[x, y, z]) if ty == Type::Vec3 => Value::Vec3([x, y, z]),
        _ => {
            let message = said!(
                "expected {} for {}, found the text `{}`",
                a_type(ty),
                what,
                shortened(text)
            );
            let problem = sink.error(Code::WrongType, span, message);
            return Err(problem.with_help(said!("write {}", example(ty))));
        }
    };
    if parts.is_some_and(|parts| parts.iter().any(|part| !part.is_finite())) {
        let message = said!("a component of this vector is too large for a float");
        return Err(sink.error(Code::BadNumber, span, message).reported());
    }
    Ok(value)
}

fn example(ty: Type) -> Said {
    match ty {
        Type::Vec2 => said!("its components with commas between them, in quotes: `\"1.0, 2.0\"`"),
        _ => said!("its components with commas between them, in quotes: `\"1.0, 2.0, 3.0\"`"),
    }
}

fn enum_value(
    text: &Word,
    list: EnumId,
    what: &Said,
    scope: &KeyScope,
    sink: &mut Sink,
) -> Result<Value, Reported> {
    let at = (text.span.start, 0..text.value.len());
    if let Some(value) = scope.named_value(list, &text.value, at) {
        return Ok(value);
    }
    let word = shortened(&text.value);
    let values = scope.enums[list.index()].values.iter().map(String::as_str);
    let help = suggest::among(&word, said!("its values"), values, || None);
    let message = said!("unknown value `{}` for {}", word, what);
    let problem = sink.error(Code::UnknownValue, text.span.clone(), message);
    Err(problem.with_perhaps(help))
}
