//! The chores of this workspace. `cargo xtask --help` lists them.

mod ci;
mod tidy;

use anyhow::{Context as _, Result};
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// The chores of the Treemind workspace.
///
/// Each chore says what it does, stops at the first thing that is wrong, and ends with exit status 0 when all is
/// well and 1 when something is not.
#[derive(Parser)]
#[command(bin_name = "cargo xtask", after_help = EXAMPLES)]
struct Args {
    #[command(subcommand)]
    chore: Chore,
}

const EXAMPLES: &str = "\
Examples:
  cargo xtask tidy    the rules that no compiler checks, in a second
  cargo xtask ci      everything that must hold before a change is taken
  cargo xtask ci --thorough
                      the same with eight times as many random cases, before a release";

#[derive(Subcommand)]
enum Chore {
    /// Formatting, tidiness, lints, tests and documentation: what must hold before a change is taken.
    ///
    /// Warnings count as errors here, and only here. Each step is printed with the time that it took; on two cores
    /// that are otherwise idle, a fresh clone takes about seven minutes.
    Ci {
        /// Try all random documents and programs instead of an eighth of them.
        #[arg(long)]
        thorough: bool,
    },
    /// The rules that no compiler checks; one line `FILE:LINE: SENTENCE` per violation.
    ///
    /// Which crate may depend on which, licences of all dependencies, manifests, public items without
    /// documentation, sources that no module names, files that are too long, code on the first page that no test
    /// compiles, pages that name files or scenarios which do not exist, and nodes without a page.
    Tidy,
}

fn main() -> ExitCode {
    let chore = Args::parse().chore;
    let done = workspace_root().and_then(|root| match chore {
        Chore::Ci { thorough } => ci::run(&root, thorough),
        Chore::Tidy => tidy::run(&root),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The folder above this crate.
fn workspace_root() -> Result<PathBuf> {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let above = here.parent().context("the crate lies in no folder")?;
    Ok(above.to_owned())
}
