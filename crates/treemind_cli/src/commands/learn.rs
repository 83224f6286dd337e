//! `treemind learn`: a decision tree from a table.

use crate::io::{self, Failure, Output, print_exact};
use serde_json::json;
use std::path::PathBuf;
use treemind_learn::{
    Criterion, Examples, Judgement, LearnedTree, Options, Table, document, find_ccp_alpha, learn,
};

/// Learn a decision tree from a table.
///
/// The table is comma-separated; its first line names the columns. A column holds numbers, whole numbers, `true` and
/// `false`, or words. Values can be missing (empty, `?` or `NA`). The result is a document to edit: a key for each
/// column that a test asks about, and an action for each value of the target.
///
/// Some rows, chosen at random by the seed, are held out from learning. Standard error shows how many of them the tree
/// predicts correctly, and a confusion matrix. Cross-validation on the other rows finds how far to prune the tree.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The table; `-` is standard input.
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    /// The column to predict.
    #[arg(long, value_name = "COLUMN")]
    target: String,
    /// A column that tests must not use. Can be repeated.
    #[arg(long, value_name = "COLUMN")]
    ignore: Vec<String>,
    /// The maximum number of tests between the root and a leaf, 1 to 64.
    #[arg(long, value_name = "TESTS", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=64))]
    depth: u8,
    /// The minimum number of rows in each leaf.
    #[arg(long, value_name = "ROWS", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    min_leaf: u32,
    /// The measure of how mixed the classes are on both sides of a test.
    #[arg(long, value_enum, default_value_t = Mixed::Entropy)]
    criterion: Mixed,
    /// Prune a test unless, per leaf that it adds, it corrects more than this share of all rows; 0 keeps every test
    /// that corrects any. Without it, cross-validation finds the share.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    ccp_alpha: Option<f64>,
    /// The share of rows to hold out, below 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.25, value_parser = share)]
    hold_out: f64,
    /// Hold out rows in blocks of this many consecutive rows.
    ///
    /// For tables in which each row is the next moment of the same game. A moment resembles the one before it, so
    /// single held-out rows would make the tree look better than it is.
    #[arg(long, value_name = "ROWS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    stretch: u32,
    /// The seed that chooses the rows to hold out.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// The name of the tree.
    #[arg(long, value_name = "NAME", default_value = "learned")]
    name: String,
    /// Write the document to this file.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print the quality of the tree as JSON on standard output; needs `--output`.
    #[arg(long, requires = "output")]
    json: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Mixed {
    Entropy,
    Gini,
}

const AFTER: &str = "\
Examples:
  cd examples/09-watchman
  treemind learn nights.csv --target does > night-watch.kdl
  treemind learn nights.csv --target does --depth 4 -o night-watch.kdl
  treemind learn nights.csv --target does --ccp-alpha 0   a larger tree

Exit status: 0 when a tree was learned, 1 when the table cannot be read or holds
nothing to learn.";

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..1.0).contains(&share) => Ok(share),
        _ => Err("not a number from 0 to below 1".to_owned()),
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let name = io::display_name(&args.table);
    let bytes = io::read(&args.table)?;
    let output = args.output.as_deref();
    let output = output.map(|path| Output::claim("--output", path));
    let output = output.transpose()?;
    let failed = |reason: String| Failure::failed(format!("{name}: {reason}"));
    let table = Table::read(&bytes).map_err(|error| failed(error.to_string()))?;
    let examples = Examples::of(table, &args.target, &args.ignore)
        .map_err(|error| failed(error.to_string()))?;
    let stretch = args.stretch as usize;
    let [rows, held_out] = examples.divided(args.hold_out, args.seed, stretch);
    if rows.is_empty() {
        return Err(failed("all rows are held out".to_owned()));
    }
    let mut options = Options {
        depth: usize::from(args.depth),
        min_leaf: args.min_leaf as usize,
        criterion: match args.criterion {
            Mixed::Entropy => Criterion::Entropy,
            Mixed::Gini => Criterion::Gini,
        },
        ccp_alpha: 0.0,
    };
    options.ccp_alpha = match args.ccp_alpha {
        Some(share) => share,
        None => find_ccp_alpha(&examples, &rows, stretch, &options),
    };
    let tree = learn(&examples, &rows, &options);
    let text = document(&tree, &examples, &args.name);
    match &output {
        Some(output) => output.write(text.as_bytes())?,
        None => print_exact(|out| out.write_all(text.as_bytes()))?,
    }
    let known = Judgement::of(&tree, &examples, &rows);
    let unknown = Judgement::of(&tree, &examples, &held_out);
    if args.json {
        let found = json!({
            "rows": rows.len(),
            "held_out": held_out.len(),
            "without_target": examples.without_class,
            "depth": tree.depth(),
            "leaves": tree.leaves(),
            "ccp_alpha": options.ccp_alpha,
            "accuracy_learned": known.accuracy(),
            "accuracy_held_out": unknown.accuracy(),
            "classes": unknown.classes,
            "confusion_held_out": unknown.confusion,
        });
        print_exact(|out| {
            serde_json::to_writer(&mut *out, &found)?;
            writeln!(out)
        })?;
    } else {
        tell(&tree, &examples, (&known, &unknown));
        if args.ccp_alpha.is_none() && options.ccp_alpha > 0.0 {
            io::tell(format!(
                "pruned with --ccp-alpha {}, found by cross-validation; --ccp-alpha 0 keeps every test",
                options.ccp_alpha
            ));
        }
    }
    Ok(())
}

fn tell(tree: &LearnedTree, examples: &Examples, (known, unknown): (&Judgement, &Judgement)) {
    if examples.without_class > 0 {
        io::tell(format!(
            "{} rows have no value of `{}` and are left out",
            examples.without_class, examples.target
        ));
    }
    for name in &examples.too_many_values {
        io::tell(format!(
            "`{name}` has too many different values for a test and is left out"
        ));
    }
    let percent = |judgement: &Judgement| match judgement.accuracy() {
        Some(share) => format!("{:.1} %", share * 100.0),
        None => "-".to_owned(),
    };
    io::tell(format!(
        "depth {}, {} leaves; right: {} of {} rows learned from ({}), {} of {} held out ({})",
        tree.depth(),
        tree.leaves(),
        known.right(),
        known.rows(),
        percent(known),
        unknown.right(),
        unknown.rows(),
        percent(unknown),
    ));
    if unknown.rows() > 0 {
        io::tell(format!("held out:\n{unknown}"));
    }
}
