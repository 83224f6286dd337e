//! What is edited stays while other files are shown, as long as the program runs.

use crate::browser::Browser;
use crate::editing::{edit, on_disk};
use crate::gone::WARNS;
use crate::hands::until_file;
use crate::program::{Studio, Talk};
use crate::server::until;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const GUARD: &str = "leaves { action patrol; action rest; }
tree guard { action patrol; }
";
const MAP: &str = "[map]\n######\n#G   #\n######\n\n[legend]\nG actor guard mind=main\n";

/// A folder with a document and its map, and more files than are kept while nobody looks.
fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("guard.kdl");
    std::fs::write(&path, GUARD).expect("it is written");
    std::fs::write(path.with_extension("map"), MAP).expect("it is written");
    for nth in 0..6 {
        let own = folder.path().join(format!("other{nth}"));
        std::fs::create_dir(&own).expect("there is room");
        std::fs::write(own.join("other.kdl"), GUARD).expect("it is written");
    }
    (folder, path)
}

fn started(folder: &TempDir) -> Studio {
    Studio::start(&[folder.path().to_str().expect("a path")])
}

/// What a page says that looks at a file, and edits it with its map.
fn wish(path: &Path) -> String {
    let file = path.to_str().expect("a path");
    format!(r#""mind": 0, "sheet": 0, "map": 0, "file": {file:?}"#)
}

/// Looks at each of the other files.
fn leave(talk: &mut Talk, folder: &TempDir) {
    for nth in 0..6 {
        let other = folder.path().join(format!("other{nth}/other.kdl"));
        let file = other.to_str().expect("a path").to_owned();
        until(talk, &wish(&other), |view| view["file"] == file);
    }
}

/// The view of a file when it is so.
fn seen(talk: &mut Talk, path: &Path, is_so: impl Fn(&Value) -> bool) -> Value {
    let file = path.to_str().expect("a path").to_owned();
    until(talk, &wish(path), |view| {
        view["file"] == file && is_so(view)
    })
}

/// The id of the action in the tree.
fn patrol(view: &Value) -> Value {
    let nodes = view["sheet"]["nodes"].as_array().expect("a list");
    let mut found = nodes.iter();
    let found = found.rfind(|node| node["word"] == "action" && node["values"][0] == "patrol");
    found.expect("it is there")["id"].clone()
}

fn set_doc(view: &Value, text: &str) -> Value {
    json!({"do": "set", "id": patrol(view), "name": "doc", "value": text})
}

fn edit_map(talk: &mut Talk, edit: &Value) {
    talk.say(&json!({"say": "map", "edit": edit}).to_string());
}

fn text_of(view: &Value) -> &str {
    view["sheet"]["files"][0]["text"].as_str().expect("a text")
}

/// Waits until a file has a text.
fn until_text(path: &Path, is_so: impl Fn(&str) -> bool) {
    let begun = Instant::now();
    while !std::fs::read_to_string(path).is_ok_and(|text| is_so(&text)) {
        assert!(begun.elapsed() < Duration::from_secs(30), "{path:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn an_edit_that_waits_to_be_saved_is_there_after_many_other_files() {
    let (folder, path) = folder();
    let studio = started(&folder);
    let mut talk = studio.talk();
    let view = seen(&mut talk, &path, |view| view["sheet"].is_object());
    edit(&mut talk, &set_doc(&view, "first"));
    edit(&mut talk, &json!({"do": "save-at-once", "is_on": false}));
    edit(&mut talk, &set_doc(&view, "second"));
    seen(&mut talk, &path, |view| text_of(view).contains("second"));
    assert!(
        on_disk(&path).contains("doc=\"first\""),
        "{}",
        on_disk(&path)
    );
    leave(&mut talk, &folder);
    let view = seen(&mut talk, &path, |view| view["sheet"].is_object());
    assert!(text_of(&view).contains("doc=\"second\""), "{view}");
    assert_eq!(view["sheet"]["saves_at_once"], false);
    assert_eq!(view["sheet"]["files"][0]["is_saved"], false);
    assert_eq!(view["sheet"]["done"].as_array().map(Vec::len), Some(2));
    // What plays is what is saved, and it plays.
    assert!(view["definition"]["behaviour"].is_object(), "{view}");
    // All of it is undone.
    for text in ["doc=\"first\"", "action patrol; }"] {
        edit(&mut talk, &json!({"do": "undo"}));
        seen(&mut talk, &path, |view| text_of(view).contains(text));
    }
    edit(&mut talk, &json!({"do": "save"}));
    until_text(&path, |text| text == GUARD);
}

#[test]
fn the_history_of_document_and_map_is_there_after_many_other_files() {
    let (folder, path) = folder();
    let studio = started(&folder);
    let mut talk = studio.talk();
    let view = seen(&mut talk, &path, |view| view["sheet"].is_object());
    edit(&mut talk, &set_doc(&view, "round"));
    edit_map(
        &mut talk,
        &json!({"do": "paint", "cells": [[3, 1]], "sign": "#"}),
    );
    let map = path.with_extension("map");
    until_text(&map, |text| text != MAP);
    leave(&mut talk, &folder);
    // Another program goes on with the file meanwhile.
    let theirs = on_disk(&path).replace("action rest", "action sleep");
    std::fs::write(&path, &theirs).expect("it is written");
    let view = seen(&mut talk, &path, |view| view["sheet"].is_object());
    assert_eq!(text_of(&view), theirs);
    assert_eq!(view["sheet"]["undo"]["label"]["says"], "change on disk");
    for _ in 0..2 {
        edit(&mut talk, &json!({"do": "undo"}));
    }
    edit_map(&mut talk, &json!({"do": "undo"}));
    until_text(&path, |text| text == GUARD);
    until_text(&map, |text| text == MAP);
    // The document is followed as before.
    let bad = GUARD.replace("action patrol; }", "action nowhere; }");
    std::fs::write(&path, bad).expect("it is written");
    seen(&mut talk, &path, |view| {
        view["reloaded"]["is_done"] == false
    });
}

#[test]
fn an_edit_of_a_file_that_is_gone_is_there_after_many_other_files() {
    let (folder, path) = folder();
    let studio = started(&folder);
    let mut talk = studio.talk();
    let view = seen(&mut talk, &path, |view| view["sheet"].is_object());
    std::fs::remove_file(&path).expect("it is removed");
    edit(&mut talk, &set_doc(&view, "round"));
    seen(&mut talk, &path, |view| text_of(view).contains("round"));
    leave(&mut talk, &folder);
    let view = seen(&mut talk, &path, |view| view["sheet"].is_object());
    assert!(text_of(&view).contains("doc=\"round\""), "{view}");
    assert_eq!(view["sheet"]["unsaved"]["remedy"], "write-again");
    assert!(!path.exists());
    edit(&mut talk, &json!({"do": "save", "whose": "mine"}));
    until_text(&path, |text| text.contains("doc=\"round\""));
    // And it plays again.
    seen(&mut talk, &path, |view| {
        view["definition"]["behaviour"].is_object()
    });
}

/// What could not be written, of a document and of its map, is written as soon as it can be, whatever is shown.
#[test]
fn what_could_not_be_written_is_tried_again_while_other_files_are_shown() {
    let (folder, path) = folder();
    let studio = started(&folder);
    let mut talk = studio.talk();
    let map = path.with_extension("map");
    let view = seen(&mut talk, &path, |view| view["sheet"].is_object());
    // There are folders where the files were.
    for one in [&path, &map] {
        std::fs::remove_file(one).expect("it is ours");
        std::fs::create_dir(one).expect("there is room");
    }
    edit(&mut talk, &set_doc(&view, "round"));
    edit_map(
        &mut talk,
        &json!({"do": "paint", "cells": [[3, 1]], "sign": "#"}),
    );
    let is_tried = |of: &Value| of["unsaved"]["remedy"] == "retry";
    seen(&mut talk, &path, |view| {
        is_tried(&view["sheet"]) && is_tried(&view["map"])
    });
    // First while it still plays, and then when it was closed.
    for is_closed in [false, true] {
        if is_closed {
            leave(&mut talk, &folder);
        } else {
            let other = folder.path().join("other0/other.kdl");
            seen(&mut talk, &other, |view| view["sheet"].is_object());
        }
        for (one, text) in [(&path, GUARD), (&map, MAP)] {
            std::fs::remove_dir(one).expect("it is empty");
            std::fs::write(one, text).expect("it is written");
        }
        until_text(&path, |text| text.contains("doc=\"round\""));
        until_text(&map, |text| text.contains("#G # #"));
        if is_closed {
            continue;
        }
        let view = seen(&mut talk, &path, |view| {
            view["sheet"]["unsaved"].is_null() && view["map"]["unsaved"].is_null()
        });
        assert_eq!(view["sheet"]["files"][0]["is_saved"], true);
        edit(&mut talk, &json!({"do": "undo"}));
        edit_map(&mut talk, &json!({"do": "undo"}));
        until_text(&path, |text| text == GUARD);
        until_text(&map, |text| text == MAP);
        for one in [&path, &map] {
            std::fs::remove_file(one).expect("it is ours");
            std::fs::create_dir(one).expect("there is room");
        }
        edit(&mut talk, &json!({"do": "redo"}));
        edit_map(&mut talk, &json!({"do": "redo"}));
        seen(&mut talk, &path, |view| {
            is_tried(&view["sheet"]) && is_tried(&view["map"])
        });
    }
}

/// What a page knows of what is not on disk, if it looks at a file without editing it.
fn unwritten(talk: &mut Talk, path: &Path, is_so: impl Fn(&Value) -> bool) -> Value {
    let file = path.to_str().expect("a path");
    let wish = format!(r#""mind": 0, "unwritten": 1, "file": {file:?}"#);
    let view = until(talk, &wish, |view| {
        view["file"] == file && is_so(&view["unwritten"])
    });
    view["unwritten"].clone()
}

/// Pages hear of all documents of which something is not on disk, also of those that were closed.
#[test]
fn pages_know_what_is_not_on_disk_whatever_they_show() {
    let (folder, path) = folder();
    let studio = started(&folder);
    let [mut anna, mut bert] = [studio.talk(), studio.talk()];
    let other = folder.path().join("other0/other.kdl");
    let none = unwritten(&mut bert, &other, Value::is_object);
    assert_eq!(none, json!({"revision": 0, "documents": []}));
    let view = seen(&mut anna, &path, |view| view["sheet"].is_object());
    edit(&mut anna, &json!({"do": "save-at-once", "is_on": false}));
    edit(&mut anna, &set_doc(&view, "round"));
    let map = path.with_extension("map");
    std::fs::remove_file(&map).expect("it is ours");
    std::fs::create_dir(&map).expect("there is room");
    edit_map(
        &mut anna,
        &json!({"do": "paint", "cells": [[3, 1]], "sign": "#"}),
    );
    let [file, map_file] = [&path, &map].map(|one| one.to_str().expect("a path"));
    let text = GUARD.replace("action patrol; }", "action patrol doc=\"round\"; }");
    let painted = json!({"name": map_file, "text": MAP.replace("#G   #", "#G # #"), "saved": MAP});
    let all =
        json!([{"file": file, "texts": [{"name": file, "text": text, "saved": GUARD}, painted]}]);
    unwritten(&mut bert, &other, |now| now["documents"] == all);
    // Who edits the document has the text of it, and is told of the rest.
    let wish = format!(r#""unwritten": 1, {}"#, wish(&path));
    until(&mut anna, &wish, |view| {
        view["unwritten"]["documents"] == json!([{"file": file, "texts": [painted]}])
    });
    leave(&mut anna, &folder);
    let now = unwritten(&mut anna, &other, Value::is_object);
    assert_eq!(now["documents"], all);
    // What is known is not said again.
    let known = format!(r#""mind": 0, "unwritten": {}"#, now["revision"]);
    until(&mut anna, &known, |view| view["unwritten"].is_null());
    std::fs::remove_dir(&map).expect("it is empty");
    std::fs::write(&map, MAP).expect("it is written");
    unwritten(&mut bert, &other, |now| {
        now["documents"][0]["texts"].as_array().map(Vec::len) == Some(1)
    });
    seen(&mut anna, &path, |view| view["sheet"].is_object());
    edit(&mut anna, &json!({"do": "save"}));
    unwritten(&mut bert, &other, |now| *now == none);
    assert_eq!(on_disk(&path), text);
}

/// Each file has an entry in the history of the browser. What is in a field is written to its own file.
#[test]
#[ignore = "needs Chromium"]
fn back_in_the_browser_leads_to_the_file_before() {
    let (folder, path) = folder();
    let studio = started(&folder);
    let others: Vec<PathBuf> = (0..2)
        .map(|nth| folder.path().join(format!("other{nth}/other.kdl")))
        .collect();
    let mut page = Browser::open(&studio.at(&format!("file={}&tick=7", path.display())));
    // The address names the file that is shown, and nothing else.
    let is_at = |path: &Path| {
        format!(
            "window.treemind?.model.view.value?.file === {path:?} && new URLSearchParams(location.hash.slice(1)).get('file') === {path:?}"
        )
    };
    page.until(&format!(
        "{} && window.treemind.model.view.value.tick === 7",
        is_at(&path)
    ));
    let before = page.value("history.length").as_u64().expect("a number");
    for (nth, other) in (1..).zip(&others) {
        page.value(&format!(
            "(() => {{ const list = document.querySelector('header select'); list.value = {other:?}; list.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()"
        ));
        page.until(&is_at(other));
        assert_eq!(page.value("history.length"), before + nth);
    }
    page.value("history.back()");
    page.until(&is_at(&others[0]));
    page.press("E");
    page.until("document.querySelector('.sheet [data-word=tree] ~ [data-word=action]')");
    page.value("[...document.querySelectorAll('.sheet [data-word=action]')].at(-1).click()");
    page.until("document.querySelector('.inspector input[aria-label=name]')");
    page.value("document.querySelector('.inspector input[aria-label=name]').focus()");
    page.type_text("stroll");
    page.value("history.back()");
    page.until(&format!(
        "{} && window.treemind.model.view.value.tick === 7",
        is_at(&path)
    ));
    let named = GUARD.replace("{ action patrol; }", "{ action patrol name=stroll; }");
    until_file(&others[0], &named);
    page.value("history.go(2)");
    page.until(&is_at(&others[1]));
    assert_eq!(page.value("history.length"), before + 2);
    assert_eq!(std::fs::read_to_string(&path).expect("a text"), GUARD);
    assert_eq!(std::fs::read_to_string(&others[1]).expect("a text"), GUARD);
}

/// Whether the list of files marks this one as not saved.
fn is_marked(path: &Path) -> String {
    let file = path.to_str().expect("a path");
    format!(
        "[...document.querySelectorAll('header option')].find((one) => one.value === {file:?})?.textContent.endsWith('●')"
    )
}

/// A page that shows another file keeps what is not on disk, and offers it to the program that is started next.
#[test]
#[ignore = "needs Chromium"]
fn what_is_not_on_disk_is_offered_again_whatever_was_shown() {
    let (folder, path) = folder();
    let map = path.with_extension("map");
    let studio = started(&folder);
    let port = studio.host().rsplit_once(':').expect("a port").1.to_owned();
    let other = folder.path().join("other0/other.kdl");
    let at = |studio: &Studio| studio.at(&format!("file={}", other.display()));
    let mut page = Browser::open(&at(&studio));
    page.until("window.treemind?.model.view.value?.file.includes('other0')");
    assert_eq!(page.value(WARNS), false);
    let mut talk = studio.talk();
    let view = seen(&mut talk, &path, |view| view["sheet"].is_object());
    edit(&mut talk, &json!({"do": "save-at-once", "is_on": false}));
    edit(&mut talk, &set_doc(&view, "round"));
    std::fs::remove_file(&map).expect("it is ours");
    std::fs::create_dir(&map).expect("there is room");
    edit_map(
        &mut talk,
        &json!({"do": "paint", "cells": [[3, 1]], "sign": "#"}),
    );
    page.until(&is_marked(&path));
    page.until("localStorage.getItem('treemind-typed') === null");
    assert_eq!(page.value(WARNS), true);
    // The program is killed, and started again.
    drop((studio, talk));
    page.until("localStorage.getItem('treemind-typed')?.includes('guard.map')");
    std::fs::remove_dir(&map).expect("it is empty");
    std::fs::write(&map, MAP).expect("it is written");
    let all = folder.path().to_str().expect("a path").to_owned();
    let studio = Studio::start(&[&all, "--port", &port]);
    let mut page = page.beside(&at(&studio));
    page.until("window.treemind?.model.view.value?.file.includes('other0')");
    page.until(&is_marked(&path));
    assert_eq!(page.value("!!document.querySelector('.lost')"), false);
    // The document is in the list, and says that something is kept.
    let file = path.to_str().expect("a path");
    page.value(&format!(
        "(() => {{ const list = document.querySelector('header select'); list.value = {file:?}; list.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()"
    ));
    page.until("document.querySelectorAll('.lost.unsent button').length === 2");
    page.click_on(".lost.unsent button:first-of-type");
    page.until("document.activeElement.matches('.write .cm-content') && document.querySelector('.left pre')?.textContent.includes('doc=')");
    page.click_on(".left button:first-of-type");
    until_text(&path, |text| text.contains("action patrol doc=\"round\";"));
    // So is its map.
    page.until("document.querySelectorAll('.lost.unsent button').length === 1");
    page.click_on(".lost.unsent button");
    page.until("document.querySelector('.map .left pre')");
    assert_eq!(on_disk(&map), MAP);
    page.click_on(".map .left button:first-of-type");
    until_text(&map, |text| text == MAP.replace("#G   #", "#G # #"));
    page.until(&format!(
        "!document.querySelector('.left, .lost') && !({}) && localStorage.getItem('treemind-typed') === null",
        is_marked(&path)
    ));
    assert_eq!(page.value(WARNS), false);
}
