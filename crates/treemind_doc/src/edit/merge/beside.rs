//! What stands beside nodes: comments, and what is switched off.

use super::super::Editor;
use super::super::error::EditError;
use super::super::snippet::Snippet;
use crate::document::Document;
use crate::said;
use crate::syntax::gaps::indent;
use std::collections::HashMap;

/// Whether a text has all comments that one of both versions has added.
pub(super) fn keeps_comments(base: &str, text: &str, from: [&str; 2]) -> bool {
    let (old, now) = (comments(base), comments(text));
    from.into_iter().all(|version| {
        let mut own = comments(version).into_iter();
        own.all(|(line, count)| {
            let before = old.get(&line).copied().unwrap_or(0);
            count <= before || now.get(&line).copied().unwrap_or(0) > 0
        })
    })
}

/// Whether each word that one of both versions has written, or that both have, is in a text, or in what is asked about.
pub(super) fn keeps_words(base: &str, text: &str, from: [&str; 2], asked: &[String]) -> bool {
    let (old, mut now) = (words(base), words(text));
    now.extend(asked.iter().flat_map(|one| words(one)));
    let versions = from.map(words);
    let has_to_stay = |word: &str, count: usize| {
        let is_in_both = versions.iter().all(|one| one.contains_key(word));
        is_in_both || count > old.get(word).copied().unwrap_or(0)
    };
    let mut all = versions.iter().flatten();
    all.all(|(word, count)| now.contains_key(word) || !has_to_stay(word, *count))
}

/// The words of a text, comments too, and how often each of them is there.
fn words(text: &str) -> HashMap<&str, usize> {
    let mut found = HashMap::new();
    for word in text.split(is_layout).filter(|word| !word.is_empty()) {
        *found.entry(word).or_insert(0) += 1;
    }
    found
}

/// The lines of what is between nodes, without braces and blanks: comments, and what is switched off by `/-`.
fn comments(text: &str) -> HashMap<String, usize> {
    let mut found = HashMap::new();
    let Ok(editor) = Editor::new(Document::parse(text, "a.kdl")) else {
        return found;
    };
    let mut note = |gap: &str| {
        for line in gap.lines() {
            let line: String = line.chars().filter(|c| !is_layout(*c)).collect();
            if !line.is_empty() {
                *found.entry(line).or_insert(0) += 1;
            }
        }
    };
    let mut behind = 0;
    for node in editor.outline().nodes() {
        note(&text[behind..node.line.start]);
        behind = node.line.end;
    }
    note(&text[behind..]);
    found
}

fn is_layout(c: char) -> bool {
    c.is_whitespace() || matches!(c, '{' | '}' | ';' | '\\' | '\u{feff}')
}

/// A node of an editor with its comments, as it is put elsewhere.
pub(super) fn snippet(editor: &Editor, id: u64) -> Result<Snippet, EditError> {
    let (text, indent) = taken(editor, id)?;
    Ok(Snippet::taken(&text, indent))
}

/// The text of a node of an editor with its comments, and its indentation.
pub(super) fn taken(editor: &Editor, id: u64) -> Result<(String, &str), EditError> {
    let place = editor.place_of(id);
    let place = place.ok_or_else(|| EditError::new(said!("a node is gone")))?;
    let found = editor.find(place)?;
    let file = editor.file(found.file)?;
    let slot = file.slot_of(&found);
    Ok((slot.text(file.text()), indent(file.text(), slot.start)))
}

/// What stands beside a node: the comments above it, and behind it in its line.
pub(super) struct Beside {
    pub(super) lead: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) behind: usize,
    pub(super) has_lines: bool,
    above: Vec<String>,
    after: Vec<String>,
}

impl Beside {
    pub(super) fn said(&self) -> [Vec<String>; 2] {
        [self.above.clone(), self.after.clone()]
    }
}

pub(super) fn beside(editor: &Editor, id: u64) -> Option<Beside> {
    let at = editor.place_of(id)?;
    let found = editor.find(at).ok()?;
    let file = editor.file(at.file).ok()?;
    let (text, slot) = (file.text(), file.slot_of(&found));
    let lines = |text: &str| -> Vec<String> {
        let lines = text.lines().map(str::trim);
        lines
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let mut tail = text[slot.end..slot.tail.end].to_owned();
    if let Some(semicolon) = slot.tail.semicolon {
        tail.remove(semicolon - slot.end);
    }
    Some(Beside {
        lead: slot.lead,
        start: slot.start,
        end: slot.end,
        behind: slot.tail.end,
        has_lines: slot.has_lines(text),
        above: lines(&text[slot.lead..slot.start]),
        after: lines(&tail),
    })
}
