//! What somebody types stays as it is until it is done, while the game goes on.

use crate::browser::Browser;
use crate::hands::{Desk, GUARD};
use crate::program::Studio;
use crate::trials::{Desk as Trial, make_of};

/// Waits until the game has made so many more ticks.
fn ticks_go_by(page: &mut Browser, count: u64) {
    let tick = "window.treemind.model.view.value.tick";
    let now = page.value(tick).as_u64().expect("a tick");
    page.until(&format!("{tick} >= {}", now + count));
}

#[test]
#[ignore = "needs Chromium"]
fn a_value_that_is_typed_is_not_wiped_by_the_next_tick() {
    let mut desk = Desk::of(&GUARD.replace(
        "key health type=float default=100.0;",
        "key health type=float default=100.0; key noise type=float default=1.5;",
    ));
    let page = &mut desk.page;
    page.press("g");
    page.until("document.querySelector('[data-key=noise] button.held')");
    page.value("document.querySelector('[data-key=noise]').scrollIntoView({ block: 'center' })");
    page.click_on("[data-key=noise] button.held");
    page.until("document.activeElement.matches('[data-key=noise] input')");
    page.type_text("3.2");
    ticks_go_by(page, 10);
    assert_eq!(page.value("document.activeElement.value"), "3.2");
    page.type_text("5");
    ticks_go_by(page, 3);
    page.press("Enter");
    page.until("document.querySelector('[data-key=noise] .value').textContent === '3.25'");
    ticks_go_by(page, 3);
    page.until("document.querySelector('[data-key=noise] .value').textContent === '3.25'");
    // Of a key that the game writes, too: what is typed is not replaced by what the key is meanwhile.
    page.click_on("[data-key=health] button.held");
    page.until("document.activeElement.matches('[data-key=health] input')");
    page.type_text("7");
    ticks_go_by(page, 40);
    assert_eq!(page.value("document.activeElement.value"), "7");
    page.press("Escape");
    page.until("!document.querySelector('[data-key=health] input')");
}

#[test]
#[ignore = "needs Chromium"]
fn the_name_of_a_new_test_is_kept() {
    let mut desk = Trial::new("", 240);
    let before = desk.text();
    make_of(&mut desk.page, 150.0, 200.0);
    let page = &mut desk.page;
    page.until("document.querySelector('.drafted')");
    // The game goes on, and the page hears of it all the time.
    page.value("document.activeElement.blur()");
    page.press(" ");
    page.until("!window.treemind.model.view.value.is_paused");
    page.click_on(".making .wide input");
    page.type_text("barks when");
    ticks_go_by(page, 10);
    page.type_text(" it is loud");
    ticks_go_by(page, 10);
    assert_eq!(
        page.value("document.activeElement.value"),
        "barks when it is loud"
    );
    // It is added at once, with the cursor still in the field.
    page.value("document.querySelector('.making .add').scrollIntoView({ block: 'center' })");
    page.click_on(".making .add");
    let after = desk.until(|text| text != before);
    assert!(
        after[before.len()..].starts_with("\ntest \"barks when it is loud\" "),
        "{after}"
    );
    // The next one begins without a name.
    make_of(&mut desk.page, 100.0, 120.0);
    desk.page
        .until("document.querySelector('.making .wide input')?.value === ''");
}

#[test]
#[ignore = "needs Chromium"]
fn the_proposed_name_of_a_document_gives_way_to_what_is_typed() {
    let folder = tempfile::tempdir().expect("a folder");
    let studio = Studio::start(&[folder.path().to_str().expect("a path")]);
    let names = || {
        let mut all: Vec<_> = std::fs::read_dir(folder.path())
            .expect("a folder")
            .map(|one| {
                one.expect("a file")
                    .file_name()
                    .into_string()
                    .expect("text")
            })
            .collect();
        all.sort();
        all
    };
    for (nth, way) in ["a click", "Tab", "the name that is proposed"]
        .into_iter()
        .enumerate()
    {
        let mut page = Browser::open(&studio.url);
        page.until("window.treemind?.model.view.value");
        if page.value("!document.querySelector('.begin input')") == true {
            page.press("p");
        }
        page.until("document.querySelector('.begin input')?.value === 'new.kdl'");
        match way {
            "a click" => page.click_on(".begin input"),
            "Tab" => {
                while page.value("document.activeElement.matches('.begin input')") == false {
                    page.press("Tab");
                }
            }
            _ => {}
        }
        let wanted = match nth {
            2 => "new.kdl".to_owned(),
            nth => format!("dog{nth}.kdl"),
        };
        if nth < 2 {
            page.type_text(&wanted);
            // A click into what was typed puts the cursor there, and takes nothing away.
            page.click_on(".begin input");
            page.press("End");
            page.until(&format!(
                "document.querySelector('.begin input').value === '{wanted}'"
            ));
        }
        page.click_on(".begin button");
        page.until(&format!(
            "window.treemind.model.view.value?.file.endsWith('{wanted}')"
        ));
        assert!(names().contains(&wanted), "{way}: {:?}", names());
    }
    assert_eq!(names(), ["dog0.kdl", "dog1.kdl", "new.kdl"]);
}

#[test]
#[ignore = "needs Chromium"]
fn what_was_done_is_undone_as_soon_as_the_editor_is_there() {
    let mut desk = Desk::new();
    desk.choose("action", "patrol");
    desk.page.press("d");
    let off = GUARD.replace(
        "        action patrol",
        "        action patrol disabled=#true",
    );
    desk.until(&off);
    for from in ["g", "t", "T"] {
        desk.page.press(from);
        let panel = match from {
            "g" => "graph",
            "t" => "text",
            _ => "tests",
        };
        desk.page
            .until(&format!("window.treemind.model.panel.value === '{panel}'"));
        // Nothing but the two keys.
        desk.page.press_with("E", 8);
        desk.page.until("document.querySelector('.editing')");
        desk.page.press_with("z", 2);
        desk.until(GUARD);
        desk.page.press_with("Z", 2 | 8);
        desk.until(&off);
    }
}
