//! Leaves of tests that answer by the values of keys, and write some.

use treemind_doc::Document;
use treemind_test::{Outcome, run};

const DOCUMENT: &str = r#"
    blackboard {
        key x type=double
        key message type=string
        key tries type=int
        key target type=entity optional=#true
        key seen type=int list=4
    }
    blackboard scope=world { key stock type=int default=5 merge=add; }
    leaves { condition near; action go; composite vote; event noise; }
    tree main { key shots type=int; sequence { condition near; action go on-success="message = joined(message, '!')"; }; }
    tree asked { node vote { action go; }; }
"#;

fn failures(tests: &str) -> String {
    let document = Document::parse(&format!("{DOCUMENT}{tests}"), "by_keys.kdl");
    let report = run(&document, "").unwrap_or_else(|errors| panic!("{errors}"));
    assert!(!report.outcomes.is_empty());
    let failed = report.outcomes.iter().filter(|one| !one.passed());
    let failed: Vec<String> = failed.map(Outcome::to_string).collect();
    failed.join("\n")
}

#[test]
fn conditions_take_the_place_of_the_last_answer() {
    let failed = failures(
        r#"
        test "by keys" tree=main {
            leaf near answers="F" succeed-if="x > 1" on-failure="tries += 1"
            leaf go answers="R R F" fail-if="x < 0" succeed-if="x > 2 && tries == 2" skip-if="x > 2"
            tick 2
            expect failure that="tries == 2"
            given x=3.0
            tick
            expect running active=go
            tick
            expect running
            tick
            expect success that="tries == 2"
            given tries=0
            tick
            expect success ran=go that="tries == 0"
            given x=1.5
            tick
            expect failure ran=go
            leaf near answers="S"
            given x=-1.0
            tick
            expect failure ran=go
        }
        test "the list comes first" tree=main {
            leaf near answers="F S F" succeed-if="x == 0"
            leaf go answers="S"
            tick
            expect failure
            tick
            expect success
            tick
            expect success
            given x=1.0
            tick
            expect failure
        }
        test "with each run" tree=main {
            leaf near answers="S"
            leaf go answers="R R F" succeed-if="x > 1" each-run=#true
            tick 3
            expect failure
            tick 2
            expect running
            given x=2.0
            tick
            expect success
            tick
            expect running
            abort
            tick 2
            expect running
            tick
            expect success
        }
        test "a condition begins anew, too" tree=main {
            leaf near answers="F S" each-run=#true
            leaf go answers="S"
            tick
            expect failure
            tick
            expect failure
        }
        test "other answers end it" tree=main {
            leaf near answers="S" fail-if="true" on-end="tries += 1"
            tick
            expect failure that="tries == 1"
            leaf near answers="S"
            tick
            expect running that="tries == 1"
        }
        "#,
    );
    assert!(failed.is_empty(), "{failed}");
}

#[test]
fn leaves_write_keys_as_they_answer() {
    let failed = failures(
        r#"
        test "statements" tree=main {
            leaf near answers="S" on-success="shots += 1; stock -= 2; seen += shots" on-failure="tries = 9" on-end="tries += 1"
            leaf go answers="R S" on-success="message = 'done'" on-end="x = 2.5"
            tick
            expect running that="shots == 1 && stock == 3 && tries == 1 && message == '' && x == 0.0"
            tick
            expect success that="message == 'done!' && x == 2.5"
            tick
            expect success that="shots == 2 && stock == 1 && len(seen) == 2"
        }
        test "a node of the game answers, too" tree=asked {
            leaf vote answers="R" succeed-if="tries == 0" on-success="tries = 1"
            tick
            expect success inactive=go
            tick
            expect running that="tries == 1"
        }
        "#,
    );
    assert!(failed.is_empty(), "{failed}");
}

#[test]
fn what_cannot_be_carried_out_is_a_fault() {
    let failed = failures(
        r#"
        test "an empty key" tree=main {
            leaf near answers="S" succeed-if="target == target"
            tick
            expect failure fault=#true
            tick
            expect failure
        }
        "#,
    );
    assert!(failed.contains("expected: no fault"), "{failed}");
    assert!(failed.contains("near"), "{failed}");
}

#[test]
fn tries_at_random_are_written_with_them() {
    let text = format!(
        "{DOCUMENT}{}",
        r#"
        test "at random" tree=main {
            leaf near answers="S" fail-if="x > 5"
            random runs=20 ticks=20 { key x min=0.0 max=10.0; }
            always "!(x > 8)"
        }
        "#
    );
    let report = run(&Document::parse(&text, "by_keys.kdl"), "").expect("a sound document");
    let fixed = report.outcomes[0]
        .failure
        .as_ref()
        .and_then(|one| one.fixed.clone());
    let fixed = fixed.expect("a shortest try");
    let line = "leaf near answers=\"S\" fail-if=\"x > 5\"";
    assert!(fixed.contains(line), "{fixed}");
    let again = Document::parse(&format!("{DOCUMENT}{fixed}"), "by_keys.kdl");
    let again = run(&again, "").expect("a sound document");
    assert!(!again.passed());
}

#[test]
fn names_with_spaces_are_named_as_a_whole() {
    let text = r#"
        leaves { action go; condition near; }
        tree main { sequence { condition near name="is it near"; action go name="go there"; action go; }; }
        test "names" tree=main {
            leaf "is it near" "go there" answers="S"
            tick
            expect running ran="go there" active=go
            expect ran="is it near" that="ran(go)"
        }
    "#;
    let report = run(&Document::parse(text, "names.kdl"), "");
    let report = report.unwrap_or_else(|errors| panic!("{errors}"));
    assert!(report.passed(), "{}", report.outcomes[0]);
    let unknown = text.replace("\"go there\" answers", "\"go here\" answers");
    assert!(run(&Document::parse(&unknown, "names.kdl"), "").is_err());
}
