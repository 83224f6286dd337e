//! `treemind convert`: a document in another format.

use crate::io::{self, Failure, Known, Output, Selection, print_exact};
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use treemind_doc::{BtcppScripts, Document, Format};

/// Convert a document to another format, or draw it.
///
/// KDL and JSON hold the same data, so they convert into each other without loss, except for comments. Flat tables
/// (with the leaves that their manifest declares) and trees of BehaviorTree.CPP convert to both, and trees convert to
/// the XML of BehaviorTree.CPP as far as it can say them. Any tree, state
/// machine or decision tree can be drawn as a diagram: in Mermaid, which many editors and web pages show, or in DOT,
/// for Graphviz. A small neural network in ONNX becomes a file of weights, which the `network` of a document names. The ending of OUT selects the format, unless `--to` does. Without OUT, the result is printed. Standard
/// error lists what the other format cannot hold.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The document, in any format; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The file to write; without it, or with `-`, standard output.
    #[arg(value_name = "OUT")]
    out: Option<PathBuf>,
    /// The format of FILE. Default: by its ending, else by how the text begins.
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Option<From>,
    /// The format to write. Default: by the ending of OUT.
    #[arg(long, value_enum, value_name = "FORM")]
    to: Option<Form>,
    /// Of a tree of BehaviorTree.CPP to KDL: add a test whose leaves answer as this file of mocks says (JSON with
    /// `SubstitutionRules` and `TestNodeConfigs`).
    #[arg(long, value_name = "JSON")]
    mocks: Option<PathBuf>,
    #[command(flatten)]
    what: Selection,
}

const AFTER: &str = "\
Examples:
  treemind convert guard.kdl guard.json
  treemind convert guard.json --to kdl
  treemind convert guard.kdl guard.xml
  treemind convert tree.xml tree.kdl --mocks mocks.json
  treemind convert examples/14-door/door.scxml --to kdl
  treemind convert guard.kdl guard.mmd
  treemind convert examples/03-boss/boss.kdl --machine boss --to mermaid
  treemind convert examples/03-boss/boss.kdl --to dot | dot -Tsvg > boss.svg
  cd examples/02-pet && treemind convert pet.csv --manifest pet.kdl --to kdl
  treemind convert brain.onnx mood.weights

Endings: .kdl, .json, .xml, .mmd or .mermaid, .dot or .gv, .weights.";

/// The formats that a document can be read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum From {
    /// Treemind's own format for people.
    Kdl,
    /// Treemind's own format for programs.
    Json,
    /// The XML of BehaviorTree.CPP.
    Btcpp,
    /// State machines in SCXML.
    Scxml,
    /// A tree as a flat table: comma-separated values, or rows in JSON.
    Table,
    /// A neural network in ONNX; it converts to a file of weights only.
    Onnx,
}

impl From {
    /// The format of a document; a network is none.
    fn format(self) -> Option<Format> {
        Some(match self {
            From::Kdl => Format::Kdl,
            From::Json => Format::Json,
            From::Btcpp => Format::BtCpp,
            From::Scxml => Format::Scxml,
            From::Table => Format::Table,
            From::Onnx => return None,
        })
    }
}

/// The formats that a document can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Treemind's own format for people.
    Kdl,
    /// Treemind's own format for programs.
    Json,
    /// The XML of BehaviorTree.CPP 4.
    Btcpp,
    /// A diagram in Mermaid: a flowchart of a tree, a state diagram of a state machine.
    Mermaid,
    /// A diagram in DOT, for Graphviz.
    Dot,
    /// The weights of a neural network.
    Weights,
}

impl Form {
    /// The format of a file with this ending.
    fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "kdl" => Some(Form::Kdl),
            "json" => Some(Form::Json),
            "xml" => Some(Form::Btcpp),
            "mmd" | "mermaid" => Some(Form::Mermaid),
            "dot" | "gv" => Some(Form::Dot),
            "weights" => Some(Form::Weights),
            _ => None,
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let out = args.out.as_deref().filter(|out| !io::is_stdin(out));
    let Some(form) = args.to.or_else(|| Form::of(out?)) else {
        let sentence = match out {
            Some(out) => format!(
                "unknown format of {}: use an ending such as `.kdl`, `.json`, `.xml`, `.mmd`, `.dot` or `.weights`, or give `--to`",
                io::display_name(out)
            ),
            None => "the format to write is missing: give `--to kdl`, `json`, `btcpp`, `mermaid`, `dot` or `weights`"
                .to_owned(),
        };
        return Err(Failure::Usage(sentence));
    };
    let is_onnx = match args.from {
        Some(from) => from == From::Onnx,
        None => args.file.extension().is_some_and(|ending| ending == "onnx"),
    };
    if is_onnx != (form == Form::Weights) {
        let sentence = "a network in ONNX converts to a file of weights, and nothing else does: `--from onnx --to weights`";
        return Err(Failure::Usage(sentence.to_owned()));
    }
    let text = match form {
        Form::Kdl => document(args, Format::Kdl)?,
        Form::Json => document(args, Format::Json)?,
        Form::Btcpp => document(args, Format::BtCpp)?,
        Form::Mermaid => treemind_doc::mermaid(&behaviour(args)?),
        Form::Dot => treemind_doc::dot(&behaviour(args)?),
        Form::Weights => weights(args)?,
    };
    match out {
        Some(out) => Output::claim("OUT", out)?.write(text.as_bytes()),
        None => print_exact(|out| out.write_all(text.as_bytes())),
    }
}

fn behaviour(args: &Args) -> Result<treemind_core::Behaviour, Failure> {
    let known = Known {
        format: args.from.and_then(From::format),
        ..args.what.known()
    };
    io::behaviour_of(&io::sound_document(&args.file, known)?, &args.what)
}

/// The file of weights for a network in ONNX.
fn weights(args: &Args) -> Result<String, Failure> {
    let bytes = io::read(&args.file)?;
    let weights = treemind_learn::onnx_weights(&bytes).map_err(|why| {
        let file = io::display_name(&args.file);
        Failure::failed(format!("{file} cannot become a file of weights: {why}"))
    })?;
    Ok(weights.text())
}

/// The whole document in another format.
fn document(args: &Args, to: Format) -> Result<String, Failure> {
    if args.what.is_given() {
        return Err(Failure::Usage(
            "a conversion to KDL, JSON or XML takes the whole document: leave out `--tree` and the like"
                .to_owned(),
        ));
    }
    let name = io::source_name(&args.file);
    let text = io::read_text(&args.file)?;
    let from = args.from.and_then(From::format);
    let from = from.unwrap_or_else(|| Format::of(&name, &text));
    let manifest = args.what.manifest.as_deref().map(Path::to_string_lossy);
    let load = io::loader(&args.file, args.what.known());
    if args.out.is_some() && from != Format::Table {
        // A conversion leaves imports alone; but they are inputs of the document, and must not be overwritten.
        let load = io::loader(&args.file, args.what.known());
        Document::read_as_with(text.as_bytes(), &name, from, load);
    }
    let converted = match (from, manifest) {
        (from, manifest) if to == Format::BtCpp => {
            treemind_doc::write_btcpp(&text, &name, from, manifest.as_deref(), load)
        }
        (Format::Table, manifest) => {
            treemind_doc::convert_table(&text, &name, to, manifest.as_deref(), load)
        }
        (Format::BtCpp, manifest) => {
            treemind_doc::convert_btcpp(&text, &name, to, manifest.as_deref(), load)
        }
        (_, Some(_)) => return Err(io::no_table(&args.file)),
        (from, None) => treemind_doc::convert(&text, &name, from, to),
    };
    let converted = converted.map_err(|diagnostics| {
        io::show_first(&diagnostics, "");
        io::tell_if_foreign(&args.file);
        Failure::Reported
    })?;
    for lost in converted.lost() {
        io::tell(format!("note: {lost}"));
    }
    match &args.mocks {
        Some(_) if (from, to) != (Format::BtCpp, Format::Kdl) => Err(Failure::Usage(
            "`--mocks` is for trees of BehaviorTree.CPP that become KDL".to_owned(),
        )),
        Some(mocks) => {
            let load = io::loader(&args.file, args.what.known());
            let manifest = args.what.manifest.as_deref().map(Path::to_string_lossy);
            let scripts = BtcppScripts::read(&text, &name, manifest.as_deref(), load);
            let mut scripts = scripts.map_err(|diagnostics| {
                io::show_first(&diagnostics, "");
                Failure::Reported
            })?;
            Ok(converted.text + &test_of(mocks, &mut scripts)?)
        }
        None => Ok(converted.text),
    }
}

/// The test that mocks become.
fn test_of(mocks: &Path, scripts: &mut BtcppScripts) -> Result<String, Failure> {
    let name = io::display_name(mocks);
    let json = io::read_text(mocks)?;
    let test = format!("with {}", io::source_name(mocks));
    let mocks = treemind_groot::Mocks::read(&json, scripts, &test);
    let mocks = mocks.map_err(|error| Failure::failed(format!("{name}: {error}")))?;
    for left_out in &mocks.left_out {
        io::tell(format!("note: {left_out}"));
    }
    Ok(format!("\n{}", mocks.test))
}
