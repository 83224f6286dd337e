//! Nodes of other kinds, and copies.

use super::{edited, editor, marked};

fn changed(text: &str, head: &str) -> Result<String, String> {
    edited(text, |editor, marks| editor.change_kind(marks[0], head))
}

#[test]
fn the_kind_of_a_node_changes() {
    for (text, head, expected) in [
        (
            "tree t {\n    // why\n    §sequence name=a when=\"x\" { // all\n        run // r\n        fail\n    } // end\n}\n",
            "reactive-sequence",
            "tree t {\n    // why\n    reactive-sequence name=a when=\"x\" { // all\n        run // r\n        fail\n    } // end\n}\n",
        ),
        ("§sequence { run; }", "sequence", ""),
        (
            "tree t { §invert { run; }; }",
            "repeat 3 name=x",
            "tree t { repeat 3 name=x { run; }; }",
        ),
        (
            "tree t { §repeat 3 name=x { run; }; }",
            "retry",
            "tree t { retry 3 name=x { run; }; }",
        ),
        (
            "tree t { §repeat 3 name=x { run; }; }",
            "retry 4",
            "tree t { retry 4 name=x { run; }; }",
        ),
        (
            "tree t { §repeat 3 name=x { run; }; }",
            "invert",
            "tree t { invert name=x { run; }; }",
        ),
        (
            "tree t { §invert name=x { run; }; }",
            "sequence name=y",
            "tree t { sequence name=y { run; }; }",
        ),
        (
            "tree t { §action go range=2; }",
            "condition",
            "tree t { condition go range=2; }",
        ),
    ] {
        let done = changed(text, head);
        match expected {
            "" => assert_eq!(
                done.unwrap_err(),
                "`sequence` is not a task, so it cannot become one"
            ),
            _ => assert_eq!(done.as_deref(), Ok(expected), "{text}"),
        }
    }
    for (text, head, why) in [
        (
            "tree t { §sequence { run; fail; }; }",
            "invert",
            "`invert` takes only one child, and there are 2",
        ),
        (
            "tree t { §sequence { run; fail; }; }",
            "run",
            "`run` takes no children",
        ),
        (
            "tree t { §sequence { run; }; }",
            "repeat",
            "`repeat` needs a value, as in `repeat 3`",
        ),
        (
            "tree t { §sequence { run; }; }",
            "sequnce",
            "unknown node `sequnce`",
        ),
        (
            "tree t { §switch \"x\" { case 1 { run; }; }; }",
            "selector",
            "the children of `switch` have cases, so `switch` cannot become `selector`",
        ),
        (
            "tree t { §rules { rule a when=\"x\" { fail; }; }; }",
            "selector",
            "`rules` holds rules, so `rules` cannot become `selector`",
        ),
        (
            "tree t { §rules { rule a when=\"x\" { fail; }; }; }",
            "switch \"x\"",
            "`rules` holds rules, so `rules` cannot become `switch`",
        ),
        (
            "tree t { §run; }",
            "rules",
            "`rules` holds rules, so `run` cannot become `rules`",
        ),
        (
            "tree t { §find p in=spots into=\"{k}\" { keep \"x\"; }; }",
            "sequence",
            "`sequence` has no `keep` in its block",
        ),
        (
            "tree t { utility-selector { §find p in=spots into=\"{k}\" { score \"x\"; }; }; }",
            "sequence",
            "`sequence` has no `score` in its block",
        ),
        (
            "tree t { §scope { key k type=int; run; }; }",
            "invert",
            "`invert` has no `key` in its block",
        ),
        (
            "tree t { §sequence { run; }; }",
            "selector { run; }",
            "expected the line of one node, such as `reactive-sequence` or `repeat 3`",
        ),
    ] {
        assert_eq!(changed(text, head).unwrap_err(), why, "{text}");
    }
}

#[test]
fn what_the_new_kind_does_not_have_is_dropped_and_said() {
    let (text, marks) = marked("tree t { §repeat 3 max-runs=7 name=x { run; }; }");
    let change = editor(&text)
        .change_kind(marks[0], "sequence")
        .expect("it can");
    assert_eq!(
        change.apply_to(0, &text).expect("made for it"),
        "tree t { sequence name=x { run; }; }"
    );
    assert_eq!(
        change.notes(),
        [
            "`sequence` has no `3`, which is dropped",
            "`sequence` has no `max-runs=7`, which is dropped"
        ]
    );
}

/// What children say of their place means something only below some parents.
#[test]
fn scores_and_weights_go_with_the_parent_that_asks_for_them() {
    let scored = "tree t {\n    sequence {\n        §utility-selector {\n            run score=\"a\" weight=2.0 name=x // c\n            fail { score { consider \"b\"; } }\n        }\n        succeed\n    }\n}\n";
    let (text, marks) = marked(scored);
    let editor = editor(&text);
    let to = |head: &str| {
        let change = editor.change_kind(marks[0], head).expect("it can");
        let after = change.apply_to(0, &text).expect("made for it");
        (after, change.notes().to_vec())
    };
    let [(selector, notes), (weighted, fewer)] = [to("selector"), to("weighted-selector")];
    assert_eq!(
        selector,
        "tree t {\n    sequence {\n        selector {\n            run name=x // c\n            fail\n        }\n        succeed\n    }\n}\n"
    );
    assert_eq!(
        notes,
        [
            "`score=\"a\"` of `run` means nothing below `selector`, and is dropped",
            "`weight=2.0` of `run` means nothing below `selector`, and is dropped",
            "`score` of `fail` means nothing below `selector`, and is dropped"
        ]
    );
    assert!(
        weighted.contains("run weight=2.0 name=x // c"),
        "{weighted}"
    );
    assert_eq!(fewer.len(), 2);
    // Unwrapped, they stand below the sequence.
    let change = editor.unwrap(marks[0]).expect("it can");
    assert_eq!(
        change.apply_to(0, &text).expect("made for it"),
        "tree t {\n    sequence {\n        run name=x // c\n        fail\n        succeed\n    }\n}\n"
    );
    assert_eq!(change.notes().len(), 3);
    assert!(change.notes()[0].to_string().contains("`sequence`"));
    // A selector in a selector: what cuts off others still does.
    let stays = "tree t { selector { §selector { run when=\"a\" aborts=lower; fail; }; run; }; }";
    assert_eq!(
        edited(stays, |editor, marks| editor.unwrap(marks[0])).as_deref(),
        Ok("tree t { selector { run when=\"a\" aborts=lower; fail; run; }; }")
    );
    assert_eq!(
        changed(stays, "sequence").as_deref(),
        Ok("tree t { selector { sequence { run when=\"a\"; fail; }; run; }; }")
    );
}

#[test]
fn only_what_can_be_disabled_is() {
    let disabled = |text: &str| edited(text, |editor, marks| editor.disable(marks[0], true));
    for (text, expected) in [
        ("tree t { selector { §run; }; }", "run disabled=#true"),
        (
            "machine m { initial a; state a; §state b; }",
            "state b disabled=#true",
        ),
        (
            "decide d { §test \"a\" { run; }; none; }",
            "test \"a\" disabled=#true {",
        ),
    ] {
        let after = disabled(text).expect("it can");
        assert!(after.contains(expected), "{after}");
        let back = edited(
            &after.replace(expected, &format!("§{expected}")),
            |editor, marks| editor.disable(marks[0], false),
        );
        assert_eq!(back.as_deref(), Ok(&*text.replace('§', "")));
    }
    for text in [
        "leaves { §action go; }",
        "blackboard { §key a type=int; }",
        "§tree t { run; }",
    ] {
        let why = disabled(text).expect_err(text);
        assert!(why.contains("cannot be switched off here"), "{why}");
    }
    for (text, expected) in [
        (
            "machine m { §initial a; state a; }",
            "`m` needs an initial state, and this names it",
        ),
        (
            "machine m { initial a; state a { §initial b.c; state b { initial c; state c; }; }; }",
            "`a` needs an initial state, and this names it",
        ),
        (
            "machine m { initial b.c; state a; §state b { initial c; state c; }; }",
            "`b` is the initial state; make another one initial first",
        ),
        (
            "tree t { §run; }",
            "the root of a tree cannot be switched off; a tree needs one node",
        ),
    ] {
        assert_eq!(disabled(text).expect_err(text), expected);
    }
}

#[test]
fn a_kind_stands_where_the_node_stands() {
    let changed =
        |text: &str, head: &str| edited(text, |editor, marks| editor.change_kind(marks[0], head));
    let entry = "machine m { initial a; state a { entry { §run; }; }; }";
    assert_eq!(
        changed(entry, "wait 2").unwrap_err(),
        "tasks here end at once, and `wait` may take time"
    );
    assert!(changed(entry, "succeed").is_ok());
}

#[test]
fn a_kind_has_the_children_and_the_leaf_that_it_needs() {
    let changed =
        |text: &str, head: &str| edited(text, |editor, marks| editor.change_kind(marks[0], head));
    for (text, head, why) in [
        (
            "tree t { sequence { §run; fail; }; }",
            "timeout 2",
            "`timeout` needs a child",
        ),
        (
            "tree t { §invert { run; }; }",
            "try-catch",
            "`try-catch` needs at least 2 children, and this one has 1",
        ),
        (
            "leaves { action go; }\ntree t { §action go; }",
            "condition",
            "`go` is declared as `action`, so no `condition` can run it",
        ),
        (
            "leaves { action go; condition see; }\ntree t { §action go; }",
            "action see",
            "`see` is declared as `condition`, so no `action` can run it",
        ),
    ] {
        assert_eq!(changed(text, head).unwrap_err(), why, "{text}");
    }
    // What is not declared may be anything, and what has too few children may have other ones.
    for (text, head) in [
        ("tree t { §action go; }", "condition"),
        ("tree t { §sequence; }", "selector"),
        (
            "leaves { action go; condition see; }\ntree t { §action go; }",
            "condition see",
        ),
    ] {
        assert!(changed(text, head).is_ok(), "{text}");
    }
}

#[test]
fn copies_have_names_of_their_own() {
    let duplicated = |text: &str| edited(text, |editor, marks| editor.duplicate(marks[0]));
    for (text, expected) in [
        (
            "tree t {\n    sequence {\n        // why\n        §check \"x\" name=a // c\n        run name=a-2\n    }\n}\n",
            "tree t {\n    sequence {\n        // why\n        check \"x\" name=a // c\n        // why\n        check \"x\" name=a-3 // c\n        run name=a-2\n    }\n}\n",
        ),
        ("§tree t { run; }\n", "tree t { run; }\ntree t-2 { run; }\n"),
        (
            "machine m { initial a; §state a { transition to=a after=1; }; }",
            "machine m { initial a; state a { transition to=a after=1; }; state a-2 { transition to=a after=1; }; }",
        ),
        (
            "blackboard { §key hp type=int; key hp_2 type=int; }",
            "blackboard { key hp type=int; key hp_3 type=int; key hp_2 type=int; }",
        ),
        (
            "leaves { §action \"go\"; }",
            "leaves { action \"go\"; action \"go-2\"; }",
        ),
        (
            "decide d { goto b; §branch b { run; }; }",
            "decide d { goto b; branch b { run; }; branch b-2 { run; }; }",
        ),
        (
            "machine m { state a { §transition to=a when=\"x\"; }; }",
            "machine m { state a { transition to=a when=\"x\"; transition to=a when=\"x\"; }; }",
        ),
        (
            "tree t { rules { §rule hurt when=\"x\" { fail; }; rule hurt-2 when=\"y\" { fail; }; }; }",
            "tree t { rules { rule hurt when=\"x\" { fail; }; rule hurt-3 when=\"x\" { fail; }; rule hurt-2 when=\"y\" { fail; }; }; }",
        ),
        (
            "§test \"it runs\" tree=t { tick; }\n",
            "test \"it runs\" tree=t { tick; }\ntest \"it runs-2\" tree=t { tick; }\n",
        ),
    ] {
        assert_eq!(duplicated(text).as_deref(), Ok(expected), "{text}");
    }
    for (text, why) in [
        (
            "tree t { §run; }",
            "a tree has only one root; wrap it in a `sequence` first",
        ),
        (
            "tree t { invert { §run; }; }",
            "`invert` takes no further child",
        ),
        (
            "machine m { §initial a; state a; }",
            "there can be only one `initial` here",
        ),
        (
            "machine m {\n initial a\n §state a { initial x; state x; }\n state b { transition to=x; }\n}",
            "`x` in line 4 would then stand for something else",
        ),
        (
            "machine m { initial a; state a { do { §run; }; }; }",
            "a `do` takes only one node",
        ),
        (
            "tree t { switch \"x\" { case 1 { §run; }; }; }",
            "a `case` takes only one node",
        ),
    ] {
        assert_eq!(duplicated(text).unwrap_err(), why, "{text}");
    }
}

#[test]
fn what_a_removal_leaves_behind_is_said() {
    let left = |text: &str| {
        let (text, marks) = marked(text);
        let left = editor(&text).left_behind(marks[0]).expect("a node");
        let said = left
            .iter()
            .map(|one| (one.message().to_string(), one.place().offset));
        said.map(|(message, at)| {
            format!(
                "{message}: {}",
                text[at..].split([' ', ';', '}']).next().unwrap_or_default()
            )
        })
        .collect::<Vec<_>>()
    };
    for (text, expected) in [
        (
            "blackboard { key hp type=int; }\nleaves { action go { param at type=int; }; }\ntree t { sequence { set \"hp = 1\"; §action go at=\"{hp}\"; }; }",
            &[
                "nothing reads the key `hp` any more: hp",
                "nothing uses the leaf `go` any more: go",
                "nothing uses the parameter `at` any more: at",
            ][..],
        ),
        (
            "leaves { action go; event hit; }\ntree t { sequence { §emit hit; action go; }; }",
            &["nothing uses the event `hit` any more: hit"],
        ),
        (
            "main tree=t\n§tree t { subtree u; }\ntree u { run; }",
            &[
                "the tree `t` is still named here: t\n",
                "nothing uses the tree `u` any more: u",
            ],
        ),
        (
            "tree t { invert { §run; }; }",
            &["`invert` has no child any more: invert"],
        ),
        ("tree t { sequence { §run; run; }; }", &[]),
        (
            "leaves { action go; }\ntree t { sequence { §action go; run; }; }\ntest a tree=t { tick; expect active=go; }",
            &["only tests still name the leaf `go`: go"],
        ),
        (
            "machine m { initial a; state a { transition to=b; }; §state b; }",
            &["the state `b` is still named here: b"],
        ),
    ] {
        let said: Vec<String> = left(text)
            .iter()
            .map(|one| one.split("\ntree").next().unwrap_or_default().to_owned())
            .collect();
        let expected: Vec<&str> = expected.iter().map(|one| one.trim_end()).collect();
        assert_eq!(
            said.iter()
                .map(|one| one.trim_end())
                .map(|one| one.trim_end_matches("\n§tree"))
                .collect::<Vec<_>>(),
            expected,
            "{text}"
        );
    }
}

/// A leaf of another kind is run by other words, wherever it is run.
#[test]
fn a_leaf_gets_another_kind_with_all_that_run_it() {
    let text = "leaves { action look doc=\"looks\"; service scan; condition far; action rest; }
tree t {
    reactive-sequence {
        condition far
        action look name=first
        selector { action look; }
        service scan { run; }
    }
}
decide d { test-condition far { action rest; }; }
test \"t\" tree=t { leaf look answers=\"S\"; tick; }
";
    let editor = editor(text);
    let at = |what: &str| text.find(what).expect("it is there");
    let change = editor.change_kind(at("action look"), "condition");
    let change = change.expect("it is changed");
    let after = change.apply_to(0, text).expect("it fits");
    assert_eq!(after, text.replace("action look", "condition look"));
    let why = |what: &str, kind: &str| {
        let refused = editor.change_kind(at(what), kind);
        refused.expect_err("it cannot be").to_string()
    };
    let far = why("condition far", "action");
    assert!(
        far.contains("`test-condition` uses it, and no `action` can stand there"),
        "{far}"
    );
    // What a decision tree leads to may be any task.
    let rest = editor.change_kind(at("action rest"), "condition");
    let rest = rest.and_then(|change| change.apply_to(0, text));
    assert_eq!(
        rest.expect("it is changed"),
        text.replace("action rest", "condition rest")
    );
    let scan = why("service scan", "condition");
    assert_eq!(scan, "`condition` takes no children");
    let unknown = why("service scan", "selector");
    assert!(
        unknown.contains("unknown kind of leaf `selector`"),
        "{unknown}"
    );
}
