//! Finding and comparing, in a real browser: search in everything and in time, two moments side by side, parts shown alone, the
//! small picture of the whole, and the ways between text, list and time.

use crate::browser::Browser;
use crate::program::Studio;

const GUARD: &str = "examples/01-guard/guard.kdl";
const SOLDIER: &str = "examples/10-soldier/soldier.kdl";

/// The page at a tick of a document.
fn at(studio: &Studio, file: &str, tick: u64) -> Browser {
    let mut browser = Browser::open(&studio.at(&format!("file={file}&tick={tick}")));
    browser.until(&format!(
        "document.querySelector('#tick').textContent === '{tick}'"
    ));
    browser
}

fn type_text(page: &mut Browser, text: &str) {
    for letter in text.chars() {
        page.press(&letter.to_string());
    }
}

#[test]
#[ignore = "needs Chromium"]
fn search_finds_when_something_was_done_and_goes_there() {
    let studio = Studio::start(&[GUARD]);
    let mut page = at(&studio, GUARD, 300);
    page.press("s");
    page.until("document.activeElement.matches('.search input')");
    type_text(&mut page, "run-away");
    page.until(
        "document.querySelector('.finds [data-sort=ticks] small').textContent.includes('190')",
    );
    for sort in ["line", "text"] {
        page.until(&format!(
            "document.querySelector('.finds [data-sort={sort}]')"
        ));
    }
    page.press("Enter");
    page.until("document.querySelector('#tick').textContent === '190'");
    assert_eq!(
        page.value("document.querySelector('.search')"),
        serde_json::Value::Null
    );
    // A key leads to its last writer, a line of the document to the text, a line of the list to the list.
    page.press("s");
    type_text(&mut page, "health");
    page.until("document.querySelector('.finds [data-sort=key]')");
    page.click_on(".finds [data-sort=text]");
    page.until("document.querySelector('.text .here')");
    page.press("s");
    type_text(&mut page, "patrol");
    page.click_on(".finds [data-sort=line]");
    page.until("document.querySelector('[aria-selected=true] .name').textContent === 'patrol'");
    // From the text to the list.
    page.value("[...document.querySelectorAll('.text [data-line]')].findLast(e => e.textContent.includes('action attack')).click()");
    page.until("document.querySelector('[role=treeitem][aria-selected=true] .name').textContent === 'attack'");
    page.press("s");
    type_text(&mut page, "xyzzy");
    page.until("document.querySelector('.finds').textContent.includes('Nothing')");
    page.press("Escape");
    page.until("!document.querySelector('.search')");
}

#[test]
#[ignore = "needs Chromium"]
fn two_moments_are_compared_side_by_side() {
    let studio = Studio::start(&[GUARD]);
    let mut page = at(&studio, GUARD, 189);
    page.press("m");
    page.until("document.querySelector('.compare').textContent.includes('Nothing differs')");
    page.press(".");
    page.until("document.querySelector('#tick').textContent === '190'");
    let cells = |what: &str| {
        format!(
            "[...document.querySelector('[data-differs={what}]').children].slice(1).map(e => e.textContent).join('|')"
        )
    };
    page.until("document.querySelector('[data-differs=does]')");
    assert_eq!(page.value(&cells("does")), "attack|run-away");
    assert_eq!(page.value(&cells("health")), "31|14");
    // Attack runs there, and is cut off here.
    assert_eq!(page.value(&cells("n9")), "▶ running|⊘ cut off");
    page.press("M");
    page.until("document.querySelector('#tick').textContent === '189'");
    page.until("document.querySelector('[data-differs=does]')");
    assert_eq!(page.value(&cells("does")), "run-away|attack");
    page.press("m");
    page.until("!document.querySelector('.compare')");
}

#[test]
#[ignore = "needs Chromium"]
fn parts_are_shown_alone_and_folded_by_level() {
    let studio = Studio::start(&[SOLDIER]);
    let mut page = at(&studio, SOLDIER, 100);
    let rows = "document.querySelectorAll('[role=treeitem]').length";
    let all = page.value(rows).as_u64().expect("a number");
    page.press("1");
    page.until(&format!("{rows} < {all}"));
    let few = page.value(rows).as_u64().expect("a number");
    page.press("2");
    page.until(&format!("{rows} > {few}"));
    page.press("0");
    page.until(&format!("{rows} === {all}"));
    // The first inner line that holds others.
    page.value("document.querySelectorAll('[role=treeitem][aria-expanded]')[1].click()");
    page.press("o");
    page.until(&format!(
        "document.querySelector('.crumbs') && {rows} < {all}"
    ));
    let alone = page.value(rows);
    assert_eq!(
        page.value("document.querySelector('[role=treeitem]').ariaLevel"),
        "1"
    );
    page.press("u");
    page.until(&format!(
        "!document.querySelector('.crumbs') && {rows} === {all}"
    ));
    assert_ne!(alone, all);
    // When not everything is in view, the whole is there in small, and leads elsewhere.
    page.until("document.querySelector('canvas.map')");
    for _ in 0..4 {
        page.click_on("[aria-label='Zoom in']");
    }
    page.until("!document.querySelector('canvas.map').hidden");
    let before = page.value("JSON.stringify(window.treemind.place('n0'))");
    page.click_on("canvas.map");
    page.until(&format!(
        "JSON.stringify(window.treemind.place('n0')) !== JSON.stringify({before})"
    ));
}

/// A tree of a thousand nodes, of which some change in each tick.
fn thousand() -> String {
    let mut text = String::from(
        "main tree=guard\nblackboard { key n type=int; }\nleaves { action patrol; condition see-enemy; }\n\
         tree guard { parallel {\n\
         sequence { repeat forever { sequence { set \"n = (n + 1) % 20\"; wait 0.05; }; }; }\n\
         repeat forever { reactive-selector {\n",
    );
    for group in 0..20 {
        text += &format!(
            "reactive-sequence name=g{group} {{ check \"n == {group}\"; parallel success=1 {{\n"
        );
        for nth in 2..13 {
            text += &format!(
                "sequence {{ check \"n % {nth} == 0\"; selector {{ condition see-enemy; check \"n > {nth}\"; }}; }}\n"
            );
        }
        text += "}; action patrol; }\n";
    }
    text + "action patrol\n}; } }; }\n"
}

#[test]
#[ignore = "needs Chromium"]
fn of_a_large_tree_only_what_is_in_view_is_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("large.kdl");
    std::fs::write(&file, thousand()).expect("a file");
    let studio = Studio::start(&[file.to_str().expect("a path")]);
    let mut page = Browser::open(&studio.url);
    page.until("window.treemind?.model.lines.value.length > 1000");
    page.until("Number(document.querySelector('#tick').textContent) > 3");
    let rows = "document.querySelectorAll('[role=treeitem]').length";
    page.until(&format!("{rows} > 10 && {rows} < 100"));
    page.until("window.treemind.cardsDrawn() > 0 && window.treemind.cardsDrawn() < 300");
    page.press(" ");
    page.until("window.treemind.model.view.value.is_paused");
    // A tick touches what has changed, and no more: what a frame costs is text and layout.
    page.value("(() => { window.touched = 0; new MutationObserver(all => (window.touched += all.length)).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true }); })()");
    let begun = page.value("window.treemind.model.view.value.tick");
    let begun = begun.as_u64().expect("a number");
    for tick in begun + 1..=begun + 20 {
        page.press(".");
        page.until(&format!(
            "document.querySelector('#tick').textContent === '{tick}'"
        ));
    }
    let touched = page
        .value("window.touched / 20")
        .as_f64()
        .expect("a number");
    assert!((5.0..100.0).contains(&touched), "{touched} in a tick");
    // Whatever is searched, selected and scrolled to is there.
    page.press("s");
    type_text(&mut page, "g17");
    page.until("document.querySelector('.finds [data-sort=line]')");
    page.click_on(".finds [data-sort=line]");
    page.until("document.querySelector('[role=treeitem][aria-selected=true] .name')?.textContent === 'g17'");
    page.press("j");
    page.until("document.querySelector('[role=treeitem][aria-selected=true]')");
    page.press("2");
    page.until(&format!("{rows} < 30"));
}

#[test]
#[ignore = "needs Chromium"]
fn the_first_page_has_a_picture_of_every_example() {
    let studio = Studio::start(&[]);
    let mut page = Browser::open(&studio.url);
    page.until("window.treemind?.model.files.value.length > 10");
    page.until("document.querySelector('header select')");
    let files = page.value("window.treemind.model.files.value");
    // The first page has a picture of each, and `p` leads there again.
    let drawn = "[...document.querySelectorAll('.home canvas')].filter(one => one.getContext('2d').getImageData(0, 0, one.width, one.height).data.some(byte => byte > 0)).length";
    let most = files.as_array().expect("files").len() - 3;
    page.until(&format!("{drawn} >= {most}"));
    assert_eq!(
        page.value("document.querySelectorAll('.home kbd').length"),
        5
    );
    // Nothing is chosen yet, and the selector says so.
    let chosen = "document.querySelector('header select').selectedOptions[0].textContent";
    assert_eq!(page.value(chosen), "Choose a file");
    page.click_on("[data-file*='pet.kdl']");
    page.until("document.querySelector('nav .head')?.textContent.includes('pet')");
    page.press("p");
    page.until("document.querySelector('.home')");
    page.until(&format!("{chosen}.includes('pet.kdl')"));
}

/// The texts that a selector finds, joined.
fn texts(page: &mut Browser, selector: &str) -> String {
    let found = page.value(&format!(
        "[...document.querySelectorAll('{selector}')].map(e => e.textContent.trim()).join('|')"
    ));
    found.as_str().expect("a text").to_owned()
}

#[test]
#[ignore = "needs Chromium"]
fn text_shows_nodes_and_where_names_are_defined_and_used() {
    let studio = Studio::start(&[GUARD]);
    let mut page = at(&studio, GUARD, 190);
    page.press("t");
    page.until("document.querySelector('.text')");
    // What is selected is marked from its first word to its last value, and nothing else is.
    page.click_on("[data-id=n5]");
    page.until("document.querySelector('.text .node')");
    let weak = texts(&mut page, ".text .named .node");
    assert_eq!(weak.replace(['|', ' '], ""), "check\"health<20\"name=weak");
    assert_eq!(texts(&mut page, ".names .link"), "key health|node weak");
    // The key in it has one definition and its uses.
    page.click_on(".names .link");
    page.until("document.querySelector('.names [aria-label=Close]')");
    let uses = texts(&mut page, ".names .link");
    assert!(uses.starts_with("defined 6|"), "{uses}");
    assert!(uses.contains("|used 25|written 56|used"), "{uses}");
    assert_eq!(texts(&mut page, ".text .use.defined"), "health");
    page.click_on(".names .link");
    page.until("document.querySelector('.text .here [class=number]')?.textContent === '6'");
    // A click on a word selects its node and lists the places of the name: this leaf is defined, used and tested.
    page.value("[...document.querySelectorAll('.text .named, .text [data-line]')].find(e => e.textContent.includes('action attack range')).querySelectorAll('.line span').forEach(e => e.textContent === 'attack' && e.click())");
    page.until("document.querySelector('[role=treeitem][aria-selected=true] .name').textContent === 'attack'");
    page.until("document.querySelector('.names b')?.textContent === 'leaf attack'");
    let uses = texts(&mut page, ".names .link");
    assert!(uses.split('|').count() > 4, "{uses}");
}
