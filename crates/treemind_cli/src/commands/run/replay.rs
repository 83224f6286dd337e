//! `treemind replay`: plays a recording.

use super::live::Live;
use super::notes::{self, Printed};
use super::player::Player;
use super::screening::Screening;
use super::{crowd, in_terminal, log, speed};
use crate::args::whole;
use crate::io::{self, Failure};
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use treemind_recording::Recording;
use treemind_view::{App, Theme};

/// Play a recording, live in the terminal.
///
/// A recording is a file that the option `--record` of `run` has written, or a game with the library. It holds the document and
/// everything that the agents were told, so every tick is played as it was, with the tree, the keys and the log. A
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
    /// Begin at this tick: the live view pauses there, the log leaves out earlier events.
    #[arg(long, value_name = "TICK", value_parser = whole)]
    at: Option<u64>,
    /// The initial speed of the live view, as a multiple of real time.
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = speed)]
    speed: f64,
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

A file that was cut off by a crash is played as far as it is whole; standard
error says what was lost.";

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let recording = Arc::new(open(&args.file)?);
    // What was lost divides it.
    let stretches = recording.stretches();
    let at = args.at.unwrap_or(0);
    let with = stretches
        .iter()
        .rev()
        .find(|ticks| *ticks.start() <= at + 1);
    let ticks = with.or(stretches.first()).cloned();
    let ticks = ticks.unwrap_or_else(|| recording.ticks());
    let begin = ticks.start() - 1;
    let last = *ticks.end();
    let is_live = !args.no_ui && std::io::stdout().is_terminal();
    let printed = notes::printed(&recording);
    let first = args.at.unwrap_or(printed.first);
    if !is_live && crowd::print(&recording, (begin, last), Printed { first, ..printed })? {
        return Ok(());
    }
    let mut player = match notes::player(&recording, begin)? {
        Some(player) => player,
        None => {
            // Where a document was replaced, the agents are others.
            let begin = recording.cast_since(at).max(begin);
            let screening = Screening::at(Arc::clone(&recording), begin);
            let screening = screening.map_err(|error| failed(&args.file, &error.to_string()))?;
            Player::recorded(screening)
        }
    };
    let mind = super::named_mind(args.agent.as_deref(), &player)?;
    if !is_live {
        let course = log::Course {
            first,
            ticks: Some(last),
            is_quiet: false,
            camera: None,
            reloading: None,
        };
        return io::print_shown(|out| log::run(&mut player, course, out));
    }
    let live = Live::new(player).watching(last);
    let mut app = App::new(live, mind, Theme::of_environment());
    app.look.speed = args.speed;
    if let Some(tick) = args.at {
        app.go_to(tick.min(last));
    }
    io::tell(in_terminal(app)?.into_stage().into_parts().0.summary());
    Ok(())
}

/// Reads a recording, and says what of it was lost.
pub(crate) fn open(path: &Path) -> Result<Recording, Failure> {
    let recording = Recording::read(io::read(path)?);
    let recording = recording.map_err(|error| failed(path, &error.to_string()))?;
    let name = io::display_name(path);
    for loss in recording.losses() {
        io::tell(format!("note: {name}: {loss}"));
    }
    Ok(recording)
}

pub(super) fn failed(path: &Path, why: &str) -> Failure {
    Failure::Failed(format!("{}: {why}", io::display_name(path)))
}
