//! `treemind balance`, and the profiles that it reads.

use crate::{Ran, treemind_in};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const BEFORE: &str = "main decide=watch
leaves { condition enemy; condition rain; action hide; action patrol; }

decide   calm { action   patrol; }
decide watch { // on the wall
    test-condition enemy { goto hide; }
    test-condition rain { goto hide; } // wet
    action patrol
    branch hide { action hide; }
}
// the end
";

const AFTER: &str = "main decide=watch
leaves { condition enemy; condition rain; action hide; action patrol; }

decide   calm { action   patrol; }
decide watch { // on the wall
    test-condition rain { goto hide; } // wet
    test-condition enemy { goto hide; }
    action patrol
    branch hide { action hide; }
}
// the end
";

/// A folder with the document, and the profile of a rainy night.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("watch.kdl"), BEFORE).expect("written");
    fs::write(
        folder.path().join("rain.txt"),
        "enemy: F\nrain: S S S S F\n",
    )
    .expect("written");
    let trace = "trace watch.kdl --script rain.txt --ticks 5 --profile rain.json";
    assert_eq!(run(folder.path(), trace).code, 0);
    folder
}

fn run(folder: &Path, arguments: &str) -> Ran {
    treemind_in(folder, arguments, b"")
}

fn profile(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("rain.json")).expect("the profile is there");
    serde_json::from_str(&text).expect("it is JSON")
}

#[test]
fn a_profile_has_the_ways_that_were_taken() {
    let folder = folder();
    let expected = json!({
        "treemind_profile": 1,
        "decisions": [{
            "decision": "watch",
            "asked": 5,
            "tests": [
                { "test": "test-condition enemy", "cost": 10.0, "ways": { "yes": 0, "no": 5 } },
                { "test": "test-condition rain", "cost": 10.0, "ways": { "yes": 4, "no": 1 } },
            ],
            "paths": [
                { "count": 4, "answers": [[0, "no"], [1, "yes"]] },
                { "count": 1, "answers": [[0, "no"], [1, "no"]] },
            ],
        }],
    });
    assert_eq!(profile(folder.path()), expected);
    let printed = run(folder.path(), "print watch.kdl --profile rain.json");
    assert_eq!((printed.code, printed.err.as_str()), (0, ""));
    assert!(
        printed
            .out
            .contains("test-condition rain  // asked 5: yes 4, no 1\n"),
        "{}",
        printed.out
    );
    let stats = run(folder.path(), "print watch.kdl --stats --profile rain.json");
    let told =
        "decision tree watch, profiled: asked 5 times, 2.00 tests at a cost of 20.00 on average\n";
    assert!(stats.out.contains(told), "{}", stats.out);
}

#[test]
fn what_is_likelier_is_asked_first_and_the_rest_is_left_alone() {
    let folder = folder();
    let shown = run(folder.path(), "balance watch.kdl --profile rain.json -o -");
    assert_eq!(
        (shown.code, shown.out.as_str()),
        (0, AFTER),
        "{}",
        shown.err
    );
    let told = "watch: 2.00 tests at a cost of 20.00 before, 1.20 tests at a cost of 12.00 after\n\
        the same answers in each of the 4 cases that its tests can tell apart, and with 100000 random facts\n";
    assert_eq!(shown.err, told);
    let done = run(
        folder.path(),
        "balance watch.kdl --profile rain.json --json",
    );
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let told: Value = serde_json::from_str(&done.out).expect("it is JSON");
    let expected = json!({
        "decision": "watch",
        "changed": true,
        "before": { "tests": 2.0, "cost": 20.0 },
        "after": { "tests": 1.2, "cost": 12.0 },
        "estimated": 0.0,
        "cases": 4,
        "all_cases": true,
        "facts": 100_000,
    });
    assert_eq!(told, expected);
    let text = fs::read_to_string(folder.path().join("watch.kdl")).expect("it is there");
    assert_eq!(text, AFTER);
    // With the same profile, there is nothing left to do.
    let again = run(folder.path(), "balance watch.kdl --profile rain.json");
    assert_eq!((again.code, again.out.as_str()), (0, ""));
    assert_eq!(
        again.err,
        "watch: nothing better was found; 1.20 tests at a cost of 12.00\n"
    );
}

#[test]
fn a_profile_of_another_form_is_refused_with_the_names() {
    let folder = folder();
    let other = BEFORE.replace("condition rain", "condition storm");
    fs::write(folder.path().join("watch.kdl"), &other).expect("written");
    let refused = run(folder.path(), "balance watch.kdl --profile rain.json");
    assert_eq!((refused.code, refused.out.as_str()), (1, ""));
    let told = "`watch` was not balanced: the profile belongs to another version of it, without `test-condition storm`";
    assert!(refused.err.contains(told), "{}", refused.err);
    let text = fs::read_to_string(folder.path().join("watch.kdl")).expect("it is there");
    assert_eq!(text, other);
    let printed = run(folder.path(), "print watch.kdl --profile rain.json");
    for told in [
        "warning: the profile lacks these tests of `watch`: `test-condition storm`\n",
        "warning: `watch` lacks these tests of the profile: `test-condition rain`\n",
    ] {
        assert!(printed.err.contains(told), "{}", printed.err);
    }
}

#[test]
fn what_is_no_profile_is_said() {
    let folder = folder();
    let good = profile(folder.path());
    let mut cases: Vec<(Value, &str)> = vec![
        (json!(7), "`treemind_profile` is missing"),
        (
            json!({ "treemind_profile": 9 }),
            "it has version 9 of the format, but this program reads version 1",
        ),
        (
            json!({ "treemind_profile": 1 }),
            "`decisions` must be a list",
        ),
    ];
    for (place, value, told) in [
        (
            "/decisions/0/tests/0/cost",
            json!(-1),
            "the cost of `test-condition enemy` must be a number of at least 0",
        ),
        (
            "/decisions/0/tests/0/test",
            json!("test-condition rain"),
            "`test-condition rain` occurs twice",
        ),
        (
            "/decisions/0/paths/0/count",
            json!(-1),
            "`count` of a path must be a whole number",
        ),
        (
            "/decisions/0/paths/0/answers/0",
            json!([7, "yes"]),
            "expected the number of a test and one of its ways, found [7,\"yes\"]",
        ),
        (
            "/decisions/0/paths/0/answers/1",
            json!([0, "yes"]),
            "`test-condition enemy` answers in two ways at once",
        ),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(place).expect("it is there") = value;
        cases.push((bad, told));
    }
    for (bad, told) in cases {
        fs::write(folder.path().join("bad.json"), bad.to_string()).expect("written");
        let refused = run(folder.path(), "balance watch.kdl --profile bad.json");
        assert_eq!((refused.code, refused.out.as_str()), (1, ""), "{told}");
        assert!(
            refused.err.contains("bad.json is not a profile: "),
            "{}",
            refused.err
        );
        assert!(refused.err.contains(told), "{}", refused.err);
    }
    let both = run(folder.path(), "balance - --profile -");
    assert_eq!(both.code, 2);
    let unknown = run(
        folder.path(),
        "balance watch.kdl --profile rain.json --decide watsh",
    );
    assert_eq!(unknown.code, 1);
    assert!(
        unknown.err.contains("did you mean `watch`?"),
        "{}",
        unknown.err
    );
}
