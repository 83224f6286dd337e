//! From pieces to text.

use crate::syntax::is_newline;
use crate::syntax::pieces::{Piece, PieceKind, Pieces};

/// Spaces per level.
const INDENT: usize = 4;

/// The text of these pieces; a block on one line may reach `width` columns.
pub(crate) fn print(text: &str, pieces: &Pieces, width: usize) -> String {
    let row = &pieces.row;
    // Measures everything as if it were on one line, to know which blocks fit.
    let mut ruler = Ruler {
        column: 0,
        marks: vec![0; row.len()],
        open: Vec::new(),
    };
    walk(text, row, &mut ruler);
    let bom = if text.starts_with('\u{feff}') {
        "\u{feff}"
    } else {
        ""
    };
    let mut page = Page {
        out: String::with_capacity(text.len() + text.len() / 8),
        column: 0,
        widths: ruler.marks,
        width,
        line_end: if pieces.crlf { "\r\n" } else { "\n" },
    };
    page.out.push_str(bom);
    walk(text, row, &mut page);
    page.out
}

/// The target of the printer.
trait Out {
    fn write(&mut self, text: &str);
    fn line(&mut self);
    /// Whether the block that begins now stays on one line; `brace` is the index of its opening brace.
    fn keeps_line(&mut self, brace: usize, one_line: bool) -> bool;
    /// The block of a brace is complete.
    fn closed(&mut self);
}

/// Measures blocks as if all were on one line.
struct Ruler {
    column: usize,
    /// Indexed by piece, for opening braces: how many columns the block takes.
    marks: Vec<usize>,
    open: Vec<usize>,
}

impl Out for Ruler {
    fn write(&mut self, text: &str) {
        self.column += text.chars().count();
    }

    fn line(&mut self) {}

    fn keeps_line(&mut self, brace: usize, _one_line: bool) -> bool {
        self.marks[brace] = self.column;
        self.open.push(brace);
        true
    }

    fn closed(&mut self) {
        if let Some(brace) = self.open.pop() {
            self.marks[brace] = self.column - self.marks[brace];
        }
    }
}

struct Page {
    out: String,
    column: usize,
    /// Indexed by piece, for opening braces: how many columns the block takes on one line.
    widths: Vec<usize>,
    /// The last column that a block on one line may reach.
    width: usize,
    line_end: &'static str,
}

impl Out for Page {
    fn write(&mut self, text: &str) {
        self.out.push_str(text);
        match text.rfind(is_newline) {
            Some(at) => self.column = text[at..].chars().skip(1).count(),
            None => self.column += text.chars().count(),
        }
    }

    fn line(&mut self) {
        self.out.push_str(self.line_end);
        self.column = 0;
    }

    fn keeps_line(&mut self, brace: usize, one_line: bool) -> bool {
        one_line && self.column.saturating_add(self.widths[brace]) <= self.width
    }

    fn closed(&mut self) {}
}

/// The gap before the next piece.
#[derive(Clone, Copy, PartialEq)]
enum Gap {
    /// The indentation of a node.
    Line,
    /// The indentation of a continued line.
    WentOn,
    Space,
    Nothing,
}

/// The state of the printer.
struct Place<'a, O> {
    out: &'a mut O,
    gap: Gap,
    /// For each open block, whether it is on one line.
    blocks: Vec<bool>,
}

impl<O: Out> Place<'_, O> {
    fn on_one_line(&self) -> bool {
        self.blocks.last().copied().unwrap_or(false)
    }

    /// Writes the pending gap and then a piece; `next` is the gap after the piece.
    fn put(&mut self, text: &str, next: Gap) {
        self.close_gap();
        self.out.write(text);
        self.gap = next;
    }

    fn close_gap(&mut self) {
        let broken = self.blocks.iter().filter(|one_line| !**one_line).count();
        match self.gap {
            Gap::Line => self.indent(broken),
            Gap::WentOn => self.indent(broken + 1),
            Gap::Space => self.out.write(" "),
            Gap::Nothing => {}
        }
    }

    fn indent(&mut self, levels: usize) {
        for _ in 0..levels * INDENT {
            self.out.write(" ");
        }
    }
}

fn walk<O: Out>(text: &str, row: &[Piece], out: &mut O) {
    let mut place = Place {
        out,
        gap: Gap::Line,
        blocks: Vec::new(),
    };
    let mut index = 0;
    while let Some(piece) = row.get(index) {
        let slice = &text[piece.span.clone()];
        let kind_at = |at: usize| row.get(at).map(|piece| piece.kind);
        match piece.kind {
            PieceKind::Text | PieceKind::Comment => place.put(slice, Gap::Space),
            PieceKind::Slashdash => {
                place.put(slice, glue(kind_at(index + 1)));
            }
            PieceKind::Equals => {
                let follows_text = kind_at(index.wrapping_sub(1)) == Some(PieceKind::Text);
                if follows_text {
                    place.gap = Gap::Nothing;
                }
                place.put(slice, glue(kind_at(index + 1)));
            }
            PieceKind::Break { escaped } => {
                if escaped {
                    place.put("\\", Gap::Space);
                }
                if !slice.is_empty() {
                    place.put(slice, Gap::Space);
                }
                place.out.line();
                place.gap = Gap::WentOn;
            }
            PieceKind::Open { one_line } => {
                index = open(&mut place, row, index, one_line);
            }
            PieceKind::Close => close(&mut place),
            PieceKind::End { blank } => end(&mut place, row, index, slice, blank),
        }
        index += 1;
    }
}

/// `/-` and `=` stay next to what they belong to, unless a comment is between.
fn glue(next: Option<PieceKind>) -> Gap {
    match next {
        Some(PieceKind::Text | PieceKind::Open { .. }) => Gap::Nothing,
        _ => Gap::Space,
    }
}

/// Returns the index of the last piece that was printed.
fn open<O: Out>(place: &mut Place<'_, O>, row: &[Piece], index: usize, one_line: bool) -> usize {
    place.close_gap();
    place.gap = Gap::Nothing;
    let keeps_line = place.out.keeps_line(index, one_line);
    let is_empty = matches!(
        &row[index + 1..],
        [end, close, ..] if matches!(end.kind, PieceKind::End { .. })
            && end.span.is_empty()
            && close.kind == PieceKind::Close
    );
    if is_empty {
        place.put("{}", Gap::Space);
        place.out.closed();
        return index + 2;
    }
    place.put("{", Gap::Space);
    place.blocks.push(keeps_line);
    index
}

fn close<O: Out>(place: &mut Place<'_, O>) {
    let one_line = place.blocks.pop().unwrap_or(false);
    place.gap = if one_line { Gap::Space } else { Gap::Line };
    place.put("}", Gap::Space);
    place.out.closed();
}

fn end<O: Out>(place: &mut Place<'_, O>, row: &[Piece], index: usize, comment: &str, blank: bool) {
    let before = row[..index].iter().rev();
    let line = before.take_while(|piece| !matches!(piece.kind, PieceKind::End { .. }));
    let mut follows_brace = false;
    let mut has_node = false;
    for piece in line {
        match piece.kind {
            PieceKind::Comment => continue,
            PieceKind::Open { .. } => follows_brace = true,
            _ => has_node = true,
        }
        break;
    }
    if place.on_one_line() {
        if has_node {
            place.out.write(";");
        }
        place.gap = Gap::Space;
        return;
    }
    if !comment.is_empty() {
        place.put(comment, Gap::Line);
    }
    place.out.line();
    place.gap = Gap::Line;
    let at_end = row
        .get(index + 1)
        .is_none_or(|next| next.kind == PieceKind::Close);
    if blank && !follows_brace && !at_end {
        place.out.line();
    }
}
