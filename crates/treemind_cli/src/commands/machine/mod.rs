//! `treemind machine`: plays a state machine event by event.

mod json;
mod session;

use crate::io::{self, Allowed, Failure};
use serde_json::Value as Json;
use session::Session;
use std::io::{BufRead as _, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;
use treemind_core::{Behaviour, Kind};
use treemind_doc::testing::Subject;
use treemind_doc::{Document, Format, visible_line};

/// Play a state machine event by event.
///
/// First enters the machine and prints the names of its innermost active states, in alphabetical order, as a JSON array
/// on one line. Then reads lines from standard input. After each line, prints the active states as soon as nothing more
/// happens by itself. A line holds the name of an event; or a name, a tab and the event's data in JSON; or `@wait` and
/// a number of milliseconds. Waiting takes no real time; delayed events arrive in order, up to 100 000 times for one
/// `@wait`. States without an id are not printed. After the machine has ended, every further line prints the states
/// that were active last.
///
/// In machines other than SCXML, conditions answer failure and actions keep running until a line says otherwise:
/// `@answer NAME S`. `@set KEY JSON` gives a key a value.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
#[group(required = true, multiple = false, args = ["file", "scxml"])]
pub(crate) struct Args {
    /// The document with the machine, in any format.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// The state machine, read as SCXML whatever the name of the file.
    #[arg(long, value_name = "FILE")]
    scxml: Option<PathBuf>,
    /// The machine. Default: what `main` names, or the only machine.
    #[arg(long, value_name = "NAME", conflicts_with = "scxml")]
    machine: Option<String>,
    #[command(flatten)]
    allowed: Allowed,
}

const AFTER: &str = "\
Examples:
  cd examples/14-door
  treemind machine door.scxml < /dev/null               the first states
  printf 'open\\n@wait 5000\\n' | treemind machine door.scxml
  printf 'unlock\\t{\"code\": 1234}\\n' | treemind machine door.scxml
  printf '@set enemy_seen true\\n' | treemind machine ../10-soldier/soldier.kdl

Logs and faults, such as an endless loop of transitions, go to standard error.
Exit status: 0 when all lines were played, 1 when the document has errors or a
line cannot be read.";

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let (behaviour, is_scxml) = behaviour(args)?;
    let mut session = Session::new(behaviour, is_scxml);
    session.settle(Duration::ZERO);
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
                _ => io::reason(&error).to_string(),
            };
            Failure::failed(format!("standard input, line {number}: {reason}"))
        })?;
        session.play(&line).map_err(|reason| {
            Failure::failed(format!("standard input, line {number}: {reason}"))
        })?;
        say(&session)?;
    }
    Ok(())
}

/// The machine to play, and whether it is in SCXML.
fn behaviour(args: &Args) -> Result<(Behaviour, bool), Failure> {
    let path = match (&args.file, &args.scxml) {
        (Some(path), _) | (None, Some(path)) => path,
        (None, None) => return Err(Failure::Usage("there is no file to play".to_owned())),
    };
    if io::is_stdin(path) {
        let reason = "standard input is where the events come from: name a file".to_owned();
        return Err(Failure::Usage(reason));
    }
    if args.scxml.is_some() {
        return scxml(path).map(|behaviour| (behaviour, true));
    }
    let known = io::Known {
        allowed: &args.allowed.folders,
        ..io::Known::default()
    };
    let document = io::sound_document(path, known)?;
    let wanted = args.machine.clone().or_else(|| only_machine(&document));
    let found = match wanted {
        Some(name) => document.behaviour_of(&Subject::Machine(name)),
        None => document.behaviour(None),
    };
    let behaviour = found.map_err(|refusal| {
        io::show(&refusal);
        Failure::Reported
    })?;
    let root = behaviour.node(behaviour.root());
    if !matches!(root.kind, Kind::Machine(_)) {
        let name = visible_line(behaviour.name()).into_owned();
        return Err(Failure::failed(format!(
            "`{name}` is not a state machine; `treemind trace` plays trees"
        )));
    }
    Ok((behaviour, document.format() == Format::Scxml))
}

/// The machine of a document whose `main` is something else, or that has none.
fn only_machine(document: &Document) -> Option<String> {
    let mut machines = document
        .outermost()
        .into_iter()
        .filter_map(|one| match one {
            Subject::Machine(name) => Some(name),
            _ => None,
        });
    let first = machines.next()?;
    machines.next().is_none().then_some(first)
}

fn scxml(path: &Path) -> Result<Behaviour, Failure> {
    let name = io::display_name(path);
    let bytes = io::read(path)?;
    let document = Document::read_as(&bytes, &name, Format::Scxml);
    let diagnostics = document.diagnostics();
    io::show(diagnostics);
    document.behaviour(None).map_err(|refusal| {
        if document.can_run() {
            io::show(&refusal);
        }
        Failure::Reported
    })
}
