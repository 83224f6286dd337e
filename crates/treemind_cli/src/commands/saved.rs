//! `treemind saved`: what a saved game holds.

use crate::io::{self, Failure};
use crate::numbers::whole;
use std::path::PathBuf;
use treemind::saving::Readable;

/// Show what a saved game holds: keys, what runs, timers, states of machines.
///
/// Reads what `--save` of `treemind run` has written, and what games save with `Mind`, `Minds` or `Cast`. The text of the
/// document is part of the saved game, so the document itself is not needed.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The saved game; `-` is standard input.
    #[arg(value_name = "SAVE")]
    file: PathBuf,
    /// Print JSON, for programs. It cannot be loaded.
    #[arg(long)]
    json: bool,
    /// Show only the agent with this index, from 0, in each population.
    #[arg(long, value_name = "INDEX", value_parser = whole)]
    agent: Option<u64>,
}

const AFTER: &str = "\
Examples:
  treemind run guard.kdl --no-ui --quiet --ticks 200 --save day.save
  treemind saved day.save
  treemind saved day.save --agent 0
  treemind saved day.save --json";

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let bytes = io::read_saved(&args.file)?;
    let only = args
        .agent
        .map(|agent| usize::try_from(agent).unwrap_or(usize::MAX));
    let shown = readable(&bytes, only).map_err(|reason| {
        let name = io::display_name(&args.file);
        Failure::failed(format!("cannot read {name}: {reason}"))
    })?;
    match args.json {
        true => io::print_exact(|out| out.write_all(shown.to_json().as_bytes())),
        false => io::print_shown(|out| write!(out, "{shown}")),
    }
}

fn readable(bytes: &[u8], only: Option<usize>) -> Result<Readable, String> {
    match treemind_arena::is_saved_game(bytes) {
        true => treemind_arena::readable(bytes, only).map_err(|error| error.to_string()),
        false => treemind::saving::readable(bytes, only).map_err(|error| error.to_string()),
    }
}
