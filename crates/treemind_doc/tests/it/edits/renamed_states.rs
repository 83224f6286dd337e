//! Rename: states and leaves, of which names in tests and paths may speak.

use super::editor;
use treemind_doc::Document;
use treemind_doc::edit::{Editor, SymbolKind};

/// A path in a test belongs to states, also where a leaf has the name of one of them.
#[test]
fn a_state_and_a_leaf_of_one_name_are_told_apart() {
    let text = "leaves { action take; action look; }\n\
        machine m { initial on.look; state on { state look { do { action look; }; transition to=take when=\"true\"; }; state take { do { action take; }; }; }; }\n\
        test \"t\" machine=m {\n    leaf look answers=R\n    tick\n    expect active=\"on.take take\" that=\"active(on.take)\"\n    never on.look\n}\n";
    let renamed = |mark: &str| {
        let mut editor = editor(text);
        let change = editor.rename(text.find(mark).expect(mark), "grab");
        editor
            .apply(&change.expect("a free name"))
            .expect("it fits");
        editor.text(0).to_owned()
    };
    assert_eq!(
        renamed("take;"),
        text.replace("action take;", "action grab;")
            .replace("on.take take", "on.take grab")
    );
    assert_eq!(
        renamed("take {"),
        text.replace("state take", "state grab")
            .replace("to=take", "to=grab")
            .replace("on.take", "on.grab")
    );
    assert_eq!(
        renamed("look {"),
        text.replace("state look", "state grab")
            .replace("on.look", "on.grab")
    );
}

/// No rename of a state or leaf breaks an example.
#[test]
fn states_and_leaves_of_all_examples_are_renamed() {
    let mut files = Vec::new();
    let mut pending = vec![std::path::PathBuf::from("../../examples")];
    while let Some(folder) = pending.pop() {
        for entry in folder.read_dir().expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => pending.push(path),
                false if path.extension().is_some_and(|ending| ending == "kdl") => files.push(path),
                false => {}
            }
        }
    }
    files.sort();
    let mut renamed = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).expect("read");
        let name = file.display().to_string();
        let document = Document::parse(&text, &name);
        let errors = |document: &Document| {
            let found = document.diagnostics().iter();
            found
                .filter(|found| found.severity() == treemind_doc::Severity::Error)
                .count()
        };
        let before = errors(&document);
        let Ok(editor) = Editor::new(document) else {
            continue;
        };
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let begin = at + line.len() - line.trim_start().len();
            at += line.len();
            let Some((kind, old)) = editor.symbol_at(begin) else {
                continue;
            };
            if !matches!(kind, SymbolKind::State | SymbolKind::Leaf) {
                continue;
            }
            let Ok(change) = editor.rename(begin, "quux-zab") else {
                continue;
            };
            let mut edited = editor.clone();
            edited.apply(&change).expect("made for it");
            let after = edited.document();
            let said: Vec<String> = after
                .diagnostics()
                .iter()
                .map(treemind_doc::Diagnostic::to_plain)
                .collect();
            assert!(
                errors(after) <= before,
                "{name}: {kind:?} {old}: {}",
                said.join("\n")
            );
            renamed += 1;
        }
    }
    assert!(renamed > 200, "{renamed}");
}
