//! `treemind convert`: a document in another form.

use crate::io::{self, Failure, What, print_result};
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use treemind_core::Behaviour;

/// Write a tree or a state machine in another form.
///
/// So far these are diagrams: Mermaid, which many editors and web pages show, and DOT, which Graphviz draws. The
/// form is that of the ending of OUT, `.mmd` or `.dot`, or what `--to` says. Without OUT, it is printed.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The document, in KDL or BehaviorTree.CPP's XML; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where to write it; without it, or with `-`, to standard output.
    #[arg(value_name = "OUT")]
    out: Option<PathBuf>,
    /// The form; without it, that of the ending of OUT.
    #[arg(long, value_enum, value_name = "FORM")]
    to: Option<Form>,
    #[command(flatten)]
    what: What,
}

const AFTER: &str = "\
Examples:
  treemind convert guard.kdl guard.mmd
  treemind convert robot.kdl --machine robot --to mermaid
  treemind convert robot.kdl --to dot | dot -Tsvg > robot.svg";

/// What a document can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Mermaid: a flowchart of a tree, a state diagram of a machine.
    Mermaid,
    /// DOT, for Graphviz.
    Dot,
}

impl Form {
    /// The form of a file with this ending.
    fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "mmd" | "mermaid" => Some(Form::Mermaid),
            "dot" | "gv" => Some(Form::Dot),
            _ => None,
        }
    }

    fn write(self, behaviour: &Behaviour) -> String {
        match self {
            Form::Mermaid => treemind_doc::mermaid(behaviour),
            Form::Dot => treemind_doc::dot(behaviour),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let out = args.out.as_deref().filter(|out| !io::is_stdin(out));
    let Some(form) = args.to.or_else(|| Form::of(out?)) else {
        let sentence = match out {
            Some(out) => format!(
                "what to write is not to be seen from the name {}: it ends in `.mmd` or `.dot`, or `--to` says it",
                out.display()
            ),
            None => "say what to write: `--to mermaid` or `--to dot`".to_owned(),
        };
        return Err(Failure::Usage(sentence));
    };
    let behaviour = io::behaviour(&args.file, &args.what)?;
    let text = form.write(&behaviour);
    match out {
        Some(out) => io::write(out, text.as_bytes()),
        None => print_result(|out| out.write_all(text.as_bytes())),
    }
}
