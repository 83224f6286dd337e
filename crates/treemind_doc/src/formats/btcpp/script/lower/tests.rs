//! What scripts become.

use super::super::parse;
use super::*;

fn said(code: &str) -> String {
    let names = super::super::names(&parse(code).unwrap_or_default());
    let may_be = |name: &str| names.perhaps.contains(name) && !names.texts.contains(name);
    let mut key = |name: &str| match names.numbers.contains(name) || may_be(name) {
        true => (name.to_owned(), Held::Double, false),
        false => (name.to_owned(), Held::Any, false),
    };
    let parsed = parse(code);
    let assigns = matches!(parsed.as_deref(), Ok([.., Ast::Assign(..)]));
    match parsed
        .and_then(|script| lower((&script, true), &Enums::default(), Some("seen"), &mut key))
    {
        Ok(lowered) => {
            let mut all = lowered.statements;
            all.extend(lowered.condition.filter(|_| !assigns));
            all.join("; ")
        }
        Err(error) => format!("error: {error}"),
    }
}

#[test]
fn scripts_become_statements_and_conditions() {
    let mut wrong = Vec::new();
    for (script, ours) in [
        ("a := 1; b := 'x'", "a = 1; b = 'x'"),
        ("a := 1; a = 2", "a = 1; a = 2"),
        // Only to a key that is there.
        ("b = 'x'", "b = (if has(b) { 'x' } else { b })"),
        ("a = a + 1", "a = (if has(a) { (a + 1.0) } else { a })"),
        ("2", "error: the number 2 is neither true nor false"),
        (
            "a == 1 && 2",
            "error: the number 2 is neither true nor false",
        ),
        ("!2", "!((2 != 0.0))"),
        ("-2", "(-2.0 != 0.0)"),
        ("a+=2", "a = a + 2.0"),
        (
            "c == 'x'; a == 1",
            "seen = (c == 'x'); (likeness(a, 1) == 0)",
        ),
        ("n := 9007199254740993", "n = 9007199254740993"),
        ("n := 9223372036854775807", "n = 9223372036854775807"),
        ("n := 0x7fffffffffffffff", "n = 9223372036854775807"),
        ("b := a * 2 - -1", "b = ((a * 2.0) - -1.0)"),
        ("1 - 2 - 3", "(((1.0 - 2.0) - 3.0) != 0.0)"),
        ("1 < a < 0x10", "((1.0 < a) && (a < 16.0))"),
        ("f := a < 1", "f = (if (a < 1.0) { 1.0 } else { 0.0 })"),
        ("f := true", "f = 1"),
        ("door_open", "(number(door_open) != 0.0)"),
        (
            "!(x == 'hi') || y != 3",
            "(!((x == 'hi')) || (likeness(y, 3) != 0))",
        ),
        ("x == \"hi\"", "(x == 'hi')"),
        ("x := 'say \"hi\"'", "x = 'say \"hi\"'"),
        ("@busy==true", "(likeness(@busy, 1) == 0)"),
        (
            "e := a>3 ? 10 : 20",
            "e = (if (a > 3.0) { 10 } else { 20 })",
        ),
        ("7 / 2 == 3.5", "(likeness((7.0 * 1.0 / 2.0), 3.5) == 0)"),
        ("d := 'x' + 'y'", "d = 'xy'"),
        (
            "a & 3 | ~b",
            "(bit_or(bit_and(a, 3.0), bit_xor(-1.0, b)) != 0.0)",
        ),
        ("a := 7; g := 'n' .. a", "a = 7; g = 'n7'"),
        (
            "a := 7; a := b; g := 'n' .. a",
            "a = 7; a = b; g = joined('n', a)",
        ),
        (
            "a := 'x'; a += b",
            "error: `a` is a text, and `b` is a number: `+=` joins only texts",
        ),
        (
            "a := 'x'; c := 'y'; a := c + a",
            "a = 'x'; c = 'y'; a = 'yx'",
        ),
        ("b == '3'", "(likeness(b, '3') == 0)"),
        ("'3' != 3", "(likeness('3', 3) != 0)"),
        ("'03' == 3", "(likeness('03', 3) == 0)"),
        ("true == 'true'", "(likeness(1, 'true') == 0)"),
        ("'a' == 3", "error: the text 'a' is not a number"),
        ("a < 'b'", "(text_order(a, 'b') < 0)"),
        ("f := -3", "f = -3.0"),
        (
            "a := ",
            "error: expected a value, found the end of the script",
        ),
        (
            "a := 1 b := 2 c == 1",
            "a = 1; b = 2; (likeness(c, 1) == 0)",
        ),
        (
            "a b, c",
            "error: expected an operator behind `a`, found `b`",
        ),
        ("a == 1)", "error: expected a value, found `)`"),
        (
            "a := b = c := 2",
            "c = 2; b = (if has(b) { c } else { b }); a = b",
        ),
        ("a += (b := 2.5)", "b = 2.5; a = a + b"),
        ("(a := 1); (b)", "a = 1; (number(b) != 0.0)"),
        (
            "1 + (a := 1)",
            "error: `a` is assigned inside an expression",
        ),
        (
            "a ? (b := 1) : 2",
            "error: `b` is assigned inside an expression",
        ),
        ("a == \"it's\"", "(a == 'it''s')"),
        ("a := \"it's\" .. ' it'", "a = 'it''s it'"),
        ("a := \"'\"", "a = ''''"),
        ("a == \"b", "error: a text is not closed"),
        ("'a", "error: a text is not closed"),
        (" ", "error: it is empty"),
        ("1;; 1;", "(1 != 0.0)"),
        ("; 1", "error: expected a value, found `;`"),
        ("1 and 1", "error: `and` is no operator: write `&&`"),
        ("not 1", "error: `not` is no operator: write `!`"),
        ("5. == 5", "error: `5.` is not a number, or is too large"),
        ("1a", "error: `1a` is not a number, or is too large"),
        (
            "99999999999999999999 > 1",
            "error: `99999999999999999999` is not a number, or is too large",
        ),
        ("@ a := 1", "error: a name is missing behind `@`"),
        (
            "'x' + 1",
            "error: `1` is a number and cannot be added to a text; `..` joins them",
        ),
        (
            "1 .. 2",
            "error: `..` joins texts, but `1` and `2` are numbers",
        ),
        (
            "a := 'x'; a += 1",
            "error: `a` is a text, and `1` is a number: `+=` joins only texts",
        ),
        (
            "a := 'x'; a + b",
            "error: `b` is a number and cannot be added to a text; `..` joins them",
        ),
        ("'1' ? 1 : 0", "((if true { 1 } else { 0 }) != 0.0)"),
        (
            "b := a == 1 ? a : 2",
            "b = (if (likeness(a, 1) == 0) { a } else { 2 })",
        ),
        (
            "b := a ? 1 : 2",
            "b = (if ((a != '' && joined(a, '') == a) || number(a) != 0.0) { 1 } else { 2 })",
        ),
        ("'' ? 1 : 2", "error: the text '' is not a number"),
        ("a := true; b := a + 2", "a = 1.0; b = (a + 2.0)"),
        ("a := 0.1; a == 0.3", "a = 0.1; (likeness(a, 0.3) == 0)"),
        (
            "a := 0xZZ",
            "error: `0xZZ` is not a number, or is too large",
        ),
        (
            "a := 1e999 + 1",
            "error: `1e999` is not a number, or is too large",
        ),
        ("a := (1 'b'", "error: expected `)`, found the text 'b'"),
    ] {
        let found = said(script);
        if found != ours {
            wrong.push(format!("{script}: {found}, not {ours}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let deep = "(".repeat(100_000);
    assert!(said(&deep).contains("nested deeper"));
    // Each of them holds the one before it.
    for operator in [" + 1", " && a", " | 2"] {
        let long = format!("a{}", operator.repeat(100_000));
        let message = "error: a statement has more than 1000 operators";
        assert_eq!(said(&long), message, "{operator}");
    }
}
