//! No text from a document, a file name or a log can send commands to the terminal.

use crate::{Ran, command, ran, treemind_in};
use std::fs;

/// A text that clears the screen, rings the bell, sets a title with C1, and reverses letters, as written in KDL and
/// JSON.
const EVIL: &str = r"a\u{1b}[2J\u{7}\u{9b}31m\u{202e}\u{7f}z";
/// How it is shown.
const SHOWN: &str = r"a␛[2J␇\u{9b}31m\u{202e}␡z";
/// The text itself.
const RAW: &str = "a\u{1b}[2J\u{7}\u{9b}31m\u{202e}\u{7f}z";

/// A folder with a document in which every text is evil.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let document = r#"
leaves {
    condition see doc="doc EVIL"
    action go doc="doc EVIL"
    action Echo { param in type=string; }
}
blackboard { key text type=string default="value EVIL" doc="doc EVIL"; }
tree guard doc="doc EVIL" {
    sequence name="name-EVIL" doc="doc EVIL" {
        log "log EVIL {text}" name="told"
        condition see name="seen-EVIL" doc="doc EVIL"
        action Echo in="echo EVIL"
        action go doc="doc EVIL"
    }
}
"#;
    let write = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text.replace("EVIL", EVIL)).unwrap();
    };
    write("evil.kdl", document);
    write(
        "typos.kdl",
        "tree t { sequence { condition \"typo-EVIL\"; check \"EVIL\"; subtree \"no-EVIL\"; }; }",
    );
    let raw = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text.replace("EVIL", RAW)).unwrap();
    };
    raw("script.txt", "go: S\nno-EVIL: S\n");
    raw("raw.kdl", "tree t { fail; } // EVIL\n");
    raw(
        "raw.xml",
        "<root BTCPP_format=\"4\"><BehaviorTree ID=\"EVIL\"><Nothing/></BehaviorTree></root>",
    );
    raw("raw.csv", "id,parent,type,description\n1,0,EVIL,EVIL\n");
    raw("raw.map", "EVIL\n");
    folder
}

/// Asserts that an output contains no commands to the terminal, and no panic.
#[track_caller]
fn is_plain(line: &str, ran: &Ran) {
    for text in [&ran.out, &ran.err] {
        let bad = text.find(|c: char| c != '\n' && (c.is_control() || c == '\u{202e}'));
        assert_eq!(bad, None, "{line}: {text:?}");
    }
    assert!(!ran.err.contains("panicked"), "{line}: {}", ran.err);
}

#[test]
fn texts_of_documents_are_made_visible() {
    let folder = folder();
    let said = |line: &str| {
        let ran = treemind_in(folder.path(), line, b"");
        is_plain(line, &ran);
        ran.out + &ran.err
    };
    for (line, parts) in [
        ("print evil.kdl", &["doc "][..]),
        (
            "trace evil.kdl --ticks 2",
            &["log ", "value ", "tick seen-", "Echo echo "],
        ),
        (
            "run evil.kdl --no-ui --ticks 2 --script /dev/null",
            &["seen-", "log "],
        ),
        ("check typos.kdl", &["typo-", "no-"]),
        (
            "trace evil.kdl --ticks 1 --script script.txt",
            &["no-", "seen-"],
        ),
    ] {
        let text = said(line);
        for part in parts {
            let part = format!("{part}{SHOWN}");
            assert!(text.contains(&part), "{line}: {part} is missing in\n{text}");
        }
    }
    for line in [
        "check raw.kdl raw.xml raw.csv",
        "print raw.xml",
        "run evil.kdl --no-ui --map raw.map",
        "run evil.kdl --no-ui",
        "print evil.kdl --stats",
        "convert evil.kdl --to mermaid",
        "convert evil.kdl --to dot",
        "balance evil.kdl --profile raw.map",
        "learn raw.csv --target x",
    ] {
        said(line);
    }
}

#[test]
fn results_for_programs_stay_what_they_are() {
    let folder = folder();
    let json = |line: &str| {
        let out = treemind_in(folder.path(), line, b"").out;
        let mut objects = serde_json::Deserializer::from_str(&out).into_iter();
        let first: serde_json::Value = objects.next().unwrap().unwrap();
        first
    };
    let problems = json("check typos.kdl --json");
    let message = problems[0]["message"].as_str().unwrap();
    assert!(message.contains(&format!("typo-{RAW}")), "{message:?}");
    let tick = json("trace evil.kdl --ticks 1 --format json").to_string();
    let raw = |text: &str| {
        serde_json::Value::from(text)
            .to_string()
            .trim_matches('"')
            .to_owned()
    };
    assert!(tick.contains(&raw(&format!("seen-{RAW}"))), "{tick}");
    // Documents are written exactly as they were read.
    let text = fs::read(folder.path().join("evil.kdl")).unwrap();
    let formatted = treemind_in(folder.path(), "fmt -", &text).out;
    assert!(formatted.contains(EVIL), "{formatted}");
    let there = treemind_in(folder.path(), "convert evil.kdl --to json", b"").out;
    let back = treemind_in(
        folder.path(),
        "convert - --from json --to kdl",
        there.as_bytes(),
    );
    assert_eq!(back.code, 0, "{}", back.err);
    let outline = |text: &str| treemind_in(folder.path(), "print -", text.as_bytes()).out;
    assert_eq!(
        outline(&back.out),
        outline(std::str::from_utf8(&text).unwrap())
    );
}

#[test]
fn logs_of_machines_are_made_visible() {
    let folder = tempfile::tempdir().unwrap();
    let chart = "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" datamodel=\"ecmascript\" initial=\"s\">
        <state id=\"s\"><onentry><log expr=\"'log \u{9b}31m \u{7f} \u{202e}z'\"/></onentry></state></scxml>";
    fs::write(folder.path().join("log.scxml"), chart).unwrap();
    let ran = treemind_in(folder.path(), "machine --scxml log.scxml", b"");
    is_plain("machine", &ran);
    assert_eq!(ran.err, "log: log \\u{9b}31m ␡ \\u{202e}z\n");
}

#[test]
#[cfg(unix)]
fn names_of_files_and_arguments_are_made_visible() {
    let folder = tempfile::tempdir().unwrap();
    let (name, shown) = (RAW, SHOWN);
    let file = format!("{name}.kdl");
    fs::write(folder.path().join(&file), "tree t { nothing; }").unwrap();
    fs::write(
        folder.path().join("forged\nerror: x.kdl"),
        "tree t { nothing; }",
    )
    .unwrap();
    let run = |arguments: &[&str]| {
        let output = command(folder.path(), "").args(arguments).output();
        let ran = ran(&output.unwrap());
        is_plain(&arguments.join(" "), &ran);
        ran.err
    };
    for arguments in [
        &["check", &*file][..],
        &["print", &*file],
        &["check", &*format!("gone{name}")],
        &["convert", &*file, &*format!("no{name}/x.json")],
        &["frobnicate", name],
        &[name],
        &["check", &*format!("--{name}")],
        &["trace", "x", "--ticks", name],
    ] {
        let said = run(arguments);
        let quoted = arguments == ["frobnicate", name];
        assert!(quoted || said.contains(shown), "{arguments:?}: {said}");
    }
    let forged = run(&["check", "forged\nerror: x.kdl"]);
    assert!(forged.starts_with("forged␊error: x.kdl:1:"), "{forged}");
    // A name is on one line in every error, whatever reads or writes the file.
    let gone = "gone\nerror: x";
    fs::write(folder.path().join("good.kdl"), "tree t { succeed; }\n").unwrap();
    for arguments in [
        &["check", gone][..],
        &["test", gone],
        &["fmt", gone],
        &["print", "good.kdl", "--profile", gone],
        &["trace", "good.kdl", "--ticks", "1", "--script", gone],
        &["run", "good.kdl", "--map", gone],
        &["run", "good.kdl", "--record", "no\nerror: x/y", "--no-ui"],
        &["run", gone],
        &["replay", gone],
        &["saved", gone],
        &["export", gone, "--json"],
        &["learn", gone, "--target", "x"],
        &["convert", gone, "x.json"],
        &["convert", "good.kdl", "x\nerror: y"],
        &["new", gone],
        &["new", "x", "--path", gone],
    ] {
        let said = run(arguments);
        assert!(said.contains('␊'), "{arguments:?}: {said}");
        assert!(!said.contains("\nerror: x"), "{arguments:?}: {said}");
    }
}

/// A picture is XML, which does not allow such characters.
#[test]
fn pictures_hold_no_commands() {
    let folder = folder();
    let line = "run evil.kdl --script /dev/null --svg - --at 2 --size 120x30";
    let ran = treemind_in(folder.path(), line, b"");
    assert_eq!(ran.code, 0, "{}", ran.err);
    is_plain(line, &ran);
    assert!(ran.out.contains('␛'), "{}", ran.out);
}
