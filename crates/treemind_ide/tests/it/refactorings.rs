//! Changes of nodes that keep what a document does, and formatting in pieces.

use treemind_doc::edit::{Change, Editor};
use treemind_ide::{Replacement, fix_all, formatted, refactorings};

/// Applies a change and undoes it: every byte is as it was.
fn undone(editor: &Editor, change: &Change) {
    let mut trial = editor.clone();
    let undo = trial.apply(change).expect("a change of these texts");
    trial.apply(&undo).expect("what undoes it");
    for file in 0..editor.file_count() {
        assert_eq!(trial.text(file), editor.text(file));
    }
}

#[test]
fn refactorings_of_all_examples_can_be_undone() {
    let every = if super::is_thorough() { 1 } else { 41 };
    let (mut tried, mut kinds) = (0, std::collections::HashSet::new());
    for texts in super::examples() {
        let editor = Editor::of_texts(&texts);
        for (nth, node) in editor.read_nodes(0).iter().enumerate() {
            if nth % every != 7 % every {
                continue;
            }
            for one in refactorings(&editor, node.line.start) {
                undone(&editor, &one.change);
                tried += 1;
                kinds.insert(one.kind);
            }
        }
    }
    assert!(tried > 50 && kinds.len() >= 2, "{tried} {kinds:?}");
}

fn replaced(text: &str, all: &[Replacement]) -> String {
    let mut out = text.to_owned();
    for one in all.iter().rev() {
        out.replace_range(one.range.clone(), &one.new);
    }
    out
}

#[test]
fn formatting_in_pieces_is_formatting() {
    for texts in super::examples() {
        let (name, text) = &texts[0];
        // Other blanks and no empty lines.
        let ugly = text
            .replace("\n    ", "\n  ")
            .replace("\n\n", "\n")
            .replace("; ", ";   ");
        let Ok(whole) = treemind_doc::format(&ugly, name) else {
            continue;
        };
        let pieces = formatted(&ugly, name);
        assert_eq!(replaced(&ugly, &pieces), whole, "{name}");
        // Each piece alone says the same, so that some lines can be formatted and others not.
        for piece in pieces
            .iter()
            .step_by(if super::is_thorough() { 1 } else { 97 })
        {
            let part = replaced(&ugly, std::slice::from_ref(piece));
            assert_eq!(
                treemind_doc::format(&part, name).as_ref(),
                Ok(&whole),
                "{name}: {piece:?}"
            );
        }
    }
}

#[test]
fn what_has_one_solution_is_fixed_with_all_others() {
    let text = "leaves { action patrol; }\ntree t {\n    sequence {\n        action patrl\n        action patrol x=1\n    }\n}\n";
    let editor = Editor::of_texts(&[("t.kdl", text)]);
    let change = fix_all(&editor, 0).expect("something to do");
    let mut fixed = editor.clone();
    fixed.apply(&change).unwrap();
    assert_eq!(
        fixed.text(0),
        text.replace("patrl", "patrol").replace(" x=1", "")
    );
    assert!(fix_all(&fixed, 0).is_none());
    undone(&editor, &change);
}
