//! What pages have chosen: it comes back with what is undone and done again.

use super::Editing;
use std::collections::{HashMap, HashSet};
use treemind_replay::view::protocol::Selection;

/// What pages have chosen.
#[derive(Clone, Debug, Default)]
pub(super) struct Selections {
    /// The ids of the nodes, by what the pages are called.
    by_page: HashMap<String, Vec<u64>>,
    /// What the page that has just undone or redone something is to choose.
    pub(super) shown: Option<Selection>,
}

impl Editing {
    /// A page has chosen these nodes.
    pub fn choose(&mut self, ids: &[u64], by: &str) {
        match ids.is_empty() {
            true => self.selections.by_page.remove(by),
            false => self.selections.by_page.insert(by.to_owned(), ids.to_vec()),
        };
    }

    /// The positions of the nodes that a page has chosen. A node that is taken back and comes again has another id, and the
    /// same position.
    pub(super) fn chosen_by(&self, by: &str) -> Vec<usize> {
        let Some(ids) = self.selections.by_page.get(by) else {
            return Vec::new();
        };
        let outline = self.editor().outline();
        let nodes = outline.nodes();
        let known: HashSet<u64> = ids.iter().copied().collect();
        let all = nodes.iter().enumerate();
        let all = all.filter(|(_, node)| known.contains(&node.id));
        let places: HashMap<u64, usize> = all.map(|(nth, node)| (node.id, nth)).collect();
        ids.iter()
            .filter_map(|id| places.get(id).copied())
            .collect()
    }

    /// Lets a page choose the nodes at these positions.
    pub(super) fn show_selection(&mut self, by: &str, positions: &[usize]) {
        let outline = self.editor().outline();
        let nodes = outline.nodes();
        let ids = positions.iter().filter_map(|nth| nodes.get(*nth));
        let ids: Vec<u64> = ids.map(|node| node.id).collect();
        let by = by.to_owned();
        self.selections.shown = (!ids.is_empty()).then_some(Selection { by, ids });
    }

    /// What a page is to choose, because of what it has undone or redone.
    pub(super) fn selection(&self) -> Option<Selection> {
        self.selections.shown.clone()
    }
}
