//! `treemind export`: a recording in forms that other tools read.

mod perfetto;
mod table;

use crate::args::whole;
use crate::commands::run::replay;
use crate::commands::trace::json::{event_json, lower, value_json};
use crate::io::{self, Failure};
use perfetto::Perfetto;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::PathBuf;
use table::Rows;
use treemind_core::{Behaviour, PopulationId, Trace};
use treemind_recording::{Film, Recording};

/// Write a recording in a form that other tools read.
///
/// `--json` prints an object per line for each agent and tick: what happened, as in `treemind trace --format json`.
/// `--perfetto` prints a trace for https://ui.perfetto.dev, with a track per agent that shows what runs when. `--table`
/// writes a table with a row for each decision, from which `treemind learn` learns.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
#[command(group(clap::ArgGroup::new("form").required(true).args(["json", "perfetto", "table"])))]
pub(crate) struct Args {
    /// The recording.
    #[arg(value_name = "RECORDING")]
    file: PathBuf,
    /// Print everything that happened as JSON, a line per agent and tick.
    #[arg(long)]
    json: bool,
    /// Print a trace in the trace event format, for Perfetto.
    #[arg(long)]
    perfetto: bool,
    /// Write a table of comma-separated values: the facts and the action chosen; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Only the population of this name. Needed for a table if there are several.
    #[arg(long, value_name = "NAME")]
    population: Option<String>,
    /// Only this agent of a population, counted from 0.
    #[arg(long, value_name = "N", value_parser = whole)]
    agent: Option<u64>,
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
  treemind learn guard.csv --target action --ignore tick --ignore agent";

/// One population in one tick.
struct Scene<'f> {
    tick: u64,
    /// Whether the ticks before it were lost.
    is_behind_gap: bool,
    /// The time of the game at the begin of the tick, and its length, in nanoseconds.
    begin_ns: u64,
    dt_ns: u64,
    id: PopulationId,
    name: &'f str,
    population: &'f treemind_core::Population,
    trace: &'f Trace,
    messages: Vec<(usize, &'f str)>,
}

impl Scene<'_> {
    fn behaviour(&self) -> &Behaviour {
        self.population.program().behaviour()
    }

    /// The agents of which there is anything to say.
    fn agents(&self, only: Option<u64>) -> impl Iterator<Item = usize> + '_ {
        let agents = 0..self.population.len();
        let is_wanted = move |agent: &usize| only.is_none_or(|only| only == *agent as u64);
        agents.filter(is_wanted)
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let recording = replay::open(&args.file)?;
    check(args, &recording)?;
    if args.json {
        return print(|out| {
            scenes(args, &recording, |scene| {
                json_lines(&scene, args.agent, out)
            })
        });
    }
    if args.perfetto {
        return print(|out| {
            let mut perfetto = Perfetto::begin(out)?;
            scenes(args, &recording, |scene| {
                perfetto.scene(&scene, args.agent, out)
            })?;
            perfetto.end(out)?;
            Ok(())
        });
    }
    let mut rows = Rows::default();
    scenes(args, &recording, |scene| {
        rows.scene(&scene, args.agent);
        Ok(())
    })
    .map_err(Stop::failure)?;
    let table = rows.text();
    match args.table.as_deref() {
        Some(path) if !io::is_stdin(path) => io::write(path, table.as_bytes()),
        _ => io::print_exact(|out| out.write_all(table.as_bytes())),
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
            Stop::Io(error) => Failure::Failed(io::reason(&error)),
            Stop::Failed(why) => Failure::Failed(why),
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
    failed.map_or(Ok(()), |why| Err(Failure::Failed(why)))
}

/// Checks what the command line asks of the recording.
fn check(args: &Args, recording: &Recording) -> Result<(), Failure> {
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

/// The names of the populations at the begin.
fn populations(recording: &Recording) -> Result<Vec<String>, Failure> {
    let film = Film::at(recording, recording.ticks().start() - 1);
    let film = film.map_err(|error| Failure::Failed(error.to_string()))?;
    let stage = film.stage();
    let ids = stage.populations().into_iter();
    Ok(ids.map(|id| stage.name(id).to_owned()).collect())
}

/// Plays the wanted ticks that can be played, population by population.
fn scenes(
    args: &Args,
    recording: &Recording,
    mut each: impl FnMut(Scene<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let wanted = args.from.unwrap_or(0)..=args.to.unwrap_or(u64::MAX);
    let failed = |error: treemind_recording::ReplayError| Stop::Failed(error.to_string());
    let mut begin_ns = 0;
    let (mut last_tick, mut last_dt_ns) = (None, 0);
    for ticks in recording.stretches() {
        let first = *wanted.start().max(ticks.start());
        let last = *wanted.end().min(ticks.end());
        if first > last {
            continue;
        }
        let lost = last_tick.map_or(0, |tick: u64| first - tick - 1);
        // Ticks that were lost are taken to be as long as the last one before them.
        begin_ns += lost * last_dt_ns;
        let mut film = Film::at(recording, first - 1).map_err(failed)?;
        while film.tick() < last && film.step().map_err(failed)? {
            let dt_ns = film.played().dt.as_nanos() as u64;
            let stage = film.stage();
            for (id, trace) in &film.played().traces {
                let name = stage.name(*id);
                let is_wanted = args.population.as_ref().is_none_or(|only| only == name);
                let (true, Some(population)) = (is_wanted, stage.population(*id)) else {
                    continue;
                };
                let messages = film.played().messages.iter();
                let messages = messages.filter(|(by, _)| by == id);
                each(Scene {
                    tick: film.tick(),
                    is_behind_gap: lost > 0 && film.tick() == first,
                    begin_ns,
                    dt_ns,
                    id: *id,
                    name,
                    population,
                    trace,
                    messages: messages.map(|(_, one)| (one.agent, &*one.text)).collect(),
                })?;
            }
            begin_ns += dt_ns;
            (last_tick, last_dt_ns) = (Some(film.tick()), dt_ns);
        }
    }
    Ok(())
}

/// A line for each agent that was ticked.
fn json_lines(scene: &Scene<'_>, only: Option<u64>, out: &mut dyn Write) -> Result<(), Stop> {
    let behaviour = scene.behaviour();
    for agent in scene.agents(only) {
        let events = scene.trace.valued(agent);
        let events: Vec<Value> = events
            .map(|event| event_json(behaviour, event, None))
            .collect();
        if events.is_empty() {
            continue;
        }
        let said = scene.messages.iter().filter(|(by, _)| *by == agent);
        let said: Vec<&str> = said.map(|(_, text)| *text).collect();
        let mut keys = Map::new();
        for (nth, key) in behaviour.keys().iter().enumerate() {
            if let Some(value) = scene.population.find(agent, treemind_core::KeyId::new(nth)) {
                keys.insert(key.name.clone(), value_json(behaviour, value));
            }
        }
        let line = json!({
            "tick": scene.tick,
            "population": scene.name,
            "agent": agent,
            "status": scene.trace.root(behaviour, agent).map(lower),
            "events": events,
            "said": said,
            "keys": keys,
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}
