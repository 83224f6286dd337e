//! Recordings: what is replayed is what the run showed.

use crate::{GAMES, Ran, command, examples, treemind_in};
use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

pub(super) fn play(line: &str) -> Ran {
    treemind_in(&examples(), line, b"")
}

#[test]
fn a_replay_prints_what_the_run_printed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.mcap").display().to_string();
    // The log may begin later, too.
    let later = ("05-intruder/intruder.kdl", "--at 30");
    for (document, more) in GAMES.into_iter().chain([later]) {
        let ran = play(&format!(
            "run {document} {more} --seed 3 --no-ui --ticks 400 --record {file}"
        ));
        let unrecorded = play(&format!(
            "run {document} {more} --seed 3 --no-ui --ticks 400"
        ));
        let replayed = play(&format!("replay {file} --no-ui"));
        assert_eq!(ran.code, 0, "{document}: {}", ran.err);
        assert_eq!((&ran.out, &ran.err), (&unrecorded.out, &unrecorded.err));
        assert_eq!(
            (replayed.code, &replayed.out, &replayed.err),
            (0, &ran.out, &ran.err),
            "{document}"
        );
    }
}

#[test]
fn a_recording_may_begin_in_the_middle_of_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (begun, film) = (file("begun"), file("film"));
    let squad = "run 06-squad/squad.kdl --no-ui";
    assert_eq!(play(&format!("{squad} --ticks 150 --save {begun}")).code, 0);
    let ran = play(&format!(
        "{squad} --ticks 300 --load {begun} --record {film}"
    ));
    let replayed = play(&format!("replay {film} --no-ui"));
    assert_eq!((ran.code, replayed.code), (0, 0), "{}", replayed.err);
    assert_eq!((replayed.out, replayed.err), (ran.out, ran.err));
}

#[test]
fn a_run_by_a_script_is_recorded_too() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("day.txt");
    fs::write(
        &script,
        "see-enemy: F F S S F\nattack: R R F S\npatrol: R\n",
    )
    .unwrap();
    let file = folder.path().join("game.mcap").display().to_string();
    let script = script.display();
    let line = format!("run 01-guard/guard.kdl --script {script} --no-ui --ticks 60");
    let ran = play(&format!("{line} --record {file}"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.lines().count() > 3, "{}", ran.out);
    let replayed = play(&format!("replay {file} --no-ui"));
    assert_eq!((replayed.out, replayed.err), (ran.out, ran.err));
}

#[test]
fn after_a_kill_everything_but_the_last_second_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.mcap");
    let line = "run 06-squad/squad.kdl --no-ui --ticks 1000000 --record";
    let mut child = command(&examples(), line);
    let mut child = child.arg(&file).stderr(Stdio::null()).spawn().unwrap();
    // What it has printed, it has played; it is killed in the middle of a line.
    let out = child.stdout.take().unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(out));
    let begun = Instant::now();
    let mut printed = Vec::new();
    while printed.len() < 400 && begun.elapsed() < Duration::from_secs(60) {
        printed.push(lines.next().unwrap().unwrap());
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let file = file.display().to_string();
    let replayed = play(&format!("replay {file} --no-ui"));
    assert_eq!(replayed.code, 0, "{}", replayed.err);
    assert!(replayed.err.contains("note: "), "{}", replayed.err);
    let there: Vec<&str> = replayed.out.lines().collect();
    let tick = |line: &str| line[..6].trim().parse::<u64>().unwrap();
    let last = tick(printed.last().unwrap());
    // A second has 20 ticks.
    let kept = printed
        .iter()
        .filter(|line| tick(line) + 20 <= last)
        .count();
    assert!(there.len() >= kept && kept > 300);
    let both = there.len().min(printed.len());
    assert_eq!(there[..both], printed[..both]);
}

#[test]
fn what_is_no_recording_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.mcap");
    let name = path.display().to_string();
    let guard = "run 01-guard/guard.kdl --no-ui --ticks 100 --record";
    assert_eq!(play(&format!("{guard} {name}")).code, 0);
    let whole = fs::read(&path).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let ran = play(&format!("replay {name} --no-ui"));
        assert_eq!((ran.code, &*ran.out), (1, ""), "{}", ran.err);
        let begin = format!("error: {name}: ");
        ran.err.strip_prefix(&begin).unwrap_or(&ran.err).to_owned()
    };
    assert_eq!(
        refused(b"not at all"),
        "this is not a recording of Treemind\n"
    );
    assert_eq!(
        refused(&whole[..200]),
        "the recording has no whole state of the agents with its documents, so nothing of it can be played\n"
    );
}

/// A crowd is recorded on any number of threads; its log may begin later, and so may the game.
#[test]
fn a_replay_of_a_crowd_prints_what_the_run_printed() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (film, begun, later) = (file("village.mcap"), file("begun"), file("later"));
    let village = "run 12-village --no-ui --seed 3";
    let saved = play(&format!(
        "{village} --agents 2500 --ticks 110 --save {begun}"
    ));
    assert_eq!(saved.code, 0, "{}", saved.err);
    for more in [
        "--agents 2500 --ticks 265 --threads 1".to_owned(),
        "--agents 2500 --ticks 265 --threads 3 --at 50".to_owned(),
        // The last line is printed only if the game is not saved there.
        format!("--ticks 265 --threads 2 --load {begun} --save {later}"),
    ] {
        let ran = play(&format!("{village} {more} --record {film}"));
        let unrecorded = play(&format!("{village} {more}"));
        assert_eq!((ran.code, &ran.out), (0, &unrecorded.out), "{}", ran.err);
        assert!(ran.out.lines().count() > 6, "{}", ran.out);
        let replayed = play(&format!("replay {film} --no-ui"));
        assert_eq!((replayed.code, &replayed.out), (0, &ran.out), "{more}");
        // It says how long ticks took, and else the same.
        let same = |err: &str| err.split(" people").next().map(str::to_owned);
        assert_eq!(same(&replayed.err), same(&ran.err), "{more}");
        // A state that is not as it was would be a fault.
        assert!(replayed.err.contains("no faults"), "{}", replayed.err);
    }
    let late = play(&format!("replay {film} --no-ui --at 250"));
    let lines: Vec<&str> = late.out.lines().collect();
    assert_eq!(lines.len(), 1, "{}", late.out);
    assert!(lines[0].starts_with("   260  "), "{}", late.out);
    let explained = play(&format!("explain {film} --tick 250 --agent 499"));
    assert_eq!(explained.code, 0, "{}", explained.err);
    assert!(
        explained
            .out
            .contains("villager-499: `villager` answered running"),
        "{}",
        explained.out
    );
}

#[test]
fn a_recording_is_exported_for_other_tools() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (film, table) = (file("game.mcap"), file("game.csv"));
    let guard = "run 01-guard/guard.kdl --no-ui --ticks 400 --record";
    assert_eq!(play(&format!("{guard} {film}")).code, 0);

    let lines = play(&format!("export {film} --json --full"));
    assert_eq!((lines.code, &*lines.err), (0, ""));
    let lines = lines
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<serde_json::Value> = lines.collect();
    assert_eq!(
        (lines[0]["tick"].as_u64(), lines[0]["agent"].as_u64()),
        (Some(1), Some(0))
    );
    // It is what a trace of the same tick has.
    let events = lines
        .iter()
        .flat_map(|line| line["events"].as_array().unwrap());
    let of = |wanted: &str| {
        events
            .clone()
            .filter(|event| event["event"] == wanted)
            .count()
    };
    assert!(of("start") > 1 && of("start") >= of("stop") && of("read") > 100);
    let some = play(&format!("export {film} --json --from 10 --to 12 --agent 0"));
    assert_eq!(some.out.lines().count(), 3);

    let perfetto = play(&format!("export {film} --perfetto"));
    let perfetto: serde_json::Value = serde_json::from_str(&perfetto.out).unwrap();
    let events = perfetto["traceEvents"].as_array().unwrap();
    let mut open: Vec<&str> = Vec::new();
    let mut last = 0.0;
    for event in events {
        let at = event["ts"].as_f64().unwrap_or(last);
        assert!(at >= last, "{event}");
        last = at;
        match event["ph"].as_str().unwrap() {
            "B" => open.push(event["name"].as_str().unwrap()),
            "E" => drop(open.pop().expect("it was begun")),
            _ => {}
        }
    }
    assert_eq!((open, last), (Vec::new(), 20e6));
    let slices = |name: &str| events.iter().filter(|event| event["name"] == name).count();
    assert!(slices("patrol") > 0 && slices("attack") > 0);

    assert_eq!(play(&format!("export {film} --table {table}")).code, 0);
    let rows = fs::read_to_string(&table).unwrap();
    let head = rows.lines().next().unwrap();
    assert!(
        head.starts_with("tick,agent,") && head.ends_with(",action"),
        "{head}"
    );
    assert!(rows.lines().count() > 300);
    let learned = play(&format!(
        "learn {table} --target action --ignore tick --ignore agent"
    ));
    assert_eq!(learned.code, 0, "{}", learned.err);
    assert!(learned.out.contains("decide learned"), "{}", learned.out);

    let squad = "run 06-squad/squad.kdl --no-ui --ticks 20 --record";
    assert_eq!(play(&format!("{squad} {film}")).code, 0);
    let unclear = play(&format!("export {film} --table {table}"));
    assert_eq!(unclear.code, 2);
    assert!(
        unclear.err.contains("choose with `--population`"),
        "{}",
        unclear.err
    );
    assert_eq!(play(&format!("export {film}")).code, 2);
}

/// Damage in the middle of a file loses the ticks up to the next whole state, and nothing behind it.
#[test]
fn what_comes_after_a_gap_is_printed_and_exported_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.mcap");
    let film = path.display().to_string();
    let guard = "run 01-guard/guard.kdl --no-ui --ticks 1500 --record";
    let whole = play(&format!("{guard} {film}"));
    assert_eq!(whole.code, 0, "{}", whole.err);
    let mut file = fs::read(&path).unwrap();
    let middle = file.len() / 3;
    file[middle..middle + 40].fill(0x55);
    fs::write(&path, file).unwrap();

    let replayed = play(&format!("replay {film} --no-ui"));
    assert_eq!(replayed.code, 0, "{}", replayed.err);
    let missing = replayed.err.split("the ticks ").nth(1);
    let missing = missing.and_then(|text| text.split(" are missing").next());
    let (first, last) = missing.and_then(|text| text.split_once(" to ")).unwrap();
    let (first, last): (u64, u64) = (first.parse().unwrap(), last.parse().unwrap());
    assert!(
        1 < first && first < last && last < 1_500,
        "{}",
        replayed.err
    );
    let is_there = |line: &&str| {
        let tick: u64 = line[..6].trim().parse().unwrap();
        !(first..=last).contains(&tick)
    };
    let expected: Vec<&str> = whole.out.lines().filter(is_there).collect();
    let printed: Vec<&str> = replayed.out.lines().collect();
    assert_eq!(printed, expected);
    assert!(replayed.err.ends_with(&whole.err), "{}", replayed.err);

    let some = format!(
        "export {film} --json --agent 0 --from {} --to {}",
        first - 1,
        last + 1
    );
    let exported = play(&some);
    assert_eq!(exported.code, 0, "{}", exported.err);
    let ticks: std::collections::BTreeSet<u64> = exported
        .out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|line| line["tick"].as_u64().unwrap())
        .collect();
    assert_eq!(ticks.into_iter().collect::<Vec<_>>(), [first - 1, last + 1]);
    let later = play(&format!("replay {film} --no-ui --at {}", last + 5));
    assert!(!later.out.is_empty() && expected.ends_with(&later.out.lines().collect::<Vec<_>>()));
}

#[test]
fn a_tick_of_a_recording_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let film = folder.path().join("game.mcap").display().to_string();
    let guard = "run 01-guard/guard.kdl --no-ui --ticks 200 --record";
    assert_eq!(play(&format!("{guard} {film}")).code, 0);
    let told = play(&format!("explain {film} --tick 190"));
    assert_eq!((told.code, &*told.err), (0, ""));
    assert!(
        told.out
            .starts_with("tick 190 (9.50 s), guard: `guard` answered running\n")
    );
    // What has been said above is not said again below the action that was cut off.
    let cut_off = "\
    `weak`, `health < 20.0`, holds: 14.0 < 20.0; in tick 189 it did not
      `health` changed from 31 to 14 in this tick: the game wrote it

What made it begin
  `weak`, `health < 20.0`, began to hold: `health` fell from 31 to 14

What changed
  `attack` was cut off: `flee` is running, and comes before it in `fight-or-flight`
  `run-away` started
";
    assert!(told.out.contains(cut_off), "{}", told.out);
    let node = play(&format!("explain {film} --tick 190 --node patrol"));
    assert!(
        node.out
            .starts_with("  `patrol` was not reached\n    `alarm` is running\n")
    );
    let json = play(&format!("explain {film} --tick 190 --json")).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&json["tick"], &json["answer"]),
        (&190.into(), &"running".into())
    );
    for (more, said) in [
        ("--tick 201", "it has the ticks 1 to 200"),
        (
            "--tick 5 --node swim",
            "no node, rule, goal or task is named `swim`; there are `alarm`, ",
        ),
        (
            "--tick 5 --agent nobody",
            "unknown agent `nobody`; the agents are: guard",
        ),
    ] {
        let refused = play(&format!("explain {film} {more}"));
        assert_ne!(refused.code, 0);
        assert!(refused.err.contains(said), "{}", refused.err);
    }
}

/// A rule goes by its name.
#[test]
fn a_rule_of_a_recording_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let film = folder.path().join("game.mcap").display().to_string();
    let sentry = "run 20-sentry/sentry.kdl --no-ui --ticks 400 --record";
    assert_eq!(play(&format!("{sentry} {film}")).code, 0);
    let fired = play(&format!("explain {film} --tick 190 --node weak"));
    assert_eq!((fired.code, &*fired.err), (0, ""));
    assert!(fired.out.starts_with("  `weak` fired\n"), "{}", fired.out);
    let cools = play(&format!("explain {film} --tick 326 --node challenge"));
    let since = "`challenge` did not fire: it fired in tick 89, and cools for 3.15 s more\n";
    assert!(cools.out.contains(since), "{}", cools.out);
}

/// So does a goal of a planner; one that is pursued says what the planner does.
#[test]
fn a_goal_of_a_recording_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let film = folder.path().join("game.mcap").display().to_string();
    let villager = "run 19-villager/villager.kdl --no-ui --ticks 400 --record";
    assert_eq!(play(&format!("{villager} {film}")).code, 0);
    let earn = play(&format!("explain {film} --tick 400 --node earn"));
    assert_eq!(
        (&*earn.out, &*earn.err),
        ("  `earn` scored 0.3, 0.3 less than `eat`\n", "")
    );
    let eat = play(&format!("explain {film} --tick 400 --node eat"));
    assert!(
        eat.out.starts_with("  `eat` was not reached\n"),
        "{}",
        eat.out
    );
    assert!(
        eat.out.contains("`day` pursues `eat` (score 0.6)"),
        "{}",
        eat.out
    );
}

#[test]
fn agents_of_other_games_are_explained_by_population_and_number() {
    use treemind_core::{Population, Program, Status, Value, host::Scripted};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cows.mcap");
    let text = b"blackboard { key milk type=int; }
        leaves { action graze; action wait-for-milking; }
        tree cow { reactive-selector { reactive-sequence { check \"milk > 2\"; action wait-for-milking; }; action graze; }; }";
    let document = treemind_doc::Document::read(text, "cow.kdl");
    let behaviour = document.behaviour(None).unwrap();
    let milk = behaviour.key_id("milk").unwrap();
    let mut host = Scripted::new(&behaviour, 300);
    host.set_all("graze", &[Status::Running]);
    host.set_all("wait-for-milking", &[Status::Running]);
    let mut cows = Population::new(std::sync::Arc::new(Program::new(behaviour)), 300);
    let mut recorder = treemind_recording::Recorder::create(&path, &document).unwrap();
    for tick in 1..=10 {
        if tick == 7 {
            cows.set(249, milk, Value::Int(3)).unwrap();
        }
        recorder.tick(&mut cows, &mut host, Duration::from_millis(100));
    }
    recorder.finish().unwrap();
    let film = path.display();
    let told = play(&format!("explain {film} --tick 9 --agent cow-250"));
    let expected = "\
tick 9 (0.90 s), cow-250: `cow` answered running

What it does
  `wait-for-milking` is running, since tick 7
    `milk > 2` holds: 3 > 2
      `milk` changed from 0 to 3 in tick 7: the game wrote it
";
    assert!(told.out.starts_with(expected), "{}{}", told.out, told.err);
    let told = play(&format!("explain {film} --tick 9 --agent 250"));
    assert!(told.out.starts_with(expected), "{}{}", told.out, told.err);
    let told = play(&format!("explain {film} --tick 9 --agent cow-301"));
    let expected = "there is no agent `cow-301` in tick 9; there are `cow-1` to `cow-300`\n";
    assert!(
        told.code == 1 && told.err.ends_with(expected),
        "{}",
        told.err
    );
}
