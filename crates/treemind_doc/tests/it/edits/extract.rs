//! Subtrees made from parts of trees, and leaves added to the manifest.

use super::edited;
use treemind_doc::Document;

fn extracted(text: &str) -> Result<String, String> {
    edited(text, |editor, marks| editor.extract(marks[0], "part"))
}

const KEYS: &str = "blackboard { key hp type=int; }\nleaves { action go { param at type=int; }; condition see; event noise { param volume type=int; }; }\n";

#[test]
fn a_node_becomes_a_tree() {
    for (text, expected) in [
        // Keys of the document do not change.
        (
            "tree t { sequence { §set \"hp += 1\"; run; }; }",
            "tree t { sequence { subtree part; run; }; }\n\ntree part {\n    set \"hp += 1\"\n}",
        ),
        // Comments go along; the next tree keeps its own.
        (
            "tree t {\n  sequence {\n    // above\n    §check \"hp > 1\" name=a // end\n    run\n  }\n}\n\n// u's\ntree u { run; }\n",
            "tree t {\n  sequence {\n    subtree part\n    run\n  }\n}\n\ntree part {\n  // above\n  check \"hp > 1\" name=a // end\n}\n\n// u's\ntree u { run; }\n",
        ),
        // Keys that are only read, only written, and both.
        (
            "tree t {\n    key a type=int\n    key b type=int\n    key c type=int default=1 doc=\"c\"\n    §sequence {\n        check \"a > 1\"\n        set \"b = a; c += 1\"\n    }\n}\n",
            "tree t {\n    key a type=int\n    key b type=int\n    key c type=int default=1 doc=\"c\"\n    subtree part a=\"{a}\" b=\"{b}\" c=\"{c}\"\n}\n\ntree part {\n    in a type=int\n    out b type=int\n    inout c type=int\n    sequence {\n        check \"a > 1\"\n        set \"b = a; c += 1\"\n    }\n}\n",
        ),
        // Enumerations, lists, optional keys, and items.
        (
            "tree t { key m type=enum { value x y; }; key l type=int list=3 { default 1 2; }; key o type=int optional=#true; sequence { §sequence { for-each i in=\"{l}\" { action go at=\"{i}\"; }; check \"m == x && !has(o)\"; }; set \"m = y; o = 1\"; }; }",
            "tree t { key m type=enum { value x y; }; key l type=int list=3 { default 1 2; }; key o type=int optional=#true; sequence { subtree part l=\"{l}\" m=\"{m}\" o=\"{o}\"; set \"m = y; o = 1\"; }; }\n\ntree part {\n    in l type=int list=3\n    in m type=enum { value x y; }\n    in o type=int optional=#true\n    sequence { for-each i in=\"{l}\" { action go at=\"{i}\"; }; check \"m == x && !has(o)\"; }\n}",
        ),
        (
            "tree t { key l type=int list=3; for-each i in=\"{l}\" { §action go at=\"{i}\"; }; }",
            "tree t { key l type=int list=3; for-each i in=\"{l}\" { subtree part i=\"{i}\"; }; }\n\ntree part {\n    in i type=int\n    action go at=\"{i}\"\n}",
        ),
        (
            "tree t { scope { key s type=int; sequence { §set \"s = 2\"; check \"s > 1\"; }; }; }",
            "tree t { scope { key s type=int; sequence { subtree part s=\"{s}\"; check \"s > 1\"; }; }; }\n\ntree part {\n    out s type=int\n    set \"s = 2\"\n}",
        ),
        // Ports with the names of properties of nodes.
        (
            "tree t { key name type=int; §check \"name > 1\"; }",
            "tree t { key name type=int; subtree part { param name \"{name}\"; }; }\n\ntree part {\n    in name type=int\n    check \"name > 1\"\n}",
        ),
        // Its weight among its siblings stays with the new node.
        (
            "tree t { key k type=int; weighted-selector { §check \"k > 1\" weight=\"k\"; run weight=2; }; }",
            "tree t { key k type=int; weighted-selector { subtree part k=\"{k}\" weight=\"k\"; run weight=2; }; }\n\ntree part {\n    in k type=int\n    check \"k > 1\"\n}",
        ),
        // Ports of a subtree inside it, and keys that come from a port.
        (
            "tree u { in i type=int; out o type=int; set \"o = i\"; }\ntree t { inout p type=int; key q type=int; sequence { §subtree u i=\"{p}\" o=\"{q}\"; check \"q > p\"; set \"p = 1\"; }; }",
            "tree u { in i type=int; out o type=int; set \"o = i\"; }\ntree t { inout p type=int; key q type=int; sequence { subtree part p=\"{p}\" q=\"{q}\"; check \"q > p\"; set \"p = 1\"; }; }\n\ntree part {\n    in p type=int\n    inout q type=int\n    subtree u i=\"{p}\" o=\"{q}\"\n}",
        ),
        // From machines and decision trees.
        (
            "machine m {\r\n\tkey k type=int\r\n\tinitial s\r\n\tstate s {\r\n\t\tdo {\r\n\t\t\t§set \"k += hp\"\r\n\t\t}\r\n\t}\r\n}\r\n",
            "machine m {\r\n\tkey k type=int\r\n\tinitial s\r\n\tstate s {\r\n\t\tdo {\r\n\t\t\tsubtree part k=\"{k}\"\r\n\t\t}\r\n\t}\r\n}\r\n\r\ntree part {\r\n\tinout k type=int\r\n\tset \"k += hp\"\r\n}\r\n",
        ),
        // Its score stays among those of its siblings.
        (
            "tree t { key k type=float; utility-selector { §run while=\"hp > 1\" { score { consider \"k\"; }; }; }; }",
            "tree t { key k type=float; utility-selector { subtree part { score { consider \"k\"; }; }; }; }\n\ntree part {\n    run while=\"hp > 1\"\n}",
        ),
        (
            "tree t {\n  utility-selector {\n    §sequence {\n      score { consider \"hp\"; } // c\n      run\n    }\n  }\n}",
            "tree t {\n  utility-selector {\n    subtree part {\n      score { consider \"hp\"; } // c\n    }\n  }\n}\n\ntree part {\n  sequence {\n    run\n  }\n}",
        ),
        (
            "decide d { test \"hp > 1\" { §action go at=1; }; run; }",
            "decide d { test \"hp > 1\" { subtree part; }; run; }\n\ntree part {\n    action go at=1\n}",
        ),
    ] {
        let keys = match text.contains('\r') {
            true => KEYS.replace('\n', "\r\n"),
            false => KEYS.to_owned(),
        };
        let (plain, _) = super::marked(&format!("{keys}{text}"));
        let before = Document::parse(&plain, "before.kdl");
        let errors: Vec<String> = before
            .diagnostics()
            .iter()
            .map(treemind_doc::Diagnostic::to_plain)
            .collect();
        assert!(!before.has_errors(), "{plain}\n{}", errors.join("\n"));
        let after = extracted(&format!("{keys}{text}"));
        assert_eq!(after, Ok(format!("{keys}{expected}")), "{text:?}");
        let document = Document::parse(&after.expect("extracted"), "after.kdl");
        assert!(!document.has_errors());
    }
}

#[test]
fn what_cannot_become_a_tree() {
    for (text, reason) in [
        (
            "tree §t { run; }",
            "`tree` is not a task, and only a task can become a tree",
        ),
        (
            "tree part { run; }\ntree t { §run; }",
            "another tree is named `part`",
        ),
        (
            "tree t { repeat 3 { §limit 1 per=parent { run; }; }; }",
            "`per=parent` counts in its parent, which would change",
        ),
        (
            "machine m { initial s; state s { transition to=s on=noise { §set \"hp = event.volume\"; }; }; }",
            "it reads `event.volume` of its transition",
        ),
        (
            "machine m { initial s; state s { transition to=s on=noise { §log \"{event.volume}\"; }; }; }",
            "it reads `event.volume` of its transition",
        ),
        (
            "tree t { key k type=int; subtree u inherit=#true; }\ntree u { §check \"k > 1\"; }",
            "it uses `k`, which comes from the parent tree",
        ),
        (
            "decide d { test \"hp > 1\" { §state s; }; }\nmachine m { initial s; state s { transition decide=d; }; }",
            "`state` is not a task, and only a task can become a tree",
        ),
    ] {
        assert_eq!(
            extracted(&format!("{KEYS}{text}")),
            Err(reason.to_owned()),
            "{text:?}"
        );
    }
    let named = edited("tree t { §run; }", |editor, marks| {
        editor.extract(marks[0], "a b")
    });
    assert_eq!(
        named.unwrap_err(),
        "`a b` is not a valid name for a tree: use letters, digits and `-`"
    );
}

#[test]
fn leaves_are_added() {
    for (text, leaf, expected) in [
        (
            "leaves {\n  action a\n}\n",
            "condition b",
            "leaves {\n  action a\n  condition b\n}\n",
        ),
        (
            "leaves { action a; }",
            "condition b",
            "leaves { action a; condition b; }",
        ),
        ("leaves", "event b", "leaves {\n    event b\n}"),
        (
            "leaves {}\ntree t { run; }\nleaves { }",
            "sensor b",
            "leaves {}\ntree t { run; }\nleaves {\n    sensor b\n}",
        ),
        (
            "leaves {\n\taction a // a's\n}\r\n",
            "action b { param c type=int; }",
            "leaves {\n\taction a // a's\n\taction b { param c type=int; }\n}\r\n",
        ),
        ("", "action a", "leaves {\n    action a\n}\n"),
        (
            "main tree=t\n\n// t's\ntree t { run; }\n",
            "action a",
            "main tree=t\n\nleaves {\n    action a\n}\n\n// t's\ntree t { run; }\n",
        ),
    ] {
        let after = edited(text, |editor, _| editor.add_leaf(leaf));
        assert_eq!(after.as_deref(), Ok(expected), "{text:?}");
    }
    for (leaf, reason) in [
        ("action a; action b", "only one leaf can be added at a time"),
        (
            "sequence a",
            "unknown kind of leaf `sequence`; the kinds are condition, action, service, sensor, event, candidates, measure, composite, decorator",
        ),
        ("action", "this leaf has no name"),
        (
            "action \"b c\"",
            "`b c` is not a valid name for a leaf: use letters, digits and `-`",
        ),
        ("event a", "another leaf is named `a`"),
        (
            "action {",
            "the inserted text is not a node: this block is never closed",
        ),
    ] {
        let refusal = edited("leaves { action a; }", |editor, _| editor.add_leaf(leaf));
        assert_eq!(refusal, Err(reason.to_owned()), "{leaf:?}");
    }
}
