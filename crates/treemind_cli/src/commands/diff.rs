//! `treemind diff`: what differs between two versions of a document, node by node.

use crate::io::{self, Failure, print_shown};
use std::path::{Path, PathBuf};
use treemind::edit::compare;
use treemind_doc::Format;

/// Say what differs between two versions of a document, node by node: what was added, removed, moved or changed.
///
/// Prints a line for each node, with its line numbers and the nodes around it. Layout and comments do not count, and
/// neither do the files that a document imports. Prints nothing if nothing differs.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The older version, in KDL; `-` means standard input.
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The newer version, in KDL.
    #[arg(value_name = "NEW")]
    new: PathBuf,
}

const AFTER: &str = "\
Examples:
  treemind fmt - < guard.kdl | treemind diff - guard.kdl

To see what has changed since the last commit, give `treemind diff` to git
difftool with --extcmd.

Exit status: 0 when nothing differs, 1 when something does or a file cannot be
read.";

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    io::one_stdin([&args.old, &args.new].map(Some))?;
    let (old, new) = (text(&args.old)?, text(&args.new)?);
    let found = compare(&old, &new).map_err(|error| Failure::Failed(error.to_string()))?;
    if found.is_empty() {
        return Ok(());
    }
    print_shown(|out| {
        for one in &found {
            writeln!(out, "{one}")?;
        }
        Ok(())
    })?;
    Err(Failure::Reported)
}

/// The text of a document in KDL.
fn text(path: &Path) -> Result<String, Failure> {
    let text = io::read_text(path)?;
    let name = io::source_name(path);
    match Format::of(&name, &text) {
        Format::Kdl => Ok(text),
        _ => Err(Failure::Failed(format!(
            "{name} is not in KDL; `treemind convert` writes it in KDL"
        ))),
    }
}
