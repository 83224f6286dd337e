//! The reference does, tick by tick, what was recorded from BehaviorTree.CPP, although it was written from our text
//! alone.

use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::time::Duration;
use treemind_core::{Behaviour, Event};
use treemind_doc::{Code, Document, Format, convert};
use treemind_testkit::reference::Reference;
use treemind_testkit::scripts::{Scripts, host_leaf, parse_answers};

const TICK: Duration = Duration::from_millis(100);

/// The rows of the three files, without those that show what a key holds: the program prints that, and its test has them.
fn rows() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/btcpp");
    let mut rows = Vec::new();
    for file in ["cases", "random", "skip"] {
        let path = folder.join(file).with_extension("jsonl");
        let lines = fs::read_to_string(path).expect("a file of rows can be read");
        let parsed = lines.lines().map(serde_json::from_str);
        let parsed = parsed.map(|row: Result<Value, _>| row.expect("a row is JSON"));
        rows.extend(parsed.filter(|row| !text(row, "xml").contains("<Echo")));
    }
    rows
}

fn text<'a>(row: &'a Value, name: &str) -> &'a str {
    row[name].as_str().expect("a row has its texts")
}

/// The number of ticks, and the ticks after which the tree is halted.
fn plan(row: &Value) -> (u64, Vec<u64>) {
    let args = row["args"].as_array().expect("a row has its arguments");
    let number = |arg: &Value| arg.as_str().and_then(|arg| arg.parse().ok());
    let mut numbers: Vec<u64> = args.iter().filter_map(number).collect();
    let ticks = numbers.pop().expect("the number of ticks comes last");
    (ticks, numbers)
}

/// The answers of the row's script, for the leaves that the tree has.
fn scripts(row: &Value, behaviour: &Behaviour) -> Scripts {
    let mut scripts = Scripts::new(behaviour);
    for line in text(row, "script").lines() {
        let line = line.split('#').next().unwrap_or_default();
        if let Some((label, answers)) = line.split_once(':') {
            let answers = parse_answers(answers).expect("the answers are S, F, R, K");
            scripts.set(label.trim(), &answers);
        }
    }
    scripts
}

fn line(behaviour: &Behaviour, reference: &Reference<'_>, head: &str) -> String {
    let mut shown = Vec::new();
    for &(node, event) in reference.events() {
        let label = behaviour.label(node);
        match event {
            Event::Tick(status) if host_leaf(behaviour, node).is_some() => {
                shown.push(format!("tick {label} {status}"));
            }
            Event::Abort => shown.push(format!("halt {label}")),
            _ => {}
        }
    }
    let separator = if shown.is_empty() { "" } else { " | " };
    let tick = reference.ticks();
    format!("{tick} {head}{separator}{}", shown.join("; "))
}

/// What the reference does, line by line.
fn played(row: &Value, behaviour: &Behaviour) -> Vec<String> {
    let (ticks, halts) = plan(row);
    let mut scripts = scripts(row, behaviour);
    let mut reference = Reference::new(behaviour, 0, 0);
    let mut lines = Vec::new();
    for tick in 1..=ticks {
        let status = reference.tick(&mut scripts, TICK);
        lines.push(line(behaviour, &reference, status.as_str()));
        if halts.contains(&tick) {
            reference.abort(&mut scripts);
            lines.push(line(behaviour, &reference, "HALTTREE"));
        }
    }
    lines
}

#[test]
fn the_reference_ticks_as_recorded() {
    let (mut equal, mut problems) = (0, Vec::new());
    for row in rows() {
        let document = Document::parse(text(&row, "xml"), "row.xml");
        // The program's own test lists what is not supported yet.
        let Ok(behaviour) = document.behaviour(None) else {
            continue;
        };
        let lines = played(&row, &behaviour);
        let expected = text(&row, "expected").trim().lines().map(str::trim_end);
        if expected.eq(lines.iter().map(String::as_str)) {
            equal += 1;
        } else {
            problems.push(format!("{}:\n{}", text(&row, "name"), lines.join("\n")));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
    assert!(equal >= 111, "only {equal} rows were played");
}

/// The reference, too, makes whole numbers of what scripts compute, and of texts.
#[test]
fn numbers_of_any_kind() {
    let counted = "<Sequence><Script code=\"n := GIVEN\"/><Repeat num_cycles=\"{n}\"><Act name=\"A\"/></Repeat></Sequence>";
    let paused = "<Sequence><Script code=\"n := GIVEN\"/><Delay delay_msec=\"{n}\"><Act name=\"A\"/></Delay></Sequence>";
    let [act, wait] = [" RUNNING | tick A SUCCESS", " RUNNING"];
    let [last, stop] = [" SUCCESS | tick A SUCCESS", " FAILURE"];
    for (inside, given, expected) in [
        (counted, "6 / 2", [act, act, last]),
        (counted, "1 - 2.0", [act, act, act]),
        (counted, "'3'", [act, act, last]),
        (counted, "7 / 2", [stop, stop, stop]),
        (counted, "0 / 0", [stop, stop, stop]),
        (counted, "1e300", [stop, stop, stop]),
        (counted, "'two'", [stop, stop, stop]),
        (paused, "400 / 2", [wait, wait, last]),
        (paused, "'200'", [wait, wait, last]),
        (paused, "2.5", [stop, stop, stop]),
    ] {
        let inside = inside.replace("GIVEN", given);
        let xml = format!(
            "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\"><BehaviorTree ID=\"Main\">{inside}</BehaviorTree></root>"
        );
        let document = Document::parse(&xml, "t.xml");
        let behaviour = document.behaviour(None).expect("it has no errors");
        let row = json!({ "script": "", "args": ["3"] });
        let expected = (1..)
            .zip(expected)
            .map(|(tick, line)| format!("{tick}{line}"));
        assert!(expected.eq(played(&row, &behaviour)), "{inside}");
    }
}

/// What a document is warned of, but for names that only XML does not declare.
fn codes(document: &Document) -> Vec<Code> {
    let all = document.diagnostics().iter().map(|item| item.code());
    all.filter(|code| *code != Code::UnknownLeaf).collect()
}

#[test]
fn trees_in_kdl_and_json_do_the_same() {
    let (mut equal, mut different, mut refused, mut problems) = (0, 0, 0, Vec::new());
    for row in rows() {
        let xml = Document::parse(text(&row, "xml"), "row.xml");
        if xml.behaviour(None).is_err() {
            continue;
        }
        let expected = text(&row, "expected").trim().lines().map(str::trim_end);
        let expected: Vec<&str> = expected.collect();
        for (format, name) in [(Format::Kdl, "row.kdl"), (Format::Json, "row.json")] {
            let converted = match convert(text(&row, "xml"), "row.xml", Format::BtCpp, format) {
                Ok(converted) => converted,
                Err(refusal) => {
                    assert!(
                        refusal.iter().any(|item| item.code() == Code::NoForm),
                        "{refusal}"
                    );
                    refused += 1;
                    continue;
                }
            };
            let document = Document::parse(&converted.text, name);
            // What to write instead is no help to the author of an XML file, so this warning is left out there.
            let mut found = codes(&document);
            found.retain(|code| *code != Code::NotRunAgain);
            assert_eq!(found, codes(&xml), "{}", converted.text);
            let behaviour = document
                .behaviour(None)
                .expect("what is written can be read");
            let lines = played(&row, &behaviour);
            if lines == expected {
                equal += 1;
            } else if converted.differences.is_empty() {
                problems.push(format!(
                    "{}:\n{}\n{}",
                    text(&row, "name"),
                    converted.text,
                    lines.join("\n")
                ));
            } else {
                different += 1;
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
    assert!(
        equal >= 200 && refused < 20 && different < 10,
        "{equal} equal, {different} different, {refused} refused"
    );
}
