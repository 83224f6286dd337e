//! States whose states are all active together, and back.

use super::edited;

fn parallel(text: &str) -> Result<String, String> {
    edited(text, |editor, marks| editor.make_parallel(marks[0]))
}

fn sequential(text: &str) -> Result<String, String> {
    edited(text, |editor, marks| editor.make_sequential(marks[0]))
}

#[test]
fn states_become_regions_and_back() {
    for (text, expected) in [
        (
            "machine m {\n    initial a\n    §state a\n}\n",
            "machine m {\n    initial a\n    parallel a {\n        state first\n        state second\n    }\n}\n",
        ),
        // Nothing leads from one to the other: both are active.
        (
            "machine m {\n    initial a\n    // both\n    §state a { // here\n        initial b\n        state b { do { run; }; }\n        state c\n        transition to=a after=2\n    }\n}\n",
            "machine m {\n    initial a\n    // both\n    parallel a { // here\n        state b { do { run; }; }\n        state c\n        transition to=a after=2\n    }\n}\n",
        ),
        // One leads to the other: they stay one after the other, in a region.
        (
            "machine m {\r\n\tinitial a\r\n\t§state a {\r\n\t\tinitial b\r\n\t\tstate b {\r\n\t\t\ttransition to=c after=1\r\n\t\t}\r\n\t\tstate c // last\r\n\t}\r\n\tstate region\r\n}\r\n",
            "machine m {\r\n\tinitial a\r\n\tparallel a {\r\n\t\tstate region-2 {\r\n\t\t\tinitial b\r\n\t\t\tstate b {\r\n\t\t\t\ttransition to=c after=1\r\n\t\t\t}\r\n\t\t\tstate c // last\r\n\t\t}\r\n\t}\r\n\tstate region\r\n}\r\n",
        ),
    ] {
        assert_eq!(parallel(text).as_deref(), Ok(expected), "{text}");
    }
    for (text, expected) in [
        (
            "machine m {\n    initial a\n    §parallel a {\n        state b\n        state c\n    }\n}\n",
            "machine m {\n    initial a\n    state a {\n        initial b\n        state b\n        state c\n    }\n}\n",
        ),
        // A region that does nothing itself is not needed.
        (
            "machine m {\n    initial a\n    §parallel a {\n        state region {\n            initial b\n            state b {\n                transition to=c after=1\n            }\n            state c // last\n        }\n    }\n}\n",
            "machine m {\n    initial a\n    state a {\n        initial b\n        state b {\n            transition to=c after=1\n        }\n        state c // last\n    }\n}\n",
        ),
    ] {
        assert_eq!(sequential(text).as_deref(), Ok(expected), "{text}");
    }
}

const SEARCH: &str = "leaves { action look; }
machine m {
    initial on
    state on {
        initial walk
        state walk { transition to=search after=1; }
        state search { do { action look; }; }
    }
}
test \"it looks\" machine=m {
    tick 20
    expect active=\"on.search look\" inactive=on.walk
    expect that=\"active(on.search) && active(search)\"
}
";

#[test]
fn paths_in_tests_lead_through_regions_and_back() {
    let text = SEARCH.replacen("state on", "§state on", 1);
    let with_region = parallel(&text).expect("it becomes parallel");
    let test = &with_region[with_region.find("test").unwrap()..];
    assert_eq!(
        test,
        "test \"it looks\" machine=m {
    tick 20
    expect active=\"on.region.search look\" inactive=on.region.walk
    expect that=\"active(on.region.search) && active(search)\"
}
"
    );
    let back = sequential(&with_region.replacen("parallel on", "§parallel on", 1));
    assert_eq!(back.as_deref(), Ok(SEARCH));
}

#[test]
fn paths_in_tests_are_renamed() {
    let text = SEARCH.replacen("state search", "state §search", 1);
    let renamed = edited(&text, |editor, marks| editor.rename(marks[0], "seek"));
    assert_eq!(renamed, Ok(SEARCH.replace("search", "seek")));
}

#[test]
fn what_cannot_become_parallel_says_why() {
    for (text, why) in [
        (
            "§machine m { initial a; state a; }",
            "`machine` is not a state",
        ),
        (
            "machine m { initial a; state a; §state b final=#true; }",
            "a final state contains no states",
        ),
        (
            "machine m { initial a; §parallel a { state b; state c; }; }",
            "`parallel` is not a state",
        ),
        (
            "tree t { §sequence { wait 1.0; }; }",
            "`sequence` is not a state",
        ),
        // The path goes through the state.
        (
            "machine m { initial a; §state a { initial b; state b { transition to=c after=1; }; state c; transition to=a.c after=9; }; }",
            "would have a mistake",
        ),
    ] {
        let refused = parallel(text).expect_err(text);
        assert!(refused.contains(why), "{refused}");
    }
    let refused = sequential("tree t { §parallel { run; wait 1.0; }; }").expect_err("a node");
    assert!(refused.contains("`parallel` is not a state"), "{refused}");
}
