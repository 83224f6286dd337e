//! Files that BehaviorTree.CPP loads although they are odd: its library of XML is lenient.

use super::btcpp::{played, plays, said, tree};
use treemind_doc::{Document, Format, convert};

/// tinyxml2 reads `<` and `&` in a value as themselves.
#[test]
fn letters_of_xml_in_values() {
    let raw = "<Sequence><Script code=\"x := 2; y := x < 3 && x > 1\"/>\n<Act name=\"A\" _skipIf='!(y && x<3)' to=\"a & b\"/></Sequence>";
    let document = Document::parse(&tree(raw), "t.xml");
    assert!(!document.has_errors(), "{:?}", said(&document));
    let warning = &document.diagnostics()[0];
    assert_eq!(
        warning.message(),
        "this `<` and 6 more characters are read as themselves, as BehaviorTree.CPP does; for other readers this is not XML"
    );
    assert_eq!(&tree(raw)[warning.span()], "<");
    assert_eq!(played(&document, "", 1, 0), ["1 SUCCESS | tick A SUCCESS"]);
    // Places after them are those of the file.
    let wrong = tree("<Sequence><Script code=\"x := 1 < 2\"/><Script cde=\"1 < 2\"/></Sequence>");
    let document = Document::parse(&wrong, "t.xml");
    let errors: Vec<&str> = document
        .diagnostics()
        .iter()
        .map(|one| &wrong[one.span()])
        .collect();
    assert_eq!(errors, ["<", "<Script", "cde"]);
    // What is no XML in another way, too, is refused with the first reason.
    let broken = tree("<Sequence><Script code=\"x < 1\"/><A></Sequence>");
    let document = Document::parse(&broken, "t.xml");
    assert_eq!(
        said(&document),
        ["T0008 unexpected `<` in the value of an attribute"]
    );
    let kdl = convert(&tree(raw), "t.xml", Format::BtCpp, Format::Kdl)
        .expect("a document")
        .text;
    let back = convert(&kdl, "t.kdl", Format::Kdl, Format::BtCpp)
        .expect("XML")
        .text;
    assert!(back.contains("to=\"a &amp; b\""), "{back}");
}

#[test]
fn a_file_in_latin_1() {
    let file = |encoding: &str| {
        let text = format!(
            "<?xml version=\"1.0\" encoding=\"{encoding}\"?>\n{}",
            tree("<Act name=\"T\u{fc}r\"/>")
        );
        let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
        Document::read(&bytes, "t.xml")
    };
    let document = file("ISO-8859-1");
    assert_eq!(said(&document), Vec::<String>::new());
    assert_eq!(
        played(&document, "", 1, 0),
        ["1 SUCCESS | tick Tür SUCCESS"]
    );
    assert!(file("UTF-8").has_errors());
}

#[test]
fn odd_beginnings() {
    let beginning = "the beginning of this file is read, as BehaviorTree.CPP does; for other readers this is not XML";
    let nodes = tree("<Sequence><Act name=\"A\"/><Act nam=\"B\"/></Sequence>");
    for before in [
        "\n<?xml version=\"1.0\"?>\n",
        " \u{feff}<?xml version=\"1.0\"?>",
        "<?xml encoding=\"UTF-8\"?>\n",
        "<?xml version=\"1.0\"?>\n<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- here -->",
    ] {
        let text = format!("{before}{nodes}");
        let document = Document::parse(&text, "t.xml");
        assert_eq!(said(&document), [format!("T0008 {beginning}")], "{before}");
        assert!(text[document.diagnostics()[0].span()].starts_with("<?xml"));
        let lines = ["1 SUCCESS | tick A SUCCESS; tick Act SUCCESS"];
        assert_eq!(played(&document, "", 1, 0), lines, "{before}");
        let wrong = text.replace("<Act name", "<Script cde");
        let document = Document::parse(&wrong, "t.xml");
        let places: Vec<&str> = document
            .diagnostics()
            .iter()
            .map(|one| &wrong[one.span()])
            .collect();
        assert_eq!(places[1..], ["<Script", "cde"], "{before}");
    }
    // Without a declaration, blanks are nothing odd.
    let document = Document::parse(&format!("\n{nodes}"), "t.xml");
    assert_eq!(said(&document), Vec::<String>::new());
    let document = Document::parse(
        &format!("<!-- a --><?xml version=\"1.0\"?>{nodes}"),
        "t.xml",
    );
    assert!(document.has_errors(), "there, too");
    // No blank between two attributes.
    let text =
        tree("<Sequence><Script code=\"x := 1\"name=\"x\"/><Act name='A'to='b'/></Sequence>");
    let document = Document::parse(&text, "t.xml");
    assert_eq!(
        said(&document),
        [
            "T0008 a blank is missing before this attribute; BehaviorTree.CPP reads it, but for other readers this is not XML"
        ]
    );
    assert!(text[document.diagnostics()[0].span().start..].starts_with("name"));
    assert_eq!(played(&document, "", 1, 0), ["1 SUCCESS | tick A SUCCESS"]);
}

#[test]
fn models_without_nodes() {
    let model = Document::parse("<root BTCPP_format=\"4\"><TreeNodesModel/></root>", "t.xml");
    assert_eq!(
        said(&model),
        ["T0304 there is no tree in this document, only a model of nodes"]
    );
    assert!(!model.has_errors());
    let converted = convert(
        "<root BTCPP_format=\"4\"><TreeNodesModel/></root>",
        "t.xml",
        Format::BtCpp,
        Format::Kdl,
    );
    let problems = converted.expect_err("there is nothing to write").into_vec();
    let problem = problems.last().expect("a problem");
    assert_eq!(problem.message(), "there is nothing in this document");
    let text = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"A\"><AlwaysSuccess/></BehaviorTree><TreeNodesModel/></root>";
    assert_eq!(said(&Document::parse(text, "t.xml")), Vec::<String>::new());
}

/// What the test of a `Precondition` assigns is assigned whenever it is made.
#[test]
fn preconditions_that_assign() {
    let node = |otherwise: &str| {
        format!(
            "<Sequence><Script code=\"n := 0\"/><KeepRunningUntilFailure><Fallback><Precondition if=\"n := n + 1; n &gt; 2\"{otherwise}><Act name=\"A\"/></Precondition><AlwaysSuccess/></Fallback></KeepRunningUntilFailure></Sequence>"
        )
    };
    let answers = "A: R S S\n";
    for (otherwise, lines) in [
        (
            "",
            [
                "1 RUNNING",
                "2 RUNNING",
                "3 RUNNING | tick A RUNNING",
                "4 RUNNING | tick A SUCCESS",
            ],
        ),
        (
            " else=\"SKIPPED\"",
            [
                "1 RUNNING",
                "2 RUNNING",
                "3 RUNNING | tick A RUNNING",
                "4 RUNNING | tick A SUCCESS",
            ],
        ),
        (
            " else=\"SUCCESS\"",
            [
                "1 RUNNING",
                "2 RUNNING",
                "3 RUNNING | tick A RUNNING",
                "4 RUNNING | tick A SUCCESS",
            ],
        ),
        (
            " else=\"RUNNING\"",
            [
                "1 RUNNING",
                "2 RUNNING",
                "3 RUNNING | tick A RUNNING",
                "4 RUNNING | tick A SUCCESS",
            ],
        ),
    ] {
        plays(&node(otherwise), answers, &lines);
    }
    let alone =
        "<Precondition if=\"n := 3; n &lt; 2\" else=\"SKIPPED\"><Act name=\"A\"/></Precondition>";
    plays(alone, "", &["1 SKIPPED"]);
    let both =
        "<Precondition if=\"n := 3; n &gt; 2\" _skipIf=\"m == 1\"><Act name=\"A\"/></Precondition>";
    let set = format!("<Sequence><Script code=\"m := 0\"/>{both}</Sequence>");
    plays(&set, "", &["1 SUCCESS | tick A SUCCESS"]);
}

#[test]
fn which_tree_is_the_main_one() {
    let two = |root: &str| {
        let text = format!(
            "<root BTCPP_format=\"4\"{root}><BehaviorTree ID=\"A\"><Act name=\"a\"/></BehaviorTree><BehaviorTree ID=\"B\"><Act name=\"b\"/></BehaviorTree></root>"
        );
        Document::parse(&text, "t.xml")
    };
    // Without a word, a program says which one.
    for root in ["", " main_tree_to_execute=\"\""] {
        assert_eq!(said(&two(root)), Vec::<String>::new(), "{root}");
        assert!(two(root).behaviour(None).is_err());
        assert!(two(root).behaviour(Some("B")).is_ok());
    }
    let named = two(" main_tree_to_execute=\"B\"");
    assert_eq!(said(&named), Vec::<String>::new());
    assert_eq!(played(&named, "", 1, 0), ["1 SUCCESS | tick b SUCCESS"]);
    // BehaviorTree.CPP finds no tree, either.
    for name in ["C", " B "] {
        let document = two(&format!(" main_tree_to_execute=\"{name}\""));
        assert_eq!(said(&document), [format!("T0106 unknown tree `{name}`")]);
    }
}

/// tinyxml2 keeps line breaks and tabs in values, where XML makes blanks of them.
#[test]
fn line_breaks_in_values() {
    let nodes = "<Sequence><Script\ncode=\"x := 'one\r\n\ttwo';\n y := 1\"/>\n<ScriptCondition code=\"x == 'one&#10;&#9;two' &amp;&amp;\n y == 1\"/>\n<Act name=\"A\" text=\"a\r\n\tb\nc\" to=\"{\n}\"/></Sequence>";
    let xml = tree(nodes);
    let document = Document::parse(&xml, "t.xml");
    assert_eq!(said(&document), Vec::<String>::new());
    assert_eq!(played(&document, "", 1, 0), ["1 SUCCESS | tick A SUCCESS"]);
    let kdl = convert(&xml, "t.xml", Format::BtCpp, Format::Kdl)
        .expect("a document")
        .text;
    assert!(kdl.contains(r#"text="a\n\tb\nc""#), "{kdl}");
    let back = convert(&kdl, "t.kdl", Format::Kdl, Format::BtCpp)
        .expect("XML")
        .text;
    assert!(back.contains("text=\"a&#10;&#9;b&#10;c\""), "{back}");
    assert!(back.contains("code=\"x := 'one&#10;&#9;two';"), "{back}");
    assert_eq!(
        convert(&xml, "t.xml", Format::BtCpp, Format::BtCpp).map(|same| same.text),
        Ok(xml)
    );
    // Places after them are those of the file, also while it is converted.
    let wrong = tree("<Sequence><Act text=\"a\n\tb\n\n\"/>\n<Script cde=\"1\"/></Sequence>");
    let document = Document::parse(&wrong, "t.xml");
    let converted = convert(&wrong, "t.xml", Format::BtCpp, Format::Kdl);
    let converted = converted.expect_err("a mistake").into_vec();
    for problems in [document.diagnostics(), &converted] {
        let places: Vec<&str> = problems.iter().map(|one| &wrong[one.span()]).collect();
        assert_eq!(places, ["<Script", "cde"]);
    }
}
