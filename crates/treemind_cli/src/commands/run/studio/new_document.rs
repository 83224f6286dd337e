//! New documents in the opened folder.

use super::super::map_beside;
use crate::io;
use std::fs::File;
use std::io::Write as _;
use std::path::{Component, Path, PathBuf};
use treemind_doc::{Document, Format};
use treemind_replay::view::protocol::Origin;

/// The longest name of a new file, in bytes.
const LONGEST: usize = 120;

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
    copied: impl FnOnce(&str) -> Result<String, String>,
) -> Result<(String, Vec<String>), String> {
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
                Some(first) => Err(format!("{file} does not stand alone: {}", first.message())),
                None => Ok((text, Vec::new())),
            }
        }
        Origin::Import { from, text } => imported(from, text),
    }
}

fn imported(from: &str, text: &str) -> Result<(String, Vec<String>), String> {
    let format = Format::of(from, text);
    let none = |_: &str| Err::<Vec<u8>, _>("a table that is imported here has no other files");
    let converted = match format {
        Format::Kdl => return Ok((text.to_owned(), Vec::new())),
        Format::Table => treemind_doc::convert_table(text, from, Format::Kdl, None, none),
        format => treemind_doc::convert(text, from, format, Format::Kdl),
    };
    let converted = converted.map_err(|diagnostics| {
        let first = diagnostics.iter().next();
        let why = first.map_or("it cannot be read", |first| first.message());
        format!("{from}: {why}")
    })?;
    let lost = converted.lost().iter().map(ToString::to_string).collect();
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

/// Writes a new file into a folder; returns where it is. Nothing is overwritten, and nothing is written elsewhere.
pub(super) fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf, String> {
    let path = Path::new(name);
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    if name.len() > LONGEST || name.contains(['\\', ':', '\0']) || !path.components().all(is_plain)
    {
        return Err(format!(
            "`{}` is not a name of a file in the opened folder",
            treemind_doc::visible_line(name)
        ));
    }
    if path.extension().is_none_or(|end| end != "kdl") {
        return Err("the name of a new document ends with `.kdl`".to_owned());
    }
    let place = folder.join(path);
    let cannot =
        |error: std::io::Error| format!("{name} cannot be written: {}", io::reason(&error));
    // A link does not lead out of the folder.
    let root = folder.canonicalize().map_err(cannot)?;
    let inside = place
        .parent()
        .unwrap_or(folder)
        .canonicalize()
        .map_err(cannot)?;
    if !inside.starts_with(&root) {
        return Err(format!("{name} would not be in the opened folder"));
    }
    write_new(&place, text)?;
    Ok(place)
}

/// Writes a file that is not there yet.
pub(super) fn write_new(place: &Path, text: &str) -> Result<(), String> {
    let name = io::display_name(place);
    let cannot =
        |error: std::io::Error| format!("{name} cannot be written: {}", io::reason(&error));
    let file = File::options().write(true).create_new(true).open(place);
    let mut file = file.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            format!("{name} already exists, and nothing is overwritten")
        }
        _ => cannot(error),
    })?;
    file.write_all(text.as_bytes()).map_err(cannot)
}

/// Writes the map of a document that was copied beside the copy, unless it plays there already; returns why not, if that
/// cannot be done.
pub(super) fn copy_map(copy: &Path, map: &str) -> Option<String> {
    let found = map_beside(copy);
    let known = found.as_deref().map(io::read_text);
    if known.is_some_and(|known| known.is_ok_and(|known| known == map)) {
        return None;
    }
    if let Some(only) = found {
        // With a second map, the other documents of the folder would not find theirs.
        let name = io::display_name(&only);
        return Some(format!(
            "its map: the documents of this folder play on {name}, and so does the copy"
        ));
    }
    write_new(&copy.with_extension("map"), map).err()
}
