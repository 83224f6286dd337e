//! `treemind check`: finds mistakes in documents.

use crate::io::{self, Counts, Failure, Known, Line, print_exact};
use serde_json::{Value, json};
use std::path::PathBuf;
use treemind_doc::{Code, Diagnostic, Severity, check_together};

/// Find mistakes in documents.
///
/// Lists every problem with its place and, where possible, a suggestion. A document with errors cannot run. A document
/// with warnings runs, but probably not as intended.
///
/// Several documents are also checked together: keys and semaphores with `scope=world` or `scope=group` that have the
/// same name in two documents must be declared alike, because programs that run in one world share them.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The documents, in any format; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the problems as one JSON array on standard output, for tools.
    #[arg(long)]
    json: bool,
    /// The document that declares the leaves, for flat tables and for trees of BehaviorTree.CPP.
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    #[command(flatten)]
    allowed: io::Allowed,
    /// Treat warnings as errors: all of them (`warnings`), or those with one code. Can be repeated.
    #[arg(long, value_name = "WHAT", value_parser = denied)]
    deny: Vec<Denied>,
}

/// Which warnings count as errors do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Denied {
    Warnings,
    Of(Code),
}

fn denied(text: &str) -> Result<Denied, String> {
    if text == "warnings" {
        return Ok(Denied::Warnings);
    }
    let code = Code::ALL.iter().find(|code| code.as_str() == text);
    match code {
        Some(code) if code.can_be_a_warning() => Ok(Denied::Of(*code)),
        Some(code) => Err(format!(
            "`{code}` is an error, which always fails the check"
        )),
        None => Err("expected `warnings`, or the code of a warning such as `T0604`".to_owned()),
    }
}

const AFTER: &str = "\
Examples:
  treemind check guard.kdl
  treemind check --deny warnings *.kdl       for CI
  treemind check examples/0*/*.kdl           and what they share
  treemind check --json examples/*/*.kdl | jq '.[].message'
  treemind check examples/02-pet/pet.csv --manifest examples/02-pet/pet.kdl
  treemind explain-code T0604                explain an error or warning

Exit status: 1 with errors or denied warnings, otherwise 0. `allow=T0604` on a
node silences that warning in the node.";

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    io::one_stdin(args.files.iter().chain(&args.manifest).map(Some))?;
    let mut counts = Counts::default();
    let mut unread = 0;
    let mut denied = 0;
    let mut all = Vec::new();
    let mut documents = Vec::new();
    let known = Known {
        manifest: args.manifest.as_deref(),
        allowed: &args.allowed.folders,
        ..Known::default()
    };
    let mut report = |diagnostics: &[Diagnostic]| {
        counts += Counts::of(diagnostics);
        let is_denied = |item: &&Diagnostic| args.denies(item);
        denied += diagnostics.iter().filter(is_denied).count();
        if args.json {
            all.extend(diagnostics.iter().map(to_json));
        } else {
            io::show(diagnostics);
        }
    };
    for file in &args.files {
        let document = match io::document(file, known) {
            Ok(document) => document,
            Err(failure) => {
                failure.report();
                unread += 1;
                continue;
            }
        };
        report(document.diagnostics());
        if document.has_errors() && !args.json {
            io::tell_if_foreign(file);
        }
        documents.push(document);
    }
    report(&check_together(&documents.iter().collect::<Vec<_>>()));
    if args.json {
        print_exact(|out| {
            serde_json::to_writer_pretty(&mut *out, &all)?;
            writeln!(out)
        })?;
    }
    io::tell(summary(args.files.len() - unread, unread, counts));
    if denied > 0 {
        let which = if denied == counts.warnings {
            "warnings are".to_owned()
        } else {
            format!(
                "{denied} of the warnings {}",
                if denied == 1 { "is" } else { "are" }
            )
        };
        io::tell(format!("{which} denied, by `--deny`"));
    }
    if counts.errors + unread + denied > 0 {
        return Err(Failure::Reported);
    }
    Ok(())
}

impl Args {
    fn denies(&self, item: &Diagnostic) -> bool {
        let denies = |denied: &Denied| match denied {
            Denied::Warnings => true,
            Denied::Of(code) => *code == item.code(),
        };
        item.severity() == Severity::Warning && self.deny.iter().any(denies)
    }
}

fn to_json(diagnostic: &Diagnostic) -> Value {
    let (line, column) = diagnostic.line_column();
    let span = diagnostic.span();
    json!({
        "file": diagnostic.source().name(),
        "line": line,
        "column": column,
        "start": span.start,
        "end": span.end,
        "severity": diagnostic.severity().as_str(),
        "code": diagnostic.code().to_string(),
        "message": diagnostic.message(),
        "help": diagnostic.help(),
    })
}

/// The last line: `3 files checked: 1 error, no warnings`.
fn summary(files: usize, unread: usize, counts: Counts) -> Line {
    let number = |count: usize, word: &str| match count {
        0 => format!("no {word}s"),
        1 => format!("1 {word}"),
        _ => format!("{count} {word}s"),
    };
    let (errors, warnings) = (
        number(counts.errors, "error"),
        number(counts.warnings, "warning"),
    );
    let unread = match unread {
        0 => String::new(),
        _ => format!(", {} not read", number(unread, "file")),
    };
    let line = Line::from(format!("{} checked: ", number(files, "file")));
    let line = match counts.errors {
        0 => line.then(&errors),
        _ => line.red(&errors),
    };
    let line = line.then(", ");
    let line = match counts.warnings {
        0 => line.then(&warnings),
        _ => line.yellow(&warnings),
    };
    line.then(&unread)
}
