//! What can be read of texts in which something is not closed. Operations on nodes refuse such texts; completion, hover
//! and similar questions are asked about them most of the time.

use super::{Editor, File};
use crate::diagnostic::Sink;
use crate::language::Spot;
use crate::source::Source;
use crate::symbols::{Names, names_of};
use crate::syntax::{Node, is_newline, is_word, parse_unfinished, shift};
use std::sync::Arc;

impl File {
    /// Where reading begins for a byte: at the definition around it.
    pub(super) fn reading_start(&self, offset: usize) -> usize {
        if self.whole {
            let before = self.nodes.partition_point(|node| node.span.start <= offset);
            let node = before.checked_sub(1).map(|at| &self.nodes[at]);
            return node.map_or(0, |node| node.span.start);
        }
        let starts = definitions(self.text());
        let before = starts.partition_point(|start| *start <= offset);
        before.checked_sub(1).map_or(0, |at| starts[at])
    }
}

impl Editor {
    /// All names, also when something is not closed.
    pub(super) fn loose_names(&self) -> &Names {
        if self.files.iter().all(|file| file.whole) {
            return self.names();
        }
        self.loose_names.get_or_init(|| {
            let files = self.files.iter();
            let files: Vec<_> = files.map(|file| (file.text(), &file.nodes[..])).collect();
            names_of(&files)
        })
    }
}

/// The nodes of a text in which something is not closed. Each definition that begins at the beginning of a line is read
/// by itself, so that an open block does not swallow those behind it.
pub(super) fn unfinished(text: &str) -> Vec<Node> {
    let mut starts = definitions(text);
    starts.insert(0, 0);
    let ends = starts[1..].iter().copied().chain([text.len()]);
    let mut all = Vec::new();
    for (start, end) in starts.iter().copied().zip(ends) {
        let part = &text[start..end];
        let mut sink = Sink::new(Arc::new(Source::new("", part)));
        let mut nodes = parse_unfinished(part, &mut sink);
        shift(&mut nodes, 0, start);
        all.extend(nodes);
    }
    all
}

/// Where lines begin that begin with a word of the top of a document.
fn definitions(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut begin = 0;
    for line in text.split_inclusive(is_newline) {
        let word: &str = &line[..line.find(|c| !is_word(c)).unwrap_or(line.len())];
        if Spot::Top.has(word) {
            starts.push(begin);
        }
        begin += line.len();
    }
    starts
}
