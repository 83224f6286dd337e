//! The page in a real browser, by keyboard and mouse. These tests need Chromium; `cargo xtask ci` installs it and runs them.

use crate::browser::Browser;
use crate::program::{Studio, root};
use serde_json::json;
use std::path::Path;

const GUARD: &str = "examples/01-guard/guard.kdl";
const WATCHMAN: &str = "examples/09-watchman/watchman.kdl";
const ROBOT: &str = "examples/04-cleaning-robot/robot.kdl";

/// The page at a tick of a document.
fn at(studio: &Studio, file: &str, tick: u64) -> Browser {
    let mut browser = Browser::open(&studio.at(&format!("file={file}&tick={tick}")));
    browser.until(&format!(
        "document.querySelector('#tick').textContent === '{tick}'"
    ));
    browser
}

#[test]
#[ignore = "needs Chromium"]
fn the_guard_flees_and_the_page_says_why() {
    let studio = Studio::start(&[GUARD]);
    let mut page = at(&studio, GUARD, 190);
    assert_eq!(
        page.value("document.querySelector('.now h1').textContent"),
        "run-away"
    );
    let now = page.value("document.querySelector('.now').textContent");
    let now = now.as_str().expect("a text");
    assert!(
        now.contains("from 31 to 14") && now.contains("attack"),
        "{now}"
    );
    let mark = |id: &str| format!("document.querySelector('[data-id={id}]').dataset.mark");
    assert_eq!(page.value(&mark("n6")), "run");
    assert_eq!(page.value(&mark("n9")), "cut");
    assert_eq!(page.value(&mark("n2")), "ok");
    let why = page.value("document.querySelector('.why').textContent");
    assert!(
        why.as_str()
            .expect("a text")
            .contains("changed from 31 to 14 in this tick"),
        "{why}"
    );
    let health = page.value("document.querySelector('[data-key=health]').textContent");
    assert!(
        health
            .as_str()
            .expect("a text")
            .contains("the game wrote it"),
        "{health}"
    );
    assert_eq!(
        page.value("!!document.querySelector('[data-key=health] .fresh')"),
        true
    );
}

#[test]
#[ignore = "needs Chromium"]
fn keys_pause_step_back_and_find_changes() {
    let studio = Studio::start(&[GUARD]);
    let mut page = Browser::open(&studio.url);
    page.until("Number(document.querySelector('#tick').textContent) > 3");
    page.press(" ");
    page.until("window.treemind.model.view.value.is_paused");
    let tick = page
        .value("window.treemind.model.view.value.tick")
        .as_u64()
        .expect("a tick");
    page.press(".");
    page.until(&format!(
        "window.treemind.model.view.value.tick === {}",
        tick + 1
    ));
    page.press("ArrowLeft");
    page.press("ArrowLeft");
    page.until(&format!(
        "window.treemind.model.view.value.tick === {}",
        tick - 1
    ));
    page.press("Home");
    page.until("window.treemind.model.view.value.tick === 0");
    page.press("+");
    page.until("document.querySelector('.speed').textContent === '2×'");
    page.press(" ");
    page.until("window.treemind.model.view.value.tick > 3");
}

#[test]
#[ignore = "needs Chromium"]
fn list_and_graph_select_and_fold_the_same_lines() {
    let studio = Studio::start(&[GUARD]);
    let mut page = at(&studio, GUARD, 190);
    page.click_on("[data-id=n4]");
    page.until("document.querySelector('[data-id=n4]').ariaSelected === 'true'");
    page.until("document.querySelector('.asked')");
    page.press("h");
    page.until("document.querySelector('[data-id=n6]') === null");
    assert_eq!(
        page.value("document.querySelector('[data-id=n4]').dataset.mark"),
        "run"
    );
    page.press("l");
    page.until("document.querySelector('[data-id=n6]')");
    page.press("j");
    page.until("document.querySelector('[data-id=n5]').ariaSelected === 'true'");
    // The same by the mouse, in the graph.
    let place = page.value(
        "(() => { const p = window.treemind.place('n9'), r = document.querySelector('.graph canvas').getBoundingClientRect(); return [p.x + r.x, p.y + r.y]; })()",
    );
    page.click(place[0].as_f64().expect("x"), place[1].as_f64().expect("y"));
    page.until("document.querySelector('[data-id=n9]').ariaSelected === 'true'");
    page.until("document.querySelector('.asked').textContent.includes('attack')");
    page.until("location.hash.includes('node=n9') && location.hash.includes('tick=190')");
    // What is searched stays in the list.
    page.press("Escape");
    page.press("/");
    for key in ["p", "a", "t"] {
        page.press(key);
    }
    page.until("document.querySelectorAll('[role=treeitem]').length === 1");
    assert_eq!(
        page.value("document.querySelector('[role=treeitem] .name').textContent"),
        "patrol"
    );
}

#[test]
#[ignore = "needs Chromium"]
fn the_timeline_scrubs_by_mouse() {
    let studio = Studio::start(&[GUARD]);
    let mut page = at(&studio, GUARD, 300);
    let middle = "(() => { const r = document.querySelector('footer canvas').getBoundingClientRect(); return [r.x + 112 + (r.width - 140) / 2, r.y + 40]; })()";
    let place = page.value(middle);
    page.click(place[0].as_f64().expect("x"), place[1].as_f64().expect("y"));
    page.until("document.querySelector('#tick').textContent === '150'");
    assert_eq!(
        page.value("document.querySelector('.now h1').textContent"),
        "attack"
    );
    assert_eq!(
        page.value("document.querySelector('[role=slider]').ariaValueMax"),
        "300"
    );
    // The wheel zooms around the pointer, which reads the lanes; `e` shows everything again.
    let (x, y) = (place[0].as_f64().expect("x"), place[1].as_f64().expect("y"));
    page.wheel(x, y, -500.0);
    page.until("document.querySelector('.window').ariaPressed === 'false'");
    page.click(x, y);
    page.value("new Promise(done => setTimeout(done, 100))");
    assert_eq!(
        page.value("document.querySelector('#tick').textContent"),
        "150"
    );
    page.press("e");
    page.until("document.querySelector('.window').ariaPressed === 'true'");
    // `attack` was cut off; a key has a lane in front when it is pinned, and that is remembered.
    let ends = "JSON.stringify(window.treemind.model.film.value.does.filter(b => b[2] === 'attack').map(b => b[3]))";
    assert_eq!(page.value(ends), "[1]");
    page.value("document.querySelector('[data-key=health] .pin').click()");
    page.until("document.querySelector('[data-key=health] .pin').ariaPressed === 'true'");
    assert_eq!(
        page.value("localStorage.getItem('pins')"),
        r#"{"examples/01-guard/guard.kdl":["health"]}"#
    );
    // The way to the tick that a reason names.
    page.click_on(".why .link");
    page.until("document.querySelector('#tick').textContent !== '150'");
}

#[test]
#[ignore = "needs Chromium"]
fn machines_decision_trees_and_texts_are_shown() {
    let studio = Studio::start(&[ROBOT, WATCHMAN, GUARD]);
    let mut page = at(&studio, ROBOT, 200);
    page.until("document.querySelector('.row.run .name')");
    let active =
        page.value("[...document.querySelectorAll('.row.run .name')].map(e => e.textContent)");
    assert!(
        active
            .as_array()
            .expect("names")
            .contains(&json!("on-duty")),
        "{active}"
    );
    // What runs is in view also in a small window: its row in the graph, and its line in the list.
    page.resize(1280, 720);
    let shown = "(() => { const { model, place } = window.treemind, id = model.lines.value[model.running.value].id, at = place(id), canvas = document.querySelector('.graph canvas'); const row = document.querySelector(`[data-id='${id}']`).getBoundingClientRect(), rows = document.querySelector('.rows').getBoundingClientRect(); return model.lines.value[model.running.value].text === 'action dump' && at.x > 0 && at.y > 0 && at.x < canvas.clientWidth && at.y < canvas.clientHeight && row.top >= rows.top && row.bottom <= rows.bottom; })()";
    page.until(shown);
    page.click_on("[title='Zoom in']");
    page.click_on("[title='Zoom in']");
    page.until(shown);
    let follows = |on: bool| format!("document.querySelector('.follow').ariaPressed === '{on}'");
    page.until(&follows(true));
    let (x, y) = page.middle_of(".graph canvas");
    page.drag((x, y), (x + 600.0, y + 300.0));
    page.until(&follows(false));
    page.until(&format!("!{shown}"));
    page.press("F");
    page.until(&follows(true));
    page.until(shown);
    let (x, y) = page.middle_of(".rows");
    page.wheel(x, y, -2000.0);
    page.until(&follows(false));
    page.until(&format!("!{shown}"));
    page.click_on(".follow");
    page.until(shown);
    let choose = |file: &str| {
        format!(
            "(() => {{ const s = document.querySelector('header select'); s.value = '{file}'; s.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()"
        )
    };
    page.value(&choose(WATCHMAN));
    page.until("document.querySelector('nav .head').textContent.includes('watchman')");
    page.until("document.querySelector('[data-mark=fail]')");
    page.press("t");
    page.until("document.querySelector('.text').textContent.includes('max=3.0')");
}

#[test]
#[ignore = "needs Chromium"]
fn a_document_with_errors_shows_them_where_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let bad = folder.path().join("bad.kdl");
    std::fs::write(&bad, "tree guard {\n    actoin attack\n}\n").expect("a file");
    let studio = Studio::start(&[bad.to_str().expect("a path")]);
    let mut page = Browser::open(&studio.url);
    page.until("document.querySelectorAll('.text .bad').length === 1");
    let line = page.value("document.querySelector('.text .bad').textContent");
    let line = line.as_str().expect("a text");
    assert!(
        line.contains("actoin") && line.contains("did you mean action?"),
        "{line}"
    );
    assert_eq!(
        page.value("document.querySelector('.text .mistake').textContent"),
        "actoin"
    );
    assert_eq!(
        page.value("[...document.querySelectorAll('.problems li b')].map(one => one.textContent)"),
        serde_json::json!(["Error:"])
    );
    page.click_on("header [aria-label=中文]");
    // What is wrong, what helps, and why nothing plays.
    page.until("document.querySelector('.text .bad').textContent.includes('未知的节点 actoin · 你是不是想写 action？')");
    page.until("document.querySelector('.now.bad').textContent.includes('文档有错误')");
}

#[test]
#[ignore = "needs Chromium"]
fn a_page_with_a_token_keeps_it_in_its_address() {
    let studio = Studio::start(&["--token", "examples/01-guard/guard.kdl"]);
    let mut page = Browser::open(&studio.url);
    page.until("Number(document.querySelector('#tick')?.textContent) > 3");
    page.press(" ");
    page.until("location.hash.includes('tick=') && location.hash.includes('token=')");
    page.value("setTimeout(() => location.reload())");
    page.until("document.querySelector('.play')?.ariaPressed === 'false'");
}

#[test]
#[ignore = "needs Chromium"]
fn a_recording_is_watched_like_a_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let film = folder.path().join("guard.mcap");
    let film = film.to_str().expect("a path");
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_treemind"))
        .args([
            "run", GUARD, "--no-ui", "--quiet", "--ticks", "200", "--record", film,
        ])
        .current_dir(root())
        .output()
        .expect("the program starts");
    assert!(run.status.success());
    let studio = Studio::start(&[film]);
    let mut page = at(&studio, film, 190);
    assert_eq!(
        page.value("document.querySelector('.now h1').textContent"),
        "run-away"
    );
    page.press("End");
    page.until("document.querySelector('#tick').textContent === '200'");
}

#[test]
#[ignore = "needs Chromium"]
fn themes_languages_and_a_server_that_is_gone() {
    let studio = Studio::start(&[GUARD]);
    let mut page = at(&studio, GUARD, 20);
    let theme = "document.documentElement.dataset.theme";
    let before = page.value(theme);
    page.click_on("header [aria-label^=Light]");
    page.until(&format!("{theme} !== {before}"));
    page.click_on("header [aria-label=中文]");
    page.until("document.documentElement.lang === 'zh' && document.querySelector('footer').textContent.includes('帧')");
    page.press("?");
    page.until("document.querySelector('[role=dialog]')");
    page.press("Escape");
    page.until("!document.querySelector('[role=dialog]')");
    // A breakpoint that only lists what happens.
    page.click_on("[data-id=n6] .dot");
    page.until("document.querySelector('[data-breakpoint]')");
    page.value("document.querySelector('[data-breakpoint] [aria-expanded]').click()");
    page.until("document.querySelector('.edit')");
    page.value("document.querySelectorAll('.edit [type=checkbox]')[0].click()");
    page.until("window.treemind.model.view.value.breakpoints[0].only_lists");
    let port = studio.host().rsplit_once(':').expect("a port").1.to_owned();
    drop(studio);
    page.until("document.querySelector('[role=alert]')");
    // Everything stays readable, and it goes on when there is a server again.
    assert_eq!(
        page.value("document.querySelector('#tick').textContent"),
        "20"
    );
    let _again = Studio::start(&[GUARD, "--port", &port]);
    page.until("!document.querySelector('[role=alert]')");
    page.until("Number(document.querySelector('#tick').textContent) > 0");
    // The program has its breakpoints again, and the page lists what happened.
    page.until("window.treemind.model.view.value.breakpoints[0].only_lists");
    page.press("+");
    page.press("+");
    page.until("document.querySelector('[data-hit=\"190\"]').textContent.includes('health 14')");
    assert_eq!(
        page.value("window.treemind.model.view.value.stopped"),
        json!(null)
    );
    page.value("document.querySelector('[data-hit=\"190\"]').click()");
    page.until("document.querySelector('#tick').textContent === '190'");
    page.until("document.querySelector('[data-id=n6]').ariaSelected === 'true'");
    // The reasons, the log and the hits are in the language of the page.
    for (language, [why, event, hit]) in [
        ("English", ["开始成立", "看见", "开始"]),
        ("中文", ["began to hold", "sees", "begins"]),
    ] {
        page.until(&format!(
            "document.querySelector('.why').textContent.includes('{why}')"
        ));
        page.until(&format!(
            "window.treemind.model.film.value.events.some((one) => one[2].includes('{event}'))"
        ));
        page.until(&format!(
            "document.querySelector('[data-hit=\"190\"]').textContent.includes('{hit}')"
        ));
        page.click_on(&format!("header [aria-label={language}]"));
    }
}

/// A document and its map in a folder of their own, where a test may change them.
fn copy_of_guard(folder: &Path) -> String {
    for name in ["guard.kdl", "yard.map"] {
        let from = root().join("examples/01-guard").join(name);
        std::fs::copy(from, folder.join(name)).expect("a copy");
    }
    let file = folder.join("guard.kdl");
    file.to_str().expect("a path").to_owned()
}

#[test]
#[ignore = "needs Chromium"]
fn a_run_goes_on_when_its_document_changes_and_the_page_when_it_is_started_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = copy_of_guard(folder.path());
    let text = std::fs::read_to_string(&file).expect("a text");
    let studio = Studio::run(&[&file, "--watch", "--at", "190"]);
    let mut page = Browser::open(&studio.url);
    page.until("document.querySelector('#tick').textContent === '190'");
    page.until("document.querySelector('.now h1').textContent === 'run-away'");
    // What is selected and folded stays, and so does the tick.
    page.click_on("[data-id=n4]");
    page.press("h");
    page.until("document.querySelector('[data-id=n6]') === null");
    let changed = text.replace("attack range=1.5", "attack range=2.5");
    assert_ne!(changed, text);
    std::fs::write(&file, &changed).expect("it can be written");
    page.until("document.querySelector('.told.ok').textContent.includes('reloaded')");
    page.until("document.querySelector('nav').textContent.includes('range=2.5')");
    // What it does at this tick is still shown, so nothing has to be said about marks.
    page.until("document.querySelector('.now h1').textContent === 'run-away' && !document.querySelector('.told.ok').textContent.includes('from the next tick on')");
    assert_eq!(
        page.value("document.querySelector('[data-id=n6]') === null && document.querySelector('[data-id=n4]').ariaSelected"),
        "true"
    );
    assert_eq!(
        page.value("document.querySelector('#tick').textContent"),
        "190"
    );
    // Ticks before the change can be reached, and are shown with the document that they were played with.
    page.press("Home");
    page.until("document.querySelector('#tick').textContent === '0'");
    page.press("End");
    page.press(".");
    page.until("document.querySelector('#tick').textContent === '191'");
    page.until("document.querySelector('[data-key] .by').textContent.includes('tick') && document.querySelector('aside').textContent.includes('unchanged since the reload at tick 190')");
    page.click_on(".told button");
    page.until("!document.querySelector('.told')");
    // Errors are said, and nothing changes.
    std::fs::write(
        &file,
        text.replace("action attack range", "actoin attack range"),
    )
    .expect("it can be written");
    page.until("document.querySelector('.told.bad').textContent.includes('unknown node')");
    assert_eq!(
        page.value("document.querySelector('nav').textContent.includes('range=2.5')"),
        true
    );
    // The page shows the new text with its mistakes, and goes from one to the next; the graph is the last good one.
    page.until("document.querySelector('.text .mistake').textContent === 'actoin'");
    page.press("F8");
    page.until("document.querySelector('.text .here').textContent.includes('actoin')");
    page.until("document.querySelector('[data-problem=\"0\"]').ariaCurrent === 'true'");
    page.press("g");
    page.until("document.querySelector('.graph.old')");
    page.press("t");
    std::fs::write(&file, &text).expect("it can be written");
    page.until("document.querySelector('nav').textContent.includes('range=1.5')");
    page.until(
        "!document.querySelector('.problems') && document.querySelector('.graph:not(.old)')",
    );
    // The game is started again, at the same address.
    let port = studio.host().rsplit_once(':').expect("a port").1.to_owned();
    drop(studio);
    page.until("document.querySelector('[role=alert]')");
    std::fs::write(&file, &text).expect("it can be written");
    let _again = Studio::run(&[&file, "--at", "5", "--port", &port]);
    page.until("!document.querySelector('[role=alert]')");
    page.until("document.querySelector('#tick').textContent === '5'");
    page.until("document.querySelector('nav').textContent.includes('range=1.5')");
    assert_eq!(
        page.value("document.querySelector('[data-id=n4]').ariaSelected"),
        "true"
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_crowd_is_counted_searched_followed_and_written() {
    let studio = Studio::start(&["examples/12-village/village.kdl"]);
    let mut page = at(&studio, "examples/12-village/village.kdl", 300);
    page.until("document.querySelectorAll('.row .heat').length > 5");
    let everybody =
        "[...document.querySelectorAll('.heat')].some(e => Number(e.dataset.runs) > 1000)";
    page.until(everybody);
    page.until("document.querySelectorAll('.crowd [data-agent]').length > 10");
    // Those first who have done longest what they do.
    page.click_on(".crowd .order");
    page.until("document.querySelector('.crowd [data-agent] span').textContent.endsWith(' s')");
    page.until("window.treemind.model.film.value.shares.ticks.length > 200");
    page.click_on(".crowd .order");
    // By name, and by a condition of the document.
    page.click_on(".crowd input");
    for key in ["-", "1", "7", "0", "0"] {
        page.press(key);
    }
    page.until("document.querySelectorAll('.crowd [data-agent]').length === 1");
    page.click_on(".crowd [data-agent]");
    page.until("window.treemind.model.view.value.mind === 1699");
    page.until("document.querySelector('[data-key=news]')");
    page.click_on(".crowd input.code");
    for key in ["n", "e", "w", "s", ">"] {
        page.press(key);
    }
    page.until("document.querySelector('.crowd [role=alert]')");
    page.press("6");
    page.until("!document.querySelector('.crowd [role=alert]')");
    page.until("document.querySelectorAll('.crowd [data-agent]').length === 0");
    // A value is written, and the next tick begins with it.
    page.press("Escape");
    page.value("document.querySelector('[data-key=news]').scrollIntoView()");
    page.click_on("[data-key=news] button.held");
    page.until("document.activeElement.value === '0'");
    for key in ["Backspace", "7", "Enter"] {
        page.press(key);
    }
    page.until("!document.querySelector('[data-key=news] input')");
    page.press(".");
    page.until("document.querySelector('[data-key=news] .value').textContent === '7'");
    page.until("document.querySelectorAll('.crowd [data-agent]').length === 1");
    // A key that is held has a sign, and is released by it.
    page.click_on("[data-key=news] .hold");
    page.until("document.querySelector('[data-key=news] .hold').ariaPressed === 'true'");
    page.until("document.querySelector('[data-key=news] .again').textContent.startsWith('7 ')");
    page.click_on("[data-key=news] .hold");
    page.until("document.querySelector('[data-key=news] .again') === null");
    // Somebody in the arena is followed.
    page.value("document.querySelector('.arena').scrollIntoView()");
    let place = page.value(
        "(() => { const canvas = document.querySelector('.arena canvas'), box = canvas.getBoundingClientRect(), { points, unit } = window.treemind.model.view.value.scene.crowd, places = window.treemind.placesOf(points); const size = unit * box.width / window.treemind.model.definition.value.ground.rows[0].length; return [box.x + places[10] * size, box.y + places[11] * size]; })()",
    );
    page.click(place[0].as_f64().expect("x"), place[1].as_f64().expect("y"));
    page.until("window.treemind.model.view.value.mind !== 1699");
    // A page that is loaded again shows the same file and agent.
    let mind = page.value("window.treemind.model.view.value.mind");
    page.until(&format!(
        "Number(location.hash.match(/agent=(\\d+)/)[1]) === {mind} + 1"
    ));
    page.value("window.isOld = true; location.reload()");
    page.until(&format!(
        "!window.isOld && window.treemind.model.view.value.mind === {mind} && window.treemind.model.view.value.crowd"
    ));
}

/// Draws the pictures of the pages of the documentation, and more, into the folder `STUDIO_PICTURES`.
#[test]
#[ignore = "draws pictures for people to look at"]
fn pictures() {
    let Some(folder) = std::env::var_os("STUDIO_PICTURES") else {
        return;
    };
    let wanted = std::env::var("STUDIO_WANTED").unwrap_or_default();
    let studio = Studio::start(&[]);
    let scenes = [
        ("guard", "01-guard/guard.kdl", 190, ""),
        ("village", "12-village/village.kdl", 700, ""),
        ("robot", "04-cleaning-robot/robot.kdl", 597, ""),
        ("watchman", "09-watchman/watchman.kdl", 1091, ""),
        ("boss", "03-boss/boss.kdl", 200, ""),
        ("child", "11-child/child.kdl", 300, ""),
        ("hunter", "08-hunter/hunter.kdl", 300, ""),
        ("sniper", "18-sniper/sniper.kdl", 20, ""),
        ("text", "01-guard/guard.kdl", 190, "t"),
    ];
    if wanted.is_empty() || wanted.split(',').any(|one| one == "reloaded") {
        picture_of_reload(Path::new(&folder));
    }
    if wanted.is_empty() || wanted.split(',').any(|one| one == "editor") {
        picture_of_editor(Path::new(&folder));
    }
    for (name, file, tick, key) in scenes {
        if !wanted.is_empty() && !wanted.split(',').any(|one| one == name) {
            continue;
        }
        let mut page = at(&studio, file, tick);
        page.until(&format!(
            "window.treemind.model.view.value.file === '{file}'"
        ));
        if !key.is_empty() {
            page.press(key);
        }
        draw(&mut page, Path::new(&folder), name);
    }
}

/// A document in the editor, with a node around another one that was just added.
fn picture_of_editor(folder: &Path) {
    let files = tempfile::tempdir().expect("a folder");
    let file = copy_of_guard(files.path());
    let studio = Studio::start(&[&file]);
    let mut page = Browser::open(&studio.at("tick=190"));
    page.until("document.querySelector('#tick').textContent === '190'");
    page.press("E");
    page.until("document.querySelectorAll('.sheet .row').length > 20");
    page.value("document.querySelector('.sheet [data-word=monitor]').click(); document.querySelector('.sheet').focus()");
    draw(&mut page, folder, "editor");
}

/// A run whose document has changed, and then has errors.
fn picture_of_reload(folder: &Path) {
    let files = tempfile::tempdir().expect("a folder");
    let file = copy_of_guard(files.path());
    let text = std::fs::read_to_string(&file).expect("a text");
    let studio = Studio::run(&[&file, "--watch", "--at", "190"]);
    let mut page = Browser::open(&studio.url);
    page.until("document.querySelector('#tick').textContent === '190'");
    for (name, from, to, seen) in [
        ("reloaded", "health < 20", "health < 10", ".told.ok"),
        (
            "not-reloaded",
            "action attack range",
            "actoin attack range",
            ".told.bad",
        ),
    ] {
        std::fs::write(&file, text.replace(from, to)).expect("it can be written");
        page.until(&format!("document.querySelector('{seen}')"));
        draw(&mut page, folder, name);
    }
}

/// Writes what a test shows as pictures in both themes, if somebody wants to look at it.
pub(crate) fn draw_if_wanted(page: &mut Browser, name: &str) {
    if let Some(folder) = std::env::var_os("STUDIO_PICTURES") {
        draw(page, Path::new(&folder), name);
    }
}

/// Writes a page as pictures in both themes.
pub(crate) fn draw(page: &mut Browser, folder: &Path, name: &str) {
    for theme in ["dark", "light"] {
        page.until(&format!(
            "document.documentElement.dataset.theme === '{theme}' || document.querySelector('header [aria-label^=Light]').click()"
        ));
        page.value("new Promise(done => setTimeout(done, 400))");
        let path = folder.join(format!("{name}-{theme}.png.b64"));
        std::fs::write(path, page.picture()).expect("a file");
    }
}
