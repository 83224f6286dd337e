//! What files of real robots use: forms of early releases, numbers with something behind them, models of trees.

use super::btcpp::{played, plays, tree};
use treemind_doc::{Code, Document};

/// The codes of all diagnostics of a text.
fn codes(text: &str) -> Vec<Code> {
    let document = Document::parse(text, "t.xml");
    document
        .diagnostics()
        .iter()
        .map(|one| one.code())
        .collect()
}

/// A document of version 3 with this tree, and more behind it.
fn three(inside: &str, more: &str) -> String {
    format!(
        "<root main_tree_to_execute=\"Main\"><BehaviorTree ID=\"Main\">{inside}</BehaviorTree>{more}</root>"
    )
}

/// Plays a whole text, 0.1 s per tick.
fn plays_text(text: &str, answers: &str, expected: &[&str]) {
    let document = Document::parse(text, "t.xml");
    let ticks = u64::try_from(expected.len()).expect("a few ticks");
    assert_eq!(played(&document, answers, ticks, 0), expected, "{text}");
}

/// With `threshold`, as many failures end it as make the threshold impossible.
#[test]
fn a_parallel_with_one_threshold() {
    let answers = "A: F\nB: R F\nC: R R S\n";
    for name in ["Parallel", "ParallelNode"] {
        let inside = format!(
            "<{name} threshold=\"1\"><Action ID=\"A\"/><Action ID=\"B\"/><Action ID=\"C\"/></{name}>"
        );
        plays_text(
            &three(&inside, ""),
            answers,
            &[
                "1 RUNNING | tick A FAILURE; tick B RUNNING; tick C RUNNING",
                "2 RUNNING | tick B FAILURE; tick C RUNNING",
                "3 SUCCESS | tick C SUCCESS",
            ],
        );
        let inside = inside.replace("\"1\"", "\"2\"");
        plays_text(
            &three(&inside, ""),
            answers,
            &[
                "1 RUNNING | tick A FAILURE; tick B RUNNING; tick C RUNNING",
                "2 FAILURE | tick B FAILURE; halt C",
            ],
        );
    }
    let negation = three("<Negation><Action ID=\"A\"/></Negation>", "");
    plays_text(&negation, "A: F\n", &["1 SUCCESS | tick A FAILURE"]);
}

/// A tree may be called by its name in version 3; version 4 does not know that.
#[test]
fn trees_named_by_elements() {
    let other =
        "<BehaviorTree ID=\"Home\"><Action ID=\"Echo\" name=\"E\" in=\"{goal}\"/></BehaviorTree>";
    let inside =
        "<Sequence><SetBlackboard output_key=\"to\" value=\"dock\"/><Home goal=\"to\"/></Sequence>";
    let text = three(inside, other);
    assert_eq!(codes(&text), []);
    let document = Document::parse(&text, "t.xml");
    let line = played(&document, "", 1, 0);
    assert!(line[0].starts_with("1 SUCCESS"), "{line:?}");
    let four = text
        .replace("<root ", "<root BTCPP_format=\"4\" ")
        .replace("goal=\"to\"", "goal=\"{to}\"");
    assert_eq!(codes(&four), [Code::UnknownNode]);
    // A model says that it is something else.
    let declared = text.replace(
        "</root>",
        "<TreeNodesModel><Action ID=\"Home\"/></TreeNodesModel></root>",
    );
    assert!(codes(&declared).contains(&Code::UnknownNode), "{declared}");
}

/// BehaviorTree.CPP ignores what stands behind a whole number.
#[test]
fn numbers_with_something_behind_them() {
    let delayed = "<Timeout msec=\"150ms\"><Action ID=\"A\"/></Timeout>";
    assert_eq!(codes(&tree(delayed)), [Code::BadNumber]);
    plays(
        delayed,
        "A: R\n",
        &[
            "1 RUNNING | tick A RUNNING",
            "2 RUNNING | tick A RUNNING",
            "3 FAILURE | halt A",
        ],
    );
    let repeated = "<Repeat num_cycles=\"2.9\"><Action ID=\"A\"/></Repeat>";
    plays(
        repeated,
        "",
        &["1 RUNNING | tick A SUCCESS", "2 SUCCESS | tick A SUCCESS"],
    );
    for bad in ["", "-", "x3", "+3", "INFINITY", "99999999999"] {
        let text = tree(&format!(
            "<Repeat num_cycles=\"{bad}\"><Action ID=\"A\"/></Repeat>"
        ));
        assert_eq!(codes(&text), [Code::BadNumber], "{bad}");
        assert!(Document::parse(&text, "t.xml").behaviour(None).is_err());
    }
}

/// Scripts may calculate with what says how often something runs.
#[test]
fn counts_that_scripts_compute() {
    let inside = "<Sequence><Script code=\"n := 1; n += 1\"/>\
        <Repeat num_cycles=\"{n}\"><Action ID=\"A\"/></Repeat><ScriptCondition code=\"n == 2\"/></Sequence>";
    plays(
        inside,
        "",
        &["1 RUNNING | tick A SUCCESS", "2 SUCCESS | tick A SUCCESS"],
    );
    let written = inside.replace(
        "<Script code=\"n := 1; n += 1\"/>",
        "<Action ID=\"Get\" to=\"{n}\"/>",
    );
    assert!(!codes(&tree(&written)).contains(&Code::NotYet), "{written}");
    let halved = inside.replace("n += 1", "n = 2 * n / 1");
    plays(
        &halved,
        "",
        &["1 RUNNING | tick A SUCCESS", "2 SUCCESS | tick A SUCCESS"],
    );
    let divided = "<Sequence><Script code=\"n := 5; m := n * 2 + 1\"/><ScriptCondition code=\"n / 2 == 2.5\"/>\
        <ScriptCondition code=\"m == 11\"/><ScriptCondition code=\"m / n &gt; 2\"/></Sequence>";
    plays(divided, "", &["1 SUCCESS"]);
    let forever = "<Sequence><SetBlackboard output_key=\"n\" value=\"-1\"/><ScriptCondition code=\"n &lt; 0.5\"/>\
        <RetryUntilSuccessful num_attempts=\"{n}\"><Action ID=\"A\"/></RetryUntilSuccessful></Sequence>";
    plays(
        forever,
        "A: F F S\n",
        &[
            "1 RUNNING | tick A FAILURE",
            "2 RUNNING | tick A FAILURE",
            "3 SUCCESS | tick A SUCCESS",
        ],
    );
}

/// What the model of a tree says of ports that a call does not mention.
#[test]
fn ports_by_default() {
    let text = "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\">\
        <BehaviorTree ID=\"Main\"><Sequence><Script code=\"there := 7\"/><SubTree ID=\"Go\"/></Sequence></BehaviorTree>\
        <BehaviorTree ID=\"Go\"><Sequence><ScriptCondition code=\"speed == 3\"/><ScriptCondition code=\"place == 7\"/></Sequence></BehaviorTree>\
        <TreeNodesModel><SubTree ID=\"Go\"><input_port name=\"speed\" default=\"3\"/>\
        <input_port name=\"place\" default=\"{there}\"/></SubTree></TreeNodesModel></root>";
    assert_eq!(codes(text), []);
    plays_text(text, "", &["1 SUCCESS"]);
    let given = text.replace(
        "<SubTree ID=\"Go\"/></S",
        "<SubTree ID=\"Go\" speed=\"4\"/></S",
    );
    plays_text(&given, "", &["1 FAILURE"]);
    let missing = text.replace(" default=\"3\"", "");
    assert_eq!(codes(&missing), [Code::MissingParameter]);
    // It is of version 4 because of its scripts; without them, nobody knows.
    let unsaid = missing.replace(" BTCPP_format=\"4\"", "");
    assert_eq!(codes(&unsaid), [Code::MissingParameter]);
    let nodes = unsaid.replace("<Script code=\"there := 7\"/>", "<AlwaysSuccess/>");
    let nodes = nodes.replace("ScriptCondition code=", "Act text=");
    assert_eq!(codes(&nodes), []);
}

/// A call has conditions and scripts, and so does the root of the tree.
#[test]
fn conditions_of_a_call_and_of_the_root() {
    let text = |call: &str, root: &str, between: bool| {
        let called = match between {
            true => {
                "<BehaviorTree ID=\"Sub\"><SubTree ID=\"Inner\" _autoremap=\"true\"/></BehaviorTree>\
                <BehaviorTree ID=\"Inner\">"
            }
            false => "<BehaviorTree ID=\"Sub\">",
        };
        format!(
            "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\"><BehaviorTree ID=\"Main\">\
            <Sequence><Script code=\"z := 2\"/><SubTree ID=\"Sub\" _autoremap=\"true\" {call}/></Sequence></BehaviorTree>\
            {called}<Action ID=\"A\" {root}/></BehaviorTree></root>"
        )
    };
    for between in [false, true] {
        let failing = text("_while=\"z > 1\"", "_failureIf=\"z == 2\"", between);
        plays_text(&failing, "", &["1 FAILURE"]);
        let skipped = text("_while=\"z > 2\"", "_failureIf=\"z == 2\"", between);
        plays_text(&skipped, "", &["1 SUCCESS"]);
        let both = text("_onSuccess=\"z = 5\"", "_onSuccess=\"z = 4\"", between);
        let both = both.replace(
            "</Sequence>",
            "<ScriptCondition code=\"z == 5\"/></Sequence>",
        );
        plays_text(&both, "", &["1 SUCCESS | tick A SUCCESS"]);
    }
}

/// A `TryCatch` that catches a halt, and runs a script after it.
#[test]
fn a_caught_halt_and_a_script() {
    plays(
        "<Sequence><Script code=\"x := 0\"/><ReactiveSequence><ScriptCondition code=\"x == 0\"/><Condition ID=\"G\"/>\
        <TryCatch catch_on_halt=\"true\" _onHalted=\"x = 1\"><Action ID=\"A\"/><Action ID=\"B\"/></TryCatch>\
        </ReactiveSequence></Sequence>",
        "A: R\nG: S F S\n",
        &[
            "1 RUNNING | tick G SUCCESS; tick A RUNNING",
            "2 FAILURE | tick G FAILURE; halt A; tick B SUCCESS",
            "3 RUNNING | tick G SUCCESS; tick A RUNNING",
        ],
    );
}

/// A file that only declares nodes is no mistake, but nothing of it can run.
#[test]
fn a_file_with_a_model_only() {
    let text =
        "<root BTCPP_format=\"4\"><TreeNodesModel><Action ID=\"A\"/></TreeNodesModel></root>";
    assert_eq!(codes(text), [Code::NoTree]);
    let document = Document::parse(text, "t.xml");
    assert!(!document.has_errors());
    assert!(document.behaviour(None).is_err());
    let empty = text.replace("<Action ID=\"A\"/>", "");
    assert!(!Document::parse(&empty, "t.xml").has_errors());
    let none = empty.replace("<TreeNodesModel></TreeNodesModel>", "");
    assert!(Document::parse(&none, "t.xml").has_errors());
}
