//! Trees put in the place of the subtrees that run them.

use super::{edited, editor, marked};
use treemind_doc::Document;

fn inlined(text: &str) -> Result<String, String> {
    let (plain, _) = marked(text);
    let before = Document::parse(&plain, "before.kdl");
    assert!(!before.has_errors(), "{plain}\n{:?}", before.diagnostics());
    let after = edited(text, |editor, marks| editor.inline(marks[0], true))?;
    assert!(
        !Document::parse(&after, "after.kdl").has_errors(),
        "{after}"
    );
    Ok(after)
}

const KEYS: &str =
    "blackboard { key hp type=int; }\nleaves { action go { param at type=int; }; }\n";

#[test]
fn a_tree_takes_the_place_of_its_subtree() {
    for (text, expected) in [
        (
            "tree t { sequence { §subtree u; run; }; }\ntree u { set \"hp += 1\"; }\n",
            "tree t { sequence { set \"hp += 1\"; run; }; }\n",
        ),
        // Comments of both stay.
        (
            "tree t {\n  sequence {\n    // here\n    §subtree u // end\n    run\n  }\n}\n\n// u's\ntree u {\n  // root\n  sequence { // in\n    run // r\n  } // out\n}\n",
            "tree t {\n  sequence {\n    // here\n    // root\n    sequence { // in\n      run // r\n    } // out\n    // end\n    run\n  }\n}\n",
        ),
        // Ports: keys and values.
        (
            "tree t { key a type=int; key b type=int; sequence { §subtree u i=\"{a}\" o=\"{b}\" l=3; check \"a > b\"; set \"a = 1\"; }; }\ntree u { in i type=int; out o type=int; in l type=int; sequence { set \"o = i\"; action go at=\"{l}\"; }; }\n",
            "tree t { key a type=int; key b type=int; sequence { sequence { set \"b = a\"; action go at=3; }; check \"a > b\"; set \"a = 1\"; }; }\n",
        ),
        // A value that is read by an expression becomes a key.
        (
            "tree t {\n    sequence {\n        §subtree u l=3\n        run\n    }\n}\ntree u {\n    in l type=int\n    sequence {\n        check \"hp > l\"\n        action go at=\"{l}\"\n    }\n}\n",
            "tree t {\n    sequence {\n        scope {\n            key l type=int default=3\n            sequence {\n                check \"hp > l\"\n                action go at=\"{l}\"\n            }\n        }\n        run\n    }\n}\n",
        ),
        // What is on the line goes to the root, or to a node around it.
        (
            "tree t { §subtree u when=\"hp > 1\" name=x; }\ntree u { action go at=1; }\n",
            "tree t { action go at=1 when=\"hp > 1\" name=x; }\n",
        ),
        (
            "tree t { §subtree u when=\"hp > 1\"; }\ntree u { action go at=1 while=\"hp > 2\"; }\n",
            "tree t { sequence when=\"hp > 1\" { action go at=1 while=\"hp > 2\"; }; }\n",
        ),
        // From a decision tree and a machine.
        (
            "decide d { test \"hp > 1\" { §subtree u; }; none; }\ntree u { run; }\n",
            "decide d { test \"hp > 1\" { run; }; none; }\n",
        ),
    ] {
        let after = inlined(&format!("{KEYS}{text}"));
        assert_eq!(
            after.as_deref(),
            Ok(&*format!("{KEYS}{expected}")),
            "{text}"
        );
    }
}

#[test]
fn a_tree_that_something_else_uses_stays() {
    let (text, marks) =
        marked("tree t { sequence { §subtree u; subtree u; }; }\ntree u { run; }\n");
    let change = editor(&text).inline(marks[0], true).expect("it can");
    assert_eq!(
        change.apply_to(0, &text).expect("made for it"),
        "tree t { sequence { run; subtree u; }; }\ntree u { run; }\n"
    );
    assert_eq!(
        change.notes(),
        ["the tree `u` stays, because line 1 uses it"]
    );
    let (text, marks) = marked("tree t { §subtree u; }\ntree u { run; }\n");
    let change = editor(&text).inline(marks[0], false).expect("it can");
    assert_eq!(change.splices().len(), 1);
}

#[test]
fn a_tree_that_would_do_something_else_stays_a_tree() {
    for (text, why) in [
        (
            "tree t { §subtree u; }\ntree u { key k type=int; sequence { set \"k += 1\"; check \"k > 3\"; }; }",
            "this tree has a key of its own, which keeps its value from run to run; declare it outside first",
        ),
        (
            "tree t { §subtree u; }\ntree u { inout p type=int default=1; sequence { set \"p += 1\"; check \"p > 1\"; }; }",
            "the port `p` is given no key here, so the tree keeps its value from run to run",
        ),
        (
            "tree t { §subtree u; }\ntree u { run; fail disabled=#true; }",
            "this tree has several nodes, and only one of them runs; the others would be lost",
        ),
        ("tree t { §run; }", "`run` is not a subtree"),
        // The caller has a key with that name.
        (
            "tree t { key hp type=int; sequence { set \"hp = 1\"; §subtree u; check \"hp > 2\"; }; }\ntree u { check \"hp > 1\"; }",
            "`hp` in that tree would mean something else here",
        ),
        // A key of the tree hides the caller's.
        (
            "tree t { key s type=int; sequence { set \"s = 1\"; §subtree u p=\"{s}\"; }; }\ntree u { in p type=int; scope { key s type=int; sequence { set \"s = 3\"; check \"s > p\"; }; }; }",
            "`s` in that tree would mean something else here",
        ),
    ] {
        assert_eq!(
            inlined(&format!("{KEYS}{text}")).unwrap_err(),
            why,
            "{text}"
        );
    }
}
