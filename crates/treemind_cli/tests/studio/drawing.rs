//! How the graph of each example is drawn: nothing lies on anything else.

use crate::access::in_both_themes;
use crate::browser::Browser;
use crate::page::draw_if_wanted;
use crate::program::{Studio, root};

/// What is wrong with the graph that is shown now, as sentences.
const FAULTS: &str = r"(() => {
    const { cards, arrows } = window.treemind.layout(), lines = window.treemind.model.lines.value;
    const name = card => lines[card.nth].id + ' ' + card.title, faults = [];
    const holds = (a, b) => b.x >= a.x && b.y >= a.y && b.x + b.w <= a.x + a.w && b.y + b.h <= a.y + a.h;
    cards.forEach((a, nth) => cards.slice(nth + 1).forEach(b => {
        const apart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
        if (!apart && !(a.isBox && holds(a, b))) faults.push(`${name(a)} lies on ${name(b)}`);
    }));
    const shown = new Set(cards.map(card => lines[card.nth].id));
    const wanted = cards.flatMap(card => card.rows).flatMap(row => lines[row.nth].is === 'transition' ? (lines[row.nth].targets ?? []).filter(id => shown.has(id)) : []);
    if (arrows.length !== wanted.length) faults.push(`${arrows.length} arrows for ${wanted.length} transitions`);
    for (const { nth, points } of arrows) points.slice(1).forEach(([x2, y2], at) => {
        const [x1, y1] = points[at];
        if (x1 !== x2 && y1 !== y2) faults.push(`the way of ${lines[nth].text} is slanted`);
        for (const card of cards.filter(card => card.own > 0)) {
            const [left, right, top, bottom] = [Math.min(x1, x2), Math.max(x1, x2), Math.min(y1, y2), Math.max(y1, y2)];
            if (right > card.x + 1 && left < card.x + card.w - 1 && bottom > card.y + 1 && top < card.y + card.own - 1) faults.push(`the way of ${lines[nth].text} goes through ${name(card)}`);
        }
    });
    const along = [];
    arrows.forEach(({ nth, points }) => points.slice(1).forEach((to, at) => along.push({ nth, goal: lines[nth].targets.join(), from: points[at], to })));
    along.forEach((a, nth) => along.slice(nth + 1).forEach(b => {
        const axis = a.from[0] === a.to[0] ? 0 : 1;
        if (a.goal === b.goal || a.from[axis] !== a.to[axis] || b.from[axis] !== b.to[axis] || Math.abs(a.from[axis] - b.from[axis]) > 2) return;
        const span = one => [one.from[1 - axis], one.to[1 - axis]].sort((x, y) => x - y);
        if (Math.min(span(a)[1], span(b)[1]) - Math.max(span(a)[0], span(b)[0]) > 4) faults.push(`the ways of ${lines[a.nth].text} and ${lines[b.nth].text} are one`);
    }));
    const boxes = arrows.flatMap(({ nth, label }) => label ? [{ name: lines[nth].text, x: label.x - label.w / 2, y: label.y - 7, w: label.w, h: 14 }] : []);
    const meets = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
    boxes.forEach((a, nth) => {
        for (const b of boxes.slice(nth + 1)) if (meets(a, b)) faults.push(`the labels of ${a.name} and ${b.name} are one`);
        for (const card of cards) if (meets(a, card.isBox ? { ...card, h: card.own } : card)) faults.push(`the label of ${a.name} lies on ${name(card)}`);
    });
    return faults.join('\n');
})()";

#[test]
#[ignore = "needs Chromium"]
fn nothing_in_the_graph_of_an_example_lies_on_anything_else() {
    let studio = Studio::start(&[]);
    let mut page = Browser::open(&studio.url);
    page.until(
        "window.treemind.model.files.value.length > 0 && document.querySelector('header select')",
    );
    let files = page.value("window.treemind.model.files.value");
    let (mut graphs, mut ways) = (0, 0);
    for file in files.as_array().expect("a list") {
        page.value(&format!(
            "(() => {{ const s = document.querySelector('header select'); s.value = {file}; s.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()"
        ));
        page.until(&format!(
            "window.treemind.model.view.value.file === {file} && window.treemind.model.view.value.tick > 1"
        ));
        // A map with a crowd, and a library without a main tree, say why they do not play.
        page.until(
            "document.querySelector('.now.bad') || window.treemind.model.lines.value.some(line => window.treemind.place(line.id))",
        );
        if page.value("!window.treemind.layout()") == true {
            continue;
        }
        let faults = page.value(FAULTS);
        assert_eq!(faults, "", "{file}");
        if file
            .as_str()
            .is_some_and(|name| name.ends_with("robot.kdl"))
        {
            let labels =
                page.value("window.treemind.layout().arrows.filter(one => one.label).length");
            assert!(labels.as_u64() >= Some(8), "{labels} labels of 10 ways");
        }
        graphs += 1;
        ways += page
            .value("window.treemind.layout().arrows.length")
            .as_u64()
            .expect("a number");
    }
    let examples = std::fs::read_dir(root().join("examples")).expect("a folder");
    assert!(graphs >= examples.count() - 4, "{graphs} graphs");
    assert!(ways > 40, "{ways} ways of transitions");
}

/// The graph becomes a file in both themes: with what runs at that tick, as on the canvas.
#[test]
#[ignore = "needs Chromium"]
fn the_graph_is_saved_as_a_picture() {
    let studio = Studio::start(&[]);
    let mut page = Browser::open(&studio.at("file=01-guard/guard.kdl&agent=1&tick=190"));
    page.until("window.treemind?.model.view.value?.tick === 190 && !window.treemind.model.view.value.is_jumping && window.treemind.layout()");
    page.value("window.saved = []; window.blobs = []; const make = URL.createObjectURL; URL.createObjectURL = (blob) => { window.blobs.push(blob); return make(blob) }; HTMLAnchorElement.prototype.click = function () { const blob = window.blobs.at(-1); window.saved.push([this.download, blob.type, blob.size]) }; 1");
    page.press("D");
    page.until("document.querySelector('dialog.picture img')?.naturalWidth > 300");
    page.value("document.querySelectorAll('dialog.picture input')[1].click()");
    in_both_themes(&mut page, "the picture");
    page.until("document.querySelector('dialog.picture button').title === 'guard-190-light.svg'");
    page.value("document.querySelectorAll('dialog.picture button')[0].click()");
    page.until("window.saved.length === 1 && !document.querySelector('dialog')");
    page.press("D");
    page.until("document.querySelector('dialog.picture')");
    page.value("document.querySelectorAll('dialog.picture button')[1].click()");
    page.until("window.saved.length === 2");
    assert_eq!(page.value("window.saved[0][1]"), "image/svg+xml");
    assert_eq!(page.value("window.saved[1][1]"), "image/png");
    assert_eq!(
        page.value("window.saved[1][2] > 20000"),
        true,
        "a picture of something"
    );
    // The text is one that other programs read, with every card and with what runs.
    let parsed = "new DOMParser().parseFromString(window.treemind.asSvg('dark'), 'image/svg+xml')";
    assert_eq!(
        page.value(&format!("{parsed}.querySelector('parsererror')")),
        serde_json::Value::Null
    );
    let cards = "window.treemind.layout().cards.every((card) => [...doc.querySelectorAll('text')].some((text) => text.textContent === card.title))";
    assert_eq!(
        page.value(&format!(
            "(() => {{ const doc = {parsed}; return {cards} }})()"
        )),
        true
    );
    assert_eq!(
        page.value("window.treemind.asSvg('dark').includes('run-away running</title>') && window.treemind.asSvg('dark').includes('fill=\"#ffc247\"')"),
        true
    );
    draw_if_wanted(&mut page, "no-picture");
    if let Some(folder) = std::env::var_os("STUDIO_PICTURES") {
        for theme in ["dark", "light"] {
            let text = page.value(&format!("window.treemind.asSvg('{theme}')"));
            let path = std::path::Path::new(&folder).join(format!("graph-{theme}.svg"));
            std::fs::write(path, text.as_str().expect("a text")).expect("a file");
            let data = page.value(&format!("window.treemind.asPng('{theme}').then((blob) => new Promise((done) => {{ const reader = new FileReader(); reader.onload = () => done(reader.result.split(',')[1]); reader.readAsDataURL(blob) }}))"));
            let path = std::path::Path::new(&folder).join(format!("graph-{theme}.png.b64"));
            std::fs::write(path, data.as_str().expect("a text")).expect("a file");
        }
    }
}
