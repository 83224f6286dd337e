//! The page about a character of one's own, followed as it is written: from an empty folder to a tested document.

use crate::browser::Browser;
use crate::hands::begin_tree;
use crate::page::draw_if_wanted;
use crate::program::Studio;
use crate::trials::{make_of, passes};
use std::path::Path;

const PAGE: &str = include_str!("../../../../docs/your-own-character.md");
const LOUD: &str = "barks when it is loud";

fn text_of(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// Clicks on a row of the document: the last one with this word and name.
fn click_row(page: &mut Browser, word: &str, name: &str) {
    let rows = format!(
        "[...document.querySelectorAll('.sheet [data-word=\"{word}\"]')].filter((one) => one.dataset.name.startsWith('{name}'))"
    );
    page.until(&format!("{rows}.length > 0"));
    let id = page.value(&format!("{rows}.at(-1).id"));
    let id = id.as_str().expect("an id");
    page.click_on(&format!("#{id} .word"));
    page.until(&format!(
        "document.getElementById('{id}').ariaSelected === 'true'"
    ));
}

/// Declares what a table lists as not declared, until nothing is left.
fn declare_all(page: &mut Browser, key: &str, count: usize) {
    page.press(key);
    for left in (0..count).rev() {
        page.click_on(".desk td .badge.fail + button");
        page.until(&format!(
            "document.querySelectorAll('.desk td .badge.fail + button').length === {left}"
        ));
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_page_leads_from_nothing_to_a_tested_character() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("minds/dog.kdl");
    let begin = format!(
        "cd '{}'; mkdir minds; exec \"$0\" \"$@\"",
        folder.path().display()
    );
    let studio = Studio::by_script(&begin, &["minds"]);
    let mut page = Browser::open(&studio.url);
    let page = &mut page;
    page.resize(1280, 800);

    // 1. Make a tree.
    begin_tree(page, "dog.kdl");
    page.until("!window.treemind.model.view.value.is_paused");

    // 2. Say what it does.
    click_row(page, "sequence", "");
    let kinds = "document.querySelector('.inspector select option[value=reactive-selector]')";
    page.until(kinds);
    page.value(&format!("(() => {{ const list = {kinds}.parentElement; list.value = 'reactive-selector'; list.dispatchEvent(new Event('change', {{ bubbles: true }})) }})()"));
    page.until("document.querySelector('.sheet [data-word=reactive-selector]')");
    click_row(page, "wait", "");
    page.type_to_add("a", "action bark when=\"noise > 0.5\"");
    page.until("document.querySelector('.sheet [data-word=action][aria-selected=true]')?.dataset.name.startsWith('bark')");
    page.type_to_add("a", "action nap");
    page.until("document.querySelector('.sheet [data-word=action][aria-selected=true]')?.dataset.name === 'nap'");
    click_row(page, "wait", "");
    page.press("Delete");
    page.until("!document.querySelector('.sheet [data-word=wait]')");

    page.until("document.querySelector('aside').innerText.includes('unknown action nap')");
    draw_if_wanted(page, "dog-edit");

    // 3. Declare the key and the leaves.
    declare_all(page, "K", 1);
    declare_all(page, "L", 2);
    page.until("window.treemind.model.view.value.does === 'nap'");
    page.until(
        "document.querySelector('aside').innerText.toLowerCase().includes('leaves without code')",
    );

    // 4. See it change its mind.
    page.click_on("header .tabs button:nth-child(1)");
    let now = page.value("window.treemind.model.view.value.tick");
    page.until(&format!(
        "window.treemind.model.view.value.tick > {now} + 20"
    ));
    page.click_on("[data-key=noise] button.held");
    page.until("document.activeElement.matches('[data-key=noise] input')");
    page.type_text("1");
    page.press("Enter");
    page.until("window.treemind.model.view.value.does === 'bark'");
    page.until("document.querySelector('aside').innerText.includes('rose from 0 to 1')");
    let barks = "window.treemind.model.film.value.does.find((bar) => bar[2] === 'bark')?.[0]";
    page.until(&format!(
        "{barks} && window.treemind.model.view.value.tick > {barks} + 20"
    ));
    page.press(" ");
    page.until("window.treemind.model.view.value.is_paused");

    // 5. Make a test of it.
    let begun = page.value(barks).as_f64().expect("a tick");
    let last = page.value("window.treemind.model.view.value.last");
    let scale = 240.0 / last.as_f64().expect("a tick");
    make_of(page, (begun - 15.0) * scale, (begun + 15.0) * scale);
    page.until("document.querySelector('.drafted')?.textContent.includes('active=bark')");
    draw_if_wanted(page, "dog-test");
    page.click_on(".making .wide input");
    page.type_text(LOUD);
    page.click_on(".making .add");
    page.until(&format!(
        "document.querySelector('[data-test=\"{LOUD}\"]')?.dataset.state === 'passed'"
    ));
    page.until("document.querySelector('.covered label')?.textContent.includes('100.0 %')");
    assert_eq!(
        page.value("document.querySelectorAll('.covered li').length"),
        0
    );
    let made = text_of(&path);
    assert!(passes(&path, LOUD), "{made}");

    // 6. Break it, and mend it.
    page.press("E");
    click_row(page, "action", "bark");
    let when = ".inspector input[aria-label=when]";
    let field = page.still_middle_of(when);
    page.click_times(field, 3);
    page.type_text("noise > 2");
    page.press("Enter");
    page.until("document.querySelector('[role=tab] .verdict')?.textContent.startsWith(' ✕')");
    assert!(text_of(&path).contains("noise > 2"));
    page.click_on("header .tabs button:nth-child(3)");
    page.click_on(".watch");
    page.until(&format!(
        "window.treemind.model.view.value.file.endsWith('dog.kdl · {LOUD}')"
    ));
    page.click_on(".testing .bar button:last-of-type");
    page.until("window.treemind.model.view.value.file.endsWith('dog.kdl')");
    page.press("E");
    page.until("document.querySelector('.sheet .row')");
    page.press_with("z", 2);
    page.until("document.querySelector('[role=tab] .verdict')?.textContent === ' ✓'");

    // 7. Hand it over.
    let (_, shown) = PAGE.split_once("```kdl\n").expect("the document");
    let (shown, _) = shown.split_once("```").expect("its end");
    let file = text_of(&path);
    assert_eq!(file, made);
    let (document, test) = file
        .split_once("\ntest ")
        .expect("the test is behind the rest");
    assert_eq!(document, shown);
    assert!(test.starts_with(&format!("\"{LOUD}\"")), "{test}");
}
