//! Whether two texts have the same content, whatever their layout.

use crate::syntax::pieces::{Piece, PieceKind};
use crate::syntax::{Entry, Node, Text, Value};

/// Whether names, values, properties and blocks are equal.
pub(super) fn same_nodes(left: &[Node], right: &[Node]) -> bool {
    let mut pending = vec![(left, right)];
    while let Some((left, right)) = pending.pop() {
        if left.len() != right.len() {
            return false;
        }
        for (left, right) in left.iter().zip(right) {
            let alike = same_text(&left.name, &right.name)
                && left.entries.len() == right.entries.len()
                && left.entries.iter().zip(&right.entries).all(same_entry)
                && left.children.is_some() == right.children.is_some();
            if !alike {
                return false;
            }
            pending.push((left.children(), right.children()));
        }
    }
    true
}

fn same_text(left: &Text, right: &Text) -> bool {
    left.value == right.value && left.bare == right.bare
}

fn same_entry((left, right): (&Entry, &Entry)) -> bool {
    let names = match (&left.name, &right.name) {
        (Some(left), Some(right)) => same_text(left, right),
        (None, None) => true,
        _ => false,
    };
    names
        && match (&left.value, &right.value) {
            (Value::Text(left), Value::Text(right)) => same_text(left, right),
            // Compared by spelling: `#nan` is not equal to itself.
            (Value::Decimal(_, left), Value::Decimal(_, right)) => left == right,
            (left, right) => left == right,
        }
}

/// Whether the texts have the same words and comments, in the same order, in the same blocks.
pub(super) fn same_words(left: (&str, &[Piece]), right: (&str, &[Piece])) -> bool {
    fn words<'a>(
        (text, row): (&'a str, &'a [Piece]),
    ) -> impl Iterator<Item = (bool, &'a str)> + use<'a> {
        let is_word = |piece: &&Piece| match piece.kind {
            PieceKind::End { .. } | PieceKind::Break { .. } => !piece.span.is_empty(),
            _ => true,
        };
        row.iter()
            .filter(is_word)
            .map(|piece| (piece.kind == PieceKind::Text, &text[piece.span.clone()]))
    }
    words(left).eq(words(right))
}
