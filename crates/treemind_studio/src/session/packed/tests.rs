//! What one definition makes of another, as `studio/tests/packed.test.ts` puts it together, and how much that is.

use super::packed;
use crate::session::pieces::{piece, tests::put};
use serde_json::{Value, json};
use std::path::Path;
use treemind_core::Behaviour;
use treemind_doc::Document;
use treemind_replay::view::{definition, places, problems, texts};

fn defined(document: &Document, behaviour: Option<&Behaviour>) -> Value {
    let all = document.texts();
    let (places, names) = places(behaviour, &all);
    json!({
        "behaviour": behaviour.map(definition),
        "texts": texts(&all),
        "problems": problems(document.diagnostics()),
        "places": places,
        "names": names,
    })
}

/// What pages see of the machine or tree `guard` of a document.
fn of(text: &str) -> Value {
    let document = Document::parse(text, "guard.kdl");
    let machine = document
        .machine("guard")
        .or_else(|_| document.behaviour(Some("guard")));
    defined(&document, machine.ok().as_ref())
}

const GUARD: &str = "blackboard {
    key health type=float default=100.0
    key \"place\" type=string default=\"😀\"
}
leaves { action patrol; action flee; event bell; }
tree rest {
    wait 1.0
}
machine guard {
    initial calm
    state calm {
        do { sequence { subtree rest; action patrol; subtree rest; }; }
        transition to=alarm on=bell
        transition to=alarm when=\"health < 20 && place == '😀'\"
    }
    state alarm {
        do { action flee; }
        transition to=calm after=3.0
    }
}
";

/// What becomes of it, one after the other: a text, and what is there instead.
const EDITS: [(&str, &str); 14] = [
    (
        "    wait 1.0",
        "    sequence {\n        wait 1.0\n        wait 2.0\n    }",
    ),
    ("    initial calm", "    // 😀\n    initial calm"),
    (
        "    state alarm",
        "    state doubt { transition to=calm after=1.0; }\n    state alarm",
    ),
    ("to=alarm on=bell", "to=doubt on=bell"),
    (
        "blackboard {",
        "blackboard {\n    key first type=int default=0",
    ),
    ("health < 20", "helth < 20"),
    ("helth < 20", "first < 20"),
    ("    wait 1.0\n", ""),
    ("state calm", "state \"quiet\""),
    ("calm", "quiet"),
    ("wait 2.0", "wait 2.5"),
    (
        "action flee; }",
        "sequence { action flee; action patrol; }; }",
    ),
    ("machine guard", "tree more { action flee; }\nmachine guard"),
    ("subtree rest; action", "subtree more; action"),
];

#[test]
fn a_definition_is_made_of_the_one_before() {
    let (mut text, mut steps) = (GUARD.to_owned(), Vec::new());
    let first = of(&text);
    assert!(first["behaviour"].is_object(), "{}", first["problems"]);
    let mut before = first.clone();
    for (old, new) in EDITS {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
        let now = of(&text);
        let piece = piece(&packed(&before), &packed(&now));
        assert_eq!(put(&packed(&before), &piece), packed(&now), "{new}");
        assert!(packed(&now)["uses"].is_array(), "{new}");
        steps.push(json!({"piece": piece, "definition": now}));
        before = now;
    }
    let lines = std::iter::once(&first).chain(&steps);
    let all: String = lines.map(|line| format!("{line}\n")).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studio/tests/definitions.jsonl");
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(&path, &all).expect("it is written");
    }
    let expected = std::fs::read_to_string(&path).expect("a text");
    let parsed = |text: &str| -> Vec<Value> {
        let lines = text.lines().map(serde_json::from_str);
        lines.collect::<Result<_, _>>().expect("JSON")
    };
    assert!(
        parsed(&expected) == parsed(&all),
        "studio/tests/definitions.jsonl is not what the server says; UPDATE_EXPECTED=1 writes it"
    );
}

/// A tree of so many nodes.
fn large(groups: usize) -> Vec<String> {
    let head = "blackboard { key health type=float default=100.0; }\nleaves { action patrol; condition near; }\ntree guard {\n    selector {\n";
    let mut all = vec![head.to_owned()];
    for nth in 0..groups {
        all.push(format!("        sequence name=group-{nth} {{\n            condition near\n            check \"health > {nth}\"\n            wait {nth}.5\n            action patrol\n        }}\n"));
    }
    all.push("    }\n}\n".to_owned());
    all
}

#[test]
fn a_node_in_the_middle_of_many_is_a_small_patch() {
    let mut parts = large(300);
    let before = of(&parts.concat());
    let count = before["behaviour"]["lines"]
        .as_array()
        .expect("lines")
        .len();
    assert!(count > 1_500, "{count}");
    let before = packed(&before);
    for (what, most) in [
        ("        wait 7.5\n", 2_000),
        ("        sequence { action patrol; wait 1.0; }\n", 3_000),
    ] {
        parts.insert(150, what.to_owned());
        let now = packed(&of(&parts.concat()));
        parts.remove(150);
        let bytes = piece(&before, &now).to_string().len();
        println!(
            "{what:?} in the middle of {count} lines: {bytes} bytes of {}",
            now.to_string().len()
        );
        assert!(bytes < most, "{what}: {bytes}");
    }
    // A group that goes, and a key more before the others.
    let group = parts.remove(100);
    let now = packed(&of(&parts.concat()));
    let bytes = piece(&before, &now).to_string().len();
    assert!(bytes < 2_000, "{bytes}");
    parts.insert(100, group);
    parts[0] = parts[0].replace("{ key health", "{ key first type=int default=0; key health");
    let bytes = piece(&before, &packed(&of(&parts.concat())))
        .to_string()
        .len();
    assert!(bytes < 2_000, "{bytes}");
    // What moves from one end to the other, and a name that is everywhere.
    parts[0] = large(300)[0].clone();
    let group = parts.remove(20);
    parts.insert(280, group);
    for (what, text, most) in [
        ("a move", parts.concat(), 4_000),
        (
            "a rename",
            large(300).concat().replace("near", "close"),
            120_000,
        ),
    ] {
        let piece = piece(&before, &packed(&of(&text))).to_string();
        println!("{what}: {} bytes", piece.len());
        assert!(piece.len() < most, "{what}: {}", piece.len());
    }
}
