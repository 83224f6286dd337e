//! MessagePack, as much of it as a blackboard needs.

use treemind_core::{Behaviour, Held, KeyId, Population, Value};

/// The head of a map with so many entries.
pub(crate) fn map(out: &mut Vec<u8>, entries: usize) {
    let entries = u32::try_from(entries).unwrap_or(u32::MAX);
    out.push(0xdf);
    out.extend(entries.to_be_bytes());
}

/// A text.
pub(crate) fn text(out: &mut Vec<u8>, text: &str) {
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    out.push(0xdb);
    out.extend(length.to_be_bytes());
    out.extend(text.as_bytes());
}

fn double(out: &mut Vec<u8>, number: f64) {
    out.push(0xcb);
    out.extend(number.to_be_bytes());
}

/// The keys on a blackboard of an agent that hold something.
pub(crate) fn keys(
    out: &mut Vec<u8>,
    population: &Population,
    agent: usize,
    board: &[(String, KeyId)],
) {
    let behaviour = population.program().behaviour();
    let held = |id| population.held(agent, id);
    let set = || {
        board
            .iter()
            .filter(|(_, id)| !matches!(held(*id), Held::Unset))
    };
    map(out, set().count());
    for (name, id) in set() {
        text(out, name);
        match held(*id) {
            Held::One(one) => value(out, behaviour, one),
            other => text(out, &behaviour.display_held(other)),
        }
    }
}

fn value(out: &mut Vec<u8>, behaviour: &Behaviour, value: Value) {
    match value {
        Value::Bool(is) => out.push(if is { 0xc3 } else { 0xc2 }),
        Value::Int(number) => {
            out.push(0xd3);
            out.extend(number.to_be_bytes());
        }
        Value::Float(number) => double(out, f64::from(number)),
        Value::Double(number) => double(out, number),
        Value::Entity(number) => {
            out.push(0xcf);
            out.extend(number.to_be_bytes());
        }
        Value::Vec2(parts) => list(out, &parts),
        Value::Vec3(parts) => list(out, &parts),
        Value::Text(words) => text(out, words.as_str()),
        // Enums, and whatever is added.
        _ => text(out, &behaviour.display_value(value)),
    }
}

fn list(out: &mut Vec<u8>, parts: &[f32]) {
    // At most three parts.
    out.push(0x90 | parts.len() as u8);
    parts.iter().for_each(|part| double(out, f64::from(*part)));
}
