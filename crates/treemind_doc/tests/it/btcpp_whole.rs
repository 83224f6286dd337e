//! Scripts with texts, ports from the blackboard, nodes of older releases, and declarations that do no harm.

use crate::btcpp::{played, plays, said, tree};
use treemind_doc::{Document, Format};

/// The keys after some ticks, as `Echo` would show them: each as a text that scripts join.
fn joins(code: &str, expected: &str) {
    let inside = format!(
        "<Sequence><Script code=\"{code}\"/><ScriptCondition code=\"out == '{expected}'\"/><Act name=\"A\"/></Sequence>"
    );
    plays(&inside, "", &["1 SUCCESS | tick A SUCCESS"]);
}

#[test]
fn scripts_join_texts() {
    joins("a := 'x'; a += 'y'; out := a", "xy");
    joins("a := 'x'; b := a; out := b + '!' + b", "x!x");
    joins("a := 7; b := a; out := 'n' .. b", "n7");
    joins("a := 7; c := a + 1; out := 'n' .. c", "n8.000000");
    joins("a := 7 / 2; out := a .. 'v'", "3.500000v");
    joins("a := -3; out := 'n' .. a", "n-3.000000");
    joins("a := 'x'; out := a .. true", "x1");
    joins(
        "x := 1; a := x &gt; 0 ? 'up' : 'down'; out := a + 's'",
        "ups",
    );
}

/// A text that a tree is given, or that a node sets, is one, too.
#[test]
fn texts_of_calls_and_nodes_are_joined() {
    let text = "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\">\
        <BehaviorTree ID=\"Main\"><Sequence><SetBlackboard output_key=\"who\" value=\"Ann\"/>\
        <SubTree ID=\"Say\" what=\"Hello \" who=\"{who}\" said=\"{said}\"/>\
        <ScriptCondition code=\"said == 'Hello Ann'\"/></Sequence></BehaviorTree>\
        <BehaviorTree ID=\"Say\"><Script code=\"said := what + who\"/></BehaviorTree></root>";
    let document = Document::parse(text, "t.xml");
    assert_eq!(said(&document), Vec::<String>::new());
    assert_eq!(played(&document, "", 1, 0), ["1 SUCCESS"]);
}

#[test]
fn scripts_put_texts_in_order() {
    let is_so = |code: &str| {
        let code = code.replace('<', "&lt;");
        let inside = format!("<ScriptCondition code=\"a := 'b'; n := 3; m := n; {code}\"/>");
        let document = Document::parse(&tree(&inside), "t.xml");
        let lines = played(&document, "", 1, 0);
        lines == ["1 SUCCESS"]
    };
    for code in [
        "a < 'c'",
        "a > 'a'",
        "a <= 'b'",
        "'a' < a < 'c'",
        "a > 'B'",
        "m == '3'",
        "'3' == 3",
        "'10' > 9",
    ] {
        assert!(is_so(code), "{code}");
    }
    for code in ["a < 'b'", "a >= 'c'", "m != '3'", "m == '4'"] {
        assert!(!is_so(code), "{code}");
    }
}

/// Loops with texts end in a fault, not in ever more memory.
#[test]
fn a_text_that_grows_is_a_fault() {
    let inside = "<Sequence><Script code=\"a := 'xxxxxxxx'\"/><RetryUntilSuccessful num_attempts=\"-1\"><Sequence>\
        <Script code=\"a += a\"/><AlwaysFailure/></Sequence></RetryUntilSuccessful></Sequence>";
    let document = Document::parse(&tree(inside), "t.xml");
    let behaviour = document.behaviour(None).expect("a tree");
    let program = treemind_core::Program::new(behaviour);
    let mut population = treemind_core::Population::new(std::sync::Arc::new(program), 1);
    let mut host = treemind_core::host::Scripted::new(population.program().behaviour(), 1);
    for _ in 0..20 {
        population.tick(&mut host, std::time::Duration::from_millis(100));
    }
    assert!(!population.take_faults().kept().is_empty());
}

/// Texts that no expression of ours can write.
#[test]
fn texts_with_quotes() {
    for inside in [
        "<Act to=\"='q'\"/>",
        "<Act to=\"it's\"/>",
        "<Sequence><Act to=\"='q'\"/><Act to=\"{k}\"/></Sequence>",
    ] {
        let document = Document::parse(&tree(inside), "t.xml");
        assert_eq!(said(&document), Vec::<String>::new(), "{inside}");
        document.behaviour(None).expect("a tree");
    }
    let same = "<Sequence><SetBlackboard output_key=\"k\" value=\"it's\"/><Switch2 variable=\"{k}\" case_1=\"{j}\" case_2=\"it's\">\
        <Act name=\"A\"/><Act name=\"B\"/><Act name=\"C\"/></Switch2></Sequence>";
    plays(same, "", &["1 SUCCESS | tick B SUCCESS"]);
}

#[test]
fn a_declaration_of_the_type_does_no_harm() {
    let file = |declared: &str| format!("{declared}\n{}", tree("<Action ID=\"A\"/>"));
    for declared in [
        "<!DOCTYPE root>",
        "<?xml version=\"1.0\"?>\n<!DOCTYPE root SYSTEM \"bt > 4.dtd\">",
        "<!DOCTYPE root [ <!ELEMENT root ANY> <!ATTLIST root x CDATA \"1\"> ]>",
    ] {
        let document = Document::parse(&file(declared), "t.xml");
        assert_eq!(
            said(&document),
            ["T0008 the declaration of the document's type is not read"],
            "{declared}"
        );
        assert!(document.behaviour(None).is_ok(), "{declared}");
    }
    for declared in [
        "<!DOCTYPE root [ <!ENTITY a \"b\"> ]>",
        "<!DOCTYPE root [ %a; ]>",
        "<!DOCTYPE root",
        "<!ELEMENT a ANY>",
    ] {
        let document = Document::parse(&file(declared), "t.xml");
        assert!(document.has_errors(), "{declared}");
    }
}

/// What answers a condition that does not hold is said by a key.
#[test]
fn what_a_precondition_answers_stands_on_the_blackboard() {
    let plays_with = |answer: &str, expected: &[&str]| {
        let inside = format!(
            "<Sequence><Script code=\"x := 0; e := '{answer}'\"/><Fallback>\
            <Precondition if=\"x == 1\" else=\"{{e}}\"><Act name=\"A\"/></Precondition><Act name=\"B\"/></Fallback></Sequence>"
        );
        plays(&inside, "", expected);
    };
    plays_with("SUCCESS", &["1 SUCCESS"]);
    plays_with("FAILURE", &["1 SUCCESS | tick B SUCCESS"]);
    plays_with("SKIPPED", &["1 SUCCESS | tick B SUCCESS"]);
    plays_with("RUNNING", &["1 RUNNING", "2 RUNNING"]);
    plays_with("NONSENSE", &["1 SUCCESS | tick B SUCCESS"]);
    let check = "<Sequence><Script code=\"x := 0; e := 'SUCCESS'\"/><BlackboardCheckInt value_A=\"{x}\" value_B=\"1\" \
        return_on_mismatch=\"{e}\"><Act name=\"A\"/></BlackboardCheckInt><Act name=\"B\"/></Sequence>";
    plays(check, "", &["1 SUCCESS | tick B SUCCESS"]);
}

#[test]
fn whether_a_halt_is_caught_stands_on_the_blackboard() {
    let plays_with = |catches: &str, halted: &str| {
        let inside = format!(
            "<Sequence><Script code=\"c := {catches}\"/><ReactiveSequence><Cond name=\"G\"/>\
            <TryCatch catch_on_halt=\"{{c}}\" name=\"T\"><Act name=\"A\"/><Act name=\"B\"/><Act name=\"X\"/></TryCatch>\
            </ReactiveSequence></Sequence>"
        );
        plays(
            &inside,
            "A: R R F S\nB: S\nX: R S\nG: S F S",
            &[
                "1 RUNNING | tick G SUCCESS; tick A RUNNING",
                halted,
                "3 RUNNING | tick G SUCCESS; tick A RUNNING",
            ],
        );
    };
    plays_with(
        "true",
        "2 FAILURE | tick G FAILURE; halt A; tick X RUNNING; halt X",
    );
    plays_with(
        "'true'",
        "2 FAILURE | tick G FAILURE; halt A; tick X RUNNING; halt X",
    );
    plays_with("false", "2 FAILURE | tick G FAILURE; halt A");
    let fails = "<Sequence><Script code=\"c := false\"/><TryCatch catch_on_halt=\"{c}\"><Act name=\"A\"/><Act name=\"B\"/><Act name=\"X\"/></TryCatch></Sequence>";
    plays(
        fails,
        "A: S\nB: F S\nX: R S",
        &[
            "1 RUNNING | tick A SUCCESS; tick B FAILURE; tick X RUNNING",
            "2 FAILURE | tick X SUCCESS",
            "3 SUCCESS | tick A SUCCESS; tick B SUCCESS",
        ],
    );
    let skipped = "<Fallback><TryCatch catch_on_halt=\"{c}\"><Act name=\"A\"/><Act name=\"X\"/></TryCatch><Act name=\"B\"/></Fallback>";
    plays(
        skipped,
        "A: K",
        &["1 SUCCESS | tick A SKIPPED; tick B SUCCESS"],
    );
}

/// As in BehaviorTree.CPP, an action that runs and then asks to be skipped stays open below a `Switch2`.
#[test]
fn what_a_switch_leaves_open() {
    plays(
        "<Fallback><Switch2 variable=\"1\" case_1=\"1\" case_2=\"2\"><Act name=\"A\"/><Act name=\"B\"/><Act name=\"C\"/></Switch2><Act name=\"D\"/></Fallback>",
        "A: R K R S\nD: R R S",
        &[
            "1 RUNNING | tick A RUNNING",
            "2 RUNNING | tick A SKIPPED; tick D RUNNING",
            "3 RUNNING | tick D RUNNING",
            "4 SUCCESS | tick D SUCCESS; halt A",
            "5 RUNNING | tick A RUNNING",
            "6 SUCCESS | tick A SUCCESS",
        ],
    );
    plays(
        "<Sequence><Switch2 variable=\"{x}\" case_1=\"1\" case_2=\"2\"><Act name=\"A\"/><Act name=\"B\"/><Act name=\"C\"/></Switch2></Sequence>",
        "C: R K R S",
        &[
            "1 RUNNING | tick C RUNNING",
            "2 SKIPPED | tick C SKIPPED; halt C",
            "3 RUNNING | tick C RUNNING",
            "4 SUCCESS | tick C SUCCESS",
        ],
    );
}

/// Files that are older than a node of BehaviorTree.CPP, or bring another one of its name.
#[test]
fn nodes_of_a_files_own_with_names_of_today() {
    let file = |version: &str, inside: &str, model: &str| {
        format!(
            "<root{version}><BehaviorTree ID=\"Main\">{inside}</BehaviorTree><TreeNodesModel>{model}</TreeNodesModel></root>"
        )
    };
    let sleep = "<Sequence><Sleep sleep_time=\"5.0\"/><Action ID=\"A\"/></Sequence>";
    for version in ["", " BTCPP_format=\"3\"", " BTCPP_format=\"4\""] {
        let document = Document::parse(&file(version, sleep, ""), "t.xml");
        let expected = ["T0102 `Sleep` is read as a node of the host"];
        assert_eq!(said(&document)[..1], expected, "{version}");
        assert!(!document.has_errors(), "{version}");
    }
    let once = "<RunOnce period=\"2\"><Action ID=\"A\"/></RunOnce>";
    let three = Document::parse(&file(" BTCPP_format=\"3\"", once, ""), "t.xml");
    assert!(!three.has_errors(), "{:?}", said(&three));
    let timeout = "<Timeout seconds=\"2\"><Action ID=\"A\"/></Timeout>";
    let model = "<Decorator ID=\"Timeout\"><input_port name=\"seconds\"/></Decorator>";
    let declared = Document::parse(&file(" BTCPP_format=\"4\"", timeout, model), "t.xml");
    assert_eq!(said(&declared), Vec::<String>::new());
    // Misspelt attributes are mistakes.
    for inside in [
        timeout,
        "<Sleep mesc=\"100\"/>",
        "<Sleep/>",
        "<Repeat><Action ID=\"A\"/></Repeat>",
    ] {
        let document = Document::parse(&file(" BTCPP_format=\"4\"", inside, ""), "t.xml");
        assert!(document.has_errors(), "{inside}");
    }
}

#[test]
fn several_files_of_the_folder_have_the_tree() {
    let main = |more: &str| {
        format!(
            "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\">{more}<BehaviorTree ID=\"Main\"><Sequence><SubTree ID=\"Home\"/></Sequence></BehaviorTree></root>"
        )
    };
    let home = |leaf: &str| {
        format!(
            "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Home\"><Action ID=\"{leaf}\"/></BehaviorTree></root>"
        )
    };
    let load = |path: &str| match path {
        "*.xml" => Ok(b"a.xml\nb.xml\nc.xml\nmain.xml".to_vec()),
        "a.xml" => Ok(home("A").into_bytes()),
        "b.xml" => Ok(home("B").into_bytes()),
        "c.xml" => Ok(home("A").into_bytes()),
        _ => Err("there is no such file"),
    };
    let document = Document::read_with(main("").as_bytes(), "main.xml", load);
    assert_eq!(
        said(&document),
        [
            "T0110 the tree `Home` is read from `a.xml`, but other files of this folder have another one, too: `b.xml`"
        ]
    );
    let help = document
        .diagnostics()
        .iter()
        .next()
        .and_then(|one| one.help());
    assert_eq!(help, Some("choose one: `<include path=\"b.xml\"/>`"));
    assert_eq!(played(&document, "", 1, 0), ["1 SUCCESS | tick A SUCCESS"]);
    let chosen = main("<include path=\"b.xml\"/>");
    let document = Document::read_with(chosen.as_bytes(), "main.xml", load);
    assert_eq!(said(&document), Vec::<String>::new());
    assert_eq!(played(&document, "", 1, 0), ["1 SUCCESS | tick B SUCCESS"]);
}

/// A file of version 3 comes back as version 4, with its elements, orders, values and comments.
#[test]
fn files_of_version_three_come_back_as_version_four() {
    let three = "<root main_tree_to_execute=\"Main\">\n\
        <BehaviorTree ID=\"Main\">\n<SequenceStar name=\"all\">\n<!-- go -->\n\
        <Action to=\"1.50\" ID=\"Go\" speed=\"${fast}\"/>\n\
        <SubTree by=\"key\" ID=\"Other\"/>\n\
        <Parallel success_threshold=\"1\" name=\"p\"><Action ID=\"Go\" to=\"2\" speed=\"{fast}\" _uid=\"7\"/><Condition ID=\"Near\"/></Parallel>\n\
        </SequenceStar>\n</BehaviorTree>\n\
        <BehaviorTree ID=\"Other\"><Action from=\"{by}\" ID=\"Stay\"/></BehaviorTree>\n</root>";
    let convert = |text: &str, from, to| {
        let converted = treemind_doc::convert(text, "t.xml", from, to);
        converted
            .unwrap_or_else(|said| panic!("{}", said.to_plain()))
            .text
    };
    let kdl = convert(three, Format::BtCpp, Format::Kdl);
    let four = convert(&kdl, Format::Kdl, Format::BtCpp);
    for line in [
        "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\">",
        "<!-- go -->",
        "<Action to=\"1.50\" ID=\"Go\" speed=\"{fast}\"/>",
        "<SubTree by=\"{key}\" ID=\"Other\"/>",
        "<Parallel success_count=\"1\" name=\"p\">",
        "<Action ID=\"Go\" to=\"2\" speed=\"{fast}\" _uid=\"7\"/>",
        "<Action from=\"{by}\" ID=\"Stay\"/>",
    ] {
        let found = four.contains(line);
        let parallel = line.starts_with("<Parallel") && four.contains("success_count=\"1\"");
        assert!(found || parallel, "{line}\n{four}\n{kdl}");
    }
    let again = Document::parse(&four, "t.xml");
    assert!(!again.has_errors(), "{:?}", said(&again));
}

/// The first releases of version 3 say inside a `SubTree` what it is given.
#[test]
fn keys_that_are_remapped_inside_a_call() {
    let text = "<root main_tree_to_execute=\"Main\"><BehaviorTree ID=\"Main\"><Sequence>\
        <SetBlackboard output_key=\"to\" value=\"far\"/>\
        <SubTree ID=\"Go\"><remap internal=\"target\" external=\"to\"/></SubTree></Sequence></BehaviorTree>\
        <BehaviorTree ID=\"Go\"><BlackboardCheckString value_A=\"{target}\" value_B=\"far\"><Action ID=\"A\"/>\
        </BlackboardCheckString></BehaviorTree></root>";
    let document = Document::parse(text, "t.xml");
    assert_eq!(said(&document), Vec::<String>::new());
    assert_eq!(played(&document, "", 1, 0), ["1 SUCCESS | tick A SUCCESS"]);
}
