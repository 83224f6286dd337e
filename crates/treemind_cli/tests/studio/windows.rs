//! Where the page stays while a document is loaded again.

use crate::hands::{Desk, pause};

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
