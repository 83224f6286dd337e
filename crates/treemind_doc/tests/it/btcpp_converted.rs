//! Trees of BehaviorTree.CPP do the same after they were converted, or the conversion says what differs; and what they
//! consist of is not lost on the way.

use super::btcpp::{played, said, tree};
use treemind_doc::{Converted, Document, Format, convert};

fn kdl(text: &str) -> Converted {
    let converted = convert(text, "t.xml", Format::BtCpp, Format::Kdl);
    converted.unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
}

/// The XML that comes back from the native format.
fn back(text: &str) -> String {
    let ours = kdl(text).text;
    let back = convert(&ours, "t.kdl", Format::Kdl, Format::BtCpp);
    back.unwrap_or_else(|refusal| panic!("{ours}: {refusal}"))
        .text
}

/// The ticks of the XML, and those of what it is converted to.
fn both(text: &str, answers: &str) -> [Vec<String>; 2] {
    let ours = kdl(text).text;
    let documents = [
        Document::parse(text, "t.xml"),
        Document::parse(&ours, "t.kdl"),
    ];
    documents.map(|document| played(&document, answers, 5, 0))
}

/// A negative number counts skipped children as absent, also if it is not -1.
#[test]
fn parallels_with_negative_thresholds() {
    let mut different = 0;
    for success in -6..=3 {
        for failure in [-5, -2, -1, 0, 1, 2] {
            let text = tree(&format!(
                "<Parallel success_count=\"{success}\" failure_count=\"{failure}\"><Act name=\"A\"/><Act name=\"B\"/><Act name=\"C\"/></Parallel>"
            ));
            for answers in [
                "A: R S\nB: K\nC: R S",
                "A: K\nB: K\nC: K",
                "A: K S\nB: R\nC: F",
                "A: F\nB: K R S\nC: K",
                "A: R F\nB: F K\nC: S",
            ] {
                let [theirs, ours] = both(&text, answers);
                if theirs != ours {
                    different += 1;
                    let notes = kdl(&text).differences;
                    assert_eq!(notes.len(), 1, "{text}\n{answers}\n{theirs:#?}\n{ours:#?}");
                }
            }
        }
    }
    assert!(different < 20, "{different}");
    let text = "<Parallel success_count=\"-2\"><Act name=\"A\"/><Act name=\"B\"/><Act name=\"C\"/></Parallel>";
    let ours = kdl(&tree(text));
    assert!(
        ours.text.contains("parallel success=all-but-1"),
        "{}",
        ours.text
    );
    assert!(ours.differences.is_empty());
    assert_eq!(
        both(&tree(text), "A: R S\nB: K\nC: R S")[1][..2],
        [
            "1 RUNNING | tick A RUNNING; tick B SKIPPED; tick C RUNNING",
            "2 SUCCESS | tick A SUCCESS; tick B SKIPPED; halt C"
        ]
    );
}

/// With `failure_count="0"`, and a negative number of successes of which one is enough, a first child that is skipped is
/// enough, too.
#[test]
fn a_first_child_that_is_enough_when_it_is_skipped() {
    let text = tree(
        "<Parallel success_count=\"-3\" failure_count=\"0\"><Act name=\"A\"/><Act name=\"B\"/><Act name=\"C\"/></Parallel>",
    );
    for (answers, first) in [
        ("A: K", "1 SUCCESS | tick A SKIPPED"),
        ("A: S", "1 SUCCESS | tick A SUCCESS"),
        ("A: R", "1 FAILURE | tick A RUNNING; halt A"),
        ("A: F\nB: K", "1 SUCCESS | tick A FAILURE; tick B SKIPPED"),
        (
            "A: F\nB: R S\nC: F",
            "1 RUNNING | tick A FAILURE; tick B RUNNING; tick C FAILURE",
        ),
    ] {
        let [theirs, ours] = both(&text, answers);
        assert_eq!(theirs, ours, "{answers}");
        assert_eq!(ours[0], first);
    }
}

/// What stands above the root of a tree that is called is told where it makes a difference.
#[test]
fn the_root_of_a_tree_that_is_called_is_skipped() {
    let text = |root: &str, call: &str| {
        format!(
            "<root BTCPP_format=\"4\" main_tree_to_execute=\"M\"><BehaviorTree ID=\"M\"><KeepRunningUntilFailure><SubTree ID=\"T\"{call}/></KeepRunningUntilFailure></BehaviorTree><BehaviorTree ID=\"T\">{root}</BehaviorTree></root>"
        )
    };
    let action = text("<Act name=\"A\"/>", "");
    let [theirs, ours] = both(&action, "A: R K S");
    assert_eq!(theirs[1], "2 RUNNING | tick A SKIPPED");
    assert_eq!(ours[1], "2 RUNNING | tick A SKIPPED; halt A");
    let notes = kdl(&action).differences;
    assert_eq!(notes.len(), 1);
    assert!(notes[0].to_string().starts_with("the root of a tree"));
    // A list aborts it there, too.
    let list = text("<Sequence name=\"S\"><Act name=\"A\"/></Sequence>", "");
    let [theirs, ours] = both(&list, "A: R K S");
    assert_eq!(theirs, ours);
    assert!(kdl(&list).differences.is_empty());
    // Conditions of the call change nothing in that.
    let guarded = text("<Act name=\"A\" _skipIf=\"false\"/>", " _skipIf=\"false\"");
    let document = Document::parse(&guarded, "t.xml");
    assert_eq!(
        played(&document, "A: R K S", 2, 0)[1],
        "2 RUNNING | tick A SKIPPED"
    );
}

#[test]
fn attributes_that_are_nearly_those_with_scripts() {
    let inside = "<Sequence><Act _onFail=\"x := 1\" _onStart=\"x := 1\" _until=\"true\" _postcondition=\"x := 1\"/><Act _skipif=\"true\" _onsuccess=\"x := 1\" _warnIf=\"true\"/><Act _uid=\"3\" _collapsed=\"true\" _color=\"red\" _note=\"yes\"/></Sequence>";
    let text = tree(inside);
    let document = Document::parse(&text, "t.xml");
    let found: Vec<String> = document
        .diagnostics()
        .iter()
        .map(|one| {
            let help = one.help().unwrap_or_default();
            format!("{} {help}", one.message())
        })
        .collect();
    assert_eq!(
        found,
        [
            "unknown attribute `_onFail`, which is ignored did you mean `_onFailure`?",
            "unknown attribute `_onStart`, which is ignored no script runs when a node starts: write a `Script` before it in a `Sequence`",
            "unknown attribute `_until`, which is ignored did you mean `_while`?",
            "unknown attribute `_postcondition`, which is ignored did you mean `_post`?",
            "unknown attribute `_skipif`, which is ignored did you mean `_skipIf`?",
            "unknown attribute `_onsuccess`, which is ignored did you mean `_onSuccess`?",
            "unknown attribute `_warnIf`, which is ignored the attributes with scripts are `_failureIf`, `_successIf`, `_skipIf`, `_while`, `_onSuccess`, `_onFailure`, `_onHalted` and `_post`",
        ]
    );
    let packed = |text: &str| text.split_whitespace().collect::<String>();
    assert!(packed(&back(&text)).contains(&packed(inside)));
}

/// Without the `_`, they are ports, or nothing.
#[test]
fn attributes_without_their_sign() {
    let inside = "<Sequence skipIf=\"true\"><Act onSuccess=\"x := 1\" post=\"1\"/></Sequence>";
    let document = Document::parse(&tree(inside), "t.xml");
    let found = document.diagnostics().iter();
    let found = found.map(|one| format!("{} {}", one.message(), one.help().unwrap_or_default()));
    assert_eq!(
        found.collect::<Vec<_>>(),
        [
            "`Sequence` has no attribute `skipIf`, so it is ignored did you mean `_skipIf`?",
            "`onSuccess` is read as a port of `Act` did you mean `_onSuccess`?",
        ]
    );
}

#[test]
fn elements_that_come_back() {
    let packed = |text: &str| text.split_whitespace().collect::<String>();
    for inside in [
        "<Timeout msec=\"0\"><Act name=\"A\"/></Timeout>",
        "<Timeout name=\"T\" msec=\"0\" _skipIf=\"a == 1\" _onSuccess=\"b := 1\"><Sequence><Act name=\"A\"/></Sequence></Timeout>",
        "<Timeout msec=\"{t}\"><Act name=\"A\"/></Timeout>",
        "<Sequence><Script code=\"a := 'b'\"/><UnsetBlackboard key=\"{a}\"/><UnsetBlackboard key=\"a\"/><UnsetBlackboard key=\"@b\"/></Sequence>",
        "<Sequence><Act name=\"A\"><!-- in it --></Act><!-- behind it --></Sequence>",
        "<Sequence><!-- before --><Act name=\"A\"><!-- one --><!-- two --></Act><Act name=\"B\"/></Sequence>",
        "<Sequence><Script code=\"a := 1\"><!-- why --></Script><UnsetBlackboard key=\"{a}\"><!-- so --></UnsetBlackboard></Sequence>",
    ] {
        let back = back(&tree(inside));
        assert!(packed(&back).contains(&packed(inside)), "{inside}\n{back}");
    }
    for success in -4..=1 {
        for failure in -4..=1 {
            let inside = format!(
                "<Parallel success_count=\"{success}\" failure_count=\"{failure}\"><Act name=\"A\"/><Act name=\"B\"/></Parallel>"
            );
            let back = back(&tree(&inside));
            assert!(packed(&back).contains(&packed(&inside)), "{inside}\n{back}");
        }
    }
    // The conditions and the scripts of a timeout without a limit are not lost.
    let inside = "<Timeout msec=\"0\" _failureIf=\"true\"><Act name=\"A\"/></Timeout>";
    assert_eq!(
        both(&tree(inside), "").map(|ticks| ticks[0].clone()),
        ["1 FAILURE"; 2]
    );
    // Neither is one whose key holds a zero limited.
    let inside = "<Sequence><Script code=\"t := 0\"/><Timeout msec=\"{t}\"><Act name=\"A\"/></Timeout></Sequence>";
    for ticks in both(&tree(inside), "A: R R S") {
        assert_eq!(ticks[2], "3 SUCCESS | tick A SUCCESS");
    }
}

/// A key of numbers gets any value that is one.
#[test]
fn copies_to_keys_of_numbers() {
    let inside = |first: &str| {
        format!(
            "<Sequence><SetBlackboard value=\"{first}\" output_key=\"g\"/><SetBlackboard value=\"{{g}}\" output_key=\"k\"/><ScriptCondition code=\"k == 2\"/><SetBlackboard value=\"1.50\" output_key=\"k\"/></Sequence>"
        )
    };
    let text = tree(&inside("2"));
    assert_eq!(
        both(&text, "").map(|ticks| ticks[0].clone()),
        ["1 SUCCESS"; 2]
    );
    let packed = |text: &str| text.split_whitespace().collect::<String>();
    assert!(packed(&back(&text)).contains(&packed(&inside("2"))));
}

/// Doubts are kept in a file with more leaves than problems are listed, too, and also of what has children.
#[test]
fn many_doubts_stay() {
    let leaves: String = (0..700)
        .map(|nth| format!("<Leaf{nth} p=\"1\"/>"))
        .collect();
    let text = format!(
        "<root BTCPP_format=\"4\" main_tree_to_execute=\"M\"><BehaviorTree ID=\"M\"><Sequence>{leaves}<Known/><Near/><Within><Act name=\"A\"/></Within><SubTree ID=\"T\"/></Sequence></BehaviorTree><BehaviorTree ID=\"T\"><Sequence><Condition ID=\"Near\"/><Last/></Sequence></BehaviorTree><TreeNodesModel><Action ID=\"Known\"/></TreeNodesModel></root>"
    );
    let back = back(&text);
    let (_, model) = back.split_once("<TreeNodesModel>").expect("a model");
    assert!(model.contains("\"Known\""));
    for name in ["Leaf0", "Leaf699", "Within", "Last"] {
        assert!(!model.contains(&format!("\"{name}\"")), "{model}");
    }
    // One that is said to be a condition elsewhere is one.
    let near = |text: &str| {
        let found = said(&Document::parse(text, "t.xml"));
        found.iter().any(|one| one.contains("`Near`"))
    };
    assert!(!near(&text) && !near(&back));
    assert!(kdl(&text).text.contains("condition Near"));
}

/// `${key}` is a key in version 3, and a text in version 4.
#[test]
fn pointers_of_version_3() {
    let text = |root: &str, more: &str| {
        format!(
            "<root {root}><BehaviorTree ID=\"M\"><Sequence>{more}<Action ID=\"Go\" to=\"${{goal}}\"/></Sequence></BehaviorTree></root>"
        )
    };
    let is_text = "T0112 `${goal}` is a text in version 4, and a key in version 3";
    let is_key = "T0112 `${goal}` is read as a key, as in version 3";
    for (root, more, expected, key) in [
        ("BTCPP_format=\"3\"", "", None, true),
        ("BTCPP_format=\"4\"", "", Some(is_text), false),
        ("", "", Some(is_key), true),
        (
            "",
            "<SequenceStar><Act name=\"A\"/></SequenceStar>",
            None,
            true,
        ),
        ("", "<Script code=\"x := 1\"/>", Some(is_text), false),
        (
            "",
            "<Act name=\"A\" _skipIf=\"true\"/>",
            Some(is_text),
            false,
        ),
        ("", "<ScriptCondition code=\"true\"/>", Some(is_text), false),
    ] {
        let text = text(root, more);
        let document = Document::parse(&text, "t.xml");
        assert_eq!(
            said(&document).first().map(String::as_str),
            expected,
            "{text}"
        );
        let ours = kdl(&text).text;
        let written = match key {
            true => "to=\"{goal}\"",
            false => "to=\"${goal}\"",
        };
        assert!(ours.contains(written), "{ours}");
    }
}
