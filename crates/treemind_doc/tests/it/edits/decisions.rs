//! Branches of decision trees that several answers share.

use super::edited;

const KEYS: &str = "blackboard { key a type=bool; key b type=bool; }\n";

#[test]
fn lines_become_a_branch() {
    let shared = |text: &str| {
        edited(&format!("{KEYS}{text}"), |editor, marks| {
            editor.share(marks[0], "rest")
        })
        .map(|text| text[KEYS.len()..].to_owned())
    };
    for (text, expected) in [
        // With what follows in the list.
        (
            "decide d {\n    test \"a\" { run; }\n    // b\n    §test \"b\" { fail; } // why\n    run\n}\n",
            "decide d {\n    test \"a\" { run; }\n    goto rest\n    branch rest {\n        // b\n        test \"b\" { fail; } // why\n        run\n    }\n}\n",
        ),
        (
            "decide d { test \"a\" { yes { §run; }; no { fail; }; }; }",
            "decide d { test \"a\" { yes { goto rest; }; no { fail; }; }; branch rest { run; }; }",
        ),
        (
            "decide d { test \"a\" { goto x; }; §run; branch x { fail; }; }",
            "decide d { test \"a\" { goto x; }; goto rest; branch x { fail; }; branch rest { run; }; }",
        ),
    ] {
        assert_eq!(shared(text).as_deref(), Ok(expected), "{text}");
    }
    // It is written as the branch beside it.
    let beside = "decide d {\n    test \"a\" {\n        yes { goto x; }\n        no {\n            §run\n        }\n    }\n    branch x { fail; }\n}\n";
    assert_eq!(
        shared(beside).as_deref(),
        Ok(
            "decide d {\n    test \"a\" {\n        yes { goto x; }\n        no {\n            goto rest\n        }\n    }\n    branch x { fail; }\n    branch rest { run; }\n}\n"
        )
    );
    let long = beside.replace("§run", "§test \"b\" {\n                run\n            }");
    let long = shared(&long).expect("it can");
    assert!(
        long.ends_with("    branch x { fail; }\n    branch rest {\n        test \"b\" {\n            run\n        }\n    }\n}\n"),
        "{long}"
    );
    for (text, why) in [
        (
            "tree t { §run; }",
            "`run` is not a line of a decision tree, and only these become branches",
        ),
        (
            "decide d { test \"a\" { §yes { run; }; no { fail; }; }; }",
            "`yes` is not a line of a decision tree, and only these become branches",
        ),
        (
            "decide d { goto rest; §test \"a\" { run; }; branch rest { run; }; }",
            "another branch is named `rest`",
        ),
        (
            "decide d { test \"a\" { goto x; }; §test \"b\" { run; }; branch x { run; }; fail; }",
            "a `branch` is between the lines that would become a branch",
        ),
    ] {
        assert_eq!(shared(text).unwrap_err(), why, "{text}");
    }
}

#[test]
fn answers_lead_to_branches() {
    let led = |text: &str, side: Option<&str>| {
        edited(&format!("{KEYS}{text}"), |editor, marks| {
            editor.lead_to(marks[0], side, "x")
        })
        .map(|text| text[KEYS.len()..].to_owned())
    };
    for (text, side, expected) in [
        (
            "decide d { test \"a\" { yes { goto y; }; §no { goto y; }; }; branch x { run; }; branch y { fail; }; }",
            None,
            "decide d { test \"a\" { yes { goto y; }; no { goto x; }; }; branch x { run; }; branch y { fail; }; }",
        ),
        (
            "decide d { switch \"a\" { §case #true {}; default { goto x; }; }; branch x { run; }; }",
            None,
            "decide d { switch \"a\" { case #true { goto x; }; default { goto x; }; }; branch x { run; }; }",
        ),
        (
            "decide d { §test \"a\" { yes { goto x; }; no { none; }; }; branch x { run; }; }",
            Some("no"),
            "decide d { test \"a\" { yes { goto x; }; no { goto x; }; }; branch x { run; }; }",
        ),
        // The block is the yes side, and what follows is the other one.
        (
            "decide d {\n    §test \"a\" {\n        fail // f\n    }\n    branch x { run; }\n}\n",
            Some("no"),
            "decide d {\n    test \"a\" {\n        fail // f\n    }\n    goto x\n    branch x { run; }\n}\n",
        ),
        (
            "decide d { §test \"a\" { fail; }; branch x { run; }; }",
            Some("no"),
            "decide d { test \"a\" { fail; }; goto x; branch x { run; }; }",
        ),
        // Where the block may lead nowhere, or other lines follow, both sides are written.
        (
            "decide d {\n    §test \"a\" {\n        test \"b\" { fail; }\n    }\n    branch x { run; }\n}\n",
            Some("no"),
            "decide d {\n    test \"a\" {\n        yes {\n            test \"b\" { fail; }\n        }\n        no {\n            goto x\n        }\n    }\n    branch x { run; }\n}\n",
        ),
        (
            "decide d {\n    §test \"a\" {\n        fail\n    }\n    run\n    branch x { run; }\n}\n",
            Some("no"),
            "decide d {\n    test \"a\" {\n        yes {\n            fail\n        }\n        no {\n            goto x\n        }\n    }\n    run\n    branch x { run; }\n}\n",
        ),
        (
            "decide d { §test \"a\" { yes { fail; }; }; branch x { run; }; }",
            Some("no"),
            "decide d { test \"a\" { yes { fail; }; no { goto x; }; }; branch x { run; }; }",
        ),
        (
            "decide d {\n    §test \"a\" {\n        yes { fail; }\n    }\n    branch x { run; }\n}\n",
            Some("no"),
            "decide d {\n    test \"a\" {\n        yes { fail; }\n        no { goto x; }\n    }\n    branch x { run; }\n}\n",
        ),
    ] {
        assert_eq!(led(text, side).as_deref(), Ok(expected), "{text}");
    }
    for (text, side, why) in [
        (
            "decide d { test \"a\" { §yes { run; }; }; branch x { run; }; }",
            None,
            "this `yes` leads to something else, which would be lost; share or remove it first",
        ),
        (
            "decide d { §test \"a\" { run; }; branch x { run; }; }",
            Some("yes"),
            "this `test` leads to something else, which would be lost; share or remove it first",
        ),
        (
            "decide d { §test \"a\" { run; }; branch x { run; }; }",
            None,
            "`test` is not an answer",
        ),
        (
            "decide d { test \"a\" { §yes { none; }; }; }",
            None,
            "this decision tree has no branch `x`",
        ),
        ("tree t { §run; }", None, "this is not in a decision tree"),
    ] {
        assert_eq!(led(text, side).unwrap_err(), why, "{text}");
    }
    let why = led(
        "decide d { goto x; branch x { test \"a\" { §yes { none; }; }; run; }; }",
        None,
    );
    assert!(why.unwrap_err().starts_with("it cannot lead there: "));
}
