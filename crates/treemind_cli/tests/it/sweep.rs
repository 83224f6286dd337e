//! `treemind sweep`: tables, JSON, promises that were broken, and command lines that make no sense.

use crate::{Ran, examples, treemind_in};
use serde_json::{Value, json};

fn sweep(arguments: &str) -> Ran {
    let folder = examples().join("01-guard");
    treemind_in(&folder, &format!("sweep guard-tuned.kdl {arguments}"), b"")
}

fn json_of(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.err))
}

#[test]
fn a_table_has_a_line_for_each_setting() {
    let ran = sweep(
        "--map yard.map --vary flee_below=20,90 --measure health --measure hurt:health<60 --seeds 8 --ticks 300",
    );
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (0, "16 runs of 2 settings\n"),
        "{}",
        ran.out
    );
    let lines: Vec<Vec<&str>> = ran
        .out
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let head = "flee_below runs alive ticks health 5% 50% 95% hurt 5% 50% 95%";
    assert_eq!(lines[0].join(" "), head);
    assert_eq!(lines.len(), 3);
    assert_eq!((lines[1][0], lines[1][1]), ("20", "8"));
    assert_eq!((lines[2][0], lines[2][1]), ("90", "8"));
    assert_ne!(lines[1][4..], lines[2][4..], "the limit matters");
}

#[test]
fn json_is_the_same_on_any_number_of_threads() {
    let asked = "--map yard.map --vary flee_below=20,90 --measure health --seeds 4 --seed 7 --ticks 300 --json --rows";
    let one = sweep(&format!("{asked} --threads 1"));
    assert_eq!(one.code, 0, "{}", one.err);
    assert_eq!(one.out, sweep(&format!("{asked} --threads 3")).out);
    let json = json_of(&one);
    assert_eq!(
        (&json["runs"], &json["violation"]),
        (&json!(8), &Value::Null)
    );
    let rows = json["rows"].as_array().expect("rows");
    let seeds: Vec<u64> = rows.iter().filter_map(|row| row["seed"].as_u64()).collect();
    assert_eq!(seeds, [7, 8, 9, 10, 7, 8, 9, 10]);
    assert_eq!(rows[4]["keys"], json!({ "flee_below": 90 }));
    let healths: Vec<f64> = rows[..4]
        .iter()
        .filter_map(|row| row["measures"]["health"].as_f64())
        .collect();
    let mean = healths.iter().sum::<f64>() / 4.0;
    let told = &json["settings"][0]["measures"]["health"];
    assert_eq!(told["mean"].as_f64(), Some(mean));
    let (low, high) = (told["q05"].as_f64().unwrap(), told["q95"].as_f64().unwrap());
    assert!(low <= mean && mean <= high && low < high, "{told}");
}

#[test]
fn a_broken_promise_is_told_recorded_and_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    for file in ["guard.kdl", "yard.map"] {
        let from = examples().join("01-guard").join(file);
        std::fs::copy(from, folder.path().join(file)).expect("copied");
    }
    let line =
        "sweep guard.kdl --always health>50 --seeds 6 --ticks 400 --record broken.mcap --json";
    let ran = treemind_in(folder.path(), line, b"");
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(
        ran.err
            .contains("runs broke what must always hold; the first: `health>50`, in tick "),
        "{}",
        ran.err
    );
    let broken = &json_of(&ran)["violation"];
    assert_eq!(broken["broken"]["promise"], "health>50");
    let replayed = treemind_in(folder.path(), "replay broken.mcap --no-ui", b"");
    assert_eq!(replayed.code, 0, "{}", replayed.err);
}

#[test]
fn what_makes_no_sense_is_said() {
    for (arguments, code, said) in [
        ("--measure helth", 1, "`helth`: "),
        ("--vary nothing=1", 1, "`nothing`"),
        (
            "--vary flee_below=much",
            1,
            "the key `flee_below` is `float`, which `much` is not",
        ),
        ("--vary health=1", 1, "the arena writes the key `health`"),
        ("--vary health", 2, "KEY=VALUE,VALUE"),
        ("--vary health=1,", 2, "a value is empty"),
        ("--seeds 0", 2, "at least 1"),
        ("--seeds 99999999999", 2, "at most 10000000 runs"),
        ("--record x.mcap", 2, "--always"),
        ("--rows", 2, "--json"),
        ("--map guard.kdl", 1, "guard.kdl: "),
        (
            "--always health>5 --record guard-tuned.kdl",
            2,
            "guard-tuned.kdl",
        ),
        ("--tree nobody", 1, "nobody"),
    ] {
        let ran = sweep(arguments);
        assert_eq!(ran.code, code, "{arguments}: {}", ran.err);
        assert!(ran.err.contains(said), "{arguments}: {}", ran.err);
        assert_eq!(ran.out, "", "{arguments}");
    }
}
