//! Recordings of other games, of several runs in one file, and parts of recordings that are not there.

use super::recorded::play;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::{Population, Program, Status};
use treemind_recording::Recorder;

const COW: &[u8] = b"leaves { action graze; action sleep; }
tree cow { sequence { action graze; log \"full\"; action sleep; }; }";

/// Records cows for so many ticks of these lengths.
fn record(path: &Path, cows: usize, ticks: &[u64]) {
    let document = treemind_doc::Document::read(COW, "cow.kdl");
    let behaviour = document.behaviour(None).unwrap();
    let mut host = Scripted::new(&behaviour, cows);
    let grazes = [Status::Running, Status::Running, Status::Success];
    host.set_all("graze", &grazes);
    host.set_all("sleep", &[Status::Running]);
    let program = std::sync::Arc::new(Program::new(behaviour));
    let mut cows = Population::new(program, cows);
    let mut recorder = Recorder::create(path, &document).unwrap();
    for ms in ticks {
        recorder.tick(&mut cows, &mut host, Duration::from_millis(*ms));
    }
    recorder.finish().unwrap();
}

/// Each view and export has the seconds of the game, however long its ticks were.
#[test]
fn seconds_are_those_of_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cows.mcap");
    let film = path.display();
    for (ticks, at_3, end) in [
        ([100; 5], "0.30", "0.50"),
        ([100, 250, 16, 1_000, 4], "0.37", "1.37"),
    ] {
        record(&path, 1, &ticks);
        let log = play(&format!("replay {film} --no-ui"));
        let line = log.out.lines().find(|line| line.contains("full")).unwrap();
        assert_eq!(line, format!("     3     {at_3} s  full"));
        let told = format!("5 ticks, {end} s, no faults");
        assert!(log.err.starts_with(&told), "{}", log.err);
        let explained = play(&format!("explain {film} --tick 3"));
        let told = format!("tick 3 ({at_3} s), ");
        assert!(explained.out.starts_with(&told), "{}", explained.out);
        for more in ["", " --from 3"] {
            let lines = play(&format!("export {film} --json{more}")).out;
            let lines: Vec<serde_json::Value> = lines
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            let secs = |tick: u64| {
                let mut lines = lines.iter();
                let line = lines.find(|line| line["tick"] == tick).unwrap();
                format!("{:.2}", line["secs"].as_f64().unwrap())
            };
            assert_eq!((&*secs(3), &*secs(5)), (at_3, end));
            let perfetto = play(&format!("export {film} --perfetto{more}")).out;
            let perfetto: serde_json::Value = serde_json::from_str(&perfetto).unwrap();
            let events = perfetto["traceEvents"].as_array().unwrap();
            // What is said belongs to the begin of its tick.
            let begin_us: u64 = ticks[..2].iter().sum::<u64>() * 1_000;
            let said = events.iter().find(|event| event["name"] == "full").unwrap();
            assert_eq!(said["ts"].as_f64(), Some(begin_us as f64));
            let last = events.last().unwrap();
            assert_eq!(
                last["ts"].as_f64(),
                Some(ticks.iter().sum::<u64>() as f64 * 1e3)
            );
        }
    }
}

#[test]
fn what_is_not_there_is_said_with_what_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cows.mcap");
    let film = path.display();
    record(&path, 3, &[100; 12]);
    for (line, said) in [
        (
            format!("replay {film} --no-ui --at 99999"),
            "there is no tick 99999; it has the ticks 1 to 12",
        ),
        (
            format!("explain {film} --tick 500"),
            "it has the ticks 1 to 12",
        ),
        (
            format!("export {film} --json --from 500"),
            "no tick from 500 on is there; it has the ticks 1 to 12",
        ),
        (
            format!("export {film} --perfetto --from 13 --to 20"),
            "none of the ticks 13 to 20 is there; it has the ticks 1 to 12",
        ),
        (
            format!("export {film} --table - --to 0"),
            "no tick up to 0 is there; it has the ticks 1 to 12",
        ),
        (
            format!("export {film} --json --agent 5"),
            "there is no agent 5 in these ticks; it has the agents 0 to 2",
        ),
        (
            format!("export {film} --perfetto --agent 3"),
            "there is no agent 3 in these ticks; it has the agents 0 to 2",
        ),
        (
            format!("replay {film} --no-ui --run 2"),
            "there is no recording 2 in it; it has 1",
        ),
    ] {
        let refused = play(&line);
        assert_eq!((refused.code, &*refused.out), (1, ""), "{line}");
        assert_eq!(refused.err, format!("error: {film}: {said}\n"), "{line}");
    }
    let table = folder.path().join("cows.csv");
    let refused = play(&format!(
        "export {film} --table {} --agent 3",
        table.display()
    ));
    assert_eq!(refused.code, 1);
    assert!(!table.exists());
    let last = play(&format!("export {film} --json --agent 2 --from 12 --to 99"));
    assert_eq!((last.code, last.out.lines().count()), (0, 1));
    assert_eq!(play(&format!("replay {film} --no-ui --at 12")).code, 0);
    let swapped = play(&format!("export {film} --json --from 5 --to 4"));
    assert_eq!(swapped.code, 2);
}

#[test]
fn of_two_recordings_in_a_file_each_can_be_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (one, two, both) = (path("one"), path("two"), path("both"));
    record(&one, 1, &[100; 12]);
    record(&two, 2, &[50; 30]);
    fs::write(
        &both,
        [fs::read(&one).unwrap(), fs::read(&two).unwrap()].concat(),
    )
    .unwrap();
    let film = both.display();
    let note = |nth: u32| {
        format!(
            "note: {film}: there are 2 recordings in this file: 1 has the ticks 1 to 12, 2 has the ticks 1 to 30; this is number {nth}, and `--run N` chooses another\n"
        )
    };
    for (nth, more, alone) in [(1, "", &one), (1, " --run 1", &one), (2, " --run 2", &two)] {
        let alone = alone.display();
        for line in [
            "replay FILM --no-ui",
            "export FILM --json",
            "explain FILM --tick 7",
        ] {
            let played = play(&(line.replace("FILM", &film.to_string()) + more));
            let wanted = play(&line.replace("FILM", &alone.to_string()));
            assert_eq!((played.code, &played.out), (0, &wanted.out));
            assert_eq!(played.err, note(nth) + &wanted.err);
        }
    }
}

/// A short line of the export stands for the line of the same agent that it names.
#[test]
fn short_lines_of_an_export_mean_the_full_ones() {
    let folder = tempfile::tempdir().unwrap();
    let film = folder.path().join("game.mcap").display().to_string();
    for game in [
        "run 06-squad/squad.kdl --no-ui --ticks 300",
        "run 12-village --no-ui --ticks 40 --agents 100",
    ] {
        assert_eq!(play(&format!("{game} --record {film}")).code, 0);
        let lines = |more: &str| {
            let lines = play(&format!("export {film} --json{more}")).out;
            let bytes = lines.len();
            let lines = lines
                .lines()
                .map(|line| serde_json::from_str(line).unwrap());
            (lines.collect::<Vec<serde_json::Value>>(), bytes)
        };
        let ((short, short_bytes), (full, full_bytes)) = (lines(""), lines(" --full"));
        assert!(
            short_bytes * 2 < full_bytes,
            "{short_bytes} of {full_bytes}"
        );
        assert_eq!(short.len(), full.len());
        let mut told: HashMap<(String, u64), serde_json::Value> = HashMap::new();
        for (short, full) in short.into_iter().zip(full) {
            let who = format!("{} {}", full["population"], full["agent"]);
            let mut line = short.clone();
            if let Some(tick) = short["as_in_tick"].as_u64() {
                line = told[&(who.clone(), tick)].clone();
                line["tick"] = short["tick"].clone();
                line["secs"] = short["secs"].clone();
            }
            assert_eq!(line, full);
            told.insert((who, full["tick"].as_u64().unwrap()), line);
        }
    }
}

/// Limits are for what nobody vouches for: recordings and saved games in files may have any size.
#[test]
fn the_limit_of_inputs_can_be_set_and_does_not_hold_for_what_the_program_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (save, film) = (path("day.save"), path("day.mcap"));
    let (saved, recorded) = (save.display(), film.display());
    let guard = "run 01-guard/guard.kdl --no-ui --quiet";
    let ran = play(&format!(
        "{guard} --ticks 40 --save {saved} --record {recorded}"
    ));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let village = "run 12-village --no-ui --quiet";
    let crowd = path("crowd.save");
    let crowd = crowd.display();
    let ran = play(&format!(
        "{village} --agents 1000 --ticks 20 --save {crowd}"
    ));
    assert_eq!(ran.code, 0, "{}", ran.err);
    for line in [
        format!("saved {saved}"),
        format!("{guard} --ticks 50 --load {saved} --max-bytes 6000"),
        format!("{village} --ticks 30 --load {crowd} --max-bytes 60000"),
        format!("saved {saved} --max-bytes 10"),
        format!("replay {recorded} --no-ui --max-bytes 10"),
        format!("export {recorded} --json --max-bytes 10"),
        format!("explain {recorded} --tick 10 --max-bytes 10"),
    ] {
        let ran = play(&line);
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
    }
    let refused = play("check 01-guard/guard.kdl --max-bytes 100");
    let said = "error: cannot read 01-guard/guard.kdl: it is larger than 100 bytes; `--max-bytes` allows more\n";
    assert!(
        refused.code == 1 && refused.err.starts_with(said),
        "{}",
        refused.err
    );
    // From a pipe, there may be no end.
    let input = fs::read(&film).unwrap();
    let refused = super::treemind_in(
        &super::examples(),
        "replay - --no-ui --max-bytes 100",
        &input,
    );
    assert!(
        refused.err.contains("larger than 100 bytes"),
        "{}",
        refused.err
    );
    let played = super::treemind_in(&super::examples(), "replay - --no-ui", &input);
    assert_eq!(played.code, 0, "{}", played.err);
}

/// Damage anywhere leaves the arena, and the log tells ticks.
#[test]
fn a_flipped_bit_in_the_first_state_leaves_the_arena() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.mcap");
    let film = path.display();
    let guard = "run 01-guard/guard.kdl --no-ui --ticks 1500 --record";
    let whole = play(&format!("{guard} {film}"));
    let mut file = fs::read(&path).unwrap();
    let map = file
        .windows(9)
        .position(|part| part == b"arena.map")
        .unwrap();
    file[map] ^= 1;
    fs::write(&path, file).unwrap();
    let damaged = play(&format!("replay {film} --no-ui"));
    assert_eq!(damaged.code, 0, "{}", damaged.err);
    let note = format!("note: {film}: the ticks 1 to ");
    assert!(damaged.err.starts_with(&note), "{}", damaged.err);
    assert!(
        damaged.err.contains(" are missing (0.00 s to "),
        "{}",
        damaged.err
    );
    assert!(
        damaged.err.contains(" of 1500 ticks are there; "),
        "{}",
        damaged.err
    );
    // The sentence at the end tells of the bodies on the map.
    assert!(damaged.err.ends_with(&whole.err), "{}", damaged.err);
    assert!(!damaged.out.is_empty());
    assert!(whole.out.ends_with(&damaged.out));
}
