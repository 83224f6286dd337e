//! The command line as a whole; what each subcommand takes stands with the subcommand.

use crate::commands::{
    balance, bench, check, completions, convert, explain_code, fmt, learn, machine, new, print,
    run, schema, trace,
};
use clap::{Parser, Subcommand};

/// Decision-making for games and robots: behaviour trees and state machines as documents, checked, printed and run.
#[derive(Debug, Parser)]
#[command(name = "treemind", version, after_help = AFTER, subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// A whole number, as clap takes it, but with a sentence for people when it is none.
pub(crate) fn whole(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("not a whole number from 0 to {}", u64::MAX))
}

/// As [`whole`], from 1 on.
pub(crate) fn positive(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("not a whole number from 1 on".to_owned()),
    }
}

const AFTER: &str = "\
Begin with:
  treemind new my-guard                      a game to play with, in Rust
  treemind run guard.kdl                     watch it play, live in the terminal
  treemind check guard.kdl                   is the document well?
  treemind explain-code T0102                what does that problem mean?
  treemind fmt guard.kdl                     give it the usual style
  treemind print guard.kdl                   what does it say?
  treemind trace guard.kdl --ticks 10        what does it do when all goes well?
  treemind convert guard.kdl guard.mmd       what does it look like?
  treemind convert guard.kdl guard.json      the same for programs
  treemind bench guard --agents 100000       what does a tick cost?

A FILE of `-` is standard input. Results go to standard output, everything else
to standard error.
Exit status: 0 when all is well, 1 when a document or a run failed, 2 when the
command line is wrong.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(run::Args),
    Check(check::Args),
    ExplainCode(explain_code::Args),
    Fmt(fmt::Args),
    Print(print::Args),
    Trace(trace::Args),
    Machine(machine::Args),
    Convert(convert::Args),
    New(new::Args),
    Learn(learn::Args),
    Balance(balance::Args),
    Bench(bench::Args),
    Schema(schema::Args),
    Completions(completions::Args),
}
