//! A name that is one kind of leaf in a document and another in the registry.

use treemind::NodeType;
use treemind::doc::manifest::LeafWord;
use treemind::leaves::BindProblem;
use treemind::leaves::{Move, Told};
use treemind::population::Behaviour;
use treemind::prelude::*;

/// A line of `leaves` and a tree that uses it, by kind.
const KINDS: [(&str, LeafWord, &str, &str); 9] = [
    (
        "a condition",
        LeafWord::Condition,
        "condition x",
        "condition x",
    ),
    ("an action", LeafWord::Action, "action x", "action x"),
    (
        "a service",
        LeafWord::Service,
        "service x",
        "service x { run; }",
    ),
    (
        "a composite",
        LeafWord::Composite,
        "composite x",
        "node x { run; }",
    ),
    (
        "a decorator",
        LeafWord::Decorator,
        "decorator x",
        "node x { run; }",
    ),
    ("a sensor", LeafWord::Sensor, "sensor x", "check \"n > 0\""),
    ("an event", LeafWord::Event, "event x", "emit x"),
    (
        "candidates",
        LeafWord::Candidates,
        "candidates x type=vec2",
        "find c in=x into=\"{v}\"",
    ),
    (
        "a measure",
        LeafWord::Measure,
        "measure x { param of type=vec2; }",
        "find c in=\"{l}\" into=\"{v}\" { keep \"x(c) > 0\"; }",
    ),
];

/// A composite or decorator that does nothing.
#[derive(serde::Deserialize)]
struct Idle {}

impl NodeType<()> for Idle {
    type State = ();

    fn decide(&self, (): &mut (), (): &mut (), _: &mut Agent, _: Told) -> Result<Move, TaskError> {
        Ok(Move::Answer(Status::Running))
    }
}

#[warn(clippy::wildcard_enum_match_arm)]
fn registered(word: LeafWord) -> Registry<()> {
    let mut registry = Registry::<()>::new();
    match word {
        LeafWord::Condition => registry.condition("x", |(), _| true),
        LeafWord::Action => registry.action("x", |(), _| Status::Success),
        LeafWord::Service => registry.service("x", |(), _| ()),
        LeafWord::Composite => registry.composite_type::<Idle>("x"),
        LeafWord::Decorator => registry.decorator_type::<Idle>("x"),
        LeafWord::Sensor => registry.sensor("x", |(), _| 1_i64),
        LeafWord::Event => registry.on_event("x", |(), _| ()),
        LeafWord::Candidates => {
            registry.candidates("x", |(), _, list: &mut dyn FnMut([f32; 2]) -> bool| {
                list([0.0; 2]);
            })
        }
        LeafWord::Measure => registry.measure("x", |(), _, _: [f32; 2]| 0.0),
        _ => treemind_core::unlisted(&word),
    };
    registry
}

fn behaviour(line: &str, root: &str) -> Behaviour {
    let sensed = if line == "sensor x" { "sensor=x" } else { "" };
    let text = format!(
        "leaves {{ {line}; }}\n blackboard {{ key n type=int {sensed}; key v type=vec2; key l type=vec2 list=3; }}\n tree t {{ {root}; }}"
    );
    let document = Document::parse(&text, "t.kdl");
    document
        .behaviour(None)
        .expect("the document has no errors")
}

#[test]
fn a_name_of_another_kind_is_refused_and_both_kinds_are_named() {
    for (wanted, word, line, root) in KINDS {
        let behaviour = behaviour(line, root);
        for (given, other, ..) in KINDS {
            let bound = registered(other).bind(&behaviour);
            if word == other {
                assert!(bound.is_ok(), "{wanted}");
                continue;
            }
            let error = bound.err().expect("it is of another kind");
            let text = format!("`x` is {wanted} in the behaviour, but is registered as {given}");
            assert_eq!(error.to_string(), text);
            assert!(matches!(
                &error.problems()[0],
                BindProblem::WrongKind { registered, .. } if *registered == other
            ));
        }
    }
}

/// The last leaf registered under a name replaces earlier ones, whatever its kind.
#[test]
fn the_last_kind_of_a_name_counts() {
    let mut registry = registered(LeafWord::Condition);
    registry.service("x", |(), _| ());
    let error = registry
        .bind(&behaviour("condition x", "condition x"))
        .err();
    assert_eq!(
        error.expect("it is a service now").to_string(),
        "`x` is a condition in the behaviour, but is registered as a service"
    );
    assert!(
        registry
            .bind(&behaviour("service x", "service x { run; }"))
            .is_ok()
    );
}
