//! A definition in which nothing says how much stands before it: lines of a text and numbers of nodes are counted from those
//! before. A node more changes this form where it stands, and not behind it, so that [`piece`](super::pieces::piece) is small.
//! `studio/src/wire/packed.ts` does the same, and back.

use serde_json::{Value, json};
use std::collections::HashMap;

/// The definition in that form. What is not as expected stays as it is.
pub(super) fn packed(definition: &Value) -> Value {
    let mut out = definition.clone();
    let lines = out.pointer_mut("/behaviour/lines").map(Value::take);
    if let Some(Value::Array(lines)) = lines {
        let keys = firsts(&definition["behaviour"]["keys"]);
        out["behaviour"]["lines"] = packed_lines(lines, &keys).into();
        let mut last = 0;
        let thresholds = out.pointer_mut("/behaviour/thresholds");
        for one in thresholds
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            if let Some(key) = one["key"].as_i64() {
                one["key"] = (key - last).into();
                last = key;
            }
        }
    }
    if let Some(Value::Array(places)) = out.get_mut("places").map(Value::take) {
        let mut last = HashMap::new();
        let places = places.into_iter();
        out["places"] = places.map(|place| packed_place(place, &mut last)).collect();
    }
    if let Some(names) = out.get_mut("names").map(Value::take) {
        let uses = uses(&names);
        out["names"] = names;
        if let Some(uses) = uses {
            for name in out["names"].as_array_mut().into_iter().flatten() {
                name.as_object_mut().map(|name| name.remove("at"));
            }
            out["uses"] = uses;
        }
    }
    out
}

/// The first key with each name.
fn firsts(keys: &Value) -> HashMap<String, u64> {
    let mut out = HashMap::new();
    for (nth, key) in keys.as_array().into_iter().flatten().enumerate() {
        if let Some(name) = key["name"].as_str() {
            out.entry(name.to_owned()).or_insert(nth as u64);
        }
    }
    out
}

/// The kind and the numbers of an id; `None` if it is no id.
fn numbers(id: &str) -> Option<(char, Vec<i64>)> {
    let kind = id.chars().next().filter(char::is_ascii_lowercase)?;
    let numbers = id[1..].split('.').map(|one| {
        let number = one.parse::<i64>().ok()?;
        (number.to_string() == one).then_some(number)
    });
    Some((kind, numbers.collect::<Option<_>>()?))
}

/// Counts the numbers of ids from those before.
#[derive(Default)]
struct Ids {
    /// The node of the line before.
    node: i64,
    /// For each kind, the node of the last line of it, and the number within that node.
    within: HashMap<char, (i64, i64)>,
}

impl Ids {
    /// The id of a line; a part of no node has its place for a number.
    fn packed(&mut self, id: &str, nth: usize) -> String {
        let Some((kind, all)) = numbers(id) else {
            return format!("={id}");
        };
        if kind == 'p' {
            let is_here = *all == [nth as i64];
            return if is_here {
                "p".to_owned()
            } else {
                format!("={id}")
            };
        }
        let node = all[0];
        let mut out = format!("{kind}{}", node - self.node);
        self.node = node;
        if let Some(number) = all.get(1) {
            let last = self.within.get(&kind).filter(|(of, _)| *of == node);
            out += &format!(".{}", number - last.map_or(0, |(_, number)| *number));
            self.within.insert(kind, (node, *number));
        }
        for number in all.iter().skip(2) {
            out += &format!(".{number}");
        }
        out
    }
}

fn packed_lines(lines: Vec<Value>, keys: &HashMap<String, u64>) -> Vec<Value> {
    let states = states(&lines);
    let mut ids = Ids::default();
    let lines = lines.into_iter().enumerate().map(|(nth, mut line)| {
        let Some(id) = line["id"].as_str().map(str::to_owned) else {
            return line;
        };
        for name in ["source", "targets"] {
            match line.get_mut(name) {
                Some(Value::Array(all)) => all.iter_mut().for_each(|one| name_state(one, &states)),
                Some(one) => name_state(one, &states),
                None => {}
            }
        }
        line["id"] = ids.packed(&id, nth).into();
        for of in ["values", "properties"] {
            for value in line[of].as_array_mut().into_iter().flatten() {
                for part in value["parts"].as_array_mut().into_iter().flatten() {
                    let first = part["text"].as_str().and_then(|text| keys.get(text));
                    if first.is_some() && part["key"].as_u64() == first.copied() {
                        part["key"] = json!(-1);
                    }
                }
            }
        }
        line
    });
    lines.collect()
}

/// What states are called, if the first of their machine with that name is meant.
fn states(lines: &[Value]) -> HashMap<String, String> {
    let (mut taken, mut out) = (HashMap::new(), HashMap::new());
    for line in lines.iter().filter(|line| line["is"] == "state") {
        let (Some(id), Some(label)) = (line["id"].as_str(), line["label"].as_str()) else {
            continue;
        };
        let node = id.split('.').next().unwrap_or(id).to_owned();
        if taken.insert((node, label.to_owned()), ()).is_none() {
            out.insert(id.to_owned(), label.to_owned());
        }
    }
    out
}

/// A state of the machine of a line by its name.
fn name_state(id: &mut Value, states: &HashMap<String, String>) {
    if let Some(text) = id.as_str() {
        let named = states.get(text).map(|name| format!("@{name}"));
        *id = named.unwrap_or_else(|| format!("={text}")).into();
    }
}

/// A place, whose line is counted from the one before in its file.
fn packed_place(mut place: Value, last: &mut HashMap<i64, i64>) -> Value {
    if let Some([file, line, _, end, _]) = five(&place) {
        let before = last.insert(file, line).unwrap_or(0);
        place[1] = (line - before).into();
        place[3] = (end - line).into();
    }
    place
}

fn five(place: &Value) -> Option<[i64; 5]> {
    let all = place.as_array()?.iter().take(5).map(Value::as_i64);
    all.collect::<Option<Vec<_>>>()?.try_into().ok()
}

/// What the names of a definition are told apart by: kind and name, and a number if that is not enough.
fn name_keys(names: &[Value]) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let names = names.iter().map(|name| {
        let text = |part: &str| name[part].as_str().unwrap_or_default().to_owned();
        let key = format!("{} {}", text("kind"), text("name"));
        let count = counts.entry(key.clone()).or_default();
        *count += 1;
        match count {
            1 => key,
            _ => format!("{key} {count}"),
        }
    });
    names.collect()
}

/// All places of all names in the order of the texts, each behind what it is a place of; `None` if the places of a name are
/// not in that order.
fn uses(names: &Value) -> Option<Value> {
    let names = names.as_array()?;
    let mut all = Vec::new();
    for (key, name) in name_keys(names).into_iter().zip(names) {
        let mut before = None;
        for at in name["at"].as_array()? {
            let place = five(at)?;
            if before.is_some_and(|before| before > place) {
                return None;
            }
            before = Some(place);
            all.push((place, key.clone(), at.clone()));
        }
    }
    // Where two names stand at one place, the first one comes first.
    all.sort_by_key(|(place, ..)| *place);
    let mut last = HashMap::new();
    let all = all.into_iter().map(|(_, key, at)| {
        let mut at = packed_place(at, &mut last);
        if let Some(at) = at.as_array_mut() {
            at.insert(0, key.into());
        }
        at
    });
    Some(all.collect())
}

#[cfg(test)]
mod tests;
