//! Missing or superfluous braces: the indentation of lines shows where the mistake is.

use super::parser::Parser;
use super::{Node, Span};
use crate::code::Code;
use crate::said;

/// Longer lines are not formatted by hand, and searching them again and again would take long.
const LONGEST: usize = 200;

impl Parser<'_, '_> {
    /// Reports a `}` without a `{`, or rather the `{` that is missing.
    pub(super) fn closes_nothing(&mut self, span: Span) {
        let Some(node) = self.unopened.take() else {
            self.sink
                .error(Code::Syntax, span, said!("unmatched `}`"))
                .with_help(said!("remove a `}` here or further up"));
            return;
        };
        let (line, column) = self.source.line_column(span.start);
        self.sink
            .error(Code::Syntax, node, said!("missing `{` at the end of this line"))
            .with_help(said!("add it: the lines below are indented as a block of this line, and the `}` at line {}, column {} is unmatched", line, column));
    }

    fn without_block(&mut self) -> &mut Option<(Span, usize)> {
        match self.blocks.last_mut() {
            Some(block) => &mut block.without_block,
            None => &mut self.without_block,
        }
    }

    /// Records a node without a block, if it is the first in its line.
    pub(super) fn note_without_block(&mut self, node: &Node) {
        if let Some(indent) = self.indent(node.span.start) {
            *self.without_block() = Some((node.span.clone(), indent));
        }
    }

    /// How far the line that begins at `at` is indented, if a line begins there.
    fn indent(&self, at: usize) -> Option<usize> {
        let text = self.source.shown().as_bytes();
        let from = at.saturating_sub(LONGEST);
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
        let blanks = text[from..at].iter().rev().take_while(is_blank).count();
        match text[from..at - blanks].last() {
            Some(b'\n') => Some(blanks),
            None if from == 0 => Some(blanks),
            _ => None,
        }
    }

    /// Records a node whose `{` may be missing, because the next node is indented further.
    pub(super) fn compare_lines(&mut self, node: &Node) {
        let Some(indent) = self.indent(node.span.start) else {
            return;
        };
        if let Some((span, before)) = self.without_block().take()
            && before < indent
        {
            self.unopened.get_or_insert(span);
        }
    }

    /// A `}` that begins its line further left than the line of its `{` belongs to another block.
    pub(super) fn compare_indents(&mut self, open: usize, close: usize) {
        if self.suspect.is_some() {
            return;
        }
        let Some(close_indent) = self.indent(close) else {
            return;
        };
        let text = self.source.shown();
        let mut from = open.saturating_sub(LONGEST);
        while !text.is_char_boundary(from) {
            from -= 1;
        }
        let line = match text[from..open].rfind('\n') {
            Some(end) => &text[from + end + 1..open],
            None if from == 0 => &text[..open],
            None => return,
        };
        let open_indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        if open_indent > close_indent {
            self.suspect = Some(open);
        }
    }
}
