//! Trees of BehaviorTree.CPP do what was recorded from the original, both in the library and in the program.

use crate::treemind_in;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::trace::Trace;
use treemind_core::{Population, Program};
use treemind_doc::{Document, script};

/// Rows that this version cannot play (scripts, ports, conditions and switches), with the diagnostics for each.
const LEFT_OUT: [(&str, &[&str]); 7] = [
    ("global_bb_at", &["`Script`"]),
    (
        "pre_failureif_order",
        &["`_failureIf`", "`_successIf`", "`_skipIf`"],
    ),
    ("pre_while_halts", &["`Script`", "`_while`"]),
    ("script_ops", &["`Script`"]),
    ("subtree_const_port", &["`ScriptCondition`", "`Script`"]),
    ("switch2_1", &["`Script`"]),
    ("switch2_change_halts", &["`Script`"]),
];

#[derive(Debug)]
struct Row {
    name: String,
    xml: String,
    script: String,
    ticks: u64,
    halts: Vec<u64>,
    expected: String,
}

/// The rows of the three files.
fn rows() -> Vec<Row> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/btcpp");
    let mut rows = Vec::new();
    for file in ["cases", "random", "skip"] {
        let path = folder.join(file).with_extension("jsonl");
        let text = fs::read_to_string(path).expect("a file of rows");
        rows.extend(text.lines().map(row));
    }
    rows
}

fn row(line: &str) -> Row {
    let row: Value = serde_json::from_str(line).expect("a row is JSON");
    let text = |name: &str| row[name].as_str().expect("a text").to_owned();
    let args = row["args"].as_array().expect("a list");
    let mut args = args.iter().map(|arg| arg.as_str().expect("a text"));
    let (mut ticks, mut halts) = (0, Vec::new());
    while let Some(arg) = args.next() {
        if arg == "--halt-at" {
            let at = args.next().expect("a tick");
            halts.push(at.parse().expect("a number"));
        } else {
            ticks = arg.parse().expect("a number");
        }
    }
    Row {
        name: text("name"),
        xml: text("xml"),
        script: text("script"),
        ticks,
        halts,
        expected: trimmed(&text("expected")),
    }
}

/// Removes spaces at the ends of lines.
fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.trim().lines().map(str::trim_end).collect();
    lines.join("\n")
}

/// The plain trace; an error when the document cannot be played.
fn play(row: &Row) -> Result<String, String> {
    let document = Document::parse(&row.xml, "row.xml");
    let behaviour = document
        .behaviour(None)
        .map_err(|diagnostics| diagnostics.to_plain())?;
    let script = script::parse(&row.script, "row.txt").expect("a script");
    let mut host = Scripted::new(&behaviour, 1);
    for (label, answers) in &script.entries {
        assert!(host.set(0, label, answers), "{}: {label}", row.name);
    }
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let mut trace = Trace::new();
    let mut lines = Vec::new();
    for tick in 1..=row.ticks {
        trace.clear();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        let behaviour = population.program().behaviour();
        let head = trace.root(behaviour, 0).expect("the root is ticked");
        lines.push(trace.plain_line(behaviour, 0, tick, head.as_str()));
        if row.halts.contains(&tick) {
            trace.clear();
            population.abort_all_traced(&mut host, &mut trace);
            let behaviour = population.program().behaviour();
            lines.push(trace.plain_line(behaviour, 0, tick, "HALTTREE"));
        }
        assert!(population.take_faults().kept().is_empty(), "{}", row.name);
    }
    Ok(trimmed(&lines.join("\n")))
}

#[test]
fn every_row_that_can_be_played_is_equal() {
    let left_out: BTreeMap<&str, &[&str]> = LEFT_OUT.into_iter().collect();
    let rows = rows();
    assert_eq!(rows.len(), 118);
    let (mut equal, mut problems) = (0, Vec::new());
    for row in &rows {
        match (play(row), left_out.get(row.name.as_str())) {
            (Ok(_), Some(reasons)) => problems.push(format!(
                "{} can be played; it was left out for {}",
                row.name,
                reasons.join(", ")
            )),
            (Err(_), Some(_)) => {}
            (Err(error), None) => problems.push(format!("{} is refused:\n{error}", row.name)),
            (Ok(found), None) if found == row.expected => equal += 1,
            (Ok(found), None) => problems.push(difference(row, &found)),
        }
    }
    let count = problems.len();
    assert!(
        problems.is_empty(),
        "{equal} equal, {count} not:\n{}",
        problems.join("\n\n")
    );
    assert_eq!(equal, 111);
}

/// The first line that differs, with the tree.
fn difference(row: &Row, found: &str) -> String {
    let pair = row
        .expected
        .lines()
        .zip(found.lines())
        .find(|(a, b)| a != b);
    let (expected, found) = pair.unwrap_or(("as many lines", "another number of lines"));
    format!(
        "{} ({} letters of XML)\n  expected {expected}\n  found    {found}",
        row.name,
        row.xml.len()
    )
}

#[test]
fn what_is_left_out_is_refused_for_what_it_needs() {
    for row in rows() {
        let Some((_, reasons)) = LEFT_OUT.iter().find(|(name, _)| *name == row.name) else {
            continue;
        };
        let said = play(&row).expect_err("it is refused");
        for line in said.lines() {
            assert!(line.contains("error[T0501]"), "{}: {line}", row.name);
        }
        for reason in *reasons {
            assert!(said.contains(reason), "{}: {said}", row.name);
        }
    }
}

#[test]
fn the_program_prints_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    for row in rows() {
        if LEFT_OUT.iter().any(|(name, _)| *name == row.name) {
            continue;
        }
        fs::write(folder.path().join("row.xml"), &row.xml).expect("a file");
        let halts: String = row
            .halts
            .iter()
            .map(|tick| format!(" --halt-at {tick}"))
            .collect();
        let arguments = format!("trace row.xml --script - --ticks {}{halts}", row.ticks);
        let ran = treemind_in(folder.path(), &arguments, row.script.as_bytes());
        assert_eq!(ran.code, 0, "{}: {}", row.name, ran.err);
        assert_eq!(trimmed(&ran.out), row.expected, "{}", row.name);
    }
}

#[test]
fn the_other_commands_read_xml_as_well() {
    let folder = tempfile::tempdir().expect("a folder");
    let xml = "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Main\">\n    <Sequence name=\"go\"><Cond name=\"see\"/><Action ID=\"Walk\"/></Sequence>\n  </BehaviorTree>\n</root>\n";
    fs::write(folder.path().join("go.xml"), xml).expect("a file");
    let ran = treemind_in(folder.path(), "check go.xml", b"");
    let summary = "1 file checked: no errors, no warnings\n";
    crate::assert_ran(&ran, 0, "", summary);
    let outline = "tree Main\n  sequence name=go\n    condition Cond name=see\n    action Walk\n";
    for arguments in ["print go.xml", "print go.xml --tree Main", "print -"] {
        let ran = treemind_in(folder.path(), arguments, xml.as_bytes());
        crate::assert_ran(&ran, 0, outline, "");
    }
    let wrong = xml.replace("<Cond", "<Script code=\"a := 1\"/><Cond");
    fs::write(folder.path().join("wrong.xml"), wrong).expect("a file");
    let ran = treemind_in(folder.path(), "trace wrong.xml --ticks 1", b"");
    let said = "wrong.xml:3:26: error[T0501]: BehaviorTree.CPP has `Script`, but this version cannot run it yet\n";
    crate::assert_ran(&ran, 1, "", said);
}
