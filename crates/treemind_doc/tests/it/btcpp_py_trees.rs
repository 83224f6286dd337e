//! The XML that py_trees reads, tick by tick as py_trees 2.6 plays it (recorded from its own parser).

use crate::btcpp::{played, said};
use treemind_doc::{Document, Format, convert};

fn file(inside: &str) -> String {
    format!(
        "<root main_tree_to_execute=\"M\"><BehaviorTree ID=\"M\">{inside}</BehaviorTree></root>"
    )
}

/// What is in the tree, what the leaves answer, and the ticks.
const PLAYED: &[(&str, &str, &[&str])] = &[
    (
        "<Inverter name=\"i\"><Act name=\"A\"/></Inverter>",
        "A: S F R F",
        &[
            "1 FAILURE | tick A SUCCESS",
            "2 SUCCESS | tick A FAILURE",
            "3 RUNNING | tick A RUNNING",
            "4 SUCCESS | tick A FAILURE",
            "5 SUCCESS | tick A FAILURE",
            "6 SUCCESS | tick A FAILURE",
            "7 SUCCESS | tick A FAILURE",
            "8 SUCCESS | tick A FAILURE",
        ],
    ),
    (
        "<FailureIsSuccess name=\"i\"><Act name=\"A\"/></FailureIsSuccess>",
        "A: S F R F",
        &[
            "1 SUCCESS | tick A SUCCESS",
            "2 SUCCESS | tick A FAILURE",
            "3 RUNNING | tick A RUNNING",
            "4 SUCCESS | tick A FAILURE",
            "5 SUCCESS | tick A FAILURE",
            "6 SUCCESS | tick A FAILURE",
            "7 SUCCESS | tick A FAILURE",
            "8 SUCCESS | tick A FAILURE",
        ],
    ),
    (
        "<SuccessIsFailure name=\"i\"><Act name=\"A\"/></SuccessIsFailure>",
        "A: S F R F",
        &[
            "1 FAILURE | tick A SUCCESS",
            "2 FAILURE | tick A FAILURE",
            "3 RUNNING | tick A RUNNING",
            "4 FAILURE | tick A FAILURE",
            "5 FAILURE | tick A FAILURE",
            "6 FAILURE | tick A FAILURE",
            "7 FAILURE | tick A FAILURE",
            "8 FAILURE | tick A FAILURE",
        ],
    ),
    (
        "<FailureIsRunning name=\"i\"><Act name=\"A\"/></FailureIsRunning>",
        "A: F R S F S",
        &[
            "1 RUNNING | tick A FAILURE",
            "2 RUNNING | tick A RUNNING",
            "3 SUCCESS | tick A SUCCESS",
            "4 RUNNING | tick A FAILURE",
            "5 SUCCESS | tick A SUCCESS",
            "6 SUCCESS | tick A SUCCESS",
            "7 SUCCESS | tick A SUCCESS",
            "8 SUCCESS | tick A SUCCESS",
        ],
    ),
    (
        "<SuccessIsRunning name=\"i\"><Act name=\"A\"/></SuccessIsRunning>",
        "A: S R F S F",
        &[
            "1 RUNNING | tick A SUCCESS",
            "2 RUNNING | tick A RUNNING",
            "3 FAILURE | tick A FAILURE",
            "4 RUNNING | tick A SUCCESS",
            "5 FAILURE | tick A FAILURE",
            "6 FAILURE | tick A FAILURE",
            "7 FAILURE | tick A FAILURE",
            "8 FAILURE | tick A FAILURE",
        ],
    ),
    (
        "<Sequence name=\"s\" memory=\"false\"><RunningIsFailure name=\"i\"><Act name=\"A\"/></RunningIsFailure><Act name=\"B\"/></Sequence>",
        "A: S F R F R S\nB: S",
        &[
            "1 SUCCESS | tick A SUCCESS; tick B SUCCESS",
            "2 FAILURE | tick A FAILURE",
            "3 FAILURE | tick A RUNNING; halt A",
            "4 FAILURE | tick A FAILURE",
            "5 FAILURE | tick A RUNNING; halt A",
            "6 SUCCESS | tick A SUCCESS; tick B SUCCESS",
            "7 SUCCESS | tick A SUCCESS; tick B SUCCESS",
            "8 SUCCESS | tick A SUCCESS; tick B SUCCESS",
        ],
    ),
    (
        "<Sequence name=\"s\" memory=\"false\"><RunningIsSuccess name=\"i\"><Act name=\"A\"/></RunningIsSuccess><Act name=\"B\"/></Sequence>",
        "A: S F R F R S\nB: S",
        &[
            "1 SUCCESS | tick A SUCCESS; tick B SUCCESS",
            "2 FAILURE | tick A FAILURE",
            "3 SUCCESS | tick A RUNNING; halt A; tick B SUCCESS",
            "4 FAILURE | tick A FAILURE",
            "5 SUCCESS | tick A RUNNING; halt A; tick B SUCCESS",
            "6 SUCCESS | tick A SUCCESS; tick B SUCCESS",
            "7 SUCCESS | tick A SUCCESS; tick B SUCCESS",
            "8 SUCCESS | tick A SUCCESS; tick B SUCCESS",
        ],
    ),
    (
        "<Repeat name=\"i\" num_success=\"3\"><Act name=\"A\"/></Repeat>",
        "A: S R S S S F S S S S",
        &[
            "1 RUNNING | tick A SUCCESS",
            "2 RUNNING | tick A RUNNING",
            "3 RUNNING | tick A SUCCESS",
            "4 SUCCESS | tick A SUCCESS",
            "5 RUNNING | tick A SUCCESS",
            "6 FAILURE | tick A FAILURE",
            "7 RUNNING | tick A SUCCESS",
            "8 RUNNING | tick A SUCCESS",
        ],
    ),
    (
        "<Repeat name=\"i\" num_success=\"-1\"><Act name=\"A\"/></Repeat>",
        "A: S R S S S F S S S S",
        &[
            "1 RUNNING | tick A SUCCESS",
            "2 RUNNING | tick A RUNNING",
            "3 RUNNING | tick A SUCCESS",
            "4 RUNNING | tick A SUCCESS",
            "5 RUNNING | tick A SUCCESS",
            "6 FAILURE | tick A FAILURE",
            "7 RUNNING | tick A SUCCESS",
            "8 RUNNING | tick A SUCCESS",
        ],
    ),
    (
        "<Retry name=\"i\" num_failures=\"3\"><Act name=\"A\"/></Retry>",
        "A: F R F F F S F F S F",
        &[
            "1 RUNNING | tick A FAILURE",
            "2 RUNNING | tick A RUNNING",
            "3 RUNNING | tick A FAILURE",
            "4 FAILURE | tick A FAILURE",
            "5 RUNNING | tick A FAILURE",
            "6 SUCCESS | tick A SUCCESS",
            "7 RUNNING | tick A FAILURE",
            "8 RUNNING | tick A FAILURE",
        ],
    ),
    (
        "<Repeat name=\"i\" num_success=\"0\"><Act name=\"A\"/></Repeat>",
        "A: S R S F",
        &[
            "1 RUNNING | tick A SUCCESS",
            "2 RUNNING | tick A RUNNING",
            "3 RUNNING | tick A SUCCESS",
            "4 FAILURE | tick A FAILURE",
            "5 FAILURE | tick A FAILURE",
        ],
    ),
    (
        "<Repeat name=\"i\" num_success=\"-3\"><Act name=\"A\"/></Repeat>",
        "A: S R S F",
        &[
            "1 RUNNING | tick A SUCCESS",
            "2 RUNNING | tick A RUNNING",
            "3 RUNNING | tick A SUCCESS",
            "4 FAILURE | tick A FAILURE",
            "5 FAILURE | tick A FAILURE",
        ],
    ),
    (
        "<Retry name=\"i\" num_failures=\"0\"><Act name=\"A\"/></Retry>",
        "A: F R F S",
        &[
            "1 FAILURE | tick A FAILURE",
            "2 RUNNING | tick A RUNNING",
            "3 FAILURE | tick A FAILURE",
            "4 SUCCESS | tick A SUCCESS",
            "5 SUCCESS | tick A SUCCESS",
        ],
    ),
    (
        "<Retry name=\"i\" num_failures=\"-1\"><Act name=\"A\"/></Retry>",
        "A: F R F S",
        &[
            "1 FAILURE | tick A FAILURE",
            "2 RUNNING | tick A RUNNING",
            "3 FAILURE | tick A FAILURE",
            "4 SUCCESS | tick A SUCCESS",
            "5 SUCCESS | tick A SUCCESS",
        ],
    ),
    (
        "<Retry name=\"i\" num_failures=\"1\"><Act name=\"A\"/></Retry>",
        "A: F R F S",
        &[
            "1 FAILURE | tick A FAILURE",
            "2 RUNNING | tick A RUNNING",
            "3 FAILURE | tick A FAILURE",
            "4 SUCCESS | tick A SUCCESS",
            "5 SUCCESS | tick A SUCCESS",
        ],
    ),
    (
        "<Condition name=\"i\" status=\"SUCCESS\"><Act name=\"A\"/></Condition>",
        "A: F R S F S",
        &[
            "1 RUNNING | tick A FAILURE",
            "2 RUNNING | tick A RUNNING",
            "3 SUCCESS | tick A SUCCESS",
            "4 RUNNING | tick A FAILURE",
            "5 SUCCESS | tick A SUCCESS",
            "6 SUCCESS | tick A SUCCESS",
            "7 SUCCESS | tick A SUCCESS",
            "8 SUCCESS | tick A SUCCESS",
        ],
    ),
    (
        "<Condition name=\"i\" status=\"FAILURE\"><Act name=\"A\"/></Condition>",
        "A: S R F S F",
        &[
            "1 RUNNING | tick A SUCCESS",
            "2 RUNNING | tick A RUNNING",
            "3 SUCCESS | tick A FAILURE",
            "4 RUNNING | tick A SUCCESS",
            "5 SUCCESS | tick A FAILURE",
            "6 SUCCESS | tick A FAILURE",
            "7 SUCCESS | tick A FAILURE",
            "8 SUCCESS | tick A FAILURE",
        ],
    ),
    (
        "<Condition name=\"i\" status=\"RUNNING\"><Act name=\"A\"/></Condition>",
        "A: S F R S R R",
        &[
            "1 RUNNING | tick A SUCCESS",
            "2 RUNNING | tick A FAILURE",
            "3 SUCCESS | tick A RUNNING; halt A",
            "4 RUNNING | tick A SUCCESS",
            "5 SUCCESS | tick A RUNNING; halt A",
            "6 SUCCESS | tick A RUNNING; halt A",
            "7 SUCCESS | tick A RUNNING; halt A",
            "8 SUCCESS | tick A RUNNING; halt A",
        ],
    ),
    (
        "<OneShot name=\"i\" policy=\"ON_COMPLETION\"><Act name=\"A\"/></OneShot>",
        "A: R F S S",
        &[
            "1 RUNNING | tick A RUNNING",
            "2 FAILURE | tick A FAILURE",
            "3 FAILURE",
            "4 FAILURE",
            "5 FAILURE",
            "6 FAILURE",
            "7 FAILURE",
            "8 FAILURE",
        ],
    ),
    (
        "<OneShot name=\"i\" policy=\"ON_SUCCESSFUL_COMPLETION\"><Act name=\"A\"/></OneShot>",
        "A: R F R S F",
        &[
            "1 RUNNING | tick A RUNNING",
            "2 FAILURE | tick A FAILURE",
            "3 RUNNING | tick A RUNNING",
            "4 SUCCESS | tick A SUCCESS",
            "5 SUCCESS",
            "6 SUCCESS",
            "7 SUCCESS",
            "8 SUCCESS",
        ],
    ),
    (
        "<Count name=\"i\"><Act name=\"A\"/></Count>",
        "A: R F S",
        &[
            "1 RUNNING | tick A RUNNING",
            "2 FAILURE | tick A FAILURE",
            "3 SUCCESS | tick A SUCCESS",
            "4 SUCCESS | tick A SUCCESS",
            "5 SUCCESS | tick A SUCCESS",
            "6 SUCCESS | tick A SUCCESS",
            "7 SUCCESS | tick A SUCCESS",
            "8 SUCCESS | tick A SUCCESS",
        ],
    ),
    (
        "<PassThrough name=\"i\"><Act name=\"A\"/></PassThrough>",
        "A: R F S",
        &[
            "1 RUNNING | tick A RUNNING",
            "2 FAILURE | tick A FAILURE",
            "3 SUCCESS | tick A SUCCESS",
            "4 SUCCESS | tick A SUCCESS",
            "5 SUCCESS | tick A SUCCESS",
            "6 SUCCESS | tick A SUCCESS",
            "7 SUCCESS | tick A SUCCESS",
            "8 SUCCESS | tick A SUCCESS",
        ],
    ),
    (
        "<StatusToBlackboard name=\"i\" variable_name=\"v\"><Act name=\"A\"/></StatusToBlackboard>",
        "A: R F S",
        &[
            "1 RUNNING | tick A RUNNING",
            "2 FAILURE | tick A FAILURE",
            "3 SUCCESS | tick A SUCCESS",
            "4 SUCCESS | tick A SUCCESS",
            "5 SUCCESS | tick A SUCCESS",
            "6 SUCCESS | tick A SUCCESS",
            "7 SUCCESS | tick A SUCCESS",
            "8 SUCCESS | tick A SUCCESS",
        ],
    ),
    (
        "<Selector name=\"s\" memory=\"true\"><Act name=\"A\"/><Act name=\"B\"/></Selector>",
        "A: F F S\nB: R R S F",
        &[
            "1 RUNNING | tick A FAILURE; tick B RUNNING",
            "2 RUNNING | tick B RUNNING",
            "3 SUCCESS | tick B SUCCESS",
            "4 FAILURE | tick A FAILURE; tick B FAILURE",
            "5 SUCCESS | tick A SUCCESS",
            "6 SUCCESS | tick A SUCCESS",
            "7 SUCCESS | tick A SUCCESS",
            "8 SUCCESS | tick A SUCCESS",
        ],
    ),
    (
        "<Selector name=\"s\" memory=\"false\"><Act name=\"A\"/><Act name=\"B\"/></Selector>",
        "A: F R S F\nB: R R S F",
        &[
            "1 RUNNING | tick A FAILURE; tick B RUNNING",
            "2 RUNNING | tick A RUNNING; halt B",
            "3 SUCCESS | tick A SUCCESS",
            "4 RUNNING | tick A FAILURE; tick B RUNNING",
            "5 SUCCESS | tick A FAILURE; tick B SUCCESS",
            "6 FAILURE | tick A FAILURE; tick B FAILURE",
            "7 FAILURE | tick A FAILURE; tick B FAILURE",
            "8 FAILURE | tick A FAILURE; tick B FAILURE",
        ],
    ),
    (
        "<Sequence name=\"s\" memory=\"false\"><Act name=\"A\"/><Act name=\"B\"/></Sequence>",
        "A: S F S R S\nB: R R S F",
        &[
            "1 RUNNING | tick A SUCCESS; tick B RUNNING",
            "2 FAILURE | tick A FAILURE; halt B",
            "3 RUNNING | tick A SUCCESS; tick B RUNNING",
            "4 RUNNING | tick A RUNNING; halt B",
            "5 SUCCESS | tick A SUCCESS; tick B SUCCESS",
            "6 FAILURE | tick A SUCCESS; tick B FAILURE",
            "7 FAILURE | tick A SUCCESS; tick B FAILURE",
            "8 FAILURE | tick A SUCCESS; tick B FAILURE",
        ],
    ),
    (
        "<Sequence name=\"s\"><Parallel name=\"p\" policy=\"success_on_one\"><Act name=\"A\"/><Act name=\"B\"/></Parallel><parallel name=\"q\" policy=\"success_on_all\"><Act name=\"C\"/><Act name=\"D\"/></parallel></Sequence>",
        "A: R R S\nB: R S\nC: S\nD: R F S",
        &[
            "1 RUNNING | tick A RUNNING; tick B RUNNING",
            "2 RUNNING | tick A RUNNING; tick B SUCCESS; halt A; tick C SUCCESS; tick D RUNNING",
            "3 FAILURE | tick D FAILURE",
            "4 SUCCESS | tick A SUCCESS; tick B SUCCESS; tick C SUCCESS; tick D SUCCESS",
            "5 SUCCESS | tick A SUCCESS; tick B SUCCESS; tick C SUCCESS; tick D SUCCESS",
            "6 SUCCESS | tick A SUCCESS; tick B SUCCESS; tick C SUCCESS; tick D SUCCESS",
            "7 SUCCESS | tick A SUCCESS; tick B SUCCESS; tick C SUCCESS; tick D SUCCESS",
            "8 SUCCESS | tick A SUCCESS; tick B SUCCESS; tick C SUCCESS; tick D SUCCESS",
        ],
    ),
    // A failure counts before a success, tried with py_trees 2.6.
    (
        "<Parallel name=\"p\" policy=\"success_on_one\"><Act name=\"A\"/><Sequence name=\"s\"><Act name=\"B\"/><Act name=\"C\"/></Sequence></Parallel>",
        "A: R F R S\nB: R S R\nC: S R",
        &[
            "1 RUNNING | tick A RUNNING; tick B RUNNING",
            "2 FAILURE | tick A FAILURE; tick B SUCCESS; tick C SUCCESS",
            "3 RUNNING | tick A RUNNING; tick B RUNNING",
            "4 SUCCESS | tick A SUCCESS; tick B RUNNING; halt B",
        ],
    ),
    (
        "<Selector name=\"s\" memory=\"false\"><Inverter name=\"i\"><Retry name=\"r\" num_failures=\"2\"><Act name=\"A\"/></Retry></Inverter><Repeat name=\"q\" num_success=\"2\"><Act name=\"B\"/></Repeat></Selector>",
        "A: F R F S S\nB: S R S F",
        &[
            "1 RUNNING | tick A FAILURE",
            "2 RUNNING | tick A RUNNING",
            "3 SUCCESS | tick A FAILURE",
            "4 RUNNING | tick A SUCCESS; tick B SUCCESS",
            "5 RUNNING | tick A SUCCESS; tick B RUNNING",
            "6 SUCCESS | tick A SUCCESS; tick B SUCCESS",
            "7 FAILURE | tick A SUCCESS; tick B FAILURE",
            "8 FAILURE | tick A SUCCESS; tick B FAILURE",
        ],
    ),
];

#[test]
fn decorators_and_composites_tick_as_there() {
    for (inside, answers, expected) in PLAYED {
        let document = Document::parse(&file(inside), "t.xml");
        assert!(!document.has_errors(), "{inside}: {:?}", said(&document));
        let ticks = expected.len() as u64;
        assert_eq!(played(&document, answers, ticks, 0), *expected, "{inside}");
        let kdl = convert(&file(inside), "t.xml", Format::BtCpp, Format::Kdl);
        let kdl = kdl.unwrap_or_else(|refusal| panic!("{inside}: {refusal}"));
        let again = Document::parse(&kdl.text, "t.kdl");
        assert_eq!(played(&again, answers, ticks, 0), *expected, "{inside}");
    }
}

/// Like its demo of a tree in XML: a subtree gives its result to a key of the tree around it.
#[test]
fn a_result_of_a_subtree_is_handed_on() {
    let text = "<root main_tree_to_execute=\"Main\">\
        <BehaviorTree ID=\"Greet\"><Sequence name=\"both\"><Make name=\"make\" output=\"{word}\"/>\
        <Add name=\"add\" input=\"{word}\" more=\" and more\" output=\"{result}\"/></Sequence></BehaviorTree>\
        <BehaviorTree ID=\"Main\"><Sequence name=\"all\"><SubTree ID=\"Greet\" name=\"First\" result=\"{said}\"/>\
        <SubTree ID=\"Greet\" name=\"Second\" result=\"{again}\"/>\
        <Show name=\"show\" input=\"{said}\" other=\"{again}\"/></Sequence></BehaviorTree></root>";
    let document = Document::parse(text, "t.xml");
    assert!(!document.has_errors(), "{:?}", said(&document));
    let kdl = convert(text, "t.xml", Format::BtCpp, Format::Kdl).expect("a document");
    // Each call has keys of its own, but for what it hands on.
    let parts = [
        "result=\"{said}\"",
        "result=\"{again}\"",
        "key word",
        "inout result",
    ];
    for part in parts {
        assert!(kdl.text.contains(part), "{part}: {}", kdl.text);
    }
    assert_eq!(
        played(&document, "make: S\nadd: R S\nshow: S", 2, 0),
        [
            "1 RUNNING | tick make SUCCESS; tick add RUNNING",
            "2 SUCCESS | tick add SUCCESS; tick make SUCCESS; tick add SUCCESS; tick show SUCCESS",
        ]
    );
}

/// Like its demo of subtrees in subtrees: what one step reports is what the next one is given.
#[test]
fn subtrees_in_subtrees_hand_a_report_on() {
    let step = |name: &str, from: &str, to: &str| {
        format!("<Step name=\"{name}\" before=\"{{{from}}}\" what=\"{name}\" after=\"{{{to}}}\"/>")
    };
    let text = format!(
        "<root main_tree_to_execute=\"Main\"><!-- the arm: takes arm_in, gives arm_out -->\
        <BehaviorTree ID=\"Arm\"><Sequence name=\"arm\">{}{}</Sequence></BehaviorTree>\
        <BehaviorTree ID=\"Table\"><Sequence name=\"table\">{}<SubTree ID=\"Arm\" name=\"TheArm\" arm_in=\"{{driven}}\" arm_out=\"{{picked}}\"/>{}</Sequence></BehaviorTree>\
        <BehaviorTree ID=\"Main\"><Sequence name=\"all\"><Start name=\"start\" robot=\"r_1\" report=\"{{report}}\"/>\
        <SubTree ID=\"Table\" name=\"TheTable\" pickup_in=\"{{report}}\" pickup_out=\"{{done}}\"/>\
        <Read name=\"read\" report=\"{{done}}\"/></Sequence></BehaviorTree></root>",
        step("open", "arm_in", "opened"),
        step("close", "opened", "arm_out"),
        step("drive", "pickup_in", "driven"),
        step("lift", "picked", "pickup_out"),
    );
    let document = Document::parse(&text, "t.xml");
    assert!(!document.has_errors(), "{:?}", said(&document));
    let answers = "start: S\ndrive: R S\nopen: S\nclose: S\nlift: S\nread: S";
    assert_eq!(
        played(&document, answers, 2, 0),
        [
            "1 RUNNING | tick start SUCCESS; tick drive RUNNING",
            "2 SUCCESS | tick drive SUCCESS; tick open SUCCESS; tick close SUCCESS; tick lift SUCCESS; tick read SUCCESS",
        ]
    );
}

/// Defaults of ports, which stand at a `BehaviorTree` there, are not read without a word.
#[test]
fn defaults_of_ports_are_told_of() {
    let text = "<root main_tree_to_execute=\"M\"><BehaviorTree ID=\"S\" speed=\"3\"><Act a=\"{speed}\"/></BehaviorTree>\
        <BehaviorTree ID=\"M\"><SubTree ID=\"S\" name=\"s\"/></BehaviorTree></root>";
    let document = Document::parse(text, "t.xml");
    assert!(!document.has_errors());
    let warned = said(&document);
    assert!(
        warned.contains(&"T0105 `speed` of a `BehaviorTree` is ignored".to_owned()),
        "{warned:?}"
    );
}

/// Its parser takes `success_on_one` for a `Parallel` without a `policy`. Where nothing says that a file is one of py_trees,
/// or the node has a threshold of BehaviorTree.CPP, it is that of BehaviorTree.CPP.
#[test]
fn a_parallel_without_a_policy() {
    let lines = |inside: &str| {
        let document = Document::parse(&file(inside), "t.xml");
        assert!(!document.has_errors(), "{inside}: {:?}", said(&document));
        played(&document, "A: R S F\nB: S R S", 4, 0)
    };
    let parallel = |attributes: &str| {
        format!("<Parallel name=\"p\"{attributes}><Act name=\"A\"/><Act name=\"B\"/></Parallel>")
    };
    let one = lines(&parallel(" policy=\"success_on_one\""));
    assert_eq!(one[0], "1 SUCCESS | tick A RUNNING; tick B SUCCESS; halt A");
    for around in [
        "<Selector name=\"s\">@</Selector>",
        "<Sequence name=\"s\" memory=\"True\">@</Sequence>",
        "<PassThrough name=\"s\">@</PassThrough>",
    ] {
        assert_eq!(lines(&around.replace('@', &parallel(""))), one, "{around}");
        let given = parallel(" success_count=\"2\" failure_count=\"1\"");
        let both = lines(&around.replace('@', &given));
        assert_eq!(
            both[0], "1 RUNNING | tick A RUNNING; tick B SUCCESS",
            "{around}"
        );
    }
    assert_eq!(
        lines(&parallel(""))[0],
        "1 RUNNING | tick A RUNNING; tick B SUCCESS"
    );
}
