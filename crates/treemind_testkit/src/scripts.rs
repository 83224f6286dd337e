//! Scripted answers for the leaves of one agent, as [`treemind_core::host::Scripted`] gives them to many.

use crate::reference::{Keys, Leaves};
use std::collections::HashMap;
use treemind_core::behaviour::{LeafKind, Param};
use treemind_core::host::{Move, Told};
use treemind_core::{Behaviour, Kind, LeafId, NodeId, Outcome, Status, Value};

/// Answers by the labels of nodes, one per call; the last one repeats; a label without answers always answers success.
#[derive(Clone, Debug)]
pub struct Scripts {
    /// Per node its label, if it is a leaf of the host.
    labels: Vec<Option<String>>,
    answers: HashMap<String, Vec<Status>>,
    calls: HashMap<String, usize>,
    told: Vec<String>,
    /// What leaves list for `find`, and the numbers of measures.
    candidates: HashMap<LeafId, Vec<Value>>,
    measures: HashMap<LeafId, Vec<f32>>,
    behaviour: Behaviour,
}

impl Scripts {
    /// Leaves that answer success until they get other answers.
    pub fn new(behaviour: &Behaviour) -> Self {
        let labels = behaviour
            .node_ids()
            .map(|id| {
                host_leaf(behaviour, id)?;
                Some(behaviour.label(id).to_owned())
            })
            .collect();
        Self {
            labels,
            answers: HashMap::new(),
            calls: HashMap::new(),
            told: Vec::new(),
            candidates: HashMap::new(),
            measures: HashMap::new(),
            behaviour: behaviour.clone(),
        }
    }

    /// The logs and events since the last call; an event with its values.
    pub fn take_told(&mut self) -> Vec<String> {
        std::mem::take(&mut self.told)
    }

    /// Gives the leaves of a label their answers; `false` when no leaf has that label.
    pub fn set(&mut self, label: &str, answers: &[Status]) -> bool {
        let is_known = self.labels.iter().flatten().any(|known| known == label);
        if is_known {
            self.answers.insert(label.to_owned(), answers.to_vec());
            self.calls.insert(label.to_owned(), 0);
        }
        is_known
    }

    /// What a leaf lists, or the numbers of a measure for the candidates, by their places; the last one repeats.
    pub fn set_found(&mut self, leaf: LeafId, values: &[Value]) {
        if self.behaviour.leaf(leaf).kind != LeafKind::Measure {
            self.candidates.insert(leaf, values.to_vec());
            return;
        }
        let numbers = values.iter().filter_map(|value| match value {
            Value::Float(number) => Some(*number),
            _ => None,
        });
        self.measures.insert(leaf, numbers.collect());
    }

    /// How often leaves with a label were asked or updated.
    pub fn calls(&self, label: &str) -> usize {
        self.calls.get(label).copied().unwrap_or(0)
    }

    /// The next answer of a node.
    pub fn next(&mut self, node: NodeId) -> Status {
        let Some(label) = &self.labels[node.index()] else {
            return Status::Success;
        };
        let calls = match self.calls.get_mut(label) {
            Some(calls) => calls,
            None => self.calls.entry(label.clone()).or_default(),
        };
        let call = *calls;
        *calls += 1;
        let answers = self.answers.get(label).map_or(&[][..], Vec::as_slice);
        let answer = answers.get(call).or(answers.last());
        answer.copied().unwrap_or(Status::Success)
    }
}

impl Leaves for Scripts {
    fn ask(&mut self, node: NodeId, _: &[Value], _: &mut Keys<'_>) -> Status {
        self.next(node)
    }

    fn start(&mut self, _: NodeId, _: &[Value], _: &mut Keys<'_>) {}

    fn update(&mut self, node: NodeId, _: &[Value], _: &mut Keys<'_>) -> Status {
        self.next(node)
    }

    fn stop(&mut self, _: NodeId, _: &[Value], _: &mut Keys<'_>, _: Outcome) {}

    fn serve(&mut self, _: NodeId, _: &[Value], _: &mut Keys<'_>) {}

    /// An own node answers running and ticks nothing, because scripts contain no decisions.
    fn decide(&mut self, _: NodeId, _: &[Value], _: &mut Keys<'_>, _: Told) -> Move {
        Move::Answer(Status::Running)
    }

    fn candidates(&mut self, node: NodeId, _: &[Value], _: &mut Keys<'_>) -> Vec<Value> {
        let leaf = self.behaviour.node(node).kind.leaf();
        let listed = leaf.and_then(|leaf| self.candidates.get(&leaf));
        listed.cloned().unwrap_or_default()
    }

    fn measure(
        &mut self,
        _: NodeId,
        leaf: LeafId,
        pairs: &[(usize, Vec<Value>)],
        _: &mut Keys<'_>,
    ) -> Vec<f32> {
        let numbers = self.measures.get(&leaf).map_or(&[][..], Vec::as_slice);
        let number = |place: usize| numbers.get(place).or(numbers.last()).copied();
        let places = pairs.iter().map(|(place, _)| *place);
        places.map(|place| number(place).unwrap_or(0.0)).collect()
    }

    fn log(&mut self, _: NodeId, text: String) {
        self.told.push(text);
    }

    fn event(&mut self, node: NodeId, args: &[Value]) {
        let behaviour = &self.behaviour;
        let Kind::Emit { leaf, .. } = behaviour.node(node).kind else {
            return;
        };
        let event = behaviour.leaf(leaf);
        let values = event.params.iter().zip(args);
        let show = |(param, value): (&Param, &Value)| {
            format!(" {}={}", param.name, behaviour.display_value(*value))
        };
        let text = event.name.clone() + &values.map(show).collect::<String>();
        self.told.push(text);
    }
}

/// The leaf of the host that a node uses, if it uses one.
pub fn host_leaf(behaviour: &Behaviour, node: NodeId) -> Option<LeafId> {
    match behaviour.node(node).kind {
        Kind::Condition { leaf, .. } | Kind::Action { leaf, .. } => Some(leaf),
        _ => None,
    }
}

/// Reads answers as they are written in documents and scenarios: `S F R K`, separated by spaces.
///
/// # Errors
/// The first word that is not one of the four letters.
pub fn parse_answers(text: &str) -> Result<Vec<Status>, String> {
    text.split_whitespace()
        .map(|word| match word {
            "S" => Ok(Status::Success),
            "F" => Ok(Status::Failure),
            "R" => Ok(Status::Running),
            "K" => Ok(Status::Skipped),
            other => Err(format!("`{other}` is not one of S, F, R, K")),
        })
        .collect()
}

/// The letter of a status, as scripts write it.
pub fn letter(status: Status) -> char {
    match status {
        Status::Success => 'S',
        Status::Failure => 'F',
        Status::Running => 'R',
        Status::Skipped => 'K',
    }
}
