//! What a `find` has looked at: on the map, and in the list beside it.

use crate::access::violations;
use crate::browser::Browser;
use crate::program::Studio;

const SNIPER: &str = "examples/18-sniper/sniper.kdl";
const ALL: &str = "[...document.querySelectorAll('.found-list li')]";

#[test]
#[ignore = "needs Chromium"]
fn candidates_are_dots_and_lines_with_what_was_measured() {
    let studio = Studio::start(&[SNIPER]);
    let mut page = Browser::open(&studio.at("tick=20"));
    page.until(&format!(
        "window.treemind?.model.view.value?.tick === 20 && {ALL}.length > 20"
    ));
    // The best one was chosen, and says what it was measured at.
    page.until(&format!("{ALL}[0].textContent.includes('chosen')"));
    page.until(&format!("/way \\d/.test({ALL}[0].textContent)"));
    page.until(&format!(
        "{ALL}.some(one => one.textContent.includes('out for view(place, near) > 0'))"
    ));
    // With the keyboard, a line shows where it is on the map.
    page.value(&format!("{ALL}[0].querySelector('button').focus()"));
    page.until("document.querySelector('.arena .pointed')?.textContent.includes('chosen')");
    assert_eq!(violations(&mut page), "");
    page.value("document.activeElement.blur()");
    page.until("!document.querySelector('.arena .pointed')");
    // And under the pointer, a place of the map says the same.
    let over = "(() => { const canvas = document.querySelector('.arena canvas'); \
        const [x, y] = window.treemind.model.view.value.finds[0].candidates.find(one => one.chosen).at; \
        const box = canvas.getBoundingClientRect(); \
        const size = canvas.clientWidth / window.treemind.model.definition.value.ground.rows[0].length; \
        canvas.dispatchEvent(new MouseEvent('mousemove', { bubbles: true, clientX: box.left + x * size, clientY: box.top + y * size })); })()";
    page.value(over);
    page.until("document.querySelector('.arena .pointed')?.textContent.includes('chosen')");
}
