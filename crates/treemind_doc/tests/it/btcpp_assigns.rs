//! Conditions that assign, thresholds that always fail, and trees without a name.

use crate::btcpp::{played, plays, said, tree};
use treemind_doc::{Document, Format, convert};

/// A script of a condition runs whenever BehaviorTree.CPP evaluates it.
#[test]
fn conditions_assign() {
    plays(
        "<Sequence><Script code=\"n := 0\"/><Repeat num_cycles=\"3\"><Act name=\"A\" _skipIf=\"n += 1; n == 2\"/></Repeat></Sequence>",
        "",
        &["1 RUNNING | tick A SUCCESS", "2 SUCCESS"],
    );
    plays(
        "<Sequence><Script code=\"n := 0\"/><Act name=\"A\" _failureIf=\"n += 1; n == 2\"/><ScriptCondition code=\"n == 1\"/></Sequence>",
        "A: R R S",
        &[
            "1 RUNNING | tick A RUNNING",
            "2 RUNNING | tick A RUNNING",
            "3 SUCCESS | tick A SUCCESS",
        ],
    );
    plays(
        "<Sequence><Script code=\"n := 0\"/><Act name=\"A\" _while=\"n += 1; n &lt; 3\"/></Sequence>",
        "A: R",
        &[
            "1 RUNNING | tick A RUNNING",
            "2 RUNNING | tick A RUNNING",
            "3 SUCCESS | halt A",
        ],
    );
    plays(
        "<Sequence><Act name=\"A\" _successIf=\"n := 1; n == 1\" _onSuccess=\"m := n + 4\"/><ScriptCondition code=\"m == 5\"/></Sequence>",
        "",
        &["1 SUCCESS"],
    );
}

/// In the order of BehaviorTree.CPP: one that answers ends it, and the scripts after it do not run.
#[test]
fn several_conditions_assign() {
    let rest = "<ScriptCondition code=\"n == 0\"/>";
    for (conditions, answer) in [
        (
            "_failureIf=\"true\" _skipIf=\"n := 7; n == 7\"",
            "1 SUCCESS",
        ),
        (
            "_skipIf=\"n := 7; n == 7\" _failureIf=\"m := 1; m == 1\"",
            "1 SUCCESS",
        ),
        (
            "_while=\"n := 7; n == 7\" _successIf=\"m := 1; m == 1\"",
            "1 SUCCESS",
        ),
        (
            "_skipIf=\"n := 7; n == 7\" _failureIf=\"m := 1; m == 2\"",
            "1 FAILURE",
        ),
        (
            "_while=\"n := 7; n == 8\" _skipIf=\"m := 1; m == 2\"",
            "1 FAILURE",
        ),
    ] {
        plays(
            &format!(
                "<Sequence><Script code=\"n := 0; m := 0\"/><ForceSuccess><Act name=\"A\" {conditions}/></ForceSuccess>{rest}</Sequence>"
            ),
            "",
            &[answer],
        );
    }
}

/// A call of a tree has conditions that assign, too.
#[test]
fn conditions_of_calls_assign() {
    let text = "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\">\
        <BehaviorTree ID=\"Main\"><Sequence><Script code=\"n := 0\"/><SubTree ID=\"Sub\" _skipIf=\"n += 1; n == 2\"/><SubTree ID=\"Sub\" _skipIf=\"n += 1; n == 2\"/></Sequence></BehaviorTree>\
        <BehaviorTree ID=\"Sub\"><Act name=\"A\"/></BehaviorTree></root>";
    let document = Document::parse(text, "t.xml");
    assert!(!document.has_errors(), "{:?}", said(&document));
    assert_eq!(played(&document, "", 1, 0), ["1 SUCCESS | tick A SUCCESS"]);
}

/// A node that is skipped in the middle of its run goes on, whatever its conditions assigned when it began.
#[test]
fn a_run_goes_on_after_it_was_skipped() {
    for node in [
        "<Act name=\"A\" _skipIf=\"n += 1; n == 2\"/>",
        "<Act name=\"A\" _failureIf=\"n += 1; n == 2\" _successIf=\"n += 1; n == 4\"/>",
        "<Act name=\"A\" _while=\"n += 1; n != 9\"/>",
        "<Act name=\"A\" _while=\"n += 1; n != 9\" _skipIf=\"n += 1; n == 7\"/>",
        "<Precondition if=\"n == 0\"><Act name=\"A\"/></Precondition>",
        "<Precondition if=\"n += 1; n == 1\"><Act name=\"A\"/></Precondition>",
        "<Precondition if=\"n == 0\" else=\"RUNNING\"><Act name=\"A\"/></Precondition>",
        "<Precondition if=\"n == 0\" else=\"{e}\"><Act name=\"A\"/></Precondition>",
        "<Precondition if=\"n += 1; n == 1\" else=\"{e}\"><Act name=\"A\"/></Precondition>",
    ] {
        let inside = format!(
            "<Sequence><Script code=\"n := 0; e := 'FAILURE'\"/><KeepRunningUntilFailure>{node}</KeepRunningUntilFailure></Sequence>"
        );
        plays(
            &inside,
            "A: R K R F",
            &[
                "1 RUNNING | tick A RUNNING",
                "2 RUNNING | tick A SKIPPED",
                "3 RUNNING | tick A RUNNING",
                "4 FAILURE | tick A FAILURE",
            ],
        );
    }
    let waits = "<Sequence><Script code=\"n := 0\"/><Fallback><Precondition if=\"n == 0\" else=\"RUNNING\"><Act name=\"A\"/></Precondition><Act name=\"B\"/></Fallback></Sequence>";
    plays(
        waits,
        "A: K",
        &["1 SUCCESS | tick A SKIPPED; tick B SUCCESS"],
    );
}

/// The value of an assignment is that of the key after it.
#[test]
fn a_condition_that_only_assigns() {
    let plays = |node: &str, answer: &str| {
        let inside = format!("<Sequence><Script code=\"n := 0; x := 2\"/>{node}</Sequence>");
        plays(&inside, "", &[answer]);
    };
    plays("<Act name=\"A\" _skipIf=\"m := 1\"/>", "1 SUCCESS");
    plays(
        "<Act name=\"A\" _failureIf=\"m := n\"/>",
        "1 SUCCESS | tick A SUCCESS",
    );
    plays("<Act name=\"A\" _failureIf=\"n += 1\"/>", "1 FAILURE");
    plays("<ScriptCondition code=\"n -= 0\"/>", "1 FAILURE");
    plays("<ScriptCondition code=\"m := x &gt; 1\"/>", "1 SUCCESS");
    plays(
        "<Precondition if=\"m := n\" else=\"SUCCESS\"><Act name=\"A\"/></Precondition>",
        "1 SUCCESS",
    );
    let text = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Main\"><Action ID=\"A\" _skipIf=\"n := 'a'\"/></BehaviorTree></root>";
    let document = Document::parse(text, "t.xml");
    let expected = "T0201 this script assigns a text, which is neither true nor false";
    assert_eq!(said(&document), [expected]);
}

/// It assigns whenever it is asked: until its child runs, and then no more.
#[test]
fn a_precondition_that_assigns_and_a_key_that_says_what_it_answers() {
    let tree = |answer: &str, test: &str| {
        format!(
            "<Sequence><Script code=\"n := 0; e := '{answer}'\"/><ForceSuccess><Precondition if=\"n += 1; {test}\" else=\"{{e}}\"><Act name=\"A\"/></Precondition></ForceSuccess><ScriptCondition code=\"n == 1\"/></Sequence>"
        )
    };
    for answer in ["SUCCESS", "FAILURE", "SKIPPED", "RUNNING"] {
        plays(
            &tree(answer, "n == 1"),
            "A: R S",
            &["1 RUNNING | tick A RUNNING", "2 SUCCESS | tick A SUCCESS"],
        );
    }
    for answer in ["SUCCESS", "FAILURE", "SKIPPED"] {
        plays(&tree(answer, "n == 2"), "", &["1 SUCCESS"]);
    }
    plays(
        &tree("RUNNING", "n == 2"),
        "A: R S",
        &[
            "1 RUNNING",
            "2 RUNNING | tick A RUNNING",
            "3 FAILURE | tick A SUCCESS",
        ],
    );
}

/// Failures of 0 are there at once, so it fails when all have ended, whatever they answer.
#[test]
fn no_failure_is_enough_for_parallel_all() {
    for most in ["0", "-3", "-9"] {
        let inside = format!(
            "<ParallelAll max_failures=\"{most}\"><Act name=\"A\"/><Act name=\"B\"/></ParallelAll>"
        );
        plays(
            &inside,
            "A: S\nB: R S",
            &[
                "1 RUNNING | tick A SUCCESS; tick B RUNNING",
                "2 FAILURE | tick B SUCCESS",
            ],
        );
        plays(
            &inside,
            "A: K\nB: K",
            &["1 SKIPPED | tick A SKIPPED; tick B SKIPPED"],
        );
    }
}

/// Version 3 numbers the trees that have no `ID`; version 4 refuses them.
#[test]
fn trees_without_a_name() {
    let file = |version: &str, called: &str| {
        format!(
            "<root{version} main_tree_to_execute=\"Main\"><BehaviorTree><Action ID=\"Act\" name=\"B\"/></BehaviorTree>\
             <BehaviorTree ID=\"Main\"><Sequence><Action ID=\"Act\" name=\"A\"/>{called}</Sequence></BehaviorTree>\
             <BehaviorTree><Action ID=\"Act\" name=\"C\"/></BehaviorTree></root>"
        )
    };
    let call = "<SubTree ID=\"BehaviorTree_1\"/>";
    for version in ["", " BTCPP_format=\"3\""] {
        let document = Document::parse(&file(version, call), "t.xml");
        assert_eq!(
            said(&document),
            [0, 1].map(|nth| format!(
                "T0203 this tree has no `ID`, so its name is `BehaviorTree_{nth}`"
            ))
        );
        assert_eq!(
            played(&document, "", 1, 0),
            ["1 SUCCESS | tick A SUCCESS; tick C SUCCESS"]
        );
    }
    let document = Document::parse(&file(" BTCPP_format=\"4\"", ""), "t.xml");
    assert!(said(&document).contains(&"T0203 `<BehaviorTree>` has no `ID`".to_owned()));
    assert!(document.has_errors());
}

/// Documents of ours have no threshold of 0, so a conversion says the same with other nodes.
#[test]
fn a_threshold_of_no_child_is_converted() {
    let names = ["A", "B", "C"];
    let mut compared = 0;
    for children in 1..=3_usize {
        let acts: String = (names[..children].iter())
            .map(|name| format!("<Act name=\"{name}\"/>"))
            .collect();
        let counts = (0..=children).flat_map(|success| [(success, 0), (success, 1)]);
        for (success, failure) in counts.filter(|counts| counts.0 * counts.1 == 0) {
            let inside = format!(
                "<Parallel success_count=\"{success}\" failure_count=\"{failure}\">{acts}</Parallel>"
            );
            let xml = tree(&inside);
            let kdl = convert(&xml, "t.xml", Format::BtCpp, Format::Kdl).expect("it has a form");
            assert!(
                kdl.differences
                    .iter()
                    .any(|one| one.to_string().contains("threshold of 0"))
            );
            let there = Document::parse(&xml, "t.xml");
            let here = Document::parse(&kdl.text, "t.kdl");
            assert!(!here.has_errors(), "{}\n{:?}", kdl.text, said(&here));
            for nth in 0..4_usize.pow(children as u32) {
                let last = if success == 0 { "K F" } else { "R F" };
                let answer = |child: u32| ["S", "F", "R S", last][nth / 4_usize.pow(child) % 4];
                let lines = (0..children)
                    .map(|child| format!("{}: {}", names[child], answer(child as u32)));
                let answers: Vec<String> = lines.collect();
                let answers = answers.join("\n");
                let never_asked = |document: &Document| {
                    let behaviour = document.behaviour(None).expect("a tree");
                    names[..children].iter().any(|name| {
                        !behaviour
                            .node_ids()
                            .any(|node| behaviour.label(node) == *name)
                    })
                };
                assert!(!never_asked(&here), "{}", kdl.text);
                let [there, here] = [&there, &here].map(|one| played(one, &answers, 3, 3));
                assert_eq!(there, here, "{inside} {answers}\n{}", kdl.text);
                compared += 1;
            }
        }
    }
    assert!(compared > 390, "{compared}");
}
