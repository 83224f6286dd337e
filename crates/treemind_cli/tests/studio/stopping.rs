//! Breakpoints and the events of a tick, in a real browser, by mouse and by keyboard.

use crate::browser::Browser;
use crate::program::Studio;

const GUARD: &str = "examples/01-guard/guard.kdl";

/// The page at the beginning, with time at 64 times its speed as soon as it plays.
fn begin(studio: &Studio) -> Browser {
    let mut page = Browser::open(&studio.at(&format!("file={GUARD}&tick=1")));
    page.until("document.querySelector('#tick').textContent === '1'");
    page.until("window.treemind.model.view.value.is_paused");
    for speed in [2, 4, 8, 16, 32, 64] {
        page.press("+");
        page.until(&format!(
            "document.querySelector('.speed').textContent === '{speed}×'"
        ));
    }
    page
}

const IS_STOPPED: &str = "window.treemind.model.view.value.stopped !== null && window.treemind.model.view.value.is_paused";

#[test]
#[ignore = "needs Chromium"]
fn a_click_beside_a_line_stops_there() {
    let studio = Studio::start(&[GUARD]);
    let mut page = begin(&studio);
    page.click_on("[data-id=n6] .dot");
    page.until("document.querySelector('[data-id=n6] .dot.on')");
    page.click_on(".controls .play");
    page.until(IS_STOPPED);
    page.until("document.querySelector('#tick').textContent === '190'");
    page.until("document.querySelector('.told.halt').textContent.includes('run-away begins')");
    page.until("document.querySelector('[data-id=n6]').ariaSelected === 'true'");
    page.until("document.querySelector('[data-breakpoint].hit .count').textContent === '1×'");
    // It goes on, and comes there again.
    page.click_on(".told.halt button");
    page.until("document.querySelector('.told.halt') === null");
    // Away with it. When it stops again, its line moves what is below.
    page.value("document.querySelector('[data-id=n6] .dot').click()");
    page.until("document.querySelector('[data-breakpoint]') === null");
}

#[test]
#[ignore = "needs Chromium"]
fn keys_set_breakpoints_and_go_through_a_tick() {
    let studio = Studio::start(&[GUARD]);
    let mut page = begin(&studio);
    // The line of the attack.
    page.press("/");
    page.value("document.activeElement.value = 'attack'; document.activeElement.dispatchEvent(new Event('input', {bubbles: true}))");
    page.until("document.querySelector('[data-id=n9]')");
    page.value("document.activeElement.blur()");
    page.click_on("[data-id=n9]");
    page.until("document.querySelector('[data-id=n9]').ariaSelected === 'true'");
    page.press("b");
    page.until("document.querySelector('[data-breakpoint]')");
    // Only when it is cut off, and only if the guard is hurt.
    page.value("document.querySelector('[data-breakpoint] [aria-expanded]').click()");
    page.until("document.querySelector('[data-breakpoint] .edit select')");
    page.value("(() => { const one = document.querySelector('[data-breakpoint] .edit select'); one.value = 'abort'; one.dispatchEvent(new Event('change', {bubbles: true})); })()");
    page.until("window.treemind.model.view.value.breakpoints[0].on === 'abort'");
    page.value("(() => { const one = document.querySelector('[data-breakpoint] .edit input.code'); one.value = 'health < 20'; one.dispatchEvent(new Event('change', {bubbles: true})); })()");
    page.until("window.treemind.model.view.value.breakpoints[0].if === 'health < 20'");
    page.press(" ");
    page.until(IS_STOPPED);
    assert_eq!(
        page.value("document.querySelector('#tick').textContent"),
        "190"
    );
    // The same tick, event by event.
    page.press("ArrowLeft");
    page.until("document.querySelector('#tick').textContent === '189'");
    page.press("i");
    page.until("document.querySelector('.told.halt') && document.querySelector('.told.halt').textContent.startsWith('event 1 of ')");
    assert_eq!(
        page.value("document.querySelector('#tick').textContent"),
        "190"
    );
    let is_cut = "document.querySelector('[data-id=n9]').dataset.mark === 'cut'";
    assert_eq!(page.value(is_cut), false);
    for nth in 2..40 {
        page.press("i");
        page.until(&format!(
            "window.treemind.model.view.value.event.nth === {nth}"
        ));
        if page.value(is_cut) == true {
            break;
        }
    }
    page.until("document.querySelector('.told.halt').textContent.includes('attack is cut off')");
    page.until("document.querySelector('[data-id=n9]').ariaSelected === 'true'");
    page.press("I");
    page.until("document.querySelector('[data-id=n9]').dataset.mark === 'was-run'");
    page.press("ArrowRight");
    page.until("document.querySelector('.told.halt') === null");
}

#[test]
#[ignore = "needs Chromium"]
fn a_key_that_changes_stops_it() {
    let studio = Studio::start(&[GUARD]);
    let mut page = begin(&studio);
    page.value("document.querySelector('[data-key=health] .dot').scrollIntoView()");
    page.click_on("[data-key=health] .dot");
    page.until("document.querySelector('[data-breakpoint]')");
    page.click_on(".controls .play");
    page.until(IS_STOPPED);
    page.until("document.querySelector('.told.halt').textContent.includes('health changes')");
    page.until("!!document.querySelector('[data-key=health] .fresh')");
    page.value("document.querySelector('[data-key=health] .dot').scrollIntoView()");
    page.click_on("[data-key=health] .dot");
    page.until("document.querySelector('[data-breakpoint]') === null");
}
