//! Plays the tests of documents and compares what people read.

mod examples;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use treemind_doc::Document;
use treemind_test::{Outcome, Report, junit, run};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

fn document(name: &str) -> Document {
    let text = fs::read_to_string(fixture(name)).expect("a fixture");
    Document::parse(&text.replace("\r\n", "\n"), name)
}

fn report(name: &str) -> Report {
    run(&document(name), "").unwrap_or_else(|errors| panic!("{errors}"))
}

/// Compares a text with a file, or writes the file if `UPDATE_EXPECTED` is set.
fn same(text: &str, file: &str) {
    let path = fixture(file);
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        fs::write(path, text).expect("it is written");
        return;
    }
    let expected = fs::read_to_string(path).expect("it is there");
    assert_eq!(text, expected.replace("\r\n", "\n"), "{file}");
}

#[test]
fn what_should_pass_passes() {
    let report = report("passing.kdl");
    let failed = report.outcomes.iter().filter(|one| !one.passed());
    let failed: Vec<String> = failed.map(Outcome::to_string).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert_eq!(report.outcomes.len(), 16);
    assert!(report.passed());
}

#[test]
fn a_failure_says_what_was_expected_and_what_happened() {
    let report = report("failing.kdl");
    let mut out = String::new();
    for outcome in &report.outcomes {
        let _ = writeln!(out, "{outcome}");
    }
    let passed = report.outcomes.iter().filter(|one| one.passed());
    let passed: Vec<&str> = passed.map(|one| one.name.as_str()).collect();
    assert_eq!(passed, ["case calm"]);
    same(&out, "failing.expected");
}

#[test]
fn what_chance_found_fails_without_chance() {
    let text = fs::read_to_string(fixture("failing.kdl")).expect("a fixture");
    let report = report("failing.kdl");
    let found = report.outcomes.iter().filter_map(|one| {
        let failure = one.failure.as_ref()?;
        Some((failure, failure.fixed.as_ref()?))
    });
    let mut count = 0;
    for (failure, fixed) in found {
        let text = format!("{text}\n{fixed}");
        let document = Document::parse(&text, "fixed.kdl");
        let again = run(&document, "found by chance").unwrap_or_else(|errors| panic!("{errors}"));
        let [outcome] = &again.outcomes[..] else {
            panic!("one test in\n{fixed}")
        };
        let again = outcome.failure.as_ref().expect("it fails, too");
        assert_eq!(again.expected, failure.expected, "{fixed}");
        assert_eq!(again.got, failure.got, "{fixed}");
        count += 1;
    }
    assert_eq!(count, 2);
}

#[test]
fn coverage_lists_what_no_test_reached() {
    let mut out = String::new();
    for name in ["passing.kdl", "failing.kdl"] {
        let coverage = report(name).coverage;
        let _ = writeln!(out, "{name}: {} of {}", coverage.reached, coverage.total);
        assert_eq!(coverage.total - coverage.reached, coverage.uncovered.len());
        for missing in &coverage.uncovered {
            let _ = writeln!(out, "  {}: {}", missing.subject.name(), missing.text);
        }
        for (subject, outline) in &coverage.outlines {
            let _ = writeln!(out, "{}\n{outline}", subject.name());
        }
    }
    same(&out, "coverage.expected");
}

#[test]
fn a_filter_runs_only_some_tests() {
    let all = run(&document("passing.kdl"), "door").expect("it is good");
    let names: Vec<&str> = all.outcomes.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["the door"]);
}

#[test]
fn a_document_with_errors_runs_no_test() {
    let document = Document::parse(
        "tree t { run }\ntest \"x\" tree=u { tick; expect success; }",
        "t.kdl",
    );
    let errors = run(&document, "").expect_err("it has an error").to_string();
    assert!(errors.contains("unknown tree `u`"), "{errors}");
}

#[test]
fn build_servers_get_xml() {
    let document = Document::parse(
        "leaves { action go; }\ntree t { action go; }\n\
         test \"<good> & \\\"fine\\\"\" tree=t { tick; expect running; }\n\
         test \"bad\" tree=t { tick; expect success; }",
        "t.kdl",
    );
    let mut report = run(&document, "").expect("it is good");
    for outcome in &mut report.outcomes {
        outcome.time = std::time::Duration::from_micros(1500);
    }
    let xml = junit(&[("t.kdl".to_owned(), report)]).expect("it is written");
    same(&xml, "junit.xml");
}

#[test]
#[should_panic(expected = "expected: success")]
fn the_test_of_a_game_fails_with_the_reason() {
    treemind_test::check(fixture("failing.kdl"));
}

#[test]
fn the_test_of_a_game_is_one_line() {
    treemind_test::check(fixture("passing.kdl"));
}
