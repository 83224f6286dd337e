//! Questions that change nothing.

use crate::client::{Client, URI};
use serde_json::{Value, json};

const GUARD: &str = r#"blackboard { key health type=float default=100.0 doc="How well it is."; }
leaves {
    condition see-enemy doc="Whether an enemy is in sight."
    action attack { param range type=float default=2.0; }
    action patrol
}
tree guard {
    selector {
        sequence name=fight { condition see-enemy; action attack; }
        action patrol when="clamp(health, 0, 10) > 3"
    }
}
"#;

fn labels(answer: &Value) -> Vec<&str> {
    let items = answer["items"].as_array().unwrap();
    items
        .iter()
        .map(|one| one["label"].as_str().unwrap())
        .collect()
}

#[test]
fn completion_offers_what_fits_with_snippets_and_documentation() {
    let text = GUARD.replace("action patrol when", "action ¦patrol when");
    let (mut client, place) = Client::on(&text);
    let answer = client.ask("textDocument/completion", place);
    assert!(labels(&answer).contains(&"attack"), "{answer}");

    let text = GUARD.replace("    selector {", "    sel¦ {\n");
    let (mut client, place) = Client::on(&text);
    let answer = client.ask("textDocument/completion", place);
    assert_eq!(labels(&answer)[0], "selector");
    let item = &answer["items"][0];
    assert_eq!(item["kind"], 14, "{item}");
    assert!(
        item["documentation"]["value"].as_str().unwrap().len() > 20,
        "{item}"
    );
    assert_eq!(item["textEdit"]["range"]["start"]["character"], 4, "{item}");

    // In a text of which the end is missing.
    let (mut client, place) = Client::on("tree t {\n    seq¦");
    let answer = client.ask("textDocument/completion", place);
    assert_eq!(answer["items"][0]["insertTextFormat"], 2, "{answer}");
    assert_eq!(
        answer["items"][0]["textEdit"]["newText"],
        "sequence {\n    $1\n\\}"
    );
}

#[test]
fn a_client_without_snippets_gets_none() {
    let mut client = Client::with(&json!({ "capabilities": {} }));
    let place = client.open(URI, "tree t {\n    seq¦");
    let answer = client.ask("textDocument/completion", place);
    assert_eq!(answer["items"][0]["textEdit"]["newText"], "sequence");
}

#[test]
fn hover_and_signatures_tell_what_is_declared() {
    let (mut client, place) = Client::on(&GUARD.replace("clamp(health", "clamp(hea¦lth"));
    let hover = client.ask("textDocument/hover", place.clone());
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(
        text.contains("key health: float = 100.0") && text.contains("How well it is."),
        "{text}"
    );
    assert_eq!(hover["range"]["start"]["character"], 34, "{hover}");

    let help = client.ask("textDocument/signatureHelp", place);
    assert_eq!(
        help["signatures"][0]["label"], "clamp(x, low, high)",
        "{help}"
    );
    assert_eq!(help["activeParameter"], 0, "{help}");

    let (mut client, place) = Client::on(&GUARD.replace("range type", "range¦ type"));
    assert!(client.ask("textDocument/hover", place).is_object());
}

#[test]
fn symbols_folds_and_selections_follow_the_blocks() {
    let (mut client, place) =
        Client::on(&GUARD.replace("condition see-enemy;", "condition see-¦enemy;"));
    let of = json!({ "textDocument": { "uri": URI } });
    let symbols = client.ask("textDocument/documentSymbol", of.clone());
    let names: Vec<&str> = symbols
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["blackboard", "leaves", "guard"]);
    assert_eq!(symbols[1]["children"][0]["name"], "see-enemy", "{symbols}");

    let folds = client.ask("textDocument/foldingRange", of);
    let lines: Vec<(u64, u64)> = folds
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                one["startLine"].as_u64().unwrap(),
                one["endLine"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(lines, [(1, 4), (6, 10), (7, 9)]);

    let positions = json!([place["position"]]);
    let asked = json!({ "textDocument": { "uri": URI }, "positions": positions });
    let selections = client.ask("textDocument/selectionRange", asked);
    let mut one = &selections[0];
    let mut widths = Vec::new();
    while one.is_object() {
        let (start, end) = (&one["range"]["start"], &one["range"]["end"]);
        widths.push((
            start["line"].as_u64().unwrap(),
            end["line"].as_u64().unwrap(),
        ));
        one = &one["parent"];
    }
    assert!(widths.len() >= 6, "{selections}");
    assert_eq!(widths.last(), Some(&(0, 12)), "{selections}");
}

/// The words of a text with their types.
fn coloured(text: &str, answer: &Value) -> Vec<(String, u64)> {
    let data: Vec<u64> = answer["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one.as_u64().unwrap())
        .collect();
    let lines: Vec<&str> = text.lines().collect();
    let (mut line, mut column) = (0, 0);
    let mut words = Vec::new();
    for one in data.chunks(5) {
        let [down, right, length, kind, _] = one
            .iter()
            .map(|of| usize::try_from(*of).unwrap())
            .collect::<Vec<_>>()[..]
        else {
            panic!("five numbers a word");
        };
        column = if down > 0 { right } else { column + right };
        line += down;
        let units: Vec<u16> = lines[line].encode_utf16().collect();
        words.push((
            String::from_utf16(&units[column..column + length]).unwrap(),
            kind as u64,
        ));
    }
    words
}

#[test]
fn words_are_coloured_by_what_they_mean() {
    let text = "// 守\nleaves { condition 看 /* a\n b */; }\ntree t {\n    condition 看 when=\"1 < 2\" not=#true\n}\n";
    let (mut client, _) = Client::on(text);
    let answer = client.ask(
        "textDocument/semanticTokens/full",
        json!({ "textDocument": { "uri": URI } }),
    );
    let words = coloured(text, &answer);
    let of = |wanted: &str| {
        words
            .iter()
            .find(|(word, _)| word == wanted)
            .map(|(_, kind)| *kind)
    };
    assert_eq!(of("// 守"), Some(16), "{words:?}");
    assert_eq!(of("leaves"), Some(0));
    assert_eq!(of("看"), Some(6));
    assert_eq!(of("t"), Some(8));
    assert_eq!(of("when"), Some(1));
    assert_eq!(of("2"), Some(12));
    assert_eq!(of("<"), Some(14));
    assert_eq!(of("#true"), Some(15));
    assert_eq!(of("/* a"), Some(16));
    let range =
        json!({ "start": { "line": 3, "character": 0 }, "end": { "line": 3, "character": 4 } });
    let part = client.ask(
        "textDocument/semanticTokens/range",
        json!({ "textDocument": { "uri": URI }, "range": range }),
    );
    assert_eq!(part["data"].as_array().unwrap().len(), 5, "{part}");
}

#[test]
fn hints_can_be_switched_off() {
    let range =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let asked = json!({ "textDocument": { "uri": URI }, "range": range });
    let texts = |answer: &Value| -> Vec<String> {
        let all = answer.as_array().unwrap().iter();
        all.map(|one| one["label"].as_str().unwrap().to_owned())
            .collect()
    };
    let (mut client, _) = Client::on(GUARD);
    let answer = client.ask("textDocument/inlayHint", asked.clone());
    assert_eq!(texts(&answer), ["range=2.0", "low:", "high:"]);
    let hints = json!({ "parameters": false, "defaults": false, "types": true });
    let settings = json!({ "settings": { "treemind": { "hints": hints } } });
    client.tell("workspace/didChangeConfiguration", settings);
    let answer = client.ask("textDocument/inlayHint", asked);
    assert_eq!(texts(&answer), [": float"]);
}

#[test]
fn calls_lead_both_ways() {
    let text = "tree a { subtree b¦; }\ntree b { subtree c; }\ntree c { succeed; }\n";
    let (mut client, place) = Client::on(text);
    let items = client.ask("textDocument/prepareCallHierarchy", place);
    let item = items[0].clone();
    assert_eq!(item["name"], "b");
    let incoming = client.ask("callHierarchy/incomingCalls", json!({ "item": item }));
    assert_eq!(incoming[0]["from"]["name"], "a", "{incoming}");
    assert_eq!(
        incoming[0]["fromRanges"][0]["start"]["character"], 17,
        "{incoming}"
    );
    let outgoing = client.ask("callHierarchy/outgoingCalls", json!({ "item": item }));
    assert_eq!(outgoing[0]["to"]["name"], "c", "{outgoing}");
}

#[test]
fn columns_are_counted_in_bytes_if_the_client_wants_that() {
    let mut client = Client::with(&json!({
        "capabilities": { "general": { "positionEncodings": ["utf-8", "utf-16"] } },
    }));
    client.open(URI, "tree 守 { aktion 看; }\n");
    let found = client.diagnostics(URI);
    assert_eq!(found[0]["range"]["start"]["character"], 11, "{found:?}");
    let (mut other, _) = Client::on("tree 守 { aktion 看; }\n");
    let found = other.diagnostics(URI);
    assert_eq!(found[0]["range"]["start"]["character"], 9, "{found:?}");
}
