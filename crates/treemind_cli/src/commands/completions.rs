//! `treemind completions`: completion scripts for shells.

use crate::io::{Failure, print_exact};
use clap_complete::Shell;

/// Print a script that lets a shell complete the command line of `treemind`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The shell that the script is for.
    shell: Shell,
}

const AFTER: &str = "\
Examples:
  source <(treemind completions bash)
  treemind completions fish > ~/.config/fish/completions/treemind.fish";

/// Prints the script for a command line.
pub(crate) fn run(args: &Args, command_line: &mut clap::Command) -> Result<(), Failure> {
    // The generator panics when it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command_line, "treemind", &mut script);
    print_exact(|out| out.write_all(&script))
}
