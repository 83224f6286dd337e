//! The subcommands, one file or folder each.

pub(crate) mod balance;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod explain_code;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod learn;
pub(crate) mod machine;
pub(crate) mod new;
pub(crate) mod print;
mod profile;
pub(crate) mod run;
pub(crate) mod saved;
pub(crate) mod schema;
pub(crate) mod test;
pub(crate) mod trace;
pub(crate) mod words;

pub(crate) use run::{explain, replay, studio};

use crate::args::{Args, Command};
use crate::io::{self, Failure};

/// Runs the subcommand of the command line.
pub(crate) fn run(args: Args) -> Result<(), Failure> {
    io::limit_inputs(args.max_bytes);
    match args.command {
        Command::Balance(args) => balance::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Machine(args) => machine::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::ExplainCode(args) => explain_code::run(&args),
        Command::Words(args) => words::run(&args),
        Command::Fmt(args) => fmt::run(&args),
        Command::Learn(args) => learn::run(&args),
        Command::New(args) => new::run(&args),
        Command::Print(args) => print::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Saved(args) => saved::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Studio(args) => studio::run(&args),
        Command::Test(args) => test::run(&args),
        Command::Trace(args) => trace::run(&args),
        Command::Completions(args) => completions::run(&args),
    }
}
