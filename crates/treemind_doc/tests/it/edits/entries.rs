//! Values, properties and parameters.

use super::edited;
use treemind_doc::edit::NewValue;

#[test]
fn properties_are_set() {
    for (text, name, value, expected) in [
        ("§a", "x", NewValue::Bool(true), "a x=#true"),
        ("§a 1 // c", "x", 2.into(), "a 1 x=2 // c"),
        ("§a { b; }", "x", 2.5.into(), "a x=2.5 { b; }"),
        ("§a x=1 y=2", "x", 3.into(), "a x=3 y=2"),
        ("§a x = /* c */ 1", "x", "b".into(), "a x = /* c */ b"),
        ("§a x=\"b c\"", "x", "d".into(), "a x=\"d\""),
        ("§a x=b", "x", "d e".into(), "a x=\"d e\""),
        ("§a x=b", "x", "true".into(), "a x=\"true\""),
        ("§a", "when", "b".into(), "a when=\"b\""),
        (
            "§a",
            "doc",
            "say \"so\" \\ \n".into(),
            "a doc=\"say \\\"so\\\" \\\\ \\n\"",
        ),
        ("§a", "odd name", 1.into(), "a \"odd name\"=1"),
        (
            "§a 1 \\\n  2 // c\n",
            "x",
            1.into(),
            "a 1 \\\n  2 x=1 // c\n",
        ),
        (
            "§a \"\"\"\n  b\n  \"\"\"",
            "x",
            1.into(),
            "a \"\"\"\n  b\n  \"\"\" x=1",
        ),
        ("§a x=#\"b\"# /-y=1", "x", "c".into(), "a x=\"c\" /-y=1"),
        (
            "§a /-y=1",
            "y",
            NewValue::Number("0x1F".into()),
            "a y=0x1F /-y=1",
        ),
        ("§a", "x", f64::NAN.into(), "a x=#nan"),
        ("§\u{e9} x=1", "x", 1.into(), "\u{e9} x=1"),
    ] {
        let after = edited(text, |editor, marks| editor.set(marks[0], name, value));
        assert_eq!(after.as_deref(), Ok(expected), "{text:?}");
    }
}

#[test]
fn values_are_changed() {
    for (text, number, value, expected) in [
        (
            "§wait 2.0 jitter=1",
            0,
            NewValue::from(0.5),
            "wait 0.5 jitter=1",
        ),
        ("§check \"a < 1\"", 0, "a < 2".into(), "check \"a < 2\""),
        ("§a x=1 b", 0, "c".into(), "a x=1 c"),
        ("§a", 0, "c".into(), "a c"),
        ("§a b x=1", 1, 7.into(), "a b 7 x=1"),
    ] {
        let after = edited(text, |editor, marks| {
            editor.set_value(marks[0], number, value)
        });
        assert_eq!(after.as_deref(), Ok(expected), "{text:?}");
    }
    let refusal = edited("§a b", |editor, marks| editor.set_value(marks[0], 2, 1));
    assert_eq!(
        refusal.unwrap_err(),
        "`a` has 1 values here, so value number 2 does not exist"
    );
    for bad in ["", "1 2", "one", "1 // c", "1;", "-", "1x", "#true"] {
        let refusal = edited("§a 1", |editor, marks| {
            editor.set_value(marks[0], 0, NewValue::Number(bad.to_owned()))
        });
        assert_eq!(
            refusal.unwrap_err(),
            format!("`{bad}` is not a number in KDL")
        );
    }
}

#[test]
fn properties_are_unset() {
    for (text, expected) in [
        ("§a x=1", "a"),
        ("§a x=1 y=2", "a y=2"),
        ("§a y=2  x=1 { b; }", "a y=2  { b; }"),
        ("§a \\\n  x=1 \\\n  y=2", "a \\\n  y=2"),
        ("§a \\\n  x=1\nb", "a\nb"),
        ("§a \\ // c\n  x=1 y=2\nb", "a \\ // c\n  y=2\nb"),
        ("§a y=1 x=\"\"\"\n  b\n  \"\"\" // c", "a y=1 // c"),
        ("§a /* c */ x=1", "a /* c */"),
        ("§a x=1 x=2", "a x=2"),
    ] {
        let after = edited(text, |editor, marks| editor.unset(marks[0], "x"));
        assert_eq!(after.as_deref(), Ok(expected), "{text:?}");
    }
    let refusal = edited("§a y=1", |editor, marks| editor.unset(marks[0], "x"));
    assert_eq!(refusal.unwrap_err(), "`x` is not set on this `a`");
}

#[test]
fn parameters_go_where_they_are_read() {
    for (text, name, expected) in [
        ("§action a", "range", "action a range=1"),
        ("§action a range=\"{x}\"", "range", "action a range=\"1\""),
        ("§action a", "name", "action a { param name 1; }"),
        (
            "§action a name=b",
            "name",
            "action a name=b { param name 1; }",
        ),
        (
            "§action a { param name 5; }",
            "name",
            "action a { param name 1; }",
        ),
        (
            "§service a {\n    param range 2\n    b\n}",
            "interval",
            "service a {\n    param range 2\n    param interval 1\n    b\n}",
        ),
        (
            "§action a { param range 2; }",
            "range",
            "action a { param range 1; }",
        ),
        ("§subtree a", "inherit", "subtree a { param inherit 1; }"),
        (
            "§key a sensor=b",
            "type",
            "key a sensor=b { param type 1; }",
        ),
        ("§key a sensor=b", "range", "key a sensor=b range=1"),
    ] {
        let value = match expected.contains("\"1\"") {
            true => NewValue::from("1"),
            false => 1.into(),
        };
        let after = edited(text, |editor, marks| {
            editor.set_param(marks[0], name, value)
        });
        assert_eq!(after.as_deref(), Ok(expected), "{text:?}");
    }
    for (text, expected) in [
        ("§action a range=1 // c", "action a // c"),
        ("§action a { param range 1; }", "action a"),
        (
            "§action a {\n    param b 1\n    param range 1\n}",
            "action a {\n    param b 1\n}",
        ),
    ] {
        let after = edited(text, |editor, marks| editor.unset_param(marks[0], "range"));
        assert_eq!(after.as_deref(), Ok(expected), "{text:?}");
    }
    let refusal = edited("§wait 1", |editor, marks| {
        editor.set_param(marks[0], "x", 1)
    });
    assert_eq!(refusal.unwrap_err(), "`wait` takes no parameters");
    let refusal = edited("§action a name=b", |editor, marks| {
        editor.unset_param(marks[0], "name")
    });
    assert_eq!(refusal.unwrap_err(), "`name` is not set on this `action`");
}
