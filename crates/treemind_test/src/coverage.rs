//! What tests reached: nodes, ways of decision trees, transitions of machines.

use std::collections::BTreeSet;
use treemind_core::behaviour::DecisionStep;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, NodeId};
use treemind_doc::testing::Subject;
use treemind_doc::{About, outline_lines};

/// A part of a behaviour that can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Node(NodeId),
    /// A way of a test of a decision tree: node, test, way.
    Way(NodeId, usize, usize),
    Transition(NodeId, usize),
}

/// What runs of one behaviour reached.
#[derive(Clone, Debug)]
pub(crate) struct Covered {
    behaviour: Behaviour,
    reached: BTreeSet<Part>,
}

impl Covered {
    pub(crate) fn new(behaviour: &Behaviour) -> Self {
        Self {
            behaviour: behaviour.clone(),
            reached: BTreeSet::new(),
        }
    }

    /// Adds what the first agent of a trace reached.
    pub(crate) fn note(&mut self, trace: &Trace) {
        let parts = trace.agent(0).filter_map(|(node, event)| match event {
            Event::Enter | Event::Tick(_) | Event::Start | Event::Serve => Some(Part::Node(node)),
            Event::Branch(test, way) => Some(Part::Way(node, test as usize, way as usize)),
            Event::Take(transition) => Some(Part::Transition(node, transition as usize)),
            _ => None,
        });
        self.reached.extend(parts);
    }

    /// Adds what other runs reached.
    pub(crate) fn add(&mut self, other: &Covered) {
        self.reached.extend(&other.reached);
    }
}

/// What the tests of a document reached of it. What is inside something else counts in each place.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// How many nodes, ways and transitions there are.
    pub total: usize,
    /// How many of them were reached.
    pub reached: usize,
    /// The others.
    pub uncovered: Vec<Uncovered>,
    /// Per tree, machine or decision tree: its outline, in which lines that no test reached begin with `!`.
    pub outlines: Vec<(Subject, String)>,
}

/// A node, way or transition that no test reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncovered {
    /// The tree, machine or decision tree that contains it.
    pub subject: Subject,
    /// Its line in the outline.
    pub text: String,
}

impl Coverage {
    pub(crate) fn new(all: impl Iterator<Item = (Subject, Covered)>) -> Self {
        let mut coverage = Coverage::default();
        for (subject, covered) in all {
            coverage.add(subject, &covered);
        }
        coverage
    }

    /// The share that was reached, from 0 to 100; 100 if there is nothing to reach.
    pub fn percent(&self) -> f64 {
        match self.total {
            0 => 100.0,
            total => self.reached as f64 * 100.0 / total as f64,
        }
    }

    fn add(&mut self, subject: Subject, covered: &Covered) {
        let behaviour = &covered.behaviour;
        let all = parts(behaviour);
        self.total += all.len();
        self.reached += all.intersection(&covered.reached).count();
        let mut outline = String::new();
        for line in outline_lines(behaviour) {
            let missing = parts_of(line.about, behaviour);
            let missing = missing
                .into_iter()
                .filter(|(part, _)| !covered.reached.contains(part));
            let missing: Vec<Option<&str>> = missing.map(|(_, way)| way).collect();
            for way in &missing {
                let text = match way {
                    Some(way) => format!("{}: {way}", line.text),
                    None => line.text.clone(),
                };
                self.uncovered.push(Uncovered {
                    subject: subject.clone(),
                    text,
                });
            }
            let mark = if missing.is_empty() { " " } else { "!" };
            outline += &format!("{mark}{:2$}{1}\n", "", line.text, line.indent);
        }
        self.outlines.push((subject, outline));
    }
}

/// All that can be reached.
fn parts(behaviour: &Behaviour) -> BTreeSet<Part> {
    let lines = outline_lines(behaviour).into_iter();
    let parts = lines.flat_map(|line| parts_of(line.about, behaviour));
    parts.map(|(part, _)| part).collect()
}

/// What a line of an outline says that can be reached; the sides of a test stand on its line.
#[warn(clippy::wildcard_enum_match_arm)]
fn parts_of(about: About, behaviour: &Behaviour) -> Vec<(Part, Option<&'static str>)> {
    match about {
        About::Node(node) => vec![(Part::Node(node), None)],
        About::Transition(machine, transition) => {
            vec![(Part::Transition(machine, transition), None)]
        }
        About::Way(node, test, way) => vec![(Part::Way(node, test, way), None)],
        About::Test(node, test) => {
            match behaviour.node(node).kind.test(test) {
                Some(DecisionStep::Test { .. } | DecisionStep::Ask { .. }) => vec![
                    (Part::Way(node, test, 0), Some("yes")),
                    (Part::Way(node, test, 1), Some("no")),
                ],
                // Their ways have lines of their own.
                _ => Vec::new(),
            }
        }
        About::State(..) | About::Part => Vec::new(),
        _ => treemind_core::unlisted(&about),
    }
}
