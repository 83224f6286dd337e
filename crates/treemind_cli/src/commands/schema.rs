//! `treemind schema`: the JSON Schema with which editors complete documents in JSON.

use crate::io::{Failure, print_exact};

/// Print the JSON Schema of documents in JSON.
///
/// Editors use it to complete nodes and options and to explain them. Name it at the top of a document:
/// `{ "$schema": "./treemind.schema.json", "nodes": [] }`. It covers the words of the language, not the names that a
/// document declares: `treemind check` finds all mistakes.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {}

const AFTER: &str = "\
Example:
  treemind schema > treemind.schema.json";

pub(crate) fn run(_: &Args) -> Result<(), Failure> {
    let schema = treemind_doc::json_schema();
    print_exact(|out| out.write_all(schema.as_bytes()))
}
