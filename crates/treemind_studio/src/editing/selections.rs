//! What pages have chosen: it comes back with what is undone and done again.

use super::Editing;
use treemind_replay::view::protocol::Selection;

/// Who edits.
#[derive(Clone, Copy, Debug)]
pub struct Author<'a> {
    /// What the page is called.
    pub name: &'a str,
    /// The ids of the nodes that it has chosen, the one that was chosen last at the end.
    pub chosen: &'a [u64],
}

impl Editing {
    /// The positions of the nodes that somebody has chosen. A node that is taken back and comes again has another id, and
    /// the same position.
    pub(super) fn chosen_by(&self, by: Author<'_>) -> Vec<usize> {
        if by.chosen.is_empty() {
            return Vec::new();
        }
        let outline = self.editor().outline();
        let place = |id: &u64| outline.nodes().iter().position(|node| node.id == *id);
        by.chosen.iter().filter_map(place).collect()
    }

    /// Lets a page choose the nodes at these positions.
    pub(super) fn show_selection(&mut self, by: Author<'_>, positions: &[usize]) {
        let outline = self.editor().outline();
        let nodes = positions.iter().filter_map(|nth| outline.nodes().get(*nth));
        let ids: Vec<u64> = nodes.map(|node| node.id).collect();
        let by = by.name.to_owned();
        self.selection = (!ids.is_empty()).then_some(Selection { by, ids });
    }
}
