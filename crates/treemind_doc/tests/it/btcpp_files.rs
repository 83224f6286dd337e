//! Files of BehaviorTree.CPP as they are found on robots: without a version, with paths of other machines, with schemas.

use crate::btcpp::{plays, said};
use treemind_doc::{Document, Format};

/// A file in the native format.
fn kdl_of(text: &str) -> String {
    let converted = treemind_doc::convert(text, "t.xml", Format::BtCpp, Format::Kdl);
    converted
        .unwrap_or_else(|said| panic!("{}", said.to_plain()))
        .text
}

#[test]
fn files_without_a_version_are_read_as_what_they_look_like() {
    let calls = |given: &str, inner: &str| {
        format!(
            "<root><BehaviorTree ID=\"Main\"><Sequence><SetBlackboard output_key=\"goal\" value=\"far\"/><SubTree ID=\"Go\" target=\"{given}\"/></Sequence></BehaviorTree><BehaviorTree ID=\"Go\">{inner}</BehaviorTree></root>"
        )
    };
    let is_far =
        |given: &str, inner: &str| kdl_of(&calls(given, inner)).contains("target=\"{goal}\"");
    let check = "<BlackboardCheckString value_A=\"{target}\" value_B=\"far\"><AlwaysSuccess/></BlackboardCheckString>";
    // Version 3 names the key without braces.
    assert!(is_far("goal", check));
    // What only version 4 has speaks against it, and so does a value that is no name.
    assert!(!is_far(
        "goal",
        "<ScriptCondition code=\"target == 'goal'\"/>"
    ));
    assert!(!is_far("5.0", check));
    assert!(!is_far("goal", "<Act/>"));
    let dollar = "<root><BehaviorTree ID=\"Main\"><Follow path=\"${path}\"/></BehaviorTree></root>";
    let kdl = kdl_of(dollar);
    assert!(kdl.contains("path=\"{path}\""), "{kdl}");
    let four = dollar.replace("<root>", "<root BTCPP_format=\"4\">");
    let kdl = kdl_of(&four);
    assert!(kdl.contains("path=\"${path}\""), "{kdl}");
}

#[test]
fn includes_that_are_not_here_matter_only_if_trees_are_missing() {
    let file = |call: &str| {
        format!(
            "<root BTCPP_format=\"4\"><include path=\"install/share/a.xml\"/><BehaviorTree ID=\"Main\"><Sequence>{call}<Action ID=\"B\"/></Sequence></BehaviorTree></root>"
        )
    };
    let whole = Document::parse(&file(""), "t.xml");
    assert!(!whole.has_errors());
    let warned = whole.diagnostics().iter().next().expect("a warning");
    let said_of = "cannot include `install/share/a.xml`: this program reads no other files";
    assert_eq!(warned.message(), said_of);
    let help = "nothing is missing: all trees are found without it";
    assert_eq!(warned.help(), Some(help));
    let missing = Document::parse(&file("<SubTree ID=\"A\"/>"), "t.xml");
    let errors = said(&missing);
    assert!(
        errors.iter().any(|one| one.contains("unknown tree `A`")),
        "{errors:?}"
    );
    assert!(
        errors
            .iter()
            .any(|one| one.starts_with("T0120 cannot include")),
        "{errors:?}"
    );
    // A loader finds the tree in the folder.
    let load = |path: &str| match path {
        "*.xml" => Ok(b"a.xml\nt.xml".to_vec()),
        "a.xml" => Ok(b"<root><BehaviorTree ID=\"A\"><Act/></BehaviorTree></root>".to_vec()),
        _ => Err("there is no such file"),
    };
    let found = Document::read_with(file("<SubTree ID=\"A\"/>").as_bytes(), "t.xml", load);
    assert!(!found.has_errors(), "{:?}", said(&found));
}

#[test]
fn a_missing_tree_may_be_one_of_another_file() {
    let file = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Main\"><SubTree ID=\"GoHom\"/></BehaviorTree></root>";
    let load = |path: &str| {
        match path {
        "*.xml" => Ok(b"a.xml\nt.xml".to_vec()),
        "a.xml" => Ok(b"<root BTCPP_format=\"4\"><BehaviorTree ID=\"GoHome\"><AlwaysSuccess/></BehaviorTree></root>".to_vec()),
        _ => Err("there is no such file"),
    }
    };
    let helps = |text: &str| -> Vec<String> {
        let found = Document::read_with(text.as_bytes(), "t.xml", load);
        let errors = found.diagnostics().iter();
        errors
            .filter_map(|one| one.help().map(str::to_owned))
            .collect()
    };
    assert_eq!(helps(file), ["did you mean `GoHome`?"]);
    assert_eq!(
        helps(&file.replace("GoHom", "Elsewhere")),
        ["the trees are `Main` and `GoHome`"]
    );
}

#[test]
fn a_second_root_and_a_type_of_the_document() {
    let tree = |code: &str| {
        format!(
            "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Main\"><ScriptCondition code=\"{code}\"/></BehaviorTree></root>"
        )
    };
    let two = format!("{}\n <!-- b -->\n  {}", tree("1"), tree("1"));
    let document = Document::parse(&two, "t.xml");
    assert!(!document.has_errors(), "{:?}", said(&document));
    let ignored = &document.diagnostics()[0];
    assert!(
        ignored
            .message()
            .starts_with("what stands behind the first element is ignored")
    );
    assert_eq!(ignored.line_column(), (3, 3));
    // The comment before it comes back, and so does the tree, once.
    let kdl = treemind_doc::convert(&two, "t.xml", Format::BtCpp, Format::Kdl).expect("kdl");
    let back = treemind_doc::convert(&kdl.text, "t.kdl", Format::Kdl, Format::BtCpp).expect("xml");
    assert!(back.text.contains("</root>\n<!-- b -->"), "{}", back.text);
    assert_eq!(back.text.matches("<BehaviorTree").count(), 1);
    // BehaviorTree.CPP does not read what is no XML.
    let broken = Document::parse(&format!("{} <root>", tree("1")), "t.xml");
    assert_eq!(said(&broken), ["T0008 a second element around everything"]);
    // Line breaks stay, as without a type.
    let typed = format!(
        "<!DOCTYPE root [<!ELEMENT root ANY>]>\n{}",
        tree("'a\nb' == 'a&#10;b' && 1 < 2")
    );
    let document = Document::parse(&typed, "t.xml");
    assert_eq!(crate::btcpp::played(&document, "", 1, 0), ["1 SUCCESS"]);
}

#[test]
fn a_switch_over_a_literal() {
    let switch = |variable: &str| {
        format!(
            "<Switch2 variable=\"{variable}\" case_1=\"1\" case_2=\"x\"><Act name=\"A\"/><Act name=\"B\"/><Act name=\"C\"/></Switch2>"
        )
    };
    plays(&switch("x"), "", &["1 SUCCESS | tick B SUCCESS"]);
    plays(&switch("1.0"), "", &["1 SUCCESS | tick A SUCCESS"]);
    plays(&switch("y"), "", &["1 SUCCESS | tick C SUCCESS"]);
}

#[test]
fn the_root_may_name_a_schema() {
    let file = |inside: &str| {
        format!(
            "<root BTCPP_format=\"4\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:noNamespaceSchemaLocation=\"bt.xsd\"><BehaviorTree ID=\"Main\">{inside}</BehaviorTree></root>"
        )
    };
    assert_eq!(
        said(&Document::parse(&file("<Action ID=\"A\"/>"), "t.xml")),
        Vec::<String>::new()
    );
    for inside in [
        "<xsi:Action ID=\"A\"/>",
        "<Action ID=\"A\" xsi:name=\"n\"/>",
    ] {
        let document = Document::parse(&file(inside), "t.xml");
        assert_eq!(
            said(&document),
            ["T0008 names with a prefix of XML are not read"]
        );
    }
}

#[test]
fn what_py_trees_reads() {
    // Like its demos: includes by `src`, composites without memory, policies.
    let main = "<root main_tree_to_execute=\"Main\"><Include src=\"library.xml\"/><BehaviorTree ID=\"Main\"><Sequence memory=\"True\"><SubTree ID=\"Library\" name=\"L\" out=\"{final}\"/><Act name=\"A\" input=\"{final}\"/><Selector memory=\"false\"><Inverter><Act name=\"B\"/></Inverter><FailureIsSuccess><Act name=\"C\"/></FailureIsSuccess></Selector><Parallel policy=\"success_on_one\"><Act name=\"D\"/><Act name=\"E\"/></Parallel><Parallel policy=\"success_on_all\"><Act name=\"F\"/><Act name=\"G\"/></Parallel></Sequence></BehaviorTree></root>";
    let library = "<root><BehaviorTree ID=\"Library\"><Sequence name=\"S\"><Act name=\"P\" output=\"{out}\"/></Sequence></BehaviorTree></root>";
    let load = |path: &str| match path {
        "library.xml" => Ok(library.as_bytes().to_vec()),
        _ => Err("there is no such file"),
    };
    let document = Document::read_with(main.as_bytes(), "main.xml", load);
    assert!(!document.has_errors(), "{:?}", said(&document));
    let answers = "A: S\n B: F S\n C: R F\n D: R S\n E: R R\n F: S\n G: R S\n P: S";
    let lines = crate::btcpp::played(&document, answers, 4, 0);
    assert_eq!(
        lines,
        [
            "1 RUNNING | tick P SUCCESS; tick A SUCCESS; tick B FAILURE; tick D RUNNING; tick E RUNNING",
            "2 RUNNING | tick D SUCCESS; tick E RUNNING; halt E; tick F SUCCESS; tick G RUNNING",
            "3 SUCCESS | tick G SUCCESS",
            "4 RUNNING | tick P SUCCESS; tick A SUCCESS; tick B SUCCESS; tick C RUNNING",
        ]
    );
    // A file that declares the names has its own nodes of them.
    let own = "<root><TreeNodesModel><Control ID=\"Selector\"/></TreeNodesModel><BehaviorTree ID=\"M\"><Selector><Act/><Act/></Selector></BehaviorTree></root>";
    assert!(kdl_of(own).contains("node Selector"), "{}", kdl_of(own));
    let wrong = "<root><BehaviorTree ID=\"M\"><Parallel policy=\"success_on_selected\"><Act/></Parallel></BehaviorTree></root>";
    let document = Document::parse(wrong, "t.xml");
    assert!(
        said(&document)[0].contains("expected `success_on_all`"),
        "{:?}",
        said(&document)
    );
}

#[test]
fn nodes_beside_the_trees_are_ignored() {
    // BehaviorTree.CPP looks only at trees, models and includes.
    let file = |trees: &str| {
        format!(
            "<root BTCPP_format=\"4\"><SetBlackboard><entry key=\"x\" value=\"1.0\"/></SetBlackboard>{trees}</root>"
        )
    };
    let beside = Document::parse(
        &file("<BehaviorTree ID=\"M\"><AlwaysSuccess/></BehaviorTree>"),
        "t.xml",
    );
    assert!(!beside.has_errors(), "{:?}", said(&beside));
    let message = beside.diagnostics()[0].message().to_owned();
    assert_eq!(message, "`<SetBlackboard>` is not read in `<root>`");
    assert!(Document::parse(&file(""), "t.xml").has_errors());
}

#[test]
fn trees_are_found_in_the_folders_below() {
    let main = |inside: &str| {
        format!(
            "<root main_tree_to_execute=\"Main\"><BehaviorTree ID=\"Main\"><Sequence>{inside}</Sequence></BehaviorTree></root>"
        )
    };
    let tree = |name: &str, inside: &str| {
        format!("<root><BehaviorTree ID=\"{name}\">{inside}</BehaviorTree></root>").into_bytes()
    };
    let load = |path: &str| match path {
        "bt/*.xml" => Ok(b"a.xml".to_vec()),
        "bt/**/*.xml" => Ok(b"more/b.xml\nmore/c.xml\nother/b.xml".to_vec()),
        "bt/a.xml" => Ok(tree("A", "<SubTree ID=\"B\"/>")),
        "bt/more/b.xml" => Ok(tree("B", "<AlwaysSuccess/>")),
        "bt/more/c.xml" => Ok(tree("Grasp", "<AlwaysFailure/>")),
        "bt/other/b.xml" => Ok(tree("B", "<AlwaysFailure/>")),
        _ => Err("there is no such file"),
    };
    let read = |inside: &str| Document::read_with(main(inside).as_bytes(), "bt/t.xml", load);
    let document = read("<SubTree ID=\"A\"/><SubTree ID=\"B\"/><Action ID=\"Look\"/>");
    assert!(!document.has_errors(), "{:?}", said(&document));
    let warnings: Vec<&str> = document
        .diagnostics()
        .iter()
        .map(|one| one.message())
        .collect();
    assert_eq!(
        warnings,
        [
            "the tree `B` is read from `more/b.xml`, but other files of this folder have another one, too: `other/b.xml`"
        ]
    );
    let help = document.diagnostics()[0].help();
    assert_eq!(help, Some("choose one: `<include path=\"other/b.xml\"/>`"));
    assert_eq!(
        crate::btcpp::played(&document, "", 1, 0),
        ["1 SUCCESS | tick Look SUCCESS"]
    );
    // An element that may be a node is only looked for in the folder itself.
    let document = read("<Grasp/>");
    assert_eq!(
        crate::btcpp::played(&document, "", 1, 0),
        ["1 SUCCESS | tick Grasp SUCCESS"]
    );
}

#[test]
fn an_element_with_the_name_of_a_tree_elsewhere_is_told() {
    let file = |call: &str| {
        format!("<root><BehaviorTree ID=\"Main\"><Sequence>{call}</Sequence></BehaviorTree></root>")
    };
    let load = |path: &str| match path {
        "*.xml" => Ok(b"a.xml".to_vec()),
        "a.xml" => {
            Ok(b"<root><BehaviorTree ID=\"Grasp\"><AlwaysFailure/></BehaviorTree></root>".to_vec())
        }
        _ => Err("there is no such file"),
    };
    let messages = |text: &str| -> Vec<String> {
        let document = Document::read_with(text.as_bytes(), "t.xml", load);
        assert!(!document.has_errors(), "{:?}", said(&document));
        let all = document.diagnostics().iter();
        all.map(|one| one.message().to_owned()).collect()
    };
    let told = "`Grasp` is read as a call of the tree in `a.xml`, which is not included";
    assert_eq!(messages(&file("<Grasp/>")), [told]);
    // Where it is called in other words, too, or the file is included, there is no doubt.
    assert!(messages(&file("<Grasp/><SubTree ID=\"Grasp\"/>")).is_empty());
    let included = file("<Grasp/>").replace("<root>", "<root><include path=\"a.xml\"/>");
    assert!(messages(&included).is_empty());
}

#[test]
fn keys_of_version_3_come_back_as_they_are_spelled() {
    let three = "<root main_tree_to_execute=\"M\"><BehaviorTree ID=\"M\"><Sequence><SetBlackboard output_key=\"/a/b\" value=\"1\"/><Action ID=\"Go\" to=\"${/a/b}\" x=\"{my-key}\" y=\"{plain}\"/><SubTree ID=\"S\" p=\"/a/b\"/></Sequence></BehaviorTree><BehaviorTree ID=\"S\"><Action ID=\"Go\" to=\"{p}\" x=\"1\"/></BehaviorTree></root>";
    let kdl = kdl_of(three);
    let back = treemind_doc::convert(&kdl, "t.kdl", Format::Kdl, Format::BtCpp).expect("xml");
    for line in [
        "<SetBlackboard output_key=\"/a/b\" value=\"1\"/>",
        "<Action ID=\"Go\" to=\"{/a/b}\" x=\"{my-key}\" y=\"{plain}\"/>",
        "<SubTree ID=\"S\" p=\"{/a/b}\"/>",
    ] {
        assert!(back.text.contains(line), "{line}\n{}", back.text);
    }
}
