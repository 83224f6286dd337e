//! The map of the arena, edited in the page.

use crate::access::in_both_themes;
use crate::browser::Browser;
use crate::hands::until_file;
use crate::page::draw_if_wanted;
use crate::program::{Studio, Talk};
use crate::server::{english, until};
use serde_json::{Value, json};
use std::path::PathBuf;
use tempfile::TempDir;

const GUARD: &str = "main tree=guard\nleaves { action patrol; action rest; }\ntree guard { action patrol; }\ntree lazy { action rest; }\n";
const MAP: &str = "; the yard\r\n[map]\r\n##########\r\n#G      h#\r\n#   1  2 #\r\n##########\r\n\r\n[legend]\r\n\
    G  actor guard mind=main   route=round\r\n1-2 spot round\r\nh spot hut\r\n";

/// A document with its map.
fn yard() -> (TempDir, PathBuf, PathBuf, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let (document, map) = (
        folder.path().join("guard.kdl"),
        folder.path().join("guard.map"),
    );
    let text = MAP.to_owned();
    std::fs::write(&document, GUARD).expect("it is written");
    std::fs::write(&map, &text).expect("it is written");
    (folder, document, map, text)
}

fn edit(talk: &mut Talk, edit: Value) {
    talk.say(&json!({"say": "map", "edit": edit}).to_string());
}

/// Waits until the last change of the game says this.
fn told(talk: &mut Talk, words: &str) -> Value {
    until(talk, r#""map": 0"#, |view| {
        let line = &view["reloaded"]["lines"][0];
        !line.is_null() && english(line).contains(words)
    })
}

#[test]
fn the_map_is_changed_as_the_text_that_it_is() {
    let (_folder, document, map, before) = yard();
    let studio = Studio::start(&[document.to_str().expect("a path")]);
    let mut talk = studio.talk();
    talk.say(r#"{"say": "go", "tick": 40}"#);
    let view = until(&mut talk, r#""map": 0"#, |view| view["tick"] == 40);
    let sheet = &view["map"];
    assert_eq!(sheet["rows"][1], "#G      h#");
    assert_eq!(sheet["legend"][0]["properties"][0], json!(["mind", "main"]));
    assert_eq!(sheet["minds"], json!(["main", "tree:guard", "tree:lazy"]));
    // One character, and the game begins anew.
    edit(
        &mut talk,
        json!({"do": "paint", "cells": [[4, 1], [5, 1]], "sign": "#"}),
    );
    let view = told(&mut talk, "begins anew");
    assert!(view["tick"].as_u64() < Some(40), "{}", view["tick"]);
    let painted = before.replace("#G      h#", "#G  ##  h#");
    assert_eq!(std::fs::read_to_string(&map).expect("a text"), painted);
    edit(
        &mut talk,
        json!({"do": "set", "sign": "G", "name": "mind", "value": "tree:lazy"}),
    );
    edit(
        &mut talk,
        json!({"do": "move", "from": [1, 1], "to": [1, 2]}),
    );
    let changed = painted
        .replace("#G  ##  h#", "#.  ##  h#")
        .replace("#   1  2 #", "#G  1  2 #")
        .replace("mind=main", "mind=tree:lazy");
    until(&mut talk, r#""map": 0"#, |view| {
        view["map"]["text"] == changed.as_str()
    });
    assert_eq!(std::fs::read_to_string(&map).expect("a text"), changed);
    // What would not be a map changes nothing.
    edit(&mut talk, json!({"do": "remove", "sign": "1"}));
    let refused = talk.hear();
    assert!(
        refused["why"].to_string().contains("no such spot"),
        "{refused}"
    );
    for _ in 0..3 {
        edit(&mut talk, json!({"do": "undo"}));
    }
    until(&mut talk, r#""map": 0"#, |view| {
        view["map"]["undo"].is_null()
    });
    assert_eq!(std::fs::read_to_string(&map).expect("a text"), before);
    // Without the token, it can only be seen.
    let mut guest = studio.talk_without_token();
    edit(&mut guest, json!({"do": "redo"}));
    assert_eq!(guest.hear()["kind"], "refused");
}

#[test]
fn another_program_and_mistakes_are_told_and_nothing_is_lost() {
    let (_folder, document, map, before) = yard();
    let studio = Studio::start(&[document.to_str().expect("a path")]);
    let mut talk = studio.talk();
    until(&mut talk, r#""map": 0"#, |view| view["map"].is_object());
    // Another program writes: it is a step of the history.
    let theirs = before.replace("h spot hut", "h spot home");
    std::fs::write(&map, &theirs).expect("it is written");
    let view = told(&mut talk, "begins anew");
    assert_eq!(view["map"]["text"], theirs.as_str());
    assert_eq!(view["map"]["undo"]["by"], "");
    // Only a comment: the game goes on.
    let nth = view["reloaded"]["nth"].clone();
    std::fs::write(&map, format!("; more\r\n{theirs}")).expect("it is written");
    let view = until(&mut talk, r#""map": 0"#, |view| {
        view["map"]["text"].to_string().contains("; more")
    });
    assert_eq!(view["reloaded"]["nth"], nth);
    assert_eq!(view["map"]["problem"], Value::Null);
    // A mistake is written, and the game goes on as it was.
    let revision = view["map"]["revision"].clone();
    let wrong = theirs.replace("[legend]", "[legends]");
    edit(
        &mut talk,
        json!({"do": "text", "text": wrong, "base": revision}),
    );
    let view = told(&mut talk, "goes on as it was");
    assert_eq!(
        view["map"]["problem"]["line"], 8,
        "{}",
        view["map"]["problem"]
    );
    assert_eq!(std::fs::read_to_string(&map).expect("a text"), wrong);
    // Who has typed into an older text is told, and nothing is written over.
    edit(
        &mut talk,
        json!({"do": "text", "text": "", "base": revision}),
    );
    assert_eq!(talk.hear()["kind"], "refused");
    edit(&mut talk, json!({"do": "undo"}));
    told(&mut talk, "begins anew");
    // An example stays as it is; a document without a map gets one of its own.
    let lone = tempfile::tempdir().expect("a folder");
    let path = lone.path().join("b.kdl");
    std::fs::write(&path, GUARD).expect("it is written");
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut talk = studio.talk();
    edit(
        &mut talk,
        json!({"do": "paint", "cells": [[1, 1]], "sign": "#"}),
    );
    assert_eq!(talk.hear()["kind"], "refused");
    edit(&mut talk, json!({"do": "begin"}));
    until(&mut talk, r#""map": 0"#, |view| {
        view["map"]["file"].to_string().contains("b.map")
    });
    assert_eq!(
        std::fs::read_to_string(lone.path().join("b.map")).expect("a text"),
        treemind_arena::YARD
    );
}

/// That the map is gone is said, and it is written again when somebody says so, or goes on when it is back.
#[test]
fn a_map_that_is_gone_is_said_and_not_written_unasked() {
    let (_folder, document, map, before) = yard();
    let studio = Studio::start(&[document.to_str().expect("a path")]);
    let mut talk = studio.talk();
    until(&mut talk, r#""map": 0"#, |view| view["map"].is_object());
    let is_gone = |view: &Value| view["map"]["unsaved"]["remedy"] == "write-again";
    let is_saved = |view: &Value| view["map"].is_object() && view["map"]["unsaved"].is_null();
    let paint = |x: u32| json!({"do": "paint", "cells": [[x, 1]], "sign": "#"});
    std::fs::remove_file(&map).expect("it is removed");
    until(&mut talk, r#""map": 0"#, is_gone);
    edit(&mut talk, paint(4));
    let painted = before.replace("#G      h#", "#G  #   h#");
    let view = until(&mut talk, r#""map": 0"#, |view| {
        view["map"]["text"] == painted.as_str()
    });
    assert!(
        is_gone(&view) && !map.exists(),
        "{}",
        view["map"]["unsaved"]
    );
    edit(&mut talk, json!({"do": "settle", "whose": "mine"}));
    until(&mut talk, r#""map": 0"#, is_saved);
    assert_eq!(std::fs::read_to_string(&map).expect("a text"), painted);
    // Another program puts it back: what was done meanwhile goes into it.
    std::fs::remove_file(&map).expect("it is removed");
    until(&mut talk, r#""map": 0"#, is_gone);
    edit(&mut talk, paint(6));
    until(&mut talk, r#""map": 0"#, |view| {
        view["map"]["rows"][1] == "#G  # # h#"
    });
    assert!(!map.exists());
    std::fs::write(&map, &painted).expect("it is written");
    until(&mut talk, r#""map": 0"#, is_saved);
    let both = painted.replace("#G  #   h#", "#G  # # h#");
    assert_eq!(std::fs::read_to_string(&map).expect("a text"), both);
}

/// The canvas of the map, and the middle of one of its squares in the window.
fn square(page: &mut Browser, x: u32, y: u32) -> (f64, f64) {
    page.still_middle_of(".map canvas");
    let at = page.value(&format!(
        "(() => {{
            const canvas = document.querySelector('.map canvas');
            const box = canvas.getBoundingClientRect();
            const side = (box.width - 1) / 10;
            return [box.x + ({x} + 0.5) * side, box.y + ({y} + 0.5) * side];
        }})()"
    ));
    (at[0].as_f64().expect("x"), at[1].as_f64().expect("y"))
}

#[test]
#[ignore = "needs Chromium"]
fn the_map_is_drawn_and_changed_with_mouse_and_keyboard() {
    let (_folder, document, map, before) = yard();
    let studio = Studio::start(&[document.to_str().expect("a path")]);
    let mut page = Browser::open(&studio.url);
    page.until("document.querySelector('.arena .edit-map')");
    page.click_on(".arena .edit-map");
    page.until("document.querySelector('.map canvas')?.clientWidth > 100");
    // Walls with the mouse, in one step.
    page.click_on(".map [role=radio]:nth-child(2)");
    let (from, to) = (square(&mut page, 3, 1), square(&mut page, 5, 1));
    page.drag(from, to);
    let walled = before.replace("#G      h#", "#G ###  h#");
    until_file(&map, &walled);
    page.until("document.querySelector('.told')?.textContent.includes('begins anew')");
    // The guard is taken and put elsewhere; it is chosen in the legend.
    page.click_on(".map [role=radio]:nth-child(1)");
    let (from, to) = (square(&mut page, 1, 1), square(&mut page, 2, 2));
    page.drag(from, to);
    let moved = walled
        .replace("#G ###", "#. ###")
        .replace("#   1  2 #", "# G 1  2 #");
    until_file(&map, &moved);
    page.until("document.querySelector('.map tr.chosen')?.dataset.sign === 'G'");
    draw_if_wanted(&mut page, "map");
    in_both_themes(&mut page, "the map");
    // The same with the keyboard: a wall where one types it, a guard that is taken, and everything back.
    page.value("document.querySelector('.map .squares').focus()");
    page.value("window.treemind.map.cursor.value = [7, 2]");
    page.press("ArrowRight");
    page.press("#");
    let typed = moved.replace("# G 1  2 #", "# G 1  2##");
    until_file(&map, &typed);
    for key in ["ArrowLeft", "ArrowUp", "ArrowLeft", "ArrowDown"] {
        page.press(key);
    }
    page.value("window.treemind.map.cursor.value = [2, 2]");
    for key in ["Enter", "ArrowRight", "Enter"] {
        page.press(key);
    }
    until_file(&map, &typed.replace("# G 1", "# .G1"));
    for left in [&typed, &moved, &walled, &before] {
        page.press_with("z", 2);
        until_file(&map, left);
    }
    // Something new, with another mind.
    page.value("(() => { const input = document.querySelector('.map .new input'); input.value = 'thief'; input.dispatchEvent(new Event('input', { bubbles: true })); })()");
    page.value("document.querySelector('.map .new button').click()");
    let free = square(&mut page, 4, 1);
    page.click(free.0, free.1);
    let put = before.replace("#G      h#", "#G  T   h#").replace(
        "h spot hut\r\n",
        "h spot hut\r\nT actor thief mind=main\r\n",
    );
    until_file(&map, &put);
    page.until("document.querySelector('tr[data-sign=T] select')");
    page.value("(() => { const list = document.querySelector('tr[data-sign=T] [data-property=mind] select'); list.value = 'tree:lazy'; list.dispatchEvent(new Event('change', { bubbles: true })); })()");
    until_file(
        &map,
        &put.replace("thief mind=main", "thief mind=tree:lazy"),
    );
}
