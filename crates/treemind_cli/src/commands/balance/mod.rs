//! `treemind balance`: decision trees that ask likelier and cheaper tests first.

mod told;
mod trial;

use super::profile;
use crate::io::{self, Failure, Output, print_exact};
use serde_json::json;
use std::path::PathBuf;
use told::Checked;
pub(super) use told::{compared, summary};
use treemind_doc::Document;
use treemind_learn::{Balanced, Expected, NotBalanced};

/// Rewrite a decision tree so that likely and cheap tests come first, with the same answers.
///
/// A profile says how often each path was taken. `treemind trace … --profile` writes one, and so can a game. Only the
/// block of the decision tree changes: tests change their order, and disappear if their answer follows from others
/// or changes nothing. Tasks, random choices and branches stay as they are, and comments stay with them.
///
/// Before anything is written, the result is compared with the original: in every case that the tests can tell apart,
/// and on 100 000 random inputs.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The document, in KDL; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The profile of the decision tree.
    #[arg(long, value_name = "JSON")]
    profile: PathBuf,
    /// The decision tree. Default: the one that `main` names, or the only one.
    #[arg(long, value_name = "NAME")]
    decide: Option<String>,
    /// The file to write; `-` is standard output. Default: FILE, changed in place.
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Print the cost before and after, and how the result was checked, as one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    allowed: io::Allowed,
}

impl Args {
    fn known(&self) -> io::Known<'_> {
        io::Known {
            allowed: &self.allowed.folders,
            ..io::Known::default()
        }
    }
}

const AFTER: &str = "\
Examples:
  cd examples/09-watchman
  treemind trace watchman.kdl --script night.txt --ticks 99 --profile night.json
  treemind print watchman.kdl --stats --profile night.json
  treemind balance watchman.kdl --profile night.json --decide watchman -o -
  treemind balance watchman.kdl --profile night.json

A test of keys costs 1, a question to the game 10. If that is wrong for your
game, edit `cost` in the profile.
Exit status: 0 when the tree is balanced, even if nothing better was found; 1
when it cannot be, for instance with the profile of another version of the tree.
In that case nothing is written.";

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    io::one_stdin([Some(&args.file), Some(&args.profile)])?;
    let to_stdout = match &args.output {
        Some(output) => io::is_stdin(output),
        None => io::is_stdin(&args.file),
    };
    if args.json && to_stdout {
        return Err(Failure::Usage(
            "the document and the JSON cannot both go to standard output; give `--output FILE`"
                .to_owned(),
        ));
    }
    let document = io::sound_document(&args.file, args.known())?;
    let name = name_of(&document, args.decide.as_deref())?;
    let profile = profile::read(&args.profile)?;
    let out = match &args.output {
        Some(path) if !to_stdout => {
            Output::claim_over("--output", path, [&args.file]).map_err(io::refused)?
        }
        _ => Output::in_place(&args.file),
    };
    let balanced = treemind_learn::balance(&document, &name, &profile);
    let balanced = balanced.map_err(|why| refused(&document, &name, &why))?;
    if let Some(known) = profile.decision(&name)
        && let Ok(alone) = treemind_learn::decision_alone(&document, &name)
    {
        profile::warn_of_stale(&name, &known.stale(alone.tests()));
    }
    let checked = match balanced.is_changed {
        true => Some(check(args, &document, &name, &balanced)?),
        false => None,
    };
    if to_stdout {
        print_exact(|out| out.write_all(balanced.text.as_bytes()))?;
    } else if balanced.is_changed || args.output.is_some() {
        out.write(balanced.text.as_bytes())?;
    }
    if args.json {
        let json = to_json(&name, &balanced, checked.as_ref());
        return print_exact(|out| writeln!(out, "{json}"));
    }
    for sentence in summary(&name, &balanced, checked.as_ref()) {
        io::tell(sentence.to_string());
    }
    Ok(())
}

fn name_of(document: &Document, decide: Option<&str>) -> Result<String, Failure> {
    let names: Vec<&str> = document
        .decisions()
        .iter()
        .map(|tree| tree.name())
        .collect();
    let name = match (decide, document.main_decision(), &names[..]) {
        (Some(name), ..) => name,
        (None, Some(main), _) => main,
        (None, None, [only]) => only,
        (None, None, []) => {
            return Err(Failure::failed(
                "there are no decision trees in this document".to_owned(),
            ));
        }
        (None, None, names) => {
            return Err(Failure::failed(format!(
                "the document has several decision trees; name one with `--decide`: `{}`",
                names.join("`, `")
            )));
        }
    };
    if !names.contains(&name) {
        // The error lists the decision trees that exist.
        return match document.decision(name) {
            Err(diagnostics) => {
                io::show(&diagnostics);
                Err(Failure::Reported)
            }
            Ok(_) => Err(Failure::failed(format!("unknown decision tree `{name}`"))),
        };
    }
    Ok(name.to_owned())
}

fn refused(document: &Document, name: &str, why: &NotBalanced) -> Failure {
    let place = why.span().and_then(|span| {
        let source = document.sources().next()?;
        let (line, column) = source.line_column(span.start);
        Some(format!("{}:{line}:{column}: ", source.name()))
    });
    let place = place.unwrap_or_default();
    Failure::failed(format!("{place}`{name}` was not balanced: {why}"))
}

/// Reads the rewritten document, and compares its decision tree with the original.
fn check(
    args: &Args,
    document: &Document,
    name: &str,
    balanced: &Balanced,
) -> Result<Checked, Failure> {
    let load = io::loader(&args.file, args.known());
    let after = Document::read_with(balanced.text.as_bytes(), &io::source_name(&args.file), load);
    if !after.can_run() {
        io::show_first(after.diagnostics(), "");
    }
    compared([document, &after], name, balanced).map_err(Failure::failed)
}

fn to_json(name: &str, balanced: &Balanced, checked: Option<&Checked>) -> serde_json::Value {
    let expected = |of: &Expected| json!({ "tests": of.tests, "cost": of.cost });
    json!({
        "decision": name,
        "changed": balanced.is_changed,
        "before": expected(&balanced.before),
        "after": expected(&balanced.after),
        "estimated": balanced.guessed,
        "cases": checked.map(|checked| checked.proof.cases),
        "all_cases": checked.map(|checked| checked.proof.is_complete),
        "facts": checked.map(|checked| checked.facts),
    })
}
