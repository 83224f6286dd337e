//! Tests that are run one by one: by id, until they are stopped, again when they are touched.

use std::sync::atomic::{AtomicBool, Ordering};
use treemind_doc::Document;
use treemind_test::{Coverage, Listed, Played, Ran, Reached, list, run, run_each};

const TEXT: &str = r#"
leaves { condition alarm; action ring; action sleep; action swim; }
tree guard { selector { sequence { condition alarm; action ring; }; action sleep; }; }
tree fish { action swim; }
main tree=guard
test "sleeps" tree=guard { tick; expect active=sleep; }
test "swims" tree=fish { tick; expect active=swim; }
test "does {expect}" tree=guard { table alarm expect { row S ring; row F sleep; }; }
"#;

fn read(text: &str) -> Document {
    Document::parse(text, "guard.kdl")
}

fn ran(document: &Document, is_wanted: impl Fn(&Listed) -> bool) -> Vec<Ran> {
    let mut all = Vec::new();
    let never = AtomicBool::new(false);
    let done = run_each(document, is_wanted, &never, |one| all.push(one));
    done.unwrap_or_else(|errors| panic!("{errors}"));
    all
}

#[test]
fn each_test_and_case_has_an_id() {
    let document = read(TEXT);
    let listed = list(&document);
    let ids: Vec<&str> = listed.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(
        ids,
        ["sleeps", "swims", "does {expect}#1", "does {expect}#2"]
    );
    let names: Vec<&str> = listed.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["sleeps", "swims", "does ring", "does sleep"]);
    let one = ran(&document, |one| one.id == "does {expect}#2");
    let ids: Vec<&str> = one.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids, ["does {expect}#2"]);
    assert!(one[0].outcome.passed());
    let played = Played::with_id(&document, "does {expect}#1").expect("it is there");
    assert_eq!(played.name, "does ring");
    assert!(Played::with_id(&document, "does").is_none());
}

/// What differs between two versions of a document, by the ids of the tests.
fn touched(before: &str, after: &str) -> Vec<String> {
    let known = list(&read(before));
    let is_known = |one: &Listed| {
        let mut known = known.iter();
        known.any(|old| (&old.id, old.fingerprint) == (&one.id, one.fingerprint))
    };
    let fresh = list(&read(after)).into_iter();
    fresh
        .filter(|one| !is_known(one))
        .map(|one| one.id)
        .collect()
}

#[test]
fn an_edit_touches_only_the_tests_of_what_it_changes() {
    assert_eq!(touched(TEXT, TEXT), [""; 0]);
    // What is only moved is as it was.
    assert_eq!(touched(TEXT, &format!("// more\n{TEXT}")), [""; 0]);
    let fish = TEXT.replace("{ action swim; }", "{ invert { action swim; }; }");
    assert_eq!(touched(TEXT, &fish), ["swims"]);
    let guard = TEXT.replace("sequence {", "reactive-sequence {");
    assert_eq!(
        touched(TEXT, &guard),
        ["sleeps", "does {expect}#1", "does {expect}#2"]
    );
    let own = TEXT.replace("tick; expect active=sleep", "tick 2; expect active=sleep");
    assert_eq!(touched(TEXT, &own), ["sleeps"]);
    let row = TEXT.replace("row S ring", "row S sleep");
    assert_eq!(touched(TEXT, &row), ["does {expect}#1", "does {expect}#2"]);
}

#[test]
fn what_tests_reached_adds_up() {
    let document = read(TEXT);
    let whole = run(&document, "").expect("it is good").coverage;
    let mut reached = Reached::default();
    for one in ran(&document, |_| true).iter().rev() {
        reached.add(&one.reached);
    }
    let coverage = Coverage::of(&document, &reached).expect("it is good");
    assert_eq!(
        (coverage.reached, coverage.total),
        (whole.reached, whole.total)
    );
    let nothing = Coverage::of(&document, &Reached::default()).expect("it is good");
    assert_eq!((nothing.reached, nothing.total), (0, whole.total));
    let mut outlines = coverage.outlines.iter();
    let guard = outlines.find(|one| one.subject.name() == "guard");
    let guard = guard.expect("it is there");
    let lines: Vec<(usize, usize)> = guard
        .lines
        .iter()
        .map(|line| (line.reached, line.total))
        .collect();
    assert_eq!(lines, [(1, 1); 5]);
}

#[test]
fn a_rule_counts_when_it_fires() {
    let document = read(
        r#"
blackboard { key health type=int default=9; }
tree guard { rules {
    rule hurt when="health < 5" { log "I am hit"; }
    rule dead when="health < 1" { log "I am dead"; }
}; }
test "is hit" tree=guard { given health=3; tick; expect fired=hurt; }
"#,
    );
    let coverage = run(&document, "").expect("it is good").coverage;
    // The node, its two rules with a task each.
    assert_eq!((coverage.reached, coverage.total), (3, 5));
    let missing = coverage.uncovered.iter();
    let missing: Vec<&str> = missing.map(|one| one.text.as_str()).collect();
    assert_eq!(
        missing,
        ["rule dead when=\"health < 1\"", "log \"I am dead\""]
    );
}

#[test]
fn a_test_is_stopped_in_its_middle() {
    let long = TEXT.replace(
        "{ tick; expect active=sleep",
        "{ tick 1000000; expect active=sleep",
    );
    let document = read(&long);
    let stop = AtomicBool::new(false);
    let mut told = 0;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(30));
            stop.store(true, Ordering::Relaxed);
        });
        let done = run_each(&document, |_| true, &stop, |_| told += 1);
        done.unwrap_or_else(|errors| panic!("{errors}"));
    });
    assert_eq!(told, 0);
}

#[test]
fn the_shortest_try_can_be_played_again() {
    let text = format!(
        "{TEXT}\ntest \"never rings\" tree=guard {{ random runs=20 ticks=20 {{ leaf alarm answers=\"S F\"; }}; never ring; }}"
    );
    let document = read(&text);
    let all = ran(&document, |one| one.is_random);
    let failure = all[0].outcome.failure.as_ref().expect("it rings");
    let played = Played::with_id(&document, &all[0].id).expect("it is there");
    let actions = played.failing(failure);
    assert_eq!(actions.len(), 2, "{actions:?}");
    assert_eq!(played.actions(0).len(), 40);
}

#[test]
fn rules_that_fired_are_expected_by_name() {
    let text = |expected: &str| {
        format!(
            "blackboard {{ key health type=float default=100.0; }}
            leaves {{ event help; action greet instant=#true; }}
            tree sentry {{ rules {{
                rule hurt when=\"health < 40\" cooldown=5.0 {{ emit help; }}
                rule cheer when=\"health > 90\" {{ action greet; }}
            }}; }}
            test \"remarks\" tree=sentry {{
                given health=50.0; tick; expect failure
                given health=30.0; tick; expect success fired={expected} emitted=help
                tick; expect failure
            }}"
        )
    };
    let all = |text: &str| ran(&read(text), |_| true).remove(0).outcome.passed();
    assert!(all(&text("hurt")));
    assert!(!all(&text("cheer")));
}
