//! An object in JSON per line, for each agent that was ticked.

use super::{Scene, Stop};
use crate::commands::trace::json::{event_json, lower, value_json};
use serde_json::Value as Json;
use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;
use treemind_core::trace::Event;
use treemind_core::{Behaviour, KeyId, NodeId, Program, Value};

/// An event at a node, with its value if it has one.
type Happened = (NodeId, Event, Option<Value>);

/// Writes the lines of a recording.
#[derive(Default)]
pub(super) struct Lines {
    /// Whether each line has everything.
    is_full: bool,
    /// By population.
    known: HashMap<u16, Known>,
    line: Vec<u8>,
}

/// What was written of a population.
struct Known {
    program: Arc<Program>,
    /// The texts of events without values.
    events: HashMap<(NodeId, Event), Vec<u8>>,
    /// The names of keys, with what is around them.
    keys: Vec<String>,
    /// What the last full line of each agent said.
    last: Vec<Option<Said>>,
}

/// What an agent's last full line said.
struct Said {
    tick: u64,
    events: Vec<Happened>,
    keys: Vec<Option<Value>>,
    is_silent: bool,
}

impl Lines {
    pub(super) fn new(is_full: bool) -> Self {
        Self {
            is_full,
            ..Self::default()
        }
    }

    pub(super) fn scene(
        &mut self,
        scene: &Scene<'_>,
        only: Option<u64>,
        out: &mut dyn Write,
    ) -> Result<(), Stop> {
        let program = scene.population.program();
        let known = self.known.entry(scene.id.number());
        let known = known.or_insert_with(|| Known::of(program));
        if scene.is_behind_gap || !Arc::ptr_eq(&known.program, program) {
            *known = Known::of(program);
        }
        known.last.resize_with(scene.population.len(), || None);
        let line = &mut self.line;
        for agent in scene.agents(only) {
            let mut events: Vec<_> = scene.events.valued(agent).collect();
            let faults = scene.faults_of(agent);
            if events.is_empty() && faults.is_empty() {
                continue;
            }
            let keys = (0..known.keys.len()).map(KeyId::new);
            let keys: Vec<_> = keys.map(|key| scene.population.find(agent, key)).collect();
            let said = scene.said_by(agent);
            let is_silent = said.is_empty() && faults.is_empty();
            line.clear();
            head(scene, agent, line)?;
            let last = known.last[agent].as_ref().filter(|_| !self.is_full);
            if let Some(last) = last.filter(|last| is_silent && last.is(&events, &keys)) {
                writeln!(line, ",\"as_in_tick\":{}}}", last.tick)?;
            } else {
                known.rest(scene, (agent, &said, &faults), (&events, &keys), line)?;
                if !self.is_full {
                    events.shrink_to_fit();
                    known.last[agent] = Some(Said {
                        tick: scene.tick,
                        events,
                        keys,
                        is_silent,
                    });
                }
            }
            out.write_all(line)?;
        }
        Ok(())
    }
}

/// Begins a line: when, and of whom.
fn head(scene: &Scene<'_>, agent: usize, line: &mut Vec<u8>) -> Result<(), Stop> {
    let secs = (scene.begin_ns + scene.dt_ns) as f64 / 1e9;
    write!(line, "{{\"tick\":{},\"secs\":{secs}", scene.tick)?;
    let name = Json::from(scene.name);
    write!(line, ",\"population\":{name},\"agent\":{agent}")?;
    Ok(())
}

impl Known {
    fn of(program: &Arc<Program>) -> Self {
        let names = program.behaviour().keys().iter();
        let names = names.map(|key| format!("{}:", Json::from(&*key.name)));
        Self {
            program: Arc::clone(program),
            events: HashMap::new(),
            keys: names.collect(),
            last: Vec::new(),
        }
    }

    /// Ends a line: everything that happened to an agent.
    fn rest(
        &mut self,
        scene: &Scene<'_>,
        (agent, said, faults): (usize, &[&str], &[String]),
        (events, keys): (&[Happened], &[Option<Value>]),
        line: &mut Vec<u8>,
    ) -> Result<(), Stop> {
        let behaviour = scene.behaviour();
        let status = Json::from(scene.events.root(behaviour, agent).map(lower));
        write!(line, ",\"status\":{status},\"events\":[")?;
        for (nth, event) in events.iter().enumerate() {
            if nth > 0 {
                line.push(b',');
            }
            self.event(behaviour, *event, line)?;
        }
        write!(line, "],\"said\":{}", Json::from(said))?;
        if !faults.is_empty() {
            write!(line, ",\"faults\":{}", Json::from(faults))?;
        }
        write!(line, ",\"keys\":{{")?;
        let mut separator = "";
        for (name, value) in self.keys.iter().zip(keys) {
            if let Some(value) = value {
                let value = value_json(behaviour, *value);
                write!(line, "{separator}{name}{value}")?;
                separator = ",";
            }
        }
        line.extend_from_slice(b"}}\n");
        Ok(())
    }

    /// Writes an event. Most are the same again and again, except for their values.
    fn event(
        &mut self,
        behaviour: &Behaviour,
        (node, event, value): Happened,
        line: &mut Vec<u8>,
    ) -> Result<(), Stop> {
        // There may be as many scores as floats.
        if let Event::Score(_) = event {
            let object = event_json(behaviour, (node, event, value), None);
            write!(line, "{object}")?;
            return Ok(());
        }
        let text = self.events.entry((node, event)).or_insert_with(|| {
            let object = event_json(behaviour, (node, event, None), None);
            object.to_string().into_bytes()
        });
        match value {
            None => line.extend_from_slice(text),
            Some(value) => {
                // The value is the last of the fields.
                line.extend_from_slice(&text[..text.len() - 1]);
                let value = value_json(behaviour, value);
                write!(line, ",\"value\":{value}}}")?;
            }
        }
        Ok(())
    }
}

impl Said {
    /// Whether the same happened again.
    fn is(&self, events: &[Happened], keys: &[Option<Value>]) -> bool {
        self.is_silent
            && self.events.len() == events.len()
            && self
                .events
                .iter()
                .zip(events)
                .all(|(old, new)| (old.0, old.1) == (new.0, new.1) && is_same(old.2, new.2))
            && self.keys.len() == keys.len()
            && self
                .keys
                .iter()
                .zip(keys)
                .all(|(old, new)| is_same(*old, *new))
    }
}

/// Whether values are written alike.
fn is_same(one: Option<Value>, other: Option<Value>) -> bool {
    let bits = |value: Value| match value {
        Value::Float(value) => [u64::from(value.to_bits()), 0, 0],
        Value::Double(value) => [value.to_bits(), 0, 0],
        Value::Vec2([x, y]) => [x, y, 0.0].map(|part| u64::from(part.to_bits())),
        Value::Vec3(parts) => parts.map(|part| u64::from(part.to_bits())),
        _ => [0; 3],
    };
    match (one, other) {
        (Some(one), Some(other)) => bits(one) == bits(other) && one == other,
        (one, other) => one.is_none() && other.is_none(),
    }
}
