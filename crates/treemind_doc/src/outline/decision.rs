//! Decision trees in an outline: tests are listed one below the other, and what they lead to is indented.

use super::lines::{About, Item, OutlineLine, part};
use super::{details, expression, number_text, quoted};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use treemind_core::behaviour::{Decision, DecisionStep, Lasts, Way};
use treemind_core::{Behaviour, Expr, NodeId};

/// What remains to be written.
enum Work {
    Way(Way, usize),
    /// The beginning of a branch.
    Branch(Way, usize),
    Line(OutlineLine),
}

/// Everything in a decision tree, the first item last. Parts that several ways lead to, or that have a name, are
/// written after the rest as branches, so that each part is written once.
pub(super) fn items(
    behaviour: &Behaviour,
    node: NodeId,
    decision: &Decision,
    indent: usize,
) -> Vec<Item> {
    let children = &behaviour.node(node).children;
    let tree = Placed {
        node,
        decision,
        first_test: 0,
        leaves: children.len(),
        leaf: &|leaf, indent| vec![Item::Node(children[leaf], indent)],
        name: &|leaf| behaviour.label(children[leaf]).to_owned(),
    };
    let mut items = items_of(behaviour, tree, indent);
    items.reverse();
    items
}

/// A decision tree, and what its leaves are.
pub(super) struct Placed<'a> {
    /// The node that it is, or the machine whose transitions it decides.
    pub(super) node: NodeId,
    pub(super) decision: &'a Decision,
    /// The number of its first test in that node.
    pub(super) first_test: usize,
    /// How many leaves there are.
    pub(super) leaves: usize,
    /// What is written for a leaf, at an indentation.
    pub(super) leaf: &'a dyn Fn(usize, usize) -> Vec<Item>,
    /// A name for a leaf to which several ways lead.
    pub(super) name: &'a dyn Fn(usize) -> String,
}

/// Everything in a decision tree, in order.
pub(super) fn items_of(behaviour: &Behaviour, tree: Placed<'_>, indent: usize) -> Vec<Item> {
    let mut print = Print {
        behaviour,
        branches: branches(&tree),
        tree,
        begun: HashSet::new(),
        waiting: Vec::new(),
        items: Vec::new(),
    };
    print.all(Work::Branch(print.tree.decision.first, indent));
    let mut next = 0;
    while let Some(way) = print.waiting.get(next).copied() {
        next += 1;
        let name = quoted(&print.branches[&way]);
        print
            .items
            .push(Item::Line(part(indent, format!("branch {name}"))));
        print.all(Work::Branch(way, indent + 2));
    }
    print.items
}

/// The parts that are written as branches, with their names.
fn branches(tree: &Placed<'_>) -> HashMap<Way, String> {
    let decision = tree.decision;
    let mut names: HashMap<Way, String> = HashMap::new();
    let mut taken: HashSet<String> = HashSet::new();
    for (way, name) in &decision.names {
        if !names.contains_key(way) {
            names.insert(*way, distinct(name, &mut taken));
        }
    }
    let (steps, leaves) = decision.uses(tree.leaves);
    let shared = |uses: Vec<usize>| {
        let uses = uses.into_iter().enumerate();
        uses.filter(|(_, uses)| *uses > 1).map(|(index, _)| index)
    };
    let steps = shared(steps).map(|step| (Way::Step(step), "shared".to_owned()));
    let leaves = shared(leaves).map(|leaf| (Way::Leaf(leaf), (tree.name)(leaf)));
    for (way, name) in steps.chain(leaves) {
        names
            .entry(way)
            .or_insert_with(|| distinct(&name, &mut taken));
    }
    names
}

fn distinct(name: &str, taken: &mut HashSet<String>) -> String {
    let mut own = name.to_owned();
    let mut count = 1;
    while !taken.insert(own.clone()) {
        count += 1;
        own = format!("{name}-{count}");
    }
    own
}

struct Print<'a> {
    behaviour: &'a Behaviour,
    tree: Placed<'a>,
    branches: HashMap<Way, String>,
    /// The branches that have been added to `waiting`.
    begun: HashSet<Way>,
    /// Branches in the order in which something first leads to them.
    waiting: Vec<Way>,
    items: Vec<Item>,
}

impl Print<'_> {
    /// It keeps a list of what remains to be written, so no nesting can overflow the stack.
    fn all(&mut self, first: Work) {
        let mut pending = vec![first];
        while let Some(work) = pending.pop() {
            match work {
                Work::Line(line) => self.items.push(Item::Line(line)),
                Work::Branch(way, indent) => self.begin(way, indent, &mut pending),
                Work::Way(way, indent) => match self.branches.get(&way) {
                    Some(name) => {
                        let text = format!("goto {}", quoted(name));
                        self.items.push(Item::Line(part(indent, text)));
                        if self.begun.insert(way) {
                            self.waiting.push(way);
                        }
                    }
                    None => self.begin(way, indent, &mut pending),
                },
            }
        }
    }

    fn begin(&mut self, way: Way, indent: usize, pending: &mut Vec<Work>) {
        match way {
            Way::None => self.items.push(Item::Line(part(indent, "none".to_owned()))),
            Way::Leaf(leaf) => self.items.extend((self.tree.leaf)(leaf, indent)),
            Way::Step(number) => self.test(number, indent, pending),
        }
    }

    fn test(&mut self, number: usize, indent: usize, pending: &mut Vec<Work>) {
        let Placed { node, decision, .. } = self.tree;
        let step = &decision.steps[number];
        let number = self.tree.first_test + number;
        self.items.push(Item::Line(OutlineLine {
            indent,
            about: About::Test(node, number),
            text: test_text(self.behaviour, node, step),
        }));
        let ways = step.ways();
        let [sides @ .., last] = ways.as_slice() else {
            return;
        };
        if !ends_here(step, *last) {
            pending.push(Work::Way(*last, indent));
        }
        if let DecisionStep::Test { .. } | DecisionStep::Ask { .. } = step {
            pending.extend(sides.iter().map(|way| Work::Way(*way, indent + 2)));
            return;
        }
        for (index, way) in sides.iter().enumerate().rev() {
            pending.push(Work::Way(*way, indent + 4));
            pending.push(Work::Line(OutlineLine {
                indent: indent + 2,
                about: About::Way(node, number, index),
                text: way_text(self.behaviour, step, index),
            }));
        }
    }
}

/// Whether the last way of a test is never taken.
fn ends_here(step: &DecisionStep, last: Way) -> bool {
    last == Way::None && always_draws(step)
}

/// Whether something can always be drawn, whatever the keys hold.
pub fn always_draws(step: &DecisionStep) -> bool {
    let (DecisionStep::Random { options, .. } | DecisionStep::Best { options, .. }) = step else {
        return false;
    };
    let mut weights = options.iter().map(|(weight, _)| weight);
    weights.any(|weight| {
        matches!(weight, Expr::Value(treemind_core::Value::Double(weight)) if *weight > 0.0)
    })
}

/// A test of the decision tree `node` in one line, as documents write it.
#[warn(clippy::wildcard_enum_match_arm)]
pub fn test_text(behaviour: &Behaviour, node: NodeId, step: &DecisionStep) -> String {
    let mut out = String::new();
    match step {
        DecisionStep::Test { test, .. } => {
            let _ = write!(out, "test \"{}\"", expression(behaviour, test));
        }
        DecisionStep::Ask { child, .. } => {
            out.push_str("test-condition");
            let child = behaviour.node(behaviour.node(node).children[*child]);
            details(behaviour, &child.kind, &mut out);
            if let Some(name) = &child.name {
                let _ = write!(out, " name={}", quoted(name));
            }
        }
        DecisionStep::Switch { .. } => out.push_str("switch"),
        DecisionStep::Random { lasts, .. } => {
            out.push_str("random");
            match lasts {
                Lasts::Always => {}
                Lasts::Secs(secs) => {
                    let _ = write!(out, " timeout={}", number_text(behaviour, secs));
                }
                Lasts::Ticks(ticks) => {
                    let _ = write!(out, " timeout-ticks={ticks}");
                }
                _ => treemind_core::unlisted(&lasts),
            }
        }
        DecisionStep::Best { hysteresis, .. } => {
            out.push_str("best");
            if *hysteresis != Expr::Value(treemind_core::Value::Double(0.0)) {
                let _ = write!(out, " hysteresis={}", number_text(behaviour, hysteresis));
            }
        }
        _ => treemind_core::unlisted(&step),
    }
    out
}

/// A way of a test as a word or a line; ways are numbered as in [`DecisionStep::ways`].
#[warn(clippy::wildcard_enum_match_arm)]
pub fn way_text(behaviour: &Behaviour, step: &DecisionStep, way: usize) -> String {
    match step {
        DecisionStep::Test { .. } | DecisionStep::Ask { .. } => match way {
            0 => "yes".to_owned(),
            _ => "no".to_owned(),
        },
        DecisionStep::Switch { cases, .. } => match cases.get(way) {
            Some((case, _)) => format!("case \"{}\"", expression(behaviour, case)),
            None => "default".to_owned(),
        },
        DecisionStep::Random { options, .. } | DecisionStep::Best { options, .. } => {
            match options.get(way) {
                Some((weight, _)) => format!("option {}", number_text(behaviour, weight)),
                None => "none".to_owned(),
            }
        }
        _ => treemind_core::unlisted(&step),
    }
}
