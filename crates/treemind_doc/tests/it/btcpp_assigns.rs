//! Conditions that assign, thresholds that always fail, and trees without a name.

use crate::btcpp::{played, plays, said};
use treemind_doc::Document;

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

#[test]
fn a_condition_that_only_assigns_is_a_mistake() {
    let text = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Main\"><Action ID=\"A\" _skipIf=\"n := 1\"/></BehaviorTree></root>";
    let document = Document::parse(text, "t.xml");
    let expected = "T0201 this script assigns, and is neither true nor false";
    assert_eq!(said(&document), [expected]);
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
