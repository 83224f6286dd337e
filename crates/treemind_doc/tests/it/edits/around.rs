//! Wrap and unwrap.

use super::edited;

#[test]
fn nodes_are_wrapped() {
    for (text, expected) in [
        ("tree t { §fail; }", "tree t { invert { fail; }; }"),
        ("tree t { §fail }", "tree t { invert { fail; } }"),
        (
            "tree t {\n    §fail\n}",
            "tree t {\n    invert {\n        fail\n    }\n}",
        ),
        (
            "tree t {\r\n\t// above\r\n\t§sequence { // in\r\n\t\tfail; // end\r\n\t}\r\n}",
            "tree t {\r\n\tinvert {\r\n\t\t// above\r\n\t\tsequence { // in\r\n\t\t\tfail; // end\r\n\t\t}\r\n\t}\r\n}",
        ),
        (
            "tree t { sequence { run; §fail; succeed; }; }",
            "tree t { sequence { run; invert { fail; }; succeed; }; }",
        ),
        (
            "tree t {\n  weighted-selector {\n    §fail weight=2 name=a // c\n    run weight=1\n  }\n}",
            "tree t {\n  weighted-selector {\n    invert weight=2 {\n      fail name=a // c\n    }\n    run weight=1\n  }\n}",
        ),
        // A score in the block, too, is that of the new node.
        (
            "tree t {\n  utility-selector {\n    §action go at=1 { // in\n      // near\n      score { consider \"a\"; } // c\n    }\n    run score=1\n  }\n}",
            "tree t {\n  utility-selector {\n    invert {\n      // near\n      score { consider \"a\"; } // c\n      action go at=1 { // in\n      }\n    }\n    run score=1\n  }\n}",
        ),
        (
            "tree t {\n  utility-selector {\n    §sequence {\n      score compensate=#true {\n        consider \"a\"\n      }\n      run\n    }\n  }\n}",
            "tree t {\n  utility-selector {\n    invert {\n      score compensate=#true {\n        consider \"a\"\n      }\n      sequence {\n        run\n      }\n    }\n  }\n}",
        ),
        (
            "tree t { utility-selector { §run { score { consider \"a\"; }; }; fail score=1; }; }",
            "tree t { utility-selector { invert { score { consider \"a\"; }; run; }; fail score=1; }; }",
        ),
        (
            "tree t { selector { §fail when=\"a\" aborts=lower while=\"b\"; run; }; }",
            "tree t { selector { invert when=\"a\" aborts=lower { fail while=\"b\"; }; run; }; }",
        ),
        (
            "tree t { selector { §fail disabled=#true; run; }; }",
            "tree t { selector { invert disabled=#true { fail; }; run; }; }",
        ),
        (
            "tree t {\n    §log \"\"\"\n  a\n    b\n  \"\"\"; // c\n}",
            "tree t {\n    invert {\n        log \"\"\"\n  a\n    b\n  \"\"\" // c\n    }\n}",
        ),
        (
            "machine m { state s { do { §run; }; }; }",
            "machine m { state s { do { invert { run; }; }; }; }",
        ),
        (
            "decide d { test \"a\" { §run; }; none; }",
            "decide d { test \"a\" { invert { run; }; }; none; }",
        ),
    ] {
        let after = edited(text, |editor, marks| editor.wrap(marks[0], "invert"));
        assert_eq!(after.as_deref(), Ok(expected), "{text:?}");
    }
}

#[test]
fn several_are_wrapped_together() {
    for (text, expected) in [
        (
            "tree t { selector { run; §fail; §succeed; }; }",
            "tree t { selector { run; sequence name=x { fail; succeed; }; }; }",
        ),
        (
            "tree t {\n  selector {\n    run\n\n    // f\n    §fail\n    // s\n    §succeed // e\n\n    run\n  }\n}",
            "tree t {\n  selector {\n    run\n\n    sequence name=x {\n      // f\n      fail\n      // s\n      succeed // e\n    }\n\n    run\n  }\n}",
        ),
    ] {
        let after = edited(text, |editor, marks| {
            editor.wrap_all(marks[0], marks[1], "sequence name=x")
        });
        assert_eq!(after.as_deref(), Ok(expected), "{text:?}");
    }
    for (text, head, reason) in [
        (
            "tree t { s { §a; }; u { §b; }; }",
            "sequence",
            "the first and the last node to wrap are not siblings",
        ),
        (
            "tree t { sequence { §fail; §run; }; }",
            "invert",
            "`invert` takes only one child",
        ),
        (
            "tree t { §fail§ }",
            "fail",
            "`fail` cannot contain other nodes",
        ),
        ("tree t { §fail§ }", "fial", "unknown node `fial`"),
        (
            "tree t { §fail§ }",
            "invert {}",
            "expected the line of one node, such as `sequence name=fight`",
        ),
        (
            "tree t { §fail§ }",
            "invert; invert",
            "expected the line of one node, such as `sequence name=fight`",
        ),
        (
            "tree t { §fail§ }",
            "invert // c",
            "expected the line of one node, such as `sequence name=fight`",
        ),
        (
            "tree §t§ { fail }",
            "invert",
            "`tree` is not a task, and only tasks can be wrapped",
        ),
        (
            "decide d { §switch a§ { case 1 { run; }; }; }",
            "invert",
            "`switch` is not a task, and only tasks can be wrapped",
        ),
        (
            "machine m { state s { transition { when { §check \"a\"§; }; }; }; }",
            "invert",
            "`check` is not a task, and only tasks can be wrapped",
        ),
        (
            "tree t { weighted-selector { §fail weight=1; §run weight=2; }; }",
            "sequence",
            "one of these nodes has a property for its place under its parent; wrap that node alone first",
        ),
    ] {
        let refusal = edited(text, |editor, marks| {
            editor.wrap_all(marks[0], marks[1], head)
        });
        assert_eq!(refusal, Err(reason.to_owned()), "{text:?}");
    }
}

#[test]
fn nodes_are_unwrapped() {
    for (text, expected) in [
        ("tree t { §invert { fail; }; }", "tree t { fail; }"),
        ("tree t { §invert { fail } }", "tree t { fail }"),
        (
            "tree t {\n    §invert {\n        fail\n    }\n}",
            "tree t {\n    fail\n}",
        ),
        (
            "tree t {\n  // above\n  §invert { // at\n    // f\n    sequence {\n      fail // e\n    }\n    // last\n  } // end\n}",
            "tree t {\n  // above\n  // at\n  // f\n  sequence {\n    fail // e\n  }\n  // last\n  // end\n}",
        ),
        (
            "tree t {\n  sequence {\n    §sequence {\n      fail\n\n      run\n    }\n    succeed\n  }\n}",
            "tree t {\n  sequence {\n    fail\n\n    run\n    succeed\n  }\n}",
        ),
        (
            "tree t {\n  sequence {\n    §sequence { fail; run; }\n  }\n}",
            "tree t {\n  sequence {\n    fail\n    run\n  }\n}",
        ),
        (
            "tree t { sequence { §sequence { fail; run; }; succeed; }; }",
            "tree t { sequence { fail; run; succeed; }; }",
        ),
        (
            "tree t { sequence { §invert { fail // c\n }; succeed; }; }",
            "tree t { sequence { fail // c\n; succeed; }; }",
        ),
        // A score in the block goes to the node that takes the place.
        (
            "tree t { utility-selector { §invert { score { consider \"a\"; }; run; }; fail score=1; }; }",
            "tree t { utility-selector { run { score { consider \"a\"; }; }; fail score=1; }; }",
        ),
        (
            "tree t { weighted-selector { §invert weight=2 { fail; }; run weight=1; }; }",
            "tree t { weighted-selector { fail weight=2; run weight=1; }; }",
        ),
        (
            "tree t {\n    §service s { param a 1; fail; }\n}",
            "tree t {\n    fail\n}",
        ),
        (
            "tree t {\n    §invert {\n        log \"\"\"\n            a\n        \"\"\"\n    }\n}",
            "tree t {\n    log \"\"\"\n            a\n        \"\"\"\n}",
        ),
    ] {
        let after = edited(text, |editor, marks| editor.unwrap(marks[0]));
        assert_eq!(after.as_deref(), Ok(expected), "{text:?}");
    }
    for (text, reason) in [
        ("tree t { §fail; }", "there is no node in `fail` to unwrap"),
        (
            "tree t { §rules { rule a when=\"x\" { fail; }; }; }",
            "the nodes in `rules` belong to its rules",
        ),
        (
            "tree §t { fail; }",
            "`tree` is not a task, and only tasks can be unwrapped",
        ),
        (
            "tree t { §sequence { fail; run; }; }",
            "there are 2 nodes in this `sequence`, but its parent `tree` takes only one",
        ),
        ("tree t { §invert; }", "there is no node in this `invert`"),
        (
            "tree t { §scope { key a type=int; fail; }; }",
            "this `scope` declares keys that the nodes inside it may use",
        ),
        (
            "tree t { §switch \"a\" { case 1 { fail; }; }; }",
            "the nodes in this `switch` belong to its cases",
        ),
    ] {
        let refusal = edited(text, |editor, marks| editor.unwrap(marks[0]));
        assert_eq!(refusal, Err(reason.to_owned()), "{text:?}");
    }
}
