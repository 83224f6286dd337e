//! `treemind`: decision-making for games and robots, from the command line.

mod args;
mod commands;
mod io;
mod signals;
mod watch;

use std::process::ExitCode;

fn main() -> ExitCode {
    signals::survive_limits();
    match commands::run(args::Args::from_command_line()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
