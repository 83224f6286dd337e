//! What stays where it is: what is behind a window that is closed, the page while a document is loaded again, and what an
//! address shows.

use crate::browser::Browser;
use crate::hands::{Desk, pause};
use crate::program::Studio;
use crate::testing::{GUARD, WATCH, folder};

/// Clicks on what can be done to the chosen node.
fn act(page: &mut Browser, label: &str) {
    let button = format!(
        "[...document.querySelectorAll('.inspector .acts button')].find((one) => one.textContent.startsWith('{label}'))"
    );
    page.until(&button);
    page.value(&format!("{button}.click()"));
}

#[test]
#[ignore = "needs Chromium"]
fn escape_closes_a_window_and_nothing_else() {
    let mut desk = Desk::of(WATCH);
    desk.choose("decide", "watch");
    // A version to compare with.
    desk.page.value("(() => { const { sheet } = window.treemind; sheet.edit({ do: 'comment', id: sheet.node.value.id, text: 'at night' }, 'stay') })()");
    let text = WATCH.replace("decide watch {", "// at night\ndecide watch {");
    desk.until(&text);
    let page = &mut desk.page;
    pause(page);
    page.until("document.querySelectorAll('.versions option').length > 1");
    let now = "JSON.stringify([window.treemind.sheet.chosen.value, window.treemind.model.panel.value, window.treemind.model.selected.value, window.treemind.model.follows.value])";
    page.value("window.treemind.model.follows.value = false");
    page.until("window.treemind.sheet.node.value?.word === 'decide'");
    let before = page.value(now);
    for (label, window) in [
        ("Balance", "advice"),
        ("Learn from a table", "ask"),
        ("Rename", "ask"),
        ("", "compared"),
    ] {
        match label {
            "" => drop(page.value("(() => { const list = document.querySelector('.versions select'); list.value = JSON.stringify({ with: 'step', back: 1 }); list.dispatchEvent(new Event('change', { bubbles: true })) })()")),
            // The browser makes the first of the menu key.
            "Rename" => {
                page.value("document.querySelector('.sheet [aria-selected=true]').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))");
                let item = "[...document.querySelectorAll('.menu [role=menuitem]')].find((one) => one.textContent.startsWith('Rename'))";
                page.until(item);
                page.value(&format!("{item}.click()"));
            }
            label => act(page, label),
        }
        page.until(&format!("document.querySelector('dialog.{window}[open]')"));
        // Nothing behind it hears the keyboard.
        page.press("Delete");
        page.press("Escape");
        page.until("!document.querySelector('dialog')");
        assert_eq!(page.value(now), before, "{window} {label}");
        assert!(page.value("document.querySelector('.sheet .row') !== null") == true);
    }
    // The next one is for the page.
    page.press("Escape");
    page.until("window.treemind.model.follows.value");
    assert_eq!(desk.text(), text);
}

#[test]
#[ignore = "needs Chromium"]
fn the_page_stays_where_it_is_when_a_document_is_loaded_again() {
    let mut desk = Desk::new();
    pause(&mut desk.page);
    desk.page.until("!document.querySelector('.told')");
    let place = "JSON.stringify(document.querySelector('main').getBoundingClientRect().toJSON())";
    let before = desk.page.value(place);
    assert!(before.as_str().is_some_and(|text| text.contains("height")));
    for text in ["health < 30", "health < "] {
        desk.choose("action", "run-away");
        desk.page.value(&format!("(() => {{ const {{ sheet }} = window.treemind; sheet.edit({{ do: 'set', id: sheet.node.value.id, name: 'when', value: '{text}' }}) }})()"));
        // It says that it was loaded, or why not.
        desk.page.until("document.querySelector('.told')");
        assert_eq!(desk.page.value(place), before, "{text}");
        desk.page.value(
            "window.treemind.model.closed.value = window.treemind.model.view.value.reloaded.nth",
        );
        desk.page.until("!document.querySelector('.told')");
        assert_eq!(desk.page.value(place), before, "{text}");
    }
}

#[test]
#[ignore = "needs Chromium"]
fn an_address_opens_with_its_node_and_its_test() {
    let (_folder, path) = folder(GUARD);
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut page = Browser::open(&studio.at("node=n2&tick=3"));
    page.until("window.treemind?.model.view.value?.tick === 3");
    page.until("document.querySelector('[data-id=n2]')?.ariaSelected === 'true'");
    page.until("location.hash.includes('node=n2') && location.hash.includes('tick=3')");
    // The same tab goes to a test of the document, and back to the node.
    page.value("void (location.hash = location.hash.replace(/tick=[0-9]+/, '') + '&test=never%20fights&node=n1')");
    page.until("window.treemind.model.view.value?.file.includes('never fights')");
    page.until("window.treemind.model.selected.value === 'n1'");
    let mut page = Browser::open(&studio.at("test=never%20fights&node=n2"));
    page.until("window.treemind?.model.view.value?.file.includes('never fights')");
    page.until("window.treemind.model.selected.value === 'n2'");
    assert_eq!(page.value("window.treemind.model.refused.value"), "");
    // The address of what is seen now opens the same again.
    page.until("location.hash.includes('test=never') && location.hash.includes('node=n2')");
    let place = page.value("location.hash.slice(1)");
    let mut page = Browser::open(&studio.at(place.as_str().expect("an address")));
    page.until("window.treemind?.model.view.value?.file.includes('never fights')");
    page.until("window.treemind.model.selected.value === 'n2'");
    // A file may be named as the page calls it, without the folder.
    let name = path.file_name().and_then(|name| name.to_str());
    let place = format!("file={}&tick=2", name.expect("a name"));
    let mut page = Browser::open(&studio.at(&place));
    page.until("window.treemind?.model.view.value?.tick === 2");
}
