//! What cannot be done is not offered, or says why where one is; and what is said fits into the page.

use crate::access::in_both_themes;
use crate::browser::Browser;
use crate::hands::{Desk, GUARD, pause};
use crate::program::Studio;

/// Opens the window for a name by the list of what can be done to what is chosen.
fn ask(desk: &mut Desk, item: &str) {
    let row = desk.page.middle_of(".sheet [aria-selected=true]");
    desk.page.right_click(row);
    let item = format!(
        "[...document.querySelectorAll('.menu [role=menuitem]')].find((one) => one.textContent.startsWith('{item}'))"
    );
    desk.page.until(&item);
    desk.page.value(&format!("{item}.click()"));
    desk.page
        .until("document.activeElement.matches('dialog.ask input')");
    desk.page.value("document.activeElement.select()");
}

#[test]
#[ignore = "needs Chromium"]
fn a_name_that_is_refused_stays_until_it_is_mended() {
    let mut desk = Desk::new();
    desk.choose("action", "patrol");
    ask(&mut desk, "Make it a tree");
    desk.page.type_text("guard");
    desk.page.press("Enter");
    desk.page
        .until("document.querySelector('dialog.ask [role=alert]')?.textContent.includes('guard')");
    in_both_themes(&mut desk.page, "a refused name");
    assert_eq!(
        desk.page
            .value("document.querySelector('dialog.ask input').value"),
        "guard"
    );
    assert_eq!(desk.text(), GUARD);
    desk.page.type_text("s");
    desk.page
        .until("!document.querySelector('dialog.ask [role=alert]')");
    desk.page.press("Enter");
    desk.page.until("!document.querySelector('dialog.ask')");
    desk.page
        .until("window.treemind.sheet.sheet.value.files[0].text.includes('tree guards')");
}

#[test]
#[ignore = "needs Chromium"]
fn only_kinds_and_properties_are_offered_that_the_document_takes() {
    let mut desk = Desk::new();
    desk.choose("action", "patrol");
    let kinds = "[...document.querySelectorAll('.inspector .acts select option')]";
    desk.page
        .value("document.querySelector('.inspector .acts select').focus()");
    desk.page.until(&format!(
        "{kinds}.find((one) => one.value === 'condition')?.disabled"
    ));
    let off = |page: &mut Browser, kind: &str| {
        page.value(&format!(
            "(({{ disabled, title }}) => [disabled, title])({kinds}.find((one) => one.value === '{kind}'))"
        ))
    };
    assert_eq!(
        off(&mut desk.page, "condition"),
        serde_json::json!([
            true,
            "patrol is declared as action, so no condition can run it"
        ])
    );
    assert_eq!(off(&mut desk.page, "sequence")[0], true);
    assert_eq!(off(&mut desk.page, "succeed")[0], false);
    let offered = |name: &str| {
        format!("document.querySelector('.inspector select option[value=\"{name}\"]') !== null")
    };
    assert_eq!(desk.page.value(&offered("score")), false);
    assert_eq!(desk.page.value(&offered("cost")), false);
    assert_eq!(desk.page.value(&offered("aborts")), true);
    // Beside a score, one without is told of.
    let text = GUARD.replace(
        "        action patrol\n",
        "        action patrol\n        utility-selector { wait 1 score=0.5; }\n",
    );
    let mut desk = Desk::of(&text);
    desk.choose("wait", "1");
    desk.page.until(&offered("weight"));
    assert_eq!(desk.page.value(&offered("aborts")), false);
    desk.page.value("(() => { const { sheet } = window.treemind; const named = (word, value) => sheet.sheet.value.nodes.findLast((one) => one.word === word && one.values[0] === value); sheet.edit({ do: 'move', ids: [named('action', 'patrol').id], spot: { id: named('wait', '1').id, side: 'after' } }); })()");
    desk.page.until("[...document.querySelectorAll('.editing .told')].some((one) => one.textContent.includes('has no score: line'))");
    in_both_themes(&mut desk.page, "what a node needs");
}

#[test]
#[ignore = "needs Chromium"]
fn a_picture_beside_the_map_is_of_the_document_that_is_edited() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("guard.kdl");
    std::fs::write(&path, GUARD).expect("it is written");
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut page = Browser::open(&studio.url);
    page.until("window.treemind?.model.view.value?.tick > 2 && window.treemind.layout()");
    pause(&mut page);
    let played = page.value("window.treemind.asSvg('dark')");
    page.press("A");
    page.until("document.querySelector('.map') && window.treemind.sheet.sheet.value");
    page.press("D");
    page.until("document.querySelector('dialog.picture img')?.naturalWidth > 100");
    in_both_themes(&mut page, "the picture beside the map");
    let beside = page.value("window.treemind.asSvg('dark')");
    page.press("Escape");
    page.click_on(".desk [role=tab]:nth-child(1)");
    page.until("document.querySelector('.graph canvas')");
    assert_eq!(page.value("window.treemind.asSvg('dark')"), beside);
    assert_ne!(beside, played, "the document has its definition, too");
}

#[test]
#[ignore = "needs Chromium"]
fn a_name_of_three_hundred_letters_makes_nothing_scroll_sideways() {
    let long = "a".repeat(300);
    let text = GUARD
        .replace("patrol", &long)
        .replace("tree guard", &format!("tree {long}-guard"));
    let mut desk = Desk::of(&text);
    desk.page.resize(1280, 720);
    let wide = "[...document.querySelectorAll('body, body *')].filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 && (one === document.body || /auto|scroll/.test(getComputedStyle(one).overflowX)) && !one.matches('.text')).map((one) => `${one.tagName}.${one.className}`)";
    for (key, there) in [
        ("E", ".sheet .row"),
        ("K", ".table [data-key]"),
        ("L", ".table [data-leaf]"),
        ("g", ".rows .row"),
        ("T", ".cases, .tests"),
    ] {
        desk.page.value("document.activeElement.blur()");
        desk.page.press(key);
        desk.page
            .until(&format!("document.querySelector('{there}')"));
        if key == "E" {
            desk.choose("action", &long);
            desk.page.until("document.querySelector('.inspector h2')");
        }
        assert_eq!(desk.page.value(wide), serde_json::json!([]), "after {key}");
    }
    desk.page.press("E");
    in_both_themes(&mut desk.page, "a long name");
    assert_eq!(
        desk.page
            .value("document.querySelector('.inspector h2').title"),
        *long
    );
}

/// Types into a field, and leaves it with Enter.
fn write(desk: &mut Desk, field: &str, text: &str) {
    desk.page
        .value(&format!("{field}.focus(); {field}.select()"));
    desk.page.type_text(text);
    desk.page.press("Enter");
}

#[test]
#[ignore = "needs Chromium"]
fn what_is_no_text_and_no_answer_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("guard.kdl");
    std::fs::write(&path, GUARD).expect("it is written");
    std::fs::write(folder.path().join("guard.map"), b"[map]\n##\xff##\n").expect("it is written");
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut page = Browser::open(&studio.url);
    page.until("document.body.textContent.includes('this is not valid UTF-8')");
    in_both_themes(&mut page, "a map that is no text");

    let stub = GUARD.replace("patrol", "dig");
    let mut desk = Desk::of(&stub);
    let field = "document.querySelector('.stubs [data-stub=dig] input')";
    desk.page.until(field);
    write(&mut desk, field, "R S");
    // The field is another one as soon as that is known.
    desk.page.until(&format!("{field}?.defaultValue === 'R S'"));
    write(&mut desk, field, "R Q");
    desk.page.until("document.querySelector('.refused')?.textContent.includes('use S (success), F (failure), R (running) or K (skipped)')");
    in_both_themes(&mut desk.page, "a refused answer");
    write(&mut desk, field, "R S");
    desk.page.until("!document.querySelector('.refused')");
}

#[test]
#[ignore = "needs Chromium"]
fn the_first_page_says_in_chinese_what_a_file_defines() {
    let studio = Studio::start(&[]);
    let mut page = Browser::open(&studio.url);
    page.until("document.querySelector('.home [data-file]')");
    let said = "[...document.querySelectorAll('.home [data-file] small:last-child')].map((one) => one.textContent).join()";
    page.until(&format!(
        "{said}.includes('machine · ') && {said}.includes('tree · ')"
    ));
    page.value("[...document.querySelectorAll('header button')].find((one) => one.textContent === '中文').click()");
    page.until(&format!(
        "{said}.includes('状态机 · ') && {said}.includes('行为树 · ')"
    ));
    assert_eq!(page.value(&format!("/tree|machine/.test({said})")), false);
    in_both_themes(&mut page, "the first page in Chinese");
}
