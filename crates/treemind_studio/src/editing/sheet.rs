//! What pages see of a document that they edit.

use super::{Editing, Entry};
use std::collections::HashMap;
use treemind_doc::edit::{SourceEntry, SourceRole};
use treemind_replay::view::protocol::{Done, Role, Sheet, SheetEntry, SheetFile, SheetNode};
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
        let mut depths: HashMap<u64, usize> = HashMap::new();
        let outline = editor.outline();
        let nodes = outline.nodes().iter().map(|node| {
            let around = node.parent.and_then(|parent| depths.get(&parent));
            let depth = around.map_or(0, |depth| depth + 1);
            depths.insert(node.id, depth);
            let [_, line, column, last, end] = starts.range(node.file, &node.span);
            SheetNode {
                id: node.id,
                depth,
                file: node.file,
                role: role(node.role),
                word: node.word.clone(),
                values: node.values.iter().map(|one| one.value.clone()).collect(),
                properties: node.properties.iter().map(entry).collect(),
                is_disabled: node.is_disabled,
                at: [line, column, last, end],
            }
        });
        Sheet {
            revision: self.revision,
            nodes: nodes.collect(),
            files: files.collect(),
            undo: self.done.last().map(done),
            redo: self.undone.last().map(done),
            problems: problems(editor.document().diagnostics()),
            told: self.told.clone(),
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

fn role(of: SourceRole) -> Role {
    match of {
        SourceRole::Definition => Role::Definition,
        SourceRole::Task => Role::Task,
        SourceRole::State => Role::State,
        SourceRole::Transition => Role::Transition,
        SourceRole::StatePart => Role::StatePart,
        SourceRole::Question => Role::Question,
        SourceRole::Answer => Role::Answer,
        SourceRole::Branch => Role::Branch,
        SourceRole::Unknown => Role::Unknown,
        _ => Role::Other,
    }
}

fn entry(of: &SourceEntry) -> SheetEntry {
    SheetEntry {
        name: of.name.clone(),
        value: of.value.clone(),
    }
}
