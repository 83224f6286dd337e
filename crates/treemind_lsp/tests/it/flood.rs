//! Many messages at once.

use crate::client::{Client, URI};
use serde_json::json;

#[test]
fn requests_that_are_no_longer_wanted_are_not_answered_in_full() {
    let (mut client, place) = Client::on(&"tree t { succeed; }\n".repeat(400));
    let ids: Vec<i64> = (0..60)
        .map(|_| client.begin("textDocument/completion", place.clone()))
        .collect();
    for id in &ids {
        client.tell("$/cancelRequest", json!({ "id": id }));
    }
    let answers: Vec<_> = ids.iter().map(|id| client.answer(*id)).collect();
    let cancelled = answers.iter().filter(|one| one["error"]["code"] == -32800);
    assert!(cancelled.count() > 10, "{:?}", &answers[..3]);
    assert!(client.end());
}

#[test]
fn a_flood_of_changes_ends_in_the_right_text() {
    let (mut client, _) = Client::on("tree t { }\n");
    for nth in 0..5_000 {
        let word = if nth % 2 == 0 { "succeed" } else { "aktion" };
        client.change(URI, None, &format!("tree t {{ {word}; }}\n"));
    }
    client.change(URI, Some([0, 9, 0, 15]), "fail");
    // Versions that go backwards change nothing about the order.
    let change = json!({
        "textDocument": { "uri": URI, "version": -7 },
        "contentChanges": [{ "text": "// x\n", "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } } }],
    });
    client.tell("textDocument/didChange", change);
    let symbols = client.ask(
        "textDocument/documentSymbol",
        json!({ "textDocument": { "uri": URI } }),
    );
    assert_eq!(symbols[0]["range"]["start"]["line"], 1, "{symbols}");
    assert_eq!(symbols[0]["range"]["end"]["character"], 16, "{symbols}");
    let published = client
        .told
        .iter()
        .filter(|one| one["method"] == "textDocument/publishDiagnostics");
    assert!(published.count() < 500, "changes are checked together");
    assert!(client.end());
}
