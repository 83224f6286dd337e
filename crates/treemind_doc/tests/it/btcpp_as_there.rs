//! What the library BehaviorTree.CPP does with odd files was tried with it; the same is done here.

use super::btcpp::{played, plays, said, tree};
use treemind_doc::{Document, Format, convert};

/// The document of a tree, and what is said of it.
fn read(inside: &str) -> (Document, Vec<String>) {
    let document = Document::parse(&tree(inside), "t.xml");
    let problems = said(&document);
    (document, problems)
}

/// A tree comes back from the native format as it was.
fn comes_back(inside: &str) {
    let kdl = convert(&tree(inside), "t.xml", Format::BtCpp, Format::Kdl);
    let kdl = kdl.expect("a document").text;
    let back = convert(&kdl, "t.kdl", Format::Kdl, Format::BtCpp);
    let back = back.expect("XML").text;
    let packed = |text: &str| text.split_whitespace().collect::<String>();
    assert!(packed(&back).contains(&packed(inside)), "{back}\n{kdl}");
}

#[test]
fn times_are_unsigned() {
    for inside in [
        "<Sleep msec=\"4294967295\"/>",
        "<Timeout msec=\"2147483648\"><Act name=\"A\"/></Timeout>",
        "<Delay delay_msec=\"3000000000\"><Act name=\"A\"/></Delay>",
    ] {
        assert_eq!(read(inside).1, Vec::<String>::new(), "{inside}");
        comes_back(inside);
    }
    for (inside, expected) in [
        (
            "<Sleep msec=\"4294967296\"/>",
            "T0202 `msec` must be at most 4294967295",
        ),
        ("<Sleep msec=\"-1\"/>", "T0202 `msec` must be at least 0"),
        (
            "<RetryUntilSuccessful num_attempts=\"3000000000\"><Act name=\"A\"/></RetryUntilSuccessful>",
            "T0202 `num_attempts` must be at most 2147483647",
        ),
        (
            "<Repeat num_cycles=\"99999999999999999999\"><Act name=\"A\"/></Repeat>",
            "T0202 `num_cycles` must be at most 2147483647",
        ),
        (
            "<Repeat num_cycles=\"-99999999999999999999\"><Act name=\"A\"/></Repeat>",
            "T0202 `num_cycles` must be at least -2147483648",
        ),
    ] {
        assert_eq!(read(inside).1, [expected], "{inside}");
    }
}

#[test]
fn statements_without_a_sign_between_them() {
    for code in [
        "x := 1 y := 2",
        "x := 1\n y := x + 1",
        "y := 2; (x := 1)",
        "z := y := 2; x = w = 1",
        "x := (y := 1); y += (x := 1)",
    ] {
        let inside = format!(
            "<Sequence><Script code=\"{code}\"/><ScriptCondition code=\"x == 1 &amp;&amp; y == 2\"/></Sequence>"
        );
        plays(&inside, "", &["1 SUCCESS"]);
    }
}

/// Nobody sees the value of a `Script`, and of what runs after a node.
#[test]
fn scripts_whose_value_is_a_text() {
    for inside in [
        "<Script code=\"'a'\"/>",
        "<Script code=\"n := 'b'; n .. 'a'\"/>",
        "<AlwaysSuccess _onSuccess=\"'x'\" _post=\"name .. 'x'\"/>",
    ] {
        plays(inside, "", &["1 SUCCESS"]);
    }
    assert_eq!(
        read("<AlwaysSuccess _skipIf=\"'x'\"/>").1,
        [
            "T0501 this version cannot run the script of `_skipIf`: the text 'x' is neither true nor false"
        ]
    );
}

#[test]
fn a_key_that_says_which_key_is_unset() {
    let inside = "<Sequence><Script code=\"k := 'a'\"/><UnsetBlackboard key=\"{k}\"/></Sequence>";
    assert_eq!(
        read(inside).1,
        ["T0112 the key `k` is unset; BehaviorTree.CPP unsets the key that it names"]
    );
    let plain = inside.replace("{k}", "k");
    assert_eq!(read(&plain).1, Vec::<String>::new());
}
