//! `treemind fmt`: documents in one style.

use crate::io::{self, Failure, Output, print_exact};
use std::path::{Path, PathBuf};
use treemind_doc::Format;

/// Format documents: four spaces per level, one node per line, no needless spaces or empty lines.
///
/// Changes the files in place and prints the names of those that changed. Only spaces, line ends, `;` and `\` change:
/// comments stay with their nodes, properties keep their order. A block on one line stays there if it fits into 100
/// columns. Documents that are not KDL are not changed.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The documents, in KDL; `-` formats standard input to standard output.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Change nothing: print the names of the files that would change, and fail if there are any.
    #[arg(long)]
    check: bool,
}

const AFTER: &str = "\
Examples:
  treemind fmt guard.kdl
  treemind fmt --check examples/*/*.kdl
  treemind fmt - < guard.kdl

Exit status: 1 when a document is not KDL, or cannot be read or written, or
would change with --check; otherwise 0.";

/// How many files changed, and how many did not.
#[derive(Default)]
struct Counts {
    changed: usize,
    unchanged: usize,
    failed: usize,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let reads_stdin = args.files.iter().any(|file| io::is_stdin(file));
    if reads_stdin && !args.check {
        let [file] = &args.files[..] else {
            return Err(Failure::Usage(
                "`-` must be the only file, because it is formatted to standard output".to_owned(),
            ));
        };
        let (_, formatted) = formatted(file)?;
        return print_exact(|out| out.write_all(formatted.as_bytes()));
    }
    io::one_stdin(args.files.iter().map(Some))?;
    let mut counts = Counts::default();
    for file in &args.files {
        match change(file, args.check) {
            Ok(true) => {
                counts.changed += 1;
                print_exact(|out| writeln!(out, "{}", io::source_name(file)))?;
            }
            Ok(false) => counts.unchanged += 1,
            Err(failure) => {
                failure.report();
                counts.failed += 1;
            }
        }
    }
    io::tell(summary(&counts, args.check));
    if counts.failed > 0 || args.check && counts.changed > 0 {
        return Err(Failure::Reported);
    }
    Ok(())
}

/// Formats a file in place, or only checks it; returns whether it changes.
fn change(file: &Path, only_look: bool) -> Result<bool, Failure> {
    let (text, formatted) = formatted(file)?;
    let changes = text != formatted;
    if changes && !only_look {
        Output::in_place(file).write(formatted.as_bytes())?;
    }
    Ok(changes)
}

/// The text of a file, before and after formatting.
#[warn(clippy::wildcard_enum_match_arm)]
fn formatted(file: &Path) -> Result<(String, String), Failure> {
    let name = io::display_name(file);
    let text = io::read_text(file)?;
    let language = match Format::of(&name, &text) {
        Format::Kdl => None,
        Format::Json => Some("JSON"),
        Format::BtCpp | Format::Scxml => Some("XML"),
        Format::Table => Some("a flat table"),
        other => treemind_core::unlisted(&other),
    };
    if let Some(language) = language {
        return Err(Failure::failed(format!(
            "{name} is {language}; only documents in KDL are formatted"
        )));
    }
    match treemind_doc::format(&text, &name) {
        Ok(formatted) => Ok((text, formatted)),
        Err(diagnostics) => {
            io::show_first(&diagnostics, "");
            io::tell_if_foreign(file);
            Err(Failure::Reported)
        }
    }
}

/// The last line: `1 file formatted, 2 already formatted`.
fn summary(counts: &Counts, only_look: bool) -> String {
    let number = |count: usize| match count {
        0 => "no files".to_owned(),
        1 => "1 file".to_owned(),
        _ => format!("{count} files"),
    };
    let verb = if only_look {
        "would change"
    } else {
        "formatted"
    };
    let left = match counts.unchanged {
        0 => String::new(),
        count => format!(", {count} already formatted"),
    };
    let failed = match counts.failed {
        0 => String::new(),
        count => format!(", {} refused", number(count)),
    };
    format!("{} {verb}{left}{failed}", number(counts.changed))
}
