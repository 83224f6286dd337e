//! `treemind replay`: plays a recording.

use super::faults::FaultTable;
use super::live::Live;
use super::notes::{self, Printed};
use super::pace::{Pace, conclude};
use super::player::Player;
use super::screening::Screening;
use super::{crowd, in_terminal, log, speed};
use crate::io::{self, Failure};
use crate::numbers::{positive, whole};
use std::io::IsTerminal as _;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use treemind_recording::{OpenError, Recording};
use treemind_view::{App, Theme};

/// Play a recording, live in the terminal.
///
/// A recording is a file written by `run` with `--record`, or by a game that uses the library. It holds the document
/// and everything that the agents were told, so every tick is played as it was, with the tree, the keys and the log. A
/// recording of the arena shows the arena, too.
///
/// With `--no-ui`, or when standard output is not a terminal, prints the log that the run printed.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The recording.
    #[arg(value_name = "RECORDING")]
    file: PathBuf,
    /// Print a log instead of the live view.
    #[arg(long)]
    no_ui: bool,
    /// Print a table of the faults instead of the log: each distinct fault once, with how often it occurred and what to do.
    #[arg(long)]
    faults: bool,
    /// Begin at this tick: the live view pauses there, the log leaves out earlier events.
    #[arg(long, value_name = "TICK", value_parser = whole)]
    at: Option<u64>,
    /// The initial speed of the live view, as a multiple of real time.
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = speed)]
    speed: f64,
    /// Of a file with several recordings, this one, counted from 1.
    #[arg(long, value_name = "N", value_parser = positive)]
    run: Option<u64>,
    /// The agent to show first: its name, or its number from 1.
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
}

const AFTER: &str = "\
The keys are those of `treemind run`: space pauses, `,` and `.` step back and
forth, `g` TICK goes to a tick, Tab shows another agent.

Examples:
  treemind run guard.kdl --no-ui --ticks 400 --record guard.mcap
  treemind replay guard.mcap
  treemind replay guard.mcap --no-ui
  treemind replay guard.mcap --at 190
  treemind replay guard.mcap --faults

If a file was cut off or damaged, everything that is whole is played, and a note on
standard error says what was lost. The log continues after a gap. The live view
does not: it shows the ticks before the first gap, or with `--at` the ticks
around that one.";

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let recording = Arc::new(open(&args.file, args.run)?);
    let at = args.at.unwrap_or(0);
    if at > *recording.ticks().end() {
        let there = what_there_is(&recording);
        return Err(failed(
            &args.file,
            &format!("there is no tick {at}; {there}"),
        ));
    }
    if args.no_ui || args.faults || !std::io::stdout().is_terminal() {
        return print(args, &recording, at);
    }
    let ticks = watched(&args.file, &recording, at);
    let (begin, last) = (ticks.start() - 1, *ticks.end());
    let player = player_at(&args.file, &recording, begin, at)?;
    let mind = super::named_mind(args.agent.as_deref(), &player)?;
    let live = Live::new(player).watching(last);
    let mut app = App::new(live, mind, Theme::of_environment());
    app.look.speed = args.speed;
    if let Some(tick) = args.at {
        app.go_to(tick.min(last));
    }
    let (ending, shown) = in_terminal(&mut app)?;
    io::tell(app.into_game().into_parts().0.summary());
    conclude(&ending, shown)
}

/// Prints the log of all ticks that can be played, from a tick on.
fn print(args: &Args, recording: &Arc<Recording>, at: u64) -> Result<(), Failure> {
    let printed = notes::printed(recording)?;
    let first = args.at.unwrap_or(printed.first);
    let mut summary = String::new();
    let mut faults = 0;
    let mut table = FaultTable::default();
    let from = *shown(recording, at).start();
    let stretches = stretches(recording).into_iter();
    for ticks in stretches.filter(|ticks| *ticks.start() >= from) {
        let (begin, last) = (ticks.start() - 1, *ticks.end());
        let printed = Printed { first, ..printed };
        if let Some(ended) = crowd::print(recording, (begin, last), printed, args.faults)? {
            if !args.faults {
                ended.faults.tell();
            }
            table.append(ended.faults);
            summary = ended.summary;
            continue;
        }
        let mut player = player_at(&args.file, recording, begin, at)?.after_faults(faults);
        // Whoever names an agent should hear that there is no such agent.
        super::named_mind(args.agent.as_deref(), &player)?;
        let course = log::Course {
            first,
            ticks: Some(last),
            is_quiet: args.faults,
            tells_faults: !args.faults,
            camera: None,
            reloading: None,
            speed: 1.0,
            monitors: None,
            pace: Pace::new(None),
        };
        io::print_shown(|out| log::run(&mut player, course, out))?;
        faults = player.faults();
        table.append(player.fault_table().clone());
        summary = player.summary();
    }
    if args.faults {
        super::print_faults(&table)?;
    }
    io::tell(counted(recording, &summary));
    Ok(())
}

/// The summary of a run, with how many of its ticks are there if some are missing.
fn counted(recording: &Recording, summary: &str) -> String {
    match recording.missing() {
        0 => summary.to_owned(),
        missing => {
            let count = recording.count();
            let all = count + missing;
            format!("{count} of {all} ticks are there; after the last one: {summary}")
        }
    }
}

/// The ticks of a recording, for people.
pub(crate) fn what_there_is(recording: &Recording) -> String {
    let stretches = recording.stretches().iter();
    let told = stretches.map(|ticks| match (ticks.start(), ticks.end()) {
        (first, last) if first == last => format!("{first}"),
        (first, last) => format!("{first} to {last}"),
    });
    let told: Vec<String> = told.collect();
    match told.is_empty() {
        true => "it has no ticks".to_owned(),
        false => format!("it has the ticks {}", told.join(", ")),
    }
}

/// The ticks that follow one another without a gap: what was lost divides them. There is at least one stretch; without
/// ticks, it is empty.
fn stretches(recording: &Recording) -> Vec<RangeInclusive<u64>> {
    let mut stretches = recording.stretches().to_vec();
    if stretches.is_empty() {
        stretches.push(recording.ticks());
    }
    stretches
}

/// The stretch that shows the tick behind this one, or the last before it.
fn shown(recording: &Recording, at: u64) -> RangeInclusive<u64> {
    let stretches = stretches(recording);
    let with = stretches
        .iter()
        .rev()
        .find(|ticks| *ticks.start() <= at.saturating_add(1));
    with.unwrap_or(&stretches[0]).clone()
}

/// The ticks that a view shows of a recording, and says which if there are others.
pub(super) fn watched(path: &Path, recording: &Recording, at: u64) -> RangeInclusive<u64> {
    let ticks = shown(recording, at);
    let others: Vec<String> = stretches(recording)
        .into_iter()
        .filter(|other| *other != ticks)
        .map(|other| format!("{} to {}", other.start(), other.end()))
        .collect();
    if !others.is_empty() {
        let (name, others) = (io::display_name(path), others.join(", "));
        let (first, last) = (ticks.start(), ticks.end());
        io::tell(format!(
            "note: {name}: showing the ticks {first} to {last}; it also has {others}"
        ));
    }
    ticks
}

/// The game that was recorded, or the agents alone, from the state after a tick on.
pub(super) fn player_at(
    path: &Path,
    recording: &Arc<Recording>,
    begin: u64,
    at: u64,
) -> Result<Player, Failure> {
    if let Some(player) = notes::player(recording, begin)? {
        return Ok(player);
    }
    // Where a document was replaced, the agents are others.
    let begin = recording.cast_since(at).max(begin);
    let screening = Screening::at(recording, shown(recording, begin), begin);
    let screening = screening.map_err(|error| failed(path, &error.to_string()))?;
    Ok(Player::recorded(screening))
}

/// Opens a recording, which may be larger than memory if it is a file on a disk, and says what of it was lost. Of several
/// in one file, `run` chooses one, counted from 1; the first one if it does not.
pub(crate) fn open(path: &Path, run: Option<u64>) -> Result<Recording, Failure> {
    let recording = match io::regular(path)? {
        Some(file) => Recording::from_file(file),
        None => Recording::read(io::read(path)?),
    };
    let recording = recording.map_err(|error| match error {
        OpenError::Io(error) => failed(path, &io::reason(&error).to_string()),
        error => failed(path, &error.to_string()),
    })?;
    let (runs, nth) = (recording.runs(), run.unwrap_or(1));
    let chosen = usize::try_from(nth - 1).ok();
    let recording = chosen.and_then(|nth| recording.run(nth)).ok_or_else(|| {
        let count = runs.len();
        failed(
            path,
            &format!("there is no recording {nth} in it; it has {count}"),
        )
    })?;
    let name = io::display_name(path);
    if runs.len() > 1 {
        let told = runs.iter().zip(1..).map(|(run, nth)| {
            let (first, last) = (run.ticks.start(), run.ticks.end());
            format!("{nth} has the ticks {first} to {last}")
        });
        let (count, told) = (runs.len(), told.collect::<Vec<String>>().join(", "));
        io::tell(format!(
            "note: {name}: there are {count} recordings in this file: {told}; this is number {nth}, and `--run N` chooses another"
        ));
    }
    for loss in recording.losses() {
        io::tell(format!("note: {name}: {loss}"));
    }
    Ok(recording)
}

pub(crate) fn failed(path: &Path, why: &str) -> Failure {
    Failure::failed(format!("{}: {why}", io::display_name(path)))
}
