//! Tests in the page, and runs that are played again, with the mouse and with the keyboard.

use crate::access::violations;
use crate::browser::Browser;
use crate::page::draw;
use crate::program::Studio;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What the guard of the examples gets: a test that fails, one that fails at random, and a branch that no test reaches.
const MORE: &str = "
test \"never fights\" tree=guard {
    leaf see-enemy answers=\"S\"
    tick 3
    expect active=patrol
}

test \"is never afraid\" tree=guard {
    random runs=50 ticks=50 {
        leaf see-enemy answers=\"S F\"
        key health min=0.0 max=100.0
    }
    never run-away
}
";

/// The tone of the bar beside the card of a line: the picture is read at the place where the bar is.
const BAR: &str = r"(id => {
    const { layout, model, place } = window.treemind, lines = model.lines.value, cards = layout().cards.filter(card => !card.isBox);
    const middle = card => card.x + card.w / 2, seen = card => place(lines[card.nth].id);
    const [a, b] = [cards[0], cards.find(card => Math.abs(middle(card) - middle(cards[0])) > 20)];
    const zoom = (seen(a).x - seen(b).x) / (middle(a) - middle(b));
    const card = cards.find(card => lines[card.nth].id === id), at = seen(card);
    const canvas = document.querySelector('.graph canvas'), scale = canvas.width / canvas.clientWidth;
    const [x, y] = [at.x - (card.w / 2 + 5) * zoom, at.y + (card.h - 16 - 5) * zoom];
    const rgb = [...canvas.getContext('2d').getImageData(x * scale, y * scale, 1, 1).data].slice(0, 3);
    const hex = `#${rgb.map(one => one.toString(16).padStart(2, '0')).join('')}`;
    return ['ok', 'fail', 'cut'].find(tone => getComputedStyle(document.documentElement).getPropertyValue(`--${tone}`).trim() === hex) ?? '';
})";

pub(crate) struct Desk {
    _folder: TempDir,
    _studio: Studio,
    path: PathBuf,
    pub(crate) page: Browser,
}

impl Desk {
    /// The guard of the examples with something behind it, at a tick.
    pub(crate) fn new(more: &str, tick: u64) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("guard.kdl");
        let text = include_str!("../../../../examples/01-guard/guard.kdl");
        std::fs::write(&path, format!("{text}{more}")).expect("it is written");
        let studio = Studio::start(&[path.to_str().expect("a path")]);
        let mut page = Browser::open(&studio.at(&format!("tick={tick}")));
        page.until(&format!(
            "document.querySelector('#tick').textContent === '{tick}'"
        ));
        Self {
            _folder: folder,
            _studio: studio,
            path,
            page,
        }
    }

    pub(crate) fn text(&self) -> String {
        std::fs::read_to_string(&self.path).expect("a text")
    }

    /// Waits until the file says so.
    pub(crate) fn until(&self, is_so: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let text = self.text();
            if is_so(&text) {
                return text;
            }
            assert!(begun.elapsed() < Duration::from_secs(10), "{text}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses Tab until an element has the focus.
    fn tab_to(&mut self, selector: &str) {
        for _ in 0..200 {
            if self
                .page
                .value(&format!("document.activeElement.matches('{selector}')"))
                == true
            {
                return;
            }
            self.page.press("Tab");
        }
        panic!("{selector} cannot be reached with the keyboard");
    }
}

/// Whether a test of the list is in a state.
fn is(test: &str, state: &str) -> String {
    format!("document.querySelector('[data-test=\"{test}\"]').dataset.state === '{state}'")
}

/// The test of a document in a file: whether the program says that all pass.
pub(crate) fn passes(path: &Path, name: &str) -> bool {
    let mut program = Command::new(env!("CARGO_BIN_EXE_treemind"));
    let done = program
        .arg("test")
        .arg(path)
        .args(["--name", name])
        .output();
    let done = done.expect("it runs");
    let told = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(told.contains(name), "{told}");
    done.status.success()
}

#[test]
#[ignore = "needs Chromium"]
fn a_failing_test_is_seen_and_opened_as_a_recording() {
    let mut desk = Desk::new(MORE, 60);
    let page = &mut desk.page;
    page.click_on("[role=tab]:nth-of-type(3)");
    page.until(&is("patrols while nobody is in sight", "passed"));
    page.until(&is("never fights", "failed"));
    page.until(&is("is never afraid", "failed"));
    page.until("document.querySelector('.sum .fail').textContent === '✕ 2 failed'");
    page.click_on("[data-test='is never afraid']");
    page.until("document.querySelector('.chosen dl').textContent.includes('run-away never runs')");
    page.until("document.querySelector('.chosen pre').textContent.includes('found by chance')");
    page.click_on(".watch");
    page.until("window.treemind.model.view.value.file.endsWith('guard.kdl · is never afraid')");
    page.until("window.treemind.model.view.value.does === 'run-away'");
    // The same views: graph, timeline, reasons.
    page.until("window.treemind.cardsDrawn() > 5");
    page.until("window.treemind.model.film.value.does.some(bar => bar[2] === 'run-away')");
    page.until("document.querySelector('aside').textContent.includes('health')");
    assert_eq!(
        page.value("window.treemind.model.view.value.end !== null"),
        true
    );
    page.until(
        "[...document.querySelectorAll('.testing .bar button')].at(-1).click() === undefined",
    );
    page.until("window.treemind.model.view.value.file.endsWith('guard.kdl')");
    // With the keyboard.
    page.press("T");
    page.until("document.activeElement.matches('.cases')");
    page.until("document.querySelector('[data-test=\"is never afraid\"]').ariaSelected === 'true'");
    page.press("k");
    page.until("document.querySelector('[data-test=\"never fights\"]').ariaSelected === 'true'");
    page.press("w");
    page.until("window.treemind.model.view.value.file.endsWith('guard.kdl · never fights')");
    page.until("window.treemind.model.view.value.tick === 3");
}

#[test]
#[ignore = "needs Chromium"]
fn tests_run_as_one_edits_and_their_coverage_is_in_the_graph() {
    let more = "\ntree unused { sequence { action attack; action patrol; }; }\n";
    let mut desk = Desk::new(more, 60);
    desk.page.press("T");
    desk.page.until(&is("does one thing at a time", "passed"));
    desk.page
        .until("document.querySelector('.covered label').textContent.includes('%')");
    // Everything that the guard has is reached: only the tree that is not used is not.
    desk.page
        .until("document.querySelectorAll('.covered li').length === 0");
    let changed = desk.text().replacen(
        "action patrol\n    }\n}",
        "sequence name=never { check \"health > 200\"; action attack; }\n        action patrol\n    }\n}",
        1,
    );
    std::fs::write(&desk.path, changed).expect("it is written");
    let page = &mut desk.page;
    // While one edits, the tab says how the tests go.
    page.press("E");
    page.until("document.querySelector('[role=tab] .verdict').textContent === ' ✓'");
    page.press("T");
    page.until("document.querySelectorAll('.covered li').length > 0");
    let missing = page.value(
        "[...document.querySelectorAll('.covered li')].map(one => one.textContent).join('|')",
    );
    assert!(
        missing.as_str().is_some_and(|text| text.contains("attack")),
        "{missing}"
    );
    page.until(&is("patrols while nobody is in sight", "passed"));
    page.until("document.querySelectorAll('.covered li').length === 1");
    page.click_on(".covered li button");
    page.until("window.treemind.model.selected.value !== null");
    // Beside the card of what is not reached, the graph has another colour than beside what is.
    let missing = page.value("window.treemind.model.selected.value");
    let first = page.value("window.treemind.model.lines.value[0].id");
    page.until(&format!("{BAR}({missing}) === 'fail'"));
    page.until(&format!("{BAR}({first}) === 'ok'"));
    page.until("document.querySelector('.covered input').click() === undefined");
    page.until(&format!("{BAR}({missing}) === ''"));
    assert_eq!(violations(page), "");
}

/// Drags over the timeline of 240 ticks, and makes a test of that.
pub(crate) fn make_of(page: &mut Browser, from: f64, to: f64) {
    mark(page, from, to);
    page.until("document.querySelector('.controls .make')");
    page.click_on(".controls .make");
}

/// Drags over the timeline of 240 ticks.
fn mark(page: &mut Browser, from: f64, to: f64) {
    let place = page.value("(() => { const r = document.querySelector('footer canvas').getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; })()");
    let number = |nth: usize| place[nth].as_f64().expect("a number");
    let x = |tick: f64| number(0) + 112.0 + tick / 240.0 * (number(2) - 140.0);
    let y = number(1) + number(3) / 2.0;
    page.drag_with_shift((x(from), y), (x(to), y));
}

/// Of what an older document did, no test can be made, and the button says so beforehand.
#[test]
#[ignore = "needs Chromium"]
fn the_button_for_a_test_says_why_there_cannot_be_one() {
    let mut desk = Desk::new("", 240);
    let why = "document.querySelector('.controls .whynot')?.textContent";
    let is_off = "document.querySelector('.controls .make')?.disabled";
    // A change that nothing of what plays has seen: a comment.
    std::fs::write(&desk.path, format!("{}// later\n", desk.text())).expect("it is written");
    let page = &mut desk.page;
    page.until("window.treemind.model.view.value.reloaded?.is_done");
    mark(page, 150.0, 200.0);
    page.until("document.querySelector('.controls .make')");
    page.click_on(".controls .make");
    page.until("document.querySelector('.drafted')");
    page.click_on(".making .discard");
    page.until("!document.querySelector('.controls .make')");
    let changed = desk.text().replacen("health < 20", "health < 50", 1);
    std::fs::write(&desk.path, &changed).expect("it is written");
    let page = &mut desk.page;
    page.until("window.treemind.model.definition.value.texts[0].text.includes('health < 50')");
    mark(page, 150.0, 200.0);
    page.until(&format!("{why}?.includes('guard has been changed since')"));
    assert_eq!(page.value(is_off), true);
    // The form says the same, and makes nothing.
    page.press("T");
    page.until("document.querySelector('.making [role=alert]')?.textContent.includes('has been changed since')");
    assert_eq!(page.value("!!document.querySelector('.drafted')"), false);
    // Played again, it is what the document does now.
    page.value("window.treemind.say({ say: 'go', tick: 100 }), 1");
    page.until("document.querySelector('#tick').textContent === '100'");
    page.click_on(".controls .again");
    page.until("document.querySelector('#tick').textContent === '240'");
    page.until(&format!("{is_off} === false && !{why}"));
    // Shortly after the change, there is no need to wait.
    mark(page, 105.0, 190.0);
    page.until(&format!("{is_off} === false && !{why}"));
    page.click_on(".controls .make");
    page.until("document.querySelector('.drafted')?.textContent.includes('active=run-away')");
    page.click_on(".making .discard");
    // Over the change, there is none.
    mark(page, 80.0, 120.0);
    page.until(&format!(
        "{why}?.includes('the document was changed after tick 100')"
    ));
    assert_eq!(page.value(is_off), true);
}

/// An edit at an earlier tick forgets those behind it: of a stretch among them, no test can be made until they are played again.
#[test]
#[ignore = "needs Chromium"]
fn the_button_for_a_test_waits_until_its_ticks_are_played_again() {
    let mut desk = Desk::new("", 240);
    let changed = desk.text().replacen("health < 20", "health < 21", 1);
    let page = &mut desk.page;
    mark(page, 205.0, 239.0);
    page.until("document.querySelector('.controls .make')?.disabled === false");
    page.value("window.treemind.say({ say: 'go', tick: 200 }), 1");
    page.until("document.querySelector('#tick').textContent === '200'");
    std::fs::write(&desk.path, changed).expect("it is written");
    let page = &mut desk.page;
    page.until("window.treemind.model.view.value.last === 200");
    page.until("document.querySelector('.controls .make').disabled");
    let why = page.value("document.querySelector('.controls .whynot').textContent");
    assert!(why.to_string().contains("has not reached the end"), "{why}");
    page.press(" ");
    page.until("document.querySelector('.controls .make').disabled === false");
}

/// A key, and what a leaf answers, become lines of the script at a tick; what follows is what the agent does then.
#[test]
#[ignore = "needs Chromium"]
fn a_fact_is_made_to_happen_at_a_tick() {
    let mut desk = Desk::new("", 240);
    let before = desk.text();
    let page = &mut desk.page;
    make_of(page, 150.0, 200.0);
    page.until("document.querySelector('.drafted')");
    let first = page.value("document.querySelector('.drafted').textContent");
    assert!(
        first
            .as_str()
            .is_some_and(|text| text.contains("active=attack")),
        "{first}"
    );
    for (nth, tick, line) in [
        (1, 155, "leaf see-enemy answers=F"),
        (2, 160, "given health=5"),
    ] {
        page.value(
            "document.querySelector('.making .happens').scrollIntoView({ block: 'center' })",
        );
        page.click_on(".making .happens");
        let fact = format!(".making .fact:nth-of-type({nth})");
        page.until(&format!("document.querySelector('{fact}')"));
        page.click_on(&format!("{fact} [type=number]"));
        page.value("document.activeElement.select()");
        page.type_text(&tick.to_string());
        page.click_on(&format!("{fact} .line"));
        page.type_text(line);
        page.click_on(".making h2");
        page.until(&format!(
            "document.querySelector('.drafted').textContent.includes('\\n    {line}\\n')"
        ));
    }
    let shown = page.value("document.querySelector('.drafted').textContent");
    let shown = shown.as_str().expect("a text").to_owned();
    // Nobody is in sight any more.
    let at = |text: &str| {
        shown
            .find(text)
            .unwrap_or_else(|| panic!("{text}: {shown}"))
    };
    assert!(
        at("leaf see-enemy answers=F") < at("given health=5"),
        "{shown}"
    );
    assert!(
        at("leaf see-enemy answers=F") < at("active=patrol"),
        "{shown}"
    );
    page.value("document.querySelector('.making .add').scrollIntoView({ block: 'center' })");
    page.click_on(".making .add");
    let after = desk.until(|text| text != before);
    assert_eq!(after, format!("{before}\n{shown}"));
    assert!(passes(&desk.path, shown.split('"').nth(1).expect("a name")));
}

#[test]
#[ignore = "needs Chromium"]
fn a_test_is_made_of_a_stretch_with_the_mouse() {
    let mut desk = Desk::new("", 240);
    let before = desk.text();
    let page = &mut desk.page;
    make_of(page, 150.0, 200.0);
    page.until("document.querySelector('.drafted').textContent.includes('active=run-away inactive=attack')");
    assert_eq!(
        page.value("document.querySelector('#tick').textContent"),
        "240"
    );
    page.click_on("[data-never=patrol]");
    page.until("document.querySelector('.drafted').textContent.includes('never patrol')");
    page.value("(() => { const name = document.querySelector('.making .wide input'); name.value = 'flees in time'; name.dispatchEvent(new Event('input')); name.dispatchEvent(new Event('change')); })()");
    page.until(
        "document.querySelector('.drafted').textContent.startsWith('test \"flees in time\"')",
    );
    assert_eq!(
        page.value("document.querySelector('.making .told')"),
        serde_json::Value::Null
    );
    let shown = page.value("document.querySelector('.drafted').textContent");
    let shown = shown.as_str().expect("a text").to_owned();
    page.value("document.querySelector('.making .add').scrollIntoView({ block: 'center' })");
    page.click_on(".making .add");
    let after = desk.until(|text| text != before);
    assert_eq!(after, format!("{before}\n{shown}"));
    desk.page.until(&is("flees in time", "passed"));
    desk.page.until("!document.querySelector('.making')");
    assert!(passes(&desk.path, "flees in time"));
    // It is a step of the one history. The line about the reload moves what is below it.
    desk.page.until("document.querySelector('.told.ok')");
    desk.page.press("E");
    desk.page
        .until("document.querySelector('.editing .bar button').textContent.includes('add a test')");
    desk.page.click_on(".editing .bar button");
    desk.until(|text| text == before);
}

#[test]
#[ignore = "needs Chromium"]
fn a_test_is_made_of_a_stretch_with_the_keyboard() {
    let mut desk = Desk::new("", 150);
    let before = desk.text();
    let page = &mut desk.page;
    page.press("r");
    for tick in 151..=153 {
        page.press("ArrowRight");
        page.until(&format!(
            "document.querySelector('#tick').textContent === '{tick}'"
        ));
    }
    page.press("r");
    page.until("document.querySelector('.controls .make').textContent.startsWith('150–153')");
    page.press("T");
    desk.page.until("document.querySelector('.drafted')");
    // Make a fact happen.
    desk.tab_to(".happens");
    desk.page.press("Enter");
    desk.tab_to(".fact .line");
    desk.page.type_text("given health=5");
    desk.page.press("Tab");
    desk.page.until("document.querySelector('.drafted').textContent.includes('    given health=5\\n    tick\\n    expect active=run-away inactive=attack')");
    let shown = desk
        .page
        .value("document.querySelector('.drafted').textContent");
    desk.tab_to(".making .add");
    desk.page.press("Enter");
    let after = desk.until(|text| text != before);
    assert_eq!(
        after,
        format!("{before}\n{}", shown.as_str().expect("a text"))
    );
    assert!(passes(&desk.path, "attack, then run-away"));
}

#[test]
#[ignore = "needs Chromium"]
fn from_here_shows_the_first_difference() {
    let mut desk = Desk::new("", 240);
    let changed = desk.text().replacen("health < 20", "health < 50", 1);
    std::fs::write(&desk.path, &changed).expect("it is written");
    let page = &mut desk.page;
    page.until("window.treemind.model.view.value.reloaded");
    page.value(
        "window.treemind.model.view.value && document.querySelector('footer canvas').focus()",
    );
    for _ in 0..2 {
        page.press("ArrowLeft");
    }
    page.until("document.querySelector('#tick').textContent === '238'");
    assert_eq!(
        page.value("!!document.querySelector('.controls .again')"),
        true
    );
    page.click_on("[aria-label='To the first tick']");
    page.until("document.querySelector('#tick').textContent === '0'");
    page.click_on(".controls .again");
    page.until("document.querySelector('#tick').textContent === '240'");
    page.until("document.querySelector('.runs tbody tr').dataset.differs === 'does'");
    let row = page.value("document.querySelector('.runs tbody tr').textContent");
    assert!(
        row.as_str()
            .is_some_and(|text| text.ends_with("doesattackrun-away")),
        "{row}"
    );
    let first = page.value("Number(document.querySelector('.runs tbody tr').dataset.tick)");
    assert!(first.as_u64().is_some_and(|tick| tick < 190), "{first}");
    page.click_on(".runs tbody button");
    page.until(&format!(
        "document.querySelector('#tick').textContent === '{first}'"
    ));
    page.until("window.treemind.model.view.value.does === 'run-away'");
    page.until(
        "document.querySelector('.told.ok').textContent.includes('played again from tick 0')",
    );
    // With the keyboard.
    page.press("R");
    page.until("document.querySelector('.runs p').textContent.endsWith(`${window.treemind.model.view.value.earlier.from}`)");
    page.until(&format!(
        "window.treemind.model.view.value.earlier.from === {first}"
    ));
    page.until("document.querySelector('.runs [role=status]')");
    assert_eq!(violations(page), "");
}

#[test]
#[ignore = "draws pictures, if STUDIO_PICTURES says where"]
fn pictures_of_tests() {
    let Some(folder) = std::env::var_os("STUDIO_PICTURES") else {
        return;
    };
    let folder = Path::new(&folder);
    let more = MORE.replace(
        "expect active=patrol",
        "expect active=patrol\n    never attack",
    );
    let mut desk = Desk::new(&more, 240);
    desk.page.press("T");
    desk.page.until(&is("is never afraid", "failed"));
    desk.page.click_on("[data-test='is never afraid']");
    draw(&mut desk.page, folder, "tests");
    desk.page.click_on(".watch");
    desk.page
        .until("window.treemind.model.view.value.does === 'run-away'");
    draw(&mut desk.page, folder, "tests-watched");
    let mut desk = Desk::new("", 240);
    let changed = desk.text().replacen("health < 20", "health < 50", 1).replacen("        action patrol\n    }\n}", "        sequence { check \"health > 200\"; action attack; }\n        action patrol\n    }\n}", 1);
    std::fs::write(&desk.path, &changed).expect("it is written");
    desk.page.until("window.treemind.model.view.value.reloaded");
    desk.page.click_on("[aria-label='To the first tick']");
    desk.page
        .until("document.querySelector('#tick').textContent === '0'");
    desk.page.press("R");
    desk.page.until("document.querySelector('.runs tbody tr')");
    draw(&mut desk.page, folder, "tests-again");
    desk.page.press("r");
    for _ in 0..5 {
        desk.page.press("ArrowLeft");
    }
    desk.page
        .until("document.querySelector('#tick').textContent === '235'");
    desk.page.press("r");
    desk.page.press("T");
    desk.page.until("document.querySelector('.drafted')");
    desk.page
        .value("document.querySelector('.making').scrollIntoView()");
    draw(&mut desk.page, folder, "tests-made");
}
