//! A text with a name, and where its lines begin.

use crate::visible::visible;
use std::borrow::Cow;
use std::ops::Range;

/// One file of a document: its name, its text, and the way from byte offsets to lines and columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<usize>,
    /// The text made visible, where that is another.
    shown: Option<Box<str>>,
}

impl Source {
    /// A source of that name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let mut line_starts = vec![0];
        line_starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        let shown = match visible(&text) {
            Cow::Borrowed(_) => None,
            Cow::Owned(shown) => Some(shown.into()),
        };
        Self {
            name: name.into(),
            text,
            line_starts,
            shown,
        }
    }

    /// The name, usually a path, as diagnostics print it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a byte span; empty where the span is not within the text or cuts a character.
    pub fn slice(&self, span: &Range<usize>) -> &str {
        self.text.get(span.clone()).unwrap_or("")
    }

    /// Line and column of a byte offset, both from 1; columns count characters. Offsets behind the end stand for the
    /// end.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let offset = char_start(&self.text, offset);
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts[line - 1];
        let before = self.text[start..offset].trim_start_matches('\u{feff}');
        (line, before.chars().count() + 1)
    }

    /// The whole text as it is shown.
    pub(crate) fn shown(&self) -> &str {
        self.shown.as_deref().unwrap_or(&self.text)
    }

    /// Where a span is in the text as it is shown.
    pub(crate) fn shown_span(&self, span: &Range<usize>) -> Range<usize> {
        if self.shown.is_none() {
            return span.clone();
        }
        let before = |at: usize| {
            let end = char_start(&self.text, at);
            // A line end that is cut between its two characters is still one.
            let end = end
                + usize::from(
                    self.text[end..].starts_with('\n') && self.text[..end].ends_with('\r'),
                );
            visible(&self.text[..end]).len()
        };
        before(span.start)..before(span.end)
    }

    /// The text of a line, counted from 1, without its line end.
    pub fn line(&self, line: usize) -> Option<&str> {
        let start = *self.line_starts.get(line.checked_sub(1)?)?;
        let end = self
            .line_starts
            .get(line)
            .copied()
            .unwrap_or(self.text.len());
        Some(self.text[start..end].trim_end_matches(['\n', '\r']))
    }
}

/// The offset, or the begin of the character that it cuts; behind the end is the end.
pub(crate) fn char_start(text: &str, offset: usize) -> usize {
    let mut start = offset.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    start
}

/// The offset in front of which `offset` must not be cut.
pub(crate) fn char_end(text: &str, offset: usize) -> usize {
    let mut end = (offset + 1).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    end
}
