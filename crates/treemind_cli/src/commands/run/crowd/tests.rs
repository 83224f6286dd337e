//! Frames of a crowd as text, and how its view reacts to keys.

use super::super::view::tests::{expect, text_of};
use super::app::CrowdApp;
use super::{Crowd, Scenario, Timed, view};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use std::path::Path;
use treemind_doc::Document;
use treemind_view::{Show as _, Theme, Wish};

/// The village, with few people, after some ticks.
fn village(ticks: u64) -> CrowdApp {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/12-village");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let document = Document::parse(&read("village.kdl"), "village.kdl");
    let Ok(scenario) = Scenario::parse(&read("village.map")) else {
        panic!("the map has no errors");
    };
    let crowd = Crowd::new(document.behaviour(None).unwrap(), scenario, 500, 1, 0);
    let timed = Timed::new(crowd.expect("it can be played"), 1);
    let theme = Theme { has_colours: false };
    let mut app = CrowdApp::new(timed, "village".to_owned(), theme, (None, 1.0));
    (0..ticks).for_each(|_| assert!(app.advance()));
    app
}

fn shown(app: &mut CrowdApp, (width, height): (u16, u16)) -> String {
    // A frame says how long a tick took.
    app.crowd_mut().forget_time();
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| view::draw(frame, app)).unwrap();
    text_of(terminal.backend().buffer())
}

fn press(app: &mut CrowdApp, keys: &str) -> Wish {
    let press = |key: char| app.press(KeyEvent::from(KeyCode::Char(key)));
    keys.chars().map(press).last().unwrap_or(Wish::GoOn)
}

#[test]
fn frames() {
    let mut app = village(180);
    expect("village-120x36.txt", &shown(&mut app, (120, 36)));
    expect("village-60x20.txt", &shown(&mut app, (60, 20)));
    assert!(press(&mut app, "?") == Wish::GoOn);
    expect("village-help-100x30.txt", &shown(&mut app, (100, 30)));
}

#[test]
fn any_key_closes_the_help() {
    let mut app = village(1);
    let before = shown(&mut app, (100, 30));
    for keys in ["?", "h"] {
        press(&mut app, keys);
        assert_ne!(shown(&mut app, (100, 30)), before);
        // The key does nothing else.
        assert!(press(&mut app, ".") == Wish::GoOn);
        assert_eq!(shown(&mut app, (100, 30)), before);
    }
    press(&mut app, "?");
    assert!(press(&mut app, "q") == Wish::Quit);
}

#[test]
fn it_goes_back_tick_by_tick_and_on_again() {
    let mut app = village(0);
    let mut frames = Vec::new();
    for _ in 0..44 {
        press(&mut app, ".");
        frames.push(shown(&mut app, (120, 36)));
    }
    for tick in (35..43).rev() {
        press(&mut app, ",");
        assert_eq!(
            shown(&mut app, (120, 36)),
            frames[tick],
            "tick {}",
            tick + 1
        );
        if tick == 38 {
            press(&mut app, ".");
            assert_eq!(shown(&mut app, (120, 36)), frames[39]);
            press(&mut app, ",");
        }
    }
    let mut app = village(2);
    // Before the first tick there is none.
    press(&mut app, ",,,");
    assert_eq!(app.crowd().tick(), 0);
}
