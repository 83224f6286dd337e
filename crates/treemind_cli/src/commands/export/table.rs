//! A table of decisions: a row per agent and tick, with what it knew and what it did.

use super::{Scene, Stop};
use std::collections::BTreeMap;
use std::io::Write;
use treemind_core::behaviour::{Form, LeafKind};
use treemind_core::trace::Event;
use treemind_core::{Behaviour, KeyId, Kind, LeafId, Status, Value};

/// The rows of a table.
#[derive(Default)]
pub(super) struct Rows {
    /// Empty before the first row.
    columns: Option<Vec<Column>>,
}

/// A fact.
#[derive(Clone, Copy, PartialEq)]
enum Column {
    Key(KeyId),
    Condition(LeafId),
}

impl Rows {
    /// Writes the rows of a tick.
    pub(super) fn scene(
        &mut self,
        scene: &Scene<'_>,
        only: Option<u64>,
        out: &mut dyn Write,
    ) -> Result<(), Stop> {
        let behaviour = scene.behaviour();
        let columns = match &mut self.columns {
            Some(columns) => columns,
            none => {
                let columns = none.insert(columns(behaviour));
                let names = columns.iter().map(|column| name(behaviour, *column));
                let facts: String = names.map(|name| cell(name) + ",").collect();
                writeln!(out, "tick,agent,{facts}action")?;
                columns
            }
        };
        for agent in scene.agents(only) {
            if scene.events.root(behaviour, agent).is_none() {
                continue;
            }
            let decided = Decided::of(scene, agent);
            write!(out, "{},{agent},", scene.tick)?;
            for column in &*columns {
                let value = match column {
                    Column::Key(key) => {
                        let read = decided.read.get(&key.index()).copied();
                        let value = read.or_else(|| scene.population.find(agent, *key));
                        value.map(|value| shown(behaviour, value))
                    }
                    Column::Condition(leaf) => decided.answers.get(&leaf.index()).cloned(),
                };
                write!(out, "{},", cell(&value.unwrap_or_default()))?;
            }
            writeln!(out, "{}", cell(decided.action.unwrap_or("")))?;
        }
        Ok(())
    }
}

/// What an agent knew and did in a tick.
#[derive(Default)]
struct Decided<'b> {
    /// What keys held when they were first read.
    read: BTreeMap<usize, Value>,
    answers: BTreeMap<usize, String>,
    /// The action that it ended up with.
    action: Option<&'b str>,
}

impl<'b> Decided<'b> {
    fn of(scene: &'b Scene<'_>, agent: usize) -> Self {
        let behaviour = scene.population.program().behaviour();
        let mut decided = Self::default();
        for (node, event, value) in scene.events.valued(agent) {
            match (event, &behaviour.node(node).kind) {
                (Event::Read(key), _) => {
                    if let Some(value) = value {
                        decided.read.entry(key.index()).or_insert(value);
                    }
                }
                (Event::Tick(status), Kind::Condition { leaf, negated, .. }) => {
                    let holds = (status == Status::Success) != *negated;
                    let answer = match status {
                        Status::Success | Status::Failure => holds.to_string(),
                        Status::Running | Status::Skipped => String::new(),
                    };
                    decided.answers.entry(leaf.index()).or_insert(answer);
                }
                // What failed was tried, but is not what the agent did.
                (Event::Tick(Status::Success | Status::Running), Kind::Action { leaf, .. }) => {
                    decided.action = Some(&behaviour.leaf(*leaf).name)
                }
                _ => {}
            }
        }
        decided
    }
}

/// The facts: keys with single values, and conditions.
fn columns(behaviour: &Behaviour) -> Vec<Column> {
    let keys = behaviour.keys().iter().enumerate();
    let keys = keys.filter(|(_, key)| !matches!(key.form, Form::List { .. }));
    let keys = keys.map(|(nth, _)| Column::Key(KeyId::new(nth)));
    let leaves = behaviour.leaves().iter().enumerate();
    let conditions = leaves.filter(|(_, leaf)| leaf.kind == LeafKind::Condition);
    let conditions = conditions.map(|(nth, _)| Column::Condition(LeafId::new(nth)));
    keys.chain(conditions).collect()
}

fn name(behaviour: &Behaviour, column: Column) -> &str {
    match column {
        Column::Key(key) => &behaviour.key(key).name,
        Column::Condition(leaf) => &behaviour.leaf(leaf).name,
    }
}

/// A value as tables have it: without quotes and units.
fn shown(behaviour: &Behaviour, value: Value) -> String {
    match value {
        Value::Text(text) => text.as_str().to_owned(),
        Value::Float(value) => value.to_string(),
        Value::Double(value) => value.to_string(),
        other => behaviour.display_value(other),
    }
}

/// A cell of a table of comma-separated values.
fn cell(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
