//! `treemind export`: a recording in forms that other tools read.

mod btlog;
mod lines;
mod perfetto;
mod table;

use crate::commands::run::replay;
use crate::io::{self, Failure, Output};
use crate::numbers::{positive, whole};
use lines::Lines;
use perfetto::Perfetto;
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use table::Rows;
use treemind_core::tape::Played;
use treemind_core::trace::{ByAgent, Trace};
use treemind_core::{Behaviour, Fault, PopulationId};
use treemind_recording::{Recording, ReplayError, Tape};
use treemind_replay::history::Playhead;

/// Write a recording in a form that other tools read.
///
/// `--json` prints one object per line for each agent and tick: what happened, as in `treemind trace --format json`.
/// `--perfetto` prints a trace for https://ui.perfetto.dev, with a track per agent that shows what runs when. `--table`
/// writes a table with a row for each decision, from which `treemind learn` learns. `--btlog` writes what an agent did as
/// a log of BehaviorTree.CPP, which Groot2 plays, and `--db3` as the database that its SQLite logger writes; with
/// `--json`, such files are printed, too.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
#[command(group(clap::ArgGroup::new("form").required(true).args(["json", "perfetto", "table", "btlog", "db3"])))]
pub(crate) struct Args {
    /// The recording.
    #[arg(value_name = "RECORDING")]
    file: PathBuf,
    /// Print everything that happened as JSON, one line per agent and tick.
    #[arg(long)]
    json: bool,
    /// With `--json`: print each line in full.
    ///
    /// Otherwise, a line that would repeat an earlier line of the same agent only names the tick of that line, as `as_in_tick`.
    #[arg(long, requires = "json")]
    full: bool,
    /// Print a trace in the trace event format, for Perfetto.
    #[arg(long)]
    perfetto: bool,
    /// Write a table of comma-separated values: the facts and the action chosen; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Write a log of BehaviorTree.CPP (`.btlog`) of an agent, the first one by default.
    #[arg(long, value_name = "FILE")]
    btlog: Option<PathBuf>,
    /// Write the database that the SQLite logger of BehaviorTree.CPP writes (`.db3`), of an agent, the first one by
    /// default.
    #[arg(long, value_name = "FILE")]
    db3: Option<PathBuf>,
    /// Only the population with this name. Needed for a table if there are several.
    #[arg(long, value_name = "NAME")]
    population: Option<String>,
    /// Only this agent of a population, counted from 0.
    #[arg(long, value_name = "N", value_parser = whole)]
    agent: Option<u64>,
    /// Of a file with several recordings, or of a database with several sessions, this one, counted from 1.
    #[arg(long, value_name = "N", value_parser = positive)]
    run: Option<u64>,
    /// Begin with this tick.
    #[arg(long, value_name = "TICK", value_parser = whole)]
    from: Option<u64>,
    /// End with this tick.
    #[arg(long, value_name = "TICK", value_parser = whole)]
    to: Option<u64>,
}

const AFTER: &str = "\
The columns of a table are the tick, the agent, a column for each key and each
condition, and the action. A condition that was not asked has no value.

Examples:
  treemind run guard.kdl --no-ui --ticks 400 --record guard.mcap
  treemind export guard.mcap --json --from 10 --to 12
  treemind export guard.mcap --perfetto > guard.json
  treemind export guard.mcap --table guard.csv
  treemind export guard.mcap --btlog guard.btlog
  treemind export guard.mcap --db3 guard.db3
  treemind export guard.btlog --json
  treemind learn guard.csv --target action --ignore tick --ignore agent";

/// One population in one tick.
struct Scene<'f> {
    tick: u64,
    /// Whether the ticks before it were lost.
    is_behind_gap: bool,
    /// The time of the game at the beginning of the tick, and its length, in nanoseconds.
    begin_ns: u64,
    dt_ns: u64,
    id: PopulationId,
    name: &'f str,
    population: &'f treemind_core::Population,
    events: ByAgent<'f>,
    trace: &'f Trace,
    /// By agent.
    messages: HashMap<usize, Vec<&'f str>>,
    /// What went wrong in this tick, by agent.
    faults: HashMap<usize, Vec<&'f Fault>>,
}

impl Scene<'_> {
    fn behaviour(&self) -> &Behaviour {
        self.population.program().behaviour()
    }

    /// What went wrong for an agent, in sentences.
    fn faults_of(&self, agent: usize) -> Vec<String> {
        let own = self.faults.get(&agent).into_iter().flatten();
        own.map(|fault| format!("{}: {}", fault.label, fault.kind))
            .collect()
    }

    /// The agents of which there is anything to say.
    fn agents(&self, only: Option<u64>) -> impl Iterator<Item = usize> + '_ {
        let agents = 0..self.population.len();
        let is_wanted = move |agent: &usize| only.is_none_or(|only| only == *agent as u64);
        agents.filter(is_wanted)
    }

    /// What an agent logged and emitted.
    fn said_by(&self, agent: usize) -> Vec<&str> {
        self.messages.get(&agent).cloned().unwrap_or_default()
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if btlog::is_log(&args.file) {
        return btlog::read(args);
    }
    let recording = replay::open(&args.file, args.run)?;
    check(args, &recording)?;
    if let Some(path) = &args.btlog {
        return btlog::write(args, &recording, &Output::claim("--btlog", path)?);
    }
    if let Some(path) = &args.db3 {
        return btlog::write_db3(args, &recording, &Output::claim("--db3", path)?);
    }
    let table = args.table.as_deref().filter(|path| !io::is_stdin(path));
    let output = table.map(|path| Output::claim("--table", path));
    let output = output.transpose()?;
    if args.json {
        return print(|out| {
            let mut lines = Lines::new(args.full);
            scenes(args, &recording, |scene| {
                lines.scene(&scene, args.agent, out)
            })
        });
    }
    if args.perfetto {
        return print(|out| {
            let mut perfetto = Perfetto::default();
            scenes(args, &recording, |scene| {
                perfetto.scene(&scene, args.agent, out)
            })?;
            perfetto.end(out)
        });
    }
    let mut rows = Rows::default();
    match output {
        Some(output) => {
            let mut table = Vec::new();
            let played = scenes(args, &recording, |scene| {
                rows.scene(&scene, args.agent, &mut table)
            });
            played.map_err(Stop::failure)?;
            output.write(&table)
        }
        None => print(|out| {
            scenes(args, &recording, |scene| {
                rows.scene(&scene, args.agent, out)
            })
        }),
    }
}

/// Why an export ends early.
enum Stop {
    Io(std::io::Error),
    Failed(String),
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

impl Stop {
    fn failure(self) -> Failure {
        match self {
            Stop::Io(error) => Failure::failed(io::reason(&error)),
            Stop::Failed(why) => Failure::failed(why),
        }
    }
}

/// Prints results for programs, and says afterwards what stopped them.
fn print(write: impl FnOnce(&mut dyn Write) -> Result<(), Stop>) -> Result<(), Failure> {
    let mut failed = None;
    io::print_exact(|out| match write(out) {
        Ok(()) => Ok(()),
        Err(Stop::Io(error)) => Err(error),
        Err(Stop::Failed(why)) => {
            failed = Some(why);
            Ok(())
        }
    })?;
    failed.map_or(Ok(()), |why| Err(Failure::failed(why)))
}

/// Checks what the command line asks of the recording.
fn check(args: &Args, recording: &Recording) -> Result<(), Failure> {
    check_ticks(args, recording)?;
    let names = populations(recording)?;
    if let Some(wanted) = &args.population
        && !names.contains(wanted)
    {
        let known = names.join(", ");
        let text = format!("unknown population `{wanted}`; the populations are: {known}");
        return Err(Failure::Usage(text));
    }
    if args.table.is_some() && args.population.is_none() && names.len() > 1 {
        let known = names.join(", ");
        let text =
            format!("a table is of one population: choose with `--population` from: {known}");
        return Err(Failure::Usage(text));
    }
    Ok(())
}

/// Refuses ticks that are not there.
fn check_ticks(args: &Args, recording: &Recording) -> Result<(), Failure> {
    let (from, to) = (args.from.unwrap_or(0), args.to.unwrap_or(u64::MAX));
    if from > to {
        let text = format!("`--from {from}` is after `--to {to}`");
        return Err(Failure::Usage(text));
    }
    let stretches = recording.stretches();
    let is_there = stretches
        .iter()
        .any(|ticks| from <= *ticks.end() && *ticks.start() <= to);
    if is_there || args.from.is_none() && args.to.is_none() {
        return Ok(());
    }
    let there = replay::what_there_is(recording);
    let wanted = match (args.from, args.to) {
        (Some(from), Some(to)) => format!("none of the ticks {from} to {to} is there"),
        (Some(from), None) => format!("no tick from {from} on is there"),
        (_, _) => format!("no tick up to {to} is there"),
    };
    Err(replay::failed(&args.file, &format!("{wanted}; {there}")))
}

/// The names of the populations at the beginning.
fn populations(recording: &Recording) -> Result<Vec<String>, Failure> {
    let names = treemind_recording::decisions::populations(recording);
    names.map_err(|error| Failure::failed(error.to_string()))
}

/// Plays the wanted ticks that can be played, population by population.
fn scenes(
    args: &Args,
    recording: &Recording,
    mut each: impl FnMut(Scene<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let wanted = args.from.unwrap_or(0)..=args.to.unwrap_or(u64::MAX);
    let failed = |error: ReplayError| Stop::Failed(error.to_string());
    let mut last_tick = None;
    let mut agents = 0;
    for ticks in recording.stretches() {
        let first = *wanted.start().max(ticks.start());
        let last = *wanted.end().min(ticks.end());
        if first > last {
            continue;
        }
        let is_gap = last_tick.is_some_and(|tick: u64| tick + 1 < first);
        let tape = Tape::of(recording, ticks.clone());
        let mut head = Playhead::at(&tape, first - 1).map_err(failed)?;
        let mut played = Played::default();
        while head.tick() < last {
            let begin_ns = head.now().as_nanos() as u64;
            if !head.step(&tape, Some(&mut played)).map_err(failed)? {
                break;
            }
            let dt_ns = head.dt().as_nanos() as u64;
            let stage = head.stage();
            for (id, trace) in &played.traces {
                let name = stage.name(*id);
                let is_wanted = args.population.as_ref().is_none_or(|only| only == name);
                let (true, Some(population)) = (is_wanted, stage.population(*id)) else {
                    continue;
                };
                agents = agents.max(population.len());
                let mut messages: HashMap<usize, Vec<&str>> = HashMap::new();
                for (by, message) in &played.messages {
                    if by == id {
                        let said = messages.entry(message.agent).or_default();
                        said.push(&message.text);
                    }
                }
                let mut faults: HashMap<usize, Vec<&Fault>> = HashMap::new();
                for fault in population.latest_faults() {
                    faults.entry(fault.agent).or_default().push(fault);
                }
                each(Scene {
                    tick: head.tick(),
                    is_behind_gap: is_gap && head.tick() == first,
                    begin_ns,
                    dt_ns,
                    id: *id,
                    name,
                    population,
                    events: trace.by_agent(),
                    trace,
                    messages,
                    faults,
                })?;
            }
            last_tick = Some(head.tick());
        }
    }
    match args.agent {
        Some(agent) if agent >= agents as u64 => {
            let last = agents.saturating_sub(1);
            let name = io::display_name(&args.file);
            let text = format!(
                "{name}: there is no agent {agent} in these ticks; it has the agents 0 to {last}"
            );
            Err(Stop::Failed(text))
        }
        _ => Ok(()),
    }
}
