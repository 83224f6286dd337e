//! A failing case is made small, and its report is readable.

use std::collections::BTreeSet;
use treemind_core::behaviour::{Decision, DecisionStep, Target, Way};
use treemind_core::{Behaviour, Kind, Node, NodeId, Value};
use treemind_doc::{About, outline_lines};
use treemind_testkit::compare::{
    Mismatch, case_of_seed, outline, report, same_value, shrink_while, try_compare,
};
use treemind_testkit::generate::Case;

#[test]
fn values_are_compared_to_the_bit_and_nans_are_one() {
    assert!(!same_value(Value::Double(0.0), Value::Double(-0.0)));
    assert!(same_value(Value::Float(f32::NAN), Value::Float(-f32::NAN)));
    assert!(!same_value(Value::Double(1.0), Value::Double(2.0)));
    assert!(!same_value(Value::Double(1.0), Value::Float(1.0)));
    assert!(!same_value(Value::Int(1), Value::Int(2)));
}

#[test]
fn an_outline_has_a_line_per_node() {
    for seed in 0..20 {
        let case = case_of_seed(seed, 1, 1);
        let behaviour = Behaviour::new(case.parts).expect("a case's parts fit together");
        let outline = outline(&behaviour);
        // A part that several ways of a decision tree lead to may be printed several times.
        let words = outline
            .lines()
            .filter_map(|line| line.split_whitespace().next());
        let numbers: BTreeSet<&str> = words.filter(|word| word.starts_with('#')).collect();
        let unreached = unreached(&behaviour);
        let nodes = behaviour.nodes().len() - unreached.len();
        assert_eq!(numbers.len(), nodes, "{outline}");
    }
}

/// What no way of a decision tree leads to: outlines do not show it.
fn unreached(behaviour: &Behaviour) -> BTreeSet<NodeId> {
    let mut pending = unreached_in_decisions(behaviour);
    pending.extend(unreached_in_machines(behaviour));
    let mut found = BTreeSet::new();
    while let Some(node) = pending.pop() {
        if found.insert(node) {
            pending.extend(&behaviour.node(node).children);
        }
    }
    found
}

/// The children of `decide` nodes that no way leads to.
fn unreached_in_decisions(behaviour: &Behaviour) -> Vec<NodeId> {
    let mut found = Vec::new();
    for placed in behaviour.nodes() {
        let Kind::Decide(decision) = &placed.kind else {
            continue;
        };
        let (leaves, asked) = reached(decision);
        let children = placed.children.iter().enumerate();
        let lost = children.filter(|(nth, _)| !leaves.contains(nth) && !asked.contains(nth));
        found.extend(lost.map(|(_, node)| *node));
    }
    found
}

/// The leaves of a decision tree that some way leads to, and the children that are asked on the way.
fn reached(decision: &Decision) -> (BTreeSet<usize>, BTreeSet<usize>) {
    let (mut leaves, mut asked) = (BTreeSet::new(), BTreeSet::new());
    let (mut known, mut ways) = (BTreeSet::new(), vec![decision.first]);
    while let Some(way) = ways.pop() {
        match way {
            Way::Leaf(leaf) => drop(leaves.insert(leaf)),
            Way::Step(number) if known.insert(number) => {
                let step = &decision.steps[number];
                asked.extend(asked_in(step));
                ways.extend(step.ways());
            }
            Way::Step(_) | Way::None => {}
        }
    }
    (leaves, asked)
}

fn asked_in(step: &DecisionStep) -> Option<usize> {
    match step {
        DecisionStep::Ask { child, .. } => Some(*child),
        _ => None,
    }
}

/// The nodes of transitions that no way of their decision tree leads to, and those that such a tree never asks.
fn unreached_in_machines(behaviour: &Behaviour) -> Vec<NodeId> {
    let lines = outline_lines(behaviour);
    let shown: BTreeSet<_> = lines
        .iter()
        .filter_map(|line| match line.about {
            About::Transition(node, number) => Some((node, number)),
            _ => None,
        })
        .collect();
    let mut pending = Vec::new();
    for (index, placed) in behaviour.nodes().iter().enumerate() {
        let Kind::Machine(machine) = &placed.kind else {
            continue;
        };
        for decider in &machine.deciders {
            let (_, asked) = reached(decider);
            let all = decider.steps.iter().filter_map(asked_in);
            let lost = all.filter(|child| !asked.contains(child));
            pending.extend(lost.map(|child| placed.children[child]));
        }
        for (number, transition) in machine.transitions.iter().enumerate() {
            if shown.contains(&(NodeId::new(index), number)) {
                continue;
            }
            let mut tasks = transition.tasks.clone();
            // All transitions of a decision tree share their conditions.
            let mut siblings = machine.transitions.iter().enumerate();
            let is_shared = siblings.any(|(other, sibling)| {
                sibling.conditions == transition.conditions
                    && shown.contains(&(NodeId::new(index), other))
            });
            tasks.extend(transition.conditions.filter(|_| !is_shared));
            let mut targets: Vec<&Target> = transition.targets.iter().collect();
            while let Some(target) = targets.pop() {
                if let Target::History {
                    fallback,
                    tasks: first,
                    ..
                } = target
                {
                    tasks.extend(first);
                    targets.extend(fallback);
                }
            }
            pending.extend(tasks.into_iter().map(|task| placed.children[task]));
        }
    }
    pending
}

#[test]
fn an_empty_plan_agrees() {
    let mut case = case_of_seed(1, 2, 5);
    case.steps.clear();
    assert!(try_compare(&case).is_ok());
}

/// How many nodes of a tree are of a kind.
fn count(node: &Node, is_it: &dyn Fn(&Kind) -> bool) -> usize {
    let inside: usize = node.children.iter().map(|child| count(child, is_it)).sum();
    inside + usize::from(is_it(&node.kind))
}

/// Whether there is a `wait` somewhere below a `monitor`.
fn has_monitor_with_wait(node: &Node) -> bool {
    let is_wait = |kind: &Kind| matches!(kind, Kind::Wait { .. });
    node.kind == Kind::Monitor && count(node, &is_wait) > 0
        || node.children.iter().any(has_monitor_with_wait)
}

#[test]
fn shrinking_leaves_what_matters() {
    let holds = |case: &Case| {
        has_monitor_with_wait(&case.parts.root) && case.agents >= 2 && case.steps.len() >= 3
    };
    let large = (0..).map(|seed| case_of_seed(seed, 70, 20)).find(|case| {
        holds(case) && count(&case.parts.root, &|_| true) > 20 && case.steps.len() > 10
    });
    let small = shrink_while(&large.expect("there is no end of seeds"), &holds);
    assert!(holds(&small));
    assert_eq!(count(&small.parts.root, &|_| true), 2);
    assert_eq!((small.agents, small.steps.len()), (2, 3));
    assert!(small.steps.iter().all(|step| step.ops.is_empty()));
    assert!(small.writes.is_empty());
}

#[test]
fn a_report_shows_the_tree_the_script_and_both_sides() {
    let mut case = case_of_seed(3, 2, 4);
    case.scripts[1] = vec![("door".to_owned(), vec![treemind_core::Status::Skipped])];
    let lines = |last: &str| -> Vec<String> {
        let alike = (0..50).map(|line| format!("alike {line}"));
        alike.chain([last.to_owned()]).collect()
    };
    let mismatch = Mismatch {
        tick: 2,
        agent: 1,
        what: "the events of leaves".to_owned(),
        executor: lines("of the executor"),
        reference: lines("of the reference"),
        is_panic: false,
    };
    let text = report(&case, &mismatch);
    for part in [
        "differs: the events of leaves",
        "#0 ",
        "script of agent 1:\n  door: K",
        "tick 2, agent 1",
        "(30 lines alike)",
        "> of the executor",
        "> of the reference",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert!(!text.contains("alike 29"));
}
