//! The comment above a node.

use super::change::Change;
use super::error::EditError;
use super::place::{At, LocatedNode};
use super::{Editor, File, called};
use crate::diagnostic::Sink;
use crate::said;
use crate::source::Source;
use crate::syntax::gaps::{indent, line_start};
use crate::syntax::{is_newline, is_space, parse};
use std::ops::Range;
use std::sync::Arc;

/// The lines with `//` directly above a node.
struct Above<'f> {
    /// From the beginning of the first one to the beginning of the line of the node.
    range: Range<usize>,
    /// Each without its line end.
    lines: Vec<&'f str>,
}

impl Editor {
    /// The comment above a node: the lines with `//` directly above it, without these signs and one space behind them.
    /// Empty if there is none.
    ///
    /// # Errors
    /// When there is no such node.
    pub fn comment(&self, at: impl Into<At>) -> Result<String, EditError> {
        let found = self.find(at.into())?;
        let above = above(self.file(found.file)?, &found);
        let lines = above.map(|above| above.lines).unwrap_or_default();
        let lines: Vec<&str> = lines.into_iter().map(said).collect();
        Ok(lines.join("\n"))
    }

    /// Sets the comment above a node: `text` has a line for each line with `//`, and removes the comment if it is empty.
    /// Lines that stay the same keep their bytes.
    ///
    /// # Errors
    /// When there is no such node, when other nodes are on its line, and when the text has characters that no document may
    /// have.
    ///
    /// ```
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::Editor;
    ///
    /// let text = "tree guard {\n    //it hurts\n    action flee\n}\n";
    /// let mut editor = Editor::new(Document::parse(text, "guard.kdl"))?;
    /// let flee = text.find("action").unwrap();
    /// editor.apply(&editor.set_comment(flee, "it hurts\nfar too much")?)?;
    /// assert_eq!(editor.text(0), "tree guard {\n    //it hurts\n    // far too much\n    action flee\n}\n");
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn set_comment(&self, at: impl Into<At>, text: &str) -> Result<Change, EditError> {
        let found = self.find(at.into())?;
        let node = found.node();
        let file = self.file(found.file)?;
        let Some(above) = above(file, &found) else {
            return Err(EditError::new(said!("other nodes are on the line of this one, and a comment above it would be about all of them"))
            .at(found.file, node.span.start));
        };
        let text = text.replace("\r\n", "\n");
        let text = text.trim_end_matches(|letter| is_newline(letter) || is_space(letter));
        let lines = text.split_inclusive(is_newline);
        let lines = lines.map(|line| line.trim_end_matches(is_newline).trim_end_matches(is_space));
        let before = indent(file.text(), node.span.start);
        let mut new = String::new();
        for (nth, line) in lines.enumerate() {
            let same = above
                .lines
                .get(nth)
                .filter(|old| said(old).trim_end_matches(is_space) == line);
            match same {
                Some(old) => new.push_str(old),
                None if line.is_empty() => new.push_str(&format!("{before}//")),
                None => new.push_str(&format!("{before}// {line}")),
            }
            new.push_str(file.line_end());
        }
        may_comment(&new)?;
        let splice = self.splice(found.file, above.range, new)?;
        let label = said!("comment on {}", called(found.word()));
        Change::new(label, vec![splice])
    }
}

/// The comment above a node; `None` if the node shares its line with others.
fn above<'f>(file: &'f File, found: &LocatedNode<'_>) -> Option<Above<'f>> {
    let text = file.text();
    let begin = line_start(text, found.node().extent().start)?;
    let mut above = Above {
        range: begin..begin,
        lines: Vec::new(),
    };
    // Most nodes have none, and then nothing else has to be read.
    if line_before(text, begin).is_none_or(|line| !is_comment(line.1)) {
        return Some(above);
    }
    let lead = file.slot_of(found).lead;
    while let Some((start, line)) = line_before(text, above.range.start) {
        let is_own = start + line.len() - line.trim_start_matches(is_space).len() >= lead;
        if !is_own || !is_comment(line) {
            break;
        }
        above.range.start = start;
        above.lines.insert(0, line);
    }
    Some(above)
}

/// The line that ends directly before a byte, without its line end, and where it begins.
fn line_before(text: &str, at: usize) -> Option<(usize, &str)> {
    let head = &text[..at];
    let head = head
        .strip_suffix("\r\n")
        .or_else(|| head.strip_suffix(is_newline))?;
    let last = head
        .char_indices()
        .rev()
        .find(|(_, letter)| is_newline(*letter));
    let start = match last {
        Some((at, letter)) => at + letter.len_utf8(),
        None => head.len() - head.strip_prefix('\u{feff}').unwrap_or(head).len(),
    };
    Some((start, &head[start..]))
}

/// Whether a line is nothing but a `//` comment. The end of another comment in it would make it a part of that.
fn is_comment(line: &str) -> bool {
    line.trim_start_matches(is_space).starts_with("//") && !line.contains("*/")
}

/// What a line of a comment says.
fn said(line: &str) -> &str {
    let line = line.trim_start_matches(is_space);
    let line = line.strip_prefix("//").unwrap_or(line);
    line.strip_prefix(' ').unwrap_or(line)
}

/// Refuses characters that no document may have.
fn may_comment(text: &str) -> Result<(), EditError> {
    let mut sink = Sink::new(Arc::new(Source::new("the comment", text)));
    let parsed = parse(text, &mut sink);
    let is_comment = parsed.nodes.is_empty() && parsed.whole && !sink.has_errors();
    // The line would be read as the beginning of another one.
    if is_comment && !text.contains("*/") {
        return Ok(());
    }
    Err(EditError::new(said!(
        "a comment has no `*/`, and only characters that a document may have"
    )))
}
