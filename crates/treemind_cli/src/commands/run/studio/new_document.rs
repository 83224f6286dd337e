//! The texts of new documents.

use std::path::Path;
use treemind_doc::{Document, Format, Said, said};
use treemind_replay::view::protocol::Origin;

const TREE: &str = "// Every node of a tree answers: it runs, it has succeeded, or it has failed.
tree NAME {
    sequence {
        wait 1.0
    }
}
";

const MACHINE: &str = "// A machine is in one state, until a transition leads to another one.
machine NAME {
    initial idle
    state idle { transition to=busy after=2.0; }
    state busy { transition to=idle after=2.0; }
}
";

const DECISION: &str = "// A decision tree asks questions, and does what the answers lead to.
blackboard { key health type=float default=100.0; }
decide NAME {
    test \"health < 30\" { wait 2.0; }
    wait 1.0
}
";

/// The text of a new document, and what it could not take over. `copied` gives the text of another file.
pub(super) fn text(
    name: &str,
    origin: &Origin,
    copied: impl FnOnce(&str) -> Result<String, Said>,
) -> Result<(String, Vec<Said>), Said> {
    let named = |text: &str| Ok((text.replace("NAME", &definition(name)), Vec::new()));
    match origin {
        Origin::Tree => named(TREE),
        Origin::Machine => named(MACHINE),
        Origin::Decision => named(DECISION),
        Origin::Copy { file } => {
            let text = copied(file)?;
            let document = Document::parse(&text, name);
            let mut mistakes = document.diagnostics().iter();
            match mistakes.find(|one| one.severity() == treemind_doc::Severity::Error) {
                Some(first) => Err(said!("{} does not stand alone: {}", &**file, first.said())),
                None => Ok((text, Vec::new())),
            }
        }
        Origin::Import { from, text } => imported(from, text),
    }
}

fn imported(from: &str, text: &str) -> Result<(String, Vec<Said>), Said> {
    let format = Format::of(from, text);
    let none = |_: &str| Err::<Vec<u8>, _>("a table that is imported here has no other files");
    let converted = match format {
        Format::Kdl => return Ok((text.to_owned(), Vec::new())),
        Format::Table => treemind_doc::convert_table(text, from, Format::Kdl, None, none),
        format => treemind_doc::convert(text, from, format, Format::Kdl),
    };
    let converted = converted.map_err(|diagnostics| {
        let first = diagnostics.iter().next();
        match first {
            Some(first) if format == Format::Table => said!(
                "{}: {}. A table that is imported has a row for each node of a tree; to learn a decision tree from examples, open a document and choose “Learn from a table” for one of its definitions",
                from,
                first.said()
            ),
            Some(first) => said!("{}: {}", from, first.said()),
            None => said!("{}: it cannot be read", from),
        }
    })?;
    let lost = converted.lost();
    Ok((converted.text, lost))
}

/// The name of what a new document defines: that of its file.
fn definition(name: &str) -> String {
    let stem = Path::new(name).file_stem().unwrap_or_default();
    let stem = stem.to_string_lossy().to_lowercase();
    let name: String = stem
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '-' })
        .collect();
    let name = name.trim_matches('-');
    match name.starts_with(|c: char| c.is_alphabetic()) {
        true => name.to_owned(),
        false => format!("new-{name}").trim_end_matches('-').to_owned(),
    }
}
