//! What goes wrong while somebody edits: nothing that was done is lost, the file is the old or the new one, and the page hears why.

use crate::editing::{edit, folder, on_disk, sheet, studio};
use crate::hands::{Desk, GUARD, until_file};
use crate::program::Studio;
use crate::server::english;
use serde_json::{Value, json};
use std::path::Path;

/// The id of the node with this word and first value.
fn id(sheet: &Value, word: &str, first: &str) -> Value {
    let nodes = sheet["nodes"].as_array().expect("a list");
    let is_it = |node: &&Value| node["word"] == word && node["values"][0] == first;
    let found = nodes.iter().rfind(is_it);
    found.unwrap_or_else(|| panic!("{word} {first}"))["id"].clone()
}

/// The text of the document.
fn text_of(sheet: &Value) -> &str {
    sheet["files"][0]["text"].as_str().unwrap_or_default()
}

fn set_doc(id: &Value, text: &str) -> Value {
    json!({"do": "set", "id": id, "name": "doc", "value": text})
}

/// A document in which a block is not closed is shown, and typed; what changes its nodes waits until it is closed.
#[test]
fn a_document_with_an_open_block_is_typed_and_its_nodes_wait() {
    let (_folder, path) = folder();
    let whole = on_disk(&path);
    let open = whole.trim_end().trim_end_matches('}').to_owned();
    std::fs::write(&path, &open).expect("it is written");
    let studio = studio(&path);
    let mut talk = studio.talk();
    let seen = sheet(&mut talk, Value::is_object);
    assert_eq!(seen["files"][0]["is_whole"], false);
    assert!(!seen["problems"].as_array().expect("a list").is_empty());
    let flee = id(&seen, "action", "run-away");
    edit(&mut talk, &set_doc(&flee, "runs"));
    let refused = talk.hear();
    assert_eq!(refused["kind"], "refused");
    assert!(
        refused["why"].to_string().contains("open block"),
        "{refused}"
    );
    assert_eq!(on_disk(&path), open);
    let end = open.encode_utf16().count();
    edit(
        &mut talk,
        &json!({"do": "type", "file": 0, "from": end, "to": end, "text": "}\n"}),
    );
    let seen = sheet(&mut talk, |sheet| sheet["files"][0]["is_whole"] == true);
    let flee = id(&seen, "action", "run-away");
    edit(&mut talk, &set_doc(&flee, "runs"));
    let wanted = whole.replace("health < 20\"", "health < 20\" doc=\"runs\"");
    sheet(&mut talk, |sheet| sheet["files"][0]["text"] == wanted);
    assert_eq!(on_disk(&path), wanted);
}

/// A file that is gone, or whose folder one may not write to, or that does not fit on the disk, stays as it is; the text waits.
#[test]
fn a_file_that_is_gone_is_written_again_when_somebody_says_so() {
    let (_folder, path) = folder();
    let studio = studio(&path);
    let mut talk = studio.talk();
    let patrol = id(&sheet(&mut talk, Value::is_object), "action", "patrol");
    std::fs::remove_file(&path).expect("it is removed");
    edit(&mut talk, &set_doc(&patrol, "round"));
    let seen = sheet(&mut talk, |sheet| !sheet["unsaved"].is_null());
    assert!(seen["unsaved"].to_string().contains("is gone"), "{seen}");
    assert!(!path.exists());
    edit(&mut talk, &json!({"do": "save", "whose": "mine"}));
    let seen = sheet(&mut talk, |sheet| sheet["unsaved"].is_null());
    assert_eq!(seen["files"][0]["text"], on_disk(&path));
    assert!(on_disk(&path).contains("doc=\"round\""));
}

/// That a file is gone is said although nobody edits, and not any more when it is there again; what was done meanwhile is written then.
#[test]
fn a_file_that_is_gone_is_said_until_it_is_back() {
    let (_folder, path) = folder();
    let studio = studio(&path);
    let mut talk = studio.talk();
    let patrol = id(&sheet(&mut talk, Value::is_object), "action", "patrol");
    let text = on_disk(&path);
    std::fs::remove_file(&path).expect("it is removed");
    let seen = sheet(&mut talk, |sheet| !sheet["unsaved"].is_null());
    assert_eq!(seen["unsaved"]["remedy"], "write-again", "{seen}");
    // To save is not to write it again.
    edit(&mut talk, &json!({"do": "save"}));
    edit(&mut talk, &json!({"do": "save-at-once", "is_on": false}));
    let seen = sheet(&mut talk, |sheet| sheet["saves_at_once"] == false);
    assert_eq!(seen["unsaved"]["remedy"], "write-again", "{seen}");
    assert!(!path.exists());
    edit(&mut talk, &json!({"do": "save-at-once", "is_on": true}));
    edit(&mut talk, &set_doc(&patrol, "round"));
    sheet(&mut talk, |sheet| text_of(sheet).contains("round"));
    assert!(!path.exists());
    std::fs::write(&path, text).expect("it is written");
    let seen = sheet(&mut talk, |sheet| sheet["unsaved"].is_null());
    assert_eq!(text_of(&seen), on_disk(&path));
    assert!(
        on_disk(&path).contains("doc=\"round\""),
        "{}",
        on_disk(&path)
    );
}

/// Another program has saved the file in an encoding that nobody reads: the page says how to mend it, and goes on when that is
/// done.
#[test]
fn a_file_in_another_encoding_is_said_until_it_is_saved_as_utf_8() {
    let (_folder, path) = folder();
    let studio = studio(&path);
    let mut talk = studio.talk();
    let patrol = id(&sheet(&mut talk, Value::is_object), "action", "patrol");
    let text = on_disk(&path);
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    std::fs::write(&path, &bytes).expect("it is written");
    let seen = sheet(&mut talk, |sheet| !sheet["unsaved"].is_null());
    let why = english(&seen["unsaved"]["why"]);
    assert!(
        why.ends_with("this file is UTF-16 text, and Treemind reads UTF-8; save the file as UTF-8 in your editor"),
        "{why}"
    );
    assert_eq!(seen["unsaved"]["remedy"], "retry");
    // What is edited meanwhile waits, and does not write over it.
    edit(&mut talk, &set_doc(&patrol, "round"));
    sheet(&mut talk, |sheet| text_of(sheet).contains("round"));
    edit(&mut talk, &json!({"do": "save"}));
    assert_eq!(std::fs::read(&path).expect("it is there"), bytes);
    std::fs::write(&path, text).expect("it is written");
    let seen = sheet(&mut talk, |sheet| sheet["unsaved"].is_null());
    assert_eq!(text_of(&seen), on_disk(&path));
    assert!(on_disk(&path).contains("doc=\"round\""));
}

/// Edits a document until it is not saved any more, and says why; the file is as it was.
fn unsaved(studio: &Studio, path: &Path, text: &str) -> Value {
    let before = on_disk(path);
    let mut talk = studio.talk();
    let patrol = id(&sheet(&mut talk, Value::is_object), "action", "patrol");
    edit(&mut talk, &set_doc(&patrol, text));
    let seen = sheet(&mut talk, |sheet| !sheet["unsaved"].is_null());
    assert_eq!(seen["files"][0]["is_saved"], false);
    assert!(text_of(&seen).contains(text), "what was done is kept");
    assert_eq!(on_disk(path), before);
    // There is nothing to choose from: it is tried again, and if nothing is better now, it waits still.
    assert_eq!(seen["unsaved"]["remedy"], "retry");
    edit(&mut talk, &json!({"do": "save"}));
    assert_eq!(on_disk(path), before);
    // It can be taken back, and then nothing waits.
    edit(&mut talk, &json!({"do": "undo"}));
    sheet(&mut talk, |sheet| sheet["files"][0]["is_saved"] == true);
    seen["unsaved"]["why"].clone()
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_stays_as_it_is() {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, path) = folder();
    let mode = |mode| std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(folder.path(), mode(0o555)).expect("it is ours");
    std::fs::set_permissions(&path, mode(0o444)).expect("it is ours");
    // Who is root may do everything, so the program is somebody else then.
    let is_root = rustix::process::geteuid().is_root();
    let nobody = "exec setpriv --reuid=65534 --regid=65534 --clear-groups \"$0\" \"$@\"";
    let script = if is_root {
        nobody
    } else {
        "exec \"$0\" \"$@\""
    };
    let studio = Studio::by_script(script, &[path.to_str().expect("a path")]);
    let why = unsaved(&studio, &path, "round");
    // It is a sentence of the table of the languages.
    let reason = json!({"says": "permission denied", "with": []});
    assert_eq!(why["with"][1], reason, "{why}");
    drop(studio);
    std::fs::set_permissions(folder.path(), mode(0o755)).expect("it is ours");
    // No file of the program may be longer than this, as on a full disk.
    std::fs::set_permissions(&path, mode(0o644)).expect("it is ours");
    let script = "trap '' XFSZ; ulimit -f 2; exec \"$0\" \"$@\"";
    let studio = Studio::by_script(script, &[path.to_str().expect("a path")]);
    let why = unsaved(&studio, &path, &"round and ".repeat(300));
    assert_eq!(why["says"], "{} cannot be written: {}", "{why}");
    let reason = json!({"says": "the file would be too large", "with": []});
    assert_eq!(why["with"][1], reason, "{why}");
}

/// A very long name, and a very long text: either may be refused, and both are taken back.
#[test]
fn long_names_and_texts_do_no_harm() {
    let (_folder, path) = folder();
    let before = on_disk(&path);
    let studio = studio(&path);
    let mut talk = studio.talk();
    let first = sheet(&mut talk, Value::is_object);
    let name = "very-long-".repeat(30);
    let tree = id(&first, "tree", "guard");
    edit(
        &mut talk,
        &json!({"do": "rename", "id": tree, "name": name}),
    );
    let renamed = before.replace("tree guard", &format!("tree {name}"));
    sheet(&mut talk, |sheet| sheet["files"][0]["text"] == renamed);
    edit(&mut talk, &json!({"do": "undo"}));
    sheet(&mut talk, |sheet| sheet["files"][0]["text"] == before);
    // As the name of a file, it is too long.
    talk.say(&json!({"say": "make", "name": format!("{name}.kdl"), "folder": "", "origin": {"of": "tree"}}).to_string());
    assert_eq!(talk.hear()["kind"], "refused");
    // Five million letters, as text and as nodes.
    let long = "x".repeat(5_000_000);
    let end = before.encode_utf16().count();
    let comment = format!("// {long}\n");
    edit(
        &mut talk,
        &json!({"do": "type", "file": 0, "from": end, "to": end, "text": comment}),
    );
    until_file(&path, &format!("{before}{comment}"));
    edit(&mut talk, &json!({"do": "undo"}));
    until_file(&path, &before);
    let patrol = id(&first, "action", "patrol");
    let spot = json!({"id": patrol, "side": "after"});
    edit(
        &mut talk,
        &json!({"do": "add", "text": format!("{long} {{ {{{{"), "spot": spot}),
    );
    assert_eq!(talk.hear()["kind"], "refused");
    assert_eq!(on_disk(&path), before);
}

/// Two pages edit one node at the same time: one after the other, and who comes too late hears it.
#[test]
fn one_node_is_edited_by_two_at_once() {
    let (_folder, path) = folder();
    let studio = studio(&path);
    let [mut anna, mut bert] = [studio.talk(), studio.talk()];
    let patrol = id(&sheet(&mut anna, Value::is_object), "action", "patrol");
    sheet(&mut bert, Value::is_object);
    edit(&mut anna, &set_doc(&patrol, "anna"));
    edit(
        &mut bert,
        &json!({"do": "set", "id": patrol, "name": "name", "value": "round"}),
    );
    let both = |sheet: &Value| {
        let text = text_of(sheet);
        text.contains("doc=\"anna\"") && text.contains("name=round")
    };
    let text = sheet(&mut anna, both)["files"][0]["text"].clone();
    assert_eq!(sheet(&mut bert, both)["files"][0]["text"], text);
    assert_eq!(text, on_disk(&path));
    // One removes it while the other still changes it.
    edit(&mut anna, &json!({"do": "remove", "ids": [patrol]}));
    sheet(&mut anna, |sheet| !text_of(sheet).contains("name=round"));
    edit(&mut bert, &set_doc(&patrol, "bert"));
    let refused = bert.hear();
    assert!(refused["why"].to_string().contains("gone"), "{refused}");
    assert!(!on_disk(&path).contains("bert"));
}

#[test]
#[ignore = "needs Chromium"]
fn a_page_counts_nothing_while_a_block_is_not_closed() {
    let mut desk = Desk::new();
    let tabs = "document.querySelectorAll('.desk .tabs small').length";
    desk.page.until(&format!(
        "{tabs} === 2 && document.querySelector('.above .hint')"
    ));
    let open = GUARD.trim_end().trim_end_matches('}');
    std::fs::write(&desk.path, open).expect("it is written");
    desk.page.until(&format!(
        "{tabs} === 0 && !document.querySelector('.above .hint') && document.querySelector('.editing .told.bad')"
    ));
    desk.page.click_on(".desk .tabs button:nth-child(2)");
    desk.page.until(
        "document.querySelector('.desk .by')?.textContent.includes('not closed') && !document.querySelector('.desk .table')",
    );
    std::fs::write(&desk.path, GUARD).expect("it is written");
    desk.page.until(&format!(
        "{tabs} === 2 && document.querySelector('.desk [data-key=health]')"
    ));
}
