//! The exact events of guards, of statements after nodes, and of weighted draws, in the reference.

use std::time::Duration;
use treemind_core::behaviour::{Guards, Hooks, Key, Leaf, LeafKind, Parts, Yields};
use treemind_core::expr::{Arith, Assign, Change};
use treemind_core::{
    Behaviour, Event, Expr, KeyId, Kind, LeafId, Node, NodeId, Status, Type, Value,
};
use treemind_testkit::reference::{Cell, Reference};
use treemind_testkit::scripts::{Scripts, parse_answers};

/// A key `n` to which statements append digits, a key `go` that is true, and an action `a`.
const N: usize = 0;
const GO: usize = 1;

fn action() -> Node {
    Node::leaf(Kind::Action {
        leaf: LeafId::new(0),
        args: Vec::new(),
    })
}

fn sequence(children: Vec<Node>) -> Node {
    let yields = Yields::Never;
    Node::with(Kind::Sequence { yields }, children)
}

fn n() -> Box<Expr> {
    Box::new(Expr::Key(KeyId::new(N), Type::Int))
}

fn go() -> Expr {
    Expr::Key(KeyId::new(GO), Type::Bool)
}

fn int(value: i64) -> Box<Expr> {
    Box::new(Expr::Value(Value::Int(value)))
}

fn truth(value: bool) -> Option<Expr> {
    Some(Expr::Value(Value::Bool(value)))
}

/// A test that causes a fault.
fn fault() -> Option<Expr> {
    let bad = Expr::Arith(Arith::Div, int(1), int(0));
    let op = treemind_core::expr::Compare::Eq;
    Some(Expr::Compare(op, Box::new(bad), int(0)))
}

/// `n = n * 10 + digit`
fn note(digit: i64) -> Vec<Assign> {
    let shifted = Expr::Arith(Arith::Mul, n(), int(10));
    vec![Assign {
        key: KeyId::new(N),
        change: Change::Set,
        value: Expr::Arith(Arith::Add, Box::new(shifted), int(digit)),
    }]
}

/// Appends 1 after success, 2 after failure, 3 after an abort, 4 at the end.
fn noting() -> Hooks {
    Hooks {
        on_success: note(1),
        on_failure: note(2),
        on_abort: note(3),
        on_end: note(4),
        on_fault: None,
    }
}

fn with(mut node: Node, guards: Guards, hooks: Hooks) -> Node {
    (node.guards, node.hooks) = (guards, hooks);
    node
}

fn behaviour(root: Node) -> Behaviour {
    let parts = Parts {
        name: "t".to_owned(),
        enums: Vec::new(),
        keys: vec![
            Key::new("n", Value::Int(0)),
            Key::new("go", Value::Bool(true)),
        ],
        leaves: vec![Leaf::new("a", LeafKind::ACTION)],
        semaphores: Vec::new(),
        labels: Vec::new(),
        root,
    };
    Behaviour::new(parts).expect("the parts fit together")
}

/// Plays a tree. Each tick has a word for what happens before it: `go` or `stop` (sets the key), or `halt` instead
/// of a tick. Compares the events, and `n` after them.
fn expect(root: Node, script: &str, steps: &[(&str, &str, i64)]) {
    let behaviour = behaviour(root);
    let mut scripts = Scripts::new(&behaviour);
    scripts.set(
        "a",
        &parse_answers(script).expect("the answers are S, F, R, K"),
    );
    let mut reference = Reference::new(&behaviour, 0, 0);
    for (index, (before, wanted, n)) in steps.iter().enumerate() {
        match *before {
            "halt" => reference.abort(&mut scripts),
            go => {
                reference.write(KeyId::new(GO), Cell::One(Value::Bool(go == "go")));
                reference.tick(&mut scripts, Duration::from_millis(100));
            }
        }
        let show = |(node, event): &(NodeId, Event)| {
            let event = format!("{event:?}").to_lowercase();
            format!("{} {event}", behaviour.label(*node))
        };
        let events: Vec<String> = reference.events().iter().map(show).collect();
        assert_eq!(events.join(", "), *wanted, "step {index}");
        assert_eq!(
            reference.keys()[N],
            Cell::One(Value::Int(*n)),
            "step {index}"
        );
    }
}

#[test]
fn a_guard_answers_in_the_place_of_a_node_and_statements_follow() {
    let fails = Guards {
        fail_if: truth(true),
        succeed_if: truth(true),
        ..Guards::default()
    };
    let root = with(sequence(vec![action()]), fails, noting());
    let wanted = "sequence guard(failure), sequence write, sequence write";
    expect(root, "S", &[("go", wanted, 24)]);
    let succeeds = Guards {
        succeed_if: truth(true),
        skip_if: truth(true),
        ..Guards::default()
    };
    let wanted = "a guard(success), a write, a write";
    expect(
        with(action(), succeeds, noting()),
        "S",
        &[("go", wanted, 14)],
    );
    let skips = Guards {
        skip_if: truth(true),
        while_holds: truth(false),
        while_else: Status::Failure,
        ..Guards::default()
    };
    let root = with(action(), skips, noting());
    expect(root, "S", &[("go", "a guard(skipped)", 0)]);
}

#[test]
fn tests_before_a_run_are_not_looked_at_in_the_middle_of_one() {
    let guards = Guards {
        fail_if: Some(Expr::Not(Box::new(go()))),
        ..Guards::default()
    };
    let root = with(action(), guards, Hooks::default());
    expect(
        root,
        "R R S",
        &[
            ("go", "a start, a tick(running)", 0),
            ("stop", "a tick(running)", 0),
            ("stop", "a tick(success), a stop(success)", 0),
            ("stop", "a guard(failure)", 0),
        ],
    );
}

#[test]
fn while_aborts_a_live_node_and_answers_in_its_place() {
    let guards = |while_else| Guards {
        while_holds: Some(go()),
        while_else,
        ..Guards::default()
    };
    let inside = with(action(), Guards::default(), noting());
    let root = |while_else| {
        let list = sequence(vec![inside.clone()]);
        with(list, guards(while_else), noting())
    };
    let begun = (
        "go",
        "sequence enter, a start, a tick(running), sequence tick(running)",
        0,
    );
    let cut = "a abort, a stop(aborted), a write, sequence write, sequence guard";
    let (skipped, failure) = (
        format!("{cut}(skipped)"),
        format!("{cut}(failure), sequence write, sequence write"),
    );
    let success = format!("{cut}(success), sequence write, sequence write");
    for (while_else, wanted, n) in [
        (Status::Skipped, &skipped, 33),
        (Status::Running, &skipped, 33),
        (Status::Failure, &failure, 3324),
        (Status::Success, &success, 3314),
    ] {
        expect(root(while_else), "R", &[begun, ("stop", wanted, n)]);
    }
}

#[test]
fn a_fault_in_a_guard_is_failure_and_aborts_a_live_node() {
    let first = Guards {
        skip_if: fault(),
        ..Guards::default()
    };
    let root = with(action(), first, noting());
    let wanted = "a fault, a guard(failure), a write, a write";
    expect(root, "S", &[("go", wanted, 24)]);
    let op = Arith::Div;
    let divided = Expr::Arith(
        op,
        int(1),
        Box::new(Expr::If(Box::new(go()), int(1), int(0))),
    );
    let later = Guards {
        while_holds: Some(Expr::Compare(
            treemind_core::expr::Compare::Eq,
            Box::new(divided),
            int(1),
        )),
        while_else: Status::Success,
        ..Guards::default()
    };
    let wanted = "a fault, a abort, a stop(aborted), a write, a guard(failure), a write, a write";
    expect(
        with(action(), later, noting()),
        "R",
        &[("go", "a start, a tick(running)", 0), ("stop", wanted, 324)],
    );
}

#[test]
fn statements_follow_answers_and_aborts_of_live_nodes_alone() {
    expect(
        with(action(), Guards::default(), noting()),
        "K R K S F R",
        &[
            ("go", "a start, a tick(skipped), a stop(aborted)", 0),
            ("halt", "", 0),
            ("go", "a start, a tick(running)", 0),
            ("go", "a tick(skipped)", 0),
            (
                "go",
                "a tick(success), a stop(success), a write, a write",
                14,
            ),
            ("halt", "", 14),
            (
                "go",
                "a start, a tick(failure), a stop(failure), a write, a write",
                1424,
            ),
            ("go", "a start, a tick(running)", 1424),
            ("halt", "a abort, a stop(aborted), a write", 14243),
        ],
    );
}

#[test]
fn a_fault_in_statements_leaves_the_answer_and_the_next_list_as_they_are() {
    let mut broken = note(5);
    broken.push(Assign {
        key: KeyId::new(N),
        change: Change::Set,
        value: Expr::Arith(Arith::Div, int(1), int(0)),
    });
    broken.extend(note(6));
    let hooks = Hooks {
        on_success: broken,
        on_end: note(4),
        ..Hooks::default()
    };
    let root = with(Node::leaf(Kind::Succeed), Guards::default(), hooks);
    let wanted = "succeed tick(success), succeed fault, succeed write";
    expect(root, "S", &[("go", wanted, 54)]);
}

#[test]
fn a_parallel_that_ends_was_not_aborted() {
    let kind = Kind::ParallelAll { max_failures: 1 };
    let hooked = |node| with(node, Guards::default(), noting());
    let root = hooked(Node::with(kind, vec![hooked(action())]));
    let wanted = "parallel-all enter, a start, a tick(success), a stop(success), a write, a write, \
        parallel-all tick(success), parallel-all write, parallel-all write";
    expect(root, "S", &[("go", wanted, 1414)]);
}

#[test]
fn weights_that_are_none_fail_even_where_all_were_skipped() {
    let weights = |weights: [f64; 2]| Kind::WeightedSelector {
        weights: weights
            .map(|weight| Expr::Value(Value::Double(weight)))
            .to_vec(),
    };
    let skipped = "a start, a tick(skipped), a stop(aborted)";
    let root = Node::with(weights([0.0, 1.0]), vec![action(), action()]);
    let wanted = format!("weighted-selector enter, {skipped}, weighted-selector tick(failure)");
    expect(root, "K", &[("go", &wanted, 0)]);
    let root = Node::with(weights([2.0, 1.0]), vec![action(), action()]);
    let wanted =
        format!("weighted-selector enter, {skipped}, {skipped}, weighted-selector tick(skipped)");
    expect(root, "K", &[("go", &wanted, 0)]);
    for none in [-1.0, f64::NAN, f64::INFINITY] {
        let root = Node::with(weights([none, 0.0]), vec![action(), action()]);
        let wanted = "weighted-selector enter, weighted-selector tick(failure)";
        expect(root, "S", &[("go", wanted, 0)]);
    }
}

#[test]
fn with_replacement_there_is_one_draw_in_a_tick_and_no_end_but_one() {
    let replacement = true;
    for (kind, script) in [
        (Kind::RandomSelector { replacement }, "F K S"),
        (Kind::RandomSequence { replacement }, "S K F"),
    ] {
        let word = kind.keyword();
        let hooks = Hooks {
            on_abort: note(3),
            ..Hooks::default()
        };
        let root = with(Node::with(kind, vec![action()]), Guards::default(), hooks);
        let (goes_on, end) = match script {
            "F K S" => ("failure", "success"),
            _ => ("success", "failure"),
        };
        let first = format!(
            "{word} enter, a start, a tick({goes_on}), a stop({goes_on}), {word} tick(running)"
        );
        let second = format!(
            "{word} enter, a start, a tick(skipped), a stop(aborted), {word} tick(running)"
        );
        let last =
            format!("{word} enter, a start, a tick({end}), a stop({end}), {word} tick({end})");
        let aborted = format!("{word} write");
        expect(
            root.clone(),
            script,
            &[
                ("go", &first, 0),
                ("go", &second, 0),
                ("go", &last, 0),
                ("halt", "", 0),
            ],
        );
        expect(root, script, &[("go", &first, 0), ("halt", &aborted, 3)]);
    }
}
