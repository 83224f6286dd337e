//! Enumerations of scripts, which programs in C++ register, and numbers that are compared with texts.

use super::btcpp::{plays, said, tree};
use treemind_doc::{Document, Format, convert, convert_btcpp};

/// A document with a tree, and with enumerations beside it.
fn with_enums(inside: &str) -> String {
    let enums =
        "<ScriptingEnum name=\"RED\" value=\"1\"/><ScriptingEnum name=\"GREEN\" value=\"2\"/>";
    tree(inside).replacen("</root>", &format!("{enums}</root>"), 1)
}

fn answers(text: &str) -> String {
    let document = Document::parse(text, "t.xml");
    assert_eq!(said(&document), Vec::<String>::new(), "{text}");
    super::btcpp::played(&document, "", 1, 0).remove(0)
}

#[test]
fn names_of_enumerations_are_their_numbers() {
    for (inside, expected) in [
        ("<ScriptCondition code=\"RED == 1\"/>", "1 SUCCESS"),
        (
            "<Sequence><Script code=\"c := RED\"/><ScriptCondition code=\"c == RED &amp;&amp; c != GREEN\"/></Sequence>",
            "1 SUCCESS",
        ),
        (
            "<Sequence><Script code=\"c := 2\"/><Act name=\"A\" _skipIf=\"c == GREEN\"/></Sequence>",
            "1 SUCCESS",
        ),
        (
            "<Sequence><Script code=\"c := GREEN\"/><Switch2 variable=\"{c}\" case_1=\"RED\" case_2=\"GREEN\"><Act name=\"R\"/><Act name=\"G\"/><Act name=\"D\"/></Switch2></Sequence>",
            "1 SUCCESS | tick G SUCCESS",
        ),
        (
            "<Sequence><SetBlackboard value=\"GREEN\" output_key=\"c\"/><Switch2 variable=\"{c}\" case_1=\"1\" case_2=\"2\"><Act name=\"R\"/><Act name=\"G\"/><Act name=\"D\"/></Switch2></Sequence>",
            "1 SUCCESS | tick G SUCCESS",
        ),
        (
            "<Sequence><SetBlackboard value=\"RED\" output_key=\"c\"/><Switch2 variable=\"{c}\" case_1=\"RED\" case_2=\"2\"><Act name=\"R\"/><Act name=\"G\"/><Act name=\"D\"/></Switch2></Sequence>",
            "1 SUCCESS | tick R SUCCESS",
        ),
    ] {
        assert_eq!(answers(&with_enums(inside)), expected, "{inside}");
    }
}

/// They come back from the native format, also those of a manifest, which the file does not need any more.
#[test]
fn enumerations_come_back() {
    let inside =
        "<Sequence><Script code=\"c := RED\"/><ScriptCondition code=\"c == RED\"/></Sequence>";
    let both = |ours: &str| {
        let back = convert(ours, "t.kdl", Format::Kdl, Format::BtCpp).expect("XML");
        assert_eq!(answers(&back.text), "1 SUCCESS");
        assert!(back.text.contains("code=\"c := RED\""), "{}", back.text);
        assert!(
            back.text
                .contains("<ScriptingEnum name=\"RED\" value=\"1\"/>"),
            "{}",
            back.text
        );
    };
    let ours = convert(&with_enums(inside), "t.xml", Format::BtCpp, Format::Kdl);
    both(&ours.expect("a document").text);
    let manifest = "<root BTCPP_format=\"4\"><ScriptingEnum name=\"RED\" value=\"1\"/></root>";
    let load = |path: &str| match path {
        "m.xml" => Ok(manifest.as_bytes().to_vec()),
        _ => Err("there is no such file"),
    };
    let ours = convert_btcpp(&tree(inside), "t.xml", Format::Kdl, Some("m.xml"), load);
    both(&ours.expect("a document").text);
}

/// A name that is spelled like one, and that gets no value, is told.
#[test]
fn names_that_nothing_gives_a_value() {
    let of = |inside: &str| said(&Document::parse(&tree(inside), "t.xml"));
    assert_eq!(
        of(
            "<Sequence><Script code=\"c := 1\"/><ScriptCondition code=\"c == RED || c == RED\"/></Sequence>"
        ),
        ["T0103 nothing gives `RED` a value"]
    );
    for inside in [
        "<Sequence><Script code=\"RED := 1\"/><ScriptCondition code=\"RED == 1\"/></Sequence>",
        "<Sequence><Act name=\"A\" port=\"{RED}\"/><ScriptCondition code=\"RED == 1\"/></Sequence>",
        "<Sequence><SetBlackboard value=\"1\" output_key=\"RED\"/><ScriptCondition code=\"RED == 1\"/></Sequence>",
        "<ScriptCondition code=\"red == 1\"/>",
    ] {
        assert_eq!(of(inside), Vec::<String>::new(), "{inside}");
    }
    for (said_so, expected) in [
        (
            "name=\"RED\"",
            "T0205 `ScriptingEnum` needs its attribute `value`",
        ),
        (
            "name=\"RED\" value=\"x\"",
            "T0202 expected a whole number for `value`, found `x`",
        ),
    ] {
        let text = tree("<Act name=\"A\"/>");
        let text = text.replace("</root>", &format!("<ScriptingEnum {said_so}/></root>"));
        assert_eq!(said(&Document::parse(&text, "t.xml")), [expected]);
    }
}

/// A number compared with a word is an exception there, whatever the number is.
#[test]
fn numbers_and_words() {
    for number in ["2", "2.5", "true"] {
        let inside = format!(
            "<Sequence><Script code=\"b := {number}\"/><ScriptCondition code=\"b == 'idle'\"/></Sequence>"
        );
        assert_eq!(
            said(&Document::parse(&tree(&inside), "t.xml")),
            ["T0501 this version cannot run the script of `code`: the text 'idle' is not a number"],
            "{number}"
        );
    }
    // Of a key that the program sets, nobody knows.
    let inside = "<ScriptCondition code=\"mode == 'idle'\"/>";
    assert_eq!(said(&Document::parse(&tree(inside), "t.xml")), [""; 0]);
    plays(
        "<Sequence><Script code=\"b := 'idle'\"/><ScriptCondition code=\"b == 'idle'\"/></Sequence>",
        "",
        &["1 SUCCESS"],
    );
}

/// A text that is compared with a number may be the name of one.
#[test]
fn texts_may_be_names_of_enumerations() {
    let given = "<SetBlackboard value=\"RED\" output_key=\"c\"/>";
    for (code, holds) in [
        ("c == RED", true),
        ("c == GREEN", false),
        ("c != GREEN", true),
        ("c &lt; GREEN", true),
        ("c &gt;= GREEN", false),
        ("c == 'RED'", true),
        ("c == 1", true),
        ("'RED' == RED", true),
        ("2 == 'RED'", false),
        ("'GREEN' &gt; RED", true),
    ] {
        let inside = format!("<Sequence>{given}<ScriptCondition code=\"{code}\"/></Sequence>");
        let expected = if holds { "1 SUCCESS" } else { "1 FAILURE" };
        assert_eq!(answers(&with_enums(&inside)), expected, "{code}");
    }
    for code in [
        "c := 1; c := 'GREEN'; d := c + 1",
        "c := 2; d := c == 'GREEN' ? 3 : 0",
    ] {
        let check = "<ScriptCondition code=\"d == 3\"/>";
        let inside = format!("<Sequence><Script code=\"{code}\"/>{check}</Sequence>");
        assert_eq!(answers(&with_enums(&inside)), "1 SUCCESS", "{code}");
    }
}
