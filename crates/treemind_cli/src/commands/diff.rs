//! `treemind diff`: what differs between two versions of a document, node by node.

use crate::io::{self, Allowed, Failure, Known, print_shown};
use std::path::PathBuf;
use treemind::edit::compare_versions;

/// Say what differs between two versions of a document, node by node: what was added, removed, moved or changed.
///
/// Prints a line for each node, with its line numbers and the nodes around it, also for the files that the documents
/// import. Layout and comments do not count, nor do other spellings of the same value,
/// such as `"eat"` for `eat`. Prints nothing if nothing differs.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The older version, in KDL; `-` means standard input.
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The newer version, in KDL.
    #[arg(value_name = "NEW")]
    new: PathBuf,
    #[command(flatten)]
    allowed: Allowed,
}

const AFTER: &str = "\
Examples:
  treemind fmt - < guard.kdl | treemind diff - guard.kdl

To see what has changed since the last commit, give `treemind diff` to git
difftool with --extcmd. An imported file that one of the versions does not have
beside it is left out.

Exit status: 0 when nothing differs, 1 when something does, 2 when a file cannot
be read.";

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    match is_same(args) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::Reported),
        Err(failure) => Err(failure.into_trouble()),
    }
}

/// Prints what differs, and returns whether nothing does.
fn is_same(args: &Args) -> Result<bool, Failure> {
    io::one_stdin([&args.old, &args.new].map(Some))?;
    let known = || Known {
        allowed: &args.allowed.folders,
        ..Known::default()
    };
    let old = io::version(&args.old, known())?;
    let new = io::version(&args.new, known())?;
    for (version, path) in [(&old, &args.old), (&new, &args.new)] {
        for file in version.missing() {
            let (file, name) = (treemind_doc::visible_line(file), io::display_name(path));
            io::tell(format!(
                "{file} is left out: {name} imports it, and it cannot be read"
            ));
        }
    }
    let found = compare_versions(&old, &new);
    let found = found.map_err(|error| Failure::failed(error.to_string()))?;
    print_shown(|out| {
        for one in &found {
            writeln!(out, "{one}")?;
        }
        Ok(())
    })?;
    Ok(found.is_empty())
}
