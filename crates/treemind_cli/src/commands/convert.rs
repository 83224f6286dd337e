//! `treemind convert`: a document in another form.

use crate::io::{self, Failure, Known, What, print_result};
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use treemind_doc::{Document, Format};

/// Write a document in another form.
///
/// KDL and JSON say the same, one to one, and a document in either becomes the other. A flat table becomes either, with
/// the leaves that its manifest declares, and so do trees of BehaviorTree.CPP. Trees, state machines and
/// decision trees of any document become diagrams: Mermaid, which many editors and web pages show, and DOT, which
/// Graphviz draws. The form is that of the ending of OUT, or what `--to` says. Without OUT, it is printed. What the
/// other form has no place for is told on standard error.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The document, in any format; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where to write it; without it, or with `-`, to standard output.
    #[arg(value_name = "OUT")]
    out: Option<PathBuf>,
    /// The format of FILE; without it, that of its ending, else what the text looks like.
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Option<From>,
    /// The form; without it, that of the ending of OUT.
    #[arg(long, value_enum, value_name = "FORM")]
    to: Option<Form>,
    #[command(flatten)]
    what: What,
}

const AFTER: &str = "\
Examples:
  treemind convert guard.kdl guard.json
  treemind convert guard.json --to kdl
  treemind convert tree.xml tree.kdl
  treemind convert pet.csv --manifest pet.kdl --to kdl
  treemind convert guard.kdl guard.mmd
  treemind convert robot.kdl --machine robot --to mermaid
  treemind convert robot.kdl --to dot | dot -Tsvg > robot.svg

Endings: .kdl, .json, .mmd or .mermaid, .dot or .gv.";

/// What a document can be read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum From {
    /// Treemind's own, as people write it.
    Kdl,
    /// The same in JSON.
    Json,
    /// The XML of BehaviorTree.CPP.
    Btcpp,
    /// State machines in SCXML.
    Scxml,
    /// A tree as a flat table: comma-separated values, or rows in JSON.
    Table,
}

impl From {
    fn format(self) -> Format {
        match self {
            From::Kdl => Format::Kdl,
            From::Json => Format::Json,
            From::Btcpp => Format::BtCpp,
            From::Scxml => Format::Scxml,
            From::Table => Format::Table,
        }
    }
}

/// What a document can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Treemind's own, as people write it.
    Kdl,
    /// The same in JSON.
    Json,
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
            "kdl" => Some(Form::Kdl),
            "json" => Some(Form::Json),
            "mmd" | "mermaid" => Some(Form::Mermaid),
            "dot" | "gv" => Some(Form::Dot),
            _ => None,
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let out = args.out.as_deref().filter(|out| !io::is_stdin(out));
    let Some(form) = args.to.or_else(|| Form::of(out?)) else {
        let sentence = match out {
            Some(out) => format!(
                "what to write is not to be seen from the name {}: it ends in `.kdl`, `.json`, `.mmd` or `.dot`, or `--to` says it",
                out.display()
            ),
            None => "say what to write: `--to kdl`, `json`, `mermaid` or `dot`".to_owned(),
        };
        return Err(Failure::Usage(sentence));
    };
    let text = match form {
        Form::Kdl => document(args, Format::Kdl)?,
        Form::Json => document(args, Format::Json)?,
        Form::Mermaid => treemind_doc::mermaid(&behaviour(args)?),
        Form::Dot => treemind_doc::dot(&behaviour(args)?),
    };
    match out {
        Some(out) => io::write(out, text.as_bytes()),
        None => print_result(|out| out.write_all(text.as_bytes())),
    }
}

fn behaviour(args: &Args) -> Result<treemind_core::Behaviour, Failure> {
    let known = Known {
        format: args.from.map(From::format),
        ..args.what.known()
    };
    io::behaviour_of(&io::sound_document(&args.file, known)?, &args.what)
}

/// The whole document in another format.
fn document(args: &Args, to: Format) -> Result<String, Failure> {
    if args.what.is_given() {
        return Err(Failure::Usage(
            "a document is converted as a whole: leave `--tree` and the like out".to_owned(),
        ));
    }
    let name = io::display_name(&args.file);
    let text = String::from_utf8(io::read(&args.file)?).map_err(|error| {
        io::show(Document::read(error.as_bytes(), &name).diagnostics());
        Failure::Told
    })?;
    let from = args.from.map(From::format);
    let from = from.unwrap_or_else(|| Format::of(&name, &text));
    let manifest = args.what.manifest.as_deref().map(Path::to_string_lossy);
    let converted = match (from, manifest) {
        (Format::Table, manifest) => {
            treemind_doc::convert_table(&text, &name, to, manifest.as_deref(), io::load)
        }
        (_, Some(_)) => return Err(io::no_table(&args.file)),
        (from, None) => treemind_doc::convert(&text, &name, from, to),
    };
    let converted = converted.map_err(|diagnostics| {
        io::show_first(&diagnostics, "");
        io::tell_if_foreign(&args.file);
        Failure::Told
    })?;
    for lost in converted.lost() {
        io::tell(&format!("note: {lost}"));
    }
    Ok(converted.text)
}
