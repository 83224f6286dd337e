//! Ports of built-in nodes that a key gives, and what models get wrong.

use super::btcpp::{played, plays, tree};
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::{Population, Program};
use treemind_doc::{Code, Document, Format};

/// The codes of all diagnostics of a text, but for leaves that nobody declares.
fn codes(text: &str) -> Vec<Code> {
    let document = Document::parse(text, "t.xml");
    let all = document.diagnostics().iter().map(|one| one.code());
    all.filter(|code| *code != Code::UnknownLeaf).collect()
}

fn plays_text(text: &str, answers: &str, expected: &[&str]) {
    let document = Document::parse(text, "t.xml");
    let ticks = u64::try_from(expected.len()).expect("a few ticks");
    assert_eq!(played(&document, answers, ticks, 0), expected, "{text}");
}

/// Played with a literal and with a key that holds it, a tree does the same.
fn same_by_key(inside: &str, port: &str, values: &[&str], answers: &str) {
    for value in values {
        let given = inside.replace("NUMBER", &format!("{port}=\"{value}\""));
        let literal = tree(&format!(
            "<ReactiveSequence><AlwaysSuccess/>{given}</ReactiveSequence>"
        ));
        let by_key = inside.replace("NUMBER", &format!("{port}=\"{{n}}\""));
        let by_key = tree(&format!(
            "<ReactiveSequence><SetBlackboard output_key=\"n\" value=\"{value}\"/>{by_key}</ReactiveSequence>"
        ));
        assert_eq!(codes(&by_key), [], "{by_key}");
        let [one, other] =
            [literal, by_key].map(|text| played(&Document::parse(&text, "t.xml"), answers, 8, 0));
        assert_eq!(one, other, "{inside} {value}");
    }
}

#[test]
fn numbers_of_children() {
    let three = "<Action ID=\"A\"/><Action ID=\"B\"/><Action ID=\"C\"/>";
    let parallel = format!("<Parallel NUMBER>{three}</Parallel>");
    let all = [
        "A: S R F\nB: R S\nC: R R S",
        "A: F\nB: R K S\nC: S",
        "A: K\nB: R S F\nC: K",
        "A: K\nB: K\nC: K K S",
    ];
    for answers in all {
        let counts = ["0", "1", "2", "3", "-1", "-2", "-4"];
        same_by_key(&parallel, "success_count", &counts, answers);
        same_by_key(&parallel, "failure_count", &counts, answers);
        let all = parallel.replace("Parallel", "ParallelAll");
        same_by_key(&all, "max_failures", &counts, answers);
    }
}

#[test]
fn what_a_run_once_answers_afterwards() {
    let once =
        "<Sequence><RunOnce NUMBER><Action ID=\"A\"/></RunOnce><Action ID=\"B\"/></Sequence>";
    same_by_key(once, "then_skip", &["0", "1"], "A: R F\nB: F");
    same_by_key(once, "then_skip", &["0", "1"], "A: S\nB: R F");
}

/// A number of children that there are not, and none at all, are faults when the node runs.
#[test]
fn numbers_that_cannot_be() {
    let parallel = "<Parallel success_count=\"{n}\"><Action ID=\"A\"/></Parallel>";
    for before in ["<Script code=\"n := 2\"/>", ""] {
        let text = tree(&format!("<Sequence>{before}{parallel}</Sequence>"));
        let document = Document::parse(&text, "t.xml");
        let behaviour = document.behaviour(None).expect("it has no errors");
        let mut host = Scripted::new(&behaviour, 1);
        let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
        population.tick(&mut host, Duration::from_millis(100));
        assert_eq!(population.take_faults().kept().len(), 1, "{text}");
    }
}

#[test]
fn conditions_that_assign() {
    plays(
        "<Sequence><ScriptCondition code=\"x := 3; x &lt; 5\"/><ScriptCondition code=\"x == 3\"/></Sequence>",
        "",
        &["1 SUCCESS"],
    );
    plays(
        "<ScriptCondition code=\"x := 3; x &gt; 5\"/>",
        "",
        &["1 FAILURE"],
    );
    plays("<Script code=\"\"/>", "", &["1 SUCCESS"]);
    assert_eq!(
        codes(&tree("<ScriptCondition code=\"x = 'a'\"/>")),
        [Code::WrongType]
    );
}

/// In version 3, a node writes to the key that a port names, with or without braces.
#[test]
fn ports_that_a_node_writes() {
    let text = "<root main_tree_to_execute=\"Main\"><BehaviorTree ID=\"Main\"><SequenceStar>\
        <Action ID=\"Get\" out=\"goal\" both=\"other\" in=\"text\"/><Action ID=\"Go\" goal=\"{goal}\" other=\"{other}\"/>\
        </SequenceStar></BehaviorTree><TreeNodesModel><Action ID=\"Get\"><output_port name=\"out\"/>\
        <inout_port name=\"both\"/><input_port name=\"in\"/></Action></TreeNodesModel></root>";
    let by_key = |text: &str| {
        let document = Document::parse(text, "t.xml");
        let behaviour = document.behaviour(None).expect("it has no errors");
        let get = behaviour.leaves().iter().find(|leaf| leaf.name == "Get");
        let params = &get.expect("it is declared").params;
        params.iter().map(|param| param.by_key).collect::<Vec<_>>()
    };
    // What it reads as well as writes is the text, as in version 4, with a warning.
    assert_eq!(by_key(text), [true, false, false]);
    assert_eq!(codes(text), [Code::BadName]);
    let kdl = treemind_doc::convert(text, "t.xml", Format::BtCpp, Format::Kdl);
    let kdl = kdl.expect("a document").text;
    assert!(
        kdl.contains("action Get out=\"{goal}\" both=other in=text"),
        "{kdl}"
    );
    let four = text.replace("<root ", "<root BTCPP_format=\"4\" ");
    assert_eq!(by_key(&four), [false, false, false]);
    assert_eq!(codes(&four), [Code::UnknownNode, Code::BadName]);
}

/// Models are for editors: what a node has below it counts more.
#[test]
fn models_that_are_wrong() {
    let text = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Main\"><Around><Say/></Around></BehaviorTree>\
        <TreeNodesModel><Control ID=\"Say\"/><Action ID=\"Around\"/></TreeNodesModel></root>";
    assert_eq!(codes(text), [Code::WrongLeafKind, Code::WrongLeafKind]);
    plays_text(text, "Say: F", &["1 FAILURE | tick Say FAILURE"]);
    let explicit = text.replace("<Say/>", "<Control ID=\"Say\"/>");
    assert!(codes(&explicit).contains(&Code::MissingChildren));
}

/// Two calls of one name beside each other are a mistake in version 4 only.
#[test]
fn calls_of_one_name() {
    let text = "<root FORMAT main_tree_to_execute=\"Main\"><BehaviorTree ID=\"Main\"><Sequence>\
        <SubTree ID=\"Go\" name=\"go\"/><SubTree ID=\"Go\" name=\"go\"/></Sequence></BehaviorTree>\
        <BehaviorTree ID=\"Go\"><Action ID=\"A\"/></BehaviorTree></root>";
    for (format, is_error) in [
        ("", false),
        ("BTCPP_format=\"3\"", false),
        ("BTCPP_format=\"4\"", true),
    ] {
        let text = text.replace("FORMAT", format);
        assert_eq!(codes(&text), [Code::Duplicate], "{format}");
        let document = Document::parse(&text, "t.xml");
        assert_eq!(document.has_errors(), is_error, "{format}");
    }
}

/// The time of a decorator goes on over a child that is skipped at once. If it passes while the child is not running, this
/// run has no limit.
#[test]
fn time_goes_on_over_skipped_children() {
    plays(
        "<Parallel success_count=\"2\"><Delay delay_msec=\"200\"><Act name=\"A\"/></Delay><Act name=\"B\"/></Parallel>",
        "A: K K R S\nB: R\n",
        &[
            "1 RUNNING | tick B RUNNING",
            "2 RUNNING | tick B RUNNING",
            "3 RUNNING | tick A SKIPPED; tick B RUNNING",
            "4 RUNNING | tick A SKIPPED; tick B RUNNING",
            "5 RUNNING | tick A RUNNING; tick B RUNNING",
            "6 RUNNING | tick A SUCCESS; tick B RUNNING",
        ],
    );
    let timeout = "<Timeout msec=\"150\"><Act name=\"A\"/></Timeout>";
    plays(
        timeout,
        "A: K R\n",
        &[
            "1 SKIPPED | tick A SKIPPED",
            "2 RUNNING | tick A RUNNING",
            "3 FAILURE | halt A",
        ],
    );
    plays(
        timeout,
        "A: K K K R\n",
        &[
            "1 SKIPPED | tick A SKIPPED",
            "2 SKIPPED | tick A SKIPPED",
            "3 SKIPPED | tick A SKIPPED",
            "4 RUNNING | tick A RUNNING",
            "5 RUNNING | tick A RUNNING",
            "6 RUNNING | tick A RUNNING",
        ],
    );
}
