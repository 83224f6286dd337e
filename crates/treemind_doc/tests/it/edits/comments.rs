//! Comments above nodes.

use super::{edited, editor, marked};

fn set(text: &str, comment: &str) -> Result<String, String> {
    edited(text, |editor, marks| editor.set_comment(marks[0], comment))
}

#[test]
fn comments_are_read() {
    for (text, comment) in [
        ("§tree t { wait 1.0; }", ""),
        ("// One.\n§tree t { wait 1.0; }", "One."),
        (
            "\u{feff}//  One.\r\n//\r\n//two\r\n§tree t { wait 1.0; }",
            " One.\n\ntwo",
        ),
        // What is not directly above it is about something else.
        ("// One.\n\n§tree t { wait 1.0; }", ""),
        ("tree t { // One.\n    §wait 1.0\n}", ""),
        (
            "tree t {\n    sequence {\n        wait 1.0 // One.\n        §wait 2.0\n    }\n}",
            "",
        ),
        (
            "tree t {\n    sequence {\n        wait 1.0; // One.\n        // Two.\n        §wait 2.0\n    }\n}",
            "Two.",
        ),
        ("/*\n// One. */\n§tree t { wait 1.0; }", ""),
        ("tree t { sequence { §wait 1.0; wait 2.0; }; }", ""),
    ] {
        let (plain, marks) = marked(text);
        assert_eq!(
            editor(&plain).comment(marks[0]).as_deref(),
            Ok(comment),
            "{text}"
        );
    }
}

#[test]
fn comments_are_written() {
    for (text, comment, expected) in [
        (
            "§tree t { wait 1.0; }",
            "One.",
            "// One.\ntree t { wait 1.0; }",
        ),
        (
            "\u{feff}tree t {\r\n\t§wait 1.0\r\n}\r\n",
            "One.\n\n  two  \r\n",
            "\u{feff}tree t {\r\n\t// One.\r\n\t//\r\n\t//   two\r\n\twait 1.0\r\n}\r\n",
        ),
        // What stays the same keeps its bytes.
        (
            "tree t {\n    //one  \n      // two\n    §wait 1.0 // three\n}\n",
            "one\nthree",
            "tree t {\n    //one  \n    // three\n    wait 1.0 // three\n}\n",
        ),
        (
            "tree t {\n    // one\n    // two\n    §wait 1.0\n}\n",
            "",
            "tree t {\n    wait 1.0\n}\n",
        ),
        (
            "/* kept */\n// one\n§tree t { wait 1.0; }\n",
            "\u{5b88}\u{536b} \u{1f6e1}",
            "/* kept */\n// \u{5b88}\u{536b} \u{1f6e1}\ntree t { wait 1.0; }\n",
        ),
    ] {
        assert_eq!(set(text, comment).as_deref(), Ok(expected), "{text}");
    }
    for (text, comment, why) in [
        (
            "tree t { §wait 1.0; }",
            "One.",
            "other nodes are on the line",
        ),
        ("§tree t { wait 1.0; }", "a */ b", "a comment has no `*/`"),
        ("§tree t { wait 1.0; }", "a \u{202e} b", "characters"),
    ] {
        let refused = set(text, comment).expect_err(text);
        assert!(refused.contains(why), "{refused}");
    }
}
