//! Texts and values that are typed in the page, with what the server knows of them.

use crate::browser::Browser;
use crate::hands::{Desk, GUARD};

/// Opens the editor of texts.
pub(crate) fn write(page: &mut Browser) {
    page.value("document.activeElement.blur()");
    page.press("t");
    page.until("document.querySelector('.document .type')");
    page.click_on(".document .type");
    page.until("document.activeElement.matches('.write .cm-content')");
}

/// Puts the cursor behind a piece of a line.
pub(crate) fn caret_behind(page: &mut Browser, piece: &str) {
    let script = format!(
        "(() => {{
            const piece = {piece:?};
            const line = [...document.querySelectorAll('.cm-line')].find((one) => one.textContent.includes(piece));
            let left = line.textContent.indexOf(piece) + piece.length;
            const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
            for (let node = texts.nextNode(); node; node = texts.nextNode()) {{
                if (left <= node.length) return getSelection().collapse(node, left);
                left -= node.length;
            }}
        }})()"
    );
    page.value(&script);
    // The editor hears of it with the next event.
    page.value("new Promise((done) => setTimeout(done, 30))");
}

/// Takes the first offer as soon as it begins with a word. A list that has just been opened takes no key yet.
fn take(page: &mut Browser, word: &str, key: &str) {
    page.until(&format!("{OFFERED}[0]?.startsWith({word:?})"));
    page.value("new Promise((done) => setTimeout(done, 120))");
    page.press(key);
}

/// The first offers.
const OFFERED: &str =
    "[...document.querySelectorAll('.cm-tooltip-autocomplete li')].map((one) => one.textContent)";

#[test]
#[ignore = "needs Chromium"]
fn a_text_is_typed_with_completion_and_undone_from_the_rows() {
    let mut desk = Desk::new();
    write(&mut desk.page);
    caret_behind(&mut desk.page, "        action patrol");
    desk.page.press("Enter");
    desk.page.press("w");
    take(&mut desk.page, "wait", "Enter");
    let typed = GUARD.replace(
        "action patrol\n    }",
        "action patrol\n        wait \"\"\n    }",
    );
    desk.until(&typed);
    // The cursor is in the value, where keys may be named.
    desk.page.press("h");
    take(&mut desk.page, "health", "Tab");
    let typed = typed.replace("wait \"\"", "wait \"health\"");
    desk.until(&typed);
    // What was typed is a part of the one history: it is undone from the rows, and appears so in the text.
    desk.page.press("Escape");
    desk.page.value("document.activeElement.blur()");
    desk.page.press("E");
    desk.page
        .until("document.querySelector('.sheet [data-word=wait]')");
    while desk.text() != GUARD {
        let before = desk.text();
        desk.page.click_on(".editing .bar button");
        while desk.text() == before {
            desk.page
                .value("new Promise((done) => setTimeout(done, 20))");
        }
    }
    desk.page.value("document.activeElement.blur()");
    desk.page.press("t");
    desk.page
        .until("document.activeElement.matches('.cm-content')");
    desk.page
        .until("!document.querySelector('.cm-content').textContent.includes('wait')");
    // And the other way round.
    let until_typed = std::time::Instant::now();
    while desk.text() != typed && until_typed.elapsed().as_secs() < 5 {
        desk.page.press_with("Z", 2 | 8);
        desk.page
            .value("new Promise((done) => setTimeout(done, 60))");
    }
    desk.page
        .until("document.querySelector('.cm-content').textContent.includes('wait \"health\"')");
}

#[test]
#[ignore = "needs Chromium"]
fn the_value_of_a_property_is_completed() {
    let mut desk = Desk::new();
    desk.choose("action", "run-away");
    desk.page
        .until("document.querySelectorAll('.inspector .suggest input').length >= 2");
    desk.page
        .value("document.querySelectorAll('.inspector .suggest input')[1].focus()");
    desk.page.value("document.activeElement.select()");
    desk.page.type_text("he");
    desk.page.until(
        "document.querySelector('.suggest li[aria-selected=true] span')?.textContent === 'health'",
    );
    desk.page.press("Enter");
    desk.page.type_text(" < 30");
    desk.page.press("Enter");
    desk.until(&GUARD.replace("health < 20", "health < 30"));
}

#[test]
#[ignore = "needs Chromium"]
fn problems_are_shown_in_place_and_solved() {
    let mut desk = Desk::of(&GUARD.replace("        action patrol", "        action patroll"));
    write(&mut desk.page);
    desk.page
        .until("document.querySelector('.cm-lintRange-error')?.textContent === 'patroll'");
    // With the mouse: what is wrong, and what it could be.
    let (x, y) = desk.page.middle_of(".cm-lintRange-error");
    desk.page.point_at(x, y);
    desk.page.until(
        "document.querySelector('.cm-tooltip .problem.error')?.textContent.includes('patroll')",
    );
    // With the keyboard: a fix has the focus.
    caret_behind(&mut desk.page, "        action patr");
    desk.page.press_with(".", 2);
    desk.page
        .until("document.activeElement.matches('.cm-tooltip .fixes button') && document.activeElement.textContent === 'write patrol'");
    desk.page.value("document.activeElement.click()");
    desk.until(GUARD);
    desk.page
        .until("!document.querySelector('.cm-lintRange-error')");
    // It is one step of the history.
    desk.page
        .until("document.activeElement.matches('.cm-content')");
    desk.page.press_with("z", 2);
    desk.page
        .until("document.querySelector('.cm-lintRange-error')");
}

#[test]
#[ignore = "needs Chromium"]
fn a_name_is_changed_everywhere_and_the_text_is_laid_out() {
    let mut desk = Desk::of(&GUARD.replace("        action patrol", "  action patrol"));
    write(&mut desk.page);
    caret_behind(&mut desk.page, "  action patr");
    desk.page.press("F2");
    desk.page
        .until("document.activeElement.matches('.write .tools input') && document.activeElement.value === 'patrol'");
    desk.page.type_text("wander");
    desk.page.press("Enter");
    let renamed = GUARD.replace("patrol", "wander");
    desk.until(&renamed.replace("        action wander", "  action wander"));
    desk.page
        .until("document.activeElement.matches('.cm-content')");
    desk.page.press_with("F", 1 | 8);
    desk.until(&renamed);
    desk.page.click_on(".write .tools button");
    desk.page
        .until("document.activeElement.matches('.write .tools input')");
    desk.page.press("Escape");
    desk.page
        .until("document.activeElement.matches('.cm-content')");
}

#[test]
#[ignore = "needs Chromium"]
fn a_key_says_what_it_is_where_it_is_used() {
    let mut desk = Desk::new();
    write(&mut desk.page);
    caret_behind(&mut desk.page, "when=\"hea");
    desk.page.press_with(".", 2);
    desk.page.until(
        "document.querySelector('.cm-tooltip .title')?.textContent === 'key health: float = 100.0'",
    );
}
