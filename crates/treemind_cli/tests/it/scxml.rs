//! State machines in SCXML do what the SCION test suite expects, played by the program.

use crate::{treemind, treemind_in};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/scxml")
}

/// The machines of the suite.
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
                Some("scxml") => found.push(file),
                Some("json") => {}
                _ => panic!("{} is no part of the suite", file.display()),
            }
        }
    }
    found.sort();
    found
}

/// The standard input, and the states expected after given lines of output.
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
        let arguments = format!("machine --scxml {}", name.display());
        let ran = treemind_in(&folder(), &arguments, input.as_bytes());
        let lines: Vec<&str> = ran.out.lines().collect();
        let is_right = wanted
            .iter()
            .all(|(line, wanted)| lines.get(*line).is_some_and(|given| given == wanted));
        if !is_right || ran.code != 0 || ran.err.contains("fault: ") {
            let _ = writeln!(wrong, "{}: {wanted:?}, not {ran:?}", name.display());
        }
    }
    assert_eq!(wrong, "");
    assert!(machines.len() >= 208, "{} machines", machines.len());
}

/// Machines that do something else as a document of ours, and why; `convert` says the second.
const DIFFERENT: [&str; 4] = [
    // They count to 100 in one tick.
    "assign-current-small-step/test1.scxml",
    "assign-current-small-step/test2.scxml",
    // They are sent an event that nobody waits for, which is refused here.
    "scxml-prefix-event-name-matching/test0.scxml",
    "scxml-prefix-event-name-matching/test1.scxml",
];

#[test]
fn machines_of_the_suite_do_the_same_as_documents_of_ours() {
    let out = tempfile::tempdir().expect("a folder");
    let mut wrong = String::new();
    let mut written = 0;
    for (number, machine) in machines().iter().enumerate() {
        let name = machine.strip_prefix(folder()).expect("in the folder");
        let own = out.path().join(format!("{number}.kdl"));
        let arguments = format!("convert {} {}", name.display(), own.display());
        let ran = treemind_in(&folder(), &arguments, b"");
        if ran.code != 0 {
            let is_said = ran.code == 1 && ran.err.contains(": error[T0011]: ");
            if !is_said || own.exists() {
                let _ = writeln!(wrong, "{}: {ran:?}", name.display());
            }
            continue;
        }
        written += 1;
        let is_different = DIFFERENT.iter().any(|one| Path::new(one) == name);
        let script = fs::read(machine.with_extension("json")).expect("what is expected");
        let script: Value = serde_json::from_slice(&script).expect("JSON");
        let (input, wanted) = plan(&script);
        let ran = treemind_in(
            out.path(),
            &format!("machine {number}.kdl"),
            input.as_bytes(),
        );
        let lines: Vec<String> = ran.out.lines().map(named_as_there).collect();
        // What a machine sends to itself arrives in the same line here, so a line may be ahead of what is expected.
        let last = &wanted.last().expect("the first states").1;
        let is_right = wanted.iter().all(|(line, wanted)| {
            let given = lines.get(*line);
            given.is_some_and(|given| given == wanted || given == last)
        });
        if is_right == is_different || (ran.code != 0 && !is_different) {
            let _ = writeln!(wrong, "{}: {wanted:?}, not {ran:?}", name.display());
        }
    }
    assert_eq!(wrong, "");
    assert!(written >= 150, "{written} machines");
}

/// The states of a line without those that have no id in SCXML.
fn named_as_there(line: &str) -> String {
    let Ok(Value::Array(states)) = serde_json::from_str(line) else {
        return line.to_owned();
    };
    let states = states.into_iter().filter_map(|state| {
        let name = state.as_str()?.replace("s3-", "s3.");
        let is_unnamed = name
            .strip_prefix("state-")
            .is_some_and(|rest| rest.parse::<usize>().is_ok());
        (!is_unnamed).then_some(name)
    });
    let mut states: Vec<String> = states.collect();
    states.sort_unstable();
    Value::from(states).to_string()
}

#[track_caller]
fn door(input: &str, out: &str) {
    let ran = treemind_in(
        &crate::data(),
        "machine --scxml door.scxml",
        input.as_bytes(),
    );
    crate::assert_ran(&ran, 0, out, "");
}

#[test]
fn a_line_of_input_is_a_line_of_output() {
    door("", "[\"closed\"]\n");
    door(
        "nothing\n\nwedge\r\n",
        "[\"closed\"]\n[\"closed\"]\n[\"closed\"]\n[\"closed\"]\n",
    );
}

#[test]
fn states_without_an_id_are_left_out_and_others_stand_in_order() {
    door("open\nlock\n", "[\"closed\"]\n[]\n[\"bolt\",\"key\"]\n");
}

#[test]
fn time_passes_at_once() {
    door(
        "open\n@wait 1499\n@wait 1\n",
        "[\"closed\"]\n[]\n[]\n[\"closed\"]\n",
    );
    // A cancelled event never arrives.
    door(
        "open\nwedge\n@wait 5000.5\n",
        "[\"closed\"]\n[]\n[\"wedged\"]\n[\"wedged\"]\n",
    );
}

/// A machine that does something every millisecond.
const TICKING: &str = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="clock">
    <onentry><send event="tick" delay="1ms"/></onentry>
    <transition event="tick" target="clock"/>
  </state>
</scxml>
"#;

#[test]
fn more_than_can_be_played_in_a_wait_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("ticking.scxml"), TICKING).expect("written");
    let play = |input: &[u8]| treemind_in(folder.path(), "machine --scxml ticking.scxml", input);
    let ran = play(b"@wait 1000\n");
    crate::assert_ran(&ran, 0, "[\"clock\"]\n[\"clock\"]\n", "");
    let ran = play(b"@wait 1e12\n@wait 1\n");
    let error = "error: standard input, line 1: too many events are due in that time: 100000 in the first 100000 ms\n";
    crate::assert_ran(&ran, 1, "[\"clock\"]\n", error);
}

/// Plays a machine that waits in `a` for the event `go`, with these variables, and carries out this content then.
/// Returns where it goes: to the state for the event that the content caused.
fn outcome_of(data: &str, content: &str) -> String {
    let text = format!(
        r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
  <datamodel>{data}</datamodel>
  <state id="a"><transition event="go" target="b"/></state>
  <state id="b">
    <onentry>{content}<raise event="rest"/></onentry>
    <transition event="error.execution" target="error"/>
    <transition event="rest"/>
    <transition event="sent.one" target="one"/>
    <transition event="sent.two" target="two"/>
  </state>
  <state id="error"/><state id="one"/><state id="two"/>
</scxml>
"#
    );
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("m.scxml"), text).expect("written");
    let input = b"go\n@wait 10\n@wait 1000\n";
    let ran = treemind_in(folder.path(), "machine --scxml m.scxml", input);
    assert_eq!(ran.code, 0, "{content}: {}", ran.err);
    ran.out.lines().skip(2).collect::<Vec<_>>().join(" ")
}

#[test]
fn names_and_delays_are_worked_out_when_an_event_is_sent() {
    let data = r#"<data id="n" expr="1"/><data id="name" expr="'sent.one'"/><data id="late" expr="'soon'"/>"#;
    let send = r#"<send eventexpr="n == 1 ? name : 'sent.two'" delayexpr="late"/>"#;
    // `soon` is not a duration.
    assert_eq!(outcome_of(data, send), r#"["error"] ["error"]"#);
    let later = |before: &str| {
        let before = format!(r#"<assign location="late" expr="'.5s'"/>{before}"#);
        outcome_of(data, &(before + send))
    };
    assert_eq!(later(""), r#"["b"] ["one"]"#);
    let changed = r#"<assign location="n" expr="2"/>"#;
    assert_eq!(later(changed), r#"["b"] ["two"]"#);
    // No event has that name, and an unset value has no name at all.
    let no_name = r#"<assign location="name" expr="'not a name'"/>"#;
    assert_eq!(later(no_name), r#"["error"] ["error"]"#);
    let unset = r#"<assign location="name" expr="undefined"/>"#;
    assert_eq!(later(unset), r#"["error"] ["error"]"#);
}

#[test]
fn what_cannot_be_assigned_to_is_an_error_of_the_run() {
    for location in ["missing", "n.part", "_event", "_name", "_sessionid", "1"] {
        let assign = format!(r#"<assign location="{location}" expr="1"/><send event="sent.one"/>"#);
        let data = r#"<data id="n" expr="1"/>"#;
        let found = outcome_of(data, &assign);
        assert_eq!(found, r#"["error"] ["error"]"#, "{location}");
    }
}

#[test]
fn the_rest_of_a_division_by_nothing_is_no_number() {
    for (script, holds) in [
        ("n % 0", false),
        ("n % 0 == n % 0", false),
        ("n % zero != 1", true),
        ("!(n % zero)", true),
        ("(n % zero > 1) || (n % zero <= 1)", false),
        ("n % 3 == 1", true),
        ("n % three", true),
        ("(n % zero) ? true : false", false),
        ("any", false),
    ] {
        let data = r#"<data id="n" expr="7"/><data id="zero" expr="0"/><data id="three" expr="3"/><data id="any" expr="'text'"/>"#;
        let content = format!(
            r#"<assign location="any" expr="n % zero"/><if cond="{}"><send event="sent.one"/><else/><send event="sent.two"/></if>"#,
            script.replace('<', "&lt;")
        );
        let wanted = if holds { "one" } else { "two" };
        let found = outcome_of(data, &content);
        assert_eq!(found, format!(r#"["{wanted}"] ["{wanted}"]"#), "{script}");
    }
}

#[test]
fn conditions_of_conditions_take_no_time() {
    let mut script = "any".to_owned();
    for _ in 0..40 {
        script = format!("({script} ? any : n)");
    }
    let data = r#"<data id="n" expr="7"/><data id="any" expr="'text'"/>"#;
    let content = format!(
        r#"<assign location="any" expr="n"/><if cond="{script}"><send event="sent.one"/></if>"#
    );
    assert_eq!(outcome_of(data, &content), r#"["one"] ["one"]"#);
}

#[test]
fn events_carry_data() {
    door("name.who\t\"friend\"\n", "[\"closed\"]\n[]\n");
    door("name\t\"friend\"\n", "[\"closed\"]\n[\"closed\"]\n");
    door("name.who\t7\n", "[\"closed\"]\n[\"closed\"]\n");
    door("push\t{\"force\": 3}\n", "[\"closed\"]\n[]\n");
    door("push\t{\"force\": 3.0, \"a\": [1]}\n", "[\"closed\"]\n[]\n");
    door("push\t{\"force\": [3]}\n", "[\"closed\"]\n[\"closed\"]\n");
}

#[test]
fn after_the_end_nothing_changes() {
    let closed = "[\"closed\"]\n";
    let broken = "[\"broken\"]\n";
    door(
        "hit\nhit\nhit\nhit\nopen\n@wait 9\n",
        &(closed.repeat(3) + &broken.repeat(4)),
    );
}

#[test]
fn faults_are_told_and_lines_that_cannot_be_read_end_it() {
    let play = |input: &[u8]| treemind_in(&crate::data(), "machine --scxml door.scxml", input);
    let ran = play(b"spin\nopen\n");
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (0, "[\"closed\"]\n[\"closed\"]\n[]\n")
    );
    assert_eq!(
        ran.err,
        "fault: the machine is in an endless loop, closed → closed: it is back where it was before\n"
    );
    for (line, error) in [
        (
            "@wiat 3",
            "expected `wait` and a number of milliseconds after `@`",
        ),
        (
            "@wait -1",
            "expected `wait` and a number of milliseconds after `@`",
        ),
        ("hit\t{", "the text after the tab is not JSON"),
    ] {
        let ran = play(format!("hit\n{line}\nhit\n").as_bytes());
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (1, "[\"closed\"]\n[\"closed\"]\n")
        );
        let start = format!("error: standard input, line 2: {error}");
        assert!(ran.err.starts_with(&start), "{}", ran.err);
    }
    assert_eq!(play(b"hit\n\xff\n").code, 1);
}

#[test]
fn other_commands_read_machines_too() {
    assert_eq!(treemind("check door.scxml").code, 0);
    assert_eq!(
        treemind("trace door.scxml --ticks 2").out,
        "1 RUNNING | state machine closed\n2 RUNNING | state machine closed\n"
    );
    assert_eq!(treemind("print door.scxml").code, 0);
    assert_eq!(treemind("machine --scxml guard.kdl").code, 1);
    assert_eq!(treemind("machine --scxml -").code, 2);
    assert_eq!(treemind("machine --scxml nowhere.scxml").code, 1);
}
