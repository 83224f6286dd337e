//! The text of a decision tree: the place of each line, and which comments belong to it.

use super::NotBalanced;
use super::forest::TreeId;
use super::write::Lines;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use treemind_doc::Tree;
use treemind_doc::internals::{self, Head, Piece, PieceKind};

/// A node in the block of a definition. Nodes inside tasks are copied as plain text.
pub(super) struct Line {
    pub(super) word: String,
    /// Its first value, if that is a string.
    pub(super) named: Option<String>,
    /// It is disabled with `/-`.
    pub(super) is_disabled: bool,
    /// From the name to the last entry.
    pub(super) head: Range<usize>,
    /// With its block.
    pub(super) whole: Range<usize>,
    /// The node that contains it; `None`: it is directly in the definition.
    pub(super) above: Option<usize>,
    /// The nodes in its block.
    pub(super) below: Vec<usize>,
    /// Comments in the lines above it, after it in its line, and at the end of its block.
    pub(super) comments: [Vec<String>; 3],
}

/// Above it, after it, and at the end of its block.
pub(super) const LEAD: usize = 0;
pub(super) const TRAIL: usize = 1;
pub(super) const LAST: usize = 2;

/// A definition.
pub(super) struct Written<'t> {
    pub(super) text: &'t str,
    /// All of it, from its first word to its brace.
    pub(super) whole: Range<usize>,
    /// Up to its brace.
    pub(super) head: Range<usize>,
    pub(super) lines: Vec<Line>,
    pub(super) by_start: HashMap<usize, usize>,
    /// Comments at the end of its block.
    pub(super) last: Vec<String>,
    /// Comments after its opening brace.
    pub(super) first: Vec<String>,
    pub(super) crlf: bool,
}

impl<'t> Written<'t> {
    /// The definition of a decision tree; `tasks` holds the places where its tasks begin.
    pub(super) fn new(tree: &'t Tree, tasks: &HashSet<usize>) -> Result<Self, NotBalanced> {
        let text = tree.source().text();
        let Some(definition) = internals::definition(tree) else {
            return Err(NotBalanced::Defect("its text is missing".to_owned()));
        };
        let row = &definition.row;
        let start = definition.head.start;
        let begins = |piece: &Piece| piece.kind == PieceKind::Text && piece.span.start == start;
        let mut reader = Reader {
            text,
            row,
            at: row.iter().position(begins).unwrap_or(0),
            heads: &definition.heads,
            tasks,
            written: Written {
                text,
                whole: definition.head.clone(),
                head: definition.head.clone(),
                lines: Vec::new(),
                by_start: HashMap::new(),
                last: Vec::new(),
                first: Vec::new(),
                crlf: definition.crlf,
            },
        };
        reader.definition()?;
        let mut written = reader.written;
        written.hand_up();
        Ok(written)
    }

    /// Moves comments of lines that are not written again to the test that they belong to, and comments after a
    /// one-line test to its task.
    fn hand_up(&mut self) {
        const PASSING: [&str; 5] = ["yes", "no", "default", "goto", "none"];
        for number in 0..self.lines.len() {
            let line = &self.lines[number];
            if let [only] = line.below[..]
                && self.lines[only].below.is_empty()
                && !PASSING.contains(&self.lines[only].word.as_str())
                && line.comments[LAST].is_empty()
                && self.lines[only].comments.iter().all(Vec::is_empty)
                && !self.slice(&line.whole).contains('\n')
            {
                self.lines[only].comments[TRAIL] =
                    std::mem::take(&mut self.lines[number].comments[TRAIL]);
            }
        }
        for number in 0..self.lines.len() {
            if !PASSING.contains(&self.lines[number].word.as_str()) {
                continue;
            }
            let mut above = self.lines[number].above;
            while let Some(line) = above
                && PASSING.contains(&self.lines[line].word.as_str())
            {
                above = self.lines[line].above;
            }
            if let Some(above) = above {
                let comments = std::mem::take(&mut self.lines[number].comments);
                let comments = comments.into_iter().flatten();
                self.lines[above].comments[LEAD].extend(comments);
            }
        }
    }

    /// Checks that something leads to every test and task.
    pub(super) fn all_read(&self, lines: &Lines) -> Result<(), NotBalanced> {
        const AROUND: [&str; 9] = [
            "yes", "no", "case", "default", "option", "branch", "goto", "none", "param",
        ];
        for (number, line) in self.lines.iter().enumerate() {
            let word = line.word.as_str();
            let is_around = AROUND.contains(&word) || internals::is_item(word);
            let is_read = lines.steps.contains(&number) || lines.leaves.contains(&number);
            if line.is_disabled || !is_around && !is_read {
                return Err(NotBalanced::Unread(line.head.clone()));
            }
        }
        Ok(())
    }

    /// The branches: the tree of the line that each begins with, its name, and its line.
    pub(super) fn branches(
        &self,
        tree: impl Fn(usize) -> Option<TreeId>,
    ) -> Vec<(TreeId, String, usize)> {
        let lines = self.lines.iter().enumerate();
        let branches = lines.filter(|(_, line)| line.word == "branch");
        let branches = branches.filter_map(|(number, line)| {
            let tree = tree(*line.below.first()?)?;
            Some((tree, line.named.clone()?, number))
        });
        branches.collect()
    }

    /// The text of a span.
    pub(super) fn slice(&self, span: &Range<usize>) -> &'t str {
        &self.text[span.clone()]
    }
}

struct Reader<'a, 't> {
    text: &'t str,
    row: &'a [Piece],
    at: usize,
    heads: &'a HashMap<usize, Head>,
    tasks: &'a HashSet<usize>,
    written: Written<'t>,
}

impl Reader<'_, '_> {
    fn definition(&mut self) -> Result<(), NotBalanced> {
        let head_end = self.written.head.end;
        while let Some(piece) = self.row.get(self.at)
            && !matches!(piece.kind, PieceKind::Open { .. })
        {
            if piece.span.start >= head_end && piece.kind == PieceKind::Comment {
                let comment = self.text[piece.span.clone()].to_owned();
                self.written.first.push(comment);
            }
            self.at += 1;
        }
        self.at += 1;
        // Comments that wait for their node, the nodes that are open, and the node of this line.
        let mut waiting: Vec<String> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut line: Option<usize> = None;
        let mut behind_brace = true;
        while let Some(piece) = self.row.get(self.at) {
            let slice = self.text[piece.span.clone()].to_owned();
            match piece.kind {
                PieceKind::Text if line.is_none() => {
                    line = Some(self.line(piece.span.start, open.last().copied(), &mut waiting)?);
                    continue;
                }
                PieceKind::Text | PieceKind::Equals => {}
                PieceKind::Slashdash if line.is_none() => {
                    waiting.push(self.dropped());
                    behind_brace = false;
                    continue;
                }
                PieceKind::Slashdash => {
                    let head = line.map(|line| self.written.lines[line].head.clone());
                    if head.is_none_or(|head| !head.contains(&piece.span.start)) {
                        return Err(NotBalanced::Dropped(piece.span.clone()));
                    }
                }
                PieceKind::Comment | PieceKind::Break { .. } | PieceKind::End { .. } => {
                    let is_end = matches!(piece.kind, PieceKind::End { .. });
                    if !slice.is_empty() {
                        self.comment(slice, &piece.span, line, &open, behind_brace, &mut waiting);
                    }
                    if is_end {
                        line = None;
                        behind_brace = false;
                    }
                }
                PieceKind::Open { .. } => {
                    open.extend(line.take());
                    behind_brace = true;
                }
                PieceKind::Close => {
                    let Some(closed) = open.pop() else {
                        self.written.last.append(&mut waiting);
                        self.written.whole.end = piece.span.end;
                        return Ok(());
                    };
                    let node = &mut self.written.lines[closed];
                    node.comments[LAST].append(&mut waiting);
                    node.whole.end = piece.span.end;
                    line = Some(closed);
                }
            }
            self.at += 1;
        }
        Err(NotBalanced::Defect("its block does not end".to_owned()))
    }

    fn comment(
        &mut self,
        comment: String,
        span: &Range<usize>,
        line: Option<usize>,
        open: &[usize],
        behind_brace: bool,
        waiting: &mut Vec<String>,
    ) {
        match (line, behind_brace) {
            (Some(line), _) => {
                let line = &mut self.written.lines[line];
                // Comments within the head are copied with it.
                if !line.head.contains(&span.start) {
                    line.comments[TRAIL].push(comment);
                }
            }
            (None, true) => match open.last() {
                Some(above) => self.written.lines[*above].comments[TRAIL].push(comment),
                None => self.written.first.push(comment),
            },
            (None, false) => waiting.push(comment),
        }
    }

    /// Reads the beginning of a node. Tasks are read completely, other nodes up to their name.
    fn line(
        &mut self,
        start: usize,
        above: Option<usize>,
        waiting: &mut Vec<String>,
    ) -> Result<usize, NotBalanced> {
        let Some(head) = self.heads.get(&start) else {
            return Err(NotBalanced::Defect("a node has moved".to_owned()));
        };
        let mut whole = head.span.clone();
        let is_task = self.tasks.contains(&start);
        if is_task {
            let mut depth = 0;
            while let Some(piece) = self.row.get(self.at) {
                match piece.kind {
                    PieceKind::Open { .. } => depth += 1,
                    PieceKind::Close if depth == 0 => break,
                    PieceKind::Close => {
                        depth -= 1;
                        whole.end = piece.span.end;
                    }
                    PieceKind::End { .. } if depth == 0 => break,
                    PieceKind::Text if depth == 0 => whole.end = whole.end.max(piece.span.end),
                    _ => {}
                }
                self.at += 1;
            }
            // Comments after it are not part of it.
            while let Some(before) = self.at.checked_sub(1).map(|at| &self.row[at])
                && before.span.start >= whole.end
            {
                self.at -= 1;
            }
        } else {
            self.at += 1;
        }
        let number = self.written.lines.len();
        if let Some(above) = above {
            self.written.lines[above].below.push(number);
        }
        self.written.by_start.insert(start, number);
        self.written.lines.push(Line {
            word: head.word.clone(),
            named: head.named.clone(),
            is_disabled: head.is_disabled,
            head: head.span.clone(),
            whole,
            above,
            below: Vec::new(),
            comments: [std::mem::take(waiting), Vec::new(), Vec::new()],
        });
        Ok(number)
    }

    /// The part disabled with `/-`, as a comment.
    fn dropped(&mut self) -> String {
        let start = self.row[self.at].span.start;
        let (mut end, mut depth) = (start, 0);
        while let Some(piece) = self.row.get(self.at) {
            match piece.kind {
                PieceKind::Open { .. } => depth += 1,
                PieceKind::Close if depth == 0 => break,
                PieceKind::Close => depth -= 1,
                PieceKind::End { .. } if depth == 0 => {
                    end = end.max(piece.span.end);
                    self.at += 1;
                    break;
                }
                _ => {}
            }
            end = end.max(piece.span.end);
            self.at += 1;
        }
        self.text[start..end].to_owned()
    }
}
