//! The edit layer: each operation on texts of all shapes, sequences of operations with undo, and renames across files.

mod around;
mod comments;
mod compare;
mod decisions;
mod entries;
mod extract;
mod fits;
mod ids;
mod inline;
mod kinds;
mod machines;
mod merge;
mod merge_edits;
mod paste;
mod regions;
mod renamed_states;
mod renames;
mod repeated;
mod sequences;
mod steps;
mod structure;
mod tables;
mod values;

use treemind_doc::Document;
use treemind_doc::edit::{Change, EditError, Editor};

/// A text without its marks `§`, and the places of the marks.
fn marked(text: &str) -> (String, Vec<usize>) {
    let mut plain = String::new();
    let mut marks = Vec::new();
    for part in text.split_inclusive('§') {
        plain.push_str(part.trim_end_matches('§'));
        if part.ends_with('§') {
            marks.push(plain.len());
        }
    }
    (plain, marks)
}

fn editor(text: &str) -> Editor {
    Editor::new(Document::parse(text, "test.kdl")).expect("KDL")
}

/// The result of an edit of a marked text. On the way, the edit is undone, which must give the text before.
fn edited(
    text: &str,
    edit: impl FnOnce(&Editor, &[usize]) -> Result<Change, EditError>,
) -> Result<String, String> {
    let (plain, marks) = marked(text);
    let mut editor = editor(&plain);
    let change = edit(&editor, &marks).map_err(|error| error.to_string())?;
    let undo = editor.apply(&change).expect("made for this text");
    let after = editor.text(0).to_owned();
    editor.apply(&undo).expect("undone");
    assert_eq!(editor.text(0), plain, "undone");
    assert_eq!(undo.inverse(), change);
    Ok(after)
}
