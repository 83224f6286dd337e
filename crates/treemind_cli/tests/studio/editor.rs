//! An editor beside the studio: it opens the page at a test, and hears what is clicked there.

use crate::browser::Browser;
use crate::program::Studio;
use crate::testing::{GUARD, folder};

#[test]
#[ignore = "needs Chromium"]
fn an_address_plays_a_test_and_a_click_tells_where_the_node_stands() {
    let (_folder, path) = folder(GUARD);
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut editor = studio.talk();
    let mut page = Browser::open(&studio.at("test=never%20fights"));
    page.until("window.treemind.model.view.value?.file.includes('never fights')");
    assert_eq!(page.value("window.treemind.model.refused.value"), "");
    page.until(
        "document.querySelector('.graph canvas') && window.treemind.model.lines.value.length > 0",
    );
    editor.say(r#"{"say": "listen"}"#);
    // What changes by itself is not told: only a click is.
    page.value("void (window.treemind.model.selected.value = 'n1')");
    let (x, y) = page.on_canvas(
        "const line = window.treemind.model.lines.value.find(one => one.text.includes('patrol'));
         const at = line && window.treemind.place(line.id);",
    );
    page.click(x, y);
    let told = loop {
        let told = editor.hear();
        if told["kind"] == "reveal" {
            break told;
        }
    };
    assert_eq!(
        (&told["line"], &told["column"]),
        (&7.into(), &8.into()),
        "{told}"
    );
    assert!(
        told["file"]
            .as_str()
            .is_some_and(|file| file.ends_with("guard.kdl")),
        "{told}"
    );
}
