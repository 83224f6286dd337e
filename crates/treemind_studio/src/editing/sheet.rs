//! What pages see of a document that they edit.

use super::ids::nodes;
use super::{Editing, Entry};
use treemind_doc::edit::{Editor, EntryView, NodeView};
use treemind_replay::view::protocol::{Done, Sheet, SheetEntry, SheetFile, SheetNode};
use treemind_replay::view::{Starts, problems};

impl Editing {
    /// What pages see of it.
    pub fn sheet(&self) -> Sheet {
        let editor = self.editor();
        let starts = Starts::of(editor);
        let files = (0..editor.file_count()).map(|file| SheetFile {
            name: editor.name(file).to_owned(),
            text: editor.text(file).to_owned(),
            is_whole: editor.is_whole(file),
            is_saved: self.is_saved(file),
        });
        let mut around: Vec<(usize, usize)> = Vec::new();
        let nodes = nodes(editor).into_iter().map(|(at, node)| {
            while around
                .last()
                .is_some_and(|(file, end)| *file != at.file || *end <= at.offset)
            {
                around.pop();
            }
            let depth = around.len();
            around.push((at.file, node.span.end));
            let [_, line, column, last, end] = starts.range(at.file, &node.span);
            SheetNode {
                id: self.ids.id(at).unwrap_or_default(),
                depth,
                file: at.file,
                entries: node
                    .entries
                    .iter()
                    .map(|one| entry(editor, at.file, one))
                    .collect(),
                is_disabled: is_disabled(editor, &node),
                at: [line, column, last, end],
                word: node.word,
            }
        });
        Sheet {
            revision: self.revision,
            nodes: nodes.collect(),
            files: files.collect(),
            undo: self.done.last().map(done),
            redo: self.undone.last().map(done),
            problems: problems(editor.document().diagnostics()),
            unsaved: self.unsaved.clone(),
        }
    }
}

fn done(entry: &Entry) -> Done {
    Done {
        label: entry.label.clone(),
        by: entry.by.clone(),
    }
}

fn entry(editor: &Editor, file: usize, entry: &EntryView) -> SheetEntry {
    SheetEntry {
        name: entry.name.clone(),
        value: editor.value_text(file, entry),
    }
}

fn is_disabled(editor: &Editor, node: &NodeView) -> bool {
    let mut entries = node.entries.iter();
    let disabled = entries.find(|one| one.name.as_deref() == Some("disabled"));
    disabled.is_some_and(|one| editor.value_text(node.at.file, one) == "true")
}
