//! Names: where they are, and how they are changed.

use crate::client::{Client, URI, changed};
use serde_json::{Value, json};

const TEXT: &str = "blackboard { key health type=float; }\ntree t {\n    sequence {\n        set \"health = 3.0\"\n        \
                    check \"health¦ < 2\"\n    }\n}\n";

#[test]
fn a_name_leads_to_its_definition_and_uses() {
    let (mut client, place) = Client::on(TEXT);
    let definition = client.ask("textDocument/definition", place.clone());
    assert_eq!(definition[0]["targetUri"], URI);
    assert_eq!(
        definition[0]["targetSelectionRange"]["start"],
        json!({ "line": 0, "character": 17 })
    );
    assert_eq!(definition[0]["originSelectionRange"]["start"]["line"], 4);

    let mut asked = place.clone();
    asked["context"] = json!({ "includeDeclaration": true });
    let lines = |answer: &Value| -> Vec<u64> {
        let all = answer.as_array().unwrap().iter();
        all.map(|one| one["range"]["start"]["line"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(
        lines(&client.ask("textDocument/references", asked.clone())),
        [0, 3, 4]
    );
    asked["context"] = json!({ "includeDeclaration": false });
    assert_eq!(lines(&client.ask("textDocument/references", asked)), [3, 4]);

    let highlights = client.ask("textDocument/documentHighlight", place);
    let kinds: Vec<&Value> = highlights
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["kind"])
        .collect();
    assert_eq!(kinds, [3, 3, 2]);
}

#[test]
fn renaming_changes_all_places_or_says_why_not() {
    let (mut client, mut place) = Client::on(TEXT);
    let prepared = client.ask("textDocument/prepareRename", place.clone());
    assert_eq!(prepared["placeholder"], "health");
    assert_eq!(
        prepared["range"]["start"],
        json!({ "line": 4, "character": 15 })
    );
    place["newName"] = json!("life");
    let change = client.ask("textDocument/rename", place.clone());
    assert_eq!(change["documentChanges"][0]["textDocument"]["version"], 1);
    let text = TEXT.replace('¦', "");
    assert_eq!(changed(&text, URI, &change), text.replace("health", "life"));

    place["newName"] = json!("not a name");
    assert!(
        client
            .refused("textDocument/rename", place.clone())
            .contains("only have letters")
    );
    client.change(URI, None, "tree t {");
    place["newName"] = json!("life");
    assert!(
        client
            .refused("textDocument/rename", place)
            .contains("until everything")
    );
}

#[test]
fn a_client_without_versions_gets_plain_changes() {
    let mut client = Client::with(&json!({ "capabilities": {} }));
    let mut place = client.open(URI, TEXT);
    place["newName"] = json!("life");
    let change = client.ask("textDocument/rename", place);
    assert_eq!(
        change["changes"][URI].as_array().unwrap().len(),
        3,
        "{change}"
    );
}
