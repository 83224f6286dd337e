//! The texts of new documents.

use std::path::Path;
use treemind_doc::{
    Code, Converted, Diagnostic, Diagnostics, Document, Format, Said, Severity, said,
};
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

/// The text of a new document, and what it could not take over. `copied` gives the text of another file, and
/// `manifests` the names of those that may declare leaves.
pub(super) fn text(
    name: &str,
    origin: &Origin,
    copied: impl Fn(&str) -> Result<String, Said>,
    manifests: &[String],
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
            match mistakes.find(|one| one.severity() == Severity::Error) {
                Some(first) => Err(said!(
                    "{} does not stand alone: {}",
                    &**file,
                    with_help(first)
                )),
                None => Ok((text, Vec::new())),
            }
        }
        Origin::Import { from, text } => imported(from, text, copied, manifests),
    }
}

fn imported(
    from: &str,
    text: &str,
    read: impl Fn(&str) -> Result<String, Said>,
    manifests: &[String],
) -> Result<(String, Vec<Said>), Said> {
    let format = Format::of(from, text);
    let converted = match format {
        Format::Kdl => return Ok((text.to_owned(), Vec::new())),
        Format::Table => return table(from, text, read, manifests),
        format => treemind_doc::convert(text, from, format, Format::Kdl),
    };
    let converted = converted.map_err(|diagnostics| not_imported(from, &diagnostics))?;
    Ok(taken(converted))
}

fn is_error(one: &&Diagnostic) -> bool {
    one.severity() == Severity::Error
}

fn first_error(diagnostics: &Diagnostics) -> Option<&Diagnostic> {
    diagnostics.iter().find(is_error)
}

/// What is wrong, and what to do about it.
pub(super) fn with_help(found: &Diagnostic) -> Said {
    match found.said_help() {
        Some(help) => said!("{}: {}", found.said(), help),
        None => found.said().clone(),
    }
}

/// Why a file cannot be imported: its first error with what to do about it, and how many more there are. Warnings are no reason.
fn not_imported(from: &str, diagnostics: &Diagnostics) -> Said {
    let errors: Vec<&Diagnostic> = diagnostics.iter().filter(is_error).collect();
    let Some(first) = errors.first() else {
        return said!("{}: it cannot be read", from);
    };
    let (line, _) = first.line_column();
    let why = with_help(first);
    match errors.len() - 1 {
        0 => said!("{}, line {}: {}", from, line, why),
        1 => said!("{}, line {}: {} (and one more error)", from, line, why),
        more => said!(
            "{}, line {}: {} (and {} more errors)",
            from,
            line,
            why,
            more
        ),
    }
}

/// The text of a document that was converted, and what it could not take over.
fn taken(converted: Converted) -> (String, Vec<Said>) {
    let lost = converted.lost();
    (converted.text, lost)
}

/// A table declares no leaves: it gets those of the first other file that declares all that it names.
fn table(
    from: &str,
    text: &str,
    read: impl Fn(&str) -> Result<String, Said>,
    manifests: &[String],
) -> Result<(String, Vec<Said>), Said> {
    let with = |manifest: Option<&str>| {
        let load = |file: &str| match Some(file) == manifest {
            true => read(file).map(String::into_bytes),
            false => Err(said!("a table that is imported here has no other files")),
        };
        treemind_doc::convert_table(text, from, Format::Kdl, manifest, load)
    };
    let diagnostics = match with(None) {
        Ok(converted) => return Ok(taken(converted)),
        Err(diagnostics) => diagnostics,
    };
    let why = not_imported(from, &diagnostics);
    if first_error(&diagnostics).is_none_or(|first| first.code() != Code::UnknownLeaf) {
        return Err(said!(
            "{} (a table that is imported has a row for each node of a tree; to learn a decision tree from examples, open a document and choose “Learn from a table” for one of its definitions)",
            why
        ));
    }
    let mut found = manifests
        .iter()
        .filter_map(|one| Some((one, with(Some(one)).ok()?)));
    let (manifest, converted) = found.next().ok_or_else(|| {
        said!(
            "{} (the leaves of a table are declared in another document of the folder, such as `action eat number=20`; none of those here has all of them)",
            why
        )
    })?;
    let manifest = treemind_doc::visible_line(manifest);
    let (text, lost) = taken(converted);
    Ok((
        format!("// The leaves are those of {manifest}.\n{text}"),
        lost,
    ))
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
    // KDL has words of its own.
    let is_keyword = ["true", "false", "null", "inf", "nan"].contains(&name);
    match name.starts_with(|c: char| c.is_alphabetic()) && !is_keyword {
        true => name.to_owned(),
        false => format!("new-{name}").trim_end_matches('-').to_owned(),
    }
}
