//! A text with a name, and where its lines begin.

use crate::syntax::is_newline;
use crate::text::visible::visible;
use std::borrow::Cow;
use std::ops::Range;

/// One file of a document: its name, its text, and the conversion of byte offsets to lines and columns.
///
/// Lines end where KDL ends them: at a line feed, a carriage return or both together, and at the rarer ends that
/// Unicode has (U+0085, U+000B, U+000C, U+2028 and U+2029).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<usize>,
    /// The text as it is shown, if it differs: each line ends with a line feed, and hidden characters are visible.
    shown: Option<String>,
}

impl Source {
    /// A source with this name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        // Most texts are plain, which is quick to see.
        let is_plain = text
            .bytes()
            .all(|byte| matches!(byte, b'\n' | b'\t' | b' '..=b'~'));
        let lines = match is_plain {
            true => Cow::Borrowed(text.as_str()),
            false => with_line_feeds(&text),
        };
        let mut line_starts = vec![0];
        line_starts.extend(lines.match_indices('\n').map(|(at, _)| at + 1));
        let shown = match &lines {
            _ if is_plain => None,
            Cow::Owned(lines) => Some(visible(lines).into_owned()),
            Cow::Borrowed(lines) => match visible(lines) {
                Cow::Owned(shown) => Some(shown),
                Cow::Borrowed(_) => None,
            },
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

    /// The text of a byte span; empty if the span is not within the text or cuts a character.
    pub fn slice(&self, span: &Range<usize>) -> &str {
        self.text.get(span.clone()).unwrap_or("")
    }

    /// Line and column of a byte offset, both from 1; columns count characters. Offsets after the end are treated
    /// as the end.
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

    /// The place of a span in the text as it is shown.
    #[cfg(feature = "miette")]
    pub(crate) fn shown_span(&self, span: &Range<usize>) -> Range<usize> {
        // Visible characters take more room; everything else stays where it is.
        if self.shown().len() == self.text.len() {
            return span.clone();
        }
        let lines = with_line_feeds(&self.text);
        let before = |at: usize| {
            let end = char_start(&lines, at);
            // A line end that is cut between its two characters still counts as one.
            let is_cut = lines[end..].starts_with('\n') && lines[..end].ends_with('\r');
            visible(&lines[..end + usize::from(is_cut)]).len()
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
        Some(self.text[start..end].trim_end_matches(is_newline))
    }

    /// The number of the line of a byte offset, and its text without the space around it. Of a line with more than `most`
    /// characters, that many are shown, from `before` characters before the offset on. Apart from the line number, this
    /// takes the same time however long the line is.
    pub fn excerpt(&self, offset: usize, (before, most): (usize, usize)) -> (usize, String) {
        let offset = char_start(&self.text, offset);
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let whole = self.line(line).unwrap_or_default();
        let trimmed = whole.trim();
        if trimmed.chars().nth(most).is_none() {
            return (line, trimmed.to_owned());
        }
        let at = (offset - self.line_starts[line - 1]).min(whole.len());
        let mut from = whole[..at].char_indices().rev();
        let from = match before {
            0 => at,
            _ => from.nth(before - 1).map_or(0, |(from, _)| from),
        };
        let mut rest = whole[from..].chars();
        let mut shown = String::from(if from > 0 { "…" } else { "" });
        shown.extend(rest.by_ref().take(most));
        if rest.next().is_some() {
            shown.push('…');
        }
        (line, shown)
    }
}

/// The text with every line ended by a line feed, with the same number of bytes and the same places of line ends.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let is_other = |(at, end): (usize, &str)| {
        let is_first_of_two = end == "\r" && text[at + 1..].starts_with('\n');
        end != "\n" && !is_first_of_two
    };
    if !text.match_indices(is_newline).any(is_other) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for (at, end) in text.match_indices(is_newline).filter(|end| is_other(*end)) {
        shown.push_str(&text[shown.len()..at]);
        shown.extend(std::iter::repeat_n(' ', end.len() - 1));
        shown.push('\n');
    }
    shown.push_str(&text[shown.len()..]);
    Cow::Owned(shown)
}

/// The offset, or the beginning of the character that it cuts; after the end, the end of the text.
pub(crate) fn char_start(text: &str, offset: usize) -> usize {
    let mut start = offset.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    start
}

/// The end of the character at `offset`, or the end of the text.
pub(crate) fn char_end(text: &str, offset: usize) -> usize {
    let mut end = (offset + 1).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    end
}
