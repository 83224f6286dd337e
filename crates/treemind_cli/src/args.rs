//! The command line as a whole. The arguments of each subcommand are with the subcommand.

use crate::commands::{
    balance, check, completions, convert, diff, explain, explain_code, export, fmt, learn, lsp,
    machine, new, plan, print, replay, run, saved, schema, studio, sweep, test, trace, words,
};
use crate::io::{self, Failure};
use crate::numbers::positive;
use crate::version;
use clap::{CommandFactory as _, Parser, Subcommand};
use treemind_doc::visible_line;

/// Decision-making for games and robots: behaviour trees, decision trees and state machines written as text.
///
/// Checks documents, runs them, shows what they do, and converts them to and from other formats.
#[derive(Debug, Parser)]
#[command(name = "treemind", version, long_version = version::long(), after_help = AFTER)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
    /// Refuse inputs of more bytes than this. Default: 268435456, which is 256 MiB.
    ///
    /// This applies to documents, maps, tables and pipes. Recordings and saved games that are files may have any size.
    #[arg(long, value_name = "BYTES", global = true, value_parser = positive)]
    max_bytes: Option<u64>,
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

    /// Runs the subcommand of the command line.
    pub(crate) fn run(self) -> Result<(), Failure> {
        io::limit_inputs(self.max_bytes);
        match self.command {
            Command::Balance(args) => balance::run(&args),
            Command::Check(args) => check::run(&args),
            Command::Machine(args) => machine::run(&args),
            Command::Convert(args) => convert::run(&args),
            Command::Diff(args) => diff::run(&args),
            Command::Explain(args) => explain::run(&args),
            Command::ExplainCode(args) => explain_code::run(&args),
            Command::Words(args) => words::run(&args),
            Command::Fmt(args) => fmt::run(&args),
            Command::Learn(args) => learn::run(&args),
            Command::Lsp(args) => lsp::run(&args),
            Command::New(args) => new::run(&args),
            Command::Plan(args) => plan::run(&args),
            Command::Print(args) => print::run(&args),
            Command::Export(args) => export::run(&args),
            Command::Replay(args) => replay::run(&args),
            Command::Run(args) => run::run(&args),
            Command::Saved(args) => saved::run(&args),
            Command::Schema(args) => schema::run(&args),
            Command::Studio(args) => studio::run(&args),
            Command::Sweep(args) => sweep::run(&args),
            Command::Test(args) => test::run(&args),
            Command::Trace(args) => trace::run(&args),
            Command::Completions(args) => completions::run(&args, &mut Self::command()),
        }
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
enum Command {
    Run(Box<run::Args>),
    Replay(replay::Args),
    Saved(saved::Args),
    Studio(studio::Args),
    Explain(explain::Args),
    Export(export::Args),
    Check(check::Args),
    ExplainCode(explain_code::Args),
    Words(words::Args),
    Fmt(fmt::Args),
    Diff(diff::Args),
    Print(print::Args),
    Plan(plan::Args),
    Trace(trace::Args),
    Test(test::Args),
    Sweep(Box<sweep::Args>),
    Machine(machine::Args),
    Convert(convert::Args),
    New(new::Args),
    Learn(learn::Args),
    Balance(balance::Args),
    Lsp(lsp::Args),
    Schema(schema::Args),
    Completions(completions::Args),
}
