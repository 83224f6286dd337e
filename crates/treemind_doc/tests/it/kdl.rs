//! Our reader against the `kdl` crate, the reference implementation of KDL 2.0: both must accept the same texts. To
//! compare how they understand values, the tests give the values to a leaf and look at its arguments.

use kdl::KdlDocument;
use treemind_doc::{Code, Document};

/// Whether our reader accepts the text as KDL, even if its content makes no sense to Treemind.
fn we_take(text: &str) -> bool {
    let document = Document::parse(text, "test.kdl");
    let of_kdl = [
        Code::NotText,
        Code::Syntax,
        Code::Unclosed,
        Code::TooDeep,
        Code::BareKeyword,
        Code::TypeAnnotation,
    ];
    !document
        .diagnostics()
        .iter()
        .any(|item| of_kdl.contains(&item.code()))
}

#[test]
fn both_take_the_same_texts() {
    for text in [
        "a",
        "a b",
        "a b=c",
        "a b = c",
        "a {}",
        "a { b; c; }",
        "a{b}",
        "a b{c}",
        "a;b",
        "a 1 2.5 -3 +4 1e9 1.5E-3",
        "a 0xff 0o17 0b11",
        "a 1_000",
        "a #true #false #null #inf #-inf #nan",
        "a \"b\"",
        "a \"b\\nc\\u{41}\"",
        "a #\"b\"c\"#",
        "a ##\"b\"#c\"##",
        "a \"\"\"\n  b\n  c\n  \"\"\"",
        "a #\"\"\"\n  b\\n\n  \"\"\"#",
        "a \"x \\\n   y\"",
        "// c",
        "a // c",
        "/* c */ a",
        "/* /* */ */ a",
        "a /* c */ b",
        "/- a",
        "/- a { b; }\nc",
        "a /- b c",
        "a /- b=c",
        "a /- { b; }",
        "a /- { b; } { c; }",
        "a \\\n b",
        "a \\ // c\n b",
        "a\r\nb\rc",
        "a\u{2028}b",
        "\u{feff}a",
        "\"a b\" c",
        "a \"b\"=c",
        "a \"\"",
        "a -",
        "a --b",
        "a +b",
        "a .b",
        "- 1",
        "a b-c b_c b.c b:c b<c",
        "a é ü",
        "a {\n}\n",
        "\n\n  a\n",
        "a \\\n",
        "a '",
        "a ,",
        "a <b>",
        "a \"\\s\"",
        "/-\na\nb",
        "a {\n  b /* c\n */ d\n}",
        "a \"é\"",
        "a \"\"\"\n\"\"\"",
        "a \"\"\"\n\n  x\n  \"\"\"",
    ] {
        assert!(
            KdlDocument::parse_v2(text).is_ok(),
            "the reference refuses {text:?}"
        );
        assert!(
            we_take(text),
            "{:?}",
            Document::parse(text, "test.kdl").diagnostics()
        );
    }
}

#[test]
fn both_refuse_the_same_texts() {
    for text in [
        "a {",
        "}",
        "a }",
        "a \"b",
        "a \"b\nc\"",
        "/* a",
        "a #\"b\"",
        "a #b",
        "a true",
        "a b=true",
        "a null",
        "true",
        "a =",
        "a b=",
        "=b",
        "{}",
        "a [",
        "a ]",
        "a \\ b",
        "a )",
        "a \"\\q\"",
        "a \"\\u{110000}\"",
        "a \"\\u{zz}\"",
        "a \"\"\"b\"\"\"",
        "a \"\"\"\n b\n  \"\"\"",
        "a 1.",
        "a 1a",
        "a .5",
        "a -.5",
        "a 0x",
        "a 0xg",
        "a 1.e5",
        "a 1e",
        "a {} b",
        "a {} {}",
        "a\"b\"",
        "a \"b\"c",
        "\u{202e}",
        "a / b",
        "1",
        "a 5=6",
        "a #true=1",
    ] {
        assert!(
            KdlDocument::parse_v2(text).is_err(),
            "the reference takes {text:?}"
        );
        assert!(!we_take(text), "we take {text:?}");
    }
}

#[test]
fn strings_mean_the_same() {
    for string in [
        "bare",
        "\"quoted text\"",
        "\"a\\tb\\\"c\\\\d\\u{1F3F0}\\s|\"",
        "#\"raw \\n \"quotes\"\"#",
        "\"joined \\   \n   lines\"",
        "\"\"\"\n    two\n      lines\n    \"\"\"",
        "#\"\"\"\n  raw \\t\n\n  \"\"#\n  \"\"\"#",
        "\"\"\"\n\ttab\n\n\tend\\n\n\t\"\"\"",
        "\"\"\"\n  a\\\n     b\n  \"\"\"",
    ] {
        let text = format!("tree t doc={string} {{ succeed; }}");
        let reference = KdlDocument::parse_v2(&text).expect("good KDL");
        let expected = reference.nodes()[0]
            .get("doc")
            .and_then(|value| value.as_string())
            .map(str::to_owned);
        let document = Document::parse(&text, "test.kdl");
        assert_eq!(
            document.trees()[0].doc().map(str::to_owned),
            expected,
            "{text}"
        );
    }
}

#[test]
fn numbers_mean_the_same() {
    for number in [
        "0", "-7", "+7", "1_000", "0xFF", "-0x1f", "0o17", "0b1_01", "1.5", "-1.5e3", "1E-3",
        "1_0.0_1",
    ] {
        let text = format!(
            "blackboard {{ key k type=double default={number}; }}\ntree t {{ check \"k > 0\"; }}"
        );
        let reference = KdlDocument::parse_v2(&text).expect("good KDL");
        let key = &reference.nodes()[0].children().expect("a block").nodes()[0];
        let value = key.get("default").expect("a default");
        let expected = value
            .as_float()
            .or(value.as_integer().map(|int| int as f64));
        let tree = Document::parse(&text, "test.kdl")
            .behaviour(None)
            .expect("good");
        assert_eq!(
            tree.keys()[0].default,
            treemind_core::Value::Double(expected.expect("a number")),
            "{number}"
        );
    }
}

/// Random short texts, the same every time. They leave out where the readers differ on purpose: ours accepts a `;`
/// without a node, and reads `/-` a little differently (without a space before it, for example).
#[test]
fn both_agree_on_random_texts() {
    let words = [
        "a",
        "b",
        " ",
        " ",
        "\n",
        "{",
        "}",
        "=",
        "\"x\"",
        "\"",
        "#",
        "#\"r\"#",
        "/*",
        "*/",
        "//",
        "\\",
        "1",
        "1.5",
        "-",
        ".",
        "#true",
        "\\\n",
        "\"\"\"\n x\n \"\"\"",
        "\\u{41}",
        "é",
        "0x1f",
        "_",
        "+",
        "true",
        ";\nc",
    ];
    let mut state = 7u64;
    let mut draw = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..super::cases(80_000) {
        let length = 1 + draw(8);
        let text: String = (0..length).map(|_| words[draw(words.len())]).collect();
        let stray = text
            .split(['\n', '{', '}'])
            .any(|line| line.trim_start().starts_with(';'));
        if !stray && !text.contains("/-") {
            assert_eq!(
                KdlDocument::parse_v2(&text).is_ok(),
                we_take(&text),
                "{text:?}"
            );
        }
    }
}
