//! How the graph of each example is drawn: nothing lies on anything else.

use crate::browser::Browser;
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
