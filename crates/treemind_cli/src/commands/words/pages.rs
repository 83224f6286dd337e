//! The pages of words.

use include_dir::File;
use std::io::{self, Write};
use treemind_doc::vocabulary::{self, Property, Word};
use treemind_pages::NODES;

/// The page of a word, or what the table of the language knows of it; `None` for a word that it does not have.
pub(crate) fn page(word: &str) -> Option<String> {
    let words = vocabulary::words();
    let found: Vec<&Word> = words.iter().filter(|one| one.name() == word).collect();
    let mut out = Vec::new();
    for word in &found {
        explain(word, &mut out).ok()?;
    }
    String::from_utf8(out).ok().filter(|text| !text.is_empty())
}

/// The page of a node; for any other word, what the table of the language knows of it.
pub(super) fn explain(word: &Word, out: &mut dyn Write) -> io::Result<()> {
    let page = NODES.get_file(format!("{}.md", word.name()));
    if word.is_node()
        && let Some(page) = page.and_then(File::contents_utf8)
    {
        return out.write_all(page.replace("\r\n", "\n").as_bytes());
    }
    let (name, place, circle) = (word.name(), word.place(), word.circle().title());
    writeln!(out, "`{name}` {place} ({circle}): {}", word.purpose())?;
    if let Some(usual) = word.usual() {
        writeln!(out, "{usual}")?;
    }
    for property in word.properties() {
        let name = format!("{}=", property.name());
        writeln!(out, "  {name:<16}  {}", about(&property))?;
    }
    Ok(())
}

fn about(property: &Property) -> String {
    let mut text = property.purpose().to_owned();
    if let Some(default) = property.default() {
        text.push_str(&format!(" (default: {default})"));
    }
    if let Some(usual) = property.usual() {
        text.push_str(&format!(" ({}: {usual})", property.circle().title()));
    }
    text
}
