//! A machine being played line by line.

use super::json::{typed, value};
use crate::io::{self, Line};
use serde_json::Value as Json;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::LeafKind;
use treemind_core::host::Scripted;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Kind, LeafId, NodeId, Program, Value};
use treemind_doc::scxml::{event_named, event_values};
use treemind_doc::testing::Action;
use treemind_doc::{script, visible_line};
use treemind_test::Harness;

/// How many ticks may pass without time advancing, for events that a machine sends to itself without delay.
const MOST_AT_ONCE: u32 = 1_000;

/// The longest time between two ticks while time passes, in machines other than SCXML.
const STEP: Duration = Duration::from_millis(100);

/// How many ticks may be played for one `@wait`.
const MOST_IN_A_WAIT: u32 = 100_000;

/// A machine being played.
pub(super) struct Session {
    harness: Harness,
    trace: Trace,
    machine: NodeId,
    is_scxml: bool,
    /// The ids of the innermost active states; after the end, of those that were active before it.
    pub(super) active: Vec<String>,
    is_over: bool,
}

impl Session {
    pub(super) fn new(behaviour: Behaviour, is_scxml: bool) -> Self {
        let program = Arc::new(Program::new(behaviour));
        let behaviour = program.behaviour();
        let harness = match is_scxml {
            true => Harness::with_host(&program, 0, Scripted::new(behaviour, 1)),
            false => Harness::new(&program, 0),
        };
        Self {
            trace: Trace::new(),
            machine: behaviour.root(),
            harness,
            is_scxml,
            active: Vec::new(),
            is_over: false,
        }
    }

    /// Plays a line. The error is a sentence for people.
    pub(super) fn play(&mut self, line: &str) -> Result<(), String> {
        let line = line.trim_end_matches('\r');
        if let Some(command) = line.strip_prefix('@') {
            return self.command(command);
        }
        let (name, data) = match line.split_once('\t') {
            Some((name, data)) => {
                let data = serde_json::from_str(data)
                    .map_err(|error| format!("the text after the tab is not JSON: {error}"))?;
                (name.trim(), Some(data))
            }
            None => (line.trim(), None),
        };
        if !self.is_over && !name.is_empty() {
            self.send(name, data.as_ref())?;
            self.settle(Duration::ZERO);
        }
        Ok(())
    }

    /// What follows after `@`.
    fn command(&mut self, command: &str) -> Result<(), String> {
        let (word, rest) = command
            .split_once(char::is_whitespace)
            .unwrap_or((command, ""));
        let rest = rest.trim();
        match word {
            "wait" => {
                let secs = rest.parse::<f64>().ok().map(|millis| millis / 1e3);
                let time = secs.and_then(|secs| Duration::try_from_secs_f64(secs).ok());
                self.wait(time.ok_or("expected `wait` and a number of milliseconds after `@`")?)
            }
            "set" if !self.is_scxml => {
                let (key, json) = rest
                    .split_once(char::is_whitespace)
                    .ok_or("expected a key and a value in JSON after `@set`")?;
                self.set(key, json.trim())?;
                self.go_on();
                Ok(())
            }
            "answer" if !self.is_scxml => {
                let (name, answers) = rest
                    .split_once(char::is_whitespace)
                    .ok_or("expected a name and answers such as `S F R` after `@answer`")?;
                self.answer(name, answers)?;
                self.go_on();
                Ok(())
            }
            _ if self.is_scxml => {
                Err("expected `wait` and a number of milliseconds after `@`".to_owned())
            }
            _ => Err("expected `@wait MS`, `@set KEY JSON` or `@answer NAME ANSWERS`".to_owned()),
        }
    }

    /// Lets happen what follows by itself, unless the machine has ended.
    fn go_on(&mut self) {
        if !self.is_over {
            self.settle(Duration::ZERO);
        }
    }

    fn set(&mut self, key: &str, json: &str) -> Result<(), String> {
        let json: Json = serde_json::from_str(json)
            .map_err(|error| format!("the value of `{key}` is not JSON: {error}"))?;
        let behaviour = self.harness.population.program().behaviour();
        let id = behaviour.key_id(key);
        let ty = behaviour
            .key(id.ok_or_else(|| format!("there is no key `{key}`"))?)
            .ty;
        let value = match json {
            Json::Null => None,
            json => Some(typed(behaviour, ty, &json).ok_or_else(|| {
                format!(
                    "`{key}` is of type {}, which this is not: {json}",
                    ty.keyword()
                )
            })?),
        };
        self.harness
            .act(&Action::Given(vec![(key.to_owned(), value)]))
            .map_err(|problem| problem.to_string())
    }

    fn answer(&mut self, name: &str, answers: &str) -> Result<(), String> {
        if !self.harness.host.labels().iter().any(|label| label == name) {
            let known = self.harness.host.labels().join("`, `");
            return Err(match known.is_empty() {
                true => "the machine has no conditions and no actions".to_owned(),
                false => format!("no condition or action is named `{name}`; there are `{known}`"),
            });
        }
        let line = format!("{name}: {answers}");
        let script = script::parse(&line, "answers").map_err(|diagnostics| {
            let first = diagnostics.first();
            first.map_or_else(String::new, |one| one.message().to_owned())
        })?;
        for (name, answers) in script.entries {
            let done = self.harness.act(&Action::Answer(vec![name], answers));
            done.map_err(|problem| problem.to_string())?;
        }
        Ok(())
    }

    /// Sends an event. One that a machine in SCXML does not know is not waited for; elsewhere it is a mistake.
    fn send(&mut self, name: &str, data: Option<&Json>) -> Result<(), String> {
        let program = Arc::clone(self.harness.population.program());
        let behaviour = program.behaviour();
        if self.is_scxml {
            self.send_scxml(behaviour, name, data);
            return Ok(());
        }
        let events = behaviour.leaves().iter();
        let events = events.filter(|leaf| leaf.kind == LeafKind::Event);
        let event = behaviour.leaf_id(name);
        let event = event.filter(|id| behaviour.leaf(*id).kind == LeafKind::Event);
        let Some(event) = event else {
            let known: Vec<&str> = events.map(|leaf| leaf.name.as_str()).collect();
            return Err(match known.is_empty() {
                true => format!("there is no event `{name}`: the machine has none"),
                false => format!(
                    "there is no event `{name}`; there are `{}`",
                    known.join("`, `")
                ),
            });
        };
        let params = &behaviour.leaf(event).params;
        let needed = params
            .iter()
            .filter(|param| param.default.is_none())
            .count();
        let mut values = Vec::new();
        for param in params {
            let json = match data {
                Some(Json::Object(parts)) => parts.get(&param.name),
                // The only parameter that needs a value takes it alone.
                other if param.default.is_none() && needed == 1 => other,
                _ => None,
            };
            let value = match (json, param.default) {
                (Some(json), _) => typed(behaviour, param.ty, json),
                (None, Some(default)) => Some(default),
                (None, None) => None,
            };
            values.push(value.ok_or_else(|| {
                let (param, ty) = (&param.name, param.ty.keyword());
                format!("`{name}` needs `{param}` of type {ty}: {name}, a tab, {{\"{param}\": …}}")
            })?);
        }
        self.deliver(name, event, &values);
        Ok(())
    }

    fn deliver(&mut self, name: &str, event: LeafId, values: &[Value]) {
        if !self.harness.population.send(0, event, values) {
            let sentence = format!("`{name}` is lost: too many events wait");
            io::tell(Line::warning(&sentence));
        }
    }

    fn send_scxml(&mut self, behaviour: &Behaviour, name: &str, data: Option<&Json>) {
        if let Some(event) = event_named(behaviour, name) {
            let part = |path: &[&str]| {
                let whole = data?;
                let found = path.iter().try_fold(whole, |part, name| part.get(name));
                found.and_then(value)
            };
            let values = event_values(behaviour, event, name, part);
            self.deliver(name, event, &values);
        }
    }

    /// Ticks, and in machines that take one step per tick again until nothing more happens by itself.
    pub(super) fn settle(&mut self, dt: Duration) {
        self.tick(dt);
        let mut ticks = 0;
        // The end of an activity is seen in the next tick.
        let mut had_ended = false;
        while !self.is_scxml && !self.is_over {
            let has_ended = self.has(|event| matches!(event, Event::Stop(_)));
            let has_moved =
                self.has(|event| matches!(event, Event::Take(_) | Event::EnterState(_)));
            if !has_moved && (!has_ended || had_ended) {
                return;
            }
            had_ended = !has_moved;
            ticks += 1;
            if ticks == MOST_AT_ONCE {
                io::tell(Line::warning(
                    "the machine goes from state to state forever",
                ));
                return;
            }
            self.tick(Duration::ZERO);
        }
    }

    /// Whether the last tick has an event.
    fn has(&self, is_it: impl Fn(Event) -> bool) -> bool {
        self.trace.agent(0).any(|(_, event)| is_it(event))
    }

    /// When something is due: an event, an `after`, or the next step, before which activities do not continue.
    fn next_step_ns(&self, end: u64) -> Option<u64> {
        let population = &self.harness.population;
        let now = population.now_ns();
        if now >= end {
            return None;
        }
        let behaviour = population.program().behaviour();
        let timed = behaviour.node_ids().flat_map(|node| {
            let transitions = match &behaviour.node(node).kind {
                Kind::Machine(machine) => machine.transitions.len(),
                _ => 0,
            };
            (0..transitions).filter_map(move |number| population.due_ns(0, node, number))
        });
        let next = timed
            .chain(population.next_event_ns(0))
            .filter(|due| *due > now);
        let step = now.saturating_add(STEP.as_nanos() as u64);
        Some(next.chain([step, end]).min().unwrap_or(end))
    }

    /// Advances the time, with a tick whenever something is due.
    fn wait(&mut self, time: Duration) -> Result<(), String> {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let end = self.harness.population.now_ns().saturating_add(nanos);
        let start = self.harness.population.now_ns();
        let (mut at_once, mut ticks) = (0, 0);
        while !self.is_over {
            let now = self.harness.population.now_ns();
            let due = match self.is_scxml {
                true => self.harness.population.next_event_ns(0),
                false => self.next_step_ns(end),
            };
            let Some(due) = due.filter(|due| *due <= end && at_once < MOST_AT_ONCE) else {
                break;
            };
            at_once = if due == now { at_once + 1 } else { 0 };
            if ticks == MOST_IN_A_WAIT {
                return Err(format!(
                    "too many events are due in that time: {MOST_IN_A_WAIT} in the first {} ms",
                    (now - start) / 1_000_000
                ));
            }
            ticks += 1;
            self.settle(Duration::from_nanos(due - now));
        }
        if at_once == MOST_AT_ONCE {
            let sentence = "the machine sends events to itself forever";
            io::tell(Line::warning(sentence));
        }
        if !self.is_over && self.is_scxml {
            self.tick(Duration::from_nanos(end - self.harness.population.now_ns()));
        }
        Ok(())
    }

    fn tick(&mut self, dt: Duration) {
        self.trace.clear();
        let Harness {
            population, host, ..
        } = &mut self.harness;
        let tally = population.tick_traced(host, dt, &mut self.trace);
        self.is_over = tally.running == 0;
        self.look();
        let program = Arc::clone(self.harness.population.program());
        for message in self.harness.host.take_messages() {
            // Events are for machines; logs are for people.
            if let Kind::Log { .. } = program.behaviour().node(message.node).kind {
                io::tell(format!("log: {}", visible_line(&message.text)));
            }
        }
        for fault in self.harness.population.take_faults() {
            io::tell(Line::fault(&fault.kind.to_string()));
        }
    }

    /// Reads which states are active. At the end the machine leaves all states; then the previous ones are kept.
    fn look(&mut self) {
        let program = Arc::clone(self.harness.population.program());
        let behaviour = program.behaviour();
        let Kind::Machine(machine) = &behaviour.node(self.machine).kind else {
            return;
        };
        let states = 0..machine.states.len();
        let active: Vec<usize> = if self.is_over {
            let events = self
                .trace
                .agent(0)
                .filter(|(node, _)| *node == self.machine);
            let mut left = Vec::new();
            for (_, event) in events {
                match event {
                    Event::LeaveState(state) => left.push(state as usize),
                    Event::EnterState(_) => left.clear(),
                    _ => {}
                }
            }
            left
        } else {
            let active = |state: &usize| self.harness.population.is_in(0, self.machine, *state);
            states.filter(active).collect()
        };
        let innermost = active.into_iter().filter(|state| machine.is_atomic(*state));
        // States without an id have a generated name that is no id.
        let names = innermost.map(|state| machine.states[state].name.clone());
        self.active = names.filter(|name| !name.starts_with('(')).collect();
        self.active.sort_unstable();
    }
}
