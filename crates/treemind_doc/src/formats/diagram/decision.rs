//! Decision trees in diagrams: a box for each test, an edge for each of its ways.

use crate::outline::{always_draws, test_text, way_text};
use treemind_core::behaviour::{Decision, DecisionStep, Way};
use treemind_core::{Behaviour, Kind, NodeId};

/// The parts of a decision tree that are drawn in addition to its tasks.
#[derive(Default)]
pub(super) struct Drawn {
    /// The name of each test's box in the diagram, and its text.
    pub(super) tests: Vec<(String, String)>,
    /// The beginning, the end and the label of each edge.
    pub(super) edges: Vec<(String, String, Option<String>)>,
    /// The name of the box for "nothing to do", if some way leads there.
    pub(super) none: Option<String>,
}

/// The decision tree of a node, if it is one.
pub(super) fn decision_of(behaviour: &Behaviour, node: NodeId) -> Option<&Decision> {
    match &behaviour.node(node).kind {
        Kind::Decide(decision) => Some(decision),
        _ => None,
    }
}

/// The conditions that the tests of a decision tree ask. They have no box of their own.
pub(super) fn asked<'a>(
    behaviour: &'a Behaviour,
    node: NodeId,
    decision: &'a Decision,
) -> impl Iterator<Item = NodeId> + 'a {
    let children = &behaviour.node(node).children;
    decision.steps.iter().filter_map(|step| match step {
        DecisionStep::Ask { child, .. } => Some(children[*child]),
        _ => None,
    })
}

pub(super) fn drawn(behaviour: &Behaviour, node: NodeId, decision: &Decision) -> Drawn {
    let number = node.index();
    let children = &behaviour.node(node).children;
    let mut drawn = Drawn::default();
    let none = format!("n{number}none");
    let mut to = |way: Way| match way {
        Way::Step(step) => format!("n{number}t{step}"),
        Way::Leaf(child) => format!("n{}", children[child].index()),
        Way::None => {
            drawn.none = Some(none.clone());
            none.clone()
        }
    };
    drawn
        .edges
        .push((format!("n{number}"), to(decision.first), None));
    for (at, step) in decision.steps.iter().enumerate() {
        let from = format!("n{number}t{at}");
        let ways = step.ways();
        for (index, way) in ways.iter().enumerate() {
            if *way == Way::None && index + 1 == ways.len() && always_draws(step) {
                continue;
            }
            let label = way_text(behaviour, step, index);
            drawn.edges.push((from.clone(), to(*way), Some(label)));
        }
        drawn.tests.push((from, test_text(behaviour, node, step)));
    }
    drawn
}
