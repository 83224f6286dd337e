//! `treemind test`: the tests of documents.

use crate::{assert_ran, command, treemind_in};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

const GUARD: &str = "\
leaves { condition see-enemy; action attack; action patrol; }
tree guard { selector { sequence { condition see-enemy; action attack; }; action patrol; }; }
test \"attacks\" tree=guard { leaf see-enemy answers=\"S\"; tick; expect running active=attack; }
";

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).unwrap();
}

#[test]
fn tests_that_pass() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "guard.kdl", GUARD);
    let ran = treemind_in(folder.path(), "test guard.kdl --coverage", b"");
    let expected = "\
guard.kdl
  ok    attacks
  coverage 80.0 %: 4 of 5
    no test reached, in guard: action patrol
";
    assert_ran(&ran, 0, expected, "1 passed, 0 failed\n");
    let ran = treemind_in(folder.path(), "test guard.kdl --min-coverage 90", b"");
    assert_eq!(ran.code, 1);
    let expected = "1 passed, 0 failed\nerror: guard.kdl: coverage is 80.0 %, less than 90 %\n";
    assert_eq!(ran.err, expected);
    let ran = treemind_in(folder.path(), "test - --min-coverage 80", GUARD.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, "1 passed, 0 failed\n"));
}

#[test]
fn a_test_that_fails_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("{GUARD}test \"rests\" tree=guard {{ tick; expect success; }}\n");
    write(folder.path(), "guard.kdl", &text);
    let ran = treemind_in(folder.path(), "test guard.kdl --junit out.xml", b"");
    let expected = "\
guard.kdl
  ok    attacks
  FAIL  rests
        line 4: test \"rests\" tree=guard { tick; expect success; }
          expected: success
          got:      running
        in tick 1:
          RUNNING   selector
          FAILURE     sequence
          FAILURE       condition see-enemy
                        action attack
          RUNNING     action patrol
  coverage 100.0 %: 5 of 5
";
    assert_ran(&ran, 1, expected, "1 passed, 1 failed\n");
    let xml = fs::read_to_string(folder.path().join("out.xml")).unwrap();
    assert!(xml.contains("failures=\"1\""), "{xml}");
}

#[test]
fn a_mistake_in_a_test_keeps_only_tests_from_running() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("{GUARD}test \"rests\" tree=guard {{ tick; expect nothing; }}\n");
    write(folder.path(), "guard.kdl", &text);
    write(folder.path(), "script.txt", "see-enemy: F\npatrol: R\n");
    let run = |arguments: &str| treemind_in(folder.path(), arguments, b"");
    let note = "note: guard.kdl: a mistake in a test, in line 4; the tests cannot run, everything else can; `treemind check guard.kdl` shows all\n";
    let played = run("run guard.kdl --script script.txt --ticks 1 --record a.mcap");
    assert_eq!(played.code, 0, "{}", played.err);
    assert!(played.err.starts_with(note), "{}", played.err);
    assert!(played.out.contains("patrol starts"), "{}", played.out);
    for arguments in [
        "trace guard.kdl --script script.txt --ticks 1",
        "print guard.kdl",
    ] {
        let ran = run(arguments);
        assert_eq!(ran.code, 0, "{arguments}: {}", ran.err);
        assert_eq!(ran.err.lines().next(), note.lines().next(), "{arguments}");
        assert!(ran.out.contains("patrol"), "{}", ran.out);
    }
    // A recording has the document, with its tests.
    let replayed = run("replay a.mcap --no-ui");
    assert_eq!(replayed.code, 0, "{}", replayed.err);
    assert!(replayed.out.contains("patrol starts"), "{}", replayed.out);
    for arguments in [
        "check guard.kdl",
        "test guard.kdl",
        "trace guard.kdl --test attacks",
    ] {
        let ran = run(arguments);
        assert_eq!(ran.code, 1, "{arguments}");
        assert!(ran.err.contains("the answer of the root is"), "{}", ran.err);
        assert!(!ran.out.contains("active"), "{arguments}: {}", ran.out);
    }
}

#[test]
fn nothing_to_run_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "bare.kdl", "tree t { run }\n");
    write(folder.path(), "guard.kdl", GUARD);
    write(folder.path(), "wrong.kdl", "tree t { rn }\n");
    let ran = treemind_in(folder.path(), "test bare.kdl", b"");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (1, "error: these documents have no tests\n")
    );
    let ran = treemind_in(folder.path(), "test guard.kdl --name flees", b"");
    assert_eq!(ran.err, "error: no test has `flees` in its name\n");
    // Nobody knows how many tests a document has that cannot be read.
    let ran = treemind_in(folder.path(), "test wrong.kdl", b"");
    assert_eq!(ran.code, 1);
    assert!(!ran.err.contains("no tests"), "{}", ran.err);
    let ran = treemind_in(folder.path(), "test wrong.kdl gone.kdl guard.kdl", b"");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("unknown node `rn`"), "{}", ran.err);
    assert!(ran.err.contains("cannot read gone.kdl"), "{}", ran.err);
    assert!(ran.out.contains("ok    attacks"), "{}", ran.out);
}

#[test]
fn a_change_runs_the_tests_again() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "guard.kdl",
        &format!(
            "import \"leaves.kdl\"\n{}",
            GUARD.split_once('\n').unwrap().1
        ),
    );
    write(folder.path(), "leaves.kdl", GUARD.lines().next().unwrap());
    let mut command = command(folder.path(), "test guard.kdl --watch");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut next = || lines.next().unwrap().unwrap();
    assert_eq!(next(), "1 passed, 0 failed");
    assert_eq!(next(), "waiting for changes; stop with Ctrl+C");
    write(
        folder.path(),
        "leaves.kdl",
        "leaves { condition see-enmy; action attack; action patrol; }\n",
    );
    assert!(next().contains("unknown condition `see-enemy`"));
    while !next().contains("waiting for changes") {}
    write(folder.path(), "leaves.kdl", GUARD.lines().next().unwrap());
    // A slow machine may see the file before it is written whole.
    while next() != "1 passed, 0 failed" {}
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Every failure shows its line, and here all are on one.
#[test]
fn many_failures_on_one_long_line_are_told_in_short() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "row 1 b; ".repeat(3_000);
    let text = format!(
        "blackboard {{ key n type=int; }}; leaves {{ action a; action b; }}; \
         tree t {{ selector {{ action a; action b; }}; }}; \
         test \"{{n}}\" tree=t {{ table n expect {{ {rows}}}; }}\n"
    );
    write(folder.path(), "long.kdl", &text);
    let ran = treemind_in(folder.path(), "test long.kdl", b"");
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert_eq!(ran.err, "0 passed, 3000 failed\n");
    let names = ran.out.lines().filter(|line| line.starts_with("  FAIL"));
    assert_eq!(names.count(), 3_000);
    let more =
        "  … of 2900 more that failed, only the names are shown; `--name TEXT` shows some in full";
    assert!(
        ran.out.contains(more),
        "{}",
        &ran.out[ran.out.len() - 500..]
    );
    assert!(ran.out.len() < 200_000, "{} bytes", ran.out.len());
}
