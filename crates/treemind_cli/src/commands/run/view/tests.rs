//! Frames as text, and how they react to keys and the mouse. `UPDATE_EXPECTED=1` rewrites the frames in `frames/`.

mod input;
mod moments;
mod recorded;

use super::super::live::Live;
use super::super::player::Player;
use super::svg;
use crate::io;
use clap::Parser as _;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};
use std::fs;
use std::path::{Path, PathBuf};
use treemind_arena::World;
use treemind_core::host::Scripted;
use treemind_core::{Behaviour, Status};
use treemind_doc::Document;
use treemind_view::{App, Look, Screen, Show as _, Theme};

#[derive(clap::Parser)]
struct CommandLine {
    #[command(flatten)]
    run: super::super::Args,
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// A player as the command line makes it.
fn played(file: &Path) -> Player {
    let file = file.to_str().unwrap();
    let args = CommandLine::parse_from(["run", file]).run;
    let Ok(document) = io::sound_document(&args.file, args.what.known()) else {
        panic!("{file} is not sound");
    };
    let Ok(behaviour) = io::behaviour_of(&document, &args.what) else {
        panic!("{file} has no behaviour");
    };
    let Ok(scenario) = super::super::scenario(&args, &args.file) else {
        panic!("{file} has no map that can be played");
    };
    let world = World::new(scenario.0, super::super::rules(&args, true));
    match super::super::player(&args, &document, behaviour, world) {
        Ok(player) => player,
        Err(_) => panic!("{file} cannot be played"),
    }
}

fn example(name: &str, ticks: u64) -> Player {
    let mut player = played(&examples().join(name));
    (0..ticks).for_each(|_| player.step());
    player
}

/// All examples that have a map.
fn all_examples() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in fs::read_dir(examples()).unwrap() {
        let entries = fs::read_dir(folder.unwrap().path()).into_iter().flatten();
        let paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        let ends = |path: &&PathBuf, end: &str| path.extension().is_some_and(|is| is == end);
        if paths.iter().any(|path| ends(&path, "map")) {
            found.extend(paths.iter().filter(|path| ends(path, "kdl")).cloned());
            // A crowd has a view of its own.
            found.retain(|path| !path.ends_with("12-village/village.kdl"));
            // The arena has no such soldier: it is there for `treemind plan` and its tests.
            found.retain(|path| !path.ends_with("10-soldier/fighter.kdl"));
        }
    }
    found.sort();
    assert!(found.len() > 2, "{found:?}");
    found
}

const COLOURS: Theme = Theme { has_colours: true };

pub(in crate::commands::run) fn text_of(buffer: &Buffer) -> String {
    let area = buffer.area;
    let rows = (0..area.height).map(|y| {
        let row: String = (0..area.width).map(|x| buffer[(x, y)].symbol()).collect();
        format!("{}\n", row.trim_end())
    });
    rows.collect()
}

fn frame_of(player: &Player, mind: usize, size: (u16, u16)) -> Buffer {
    let look = &Look::at(mind, COLOURS);
    let scene = player;
    Screen { scene, look }.frame(size)
}

fn still(player: &Player, mind: usize, size: (u16, u16)) -> String {
    text_of(&frame_of(player, mind, size))
}

/// Draws an app as the terminal does.
fn shown(app: &mut App<Live>, (width, height): (u16, u16)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| app.draw(frame)).unwrap();
    text_of(terminal.backend().buffer())
}

pub(in crate::commands::run) fn expect(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src/commands/run/view/frames")
        .join(name);
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, found).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    let expected = expected.replace("\r\n", "\n");
    assert!(expected == found, "{name} is not what is shown:\n{found}");
}

fn guard() -> Behaviour {
    let text = include_str!("../../../../../../examples/01-guard/guard.kdl");
    Document::parse(text, "guard.kdl").behaviour(None).unwrap()
}

fn robot(ticks: u64) -> Player {
    let document = include_str!("../../../../tests/data/robot.kdl");
    let robot = Document::parse(document, "robot.kdl");
    let robot = robot.behaviour(None).unwrap();
    let mut host = Scripted::new(&robot, 1);
    let (no, yes) = (Status::Failure, Status::Success);
    for (label, answers) in [
        ("fight", &[no, no, no, yes][..]),
        ("dirty", &[no, yes]),
        ("sweep", &[Status::Running]),
    ] {
        assert!(host.set(0, label, answers), "{label}");
    }
    let mut player = Player::scripted(robot, host, 0);
    (0..ticks).for_each(|_| player.step());
    player
}

#[test]
fn frames_of_the_arena() {
    let guard = example("01-guard/guard.kdl", 190);
    for (name, size) in [
        ("guard-60x20.txt", (60, 20)),
        ("guard-80x24.txt", (80, 24)),
        ("guard-200x60.txt", (200, 60)),
        ("guard-40x12.txt", (40, 12)),
        ("guard-15x3.txt", (15, 3)),
    ] {
        expect(name, &still(&guard, 0, size));
    }
    let first = example("01-guard/guard.kdl", 0);
    expect("guard-first-110x26.txt", &still(&first, 0, (110, 26)));
    let squad = example("06-squad/squad.kdl", 190);
    expect("squad-leader-120x40.txt", &still(&squad, 0, (120, 40)));
    expect("squad-scout-80x24.txt", &still(&squad, 1, (80, 24)));
    let cleaner = example("04-cleaning-robot/robot.kdl", 300);
    expect("cleaner-120x40.txt", &still(&cleaner, 1, (120, 40)));
}

#[test]
fn frames_without_a_world() {
    expect("robot-60x20.txt", &still(&robot(2), 0, (60, 20)));
    let behaviour = guard();
    let host = Scripted::new(&behaviour, 1);
    let mut player = Player::scripted(behaviour, host, 0);
    player.step();
    expect("scripted-60x24.txt", &still(&player, 0, (60, 24)));
    let document = include_str!("../../../../tests/data/watchman.kdl");
    let watchman = Document::parse(document, "watchman.kdl");
    let watchman = watchman.behaviour(None).unwrap();
    let host = Scripted::new(&watchman, 1);
    let mut player = Player::scripted(watchman, host, 1);
    player.step();
    expect("watchman-52x60.txt", &still(&player, 0, (52, 60)));
}

#[test]
fn a_machine_shows_what_it_did_a_moment_ago() {
    let player = robot(6);
    for (size, parts) in [
        (
            (120, 40),
            &[
                "┌ machine: hide ─",
                "─ on-duty → hide when { fight }, 0.05 s ago ┐",
                "│ ├─✓ → hide ",
                "◂ state search  left",
                "⊘ sweep ",
                "▶ state hide  entered",
                "✘ → on-duty history=deep  its condition does not hold",
            ][..],
        ),
        (
            (60, 20),
            &[
                "┌ machine: hide ─",
                "─ on-duty → hide when { figh…, 0.05 s ago ┐",
                "▶ state hide  entered",
            ],
        ),
    ] {
        let shown = still(&player, 0, size);
        for part in parts {
            assert!(shown.contains(part), "{part} is missing:{shown}");
        }
    }
    // After half a second no mind is marked as changed any more.
    let later = still(&robot(16), 0, (120, 40));
    assert!(later.contains("▶ state hide ") && !later.contains("entered "));
    assert!(!later.contains("  left"), "{later}");
}

#[test]
fn keys_show_vectors_text_lists_and_what_is_unset() {
    let text = r#"
        blackboard {
            key home type=vec2 default="1, 2.5"; key name type=string default="Bob"
            key what type=any default=5; key target type=entity optional=#true
            key spotted type=entity list=4 { default 7 8; }; key mood type=enum { value calm angry; }
            key moods type=enum list=2 { value calm angry; default angry; }
        }
        blackboard scope=world { key alarm type=bool; }
        tree t { sequence { set "mood = angry; what = home"; for-each target in="{spotted}" { succeed; }; unset moods; }; }"#;
    let document = Document::parse(text, "t.kdl").behaviour(None).unwrap();
    let host = Scripted::new(&document, 1);
    let mut player = Player::scripted(document, host, 0);
    let keys = |player: &Player| {
        let shown = still(player, 0, (60, 60));
        let keys = shown.split("┌ blackboard").nth(1).unwrap_or_default();
        let lines = keys.lines().skip(1).take(9);
        let lines = lines.map(|line| line.trim_matches(['│', ' ']).to_owned());
        lines.collect::<Vec<String>>().join("; ")
    };
    assert_eq!(
        keys(&player),
        "home = vec2(1, 2.5); name = 'Bob'; what = 5; target = unset; spotted = [7, 8]; mood = calm; moods = [angry]; of the world; alarm = false"
    );
    player.step();
    let changed = "home = vec2(1, 2.5); name = 'Bob'; *what = vec2(1, 2.5); *target = 8; spotted = [7, 8]; *mood = angry; *moods = []; of the world; alarm = false";
    assert_eq!(keys(&player), changed);
    (0..8).for_each(|_| player.step());
    assert_eq!(keys(&player), changed.replace('*', ""));
}

#[test]
fn scores_stand_behind_the_children_that_have_them() {
    let tree = "leaves { action chase; action rest; }
        tree t { utility-selector { action chase score=0.8; action rest { score { consider 0.25; }; }; }; }";
    let document = Document::parse(tree, "t.kdl").behaviour(None).unwrap();
    let mut host = Scripted::new(&document, 1);
    assert!(host.set(0, "chase", &[Status::Running]));
    let mut player = Player::scripted(document, host, 0);
    player.step();
    let shown = still(&player, 0, (60, 24));
    for wanted in ["▶ chase score=0.8  0.80", "· rest score=product  0.25"] {
        assert!(shown.contains(wanted), "{wanted} is not in {shown}");
    }
}

/// Draws some of the examples; all parts together draw every size, or a fifth of them unless all are wanted.
fn draw_every_size(is_in_part: fn(usize) -> bool) {
    let is_thorough = std::env::var_os("TREEMIND_THOROUGH").is_some();
    let examples = all_examples();
    for (nth, path) in examples
        .iter()
        .enumerate()
        .filter(|(nth, _)| is_in_part(*nth))
    {
        let mut player = played(path);
        (0..200).for_each(|_| player.step());
        let last = player.minds().len() - 1;
        for width in 1..=200_u16 {
            for height in 1..=60_u16 {
                if !is_thorough && !(width + 2 * height).is_multiple_of(5) {
                    continue;
                }
                // Every size is drawn with one example, small sizes with two.
                let is_small = width <= 60 && height <= 20;
                let share = if is_small { 6 } else { 12 };
                if usize::from(width + height) % share == nth % share {
                    frame_of(&player, last, (width, height));
                }
            }
        }
    }
}

// Two tests, so that two cores can draw.
#[test]
fn no_size_makes_drawing_panic() {
    draw_every_size(|nth| nth % 2 == 0);
}

#[test]
fn no_size_makes_drawing_other_examples_panic() {
    draw_every_size(|nth| nth % 2 == 1);
}

#[test]
fn every_colour_has_one_in_pictures() {
    for path in all_examples() {
        let mut player = played(&path);
        for _ in 0..5 {
            (0..80).for_each(|_| player.step());
            let frame = frame_of(&player, 0, (120, 40));
            for cell in &frame.content {
                for colour in [cell.fg, cell.bg] {
                    let is_known = colour == Color::Reset || svg::hex(colour).is_some();
                    assert!(is_known, "{colour:?}");
                }
            }
        }
    }
}

#[test]
fn without_colours_nothing_is_coloured_and_glyphs_remain() {
    let player = example("01-guard/guard.kdl", 190);
    let theme = Theme { has_colours: false };
    let screen = Screen {
        scene: &player,
        look: &Look::at(0, theme),
    };
    let cells = screen.frame((120, 36)).content;
    let is_plain =
        |cell: &ratatui::buffer::Cell| cell.fg == Color::Reset && cell.bg == Color::Reset;
    assert!(cells.iter().all(is_plain));
    assert!(cells.iter().any(|cell| cell.symbol() == "⊘"));
    let is_reversed = |cell: &ratatui::buffer::Cell| cell.modifier.contains(Modifier::REVERSED);
    assert!(cells.iter().any(is_reversed));
}
