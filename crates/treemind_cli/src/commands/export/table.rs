//! A table of decisions: a row per agent and tick, with what it knew and what it did.

use super::{Scene, Stop};
use std::io::Write;
use treemind_core::{Behaviour, Value};
use treemind_recording::decisions::{Decision, Fact};

/// The rows of a table.
#[derive(Default)]
pub(super) struct Rows {
    /// Empty before the first row.
    columns: Option<Vec<Fact>>,
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
                let columns = none.insert(Fact::all(behaviour));
                let names = columns.iter().map(|column| column.name(behaviour));
                let facts: String = names.map(|name| cell(name) + ",").collect();
                writeln!(out, "tick,agent,{facts}action")?;
                columns
            }
        };
        for agent in scene.agents(only) {
            let Some(decided) = Decision::of(behaviour, &scene.events, agent) else {
                continue;
            };
            write!(out, "{},{agent},", scene.tick)?;
            for column in &*columns {
                let value = match *column {
                    Fact::Key(key) => {
                        let value = decided.value(scene.population, agent, key);
                        value.map(|value| shown(behaviour, value))
                    }
                    Fact::Condition(leaf) => decided.answer(leaf).map(|holds| holds.to_string()),
                };
                write!(out, "{},", cell(&value.unwrap_or_default()))?;
            }
            let action = decided.action();
            let action = action.map_or("", |leaf| behaviour.leaf(leaf).name.as_str());
            writeln!(out, "{}", cell(action))?;
        }
        Ok(())
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
