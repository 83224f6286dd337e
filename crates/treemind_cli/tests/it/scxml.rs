//! State machines in SCXML do what the SCION test suite expects of them, played by the program.

use crate::{treemind, treemind_in};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/scxml")
}

/// The machines of the suite, each without its ending.
fn machines() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for category in fs::read_dir(folder()).expect("the folder of the suite") {
        let category = category.expect("a folder").path();
        if !category.is_dir() {
            continue;
        }
        for file in fs::read_dir(category).expect("a folder of machines") {
            let file = file.expect("a file").path();
            match file.extension().and_then(|ending| ending.to_str()) {
                Some("scxml") => found.push(file.with_extension("")),
                Some("json") => {}
                _ => panic!("{} is no part of the suite", file.display()),
            }
        }
    }
    found.sort();
    found
}

/// What is said on standard input, and after which lines of output what is active.
fn plan(script: &Value) -> (String, Vec<(usize, String)>) {
    let line = |configuration: &Value| {
        let states = configuration.as_array().expect("a list of states");
        let mut states: Vec<&str> = states
            .iter()
            .map(|state| state.as_str().expect("an id"))
            .collect();
        states.sort_unstable();
        Value::from(states).to_string()
    };
    let mut input = String::new();
    let mut lines = 0;
    let mut wanted = vec![(0, line(&script["initialConfiguration"]))];
    for step in script["events"].as_array().expect("a list of events") {
        if let Some(millis) = step.get("after") {
            let _ = writeln!(input, "@wait {millis}");
            lines += 1;
        }
        let event = &step["event"];
        let name = event["name"].as_str().expect("a name");
        let _ = match event.get("data") {
            Some(data) => writeln!(input, "{name}\t{data}"),
            None => writeln!(input, "{name}"),
        };
        lines += 1;
        wanted.push((lines, line(&step["nextConfiguration"])));
    }
    (input, wanted)
}

#[test]
fn machines_of_the_suite_do_what_is_expected() {
    let machines = machines();
    let mut wrong = String::new();
    for machine in &machines {
        let script = fs::read(machine.with_extension("json")).expect("what is expected");
        let script: Value = serde_json::from_slice(&script).expect("JSON");
        let (input, wanted) = plan(&script);
        let name = machine.strip_prefix(folder()).expect("in the folder");
        let arguments = format!("machine --scxml {}.scxml", name.display());
        let ran = treemind_in(&folder(), &arguments, input.as_bytes());
        let lines: Vec<&str> = ran.out.lines().collect();
        let is_right = wanted
            .iter()
            .all(|(line, wanted)| lines.get(*line).is_some_and(|given| given == wanted));
        if !is_right || ran.code != 0 || !ran.err.is_empty() {
            let _ = writeln!(wrong, "{}: {wanted:?}, not {ran:?}", name.display());
        }
    }
    assert_eq!(wrong, "");
    assert!(machines.len() >= 175, "{} machines", machines.len());
}
