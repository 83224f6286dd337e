//! Whether a key that is not declared yet holds whole numbers, as far as its uses say.

use crate::lexer::{Piece, pieces};
use treemind_doc::edit::Editor;

/// Functions whose results are whole, or are no numbers, if what they are of is.
const WHOLE: [&str; 17] = [
    "len",
    "index",
    "members",
    "int",
    "leading_int",
    "min",
    "max",
    "abs",
    "clamp",
    "random",
    "bit_and",
    "bit_or",
    "bit_xor",
    "has",
    "contains",
    "free",
    "event",
];

/// Whether all that a name is compared with or gets is whole. A whole number may be a `float` too, so a single hint at one is
/// enough.
pub(super) fn is_whole(editor: &Editor, name: &str) -> bool {
    let mut is_seen = false;
    for file in 0..editor.file_count() {
        let text = editor.text(file);
        for read in editor.read_nodes(file) {
            for entry in &read.node.entries {
                let is_given = entry.name.as_deref() == Some(name);
                if is_given && entry.value.parse::<f64>().is_ok() {
                    match entry.value.parse::<i64>() {
                        Ok(_) => is_seen = true,
                        Err(_) => return false,
                    }
                }
                let all = pieces(text, entry.value_span.clone());
                let is_named =
                    |piece: &Piece| matches!(piece, Piece::Word(at) if &text[at.clone()] == name);
                if !all.iter().any(is_named) {
                    continue;
                }
                for (nth, piece) in all.iter().enumerate() {
                    match piece {
                        Piece::Number(at) if text[at.clone()].parse::<i64>().is_ok() => {
                            is_seen = true;
                        }
                        Piece::Number(_) => return false,
                        Piece::Sign(at) if matches!(&text[at.clone()], "/" | ".") => return false,
                        Piece::Word(at) => {
                            let opens = matches!(all.get(nth + 1), Some(Piece::Sign(sign)) if &text[sign.clone()] == "(");
                            let word = &text[at.clone()];
                            match opens {
                                true if !WHOLE.contains(&word) => return false,
                                false if has_fractions(editor, word) => return false,
                                _ => {}
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    is_seen
}

/// Whether a declared key, port or parameter of this name is of a type with fractions.
fn has_fractions(editor: &Editor, name: &str) -> bool {
    let types = ["float", "double", "vec2", "vec3", "any"];
    (0..editor.file_count()).any(|file| {
        let nodes = editor.read_nodes(file);
        nodes.iter().any(|read| {
            let entries = read.node.entries.iter();
            let mut ty = entries.filter(|entry| entry.name.as_deref() == Some("type"));
            read.node.name() == Some(name) && ty.any(|ty| types.contains(&ty.value.as_str()))
        })
    })
}
