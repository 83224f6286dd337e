//! `treemind`: decision-making for games and robots, from the command line.

mod args;
mod commands;
mod io;
mod numbers;
mod signals;
mod spoken;
mod version;
mod watch;

use std::process::ExitCode;

fn main() -> ExitCode {
    signals::survive_limits();
    match args::Args::from_command_line().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
