//! Changes: formatting, quick fixes, refactorings.

use crate::client::{Client, URI, changed, edited};
use serde_json::{Value, json};

fn range(place: &Value) -> Value {
    json!({ "start": place["position"], "end": place["position"] })
}

/// What can be done at the `¦` of a text.
fn actions(text: &str, only: Option<&str>) -> (String, Vec<Value>) {
    let (mut client, place) = Client::on(text);
    let diagnostics = client.diagnostics(URI);
    let mut context = json!({ "diagnostics": diagnostics });
    if let Some(only) = only {
        context["only"] = json!([only]);
    }
    let asked =
        json!({ "textDocument": { "uri": URI }, "range": range(&place), "context": context });
    let answer = client.ask("textDocument/codeAction", asked);
    (text.replace('¦', ""), answer.as_array().unwrap().clone())
}

fn titled<'a>(all: &'a [Value], title: &str) -> &'a Value {
    let found = all
        .iter()
        .find(|one| one["title"].as_str().unwrap().starts_with(title));
    found.unwrap_or_else(|| panic!("{title} in {all:?}"))
}

#[test]
fn a_quick_fix_solves_its_problem() {
    let (text, all) = actions(
        "leaves { action patrol; }\ntree t { action ¦patrl; }\n",
        None,
    );
    let fix = titled(&all, "write `patrol`");
    assert_eq!(fix["kind"], "quickfix");
    assert_eq!(fix["isPreferred"], true);
    assert_eq!(fix["diagnostics"][0]["code"], "T0102", "{fix}");
    assert_eq!(
        changed(&text, URI, &fix["edit"]),
        text.replace("patrl", "patrol")
    );
}

#[test]
fn all_fixes_are_made_at_once() {
    let (text, all) = actions(
        "leaves { action patrol; action wait; }\ntree t {\n    sequence {\n        action patrl\n        aktion wait\n        action wait foo=3\n    }\n}\n",
        Some("source.fixAll"),
    );
    let fix = titled(&all, "fix all");
    let fixed = changed(&text, URI, &fix["edit"]);
    assert!(
        fixed.contains("action patrol\n        action wait\n        action wait\n"),
        "{fixed}"
    );
}

#[test]
fn nodes_are_wrapped_extracted_and_put_back() {
    let text = "leaves { action go; }\ntree t {\n    sequence name=walk¦ {\n        action go\n        action go\n    }\n}\n";
    let (text, all) = actions(text, Some("refactor"));
    let wrapped = changed(&text, URI, &titled(&all, "wrap in selector")["edit"]);
    assert!(
        wrapped.contains("    selector {\n        sequence name=walk {"),
        "{wrapped}"
    );
    let extract = titled(&all, "extract as a tree");
    assert_eq!(extract["kind"], "refactor.extract");
    let extracted = changed(&text, URI, &extract["edit"]);
    assert!(
        extracted.contains("subtree walk") && extracted.contains("tree walk {"),
        "{extracted}"
    );
    let back = extracted.replace("subtree walk", "subtree¦ walk");
    let (_, all) = actions(&back, Some("refactor.inline"));
    let inlined = changed(
        &extracted,
        URI,
        &titled(&all, "inline this tree, and")["edit"],
    );
    assert!(!inlined.contains("tree walk"), "{inlined}");
}

#[test]
fn while_the_cursor_moves_only_fixes_are_offered() {
    let (mut client, place) =
        Client::on("leaves { action go; }\ntree t { sequence¦ { action go; }; }\n");
    let context = json!({ "diagnostics": [], "triggerKind": 2 });
    let asked =
        json!({ "textDocument": { "uri": URI }, "range": range(&place), "context": context });
    assert_eq!(client.ask("textDocument/codeAction", asked), json!([]));
}

const UGLY: &str = "tree t {\n\n  sequence { // one\n succeed;; succeed\n      }\n}\n\n\n";

#[test]
fn a_text_is_formatted_as_by_the_command() {
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let (mut client, _) = Client::on(UGLY);
    let asked = json!({ "textDocument": { "uri": URI }, "options": options });
    let edits = client.ask("textDocument/formatting", asked.clone());
    assert!(edits.as_array().unwrap().len() > 2, "{edits}");
    assert_eq!(
        edited(UGLY, &edits),
        "tree t {\n    sequence { // one\n        succeed\n        succeed\n    }\n}\n"
    );
    let mut part = asked.clone();
    part["range"] =
        json!({ "start": { "line": 3, "character": 0 }, "end": { "line": 3, "character": 2 } });
    let edits = client.ask("textDocument/rangeFormatting", part);
    assert_eq!(
        edited(UGLY, &edits),
        "tree t {\n\n  sequence { // one\n        succeed\n        succeed\n      }\n}\n\n\n"
    );
    client.change(URI, None, "tree t {");
    assert!(
        client
            .refused("textDocument/formatting", asked)
            .contains("cannot be formatted")
    );
}

#[test]
fn lines_are_indented_while_somebody_types() {
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    for (text, letter, expected) in [
        (
            "tree t {\n    sequence {\n¦",
            "\n",
            "tree t {\n    sequence {\n        ",
        ),
        (
            "tree t {\n    succeed\n    }¦",
            "}",
            "tree t {\n    succeed\n}",
        ),
        ("tree t { log \"{\n¦", "\n", "tree t { log \"{\n"),
    ] {
        let (mut client, place) = Client::on(text);
        let asked = json!({
            "textDocument": { "uri": URI }, "position": place["position"], "ch": letter, "options": options,
        });
        let edits = client.ask("textDocument/onTypeFormatting", asked);
        assert_eq!(edited(&text.replace('¦', ""), &edits), expected);
    }
}
