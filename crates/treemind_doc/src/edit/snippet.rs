//! The text of nodes that are about to be inserted.

use super::error::EditError;
use super::layout::{Landing, is_blank};
use crate::diagnostic::{Severity, Sink};
use crate::formats::kdl::printer;
use crate::said;
use crate::source::Source;
use crate::syntax::pieces::{Piece, PieceKind, pieces};
use crate::syntax::{Node, gaps, is_newline, is_space, parse};
use std::sync::Arc;

/// Nodes as text, starting at the left edge: the indentation of the first line has been removed from all lines.
#[derive(Clone, Debug)]
pub(super) struct Snippet {
    text: String,
    /// The text ends with a `//` comment.
    line_comment: bool,
}

/// The nodes in a text that is to be inserted.
pub(super) fn nodes_of(text: &str) -> Result<Vec<Node>, EditError> {
    let mut sink = Sink::new(Arc::new(Source::new("the inserted text", text)));
    let parsed = parse(text, &mut sink);
    let diagnostics = sink.finish();
    let mut errors = diagnostics.iter();
    if let Some(error) = errors.find(|found| found.severity() == Severity::Error) {
        return Err(EditError::new(said!(
            "the inserted text is not a node: {}",
            error.said()
        )));
    }
    if parsed.nodes.is_empty() {
        return Err(EditError::new(said!("the inserted text has no node")));
    }
    Ok(parsed.nodes)
}

impl Snippet {
    /// A text from a tool: it is formatted, with `unit` as the indentation of each level.
    pub(super) fn given(text: &str, unit: &str) -> Result<Self, EditError> {
        nodes_of(text)?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let formatted =
            crate::formats::kdl::format(text, "the inserted text").map_err(|refusal| {
                EditError::new(said!(
                    "the inserted text is not a node: {}",
                    refusal.to_string()
                ))
            })?;
        let formatted = formatted.replace("\r\n", "\n");
        let text = relined(formatted.trim_end_matches(is_newline), "\n", |line| {
            let rest = line.trim_start_matches(' ');
            let blanks = line.len() - rest.len();
            format!(
                "{}{}{rest}",
                unit.repeat(blanks / 4),
                " ".repeat(blanks % 4)
            )
        });
        Ok(Self::new(text))
    }

    /// A text from a file, whose lines begin with `indent`.
    pub(super) fn taken(text: &str, indent: &str) -> Self {
        let text = relined(text.trim_matches(is_blank), "\n", |line| {
            match line.strip_prefix(indent) {
                Some(rest) => rest.to_owned(),
                None => line.trim_start_matches(is_space).to_owned(),
            }
        });
        Self::new(text)
    }

    fn new(mut text: String) -> Self {
        // If the last line ends with `\`, an empty line is added. Otherwise the line would continue into the text that
        // follows.
        let count = |text: &str| {
            let mut sink = Sink::new(Arc::new(Source::new("", text)));
            parse(text, &mut sink).nodes.len()
        };
        if text.contains('\\') && count(&format!("{text}\nx")) == count(&text) {
            text.push('\n');
        }
        // The last piece is the end of the last line, including its comment.
        let mut sink = Sink::new(Arc::new(Source::new("", text.as_str())));
        let row = pieces(&text, &mut sink).row;
        let line_comment = row.last().is_some_and(|last| {
            matches!(last.kind, PieceKind::End { .. }) && text[last.span.clone()].starts_with("//")
        });
        Self { text, line_comment }
    }

    /// Whether the text ends with a comment that only a line break can end.
    pub(super) fn ends_in_comment(&self) -> bool {
        self.line_comment
    }

    /// Its lines with `indent` in front, except the first one.
    pub(super) fn indented(&self, indent: &str, line_end: &str) -> String {
        relined(&self.text, line_end, |line| {
            if line.chars().all(is_blank) {
                String::new()
            } else {
                format!("{indent}{line}")
            }
        })
    }

    /// The text on one line, if possible: without `//` comments and texts of several lines.
    pub(super) fn on_one_line(&self) -> Option<String> {
        let mut sink = Sink::new(Arc::new(Source::new("", self.text.as_str())));
        let mut found = pieces(&self.text, &mut sink);
        for piece in &mut found.row {
            let text = &self.text[piece.span.clone()];
            match &mut piece.kind {
                PieceKind::Open { one_line } => *one_line = true,
                PieceKind::End { .. } | PieceKind::Break { .. } if text.starts_with("//") => {
                    return None;
                }
                _ if text.contains(is_newline) => return None,
                _ => {}
            }
        }
        let is_break = |piece: &Piece| matches!(piece.kind, PieceKind::Break { .. });
        found.row.retain(|piece| !is_break(piece));
        let printed = printer::print(&self.text, &found, usize::MAX);
        let mut out = String::with_capacity(printed.len());
        for line in printed.lines().filter(|line| !line.is_empty()) {
            if !out.is_empty() {
                out.push_str(if is_comment(&out) { " " } else { "; " });
            }
            out.push_str(line);
        }
        Some(out)
    }

    /// The text to write at a landing.
    pub(super) fn landed(&self, landing: &Landing, unit: &str, line_end: &str) -> String {
        match landing {
            Landing::Lines { indent, opens, .. } => {
                let text = self.indented(indent, line_end);
                if *opens {
                    format!("{line_end}{indent}{text}")
                } else {
                    format!("{indent}{text}{line_end}")
                }
            }
            Landing::Inline { before, behind, .. } => match self.on_one_line() {
                Some(text) => format!("{before}{text}{behind}"),
                None => {
                    // A comment at the beginning would belong to the previous node if it were on the same line.
                    let is_led = self.text.starts_with("//") || self.text.starts_with("/*");
                    let before = if is_led { line_end } else { before };
                    // Only a line break ends a `//` comment.
                    let behind = if self.line_comment { line_end } else { behind };
                    format!("{before}{}{behind}", self.indented("", line_end))
                }
            },
            Landing::Block {
                range,
                indent,
                one_line,
            } => {
                let gap = if range.is_empty() { " " } else { "" };
                match self.on_one_line().filter(|_| *one_line) {
                    Some(text) => format!("{gap}{{ {text}; }}"),
                    None => {
                        let inner = format!("{indent}{unit}");
                        let text = self.indented(&inner, line_end);
                        format!("{gap}{{{line_end}{inner}{text}{line_end}{indent}}}")
                    }
                }
            }
        }
    }
}

/// Whether a line contains no node.
fn is_comment(line: &str) -> bool {
    let mut sink = Sink::new(Arc::new(Source::new("", line)));
    let row = pieces(line, &mut sink).row;
    let is_comment = |kind| matches!(kind, PieceKind::Comment | PieceKind::End { .. });
    row.iter().all(|piece| is_comment(piece.kind))
}

impl Landing {
    pub(super) fn is_lines(&self) -> bool {
        matches!(self, Landing::Lines { .. })
    }

    pub(super) fn is_inline(&self) -> bool {
        matches!(self, Landing::Inline { .. })
    }

    /// The bytes that are replaced.
    pub(super) fn range(&self) -> std::ops::Range<usize> {
        match self {
            Landing::Lines { at, .. } | Landing::Inline { at, .. } => *at..*at,
            Landing::Block { range, .. } => range.clone(),
        }
    }
}

/// Applies `work` to every line except the first one. A line that continues a string or comment of several lines stays
/// as it is, because its spaces mean something.
pub(super) fn relined(text: &str, line_end: &str, work: impl Fn(&str) -> String) -> String {
    let mut sink = Sink::new(Arc::new(Source::new("", text)));
    let fixed = gaps::fixed(text, &mut sink);
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let mut at = 0;
    let mut is_first = true;
    let mut fixed = fixed.into_iter().peekable();
    loop {
        let rest = &text[at..];
        // The line ends at the next line break outside strings and comments.
        let mut end = at + rest.find(is_newline).unwrap_or(rest.len());
        while let Some(span) = fixed.next_if(|span| span.start < end) {
            if end < span.end {
                let rest = &text[span.end..];
                end = span.end + rest.find(is_newline).unwrap_or(rest.len());
            }
        }
        let line = &text[at..end];
        if is_first {
            out.push_str(line);
        } else {
            out.push_str(&work(line));
        }
        is_first = false;
        let Some(first) = text[end..].chars().next() else {
            return out;
        };
        at = end
            + if text[end..].starts_with("\r\n") {
                2
            } else {
                first.len_utf8()
            };
        out.push_str(line_end);
    }
}
