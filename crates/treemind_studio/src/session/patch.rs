//! What has changed in a view since the one that a page has, so that little is sent.

use super::packed::packed;
use super::pieces::piece;
use crate::session::Page;
use serde_json::{Map, Value, json};
use treemind_replay::view::points;
use treemind_replay::view::protocol::Message;

/// The members of a view that are left out or patched; the others are small, or are what has changed already.
const PATCHED: [&str; 15] = [
    "agents",
    "breakpoints",
    "crowd",
    "does",
    "doc",
    "explanation",
    "finds",
    "hits",
    "keys",
    "marks",
    "networks",
    "plans",
    "returns",
    "rules",
    "scene",
];

/// What a page was shown last.
struct Shown {
    page: Page,
    /// What the definition is in which lines and keys have their numbers, and the state of the session.
    of: (u64, usize, u64),
    parts: Map<String, Value>,
    /// The definition that it has, packed, with the numbers by which it names it.
    definition: Option<((u64, usize), Value)>,
}

/// What all pages were shown last.
#[derive(Default)]
pub(crate) struct Memory {
    shown: Vec<Shown>,
}

impl Memory {
    /// The text of a view without what a page has, if it has the view of the state `seen`; remembers the view.
    pub(crate) fn patch(
        &mut self,
        page: &Page,
        (seen, has): (u64, (u64, usize)),
        (opened, mind, state): (u64, usize, u64),
        view: &Message,
    ) -> String {
        let mut view = serde_json::to_value(view).expect("messages are JSON");
        self.shown.retain(|shown| shown.page.is_open());
        let own = |shown: &Shown| shown.page.is_same(page);
        let place = match self.shown.iter().position(own) {
            Some(place) => place,
            None => {
                self.shown.push(Shown {
                    page: page.clone(),
                    of: (0, 0, 0),
                    parts: Map::new(),
                    definition: None,
                });
                self.shown.len() - 1
            }
        };
        let shown = &mut self.shown[place];
        let is_known = seen > 0 && shown.of == (opened, mind, seen);
        shown.of = (opened, mind, state);
        let Some(parts) = view.as_object_mut() else {
            return view.to_string();
        };
        if let Some(now) = parts.remove("definition") {
            let known = shown.definition.take().filter(|(of, _)| *of == has);
            let form = packed(&now);
            match &known {
                Some((_, before)) => {
                    let [of, mind] = [json!(has.0), json!(has.1)];
                    let patch = json!({"opened": of, "mind": mind, "piece": piece(before, &form)});
                    parts.insert("definition_patch".to_owned(), patch);
                }
                None => drop(parts.insert("definition".to_owned(), now)),
            }
            shown.definition = Some(((opened, mind), form));
        }
        let (mut same, mut patches) = (Vec::new(), Map::new());
        for name in PATCHED {
            let Some(now) = parts.get(name) else {
                shown.parts.remove(name);
                continue;
            };
            let before = shown.parts.insert(name.to_owned(), now.clone());
            match before.filter(|_| is_known) {
                Some(before) if before == *now => {
                    same.push(name);
                    parts.remove(name);
                }
                Some(before) => {
                    if let Some(patch) = patch(name, &before, now) {
                        patches.insert(name.to_owned(), patch);
                        parts.remove(name);
                    }
                }
                None => {}
            }
        }
        if is_known {
            parts.insert("base".to_owned(), json!(seen));
            parts.insert("same".to_owned(), json!(same));
            parts.insert("patch".to_owned(), Value::Object(patches));
        }
        view.to_string()
    }
}

/// What has changed in a member, if it has the same form as before: the items of a list with their places, if these are less
/// than half of them; the members of an object; moves of points.
fn patch(name: &str, before: &Value, now: &Value) -> Option<Value> {
    match (before, now) {
        (Value::Array(before), Value::Array(now)) if before.len() == now.len() => {
            let pairs = before.iter().zip(now).enumerate();
            let changed: Vec<Value> = pairs
                .filter(|(_, (before, now))| before != now)
                .map(|(nth, (_, now))| json!([nth, now]))
                .collect();
            (changed.len() * 2 < now.len()).then_some(Value::Array(changed))
        }
        (Value::Object(before), Value::Object(now)) if before.keys().eq(now.keys()) => {
            let (mut set, mut patches) = (Map::new(), Map::new());
            let pairs = before.values().zip(now);
            for (before, (name, now)) in pairs.filter(|(before, (_, now))| before != now) {
                match patch(name, before, now) {
                    Some(patch) => patches.insert(name.clone(), patch),
                    None => set.insert(name.clone(), now.clone()),
                };
            }
            Some(json!({"set": set, "patch": patches}))
        }
        (Value::String(before), Value::String(now)) if name == "points" => {
            points::moves(before, now).map(Value::from)
        }
        _ => None,
    }
}
