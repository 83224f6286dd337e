//! What tests reached: nodes, ways of decision trees, transitions of machines, goals and methods of planners, rules.

use crate::plans::methods_of;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use treemind_core::behaviour::DecisionStep;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Kind, NodeId};
use treemind_doc::testing::Subject;
use treemind_doc::{About, Diagnostics, Document, outline_lines};

/// A part of a behaviour that can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Node(NodeId),
    /// A way of a test of a decision tree: node, test, way.
    Way(NodeId, usize, usize),
    Transition(NodeId, usize),
    /// A goal of a planner that was pursued.
    Goal(NodeId, usize),
    /// A method by which a plan was made: planner, task, method.
    Method(NodeId, usize, usize),
    /// A rule that has fired.
    Rule(NodeId, usize),
}

/// What runs of one behaviour reached.
#[derive(Clone, Debug, Default)]
pub(crate) struct Covered {
    reached: BTreeSet<Part>,
}

impl Covered {
    /// Adds what the first agent of a trace reached.
    pub(crate) fn note(&mut self, trace: &Trace, behaviour: &Behaviour) {
        let parts = trace.agent(0).filter_map(|(node, event)| match event {
            Event::Enter | Event::Tick(_) | Event::Start | Event::Serve => Some(Part::Node(node)),
            Event::Branch(test, way) => Some(Part::Way(node, test as usize, way as usize)),
            Event::Take(transition) => Some(Part::Transition(node, transition as usize)),
            Event::Goal(goal) => Some(Part::Goal(node, goal as usize)),
            Event::Fire(rule) => Some(Part::Rule(node, rule as usize)),
            _ => None,
        });
        self.reached.extend(parts);
        self.note_methods(trace, behaviour);
    }

    /// The methods of the plans that the first agent made.
    fn note_methods(&mut self, trace: &Trace, behaviour: &Behaviour) {
        let mut plans: BTreeMap<NodeId, (usize, Vec<usize>)> = BTreeMap::new();
        for (node, event) in trace.agent(0) {
            match event {
                Event::Goal(goal) => drop(plans.insert(node, (goal as usize, Vec::new()))),
                Event::Intend(step) => {
                    if let Some((_, steps)) = plans.get_mut(&node) {
                        steps.push(step as usize);
                    }
                }
                _ => {}
            }
        }
        for (node, (goal, steps)) in plans {
            if let Kind::Planner(planner) = &behaviour.node(node).kind {
                let used = methods_of(planner, goal, &steps).into_iter();
                let used = used.map(|(task, method)| Part::Method(node, task, method));
                self.reached.extend(used);
            }
        }
    }

    /// Adds what other runs reached.
    pub(crate) fn add(&mut self, other: &Covered) {
        self.reached.extend(&other.reached);
    }
}

/// What tests reached, to be added to what others did.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// By definition: all archetypes of a tree count together.
    by: BTreeMap<Subject, BTreeSet<Part>>,
}

impl Reached {
    pub(crate) fn of(definition: Subject, covered: Covered) -> Self {
        let by = BTreeMap::from([(definition, covered.reached)]);
        Self { by }
    }

    /// Adds what another test of the same document reached.
    pub fn add(&mut self, other: &Reached) {
        for (definition, parts) in &other.by {
            self.by.entry(definition.clone()).or_default().extend(parts);
        }
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
    /// The outline of each tree, machine or decision tree that was run, or could be run by itself.
    pub outlines: Vec<CoveredOutline>,
}

/// The outline of something that was run, with what of it was reached.
#[derive(Clone, Debug)]
pub struct CoveredOutline {
    /// What was run.
    pub subject: Subject,
    /// The lines, in order.
    pub lines: Vec<CoveredLine>,
}

/// A line of an outline, and how much of what it says was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoveredLine {
    /// What it is about.
    pub about: About,
    /// How far it is indented.
    pub indent: usize,
    /// Its text.
    pub text: String,
    /// How many things it says that can be reached: a line with a test has two ways.
    pub total: usize,
    /// How many of them were reached.
    pub reached: usize,
}

impl fmt::Display for CoveredOutline {
    /// The outline, in which lines begin with `!` if tests did not reach all that they say.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            let mark = if line.reached < line.total { "!" } else { " " };
            writeln!(out, "{mark}{:2$}{1}", "", line.text, line.indent)?;
        }
        Ok(())
    }
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
    /// What tests of a document reached of it, and of what can run by itself and no test has run.
    ///
    /// # Errors
    /// The diagnostics of the document if one of them is an error.
    pub fn of(document: &Document, reached: &Reached) -> Result<Self, Diagnostics> {
        let nothing = BTreeSet::new();
        let mut coverage = Coverage::default();
        let mut all: BTreeSet<Subject> = reached.by.keys().cloned().collect();
        all.extend(document.outermost());
        for subject in all {
            let behaviour = document.behaviour_of(&subject)?;
            let parts = reached.by.get(&subject).unwrap_or(&nothing);
            coverage.add(subject, &behaviour, parts);
        }
        Ok(coverage)
    }

    /// The share that was reached, from 0 to 100; 100 if there is nothing to reach.
    pub fn percent(&self) -> f64 {
        match self.total {
            0 => 100.0,
            total => self.reached as f64 * 100.0 / total as f64,
        }
    }

    fn add(&mut self, subject: Subject, behaviour: &Behaviour, reached: &BTreeSet<Part>) {
        let all = parts(behaviour);
        self.total += all.len();
        self.reached += all.intersection(reached).count();
        let mut lines = Vec::new();
        for line in outline_lines(behaviour) {
            let parts = parts_of(line.about, behaviour);
            let total = parts.len();
            let missing = parts
                .into_iter()
                .filter(|(part, _)| !reached.contains(part));
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
            lines.push(CoveredLine {
                about: line.about,
                indent: line.indent,
                text: line.text,
                total,
                reached: total - missing.len(),
            });
        }
        self.outlines.push(CoveredOutline { subject, lines });
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
        About::Goal(node, goal) => vec![(Part::Goal(node, goal), None)],
        About::Method(node, task, method) => vec![(Part::Method(node, task, method), None)],
        About::Rule(node, rule) => vec![(Part::Rule(node, rule), None)],
        About::State(..) | About::Part => Vec::new(),
        _ => treemind_core::unlisted(&about),
    }
}
