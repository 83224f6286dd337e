//! Numbers of nodes, which they keep through every edit.

use std::collections::HashMap;
use std::ops::Range;
use treemind_doc::edit::{At, Change, Editor, NodeView};

/// Which node has which number.
#[derive(Clone, Debug, Default)]
pub(super) struct Ids {
    of: HashMap<At, u64>,
    places: HashMap<u64, At>,
    /// The numbers of nodes that are gone, by what they said, the last one last: whoever undoes that finds them again.
    gone: HashMap<String, Vec<u64>>,
    next: u64,
}

impl Ids {
    pub(super) fn of(editor: &Editor) -> Self {
        let mut ids = Self::default();
        ids.number(editor, &HashMap::new());
        ids
    }

    /// The place of a node, if it is still there.
    pub(super) fn place(&self, id: u64) -> Option<At> {
        self.places.get(&id).copied()
    }

    /// The number of the node that begins here.
    pub(super) fn id(&self, at: At) -> Option<u64> {
        self.of.get(&at).copied()
    }

    /// Nodes keep their numbers through a change. A node that appears is the one that said the same and was taken away, in
    /// this change or before.
    pub(super) fn follow(&mut self, before: &Editor, after: &Editor, change: &Change) {
        let mut moved: HashMap<At, u64> = HashMap::new();
        for (at, node) in nodes(before).into_iter().rev() {
            let Some(id) = self.id(at) else { continue };
            let mut splices = change.splices().iter();
            let is_in = |range: &Range<usize>| range.contains(&at.offset);
            if splices.any(|splice| splice.file == at.file && is_in(&splice.range)) {
                let said = line_of(before, &node);
                self.gone.entry(said).or_default().push(id);
            } else {
                let offset = change.moved(at.file, at.offset);
                moved.insert(At { offset, ..at }, id);
            }
        }
        for (at, node) in nodes(after) {
            if !moved.contains_key(&at)
                && let Some(id) = self.gone.get_mut(&line_of(after, &node)).and_then(Vec::pop)
            {
                moved.insert(at, id);
            }
        }
        self.number(after, &moved);
    }

    fn number(&mut self, editor: &Editor, known: &HashMap<At, u64>) {
        self.of.clear();
        self.places.clear();
        for (at, _) in nodes(editor) {
            let id = known.get(&at).copied().unwrap_or_else(|| {
                self.next += 1;
                self.next
            });
            self.of.insert(at, id);
            self.places.insert(id, at);
        }
    }
}

/// What a node says in its first line.
fn line_of(editor: &Editor, node: &NodeView) -> String {
    let text = editor.text(node.at.file).get(node.line.clone());
    text.unwrap_or_default().to_owned()
}

/// All nodes, each behind the one that it is in.
pub(super) fn nodes(editor: &Editor) -> Vec<(At, NodeView)> {
    let mut all = Vec::new();
    let mut pending: Vec<At> = (0..editor.file_count())
        .rev()
        .flat_map(|file| editor.top(file).into_iter().rev())
        .collect();
    while let Some(at) = pending.pop() {
        let Ok(node) = editor.node(at) else { continue };
        pending.extend(node.children.iter().rev());
        all.push((at, node));
    }
    all
}
