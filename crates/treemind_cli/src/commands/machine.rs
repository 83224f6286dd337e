//! `treemind machine`: plays a state machine event by event.

use crate::io::{self, Failure, Line};
use serde_json::Value as Json;
use std::io::{BufRead as _, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Kind, LeafId, NodeId, Population, Program, Text, Value};
use treemind_doc::scxml::{event_named, event_values};
use treemind_doc::{Document, Format, visible_line};

/// Play a state machine in SCXML, event by event.
///
/// First enters the machine and prints the ids of its innermost active states, in alphabetical order, as a JSON array on
/// one line. Then reads events from standard input, one per line, and prints the active states after each, once nothing
/// more happens by itself. A line holds the name of an event; or a name, a tab and the event's data in JSON; or `@wait`
/// and a number of milliseconds. Waiting takes no real time; delayed events arrive in order, up to 100 000 times for one
/// `@wait`. States without an id are not printed. After the machine has ended, the states that were active last are
/// printed for every further line.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The state machine, in SCXML.
    #[arg(long, value_name = "FILE")]
    scxml: PathBuf,
}

const AFTER: &str = "\
Examples:
  cd examples/14-door
  treemind machine --scxml door.scxml < /dev/null       the first states
  printf 'open\\n@wait 5000\\n' | treemind machine --scxml door.scxml
  printf 'unlock\\t{\"code\": 1234}\\n' | treemind machine --scxml door.scxml

Logs and faults, such as an endless loop of transitions, go to standard error.
Exit status: 0 when all lines were played, 1 when the document has errors or a
line cannot be read.";

/// How many ticks may pass without time advancing, for events that a machine sends to itself without delay.
const MOST_AT_ONCE: u32 = 1_000;

/// How many ticks may be played for one `@wait`.
const MOST_IN_A_WAIT: u32 = 100_000;

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let behaviour = behaviour(&args.scxml)?;
    let mut session = Session::new(behaviour);
    session.tick(Duration::ZERO);
    let mut out = std::io::stdout().lock();
    let mut say = |session: &Session| {
        let line = Json::from(session.active.clone()).to_string();
        let written = writeln!(out, "{line}").and_then(|()| out.flush());
        written.map_err(io::unwritten)
    };
    say(&session)?;
    for (number, line) in (1..).zip(std::io::stdin().lock().lines()) {
        let line = line.map_err(|error| {
            let reason = match error.kind() {
                ErrorKind::InvalidData => "it is not UTF-8 text".to_owned(),
                _ => io::reason(&error),
            };
            Failure::Failed(format!("standard input, line {number}: {reason}"))
        })?;
        session.play(&line).map_err(|reason| {
            Failure::Failed(format!("standard input, line {number}: {reason}"))
        })?;
        say(&session)?;
    }
    Ok(())
}

fn behaviour(path: &Path) -> Result<Behaviour, Failure> {
    let name = io::display_name(path);
    if io::is_stdin(path) {
        let reason = "standard input is where the events come from: name a file".to_owned();
        return Err(Failure::Usage(reason));
    }
    let bytes = io::read(path)?;
    let document = Document::read_as(&bytes, &name, Format::Scxml);
    let diagnostics = document.diagnostics();
    io::show(diagnostics);
    document.behaviour(None).map_err(|refusal| {
        if !document.has_errors() {
            io::show(&refusal);
        }
        Failure::Reported
    })
}

/// A machine being played.
struct Session {
    population: Population,
    host: Scripted,
    trace: Trace,
    machine: NodeId,
    /// The ids of the innermost active states; after the end, of those that were active before it.
    active: Vec<String>,
    is_over: bool,
}

impl Session {
    fn new(behaviour: Behaviour) -> Self {
        Self {
            host: Scripted::new(&behaviour, 1).listening(),
            trace: Trace::new(),
            machine: behaviour.root(),
            population: Population::new(Arc::new(Program::new(behaviour)), 1),
            active: Vec::new(),
            is_over: false,
        }
    }

    /// Plays a line. The error is a sentence for people.
    fn play(&mut self, line: &str) -> Result<(), String> {
        let line = line.trim_end_matches('\r');
        if let Some(word) = line.strip_prefix('@') {
            let wait = word.strip_prefix("wait").map(str::trim);
            let secs = wait.and_then(|wait| wait.parse::<f64>().ok());
            let secs = secs.map(|millis| millis / 1e3);
            let Some(time) = secs.and_then(|secs| Duration::try_from_secs_f64(secs).ok()) else {
                return Err("expected `wait` and a number of milliseconds after `@`".to_owned());
            };
            return self.wait(time);
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
            self.send(name, data.as_ref());
            self.tick(Duration::ZERO);
        }
        Ok(())
    }

    fn send(&mut self, name: &str, data: Option<&Json>) {
        let program = Arc::clone(self.population.program());
        let behaviour = program.behaviour();
        let event: Option<LeafId> = event_named(behaviour, name);
        if let Some(event) = event {
            let part = |path: &[&str]| {
                let whole = data?;
                let found = path.iter().try_fold(whole, |part, name| part.get(name));
                found.and_then(value)
            };
            let values = event_values(behaviour, event, name, part);
            if !self.population.send(0, event, &values) {
                let sentence = format!("`{name}` is lost: too many events wait");
                io::tell(Line::warning(&sentence));
            }
        }
    }

    /// Advances the time, with a tick whenever something is due.
    fn wait(&mut self, time: Duration) -> Result<(), String> {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let end = self.population.now_ns().saturating_add(nanos);
        let start = self.population.now_ns();
        let (mut at_once, mut ticks) = (0, 0);
        while !self.is_over {
            let now = self.population.now_ns();
            let due = self.population.next_event_ns(0);
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
            self.tick(Duration::from_nanos(due - now));
        }
        if at_once == MOST_AT_ONCE {
            let sentence = "the machine sends events to itself forever";
            io::tell(Line::warning(sentence));
        }
        if !self.is_over {
            self.tick(Duration::from_nanos(end - self.population.now_ns()));
        }
        Ok(())
    }

    fn tick(&mut self, dt: Duration) {
        let tally = self
            .population
            .tick_traced(&mut self.host, dt, &mut self.trace);
        self.is_over = tally.running == 0;
        self.look();
        let program = Arc::clone(self.population.program());
        for message in self.host.take_messages() {
            // Events are for machines; logs are for people.
            if let Kind::Log { .. } = program.behaviour().node(message.node).kind {
                io::tell(format!("log: {}", visible_line(&message.text)));
            }
        }
        for fault in self.population.take_faults() {
            io::tell(Line::fault(&fault.kind.to_string()));
        }
    }

    /// Reads which states are active. At the end the machine leaves all states; then the previous ones are kept.
    fn look(&mut self) {
        let program = Arc::clone(self.population.program());
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
            let active = |state: &usize| self.population.is_in(0, self.machine, *state);
            states.filter(active).collect()
        };
        let innermost = active.into_iter().filter(|state| machine.is_atomic(*state));
        // States without an id have a generated name that is no id.
        let names = innermost.map(|state| machine.states[state].name.clone());
        self.active = names.filter(|name| !name.starts_with('(')).collect();
        self.active.sort_unstable();
    }
}

/// The value of a piece of JSON. Machines have no values for lists and objects.
fn value(json: &Json) -> Option<Value> {
    match json {
        Json::Bool(truth) => Some(Value::Bool(*truth)),
        Json::Number(number) => match number.as_i64() {
            Some(int) => Some(Value::Int(int)),
            None => number.as_f64().map(Value::Double),
        },
        Json::String(text) => Some(Value::Text(Text::new(text))),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}
