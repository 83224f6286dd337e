//! The command line as a whole. The arguments of each subcommand are with the subcommand.

use crate::commands::{
    balance, check, completions, convert, explain, explain_code, export, fmt, learn, machine, new,
    print, replay, run, saved, schema, studio, test, trace, words,
};
use clap::{Parser, Subcommand};
use treemind_doc::visible_line;

/// Decision-making for games and robots: behaviour trees, decision trees and state machines written as text.
///
/// Checks documents, runs them, shows what they do, and converts them to and from other formats.
#[derive(Debug, Parser)]
#[command(name = "treemind", version, after_help = AFTER, subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Refuse inputs of more bytes than this. Default: 268435456, which is 256 MiB.
    ///
    /// This applies to documents, maps, tables and pipes. Recordings and saved games that are files may have any size.
    #[arg(long, value_name = "BYTES", global = true, value_parser = positive)]
    pub(crate) max_bytes: Option<u64>,
}

impl Args {
    /// Parses the command line. If it makes no sense, or asks for help, ends the program with a message.
    pub(crate) fn from_command_line() -> Self {
        Self::try_parse().unwrap_or_else(|error| {
            // The message quotes arguments. Some may be file names that somebody else chose, so control characters
            // are made visible.
            let shown = std::env::args_os()
                .map(|argument| visible_line(&argument.to_string_lossy()).into_owned());
            Self::try_parse_from(shown).err().unwrap_or(error).exit()
        })
    }
}

/// Parses a whole number, with an error message for people.
pub(crate) fn whole(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("not a whole number from 0 to {}", u64::MAX))
}

/// How many ticks a command plays at most: a year and a half of the arena.
const MOST_TICKS: u64 = 1_000_000_000;

/// Parses a number of ticks, which a command can play before it ends.
pub(crate) fn ticks(text: &str) -> Result<u64, String> {
    match whole(text)? {
        number if number > MOST_TICKS => Err(format!("at most {MOST_TICKS} ticks are played")),
        number => Ok(number),
    }
}

/// Like [`ticks`], but at least 1.
pub(crate) fn some_ticks(text: &str) -> Result<u64, String> {
    positive(text).and_then(|_| ticks(text))
}

/// Like [`whole`], but at least 1.
pub(crate) fn positive(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("not a whole number of at least 1".to_owned()),
    }
}

const AFTER: &str = "\
Begin with:
  treemind new my-guard                      make a small game in Rust
  cd my-guard
  treemind run guard.kdl                     watch its guard in the terminal
  treemind studio guard.kdl                  watch it in the browser
  treemind check guard.kdl                   find mistakes in the document
  treemind explain-code T0102                explain an error or warning
  treemind words                             list the words of documents
  treemind fmt guard.kdl                     format the document
  treemind print guard.kdl                   print the tree as an outline
  treemind trace guard.kdl --ticks 10        play it without a world
  treemind test guard.kdl                    run its tests
  treemind convert guard.kdl guard.mmd       draw it
  treemind convert guard.kdl guard.json      write it as JSON, for programs

In the examples of all commands, guard.kdl is the document that `treemind new`
makes, and the folder examples/ is part of Treemind's repository.

`-` as a FILE means standard input. Results go to standard output, everything
else to standard error.
Exit status: 0 for success, 1 when a document or a run failed, 2 when the
command line is wrong.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(run::Args),
    Replay(replay::Args),
    Saved(saved::Args),
    Studio(studio::Args),
    Explain(explain::Args),
    Export(export::Args),
    Check(check::Args),
    ExplainCode(explain_code::Args),
    Words(words::Args),
    Fmt(fmt::Args),
    Print(print::Args),
    Trace(trace::Args),
    Test(test::Args),
    Machine(machine::Args),
    Convert(convert::Args),
    New(new::Args),
    Learn(learn::Args),
    Balance(balance::Args),
    Schema(schema::Args),
    Completions(completions::Args),
}
