//! The chores of this workspace. `cargo xtask --help` lists them.

mod archive;
mod bench;
mod ci;
mod counts;
mod dist;
mod fuzz;
mod machine;
mod quick;
mod release;
mod site;
mod tidy;

use anyhow::{Context as _, Result};
use clap::{Parser, Subcommand};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The chores of the Treemind workspace.
///
/// Each chore says what it does, stops at the first error, and ends with exit status 0 on success and 1 on failure.
#[derive(Parser)]
#[command(bin_name = "cargo xtask", after_help = EXAMPLES)]
struct Args {
    #[command(subcommand)]
    chore: Chore,
}

const EXAMPLES: &str = "\
Examples:
  cargo xtask tidy             the rules that no compiler checks, in a second
  cargo xtask quick            what a change may have broken, in a minute or two
  cargo xtask ci               everything that must hold before a change is taken
  cargo xtask ci --thorough    the same with all random cases instead of a few, before a release
  cargo xtask bench            measure what a tick costs, and write it down
  cargo xtask counts --record  record how many instructions a tick takes
  cargo xtask dist             build the page of the studio after a change in studio/
  cargo xtask site             build the site: the book, and the studio in a page alone
  cargo xtask release --check  whether the crates can be published
  cargo xtask release --archive
                               the program for Linux as an archive, with all licences
  cargo xtask fuzz --minutes 5 kdl edits
                               search for documents and edits that break a promise";

#[derive(Subcommand)]
enum Chore {
    /// Formatting, tidiness, lints, tests and documentation: what must hold before a change is taken.
    ///
    /// Warnings count as errors here, and only here. Each step is printed with the time that it took. It needs npm,
    /// Chromium and valgrind; it installs them only with `--install`, or where the variable CI is set.
    Ci {
        /// Try all random documents and programs instead of a small part of them.
        #[arg(long)]
        thorough: bool,
        /// Install missing programs with apt-get.
        #[arg(long)]
        install: bool,
    },
    /// Formatting and tidiness, and the lints and unit tests of what a change touches.
    ///
    /// The change is what differs from a commit, with files that git does not know yet. `cargo xtask ci` also checks
    /// what depends on the change.
    Quick {
        /// The commit to compare with.
        #[arg(long, default_value = "HEAD")]
        base: String,
    },
    /// Steps that `ci` runs beside its others.
    #[command(hide = true)]
    Step { names: Vec<String> },
    /// The rules that no compiler checks; one line `FILE:LINE: SENTENCE` per violation.
    ///
    /// Which crate and which folder may use which, licences of all dependencies, manifests, sources that no module
    /// names, files that are too long, code in README.md that no test compiles, and pages that name files or
    /// scenarios that do not exist or are in no index.
    Tidy,
    /// Measures Treemind beside code written by hand and other crates, and writes docs/performance.md.
    ///
    /// It also draws the plots of that page and updates the same figures in README.md. It takes some minutes, during
    /// which nothing else should run.
    Bench,
    /// Counts the instructions and allocations of ticks under callgrind, and compares them with the recorded figures.
    ///
    /// A difference of more than a twentieth is an error, even if the figure is lower: record it, so that it stays low.
    Counts {
        /// Records the new figures.
        #[arg(long)]
        record: bool,
    },
    /// Builds the page of the studio from studio/ into crates/treemind_studio/page, which is committed.
    ///
    /// It needs Node and npm, and nothing else does. A test compares the page with a fingerprint of its sources.
    Dist {
        /// Lints and tests the sources, builds the page elsewhere, and compares it with the committed one, as
        /// `cargo xtask ci` does.
        #[arg(long)]
        check: bool,
    },
    /// Builds the site into a folder of static files: the studio in a page alone, and the book.
    ///
    /// Any web server serves it, under any path. It needs the target wasm32-unknown-unknown, and for the book `mdbook`,
    /// which is found in the PATH or else installed from PyPI into target/tools.
    Site {
        /// The folder. Default: target/site.
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
        /// Build faster, for tests: the page is larger and slower.
        #[arg(long)]
        quick: bool,
        /// Leave out the book.
        #[arg(long)]
        no_book: bool,
        /// Leave out the studio, which takes minutes to compile: to look at the book.
        #[arg(long, conflicts_with = "no_book")]
        no_studio: bool,
        /// Run its tests in Chromium afterwards.
        #[arg(long, conflicts_with = "no_studio")]
        test: bool,
    },
    /// Checks whether the crates that users take can be published, or packs the program for Linux.
    ///
    /// `--check` prints the order of publishing. First come the rules on manifests, then cargo makes all packages, in target/package. Nothing is uploaded or asked
    /// of a registry, so this does not say whether a name or version is free there.
    Release {
        /// Check manifests, and make all packages.
        #[arg(long, required_unless_present = "archive")]
        check: bool,
        /// Also build each package alone, as users will, and its documentation as docs.rs does. It takes about half an hour.
        #[arg(long, requires = "check")]
        build: bool,
        /// Build the program, and pack it into target/archives, with its licences and those of all that it contains.
        #[arg(long, conflicts_with = "check")]
        archive: bool,
    },
    /// Searches for inputs that break a promise: a panic, a hang, a document that means something else in another format.
    ///
    /// What it learns stays in target/fuzz, so that the next run goes on from there. It needs a compiler for C++.
    Fuzz {
        /// How many minutes each target is tried.
        #[arg(long, default_value_t = 1.0)]
        minutes: f64,
        /// The targets; all of them if none is named.
        targets: Vec<String>,
    },
}

fn main() -> ExitCode {
    let chore = Args::parse().chore;
    let done = workspace_root().and_then(|root| match chore {
        Chore::Ci { thorough, install } => {
            let may_install = install || std::env::var_os("CI").is_some();
            let options = ci::Options {
                is_thorough: thorough,
                may_install,
            };
            ci::run(&root, options)
        }
        Chore::Quick { base } => quick::run(&root, &base),
        Chore::Step { names } => names.iter().try_for_each(|name| ci::run_step(&root, name)),
        Chore::Tidy => tidy::run(&root),
        Chore::Bench => bench::run(&root),
        Chore::Counts { record } => counts::run(&root, record),
        Chore::Dist { check: false } => dist::run(&root),
        Chore::Dist { check: true } => dist::check(&root),
        Chore::Site {
            out,
            quick,
            no_book,
            no_studio,
            test,
        } => site::run(
            &root,
            &site::Options {
                out,
                is_quick: quick,
                has_book: !no_book,
                has_studio: !no_studio,
                is_tested: test,
            },
        ),
        Chore::Release { archive: true, .. } => archive::make(&root),
        Chore::Release { build, .. } => release::check(&root, build),
        Chore::Fuzz { minutes, targets } => fuzz::run(&root, minutes, &targets),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The cargo that runs this, in the root of the workspace.
fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

/// The folder above this crate.
fn workspace_root() -> Result<PathBuf> {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let above = here.parent().context("the crate lies in no folder")?;
    Ok(above.to_owned())
}
