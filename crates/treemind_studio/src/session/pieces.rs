//! What has changed in a definition since the one that a page has: after a reload, little of it has.

use serde_json::{Map, Value, json};
use std::ops::Range;

/// How far ahead it is looked for items that are the same again.
const AHEAD: usize = 48;
/// Of so many items that are the same, those before them are told apart.
const SAME: usize = 8;
/// With more parts that differ, all between the first and the last one is sent.
const MOST_PARTS: usize = 256;

/// What makes one value of another. It is the new value, `{"is": VALUE}`; the members that differ and the names of those that
/// are gone, `{"object": {NAME: PIECE}, "gone": [NAME]}`; of a list, parts that are others, with their places before, and then
/// items that have changed, with their places now, `{"splices": [[FROM, COUNT, ITEMS]], "items": [[PLACE, PIECE]]}`; a part of
/// a text that is another one, `{"text": [FROM, COUNT, TEXT]}`, in units of UTF-16.
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
    let parts = parts(before, now);
    let [part] = &parts[..] else {
        return Some(list_of(before, now, parts));
    };
    let is_all = (part.gone.len(), part.new.len()) == (before.len(), now.len());
    // Not each number of a place by itself.
    let has_same_form = before.len() == now.len() && before.iter().all(Value::is_object);
    (!is_all || has_same_form).then(|| list_of(before, now, parts))
}

fn list_of(before: &[Value], now: &[Value], parts: Vec<Part>) -> Value {
    let (mut splices, mut items) = (Vec::new(), Vec::new());
    for Part { gone, new } in parts {
        if gone.len() == new.len() {
            let pairs = gone.zip(new);
            items.extend(pairs.map(|(old, new)| json!([new, piece(&before[old], &now[new])])));
        } else {
            splices.push(json!([gone.start, gone.len(), now[new]]));
        }
    }
    match splices.is_empty() {
        true => json!({ "items": items }),
        false => json!({ "splices": splices, "items": items }),
    }
}

/// Items that are gone, and those that have come instead.
struct Part {
    gone: Range<usize>,
    new: Range<usize>,
}

/// Where two lists differ, in order. Both are as long as ten thousand items, and differ in little: it is not worth it to look
/// for the least.
fn parts<T: PartialEq>(before: &[T], now: &[T]) -> Vec<Part> {
    let (mut old, mut new) = (0, 0);
    let mut parts = Vec::new();
    loop {
        let pairs = before[old..].iter().zip(&now[new..]);
        let same = pairs.take_while(|(old, new)| old == new).count();
        (old, new) = (old + same, new + same);
        if old == before.len() && new == now.len() {
            return parts;
        }
        let (gone, come) = match parts.len() < MOST_PARTS {
            true => until_same(&before[old..], &now[new..]),
            false => rest(&before[old..], &now[new..]),
        };
        parts.push(Part {
            gone: old..old + gone,
            new: new..new + come,
        });
        (old, new) = (old + gone, new + come);
    }
}

/// How many items of two lists are passed over until they are the same again.
fn until_same<T: PartialEq>(before: &[T], now: &[T]) -> (usize, usize) {
    for both in 1..=AHEAD.min(before.len() + now.len()) {
        for gone in both.saturating_sub(now.len())..=both.min(before.len()) {
            let (old, new) = (&before[gone..], &now[both - gone..]);
            let count = SAME.min(old.len()).min(new.len());
            let is_end = old.is_empty() && new.is_empty();
            if is_end || count > 0 && old[..count] == new[..count] {
                return (gone, both - gone);
            }
        }
    }
    rest(before, now)
}

/// All but what two lists have in common at their ends.
fn rest<T: PartialEq>(before: &[T], now: &[T]) -> (usize, usize) {
    let (_, behind) = ends(before, now);
    (before.len() - behind, now.len() - behind)
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
pub(super) mod tests {
    use super::*;

    /// What `studio/src/wire/delta.ts` does with a piece.
    pub(in crate::session) fn put(before: &Value, piece: &Value) -> Value {
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
        let number = |value: &Value| value.as_u64().expect("a number") as usize;
        let splices = piece["splices"].as_array().into_iter().flatten();
        for splice in splices.collect::<Vec<_>>().into_iter().rev() {
            let (from, count) = (number(&splice[0]), number(&splice[1]));
            let items = splice[2].as_array().expect("a list").clone();
            let list = now.as_array_mut().expect("a list");
            list.splice(from..from + count, items);
        }
        for item in piece["items"].as_array().into_iter().flatten() {
            let nth = number(&item[0]);
            now[nth] = put(&now[nth], &item[1]);
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
