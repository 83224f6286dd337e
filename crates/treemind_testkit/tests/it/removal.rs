//! What removed agents leave behind.

use std::time::Duration;
use treemind_core::behaviour::{Leaf, LeafKind, Yields};
use treemind_core::host::Order;
use treemind_core::{Kind, LeafId, Node, Parts, Status};
use treemind_testkit::compare::compare;
use treemind_testkit::generate::{Case, Op, Step};

fn action(index: usize) -> Node {
    Node::leaf(Kind::Action {
        leaf: LeafId::new(index),
        args: Vec::new(),
    })
}

/// A node that a list has left open is open again while the agent is removed, and this may tick the list.
#[test]
fn a_list_with_something_put_aside_catches_the_removal_of_its_agent() {
    let sticky = Kind::StickySequence {
        yields: Yields::Never,
        reset_on_abort: false,
        leaves_open: true,
    };
    let list = Node::with(sticky, vec![action(1), Node::leaf(Kind::Fail)]);
    let catch = Kind::TryCatch { on_abort: true };
    let parts = Parts {
        name: "t".to_owned(),
        enums: Vec::new(),
        keys: Vec::new(),
        leaves: ["a", "b"]
            .map(|name| Leaf::new(name, LeafKind::ACTION))
            .into(),
        semaphores: Vec::new(),
        labels: Vec::new(),
        root: Node::with(catch, vec![action(0), list]),
    };
    use Status::{Failure, Running, Skipped};
    let script = vec![
        ("a".to_owned(), vec![Failure, Running]),
        ("b".to_owned(), vec![Running, Skipped]),
    ];
    let step = |ops| Step {
        budget: None,
        ops,
        dt: Duration::from_millis(100),
    };
    let case = Case {
        parts,
        max_turns: None,
        interval: 1,
        agents: 2,
        seed: 1,
        order: Order::Independent,
        scripts: vec![script; 2],
        writes: Vec::new(),
        readings: Vec::new(),
        steps: vec![
            step(Vec::new()),
            step(Vec::new()),
            step(Vec::new()),
            step(vec![Op::Remove(1)]),
        ],
    };
    if let Err(mismatch) = compare(&case) {
        panic!("{mismatch:#?}");
    }
}
