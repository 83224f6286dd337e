//! Frames of a crowd as text, and how its view reacts to keys.

use super::super::camera::{Camera, Subject};
use super::super::course::Plays as _;
use super::super::notes::{self, Printed};
use super::super::reel::Reel;
use super::super::reloading::Reloaded as _;
use super::super::replay;
use super::super::view::tests::{expect, text_of};
use super::app::CrowdApp;
use super::{Crowd, Scenario, Town, view};
use crate::io::Output;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use treemind_arena::Rules;
use treemind_core::Behaviour;
use treemind_doc::Document;
use treemind_view::{Show as _, Theme, Wish};

/// The village: its document and map.
fn read() -> (Document, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/12-village");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let document = Document::parse(&read("village.kdl"), "village.kdl");
    (document, read("village.map"))
}

/// The village, with so many people.
fn town(people: usize) -> Town {
    let (document, map) = read();
    let Ok(scenario) = Scenario::parse(&map) else {
        panic!("the map has no errors");
    };
    let crowd = Crowd::new(document.behaviour(None).unwrap(), scenario, people, 1, 0);
    let crowd = crowd.expect("it can be played").of_document(&document);
    Town::new(crowd, 1)
}

/// The view of the village after some ticks.
fn village(ticks: u64) -> CrowdApp {
    let theme = Theme { has_colours: false };
    let mut app = CrowdApp::new((town(500), None), "village".to_owned(), theme, (None, 1.0));
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

/// Documents are replaced, also after going back: the recording has what was played in the end, and earlier ticks keep
/// their document.
#[test]
fn what_is_played_after_reloads_in_the_past_is_recorded() {
    let (document, map) = read();
    let text = document.sources().next().unwrap().text().to_owned();
    let changed = |secs: &str| {
        let changed = text.replace("action hide secs=20.0", &format!("action hide secs={secs}"));
        Document::parse(&changed, "village.kdl")
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("village.mcap");
    let rules = Rules {
        seed: 0,
        rounds: true,
    };
    let subject = Subject {
        output: Output::in_place(&path),
        document: document.clone(),
        map: Some((map, rules)),
        printed: Printed::default(),
    };
    let town = town(40);
    let camera = Camera::new(subject, &town).unwrap_or_else(|_| panic!("it is recorded"));
    let mut reel = Reel::new(town).recorded_by(Some(camera));
    let mut hashes = BTreeMap::new();
    // The first change comes at the tick of a copy.
    for (tick, secs) in [(64, "21.0"), (70, "22.0"), (66, "23.0"), (80, "")] {
        reel.seek(tick);
        while reel.tick() < tick {
            reel.step();
            hashes.insert(reel.tick(), reel.now().crowd().state_hash());
        }
        if !secs.is_empty() {
            let next = changed(secs);
            reel.reload(next.behaviour(None).unwrap(), &next).unwrap();
        }
    }
    let text_of = |behaviour: &Behaviour| format!("{behaviour:?}");
    let other = changed("21.0").behaviour(None).unwrap();
    assert!(text_of(&other) != text_of(&document.behaviour(None).unwrap()));
    for (tick, secs) in [
        (60, "20.0"),
        (65, "21.0"),
        (75, "23.0"),
        (64, "21.0"),
        (80, "23.0"),
    ] {
        reel.seek(tick);
        while reel.tick() < tick {
            reel.step();
        }
        let wanted = changed(secs).behaviour(None).unwrap();
        assert!(
            text_of(reel.now().behaviour()) == text_of(&wanted),
            "tick {tick}"
        );
    }
    let (_, camera) = reel.into_parts();
    let finished = camera.map(Camera::finish);
    assert!(finished.is_some_and(|finished| finished.is_ok()));
    let recording = replay::open(&path, None).unwrap_or_else(|_| panic!("it is whole"));
    let recording = Arc::new(recording);
    let Ok(Some(crowd)) = notes::crowd(&recording, 0, 1) else {
        panic!("it is a crowd");
    };
    let mut played = Town::new(crowd, 1);
    played.course_mut().compare_with(Arc::clone(&recording));
    for (tick, hash) in hashes {
        played.step_recorded(None);
        assert_eq!(played.differs(), None, "tick {tick}");
        assert_eq!(played.crowd().state_hash(), hash, "tick {tick}");
    }
    assert_eq!(recording.documents().count(), 3);
}
