//! Insert, remove and move, on texts in all shapes.

use super::{edited, editor};
use treemind_doc::edit::{Change, EditError, Spot};

#[test]
fn nodes_are_removed_with_what_belongs_to_them() {
    for (text, expected) in [
        ("a\n§b\nc\n", "a\nc\n"),
        ("§a\nb", "b"),
        ("a\n§b", "a\n"),
        ("§a", ""),
        ("\u{feff}§a\nb\n", "\u{feff}b\n"),
        ("a\r\n§b\r\nc\r\n", "a\r\nc\r\n"),
        // Comments directly above, after and inside a node go with it; others stay.
        ("// far\n\n// near\n§a // end\nb", "// far\n\nb"),
        (
            "// one\n/* two\n   lines */\n§a /* end */ // more\n// b's\nb",
            "// b's\nb",
        ),
        (
            "a // a's\n§b { c; /* in */ }\n// last\n",
            "a // a's\n// last\n",
        ),
        ("a; /* b's */ §b; c", "a; c"),
        ("a; §b /* b's */; c // c's\n", "a; c // c's\n"),
        ("a; §b; // b's\nc", "a;\nc"),
        ("§a; // a's\nb", "b"),
        // Text that `/-` takes out counts as a comment.
        ("/-x 1\n§a\nb", "b"),
        ("/-x {\n  y\n}\n\n§a\nb", "/-x {\n  y\n}\n\nb"),
        ("a\n§b /-x /-{ y\n }\nc", "a\nc"),
        ("§a; /-b; c", "/-b; c"),
        // One line.
        ("x { §a; b; c; }", "x { b; c; }"),
        ("x { a; §b; c; }", "x { a; c; }"),
        ("x { a; b; §c; }", "x { a; b; }"),
        ("x { a; b; §c }", "x { a; b; }"),
        ("x { a;§b;c }", "x { a;c }"),
        ("x { a\n  §b }", "x { a\n  }"),
        ("x { §a // c\n  b\n}", "x {\n  b\n}"),
        // The last one of a block.
        ("sequence { §a; }", "sequence {}"),
        ("sequence {\n    §a\n}", "sequence {}"),
        (
            "sequence {\n    // stays\n\n    §a\n}",
            "sequence {\n    // stays\n}",
        ),
        ("action x { §param a 1; }", "action x"),
        (
            "action x /* c */ { §param a 1; } // d",
            "action x /* c */ // d",
        ),
        // One empty line is enough.
        ("a\n\n§b\n\nc\n", "a\n\nc\n"),
        ("x {\n    §a\n\n    b\n}", "x {\n    b\n}"),
        ("x {\n    a\n\n    §b\n}", "x {\n    a\n}"),
        ("a\n\n§b\n", "a\n"),
        ("a\n \n§b\n\t\nc", "a\n \nc"),
        // Continued lines.
        ("a \\\n  1\n§b \\\n  2 \\ // c\n  3\nc", "a \\\n  1\nc"),
        ("§a \"\"\"\n  }\n  \"\"\" // c\nb", "b"),
        ("a #\"}\"#\n§b \"{ \\\" // no\"\nc", "a #\"}\"#\nc"),
    ] {
        let after = edited(text, |editor, marks| editor.remove(marks[0]));
        assert_eq!(after.as_deref(), Ok(expected), "{text:?}");
    }
}

#[test]
fn what_cannot_be_removed() {
    for (text, reason) in [
        (
            "tree t {\n  §action x\n}",
            "the root of a tree cannot be removed; a tree needs one node",
        ),
        (
            "tree t { key a type=int; §action x; }",
            "the root of a tree cannot be removed; a tree needs one node",
        ),
        (
            "a\n\n\n§\n\nb",
            "there is no node at that place in line 4 of `test.kdl`",
        ),
        (
            "a {\n §b\n",
            "`test.kdl` cannot be edited until its open block, string or comment is closed",
        ),
    ] {
        let (plain, marks) = super::marked(text);
        let editor = super::editor(&plain);
        let mut at = marks[0];
        if reason.starts_with("no node") {
            at = 0;
            // There is no node before the first node.
            let editor = super::editor("\n\n\n\n\nb");
            let refusal = editor.remove(3).expect_err("nothing");
            assert_eq!(refusal.message(), reason, "{text:?}");
            assert_eq!(refusal.place().map(|at| at.offset), Some(3));
        }
        if !reason.starts_with("no node") {
            let refusal = editor.remove(at).expect_err("refused");
            assert_eq!(refusal.message(), reason, "{text:?}");
        }
    }
    let editor = super::editor("a");
    assert_eq!(
        editor.remove((7, 0)).expect_err("no file").to_string(),
        "there is no file 7"
    );
    assert!(editor.remove(usize::MAX).is_err());
}

#[test]
fn nodes_are_put_in() {
    for (text, new, expected) in [
        // Among lines.
        ("a\n§b\n", "n 1", "a\nn 1\nb\n"),
        ("a {\n  // b's\n  §b\n}", "n", "a {\n  n\n  // b's\n  b\n}"),
        (
            "a {\r\n\tb\r\n\t§c\r\n}\r\n",
            "n { m\n o }",
            "a {\r\n\tb\r\n\tn {\r\n\t\tm\r\n\t\to\r\n\t}\r\n\tc\r\n}\r\n",
        ),
        ("\u{feff}§b", "n", "\u{feff}n\nb"),
        // In one line.
        ("a { §b; c; }", "n 1", "a { n 1; b; c; }"),
        ("a { b; §c; }", "n { m\n o\n }", "a { b; n { m; o; }; c; }"),
        ("a { b; /* c's */ §c; }", "n", "a { b; n; /* c's */ c; }"),
        // What needs lines of its own.
        (
            "a { b; §c; }",
            "n // new",
            "a {\n    b\n    n // new\n    c\n}",
        ),
        (
            "x {\r\n\ta { y { b; §c; }; }; d\r\n}\r\n",
            "// new\nn",
            "x {\r\n\ta {\r\n\t\ty {\r\n\t\t\tb\r\n\t\t\t// new\r\n\t\t\tn\r\n\t\t\tc\r\n\t\t}\r\n\t}; d\r\n}\r\n",
        ),
        (
            "a { b; §c; }",
            "n \"\"\"\n  x\n  \"\"\"",
            "a {\n    b\n    n \"\"\"\n  x\n  \"\"\"\n    c\n}",
        ),
    ] {
        let after = edited(text, |editor, marks| {
            editor.insert(Spot::Before(marks[0].into()), new)
        });
        assert_eq!(after.as_deref(), Ok(expected), "{text:?}");
    }
    for (text, new, expected) in [
        ("§a\nb\n", "n", "a\nn\nb\n"),
        ("§a", "n", "a\nn"),
        ("a\r\n§b", "n", "a\r\nb\r\nn"),
        ("x {\n  §a // a's\n}", "n", "x {\n  a // a's\n  n\n}"),
        ("x { §a }", "n", "x { a; n }"),
        ("x { §a; }", "n", "x { a; n; }"),
        ("x { §a; /* a's */ }", "n", "x { a; /* a's */ n; }"),
        ("x { §a // a's\n}", "n", "x { a // a's\n    n\n}"),
        ("x { a\n  §b }", "n", "x { a\n  b; n }"),
        ("x { §a; /-b; }", "n", "x { a; n; /-b; }"),
    ] {
        let after = edited(text, |editor, marks| {
            editor.insert(Spot::After(marks[0].into()), new)
        });
        assert_eq!(after.as_deref(), Ok(expected), "{text:?}");
    }
}

#[test]
fn blocks_are_made_and_filled() {
    for (text, new, expected) in [
        ("§a", "n", "a {\n    n\n}"),
        ("§a {}", "n", "a {\n    n\n}"),
        ("§a{\n\n}\n", "n", "a{\n    n\n}\n"),
        ("  §a x=1 // c\nb", "n", "  a x=1 {\n      n\n  } // c\nb"),
        ("x { §a; b; }", "n", "x { a { n; }; b; }"),
        ("x {\n\t§a\n}", "n", "x {\n\ta {\n\t\tn\n\t}\n}"),
        ("§a { /* c */ }", "n", "a { /* c */ n; }"),
        ("§a {\n  // c\n}", "n", "a {\n  // c\n    n\n}"),
        ("§a { b; }", "n", "a { n; b; }"),
        ("§a /-x", "n", "a {\n    n\n} /-x"),
    ] {
        let after = edited(text, |editor, marks| {
            editor.insert(Spot::Into(marks[0].into(), 0), new)
        });
        assert_eq!(after.as_deref(), Ok(expected), "{text:?}");
    }
    for (text, expected) in [
        ("", "n\n"),
        ("// c", "// c\nn"),
        ("// c\n", "// c\nn\n"),
        ("a", "a\nn"),
        ("a\n\n", "a\nn\n\n"),
        ("\u{feff}", "\u{feff}n\n"),
    ] {
        let after = edited(text, |editor, _| editor.insert(Spot::Top(0, 9), "n"));
        assert_eq!(after.as_deref(), Ok(expected), "{text:?}");
    }
}

#[test]
fn what_cannot_be_put_in() {
    for (new, reason) in [
        ("", "the inserted text has no node"),
        ("// only this", "the inserted text has no node"),
        (
            "a {",
            "the inserted text is not a node: this block is never closed",
        ),
        ("a = b", "the inserted text is not a node: unexpected `=`"),
        ("fail", "`check` takes no children"),
    ] {
        let refusal = edited("tree t { §check \"a\"; }", |editor, marks| {
            editor.insert(Spot::Into(marks[0].into(), 0), new)
        });
        assert_eq!(refusal, Err(reason.to_owned()), "{new:?}");
    }
}

#[test]
fn nodes_are_moved_with_their_comments() {
    // The first mark is the node to move, the second one its new place.
    for (text, expected) in [
        ("§a\nb\n§c\n", "b\na\nc\n"),
        ("a\n§b // b's\n// above c\n§c", "a\nb // b's\n// above c\nc"),
        ("§a\n// b's\n§b", "a\n// b's\nb"),
        ("§a; b; §c; d", "b; a; c; d"),
        ("§a; §b; c", "a; b; c"),
        ("x { a; §b }\ny {\n  §c\n}", "x { a; }\ny {\n  b\n  c\n}"),
        (
            "x {\n    // about y\n    §y {\n        z 1 // z's\n    } // y's\n}\n§a\n",
            "x\n// about y\ny {\n    z 1 // z's\n} // y's\na\n",
        ),
        ("x {\n\ty {\n\t\t§a\n\t}\n\t§b\n}", "x {\n\ty\n\ta\n\tb\n}"),
        // A node over several lines moves into a line, and goes on that line if it can.
        (
            "§x {\n    y\n    /-z\n}\na { §b; }",
            "a { x { y; /-z; }; b; }",
        ),
        (
            "§x { // c\n    y\n}\na { §b; }",
            "a {\n    x { // c\n        y\n    }\n    b\n}",
        ),
        // Strings over several lines keep their indentation.
        (
            "a {\n    §x \"\"\"\n        1\n      2\n        \"\"\" {\n        y /* p\n    q */ 1\n    }\n}\n§b",
            "a\nx \"\"\"\n        1\n      2\n        \"\"\" {\n    y /* p\n    q */ 1\n}\nb",
        ),
        (
            "a {\n    §x 1 \\\n        2\n    z\n}\n§b\n",
            "a {\n    z\n}\nx 1 \\\n    2\nb\n",
        ),
    ] {
        let after = edited(text, |editor, marks| {
            editor.move_node(marks[0], Spot::Before(marks[1].into()))
        });
        assert_eq!(after.as_deref(), Ok(expected), "{text:?}");
    }
    for (text, expected) in [
        ("§a\nb\n§c", "b\nc\na"),
        ("a\n§b\n§c\n", "a\nc\nb\n"),
        ("x { §a; §b }", "x { b; a }"),
        ("x { §a; b; §c; }", "x { b; c; a; }"),
        ("§b\na\n§b2\n\nc", "a\nb2\nb\n\nc"),
    ] {
        let after = edited(text, |editor, marks| {
            editor.move_node(marks[0], Spot::After(marks[1].into()))
        });
        assert_eq!(after.as_deref(), Ok(expected), "{text:?}");
    }
}

/// What stands apart by an empty line does so at its new place, and so does a copy; what does not, does not.
#[test]
fn what_stands_apart_goes_on_doing_so() {
    let [first, second, third] = [
        "// why\ntree a { x; }",
        "tree b { x; }",
        "test \"t\" { tick; }",
    ];
    let file = |parts: &[&str]| parts.join("\n\n") + "\n";
    let text = file(&[first, second, third]);
    let at = |mark: &str| text.find(mark).expect(mark);
    let begin = editor(&text);
    let made = |change: Result<Change, EditError>| {
        let mut edited = begin.clone();
        let undo = edited
            .apply(&change.expect("it goes"))
            .expect("made for this text");
        let after = edited.text(0).to_owned();
        edited.apply(&undo).expect("undone");
        assert_eq!(edited.text(0), text);
        after
    };
    let moved = |from: &str, to: Spot| made(begin.move_node(at(from), to));
    let (before, after) = (
        |mark| Spot::Before(at(mark).into()),
        |mark| Spot::After(at(mark).into()),
    );
    let third_first = file(&[third, first, second]);
    assert_eq!(moved("test", before("tree a")), third_first);
    assert_eq!(
        moved("test", after("tree a")),
        file(&[first, third, second])
    );
    assert_eq!(
        moved("tree a", after("test")),
        file(&[second, third, first])
    );
    assert_eq!(
        moved("tree a", after("tree b")),
        file(&[second, first, third])
    );
    let copy = "tree b-2 { x; }";
    assert_eq!(
        made(begin.duplicate(at("tree b"))),
        file(&[first, second, copy, third])
    );
    let copy = "test \"t-2\" { tick; }";
    assert_eq!(
        made(begin.duplicate(at("test"))),
        file(&[first, second, third, copy])
    );

    let lines = |parts: &[&str]| {
        let inner: Vec<String> = parts
            .iter()
            .map(|part| match part.is_empty() {
                true => String::new(),
                false => format!("    {part}"),
            })
            .collect();
        format!("machine m {{\n{}\n}}\n", inner.join("\n"))
    };
    let text = lines(&[
        "initial a",
        "state a {}",
        "",
        "state b {}",
        "",
        "state c {}",
    ]);
    let begin = editor(&text);
    let state = |name: &str| text.find(&format!("state {name}")).expect(name);
    let done = |change: Result<Change, EditError>| {
        change
            .expect("it goes")
            .apply_to(0, &text)
            .expect("made for this text")
    };
    assert_eq!(
        done(begin.move_node(state("c"), Spot::Before(state("a").into()))),
        lines(&[
            "initial a",
            "",
            "state c {}",
            "",
            "state a {}",
            "",
            "state b {}"
        ])
    );
    assert_eq!(
        done(begin.duplicate(state("c"))),
        lines(&[
            "initial a",
            "state a {}",
            "",
            "state b {}",
            "",
            "state c {}",
            "",
            "state c-2 {}"
        ])
    );
    assert_eq!(
        done(begin.paste(Spot::After(state("b").into()), "state d {}")),
        lines(&[
            "initial a",
            "state a {}",
            "",
            "state b {}",
            "",
            "state d {}",
            "",
            "state c {}"
        ])
    );

    // Groups of lines are no lines that stand apart.
    let text = "blackboard {\n    key a type=int\n    key b type=int\n\n    key c type=int\n    key d type=int\n}\n";
    let begin = editor(text);
    let change = begin
        .duplicate(text.find("key b").expect("a key"))
        .expect("it goes");
    assert_eq!(
        change.apply_to(0, text).expect("made for this text"),
        text.replace("key b type=int\n", "key b type=int\n    key b_2 type=int\n")
    );

    // A number in tables belongs to one leaf.
    let text = "leaves {\n    action go number=22 doc=\"walks\"\n}\ntree t { action go; }\n";
    let change = editor(text).duplicate(text.find("go").expect("a leaf"));
    let after = change.expect("it goes").apply_to(0, text);
    let line = "    action go number=22 doc=\"walks\"\n";
    assert_eq!(
        after.expect("made for this text"),
        text.replace(line, &format!("{line}    action go-2 doc=\"walks\"\n"))
    );
}

#[test]
fn what_cannot_be_moved() {
    for (text, reason) in [
        ("§a { b { §c; } }", "a node cannot be moved into itself"),
        (
            "tree t { §action x; }\ntree u { sequence { §action y; } }",
            "the root of a tree cannot be moved away; a tree needs one node",
        ),
    ] {
        let refusal = edited(text, |editor, marks| {
            editor.move_node(marks[0], Spot::Before(marks[1].into()))
        });
        assert_eq!(refusal, Err(reason.to_owned()), "{text:?}");
    }
}
