//! What has changed in a definition since the one that a page has: after a reload, little of it has.

use serde_json::{Map, Value, json};

/// At so many places at most, items of a list change one by one; beyond that, all between the first and the last change.
const MOST_ITEMS: usize = 8;

/// What makes one value of another. It is the new value, `{"is": VALUE}`; the members that differ and the names of those that
/// are gone, `{"object": {NAME: PIECE}, "gone": [NAME]}`; items of a list, `{"items": [[PLACE, PIECE]]}`; a part of a list or of
/// a text that is another one, `{"splice": [FROM, COUNT, ITEMS]}` and `{"text": [FROM, COUNT, TEXT]}`, in units of UTF-16.
pub(super) fn piece(before: &Value, now: &Value) -> Value {
    let small = match (before, now) {
        (Value::Object(before), Value::Object(now)) => object(before, now),
        (Value::Array(before), Value::Array(now)) => list(before, now),
        (Value::String(before), Value::String(now)) => text(before, now),
        _ => None,
    };
    small.unwrap_or_else(|| json!({ "is": now }))
}

fn object(before: &Map<String, Value>, now: &Map<String, Value>) -> Option<Value> {
    let mut pieces = Map::new();
    for (name, value) in now {
        match before.get(name) {
            Some(old) if old == value => {}
            Some(old) => drop(pieces.insert(name.clone(), piece(old, value))),
            None => drop(pieces.insert(name.clone(), json!({ "is": value }))),
        }
    }
    let gone = before.keys().filter(|name| !now.contains_key(*name));
    let gone: Vec<&String> = gone.collect();
    Some(json!({ "object": pieces, "gone": gone }))
}

fn list(before: &[Value], now: &[Value]) -> Option<Value> {
    if before.len() == now.len() {
        let pairs = before.iter().zip(now).enumerate();
        let differing: Vec<_> = pairs.filter(|(_, (old, new))| old != new).collect();
        if differing.len() <= MOST_ITEMS {
            let items = differing.into_iter();
            let items = items.map(|(nth, (old, new))| json!([nth, piece(old, new)]));
            return Some(json!({ "items": items.collect::<Vec<_>>() }));
        }
    }
    let (from, behind) = ends(before, now);
    (from + behind > 0).then(|| {
        let items = &now[from..now.len() - behind];
        json!({ "splice": [from, before.len() - behind - from, items] })
    })
}

fn text(before: &str, now: &str) -> Option<Value> {
    let (before, now): (Vec<u16>, Vec<u16>) = (
        before.encode_utf16().collect(),
        now.encode_utf16().collect(),
    );
    let (mut from, mut behind) = ends(&before, &now);
    // A character of two units stays whole.
    let is_second = |unit: Option<&u16>| unit.is_some_and(|unit| (0xdc00..0xe000).contains(unit));
    if is_second(now.get(from)) || is_second(before.get(from)) {
        from = from.saturating_sub(1);
    }
    if is_second(now.get(now.len() - behind)) {
        behind -= 1;
    }
    let new = String::from_utf16(&now[from..now.len() - behind]).ok()?;
    (from + behind > 0).then(|| json!({ "text": [from, before.len() - behind - from, new] }))
}

/// How much two lists have in common at their beginnings, and then at their ends.
fn ends<T: PartialEq>(before: &[T], now: &[T]) -> (usize, usize) {
    let pairs = before.iter().zip(now);
    let from = pairs.take_while(|(old, new)| old == new).count();
    let pairs = before[from..].iter().rev().zip(now[from..].iter().rev());
    (from, pairs.take_while(|(old, new)| old == new).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `studio/src/wire/delta.ts` does with a piece.
    fn put(before: &Value, piece: &Value) -> Value {
        if let Some(value) = piece.get("is") {
            return value.clone();
        }
        let mut now = before.clone();
        for (name, piece) in piece["object"].as_object().into_iter().flatten() {
            now[name] = put(before.get(name).unwrap_or(&Value::Null), piece);
        }
        for name in piece["gone"].as_array().into_iter().flatten() {
            let members = now.as_object_mut().expect("an object");
            members.remove(name.as_str().expect("a name"));
        }
        for item in piece["items"].as_array().into_iter().flatten() {
            let nth = item[0].as_u64().expect("a place") as usize;
            now[nth] = put(&before[nth], &item[1]);
        }
        let number = |value: &Value| value.as_u64().expect("a number") as usize;
        if let Some(splice) = piece.get("splice") {
            let (from, count) = (number(&splice[0]), number(&splice[1]));
            let items = splice[2].as_array().expect("a list").clone();
            let list = now.as_array_mut().expect("a list");
            list.splice(from..from + count, items);
        }
        if let Some(text) = piece.get("text") {
            let (from, count) = (number(&text[0]), number(&text[1]));
            let mut units: Vec<u16> = before.as_str().expect("a text").encode_utf16().collect();
            units.splice(
                from..from + count,
                text[2].as_str().expect("a text").encode_utf16(),
            );
            now = String::from_utf16(&units).expect("whole characters").into();
        }
        now
    }

    #[test]
    fn a_piece_makes_one_value_of_the_other_and_is_small() {
        let lines: Vec<Value> = (0..500)
            .map(|nth| json!({"id": format!("n{nth}"), "text": "wait 1.0"}))
            .collect();
        let mut changed = lines.clone();
        changed[250]["text"] = "wait 2.0".into();
        let mut longer = changed.clone();
        longer.insert(499, json!({"id": "n499", "text": "fail"}));
        let text = |middle: &str| format!("{}{middle}{}", "a".repeat(400), "b".repeat(400));
        let values = [
            json!({"name": "guard", "lines": lines, "text": text("x")}),
            json!({"name": "guard", "lines": changed, "text": text("yz")}),
            json!({"name": "guard", "lines": longer, "text": text("😀")}),
            json!({"name": "guard", "lines": longer, "text": text("😁"), "draft": null}),
            json!({"name": "guard", "lines": longer, "text": text("\u{10600}")}),
            json!({"name": "guard", "lines": [], "text": ""}),
            json!({"name": "guard", "lines": {"of": "another kind"}, "text": null}),
        ];
        for before in &values {
            for now in &values {
                let piece = piece(before, now);
                assert_eq!(&put(before, &piece), now, "{piece}");
            }
        }
        for pair in values[..5].windows(2) {
            let piece = piece(&pair[0], &pair[1]).to_string();
            assert!(piece.len() < 400, "{piece}");
        }
    }
}
