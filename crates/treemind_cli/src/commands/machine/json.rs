//! Values from JSON.

use serde_json::Value as Json;
use treemind_core::{Behaviour, Text, Type, Value};

/// A value of a type from a piece of JSON; names of values of an enumeration and vectors are read, too.
pub(super) fn typed(behaviour: &Behaviour, ty: Type, json: &Json) -> Option<Value> {
    let plain = match (ty, json) {
        (Type::Enum(list), Json::String(name)) => {
            let mut names = behaviour.enumeration(list).values.iter();
            let index = names.position(|known| known == name)?;
            return Some(Value::Enum(list, index as u32));
        }
        (Type::Entity, Json::Number(number)) => return number.as_u64().map(Value::Entity),
        (Type::Vec2 | Type::Vec3, Json::Array(parts)) => {
            let parts: Option<Vec<f32>> = parts
                .iter()
                .map(|part| part.as_f64().map(|part| part as f32))
                .collect();
            return match (ty, &parts?[..]) {
                (Type::Vec2, [x, y]) => Some(Value::Vec2([*x, *y])),
                (Type::Vec3, [x, y, z]) => Some(Value::Vec3([*x, *y, *z])),
                _ => None,
            };
        }
        (Type::Float, Json::Number(number)) => Value::Float(number.as_f64()? as f32),
        (Type::Double, Json::Number(number)) => Value::Double(number.as_f64()?),
        (_, json) => value(json)?,
    };
    (plain.ty() == ty || ty == Type::Any).then_some(plain)
}

/// The value of a piece of JSON. Machines have no values for lists and objects.
pub(super) fn value(json: &Json) -> Option<Value> {
    match json {
        Json::Bool(truth) => Some(Value::Bool(*truth)),
        Json::Number(number) => match number.as_i64() {
            Some(int) => Some(Value::Int(int)),
            None => number.as_f64().map(Value::Double),
        },
        Json::String(text) => Some(Value::Text(Text::new(text))),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}
