//! The names that tests use: those of conditions, actions, named nodes and states.

use super::super::Definition;
use super::super::machine::words;
use crate::Said;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::said;
use crate::suggest;
use crate::syntax::{Span, Text, shortened};
use std::collections::BTreeSet;
use treemind_core::Kind;
use treemind_core::behaviour::{Leaf, LeafKind, Life, Machine, Node};

/// The names in a definition.
#[derive(Debug, Default)]
pub(super) struct Labels {
    /// Nodes with their own names, and leaves.
    nodes: BTreeSet<String>,
    /// Conditions, actions, and composites and decorators of the game, which answer.
    pub(super) answering: BTreeSet<String>,
    /// Actions whose end is reported.
    pub(super) reported: BTreeSet<String>,
    /// Paths of states, such as `on.idle`, and all their endings.
    states: BTreeSet<String>,
    /// The steps and goals of planners.
    steps: BTreeSet<String>,
    goals: BTreeSet<String>,
    /// The definition has a mistake, so its names are not known.
    pub(super) is_broken: bool,
}

/// Which names a place takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// Conditions and actions.
    Answering,
    /// Actions whose end is reported.
    Reported,
    Nodes,
    NodesAndStates,
    /// Steps of planners.
    Steps,
    /// Goals of planners.
    Goals,
}

impl Labels {
    /// The names in a definition, unless it lacks something that it holds.
    pub(super) fn new(definition: Option<&Definition>, leaves: &[Leaf]) -> Self {
        let mut labels = Labels::default();
        let Some(root) = definition.and_then(|definition| definition.root.as_ref()) else {
            labels.is_broken = true;
            return labels;
        };
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            labels.add(node, leaves);
            pending.extend(&node.children);
        }
        labels
    }

    fn add(&mut self, node: &Node, leaves: &[Leaf]) {
        let leaf = node.kind.leaf().map(|leaf| &leaves[leaf.index()]);
        let leaf = leaf.filter(|_| node.kind.listed().is_none());
        if let Some(label) = node.name.as_ref().or(leaf.map(|leaf| &leaf.name)) {
            self.nodes.insert(label.clone());
            match (&node.kind, leaf.map(|leaf| leaf.kind)) {
                (
                    Kind::Action { .. },
                    Some(LeafKind::Action {
                        life: Life::Reported,
                    }),
                ) => {
                    self.reported.insert(label.clone());
                }
                (Kind::Condition { .. } | Kind::Action { .. } | Kind::Own { .. }, _) => {
                    self.answering.insert(label.clone());
                }
                _ => {}
            }
        }
        if let Kind::Machine(machine) = &node.kind {
            self.add_states(machine);
        }
        if let Kind::Planner(planner) = &node.kind {
            let steps = planner.steps.iter().map(|step| step.name.clone());
            self.steps.extend(steps);
            let goals = planner.goals.iter().map(|goal| goal.name.clone());
            self.goals.extend(goals);
        }
    }

    fn add_states(&mut self, machine: &Machine) {
        for state in 1..machine.states.len() {
            let path = machine.path(state);
            let ends = (0..path.len()).map(|from| path[from..].join("."));
            self.states.extend(ends);
        }
    }

    /// The names in a text, with spaces between them, or the one that it is as a whole; reports those that are unknown.
    pub(super) fn read(&self, text: &Text, takes: Takes, sink: &mut Sink) -> Vec<String> {
        if text.value.contains(char::is_whitespace) && self.of(takes).1.contains(&text.value) {
            return vec![text.value.clone()];
        }
        let all = words(text).into_iter();
        let known = all.filter(|(word, span)| self.knows(word, span.clone(), takes, sink));
        known.map(|(word, _)| word.to_owned()).collect()
    }

    /// What a place takes, and the names of such nodes.
    fn of(&self, takes: Takes) -> (Said, &BTreeSet<String>) {
        match takes {
            Takes::Answering => (said!("condition or action"), &self.answering),
            Takes::Reported => (said!("action with `reports=#true`"), &self.reported),
            Takes::Nodes => (said!("leaf or named node"), &self.nodes),
            Takes::NodesAndStates => (said!("leaf, named node or state"), &self.nodes),
            Takes::Steps => (said!("step of a planner"), &self.steps),
            Takes::Goals => (said!("goal of a planner"), &self.goals),
        }
    }

    /// Whether a name is known; reports it otherwise.
    pub(super) fn knows(&self, word: &str, span: Span, takes: Takes, sink: &mut Sink) -> bool {
        let (what, nodes) = self.of(takes);
        let has_states = takes == Takes::NodesAndStates;
        if self.is_broken || nodes.contains(word) || (has_states && self.states.contains(word)) {
            return true;
        }
        let states = self.states.iter().filter(|_| has_states);
        let names = nodes.iter().chain(states).map(String::as_str);
        let shown = shortened(word);
        let help = match takes {
            Takes::Answering if self.reported.contains(word) => Some(said!(
                "the game reports its end: use `report {} result=success`",
                shown
            )),
            Takes::Steps => suggest::among(&shown, said!("the steps there"), names, || None),
            Takes::Goals => suggest::among(&shown, said!("the goals there"), names, || None),
            _ => suggest::among(&shown, said!("the names there"), names, || None),
        };
        let message = said!("what this test runs has no {} `{}`", what, shown);
        sink.error(Code::UnknownLeaf, span, message)
            .with_perhaps(help);
        false
    }
}
