//! What pages see of a document that they edit.

use super::{Editing, Entry};
use std::collections::HashMap;
use treemind_doc::Diagnostic;
use treemind_doc::edit::{
    self, Editor, KeyRow, LeafRow, SourceEntry, SourceOutline, SourceRole, UsedBy,
};
use treemind_replay::view::protocol::{
    About, Clash, Conflict, Done, Problem, Role, Sheet, SheetEntry, SheetFile, SheetKey, SheetLeaf,
    SheetNode, SheetUse,
};
use treemind_replay::view::{Starts, problems};

/// How many of the things that were done pages list.
const MOST_DONE: usize = 100;

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
            saved: self
                .kept
                .get(file)
                .filter(|_| !self.is_saved(file))
                .cloned(),
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
                comment: comment(editor, node),
                is_disabled: node.is_disabled,
                at: [line, column, last, end],
            }
        });
        Sheet {
            revision: self.revision,
            nodes: nodes.collect(),
            keys: keys(editor),
            leaves: editor.leaves().into_iter().map(leaf).collect(),
            files: files.collect(),
            undo: self.done.last().map(done),
            redo: self.undone.last().map(done),
            selection: self.selection.clone(),
            problems: told(editor, &outline),
            told: self.told.clone(),
            unsaved: self.unsaved.clone(),
            saves_at_once: self.saves_at_once,
            conflicts: self.conflicts.iter().map(conflict).collect(),
            done: self.done[self.done.len().saturating_sub(MOST_DONE)..]
                .iter()
                .map(done)
                .collect(),
        }
    }
}

/// What is wrong, and which node and which of its values it is about. What keeps a whole document from being played belongs to
/// it: that it does not say what runs.
fn told(editor: &Editor, outline: &SourceOutline) -> Vec<Problem> {
    let document = editor.document();
    let undecided = document.undecided();
    let undecided = undecided.iter().flat_map(|found| found.iter());
    let found: Vec<&Diagnostic> = document.diagnostics().iter().chain(undecided).collect();
    let mut all = problems(found.iter().copied());
    for (one, found) in all.iter_mut().zip(found) {
        one.about = about(editor, outline, found);
    }
    all
}

fn about(editor: &Editor, outline: &SourceOutline, of: &Diagnostic) -> Option<About> {
    let file = editor.file_named(of.source().name())?;
    let span = of.span();
    let node = outline.at((file, span.start))?;
    let is_in = |entry: &&SourceEntry| entry.span.start <= span.start && span.end <= entry.span.end;
    let value = node.values.iter().position(|entry| is_in(&entry));
    let property = node.properties.iter().find(is_in);
    Some(About {
        id: node.id,
        entry: value
            .map(|nth| nth.to_string())
            .or_else(|| property.map(|entry| entry.name.clone())),
    })
}

fn done(entry: &Entry) -> Done {
    Done {
        label: entry.label.clone(),
        by: entry.by.clone(),
    }
}

fn conflict((file, of): &(usize, edit::Conflict)) -> Conflict {
    Conflict {
        file: *file,
        key: of.key,
        how: match of.how {
            edit::Clash::Changed => Clash::Changed,
            edit::Clash::Moved => Clash::Moved,
            edit::Clash::Removed => Clash::Removed,
            _ => Clash::Whole,
        },
        path: of.path.clone(),
        base: of.base.clone(),
        mine: of.mine.clone(),
        theirs: of.theirs.clone(),
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
        SourceRole::Plan => Role::Plan,
        SourceRole::Unknown => Role::Unknown,
        _ => Role::Other,
    }
}

/// The comment above a node. What cannot be read now, because a block is not closed, has none.
fn comment(editor: &Editor, of: &edit::SourceNode) -> String {
    let at = edit::At {
        file: of.file,
        offset: of.span.start,
    };
    editor.comment(at).unwrap_or_default()
}

fn entry(of: &SourceEntry) -> SheetEntry {
    SheetEntry {
        name: of.name.clone(),
        value: of.value.clone(),
    }
}

/// For so many keys that nothing declares it is tried which type they may have, in a document of so many bytes; in a longer one
/// for fewer. Each try reads the whole document, and whoever edits waits for it.
const MOST_TRIED: usize = 8;
const TRIED_BYTES: usize = 8 << 10;

fn keys(editor: &Editor) -> Vec<SheetKey> {
    let files = 0..editor.file_count();
    let bytes: usize = files.map(|file| editor.text(file).len()).sum();
    let most = MOST_TRIED.min(MOST_TRIED * TRIED_BYTES / bytes.max(1));
    let mut tried = 0;
    let keys = editor.keys().into_iter().map(|of| {
        let mut key = key(of);
        if key.id == 0 && key.ty.is_empty() && tried < most {
            tried += 1;
            key.ty = treemind_ide::fitting_type(editor, &key.name).to_owned();
        }
        key
    });
    keys.collect()
}

fn key(of: KeyRow) -> SheetKey {
    SheetKey {
        id: of.id,
        word: of.word,
        name: of.name,
        ty: of.ty,
        default: of.default,
        doc: of.doc,
        scope: of.scope,
        values: of.values,
        list: of.list,
        sensor: of.sensor,
        uses: of.uses.into_iter().map(used).collect(),
    }
}

fn leaf(of: LeafRow) -> SheetLeaf {
    SheetLeaf {
        id: of.id,
        kind: of.kind,
        name: of.name,
        ty: of.ty,
        doc: of.doc,
        params: of.params.into_iter().map(key).collect(),
        uses: of.uses.into_iter().map(used).collect(),
    }
}

fn used(by: UsedBy) -> SheetUse {
    SheetUse {
        id: by.id,
        is_read: by.is_read,
        is_written: by.is_written,
    }
}
