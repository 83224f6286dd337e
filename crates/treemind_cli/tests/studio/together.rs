//! Several who edit one document: when it is saved, what clashes, and who does what.

use crate::access::in_both_themes;
use crate::browser::Browser;
use crate::hands::{Desk, edited, pause, until_file};
use crate::page::draw_if_wanted;
use crate::program::Studio;
use crate::server::until;
use serde_json::json;

const GUARD: &str = "leaves { action patrol; action flee; }
tree guard {
    selector {
        action flee name=first
        action patrol name=second
    }
}
";

/// The row of a node that is named in the tree.
fn row(word: &str) -> String {
    format!("[...document.querySelectorAll('.sheet [data-name=\"{word}\"]')].at(-1)")
}

/// A file that is gone is written again, and one that could not be written is tried again: there is nothing to choose from.
#[test]
#[ignore = "needs Chromium"]
fn what_could_not_be_written_is_tried_again_by_a_button() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("guard.kdl");
    std::fs::write(&path, GUARD).expect("it is written");
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut page = edited(&studio);
    let off = |page: &mut Browser, name: &str| {
        let row = row(name);
        page.value(&format!(
            "{row}.click(); document.querySelector('.sheet').focus()"
        ));
        page.press("d");
    };
    let ways = "[...document.querySelectorAll('.unsaved button')].map((one) => one.textContent)";
    // There is a folder where the file was.
    std::fs::remove_file(&path).expect("it is ours");
    std::fs::create_dir(&path).expect("there is room");
    off(&mut page, "flee");
    page.until("document.querySelector('.unsaved')?.textContent.includes('it is a folder')");
    assert_eq!(page.value(ways), json!(["Try again"]));
    draw_if_wanted(&mut page, "not-written");
    std::fs::remove_dir(&path).expect("it is empty");
    std::fs::write(&path, GUARD).expect("it is written");
    page.value("document.querySelector('.unsaved button').click()");
    page.until("!document.querySelector('.unsaved')");
    let wanted = GUARD.replace("name=first", "name=first disabled=#true");
    until_file(&path, &wanted);
    // It is gone.
    std::fs::remove_file(&path).expect("it is ours");
    off(&mut page, "flee");
    page.until("document.querySelector('.unsaved')?.textContent.includes('is gone')");
    assert_eq!(page.value(ways), json!(["Write it again"]));
    page.value("document.querySelector('.unsaved button').click()");
    page.until("!document.querySelector('.unsaved')");
    until_file(&path, GUARD);
}

#[test]
#[ignore = "needs Chromium"]
fn edits_wait_to_be_saved_and_clashes_are_settled_side_by_side() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("guard.kdl");
    std::fs::write(&path, GUARD).expect("it is written");
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut page = edited(&studio);
    // With the switch off, an edit waits, which is marked, and leaving the page warns.
    page.value("document.querySelector('.editing .switch input').click()");
    page.until("[...document.querySelectorAll('.editing .bar button')].some((one) => one.title.includes('Ctrl S'))");
    page.value(&format!(
        "{}.click(); document.querySelector('.sheet').focus()",
        row("flee")
    ));
    page.press("d");
    page.until("document.querySelector('.sheet .row.disabled')");
    page.until(
        "document.querySelector('[role=tab][aria-selected=true]').textContent.includes('●')",
    );
    let warns = "(() => { const leaves = new Event('beforeunload', { cancelable: true }); dispatchEvent(leaves); return leaves.defaultPrevented })()";
    assert_eq!(page.value(warns), true);
    assert_eq!(std::fs::read_to_string(&path).expect("a text"), GUARD);
    // Another program removes that node, and changes another one: the other change comes, and both are shown.
    let theirs = GUARD
        .replace("        action flee name=first\n", "")
        .replace("name=second", "name=third");
    std::fs::write(&path, &theirs).expect("it is written");
    page.until("document.querySelector('.clash .theirs')");
    page.until("document.querySelector('.sheet').innerText.includes('third')");
    page.until("document.querySelector('.clash .mine pre').textContent.includes('disabled=#true')");
    in_both_themes(&mut page, "a clash");
    draw_if_wanted(&mut page, "clash");
    // Another page chooses a node, and this one sees who.
    let mut bert = studio.talk();
    let view = until(&mut bert, r#""mind": 0, "sheet": 0"#, |view| {
        view["sheet"].is_object()
    });
    let nodes = view["sheet"]["nodes"].as_array().expect("a list");
    let patrol = nodes
        .iter()
        .rfind(|node| node["values"][0] == "patrol")
        .expect("it is there");
    bert.say(&json!({"say": "chosen", "ids": [patrol["id"]]}).to_string());
    page.until("document.querySelector('.sheet .row.seen .who')?.textContent === 'page 2'");
    // Who did what.
    page.value("document.querySelector('.past summary').click()");
    page.until("document.querySelector('.past li').textContent.includes('another program')");
    page.until("document.querySelector('.past').innerText.includes('you')");
    // It is settled, and saved with the keyboard.
    page.value("document.querySelector('.clash .mine button').click()");
    page.until("!document.querySelector('.clash')");
    page.value("document.querySelector('.sheet').focus()");
    page.value("document.querySelector('.sheet').dispatchEvent(new KeyboardEvent('keydown', { key: 's', ctrlKey: true, bubbles: true, cancelable: true }))");
    let wanted = GUARD
        .replace("name=first", "name=first disabled=#true")
        .replace("name=second", "name=third");
    until_file(&path, &wanted);
    page.until(
        "!document.querySelector('[role=tab][aria-selected=true]').textContent.includes('●')",
    );
}

/// Somebody types into a field, and another program writes there before it is left.
#[test]
#[ignore = "needs Chromium"]
fn what_others_have_written_into_a_field_is_not_replaced_without_a_word() {
    let mut desk = Desk::of(crate::hands::GUARD);
    pause(&mut desk.page);
    let field = "document.querySelector('.inspector input[aria-label=when]')";
    let mut before = desk.text();
    for (theirs, others) in [("health < 30", ""), ("health < 40", " name=walk")] {
        desk.choose("action", "run-away");
        desk.page.until(field);
        desk.page
            .value(&format!("({field}.focus(), {field}.select(), 1)"));
        desk.page.type_text("health < 7");
        let now = crate::hands::GUARD.replace("health < 20", theirs).replace(
            "action patrol\n    }",
            &format!("action patrol{others}\n    }}"),
        );
        assert_ne!(now, before);
        std::fs::write(&desk.path, &now).expect("it is written");
        desk.page.until(&format!(
            "window.treemind.sheet.sheet.value.nodes.some((one) => one.properties.some(({{ value }}) => value === '{theirs}'))"
        ));
        // The keyboard stays where it is, and what is typed on goes there.
        desk.page.type_text("5");
        assert_eq!(desk.page.value(&format!("{field}.value")), "health < 75");
        desk.page.value("document.querySelector('.sheet').focus()");
        desk.page
            .until("document.querySelector('.kept-fields')?.textContent.includes('health < 75')");
        desk.page.until("document.querySelector('.kept-fields').textContent.includes('somebody else has changed it')");
        desk.page.until(&format!("{field}.value === 'health < 75'"));
        assert_eq!(desk.text(), now, "the file keeps what the others wrote");
        // Whoever has seen it decides: the first time against it, the second time for it.
        if others.is_empty() {
            desk.page
                .value("document.querySelector('.kept-fields button[aria-label=Close]').click()");
            desk.page.until(&format!("{field}.value === '{theirs}'"));
            before = now;
        } else {
            desk.page.value("[...document.querySelectorAll('.kept-fields button')].find((one) => one.textContent === 'Write it').click()");
            desk.until(&now.replace(theirs, "health < 75"));
        }
        desk.page.until("!document.querySelector('.kept-fields')");
    }
}
