//! Frames as text.

use super::super::player::Player;
use super::{Screen, Theme, draw};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::{Color, Modifier};
use treemind_arena::{Rules, Session, World, YARD};
use treemind_core::host::Scripted;
use treemind_core::{Behaviour, Status};
use treemind_doc::Document;

fn guard() -> Behaviour {
    let text = include_str!("../../../../../../examples/01-guard/guard.kdl");
    Document::parse(text, "guard.kdl").behaviour(None).unwrap()
}

/// The guard in the yard after so many ticks.
pub(super) fn player(ticks: u64) -> Player {
    let world = World::load(YARD, Rules::default()).unwrap();
    let mut player = Player::arena(Session::new(guard(), None, world).unwrap());
    for _ in 0..ticks {
        player.step();
    }
    player
}

fn terminal(player: &Player, size: (u16, u16), has_colours: bool) -> Terminal<TestBackend> {
    let screen = Screen {
        player,
        is_paused: true,
        speed: 1.0,
        theme: Theme { has_colours },
    };
    drawn(&screen, size)
}

pub(super) fn drawn(screen: &Screen<'_>, (width, height): (u16, u16)) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, screen)).unwrap();
    terminal
}

fn text(player: &Player, size: (u16, u16)) -> String {
    let terminal = terminal(player, size, true);
    let buffer = terminal.backend().buffer();
    let rows = (0..size.1).map(|y| {
        let row: String = (0..size.0).map(|x| buffer[(x, y)].symbol()).collect();
        format!("\n{}", row.trim_end())
    });
    rows.chain(["\n".to_owned()]).collect()
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
fn a_machine_shows_where_it_is_and_why_it_stays() {
    let shown = text(&robot(2), (60, 20));
    assert_eq!(
        shown,
        r#"
 robot   tick 2  0.10 s  speed 1x   PAUSED   machine running
┌ machine: on-duty › search ───────────────────────────────┐
│ │ └─· beep                                               │
│ ├─▶ state search  entered                                │
│ │ ├─· do                                                 │
│ │ │ └─✔ look  success                                    │
│ │ ├─✘ → clean when="hits < …  its condition does not hold│
│ │ │ └─· when                                             │
│ │ │   └─✘ dirty?  failure                                │
│ │ └─· → rest after=1.0  0.95 s to go                     │
└ ▶ running ✔ success ✘ failure ⊘ cut off · idle ──────────┘
┌ log: tick, time, what happened ──────────────────────────┐
│     2    0.10 s  dirty answers failure                   │
│     2    0.10 s  look starts                             │
│     2    0.10 s  look ends with success                  │
└──────────────────────────────────────────────────────────┘
┌ blackboard ──────────────────────────────────────────────┐
│ hits = 0                                                 │
└──────────────────────────────────────────────────────────┘
 space go on   . one tick   + faster   - slower   q quit
"#
    );
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
                "│ ├─✔ → hide ",
                "◂ state search  left",
                "⊘ sweep  cut off",
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
        let shown = text(&player, size);
        for part in parts {
            assert!(shown.contains(part), "{part} is missing:{shown}");
        }
    }
    // After half a second nobody looks new any more.
    let later = text(&robot(16), (120, 40));
    assert!(later.contains("▶ state hide ") && !later.contains("entered "));
    assert!(!later.contains("  left"), "{later}");
}

#[test]
fn the_way_that_tests_took_is_lit() {
    let document = include_str!("../../../../tests/data/watchman.kdl");
    let watchman = Document::parse(document, "watchman.kdl");
    let watchman = watchman.behaviour(None).unwrap();
    let host = Scripted::new(&watchman, 1);
    let mut player = Player::scripted(watchman, host, 1);
    player.step();
    let shown = text(&player, (52, 60));
    let tree = shown.split("┌ log").next().unwrap_or_default();
    assert_eq!(
        tree,
        r#"
 watchman   tick 1  0.05 s  speed 1x   PAUSED   deci
┌ decision tree ───────────────────────────────────┐
│ ✘ test "alarm_on"                                │
│ └─· run-to-alarm                                 │
│ ✘ test "enemy_distance <= 3.0"                   │
│ ├─· test-condition is-armed                      │
│ │ └─· strike                                     │
│ └─· goto shelter                                 │
│ ✘ switch                                         │
│ └─· case "weather == rain || weather == storm"   │
│   └─· goto shelter                               │
│ ✔ random timeout=8.0                             │
│ ├─· option 2.0                                   │
│ │ └─· patrol                                     │
│ └─✔ option 1.0                                   │
│   └─✔ stand on-success="enemy_distance …  success│
│ · branch shelter                                 │
│ └─· walk-to-hut on-success="alarm_on = true"     │
└ ▶ running ✔ success ✘ failure ⊘ cut off · idle ──┘
"#
    );
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
        tree t { sequence { set "mood = angry; what = home"; for-each target in="{spotted}" { succeed; }; unset moods; }; }"#;
    let document = Document::parse(text, "t.kdl").behaviour(None).unwrap();
    let host = Scripted::new(&document, 1);
    let mut player = Player::scripted(document, host, 0);
    let shown = |player: &Player| {
        let pairs = player.keys().iter();
        let pairs = pairs.map(|(name, value)| format!("{name} = {value}"));
        pairs.collect::<Vec<String>>().join("; ")
    };
    assert_eq!(
        shown(&player),
        "home = vec2(1, 2.5); name = 'Bob'; what = 5; target = unset; spotted = [7, 8]; mood = calm; moods = [angry]"
    );
    player.step();
    assert_eq!(
        shown(&player),
        "home = vec2(1, 2.5); name = 'Bob'; what = vec2(1, 2.5); target = 8; spotted = [7, 8]; mood = angry; moods = []"
    );
}

#[test]
fn a_small_window_shows_the_moment_of_flight() {
    let shown = text(&player(190), (60, 20));
    assert_eq!(
        shown,
        r"
 guard   tick 190  9.50 s  speed 1x   PAUSED   tree running
┌ arena ─────────────────┐┌ tree ──────────────────────────┐
│████████████████████████││ ▶ reactive-selector            │
│█        ······         ││ ├─▶ alarm reactive-sequence    │
│█ 6      ·1·······  2  █││ │ ├─✔ see-enemy?               │
│█        ········GI    █││ │ └─▶ fight-or-flight reactive…│
│█  ██████····  █████   █││ │   ├─▶ flee reactive-sequence │
│█  █    █·     █   █   █││ │   │ ├─✔ weak? health < 20.0  │
│█  █ ⌂         █   █   █││ │   │ └─▶ run-away             │
│█  █    █      █   █   █││ │   └─· fight monitor          │
│█  ██████      █████   █││ │     ├─✔ not enemy-dead?      │
│█                      █││ │     └─⊘ attack range=1.5     │
│█ 5       4         3  █││ └─· patrol                     │
│█                      █│└ ▶ runs ✔ yes ✘ no ⊘ cut · idle ┘
│████████████████████████│┌ log by tick ───────────────────┐
└G guard I intruder ⌂ hut┘│ 190 guard is hit: -17, 14 left │
 G █░░░  14 run-away      │ 190 guard flees to its hut     │
 I ██░░  46 fights        │ 190 guard breaks its attack off│
 health = 14              └────────────────────────────────┘
 space go on   . one tick   + faster   - slower   q quit
"
    );
}

#[test]
fn a_large_window_shows_everything_before_the_first_tick() {
    let shown = text(&player(0), (110, 26));
    assert_eq!(
        shown,
        r"
 guard   tick 0  0.00 s  speed 1x   PAUSED
┌ arena ─────────────────────────────────────────┐┌ tree ────────────────────────────────────────────────────┐
│████████████████████████████████████████████████││ · reactive-selector                                      │
│██  ··················                          ││ ├─· alarm reactive-sequence                              │
│██  6 G→············1 ··                2     ██││ │ ├─· see-enemy?                                         │
│██  ··················                        ██││ │ └─· fight-or-flight reactive-selector                  │
│██    ████████████            ██████████      ██││ │   ├─· flee reactive-sequence                           │
│██    ██        ██            ██      ██      ██││ │   │ ├─· weak? health < 20.0                            │
│██    ██  ⌂                   ██      ██      ██││ │   │ └─· run-away                                       │
│██    ██        ██            ██      ██      ██││ │   └─· fight monitor                                    │
│██    ████████████            ██████████      ██││ │     ├─· not enemy-dead?                                │
│██                                            ██││ │     └─· attack range=1.5                               │
│██  5               4                   3     ██││ └─· patrol                                               │
│██                                            ██│└ ▶ running ✔ success ✘ failure ⊘ cut off · idle ──────────┘
│████████████████████████████████████████████████│┌ log: tick, time, what happened ──────────────────────────┐
└ G guard  I intruder  ⌂ hut  ·· in its sight ───┘│                                                          │
┌ hit points ────────────────────────────────────┐│                                                          │
│ G guard    █████████████████ 100               ││                                                          │
│ I intruder █████████████████ 120 not yet there ││                                                          │
│                                                ││                                                          │
│ blackboard                                     ││                                                          │
│ health = 100                                   ││                                                          │
│                                                ││                                                          │
│                                                ││                                                          │
└────────────────────────────────────────────────┘└──────────────────────────────────────────────────────────┘
 space go on   . one tick   + faster   - slower   q quit
"
    );
}

/// A character of an example on its map, after so many ticks.
fn played(document: &str, map: &str, ticks: u64) -> Player {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/");
    let read = |file: &str| std::fs::read_to_string(format!("{folder}{file}")).unwrap();
    let document = Document::parse(&read(document), document);
    let world = World::load(&read(map), Rules::default()).unwrap();
    let main = match document.main_machine() {
        Some(machine) => document.machine(machine),
        None => document.behaviour(None),
    };
    let session = Session::new(main.unwrap(), Some(&document), world).unwrap();
    let mut player = Player::arena(session);
    (0..ticks).for_each(|_| player.step());
    player
}

#[test]
fn all_actors_things_and_doors_are_shown() {
    let house = played("05-intruder/intruder.kdl", "05-intruder/house.map", 120);
    assert_eq!(
        text(&house, (66, 18)),
        r"
 intruder   tick 120  6.00 s  speed 1x   PAUSED   tree running
┌ arena ───────────────────┐┌ tree ──────────────────────────────┐
│██████████████████████████││ ▶ sequence                         │
│█        █       █       █││ ├─▶ run-once                       │
│█        █       █       █││ │ └─▶ get-in selector              │
│█      ··█       █       █││ │   ├─▶ break-in sequence          │
│█      ·I▓  i  2 ▒  3    █││ │   │ ├─✔ door-locked?             │
│█      ··█       █       █││ │   │ ├─· go-to-door               │
│█        █ 1     █       █││ │   │ ├─▶ open-door                │
│█        █       █P      █││ │   │ └─· enter                    │
│██████████████████████████││ │   └─· enter                      │
└I intruder P owner────────┘└ ▶ runs ✔ yes ✘ no ⊘ cut · idle ────┘
┌ hit points ──────────────┐┌ log by tick ───────────────────────┐
│ I █████ 100 open-door    ││   1 intruder goes to the door      │
│ P █████  40 goes its way ││ 102 intruder works at the lock     │
│                          ││                                    │
└──────────────────────────┘└────────────────────────────────────┘
 space go on   . one tick   + faster   - slower   q quit
"
    );
    let square = text(
        &played(
            "04-cleaning-robot/robot.kdl",
            "04-cleaning-robot/square.map",
            880,
        ),
        (150, 40),
    );
    for part in [
        "R",
        "A",
        "∪",
        "±",
        "robot 1",
        "robot 2",
        "drunk",
        "sailor",
        "knocked out",
    ] {
        assert!(square.contains(part), "{part} is missing:{square}");
    }
}

#[test]
fn tab_looks_at_one_mind_after_the_other() {
    let mut player = played("06-squad/squad.kdl", "06-squad/ridge.map", 30);
    let name = |player: &Player| player.behaviour().name().to_owned();
    let mut seen = vec![name(&player)];
    for _ in 0..4 {
        player.look_at_next();
        player.step();
        let shown = text(&player, (120, 40));
        assert!(shown.contains("tab next actor"), "{shown}");
        seen.push(name(&player));
    }
    assert_eq!(seen, ["squad", "scout", "gunner", "medic", "squad"]);
    // With one mind alone there is nothing to choose.
    let mut guard = self::player(5);
    guard.look_at_next();
    assert_eq!(name(&guard), "guard");
    assert!(!text(&guard, (120, 40)).contains("tab"));
}

#[test]
fn a_window_that_is_too_small_says_so() {
    let shown = text(&player(5), (38, 4));
    assert_eq!(
        shown,
        "\nThis window is 38 by 4. Make it at\nleast 50 by 16, or press q to quit.\n\n\n"
    );
}

#[test]
fn no_size_makes_drawing_panic() {
    let stage = played("07-stage/stage.kdl", "07-stage/stage.map", 100);
    for player in [player(200), stage] {
        for width in [0, 1, 7, 50, 51, 83, 120, 400] {
            for height in [0, 1, 5, 16, 17, 23, 90] {
                terminal(&player, (width, height), true);
            }
        }
    }
}

#[test]
fn without_colours_nothing_is_coloured_and_glyphs_remain() {
    let terminal = terminal(&player(190), (120, 36), false);
    let cells = &terminal.backend().buffer().content;
    assert!(
        cells
            .iter()
            .all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset)
    );
    assert!(cells.iter().any(|cell| cell.symbol() == "⊘"));
    assert!(
        cells
            .iter()
            .any(|cell| cell.modifier.contains(Modifier::REVERSED))
    );
}

#[test]
fn scripted_trees_are_shown_without_a_world() {
    let behaviour = guard();
    let host = Scripted::new(&behaviour, 1);
    let mut player = Player::scripted(behaviour, host, 0);
    player.step();
    let shown = text(&player, (60, 24));
    assert_eq!(
        shown,
        r"
 guard   tick 1  0.05 s  speed 1x   PAUSED   tree success
┌ tree ────────────────────────────────────────────────────┐
│ ✔ reactive-selector  success                             │
│ ├─✘ alarm reactive-sequence  failure                     │
│ │ ├─✔ see-enemy?  success                                │
│ │ └─✘ fight-or-flight reactive-selector  failure         │
│ │   ├─✘ flee reactive-sequence  failure                  │
│ │   │ ├─✘ weak? health < 20.0  failure                   │
│ │   │ └─· run-away                                       │
│ │   └─✘ fight monitor  failure                           │
│ │     ├─✘ not enemy-dead?  failure                       │
│ │     └─· attack range=1.5                               │
│ └─✔ patrol  success                                      │
└ ▶ running ✔ success ✘ failure ⊘ cut off · idle ──────────┘
┌ log: tick, time, what happened ──────────────────────────┐
│     1    0.05 s  see-enemy answers success               │
│     1    0.05 s  not enemy-dead answers failure          │
│     1    0.05 s  patrol starts                           │
│     1    0.05 s  patrol ends with success                │
└──────────────────────────────────────────────────────────┘
┌ blackboard ──────────────────────────────────────────────┐
│ health = 100                                             │
└──────────────────────────────────────────────────────────┘
 space go on   . one tick   + faster   - slower   q quit
"
    );
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
    let shown = text(&player, (60, 24));
    for wanted in ["▶ chase score=0.8  0.80", "· rest score=product  0.25"] {
        assert!(shown.contains(wanted), "{wanted} is not in {shown}");
    }
}
