//! The document as it is edited comes in parts.

use crate::program::{Studio, Talk};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A tree with so many nodes, of which each says something else.
fn document(nodes: usize) -> String {
    let leaf = |nth: usize| format!("        wait {}.0 // ünd 𝄞 {nth}\n", nth % 90 + 1);
    let group = |nth: usize| {
        let leaves: String = (0..9).map(|at| leaf(nth * 9 + at)).collect();
        format!("    sequence name=part-{nth} {{\n{leaves}    }}\n")
    };
    let groups: String = (0..nodes / 10).map(group).collect();
    format!("tree many {{ selector {{\n{groups}}} }}\n")
}

/// Puts some items of a list in the place of others.
fn spliced(list: &mut Value, splice: &Value) {
    let Some(splice) = splice.as_array() else {
        return;
    };
    let (at, gone) = (number(&splice[0]), number(&splice[1]));
    let items = splice[2].as_array().expect("items").clone();
    let list = list.as_array_mut().expect("a list");
    list.splice(at..at + gone, items);
}

fn number(value: &Value) -> usize {
    value.as_u64().expect("a number") as usize
}

/// The text with the parts of it that have changed.
fn text_of(before: &Value, parts: &Value) -> String {
    let mut units: Vec<u16> = before.as_str().expect("a text").encode_utf16().collect();
    for part in parts.as_array().expect("parts").iter().rev() {
        let (at, gone) = (number(&part[0]), number(&part[1]));
        let new = part[2].as_str().expect("a text").encode_utf16();
        units.splice(at..at + gone, new);
    }
    String::from_utf16(&units).expect("a text")
}

/// The sheet with what has changed, as the page on the protocol says.
fn changed(before: &Value, change: &Value) -> Value {
    let mut sheet = before.clone();
    assert_eq!(sheet["revision"], change["since"]);
    for file in change["files"].as_array().expect("files") {
        let own = &mut sheet["files"][number(&file["file"])];
        own["text"] = text_of(&own["text"], &file["parts"]).into();
        own["is_whole"] = file["is_whole"].clone();
        own["is_saved"] = file["is_saved"].clone();
    }
    let all = |name: &str| change[name].as_array().cloned().unwrap_or_default();
    let mut fresh = Vec::new();
    for splice in all("nodes").iter().rev() {
        let items = splice[2].as_array().expect("items");
        fresh.extend(items.iter().map(|item| item["id"].clone()));
        spliced(&mut sheet["nodes"], splice);
    }
    for (nth, node) in sheet["nodes"]
        .as_array_mut()
        .expect("nodes")
        .iter_mut()
        .enumerate()
    {
        let shifts = all("shifts");
        let mut here = shifts.iter().filter(|shift| number(&shift[0]) <= nth);
        let here = here.rfind(|shift| shift[1] == node["file"]);
        let Some(here) = here.filter(|_| !fresh.contains(&node["id"])) else {
            continue;
        };
        for at in [0, 2] {
            let line = node["at"][at].as_i64().expect("a line");
            node["at"][at] = json!(line + here[2].as_i64().expect("a number"));
        }
    }
    for place in all("places") {
        sheet["nodes"][number(&place[0])]["at"] = place[1].clone();
    }
    for name in ["keys", "leaves", "problems", "conflicts", "done"] {
        spliced(&mut sheet[name], &change[name]);
    }
    for name in [
        "revision",
        "undo",
        "redo",
        "told",
        "unsaved",
        "saves_at_once",
    ] {
        sheet[name] = change[name].clone();
    }
    sheet
}

/// The view after an edit, how long that took, and how many bytes it has.
fn edited(
    talk: &mut Talk,
    edit: &Value,
    known: &Value,
    (state, opened): (u64, &Value),
) -> (Value, Duration, usize) {
    let begun = Instant::now();
    talk.say(&json!({"say": "edit", "edit": edit}).to_string());
    let revision = &known["revision"];
    let mut seen = state;
    loop {
        talk.say(&json!({"say": "look", "delta": true, "sheet": revision, "seen": seen, "opened": opened}).to_string());
        let view = talk.hear();
        assert_eq!(view["kind"], "view", "{view}");
        if view["sheet"].is_object() || view["sheet_change"].is_object() {
            let bytes = view["sheet"]
                .to_string()
                .len()
                .max(view["sheet_change"].to_string().len());
            return (view, begun.elapsed(), bytes);
        }
        seen = view["state"].as_u64().expect("a number");
    }
}

/// An edit of a sheet.
type Next<'a> = Box<dyn Fn(&Value) -> Value + 'a>;

/// With `STUDIO_NODES=1500` and `--nocapture`, it measures a large document.
#[test]
fn changes_of_the_document_add_up_to_all_of_it() {
    let nodes = std::env::var("STUDIO_NODES").ok();
    let nodes = nodes.and_then(|nodes| nodes.parse().ok()).unwrap_or(200);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("many.kdl");
    std::fs::write(&path, document(nodes)).expect("it is written");
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let (mut one, mut other) = (studio.talk(), studio.talk());
    one.say(r#"{"say": "pause"}"#);
    one.say(r#"{"say": "look", "delta": true, "sheet": 0}"#);
    let view = one.hear();
    let mut known = view["sheet"].clone();
    let mut state = view["state"].as_u64().expect("a number");
    let opened = view["opened"].clone();
    let id = |known: &Value, nth: usize| known["nodes"][nth]["id"].clone();
    let middle = nodes / 2;
    let edits: [Next<'_>; 6] = [
        Box::new(
            |known| json!({"do": "set", "id": id(known, middle + 2), "name": "0", "value": "77.5"}),
        ),
        Box::new(
            |known| json!({"do": "add", "text": "sequence { wait 0.25; fail; }", "spot": {"id": id(known, 5), "side": "after"}}),
        ),
        Box::new(|known| json!({"do": "remove", "ids": [id(known, middle)]})),
        Box::new(
            |known| json!({"do": "move", "ids": [id(known, 4)], "spot": {"id": id(known, middle + 9), "side": "before"}}),
        ),
        Box::new(|_| json!({"do": "undo"})),
        Box::new(|known| {
            let text = known["files"][0]["text"].as_str().expect("a text");
            let end = text.encode_utf16().count();
            json!({"do": "type", "file": 0, "from": end, "to": end, "text": "tree b { fail; }\n"})
        }),
    ];
    for edit in edits {
        let edit = edit(&known);
        let (view, time, bytes) = edited(&mut one, &edit, &known, (state, &opened));
        state = view["state"].as_u64().expect("a number");
        assert!(view["sheet_change"].is_object(), "{view}");
        known = changed(&known, &view["sheet_change"]);
        other.say(r#"{"say": "look", "sheet": 0}"#);
        let whole = other.hear()["sheet"].clone();
        assert_eq!(known, whole, "{edit}");
        let all = whole.to_string().len();
        assert!(bytes * 10 < all, "{bytes} of {all} bytes: {edit}");
        println!("{}: {bytes} bytes instead of {all}, {time:?}", edit["do"]);
    }
}
