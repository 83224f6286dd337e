//! Recordings of games in the arena, played again.

use super::super::super::camera::{Camera, Recorded, Subject};
use super::super::super::course::Plays as _;
use super::super::super::live::Live;
use super::super::super::notes::Printed;
use super::super::super::player::Player;
use super::super::super::reloading::Reloaded as _;
use super::super::super::{self as run, notes, replay};
use super::input::{SIZE, press, type_keys, viewed};
use super::{COLOURS, CommandLine, example, examples, shown};
use crate::io;
use clap::Parser as _;
use ratatui::crossterm::event::KeyCode;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use treemind_arena::Key;
use treemind_doc::Document;
use treemind_view::{App, Show as _};

/// A recording of an example, which begins with its first tick.
pub(super) struct Take {
    folder: tempfile::TempDir,
    document: Document,
    pub(super) camera: Camera,
    name: String,
}

impl Take {
    pub(super) fn new(name: &str, player: &Player) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = examples().join(name);
        let args = CommandLine::parse_from(["run", file.to_str().unwrap()]).run;
        let document = io::sound_document(&args.file, args.what.known());
        let document = document.unwrap_or_else(|_| panic!("{name}"));
        let (_, map) = run::scenario(&args, &file).unwrap_or_else(|_| panic!("{name}"));
        let subject = Subject {
            output: io::Output::in_place(&path_in(folder.path())),
            document: document.clone(),
            map: Some((map, run::rules(&args, true))),
            printed: Printed::default(),
        };
        let camera = Camera::new(subject, player).unwrap_or_else(|_| panic!("{name}"));
        Self {
            folder,
            document,
            camera,
            name: name.to_owned(),
        }
    }

    /// What was recorded, from its begin on.
    pub(super) fn player(self) -> Player {
        let name = self.name;
        self.camera.finish().unwrap_or_else(|_| panic!("{name}"));
        let recording = replay::open(&path_in(self.folder.path()), None);
        let recording = recording.unwrap_or_else(|_| panic!("{name}"));
        let Ok(Some(player)) = notes::player(&Arc::new(recording), 0) else {
            panic!("{name} was recorded in the arena")
        };
        player
    }
}

fn path_in(folder: &Path) -> PathBuf {
    folder.join("game.mcap")
}

/// A game in the arena is recorded; what is replayed looks the same at every tick, in whatever order they are visited.
#[test]
fn going_back_and_forth_in_a_recording_shows_what_the_game_showed() {
    for name in ["01-guard/guard.kdl", "06-squad/squad.kdl"] {
        let mut player = example(name, 0);
        let mut film = Take::new(name, &player);
        (0..500).for_each(|_| film.camera.step(&mut player));
        let mut replay = App::new(Live::new(film.player()).watching(500), 0, COLOURS);
        let mut game = viewed(example(name, 0));
        let mut same = |keys: &str, codes: &[KeyCode]| {
            for app in [&mut replay, &mut game] {
                app.look.is_paused = true;
                type_keys(app, keys);
                press(app, codes);
                app.work(u64::MAX);
            }
            assert_eq!(replay.tick(), game.tick(), "{name} {keys}");
            let [there, here] = [&mut replay, &mut game].map(|app| shown(app, SIZE));
            assert_eq!(there, here, "{name} {keys} at {}", replay.tick());
        };
        let enter = [KeyCode::Enter];
        same("g190", &enter);
        same(",", &[]);
        same("..", &[]);
        same("y", &[]);
        same("", &[KeyCode::Esc]);
        same("g40", &enter);
        same("g441", &enter);
        same(",,,", &[]);
        same("", &[KeyCode::Tab]);
        same("g2", &enter);
        assert_eq!(replay.tick(), 2);
        // It ends where the recording ends.
        type_keys(&mut replay, "g900");
        press(&mut replay, &enter);
        replay.work(u64::MAX);
        assert_eq!(replay.tick(), 500, "{name}");
    }
}

/// The log and the whole game after each of so many ticks.
fn course(player: &mut Player, ticks: u64, mut step: impl FnMut(&mut Player)) -> Vec<String> {
    let tick = |_| {
        step(player);
        let lines: Vec<&str> = player.fresh().map(|line| line.text.as_str()).collect();
        format!("{lines:?} {:?}", player.save())
    };
    (0..ticks).map(tick).collect()
}

/// Two documents come while the view is paused. What the one between them has aborted stays aborted.
#[test]
fn two_documents_within_one_pause_are_replayed() {
    let name = "01-guard/guard.kdl";
    let mut player = example(name, 0);
    let mut film = Take::new(name, &player);
    let before = course(&mut player, 30, |player| film.camera.step(player));
    let mut unchanged = player.clone();
    let text = film.document.sources().next().unwrap().text().to_owned();
    let between = text.replace(
        "        action patrol\n    }",
        "        invert { invert { action patrol; }; }\n    }",
    );
    assert_ne!(between, text);
    for text in [&between, &text] {
        let document = Document::parse(text, "guard.kdl");
        let mut recorded = Recorded {
            game: &mut player,
            camera: Some(&mut film.camera),
            begin: None,
        };
        let main = document.behaviour(None).unwrap();
        recorded.reload(main, &document).unwrap();
    }
    let after = course(&mut player, 150, |player| film.camera.step(player));
    // The document is the same as at the beginning, and the game is another one.
    assert_ne!(after, course(&mut unchanged, 150, Player::step));
    let mut replayed = film.player();
    let there = course(&mut replayed, 180, Player::step);
    for (tick, (here, there)) in before.iter().chain(&after).zip(&there).enumerate() {
        assert!(here == there, "tick {}", tick + 1);
    }
}

/// A key that is pressed in a tick before which the whole game is written takes effect once.
#[test]
fn keys_beside_a_whole_state_are_replayed_once() {
    let name = "13-hero/castle.kdl";
    let mut player = example(name, 0);
    let mut film = Take::new(name, &player);
    // There is a state at the beginning, and one more after 128 to 1 024 ticks.
    let mut step = |player: &mut Player| {
        player.press(Key::Sneak);
        film.camera.step(player);
    };
    let here = course(&mut player, 1_100, &mut step);
    let there = course(&mut film.player(), 1_100, Player::step);
    for (tick, (here, there)) in here.iter().zip(&there).enumerate() {
        assert!(here == there, "tick {}", tick + 1);
    }
}
