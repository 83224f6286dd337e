//! Trees of BehaviorTree.CPP do what was recorded from the original, both in the library and in the program.

use crate::treemind_in;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::trace::Trace;
use treemind_core::{Population, Program};
use treemind_doc::{Document, script};

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
fn every_row_is_equal() {
    let rows = rows();
    assert_eq!(rows.len(), 118);
    let (mut equal, mut problems) = (0, Vec::new());
    // The program prints what is echoed; its test has these rows.
    for row in rows.iter().filter(|row| !row.xml.contains("<Echo")) {
        match play(row) {
            Err(error) => problems.push(format!("{} is refused:\n{error}", row.name)),
            Ok(found) if found == row.expected => equal += 1,
            Ok(found) => problems.push(difference(row, &found)),
        }
    }
    let count = problems.len();
    assert!(
        problems.is_empty(),
        "{equal} equal, {count} not:\n{}",
        problems.join("\n\n")
    );
    assert_eq!(equal, 115);
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
fn the_program_prints_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    for row in rows() {
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
fn trees_are_found_in_other_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, inside: &str| {
        let text = format!("<root BTCPP_format=\"4\">{inside}</root>");
        fs::write(folder.path().join(name), text).expect("a file");
    };
    let main = "<SubTree ID=\"A\" speed=\"{fast}\"/><SubTree ID=\"B\"/>";
    write(
        "main.xml",
        &format!(
            "<include path=\"./parts/b.xml\"/><BehaviorTree ID=\"Main\"><Sequence>{main}</Sequence></BehaviorTree>"
        ),
    );
    write(
        "a.xml",
        "<BehaviorTree ID=\"A\"><Sequence><Action ID=\"Go\" speed=\"{speed}\"/><SubTree ID=\"C\"/></Sequence></BehaviorTree><BehaviorTree ID=\"Broken\"/>",
    );
    write(
        "c.xml",
        "<BehaviorTree ID=\"C\"><Action ID=\"Stop\"/></BehaviorTree>",
    );
    fs::create_dir(folder.path().join("parts")).expect("a folder");
    write(
        "parts/b.xml",
        "<BehaviorTree ID=\"B\"><Action ID=\"Wave\"/></BehaviorTree>",
    );
    let ran = treemind_in(folder.path(), "check main.xml", b"");
    crate::assert_ran(&ran, 0, "", "1 file checked: no errors, no warnings\n");
    let ran = treemind_in(folder.path(), "trace main.xml --ticks 1", b"");
    let line = "1 SUCCESS | tick Go SUCCESS; tick Stop SUCCESS; tick Wave SUCCESS\n";
    crate::assert_ran(&ran, 0, line, "");
    // The name of a list of files is no file.
    write(
        "main.xml",
        "<include path=\"*.xml\"/><include path=\"../x.xml\"/><BehaviorTree ID=\"Main\"><Action ID=\"A\"/></BehaviorTree>",
    );
    let ran = treemind_in(folder.path(), "check main.xml", b"");
    assert_eq!(ran.err.matches("cannot include").count(), 2, "{}", ran.err);
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
    let wrong = xml.replace("<Cond", "<Script code=\"n := 'a'; n -= 1\"/><Cond");
    fs::write(folder.path().join("wrong.xml"), wrong).expect("a file");
    let ran = treemind_in(folder.path(), "trace wrong.xml --ticks 1", b"");
    let said = "wrong.xml:3:39: error[T0501]: this version cannot run the script of `code`: `n` is a text, and `-=` is for numbers\n";
    crate::assert_ran(&ran, 1, "", said);
}

#[test]
fn models_and_trees_in_other_places() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write(
        "robot/main.xml",
        "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Main\"><Sequence><Look/><SubTree ID=\"Rest\"/></Sequence></BehaviorTree></root>",
    );
    write(
        "common/rest.xml",
        "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Rest\"><Action ID=\"Lie\"/></BehaviorTree></root>",
    );
    write(
        "nodes.xml",
        "<root><TreeNodesModel><Condition ID=\"Look\"/></TreeNodesModel></root>",
    );
    let ran = treemind_in(
        folder.path(),
        "check robot/main.xml --manifest nodes.xml --include common",
        b"",
    );
    crate::assert_ran(&ran, 0, "", "1 file checked: no errors, no warnings\n");
    let ran = treemind_in(folder.path(), "check robot/main.xml", b"");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("unknown tree `Rest`"), "{}", ran.err);
    // A model says what the nodes are; the files beside it are others.
    let ran = treemind_in(
        folder.path(),
        "check robot/main.xml --manifest nodes.xml",
        b"",
    );
    assert!(ran.err.contains("unknown tree `Rest`"), "{}", ran.err);
    let arguments = "check robot/main.xml --manifest nodes.xml --include .";
    let ran = treemind_in(folder.path(), arguments, b"");
    crate::assert_ran(&ran, 0, "", "1 file checked: no errors, no warnings\n");
    let arguments = "trace robot/main.xml --manifest nodes.xml --include common --ticks 1";
    let ran = treemind_in(folder.path(), arguments, b"");
    crate::assert_ran(
        &ran,
        0,
        "1 SUCCESS | tick Look SUCCESS; tick Lie SUCCESS\n",
        "",
    );
    let arguments = "convert robot/main.xml --to kdl --manifest nodes.xml --include common";
    let ran = treemind_in(folder.path(), arguments, b"");
    assert!(
        ran.out.contains("condition Look") && ran.out.contains("tree Rest"),
        "{}",
        ran.out
    );
    write(
        "robot/.old/rest.xml",
        "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Rest\"><Look/></BehaviorTree></root>",
    );
    let ran = treemind_in(folder.path(), "check robot/main.xml", b"");
    assert_eq!(ran.code, 1, "{}", ran.err);
    write(
        "robot/parts/of/rest.xml",
        "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Rest\"><Look/></BehaviorTree></root>",
    );
    let ran = treemind_in(folder.path(), "check robot/main.xml", b"");
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn documents_become_xml() {
    let folder = tempfile::tempdir().expect("a folder");
    let kdl = "leaves { condition see; action hit; }\ntree t { sequence { condition see; action hit; }; }\n";
    fs::write(folder.path().join("t.kdl"), kdl).expect("a file");
    let ran = treemind_in(folder.path(), "convert t.kdl t.xml", b"");
    crate::assert_ran(&ran, 0, "", "");
    let xml = fs::read_to_string(folder.path().join("t.xml")).expect("a file");
    assert!(xml.contains("<BehaviorTree ID=\"t\">"), "{xml}");
    let ran = treemind_in(folder.path(), "check t.xml", b"");
    crate::assert_ran(&ran, 0, "", "1 file checked: no errors, no warnings\n");
    let ran = treemind_in(folder.path(), "convert t.xml --to btcpp", b"");
    crate::assert_ran(&ran, 0, &xml, "");
    fs::write(
        folder.path().join("u.kdl"),
        "tree t { random-selector { succeed; fail; }; }",
    )
    .expect("a file");
    let ran = treemind_in(folder.path(), "convert u.kdl u.xml", b"");
    assert_eq!(ran.code, 1);
    assert!(
        ran.err
            .contains("error[T0011]: BehaviorTree.CPP has no `random-selector`"),
        "{}",
        ran.err
    );
    assert!(!folder.path().join("u.xml").exists());
}

#[test]
fn monitors_look_at_a_run() {
    use std::io::Read as _;
    use std::net::{TcpListener, TcpStream};
    use std::time::Instant;
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("go.kdl"), "tree go { wait 60.0; }").expect("a file");
    // A port that is free now; the next one is very likely free, too.
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    // Long enough for a busy machine to greet who looks.
    let line = format!("run go.kdl --no-ui --ticks 60 --groot {port}");
    let ran = treemind_in(folder.path(), &line, b"");
    assert_eq!(ran.code, 1);
    let said = format!("monitors cannot look at port {port} and the next one: ");
    assert!(ran.err.contains(&said), "{}", ran.err);
    for (wrong, most) in [
        ("--groot 65535", 65_534),
        ("--groot x", 65_534),
        ("--studio --port x", 65_535),
    ] {
        let ran = treemind_in(folder.path(), &format!("run go.kdl {wrong}"), b"");
        let said = format!("not a port from 0 to {most}");
        assert!(ran.code == 2 && ran.err.contains(&said), "{}", ran.err);
    }
    drop(taken);
    let begun = Instant::now();
    let looks = std::thread::spawn(move || {
        let mut stream = loop {
            match TcpStream::connect(("127.0.0.1", port)) {
                Ok(stream) => break stream,
                Err(error) => assert!(begun.elapsed().as_secs() < 20, "{error}"),
            }
        };
        let mut greeting = [0; 64];
        stream.read_exact(&mut greeting).expect("a greeting");
        greeting
    });
    let ran = treemind_in(folder.path(), &line, b"");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let said = format!("monitors such as Groot2 look at 127.0.0.1:{port}");
    assert!(ran.err.contains(&said), "{}", ran.err);
    // It plays in real time.
    assert!(begun.elapsed() >= Duration::from_millis(2950));
    let greeting = looks.join().expect("somebody who looks");
    assert_eq!((greeting[0], greeting[9], greeting[10]), (0xff, 0x7f, 3));
    assert!(greeting[12..].starts_with(b"NULL\0"));
}

#[test]
fn a_recording_becomes_a_log_of_theirs() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "tree go { sequence { wait 0.1 name=first; succeed name=second; } }";
    fs::write(folder.path().join("go.kdl"), text).expect("a file");
    let run = |line: &str| {
        let ran = treemind_in(folder.path(), line, b"");
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        ran.out
    };
    fs::write(folder.path().join("none.txt"), "").expect("a file");
    run("run go.kdl --script none.txt --no-ui --ticks 3 --record go.mcap");
    run("export go.mcap --btlog go.btlog");
    let bytes = fs::read(folder.path().join("go.btlog")).expect("a log");
    assert!(bytes.starts_with(b"BTCPP4-FileLogger2\x01"));
    let lines = run("export go.btlog --json");
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(
        lines[0],
        r#"{"secs":0.05,"uid":2,"node":"first","status":"RUNNING"}"#
    );
    assert!(
        lines.contains(&r#"{"secs":0.15,"uid":3,"node":"second","status":"SUCCESS"}"#),
        "{lines:#?}"
    );
    run("export go.mcap --db3 go.db3");
    let rows = run("export go.db3 --json");
    assert_eq!(
        rows.lines().next(),
        Some(lines[0])
            .map(|line| line.replace("0.05", "0.0"))
            .as_deref()
    );
    assert_eq!(rows.lines().count(), lines.len());
    assert_eq!(run("export go.db3 --json --run 1"), rows);
    let ran = treemind_in(folder.path(), "export go.db3 --json --run 2", b"");
    assert!(
        ran.code == 1 && ran.err.contains("has no session 2: it has 1"),
        "{}",
        ran.err
    );
    let ran = treemind_in(folder.path(), "export go.btlog --perfetto", b"");
    assert_eq!(ran.code, 2);
    // The robot stopped while it wrote its last row.
    let mut cut = fs::read(folder.path().join("go.btlog")).expect("a log");
    cut.truncate(cut.len() - 4);
    fs::write(folder.path().join("cut.btlog"), cut).expect("a file");
    let ran = treemind_in(folder.path(), "export cut.btlog --json", b"");
    assert_eq!(ran.out.lines().count(), lines.len() - 1);
    let said = "note: cut.btlog: the log is cut off: its last 5 bytes are not a whole row";
    assert!(ran.code == 0 && ran.err.contains(said), "{}", ran.err);
    fs::write(folder.path().join("bad.btlog"), b"BTCPP3").expect("a file");
    let ran = treemind_in(folder.path(), "export bad.btlog --json", b"");
    let said = "bad.btlog: this is not a log of BehaviorTree.CPP (FileLogger2)";
    assert!(ran.code == 1 && ran.err.contains(said), "{}", ran.err);
}

/// Mocks become a test of the document, which can be played.
#[test]
fn mocks_become_a_test() {
    let folder = tempfile::tempdir().expect("a folder");
    let tree = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Main\"><Sequence><RunOnce><Script code=\"tries := 0; limit := tries + 1; is_open := false\"/></RunOnce>\
        <Action ID=\"Say\" name=\"say it\" text=\"{text}\"/><SubTree ID=\"Door\" open=\"{is_open}\" count=\"{tries}\"/></Sequence></BehaviorTree>\
        <BehaviorTree ID=\"Door\"><Fallback><Condition ID=\"IsOpen\" open=\"{open}\"/><Action ID=\"Open\" count=\"{count}\"/></Fallback></BehaviorTree></root>";
    fs::write(folder.path().join("t.xml"), tree).expect("a file");
    let mocks = r#"{"TestNodeConfigs": {
            "Late": {"async_delay": 200, "success_script": "text := 'said'", "post_script": "x = 1"},
            "Open": {"return_status_script": "count > 1 ? SUCCESS : FAILURE", "failure_script": "count += 1", "success_script": "open = true", "post_script": "y += 1"}},
        "SubstitutionRules": {"say it": "Late", "Door/O*": "Open", "IsOpen": "AlwaysFailure"}}"#;
    fs::write(folder.path().join("mocks.json"), mocks).expect("a file");
    let ran = treemind_in(folder.path(), "convert t.xml t.kdl --mocks mocks.json", b"");
    let mut notes: Vec<&str> = ran.err.lines().collect();
    notes.sort_unstable();
    let left_out = [
        "note: `Door/Open` does not run its `post_script` (`y` is not a key of the tree that runs, but of one in it): y += 1",
        "note: `say it` does not run its `post_script` (no node of the tree uses `x`): x = 1",
    ];
    assert_eq!((ran.code, &notes[..]), (0, &left_out[..]));
    let kdl = fs::read_to_string(folder.path().join("t.kdl")).expect("a document");
    let always = "    tick\n    // Add what you expect.\n    always \"true\"\n}\n";
    let test = format!(
        "test \"with mocks.json\" tree=\"Main\" {{\n    leaf \"IsOpen\" answers=\"F\"\n    \
         leaf \"Open\" answers=\"F\" succeed-if=\"(tries > 1.0)\" on-success=\"is_open = 1\" on-failure=\"tries = tries + 1.0\"\n    \
         leaf \"say it\" answers=\"R R S\" each-run=#true on-success=\"text = 'said'\"\n{always}"
    );
    assert!(kdl.ends_with(&test), "{kdl}");
    let expected = "    tick 3\n    expect failure that=\"tries == 1.0 && text == 'said'\"\n    tick 3\n    \
        expect failure that=\"tries == 2.0\"\n    tick 2\n    expect running\n    tick\n    expect success that=\"is_open == 1.0\"\n}\n";
    fs::write(folder.path().join("t.kdl"), kdl.replace(always, expected)).expect("a file");
    let ran = treemind_in(folder.path(), "test t.kdl", b"");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let ran = treemind_in(
        folder.path(),
        "convert t.kdl t.json --mocks mocks.json",
        b"",
    );
    assert_eq!(ran.code, 2, "{}", ran.err);
}

/// Faults are told in the words of the file.
#[test]
fn a_fault_names_the_element() {
    let folder = tempfile::tempdir().expect("a folder");
    for (node, word) in [
        ("<Sleep msec=\"{t}\"/>", "Sleep"),
        (
            "<Repeat num_cycles=\"{t}\"><AlwaysSuccess/></Repeat>",
            "Repeat",
        ),
        ("<Script code=\"a := t + 1\"/>", "Script"),
        ("<Sleep name=\"nap\" msec=\"{t}\"/>", "nap"),
        (
            "<Precondition if=\"t == 1\"><AlwaysSuccess/></Precondition>",
            "Precondition",
        ),
        (
            "<Decorator ID=\"Repeat\" num_cycles=\"{t}\"><AlwaysSuccess/></Decorator>",
            "Repeat",
        ),
    ] {
        let xml =
            format!("<root BTCPP_format=\"4\"><BehaviorTree ID=\"M\">{node}</BehaviorTree></root>");
        fs::write(folder.path().join("t.xml"), xml).expect("a file");
        let ran = treemind_in(folder.path(), "trace t.xml --ticks 1", b"");
        let said = format!("tick 1: {word}: ");
        assert!(ran.err.contains(&said), "{node}: {}", ran.err);
    }
}

/// What an `Echo` shows that cleans up after an abort is of the line of the abort.
#[test]
fn an_echo_that_cleans_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let xml = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"M\"><TryCatch catch_on_halt=\"true\"><Act name=\"A\"/><Echo name=\"E\" in=\"2\"/></TryCatch></BehaviorTree></root>";
    fs::write(folder.path().join("t.xml"), xml).expect("a file");
    fs::write(folder.path().join("a.txt"), "A: R\n").expect("a file");
    let arguments = "trace t.xml --script a.txt --ticks 2 --halt-at 1";
    let ran = treemind_in(folder.path(), arguments, b"");
    let lines =
        "1 RUNNING | tick A RUNNING\n1 HALTTREE | halt A; echo E 2\n2 RUNNING | tick A RUNNING\n";
    assert_eq!(ran.out, lines, "{}", ran.err);
}

#[test]
fn what_is_not_there_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text);
    write("t.kdl", "tree t { succeed; }").expect("a file");
    let ran = treemind_in(folder.path(), "check t.kdl --include nowhere", b"");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let said = "warning: `--allow-imports nowhere`: there is no such folder\n";
    assert!(ran.err.starts_with(said), "{}", ran.err);
    // A document without a tree has no form in this XML.
    write("l.kdl", "leaves { action walk; }\n").expect("a file");
    let ran = treemind_in(folder.path(), "convert l.kdl --to btcpp", b"");
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (1, ""),
        "{} {}",
        ran.out,
        ran.err
    );
    assert!(ran.err.contains("there is no tree"), "{}", ran.err);
}
