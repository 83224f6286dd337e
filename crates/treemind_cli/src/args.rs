//! The command line as a whole; what each subcommand takes stands with the subcommand.

use crate::commands::{bench, check, completions, print, run, trace};
use clap::{Parser, Subcommand};

/// Decision-making for games and robots: behaviour trees as documents, checked, printed and run.
#[derive(Debug, Parser)]
#[command(name = "treemind", version, after_help = AFTER, subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER: &str = "\
Begin with:
  treemind run guard.kdl                                watch it play, live in the terminal
  treemind check guard.kdl                              is the document well?
  treemind print guard.kdl                              what does it say?
  treemind trace guard.kdl --script day.txt --ticks 10  what does it do?

A FILE of `-` is standard input. Results go to standard output, everything else to standard error.
Exit status: 0 when all is well, 1 when a document or a run failed, 2 when the command line is wrong.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(check::Args),
    Print(print::Args),
    Run(run::Args),
    Trace(trace::Args),
    Bench(bench::Args),
    Completions(completions::Args),
}
