//! `treemind`: decision-making for games and robots, from the command line.

mod args;
mod commands;
mod io;

use clap::Parser as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let done = commands::run(args::Args::parse());
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
