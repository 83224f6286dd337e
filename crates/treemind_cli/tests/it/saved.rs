//! Saved games: what is loaded goes on as if it had never stopped.

use crate::{GAMES, Ran, command, examples, kills, treemind_in};
use std::fs;

/// Plays a log in the folder of the examples.
fn play(line: &str) -> Ran {
    treemind_in(&examples(), &format!("run {line} --no-ui"), b"")
}

#[test]
fn a_loaded_game_has_the_log_of_a_run_without_a_stop() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (begun, loaded, straight) = (file("begun"), file("loaded"), file("straight"));
    for (document, more) in GAMES {
        for stop in [1, 97, 250] {
            let game = format!("{document} {more} --seed 3");
            let whole = play(&format!("{game} --ticks 400 --save {straight}"));
            let first = play(&format!("{game} --ticks {stop} --save {begun}"));
            // The seed is that of the game.
            let rest = format!("{document} {more} --ticks 400 --load {begun} --save {loaded}");
            let rest = play(&rest);
            for ran in [&whole, &first, &rest] {
                assert_eq!(ran.code, 0, "{document}: {}", ran.err);
            }
            let both = first.out + &rest.out;
            assert_eq!(both, whole.out, "{document} after {stop} ticks");
            assert_eq!(rest.err.lines().last(), whole.err.lines().last());
            let same = fs::read(&loaded).unwrap() == fs::read(&straight).unwrap();
            assert!(same, "{document} is saved differently after {stop} ticks");
        }
    }
}

#[test]
fn what_is_not_that_game_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let game = path.display().to_string();
    let guard = "01-guard/guard.kdl";
    assert_eq!(play(&format!("{guard} --ticks 40 --save {game}")).code, 0);
    let refused = |line: &str| {
        let ran = play(&format!("{line} --load {game}"));
        assert_eq!((ran.code, &*ran.out), (1, ""), "{line}: {}", ran.err);
        let begin = format!("error: cannot load {game}: ");
        let reason = ran.err.strip_prefix(&begin);
        reason.unwrap_or_else(|| panic!("{}", ran.err)).to_owned()
    };
    assert_eq!(
        refused(&format!("{guard} --ticks 39")),
        "it was saved after tick 40, and `--ticks` counts from the start of the first run\n"
    );
    assert_eq!(
        refused("02-pet/pet.kdl"),
        "this is another game: the map has changed since\n"
    );
    assert_eq!(
        refused("01-guard/guard-classic.kdl"),
        "the snapshot was made with another version of `guard`: the document has changed since\n"
    );
    let bytes = fs::read(&path).unwrap();
    for place in (0..bytes.len()).step_by(bytes.len() / 40) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x10;
        fs::write(&path, &damaged).unwrap();
        refused(guard);
        fs::write(&path, &bytes[..place]).unwrap();
        refused(guard);
    }
    fs::write(&path, &bytes).unwrap();
    refused("12-village");
}

#[test]
#[cfg(unix)]
fn a_kill_while_saving_leaves_a_whole_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let guard = examples().join("01-guard/guard.kdl");
    let line = |ticks: u32| format!("run {} --no-ui --quiet --ticks {ticks}", guard.display());
    let game = |ticks: u32| {
        let saved = treemind_in(folder.path(), &format!("{} --save game", line(ticks)), b"");
        assert_eq!(saved.code, 0, "{}", saved.err);
        fs::read(&path).unwrap()
    };
    let old = game(1);
    let new = game(2);
    assert_ne!(old, new);
    let program = command(folder.path(), &format!("{} --save game", line(2)));
    let (olds, news) = kills(200, program, &path, &old, &new);
    assert!(olds > 0 && news > 0, "{olds} old, {news} new");
}

#[test]
fn with_permission_a_game_goes_on_with_a_changed_document() {
    let folder = tempfile::tempdir().unwrap();
    let guard = fs::read_to_string(examples().join("01-guard/guard.kdl")).unwrap();
    let write = |text: &str| fs::write(folder.path().join("guard.kdl"), text).unwrap();
    let play =
        |line: &str| treemind_in(folder.path(), &format!("run guard.kdl --no-ui {line}"), b"");
    write(&guard);
    // The guard is on its round.
    let first = play("--ticks 40 --save game");
    assert_eq!(first.code, 0, "{}", first.err);
    let whole = play("--ticks 80");
    // With the same document it is as without the permission.
    let same = play("--ticks 80 --load game --allow-changes");
    assert_eq!(first.out.clone() + &same.out, whole.out);
    assert_eq!(same.err, whole.err);
    // Other texts of the document do not matter, and other numbers change nothing that runs.
    write(&guard.replace("health < 20", "health < 30"));
    assert_eq!(play("--ticks 80 --load game").code, 1);
    let other = play("--ticks 80 --load game --allow-changes");
    assert_eq!((other.code, &other.err), (0, &whole.err));
    assert_eq!(first.out.clone() + &other.out, whole.out);
    write(&guard.replace(
        "        action patrol\n",
        "        sequence { wait 0.5; action patrol; }\n",
    ));
    let changed = play("--ticks 80 --load game --allow-changes --save next");
    assert_eq!(changed.code, 0, "{}", changed.err);
    let wanted = [
        "guard: node reactive-selector/patrol: removed; aborted for 1 agent",
        "guard: node reactive-selector/sequence: added",
    ];
    assert_eq!(changed.err.lines().take(2).collect::<Vec<_>>(), wanted);
    // What is saved then is of the new document.
    assert_eq!(play("--ticks 90 --load next").code, 0);
    let nothing = play("--ticks 90 --allow-changes");
    assert_eq!(nothing.code, 2, "{}", nothing.err);
}

#[test]
fn a_saved_crowd_goes_on_with_the_same_log() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("village.save").display().to_string();
    let village = "12-village --agents 500";
    for stop in [720, 731] {
        let whole = play(&format!("{village} --ticks 800"));
        let first = play(&format!(
            "{village} --ticks {stop} --threads 2 --save {save}"
        ));
        let second = play(&format!("12-village --ticks 800 --threads 1 --load {save}"));
        assert_eq!(
            (first.code, second.code),
            (0, 0),
            "{}{}",
            first.err,
            second.err
        );
        assert_eq!(first.out + &second.out, whole.out);
    }
    for (more, said) in [
        (
            "--ticks 100",
            "it was saved after tick 731, and `--ticks` counts from the start of the first run",
        ),
        ("--agents 9", "leave out `--agents`"),
    ] {
        let refused = play(&format!("12-village --load {save} {more}"));
        assert_ne!(refused.code, 0);
        assert!(refused.err.contains(said), "{}", refused.err);
    }
}

#[test]
fn with_permission_a_crowd_goes_on_with_a_changed_document() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let example = examples().join("12-village");
    for name in ["village.kdl", "village.map"] {
        fs::copy(example.join(name), file(name)).unwrap();
    }
    let play = |line: &str| {
        let line = format!("run village.kdl --no-ui {line}");
        treemind_in(folder.path(), &line, b"")
    };
    let first = play("--agents 300 --ticks 400 --save day.save");
    assert_eq!(first.code, 0, "{}", first.err);
    let whole = play("--agents 300 --ticks 500");
    let text = fs::read_to_string(file("village.kdl")).unwrap();
    // Nothing that runs has changed.
    fs::write(
        file("village.kdl"),
        text.replace("hide secs=20.0", "hide secs=25.0"),
    )
    .unwrap();
    let refused = play("--ticks 500 --load day.save");
    assert_eq!(refused.code, 1);
    assert!(
        refused.err.contains("the document has changed since"),
        "{}",
        refused.err
    );
    let rest = play("--ticks 500 --load day.save --allow-changes");
    assert_eq!(rest.code, 0, "{}", rest.err);
    assert_eq!(first.out + &rest.out, whole.out);
    // Everybody begins anew.
    let again = text.replace("do { subtree day; }", "do { invert { subtree day; }; }");
    fs::write(file("village.kdl"), again).unwrap();
    let rest = play("--ticks 500 --load day.save --allow-changes --save next.save");
    assert_eq!(rest.code, 0, "{}", rest.err);
    assert!(rest.err.contains("aborted for 29"), "{}", rest.err);
    assert_eq!(play("--ticks 501 --load next.save").code, 0);
}

#[test]
fn a_saved_game_is_shown_without_its_document() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("game").display().to_string();
    let show = |more: &str| treemind_in(folder.path(), &format!("saved game {more}"), b"");
    for (document, more) in GAMES.into_iter().chain([("12-village", "--agents 200")]) {
        let saved = play(&format!(
            "{document} {more} --ticks 130 --quiet --save {save}"
        ));
        assert_eq!(saved.code, 0, "{document}: {}", saved.err);
        let shown = show("");
        assert_eq!((shown.code, &*shown.err), (0, ""), "{document}");
        let json = show("--json");
        assert_eq!((json.code, &*json.err), (0, ""), "{document}");
        let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
        let minds = &json["minds"];
        let of_all = minds["populations"].as_object();
        let populations: Vec<&serde_json::Value> = match of_all {
            Some(all) => all.values().collect(),
            None => vec![minds],
        };
        assert!(!populations.is_empty(), "{document}");
        for population in populations {
            assert_eq!(population["ticks"], 130, "{document}");
        }
        let one = show("--agent 0 --json").out;
        let one: serde_json::Value = serde_json::from_str(&one).unwrap();
        let one = one["minds"].to_string();
        assert!(one.contains("\"agent\":0,") && !one.contains("\"handle\":\"1.1\""));
    }
    assert_eq!(show("--agent x").code, 2);
    let bytes = fs::read(folder.path().join("game")).unwrap();
    fs::write(folder.path().join("game"), &bytes[..bytes.len() / 2]).unwrap();
    let refused = show("");
    assert_eq!((refused.code, &*refused.out), (1, ""));
    assert!(
        refused
            .err
            .starts_with("error: cannot read game: the saved game is "),
        "{}",
        refused.err
    );
    fs::write(folder.path().join("game"), "tree guard").unwrap();
    assert_eq!(
        show("").err,
        "error: cannot read game: this is not a snapshot of Treemind\n"
    );
}

/// A planner is shown with its goal, its steps and its place among them, by their names.
#[test]
fn a_planner_is_shown_by_names() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("game").display().to_string();
    let saved = play(&format!(
        "19-villager/villager.kdl --quiet --ticks 100 --save {game}"
    ));
    assert_eq!(saved.code, 0, "{}", saved.err);
    let shown = treemind_in(folder.path(), "saved game", b"");
    let from = shown.out.find("kind: planner").expect("it plans");
    let planner = &shown.out[from..];
    let expected = "\
kind: planner
              runs: true
              goal: earn
              has_a_plan: true
              step_promised_a_change: true
              plan: chop, chop, chop, sell
              step: chop
              place_in_plan: 1
              method: 1
";
    assert!(planner.starts_with(expected), "{planner}");
    assert!(!planner.contains("fact_of_search"), "{planner}");
    assert!(
        planner.contains("facts_of_fruitless_goals: 0000000000000000"),
        "{planner}"
    );
}
