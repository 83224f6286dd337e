//! `treemind schema`: what editors complete documents in JSON by.

use crate::io::{Failure, print_result};

/// Print the JSON Schema of documents in JSON.
///
/// Editors complete nodes and options by it, and show what they are for. Name it at the top of a document:
/// `{ "$schema": "./treemind.schema.json", "nodes": [] }`. It knows words and not names: `treemind check` says all
/// that is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {}

const AFTER: &str = "\
Example:
  treemind schema > treemind.schema.json";

pub(crate) fn run(_: &Args) -> Result<(), Failure> {
    let schema = treemind_doc::json_schema();
    print_result(|out| out.write_all(schema.as_bytes()))
}
