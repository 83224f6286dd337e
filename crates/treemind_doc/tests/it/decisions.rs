//! Good decision trees, and what they are lowered to.

use super::machines::assert_file;
use treemind_core::behaviour::{Decision, DecisionStep, Way};
use treemind_core::{Behaviour, Kind};
use treemind_doc::{Code, Document, dot, mermaid, outline};

fn document(text: &str) -> Document {
    let document = Document::parse(text, "test.kdl");
    let errors = document.diagnostics().iter();
    let errors: Vec<String> = errors.map(|item| item.to_plain()).collect();
    assert!(!document.has_errors(), "{}", errors.concat());
    document
}

fn behaviour(text: &str) -> Behaviour {
    match document(text).behaviour(None) {
        Ok(behaviour) => behaviour,
        Err(error) => panic!("{}", error.to_plain()),
    }
}

/// The decision of the root.
fn decision(behaviour: &Behaviour) -> &Decision {
    match &behaviour.node(behaviour.root()).kind {
        Kind::Decide(decision) => decision,
        kind => panic!("a {}", kind.keyword()),
    }
}

/// The root's decision among the actions `a`, `b` and `c`, by the keys `x`, `y` and `n`.
fn decide(text: &str) -> Behaviour {
    behaviour(&format!(
        "main decide=top
        blackboard {{ key x type=bool; key y type=bool; key n type=int; }}
        leaves {{ condition p; condition q; action a; action b; action c; }}
        {text}"
    ))
}

#[test]
fn the_decisions_of_the_fixture_print() {
    let document = document(&super::good("decisions.kdl"));
    assert_eq!(document.diagnostics(), []);
    assert_eq!(document.main_decision(), Some("watchman"));
    assert_eq!((document.main(), document.main_machine()), (None, None));
    let names = document.decisions().iter().map(|decision| decision.name());
    let names: Vec<&str> = names.collect();
    assert_eq!(names, ["watchman", "twice", "calm", "near", "chooser"]);
    assert_eq!(document.decisions()[0].doc(), Some("on the wall"));
    let mut printed = outline(&document.behaviour(None).unwrap());
    printed += &outline(&document.behaviour(Some("guard")).unwrap());
    for name in &names[1..] {
        printed += &outline(&document.decision(name).unwrap());
    }
    assert_file("decisions.outline", &printed);
}

#[test]
fn the_decisions_of_the_fixture_are_drawn() {
    let document = document(&super::good("decisions.kdl"));
    let [watchman, guard] = [document.behaviour(None), document.behaviour(Some("guard"))];
    let (watchman, guard) = (watchman.unwrap(), guard.unwrap());
    assert_file("decisions.mmd", &(mermaid(&watchman) + &mermaid(&guard)));
    assert_file("decisions.dot", &(dot(&watchman) + &dot(&guard)));
}

#[test]
fn what_is_gone_to_twice_is_there_once() {
    let twice = decide(
        "decide top { test \"x\" { goto far; }; test \"y\" { goto near; }; goto far
            branch near { goto far; }
            branch far { test-condition p { action a; }; action b; }
        }",
    );
    let decision = decision(&twice);
    let [first, second, asks] = decision.steps.as_slice() else {
        panic!("{decision:?}");
    };
    assert_eq!(first.ways(), [Way::Step(2), Way::Step(1)]);
    assert_eq!(second.ways(), [Way::Step(2), Way::Step(2)]);
    assert!(matches!(asks, DecisionStep::Ask { child: 0, .. }));
    assert_eq!(asks.ways(), [Way::Leaf(1), Way::Leaf(2)]);
    assert_eq!(twice.nodes().len(), 4);
}

#[test]
fn another_decision_tree_is_there_once_however_often_it_is_named() {
    let twice = decide(
        "decide top { test \"x\" { decide left; }; decide right; }
        decide left { test \"y\" { decide end; }; action a; }
        decide right { test \"n > 1\" { decide end; }; action b; }
        decide end { test-condition p { none; }; action c; }",
    );
    let decision = decision(&twice);
    assert_eq!(decision.steps.len(), 4);
    assert_eq!(twice.nodes().len(), 5, "{}", outline(&twice));
    let end = decision
        .steps
        .iter()
        .position(|step| matches!(step, DecisionStep::Ask { .. }));
    let leads = |step: &DecisionStep| step.ways().contains(&Way::Step(end.unwrap()));
    assert_eq!(decision.steps.iter().filter(|step| leads(step)).count(), 2);
}

#[test]
fn one_with_something_given_to_it_is_a_task_of_its_own() {
    let given = decide(
        "decide top { test \"x\" { decide end when=\"y\"; }; decide end when=\"y\"; }
        decide end { test-condition p { none; }; action c; }",
    );
    assert_eq!(decision(&given).steps.len(), 1);
    assert_eq!(given.nodes().len(), 7);
}

#[test]
fn what_cannot_be_reached_is_left_out() {
    let text = "decide top { test \"x\" { none; action a; }; action b; action c; branch d { test-condition p { action a; }; }; }";
    let short = decide(text);
    assert_eq!(short.nodes().len(), 2);
    assert_eq!(decision(&short).steps[0].ways(), [Way::None, Way::Leaf(0)]);
}

#[test]
fn keys_and_names_of_others_are_their_own() {
    let own = decide(
        "decide top { test \"x\" { decide other; }; goto end; branch end { action a; }; }
        decide other { key x type=int default=3; test \"x > 2\" { goto end; }; goto end; branch end { action b; }; }",
    );
    let keys: Vec<&str> = own.keys().iter().map(|key| key.name.as_str()).collect();
    assert_eq!(keys, ["x", "y", "n", "other.x"]);
    assert_eq!(own.nodes().len(), 3);
    let printed = outline(&own);
    assert!(printed.contains("test \"other.x > 2\""), "{printed}");
    assert!(printed.contains("branch other.end"), "{printed}");
}

#[test]
fn a_main_that_is_there_once_needs_no_word() {
    let text = "leaves { action a; }\ndecide only { action a; }";
    let only = document(text).behaviour(None).unwrap();
    assert_eq!(only.name(), "only");
    assert_eq!(only.nodes().len(), 2);
    let two = format!("{text}\ndecide other {{ action a; }}");
    let refused = document(&two).behaviour(None).unwrap_err().to_plain();
    assert!(
        refused.contains("which of its decision trees to run"),
        "{refused}"
    );
    assert!(refused.contains("add `main decide=NAME`"), "{refused}");
    let unknown = document(text).decision("onyl").unwrap_err().to_plain();
    assert!(unknown.contains("[T0118]"), "{unknown}");
    assert!(unknown.contains("did you mean `only`?"), "{unknown}");
}

#[test]
fn long_rows_of_branches_and_definitions_are_read() {
    const MANY: usize = 10_000;
    let mut text =
        "blackboard { key x type=bool; }\nleaves { action a; }\ndecide top { goto b0\n".to_owned();
    for number in 0..MANY {
        let next = number + 1;
        text += &format!("branch b{number} {{ test \"x\" {{ goto b{next}; }}; goto b{next}; }}\n");
    }
    text += &format!("branch b{MANY} {{ action a; }}\n}}\nmain decide=top\n");
    let long = behaviour(&text);
    assert_eq!(decision(&long).steps.len(), MANY);
    assert_eq!(outline(&long).lines().count(), 4 * MANY + 2);
    assert!(mermaid(&long).lines().count() > 3 * MANY);

    let mut text = "blackboard { key x type=bool; }\nleaves { action a; }\n".to_owned();
    const DEFINITIONS: usize = 300;
    for number in 0..DEFINITIONS {
        let next = number + 1;
        text +=
            &format!("decide d{number} {{ test \"x\" {{ decide d{next}; }}; decide d{next}; }}\n");
    }
    text += &format!("decide d{DEFINITIONS} {{ action a; }}\nmain decide=d0\n");
    assert_eq!(decision(&behaviour(&text)).steps.len(), DEFINITIONS);
}

#[test]
fn deep_blocks_within_deep_blocks_are_read() {
    // Each definition is as deep as a text may be, and the one before refers to it with a `when`.
    const DEFINITIONS: usize = 30;
    const DEEP: usize = 240;
    let mut text =
        "blackboard { key x type=bool; }\nleaves { action a; }\nmain decide=d0\n".to_owned();
    for number in 0..=DEFINITIONS {
        let leaf = match number {
            DEFINITIONS => "action a".to_owned(),
            _ => format!("decide d{} when=\"x\"", number + 1),
        };
        text += &format!("decide d{number} {{ ");
        text += &"test \"x\" { ".repeat(DEEP);
        text += &leaf;
        text += &"; }".repeat(DEEP);
        text += "; }\n";
    }
    let deep = behaviour(&text);
    assert_eq!(deep.nodes().len(), DEFINITIONS + 2);
}

#[test]
fn a_machine_is_decided_by_states_and_not_by_tasks() {
    let text = |leaf: &str| {
        format!(
            "machine m {{ initial a; transition decide=d; state a; state b; }}\nleaves {{ action go; }}\n\
             blackboard {{ key x type=bool default=#false; }}\ndecide d {{ test \"x\" {{ {leaf}; }}; none; }}"
        )
    };
    let codes = |text: &str| -> Vec<Code> {
        let document = Document::parse(text, "test.kdl");
        let items = document.diagnostics().iter();
        items.map(|item| item.code()).collect()
    };
    assert_eq!(codes(&text("action go")), [Code::MisplacedNode]);
    assert_eq!(codes(&text("state b")), []);
    let document = Document::parse(&text("state b"), "test.kdl");
    let behaviour = document.machine("m").expect("the machine runs");
    let Kind::Machine(machine) = &behaviour.node(behaviour.root()).kind else {
        panic!("a machine");
    };
    assert_eq!((machine.deciders.len(), machine.transitions.len()), (1, 1));
}

#[test]
fn leaves_of_one_decider_are_not_taken_for_one_another() {
    let text = "blackboard { key x type=bool default=#false; key y type=bool default=#false; }
        machine m { initial a; state a { transition decide=d when=\"x\"; }; state b; state c; }
        decide d { test \"y\" { state b; }; state c; }";
    let document = Document::parse(text, "test.kdl");
    let codes: Vec<Code> = document
        .diagnostics()
        .iter()
        .map(|item| item.code())
        .collect();
    let shadowed = [Code::NeverTaken, Code::NothingLeadsHere];
    assert!(
        !codes.iter().any(|code| shadowed.contains(code)),
        "{codes:?}"
    );
}

/// Where a decision tree leads only to the state that a machine begins in, it leads nowhere, and its tasks never run.
#[test]
fn a_best_that_leads_only_to_where_the_machine_is_is_never_taken() {
    let codes = |options: &str| -> Vec<Code> {
        let text = format!(
            "blackboard {{ key on type=bool; }}
            machine m {{ initial house; state house {{
                initial dark
                transition decide=d
                state dark
                state bright
            }}; }}
            decide d {{ best {{ {options}; }}; }}"
        );
        let document = Document::parse(&text, "test.kdl");
        let items = document.diagnostics().iter();
        let codes = items.map(|item| item.code());
        let wanted = [Code::NothingLeadsHere, Code::NeverTaken];
        codes.filter(|code| wanted.contains(code)).collect()
    };
    assert_eq!(
        codes("option 0.4 { state dark { set \"on = true\"; }; }"),
        [Code::NeverTaken, Code::NothingLeadsHere]
    );
    assert_eq!(
        codes("option 0.4 { state dark { set \"on = true\"; }; }; option 0.3 { state bright; }"),
        []
    );
}
