//! What has changed in a definition since the one that a page has: after a reload, little of it has.

use serde_json::{Map, Value, json};
use treemind_replay::view::{Part, parts, text_parts};

/// What makes one value of another. It is the new value, `{"is": VALUE}`; the members that differ and the names of those that
/// are gone, `{"object": {NAME: PIECE}, "gone": [NAME]}`; of a list, parts that are others, with their places before, and then
/// items that have changed, with their places now, `{"splices": [[FROM, COUNT, ITEMS]], "items": [[PLACE, PIECE]]}`; parts of a
/// text that are others, with their places before, `{"text": [[FROM, COUNT, TEXT]]}`, in units of UTF-16.
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

fn text(before: &str, now: &str) -> Option<Value> {
    let parts = text_parts(before, now);
    let gone: usize = parts.iter().map(|(_, gone, _)| gone).sum();
    // Of a text that has nothing in common with the other one, all is sent.
    let is_other = gone > 0 && gone == before.encode_utf16().count();
    (!is_other).then(|| json!({ "text": parts }))
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
        if let Some(parts) = piece["text"].as_array() {
            let mut units: Vec<u16> = before.as_str().expect("a text").encode_utf16().collect();
            for part in parts.iter().rev() {
                let (from, count) = (number(&part[0]), number(&part[1]));
                let new = part[2].as_str().expect("a text").encode_utf16();
                units.splice(from..from + count, new);
            }
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
