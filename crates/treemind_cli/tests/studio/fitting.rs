//! In the smallest window that the page is made for, everything is in it, and nothing lies on something else.

use crate::browser::Browser;
use crate::hands::{Desk, GUARD};
use crate::program::Studio;
use crate::writing::write;

/// The smallest window.
fn shrink(page: &mut Browser) {
    page.resize(1280, 720);
    page.until("innerWidth === 1280 && innerHeight === 720");
}

/// Whether all of an element is in the window and nothing lies on its corners and its middle.
const IS_FREE: &str = "(one) => {
    const box = one.getBoundingClientRect();
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const points = [[x, y], [x, box.top + 2], [x, box.bottom - 2], [box.left + 2, y], [box.right - 2, y]];
    return box.width > 0 && box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight
        && points.every((at) => one.contains(document.elementFromPoint(...at)));
}";

#[test]
#[ignore = "needs Chromium"]
fn the_list_of_actions_is_in_the_window_and_above_everything() {
    let long = (0..60).fold(String::new(), |all, nth| {
        format!("{all}        action patrol name=p{nth}\n")
    });
    let mut desk = Desk::of(&GUARD.replace("        action patrol\n", &long));
    shrink(&mut desk.page);
    let (left, top) = desk.page.place("(() => { const box = document.querySelector('.sheet').getBoundingClientRect(); return [box.left, box.top]; })()");
    let bottom = desk
        .page
        .value("document.querySelector('.sheet').getBoundingClientRect().bottom");
    let bottom = bottom.as_f64().expect("a place");
    // On a row: it opens at the pointer as far as there is room, and at the bottom above it.
    for y in [top + 20.0, (top + bottom) / 2.0, bottom - 6.0] {
        desk.page.right_click((left + 60.0, y));
        desk.page.until("document.querySelector('.menu')");
        let menu = "document.querySelector('.menu')";
        desk.page.until(&format!("({IS_FREE})({menu})"));
        desk.page.until(&format!(
            "(() => {{ const box = {menu}.getBoundingClientRect(); return Math.abs(box.left - {x}) < 2 && (Math.abs(box.top - {y}) < 2 || Math.abs(box.bottom - innerHeight) < 12); }})()",
            x = left + 60.0,
        ));
        desk.page
            .until("document.activeElement.matches('.menu button')");
        desk.page.press("Escape");
        desk.page.until("!document.querySelector('.menu')");
    }
    // On a card.
    desk.choose("action", "run-away");
    let (x, y) = desk.page.on_canvas(
        "const { sheet, place } = window.treemind;
         const one = sheet.sheet.value.nodes.find((one) => one.word === 'action' && one.values[0] === 'run-away' && one.depth > 1);
         const at = one && place('#' + one.id);",
    );
    desk.page.right_click((x, y));
    desk.page
        .until(&format!("({IS_FREE})(document.querySelector('.menu'))"));
    // A click elsewhere closes it.
    desk.page.click(left + 60.0, top + 20.0);
    desk.page.until("!document.querySelector('.menu')");
}

#[test]
#[ignore = "needs Chromium"]
fn a_long_line_stays_in_the_editor_of_texts() {
    let long = format!("// {}\n", "much to say ".repeat(60));
    let mut desk = Desk::of(&format!("{GUARD}{long}"));
    shrink(&mut desk.page);
    write(&mut desk.page);
    desk.page.press_with("End", 2);
    desk.page.press("ArrowLeft");
    desk.page.press("End");
    let inside = "(() => {
        const box = (name) => document.querySelector(name).getBoundingClientRect();
        const [editor, around, aside] = [box('.cm-editor'), box('.document'), box('aside')];
        return editor.right <= around.right + 0.5 && around.right <= aside.left + 0.5;
    })()";
    desk.page.until(inside);
    // What stands beside it can be clicked, and the end of the line is in view.
    desk.page.until(
        "(() => { const box = document.querySelector('aside').getBoundingClientRect(); return document.querySelector('aside').contains(document.elementFromPoint(box.left + 8, box.top + box.height / 2)); })()",
    );
    desk.page.until("document.querySelector('.cm-scroller').scrollLeft > 100 && document.querySelector('.cm-cursor').getBoundingClientRect().right <= document.querySelector('.cm-editor').getBoundingClientRect().right");
}

#[test]
#[ignore = "needs Chromium"]
fn the_hint_stands_beside_the_tabs_and_not_on_the_drawing() {
    let mut desk = Desk::new();
    shrink(&mut desk.page);
    for language in ["en", "zh"] {
        desk.page
            .until(&format!("document.documentElement.lang === '{language}'"));
        desk.page.until(
            "(() => {
                const box = (name) => document.querySelector(name).getBoundingClientRect();
                const [hint, tabs, graph] = [box('.above .hint'), box('.above .tabs'), box('.graph')];
                return hint.width > 60 && hint.left >= tabs.right && hint.bottom <= graph.top && hint.right <= graph.right;
            })()",
        );
        assert_eq!(
            desk.page
                .value("document.querySelectorAll('.graph .hint').length"),
            0
        );
        desk.page
            .click_on("header button[aria-label='中文'], header button[aria-label=English]");
    }
    // A table has another use for the mouse.
    desk.page.click_on(".desk .tabs button:nth-child(2)");
    desk.page.until("!document.querySelector('.above .hint')");
}

#[test]
#[ignore = "needs Chromium"]
fn a_comparison_begins_where_something_differs() {
    let waits = |last: &str| {
        (0..30).fold(String::new(), |all, nth| {
            let value = if nth == 29 { last } else { "1.0" };
            format!("{all}        wait {value}\n")
        })
    };
    let text = |last: &str| {
        format!(
            "tree guard {{\n    sequence {{\n{}    }}\n}}\n",
            waits(last)
        )
    };
    let mut desk = Desk::of(&text("1.0"));
    shrink(&mut desk.page);
    desk.choose("wait", "1.0");
    desk.page.value("(() => { const { sheet } = window.treemind; sheet.edit({ do: 'set', id: sheet.sheet.value.nodes.at(-1).id, name: '0', value: '2.0' }) })()");
    desk.until(&text("2.0"));
    desk.page
        .until("document.querySelectorAll('.versions option').length > 1");
    desk.page.value("(() => { const list = document.querySelector('.versions select'); list.value = JSON.stringify({ with: 'step', back: 1 }); list.dispatchEvent(new Event('change', { bubbles: true })) })()");
    // The last of thirty cards differs.
    let is_there = "(() => { const box = document.querySelector('.compared .drawn'); return box.scrollTop > 400 && box.scrollTop + box.clientHeight > box.scrollHeight - 60; })()";
    desk.page.until(is_there);
    desk.page
        .value("document.querySelector('.compared .drawn').scrollTo(0, 0)");
    desk.page.click_on(".compared li button");
    desk.page.until(is_there);
}

#[test]
#[ignore = "needs Chromium"]
fn the_buttons_of_a_conflict_are_in_view_however_long_the_texts_are() {
    let mut desk = Desk::new();
    shrink(&mut desk.page);
    desk.page
        .value("window.treemind.sheet.edit({ do: 'save-at-once', is_on: false })");
    desk.page
        .until("!window.treemind.sheet.sheet.value.saves_at_once");
    let doc = "very long ".repeat(80);
    desk.page.value(&format!("(() => {{ const {{ sheet }} = window.treemind; sheet.edit({{ do: 'set', id: sheet.sheet.value.nodes.findLast((one) => one.values[0] === 'patrol').id, name: 'doc', value: '{doc}' }}) }})()"));
    desk.page
        .until("window.treemind.sheet.sheet.value.files[0].text.includes('very long')");
    let theirs = GUARD.replace(
        "        action patrol",
        "        action patrol doc=\"short\"",
    );
    std::fs::write(&desk.path, &theirs).expect("it is written");
    desk.page
        .until("document.querySelectorAll('.clash .head button').length === 2");
    desk.page.until(&format!(
        "[...document.querySelectorAll('.clash .head button')].every({IS_FREE})"
    ));
    desk.page.click_on(".clash .theirs button");
    desk.page
        .until("!document.querySelector('.clash') && !window.treemind.sheet.sheet.value.files[0].text.includes('very long')");
    desk.until(&theirs);
}

#[test]
#[ignore = "needs Chromium"]
fn what_is_chosen_is_in_view_at_the_right() {
    let mut desk = Desk::new();
    shrink(&mut desk.page);
    desk.choose("action", "run-away");
    desk.page
        .until("document.querySelector('.inspector h2')?.textContent.includes('run-away')");
    // Somebody looks at what is below.
    desk.page
        .value("document.querySelector('aside').scrollTo(0, 10_000)");
    desk.page
        .until("document.querySelector('aside').scrollTop > 50");
    let row = desk.page.still_middle_of(".sheet .row:last-of-type .word");
    desk.page.click(row.0, row.1);
    desk.page
        .until("document.querySelector('.inspector h2').textContent.includes('patrol')");
    desk.page.until(&format!(
        "({IS_FREE})(document.querySelector('.inspector h2'))"
    ));
}

#[test]
#[ignore = "needs Chromium"]
fn the_kinds_that_a_node_can_become_stand_below_each_other() {
    let mut desk = Desk::new();
    shrink(&mut desk.page);
    desk.choose("action", "patrol");
    let at = desk
        .page
        .still_middle_of(".sheet [aria-selected=true] .word");
    desk.page.right_click(at);
    desk.page.until("document.querySelector('.menu button')");
    desk.page.value("[...document.querySelectorAll('.menu button')].find((one) => one.textContent.startsWith('Change the kind')).click()");
    desk.page.until(
        "(() => {
            const names = [...document.querySelectorAll('.finds [role=option] p > span:nth-child(2)')];
            const left = names.map((one) => one.getBoundingClientRect().left);
            return names.length > 10 && left.every((one) => Math.abs(one - left[0]) < 1);
        })()",
    );
}

#[test]
#[ignore = "needs Chromium"]
fn several_chosen_nodes_are_said_and_a_refusal_closes_at_its_end() {
    let mut desk = Desk::new();
    shrink(&mut desk.page);
    desk.choose("action", "patrol");
    assert_eq!(
        desk.page
            .value("!!document.querySelector('.inspector .many')"),
        false
    );
    desk.page.value("(() => { const { sheet } = window.treemind; sheet.chosen.value = sheet.sheet.value.nodes.filter((one) => one.word === 'action' && one.depth > 1).slice(0, 2).map((one) => one.id); })()");
    desk.page.until(
        "document.querySelector('.inspector .many')?.textContent.startsWith('2 nodes are chosen')",
    );
    desk.page
        .value("window.treemind.model.refused.value = 'it cannot be'");
    desk.page.until("(() => { const one = document.querySelector('.refused button')?.getBoundingClientRect(); const strip = document.querySelector('.refused')?.getBoundingClientRect(); return one && one.right > strip.right - 24 && strip.right <= innerWidth; })()");
}

#[test]
#[ignore = "needs Chromium"]
fn the_button_by_which_one_types_does_not_lie_on_the_text() {
    let long = format!("// {}\n", "much to say ".repeat(30));
    let mut desk = Desk::of(&format!("{long}{GUARD}"));
    shrink(&mut desk.page);
    let is_above = |of: &str| {
        format!(
            "(() => {{
                const box = (name) => document.querySelector(name).getBoundingClientRect();
                const [button, text] = [box('.document .type'), box('{of}')];
                return text.height > 100 && button.height > 0 && button.bottom <= text.top && button.right <= text.right;
            }})()"
        )
    };
    desk.page.press("t");
    desk.page
        .until("document.querySelector('.text .line')?.textContent.includes('much to say')");
    desk.page.until(&is_above(".text"));
    desk.page.click_on(".document .type");
    desk.page.until("document.querySelector('.cm-line')");
    desk.page.until(&is_above(".cm-editor"));
}

#[test]
#[ignore = "needs Chromium"]
fn no_card_of_a_graph_that_fits_lies_under_its_buttons() {
    let long = (0..9).fold(String::new(), |all, nth| {
        format!("{all}        action patrol name=p{nth}\n")
    });
    let mut desk = Desk::of(&GUARD.replace("        action patrol\n", &long));
    desk.choose("selector", "");
    desk.page.press("f");
    // Where the lowest card ends, where the buttons begin, and whether all cards are in the window.
    let ends = "(() => {
        const { layout, onCanvas } = window.treemind;
        const top = document.querySelector('.graph canvas').getBoundingClientRect().top;
        const ends = layout().cards.map((card) => onCanvas(0, card.y + card.h).y + top);
        const begins = layout().cards.map((card) => onCanvas(0, card.y).y);
        return [Math.max(...ends), document.querySelector('.zoom').getBoundingClientRect().top, Math.min(...begins)];
    })()";
    let mut fitting = 0;
    for high in (480..900).step_by(20) {
        desk.page.resize(1280, high);
        desk.page.until(&format!("innerHeight === {high}"));
        desk.page.press("f");
        std::thread::sleep(std::time::Duration::from_millis(150));
        let at = desk.page.value(ends);
        let at = |nth: usize| at[nth].as_f64().expect("a place");
        // A graph that is higher than the window is moved by whoever looks at it.
        if at(2) < 0.0 || at(0) - at(2) > at(1) {
            continue;
        }
        fitting += 1;
        assert!(
            at(0) <= at(1),
            "{high}: a card ends at {}, buttons begin at {}",
            at(0),
            at(1)
        );
    }
    assert!(fitting > 5, "only {fitting} windows are high enough");
}

/// Several mistakes in one line are read one below the other, and what cannot be pressed does not look as if it could.
#[test]
#[ignore = "needs Chromium"]
fn problems_of_one_line_are_read_and_a_button_that_does_nothing_is_grey() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mode.kdl");
    let text = "blackboard { key mode type=enum default=calm { values calm angry; }; }\ntree t { wait 1.0; }\n";
    std::fs::write(&path, text).expect("it is written");
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut page = Browser::open(&studio.url);
    shrink(&mut page);
    page.until("document.querySelectorAll('.text em').length === 2");
    let lies = "(() => {
        const pane = document.querySelector('.text').getBoundingClientRect();
        return [...document.querySelectorAll('.text em')].every((one) => {
            const box = one.getBoundingClientRect();
            return box.left >= pane.left && box.right <= pane.right && box.height < 50;
        });
    })()";
    page.until(lies);
    page.press("E");
    page.until("document.querySelector('.editing .bar button:disabled')");
    // A button that one can press has the colour of what is around it.
    let colours = "['.editing .bar button:disabled', '.editing .bar'].map((one) => getComputedStyle(document.querySelector(one)).color)";
    let [off, on] = [0, 1].map(|nth| page.value(colours)[nth].clone());
    assert_ne!(off, on);
}

/// What an agent does is the largest text of the page, and stays whole beside what a reload did.
#[test]
#[ignore = "needs Chromium"]
fn a_notice_does_not_cut_off_what_is_done() {
    let name = "wander-about-the-large-hall";
    let text = format!("leaves {{ action {name}; }}\ntree t {{ action {name}; }}\n");
    let mut desk = Desk::of(&text);
    shrink(&mut desk.page);
    desk.choose("action", name);
    desk.page.type_to_add("w", "repeat 2");
    desk.page.until("document.querySelector('.now .told')");
    desk.page.until(&format!(
        "document.querySelector('.now h1').textContent === '{name}'"
    ));
    let ends = "(() => { const one = document.querySelector('.now h1'); return [one.scrollWidth, one.clientWidth]; })()";
    let ends = desk.page.value(ends);
    assert_eq!(ends[0], ends[1]);
    let wide = desk
        .page
        .value("document.querySelector('.now .told').clientWidth");
    assert!(wide.as_f64() > Some(200.0), "{wide}");
}
