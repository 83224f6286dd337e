//! Files: those that documents import, open and not, made, changed, renamed and gone.

use crate::client::{Client, URI, changed};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const LEAVES: &str = "leaves { action patrol; }\n";
const GUARD: &str = "import \"parts/leaves.kdl\"\ntree guard { action patrol; }\n";

fn uri(folder: &Path, name: &str) -> String {
    format!("file://{}", folder.join(name).display())
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("parts")).unwrap();
    fs::write(folder.path().join("parts/leaves.kdl"), LEAVES).unwrap();
    fs::write(folder.path().join("guard.kdl"), GUARD).unwrap();
    folder
}

fn client(folders: &[&Path]) -> Client {
    let folders: Vec<Value> = folders
        .iter()
        .map(|one| json!({ "uri": uri(one, ""), "name": "x" }))
        .collect();
    Client::with(&json!({
        "capabilities": {
            "workspace": {
                "workspaceEdit": { "documentChanges": true },
                "didChangeWatchedFiles": { "dynamicRegistration": true },
            },
        },
        "workspaceFolders": folders,
    }))
}

#[test]
fn an_import_is_read_from_the_disk_and_from_an_open_text() {
    let folder = folder();
    let mut client = client(&[folder.path()]);
    let (guard, leaves) = (
        uri(folder.path(), "guard.kdl"),
        uri(folder.path(), "parts/leaves.kdl"),
    );
    client.open(&guard, GUARD);
    assert_eq!(client.codes(&guard), [""; 0]);
    // The open text counts, and not the one on the disk.
    client.open(&leaves, "leaves { action wait; }\n");
    assert_eq!(client.codes(&guard), ["T0102"]);
    client.tell(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": leaves } }),
    );
    assert_eq!(client.codes(&guard), [""; 0]);
}

#[test]
fn files_that_others_change_are_looked_at_again() {
    let folder = folder();
    let mut client = client(&[folder.path()]);
    let (guard, leaves) = (
        uri(folder.path(), "guard.kdl"),
        uri(folder.path(), "parts/leaves.kdl"),
    );
    client.open(&guard, GUARD);
    assert_eq!(client.codes(&guard), [""; 0]);
    let watched = client
        .told
        .iter()
        .any(|one| one["method"] == "client/registerCapability");
    assert!(watched, "{:?}", client.told);
    for (text, kind, expected) in [
        (Some("leaves { action wait; }"), 2, "T0102"),
        (None, 3, "T0120"),
        (Some(LEAVES), 1, ""),
    ] {
        let path = folder.path().join("parts/leaves.kdl");
        match text {
            Some(text) => fs::write(&path, text).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        client.tell(
            "workspace/didChangeWatchedFiles",
            json!({ "changes": [{ "uri": leaves, "type": kind }] }),
        );
        let codes = client.codes(&guard);
        assert_eq!(codes.first().map_or("", String::as_str), expected);
    }
}

#[test]
fn a_name_is_changed_in_all_documents_that_import_it() {
    let folder = folder();
    let robot = "import \"parts/leaves.kdl\"\ntree robot { action patrol; }\n";
    fs::write(folder.path().join("robot.kdl"), robot).unwrap();
    let mut client = client(&[folder.path()]);
    let leaves = uri(folder.path(), "parts/leaves.kdl");
    let mut place = client.open(&leaves, &LEAVES.replace("patrol", "pa¦trol"));
    place["newName"] = json!("walk");
    let change = client.ask("textDocument/rename", place.clone());
    for (name, text) in [
        ("guard.kdl", GUARD),
        ("robot.kdl", robot),
        ("parts/leaves.kdl", LEAVES),
    ] {
        let new = changed(text, &uri(folder.path(), name), &change);
        assert_eq!(new, text.replace("patrol", "walk"), "{change}");
    }
    place["context"] = json!({ "includeDeclaration": true });
    assert_eq!(
        client
            .ask("textDocument/references", place)
            .as_array()
            .unwrap()
            .len(),
        3
    );
    // A file that only others make whole has no mistakes of its own.
    assert_eq!(client.codes(&leaves), [""; 0]);
}

#[test]
fn imports_follow_a_file_that_is_renamed() {
    let folder = folder();
    let mut client = client(&[folder.path()]);
    client.open(&uri(folder.path(), "guard.kdl"), GUARD);
    let old = uri(folder.path(), "parts/leaves.kdl");
    let new = uri(folder.path(), "all leaves.kdl").replace(' ', "%20");
    let asked = json!({ "files": [{ "oldUri": old, "newUri": new }] });
    let change = client.ask("workspace/willRenameFiles", asked);
    let text = changed(GUARD, &uri(folder.path(), "guard.kdl"), &change);
    assert!(text.starts_with("import \"all leaves.kdl\"\n"), "{text}");
    // A document that moves looks for its imports from its new place.
    let (old, new) = (
        uri(folder.path(), "guard.kdl"),
        uri(folder.path(), "parts/guard.kdl"),
    );
    let change = client.ask(
        "workspace/willRenameFiles",
        json!({ "files": [{ "oldUri": old, "newUri": new }] }),
    );
    let text = changed(GUARD, &old, &change);
    assert!(text.starts_with("import \"leaves.kdl\"\n"), "{text}");
}

#[test]
fn definitions_and_files_lead_to_other_files() {
    let folder = folder();
    let mut client = client(&[folder.path()]);
    let guard = uri(folder.path(), "guard.kdl");
    let place = client.open(&guard, &GUARD.replace("action patrol", "action pa¦trol"));
    let definition = client.ask("textDocument/definition", place);
    assert_eq!(
        definition[0]["targetUri"],
        uri(folder.path(), "parts/leaves.kdl")
    );
    let on_path =
        json!({ "textDocument": { "uri": guard }, "position": { "line": 0, "character": 12 } });
    let definition = client.ask("textDocument/definition", on_path);
    assert_eq!(
        definition[0]["targetUri"],
        uri(folder.path(), "parts/leaves.kdl"),
        "{definition}"
    );
    // What could be imported is offered as one would write it.
    client.change(&guard, Some([0, 8, 0, 24]), "");
    let at = json!({ "textDocument": { "uri": guard }, "position": { "line": 0, "character": 8 } });
    let offered = client.ask("textDocument/completion", at);
    assert_eq!(
        offered["items"][0]["label"], "parts/leaves.kdl",
        "{offered}"
    );
}

#[test]
fn symbols_of_all_folders_are_found_and_folders_come_and_go() {
    let (one, other) = (folder(), folder());
    fs::write(other.path().join("robot.kdl"), "tree robot { succeed; }\n").unwrap();
    let mut client = client(&[one.path()]);
    let ask = |client: &mut Client, query: &str| {
        let found = client.ask("workspace/symbol", json!({ "query": query }));
        found.as_array().unwrap().len()
    };
    assert_eq!((ask(&mut client, "guard"), ask(&mut client, "rbt")), (1, 0));
    let added = json!([{ "uri": uri(other.path(), ""), "name": "other" }]);
    client.tell(
        "workspace/didChangeWorkspaceFolders",
        json!({ "event": { "added": added, "removed": [] } }),
    );
    assert_eq!((ask(&mut client, "guard"), ask(&mut client, "rbt")), (2, 1));
    client.tell(
        "workspace/didChangeWorkspaceFolders",
        json!({ "event": { "added": [], "removed": added } }),
    );
    assert_eq!((ask(&mut client, "guard"), ask(&mut client, "rbt")), (1, 0));
}

#[test]
fn other_formats_have_diagnostics_and_symbols() {
    let mut client = Client::new();
    for (name, text, code, symbol) in [
        (
            "a.json",
            r#"{ "nodes": [{ "node": "tree", "values": ["t"], "children": [{ "node": "aktion", "values": ["x"] }] }] }"#,
            "T0101",
            "t",
        ),
        (
            "b.xml",
            r#"<root BTCPP_format="4" main_tree_to_execute="B"><BehaviorTree ID="B"><AlwaysSuccess/></BehaviorTree></root>"#,
            "",
            "B",
        ),
        (
            "c.scxml",
            r#"<scxml version="1.0" initial="x" name="m"><state id="y"/></scxml>"#,
            "T",
            "m",
        ),
        // Some other file.
        ("package.json", r#"{ "name": "x" }"#, "", ""),
    ] {
        let uri = format!("file:///nowhere/{name}");
        client.open(&uri, text);
        let codes = client.codes(&uri);
        let first = codes.first().map_or("", String::as_str);
        assert!(
            first.starts_with(code) && first.is_empty() == code.is_empty(),
            "{name}: {codes:?}"
        );
        let of = json!({ "textDocument": { "uri": uri } });
        let symbols = client.ask("textDocument/documentSymbol", of.clone());
        let found = symbols[0]["name"].as_str().unwrap_or("");
        assert_eq!(found, symbol, "{name}: {symbols}");
        let place =
            json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": 3 } });
        assert_eq!(client.ask("textDocument/hover", place), Value::Null);
    }
}

#[test]
fn a_text_without_a_file_is_served_too() {
    let mut client = Client::new();
    let place = client.open("untitled:Untitled-1", "tree t { succ¦; }\n");
    assert_eq!(client.codes("untitled:Untitled-1"), ["T0101"]);
    let offered = client.ask("textDocument/completion", place);
    assert_eq!(offered["items"][0]["label"], "succeed");
    let _ = URI;
}
