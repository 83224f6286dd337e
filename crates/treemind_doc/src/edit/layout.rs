//! The layout of nodes in the text: what belongs to them, and where other nodes can be inserted next to them.

use super::File;
use super::place::{Among, LocatedNode};
use super::snippet::Snippet;
use crate::diagnostic::Sink;
use crate::language::{Block, Spot};
use crate::syntax::gaps::{self, Next, Tail, indent, line_start, starts_line};
use crate::syntax::{Node, is_newline, is_space};
use std::ops::Range;
use std::sync::Arc;

/// A node with everything that belongs to it.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// The beginning of the comments directly above the node, or of the node.
    pub(super) lead: usize,
    /// The beginning of the node.
    pub(super) start: usize,
    /// After its last entry or closing brace.
    pub(super) end: usize,
    pub(super) tail: Tail,
}

impl Slot {
    /// Whether the node shares its lines with no other node.
    pub(super) fn has_lines(&self, text: &str) -> bool {
        starts_line(text, self.lead) && self.has_lines_behind()
    }

    /// Whether nothing follows the node on its line.
    pub(super) fn has_lines_behind(&self) -> bool {
        matches!(self.tail.next, Next::LineEnd(_) | Next::End)
    }

    /// The range of what belongs to the node, and the position of the `;` that ends it. If more nodes follow on the
    /// line, that `;` is not part of the range, and no position is returned.
    pub(super) fn own(&self, text: &str) -> (Range<usize>, Option<usize>) {
        if self.has_lines_behind() {
            return (self.lead..self.tail.end, self.tail.semicolon);
        }
        let end = match self.tail.semicolon {
            Some(semicolon) => text[..semicolon].trim_end_matches(is_blank).len(),
            // The text after the node may be there only because the line continues with a `\`.
            None if text[self.end..self.tail.end].contains('\\') => self.end,
            None => self.tail.end,
        };
        (self.lead..end.max(self.end), None)
    }

    /// Everything that belongs to the node, without the `;` that ends it.
    pub(super) fn text(&self, text: &str) -> String {
        let mut own = text[self.lead..self.tail.end].to_owned();
        if let Some(semicolon) = self.tail.semicolon {
            own.remove(semicolon - self.lead);
        }
        own
    }
}

/// The place for new nodes.
#[derive(Clone, Debug)]
pub(super) enum Landing {
    /// The nodes get their own lines. If the text does not end with a line break, `opens` says to add one first.
    Lines {
        at: usize,
        indent: String,
        opens: bool,
    },
    /// The nodes go between others on one line, surrounded by these separators.
    Inline {
        at: usize,
        before: &'static str,
        behind: &'static str,
    },
    /// The nodes get a new block, which replaces an empty one if there is one; `indent` is the indentation of the
    /// parent.
    Block {
        range: Range<usize>,
        indent: String,
        one_line: bool,
    },
}

/// The empty lines that nodes need around them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gaps {
    before: bool,
    behind: bool,
}

impl Gaps {
    /// Adds them to what is written.
    pub(super) fn put(self, new: &mut String, line_end: &str) {
        if self.before {
            new.insert_str(0, line_end);
        }
        if self.behind {
            new.push_str(line_end);
        }
    }
}

impl File {
    pub(super) fn sink(&self) -> Sink {
        Sink::new(Arc::clone(&self.source))
    }

    pub(super) fn slot(&self, parent: Option<&Node>, siblings: &[Node], index: usize) -> Slot {
        let text = self.text();
        let sink = &mut self.sink();
        let node = &siblings[index];
        let from = match index.checked_sub(1) {
            Some(before) => gaps::tail(text, siblings[before].extent().end, false, sink).behind(),
            None => match parent.and_then(|parent| parent.block.as_ref()) {
                Some(block) => gaps::tail(text, block.start + 1, true, sink).behind(),
                None => 0,
            },
        };
        let extent = node.extent();
        Slot {
            lead: gaps::lead(text, from, extent.start, sink),
            start: extent.start,
            end: extent.end,
            tail: gaps::tail(text, extent.end, false, sink),
        }
    }

    pub(super) fn slot_of(&self, found: &LocatedNode<'_>) -> Slot {
        self.slot(found.parent(), found.siblings, found.index)
    }

    /// Whether a node stands apart from those beside it: there is an empty line on a side, and nothing of its own word is directly
    /// beside it. A definition of several lines that is alone in its
    /// file stands apart.
    pub(super) fn is_apart(&self, parent: Option<&Node>, siblings: &[Node], index: usize) -> bool {
        let text = self.text();
        let slot = self.slot(parent, siblings, index);
        if !slot.has_lines(text) {
            return false;
        }
        let before = line_start(text, slot.lead).and_then(|start| blank_line_before(text, start));
        let behind = match &slot.tail.next {
            Next::LineEnd(end) => blank_line_behind(text, end.end),
            _ => None,
        };
        let sides = [
            (index.checked_sub(1), before.is_some()),
            (Some(index + 1), behind.is_some()),
        ];
        let sides = sides
            .into_iter()
            .filter_map(|(beside, is_empty)| Some((siblings.get(beside?)?, is_empty)));
        let word = &siblings[index].name.value;
        match siblings.len() {
            1 => parent.is_none() && text[siblings[index].extent()].contains(is_newline),
            _ => {
                sides.clone().any(|(_, is_empty)| is_empty)
                    && sides
                        .clone()
                        .all(|(beside, is_empty)| is_empty || beside.name.value != *word)
            }
        }
    }

    /// The same of a node that is found.
    pub(super) fn found_apart(&self, found: &LocatedNode<'_>) -> bool {
        self.is_apart(found.parent(), found.siblings, found.index)
    }

    /// Which empty lines nodes that stand apart need where they land.
    pub(super) fn gaps_around(&self, landing: &Landing) -> Gaps {
        let Landing::Lines { at, .. } = landing else {
            return Gaps::default();
        };
        let (head, rest) = self.text().split_at(*at);
        let before = head
            .trim_start_matches('\u{feff}')
            .trim_end_matches(is_blank);
        let behind = rest.trim_start_matches(is_blank);
        let is_beside = [
            !before.is_empty() && !before.ends_with('{'),
            !behind.is_empty() && !behind.starts_with('}'),
        ];
        Gaps {
            before: is_beside[0] && blank_line_before(self.text(), *at).is_none(),
            behind: is_beside[1] && blank_line_behind(self.text(), *at).is_none(),
        }
    }

    /// The indentation of one level: that of the first nested node in the file, otherwise four spaces.
    pub(super) fn unit(&self) -> String {
        let text = self.text();
        let mut pending: Vec<&Node> = self.nodes.iter().rev().collect();
        while let Some(node) = pending.pop() {
            if let Some(child) = node.children().first()
                && starts_line(text, child.span.start)
                && starts_line(text, node.span.start)
            {
                let (outer, inner) = (
                    indent(text, node.span.start),
                    indent(text, child.span.start),
                );
                if let Some(unit) = inner.strip_prefix(outer).filter(|unit| !unit.is_empty()) {
                    return unit.to_owned();
                }
            }
            pending.extend(node.children().iter().rev());
        }
        "    ".to_owned()
    }

    /// The line ending of the file, taken from the first line.
    pub(super) fn line_end(&self) -> &'static str {
        let text = self.text();
        match text.find('\n') {
            Some(at) if text[..at].ends_with('\r') => "\r\n",
            _ => "\n",
        }
    }

    /// The bytes to remove with a node, and the text that replaces them.
    pub(super) fn removal(
        &self,
        parent: Option<&Node>,
        siblings: &[Node],
        index: usize,
    ) -> (Range<usize>, &'static str) {
        let text = self.text();
        let slot = self.slot(parent, siblings, index);
        let range = self.without(&slot);
        // When the last node of a block is removed, the empty block goes as well.
        if let (Some(parent), [_]) = (parent, siblings)
            && let Some(block) = &parent.block
        {
            let around = [
                &text[block.start + 1..range.start.max(block.start + 1)],
                &text[range.end.min(block.end - 1)..block.end - 1],
            ];
            if around.iter().all(|rest| rest.chars().all(is_blank)) {
                if keeps_block(parent) {
                    return (block.clone(), "{}");
                }
                let start = text[..block.start].trim_end_matches(is_space).len();
                return (start..block.end, "");
            }
        }
        (range, "")
    }

    /// A node that moves elsewhere from the block of another one, and what takes its place there.
    pub(super) fn lifted(&self, parent: &Node, index: usize) -> (Snippet, (Range<usize>, String)) {
        let slot = self.slot(Some(parent), parent.children(), index);
        let text = self.text();
        let snippet = Snippet::taken(&slot.text(text), indent(text, slot.start));
        let (range, instead) = self.removal(Some(parent), parent.children(), index);
        (snippet, (range, instead.to_owned()))
    }

    /// The bytes of a node and everything that belongs to it. Without them, the surroundings look as if the node had
    /// never been there.
    fn without(&self, slot: &Slot) -> Range<usize> {
        let text = self.text();
        let end = slot.tail.end;
        match (&slot.tail.next, line_start(text, slot.lead)) {
            (Next::LineEnd(_) | Next::End, Some(start)) => {
                let end = match &slot.tail.next {
                    Next::LineEnd(line_end) => line_end.end,
                    _ => text.len(),
                };
                // Between two nodes, one empty line is enough; next to a brace, and at an end of the file, none.
                let before = blank_line_before(text, start);
                let behind = blank_line_behind(text, end);
                let head = text[..start].trim_start_matches('\u{feff}');
                let head = head.trim_end_matches(is_blank);
                let opens = head.is_empty() || head.ends_with('{');
                let closes = text[end..].trim_start_matches(is_blank);
                let closes = closes.is_empty() || closes.starts_with('}');
                match (before, behind) {
                    (Some(_), Some(behind)) => start..behind,
                    (None, Some(behind)) if opens => start..behind,
                    (Some(before), None) if closes => before..end,
                    _ => start..end,
                }
            }
            (Next::LineEnd(line_end), None) => {
                text[..slot.lead].trim_end_matches(is_space).len()..line_end.start
            }
            (Next::End, None) => text[..slot.lead].trim_end_matches(is_space).len()..text.len(),
            (Next::Close | Next::More, _) => {
                let rest = &text[end..];
                let blanks = rest.len() - rest.trim_start_matches(is_space).len();
                slot.lead..end + blanks
            }
        }
    }

    /// The place for nodes that are inserted in front of the node at `among.index`.
    pub(super) fn landing(&self, among: &Among<'_>) -> Landing {
        let text = self.text();
        let parent = among.path.last().copied();
        let siblings = match among.is_behind {
            true => &among.siblings[..among.index],
            false => among.siblings,
        };
        if among.index < siblings.len() {
            let slot = self.slot(parent, siblings, among.index);
            return match line_start(text, slot.lead) {
                Some(at) => Landing::Lines {
                    at,
                    indent: indent(text, slot.start).to_owned(),
                    opens: false,
                },
                None => Landing::Inline {
                    at: slot.lead,
                    before: "",
                    behind: "; ",
                },
            };
        }
        if let Some(last) = siblings.len().checked_sub(1) {
            let slot = self.slot(parent, siblings, last);
            let tail = slot.tail;
            return match tail.next {
                Next::LineEnd(span) => Landing::Lines {
                    at: span.end,
                    indent: self.indent_inside(parent, siblings),
                    opens: false,
                },
                Next::End => Landing::Lines {
                    at: tail.end,
                    indent: self.indent_inside(parent, siblings),
                    opens: true,
                },
                Next::Close | Next::More if tail.semicolon.is_some() => Landing::Inline {
                    at: tail.end,
                    before: " ",
                    behind: ";",
                },
                Next::Close | Next::More => Landing::Inline {
                    at: tail.end,
                    before: "; ",
                    behind: "",
                },
            };
        }
        match parent {
            Some(parent) => self.first_in(parent, among),
            None => {
                let body = text.strip_prefix('\u{feff}').unwrap_or(text);
                Landing::Lines {
                    at: text.len(),
                    indent: String::new(),
                    opens: !body.is_empty() && !body.ends_with(is_newline),
                }
            }
        }
    }

    /// The place for the first node in a block that is empty or missing.
    fn first_in(&self, parent: &Node, among: &Among<'_>) -> Landing {
        let text = self.text();
        let own = indent(text, parent.span.start);
        let range = match &parent.block {
            None => parent.span.end..parent.span.end,
            Some(block) => {
                let close = block.end - 1;
                let inner = &text[block.start + 1..close];
                if !inner.chars().all(is_blank) {
                    return match line_start(text, close) {
                        Some(at) => Landing::Lines {
                            at,
                            indent: format!("{}{}", indent(text, close), self.unit()),
                            opens: false,
                        },
                        None if inner.ends_with(is_space) => Landing::Inline {
                            at: close,
                            before: "",
                            behind: "; ",
                        },
                        None => Landing::Inline {
                            at: close,
                            before: " ",
                            behind: "; ",
                        },
                    };
                }
                block.clone()
            }
        };
        // A node that shares its line with others stays on one line.
        let outer = &among.path[..among.path.len() - 1];
        let siblings = outer.last().map_or(&self.nodes[..], |node| node.children());
        let index = siblings.partition_point(|node| node.span.start < parent.span.start);
        let slot = self.slot(outer.last().copied(), siblings, index);
        Landing::Block {
            range,
            indent: own.to_owned(),
            one_line: !slot.has_lines(text),
        }
    }

    /// The indentation inside the block of a node that has children.
    fn indent_inside(&self, parent: Option<&Node>, siblings: &[Node]) -> String {
        let text = self.text();
        let lined = siblings
            .iter()
            .rev()
            .find(|node| starts_line(text, node.span.start));
        match (lined, parent) {
            (Some(node), _) => indent(text, node.span.start).to_owned(),
            (None, Some(parent)) => {
                format!("{}{}", indent(text, parent.span.start), self.unit())
            }
            (None, None) => String::new(),
        }
    }
}

/// Replaces ranges of a file in a piece of it that begins at `from`.
pub(super) fn replace_in(piece: &mut String, from: usize, mut edits: Vec<(Range<usize>, String)>) {
    edits.sort_by_key(|(range, _)| std::cmp::Reverse((range.start, range.end)));
    for (range, new) in edits {
        piece.replace_range(range.start - from..range.end - from, &new);
    }
}

pub(super) fn is_blank(c: char) -> bool {
    is_space(c) || is_newline(c)
}

/// The beginning of the empty line that ends at `start`, if there is one.
fn blank_line_before(text: &str, start: usize) -> Option<usize> {
    let head = &text[..start];
    let head = head
        .strip_suffix("\r\n")
        .or_else(|| head.strip_suffix(is_newline))?;
    let line = line_start(text, head.len())?;
    (line > 0).then_some(line)
}

/// The end of the empty line that begins at `end`, if there is one.
fn blank_line_behind(text: &str, end: usize) -> Option<usize> {
    let rest = &text[end..];
    let blanks = rest.len() - rest.trim_start_matches(is_space).len();
    let rest = &rest[blanks..];
    let first = rest.chars().next().filter(|c| is_newline(*c))?;
    let line_end = if rest.starts_with("\r\n") {
        2
    } else {
        first.len_utf8()
    };
    Some(end + blanks + line_end)
}

/// Whether a node keeps its block when the block is empty.
fn keeps_block(node: &Node) -> bool {
    let word = node.name.value.as_str();
    let rows = Spot::ALL.iter().filter_map(|spot| spot.word(word));
    let mut rows = rows.filter(|row| matches!(row.block, Block::Must(_)));
    rows.next().is_some()
}
