//! What pages have chosen: it comes back with what is undone and done again.

use super::Editing;
use std::collections::HashSet;
use treemind_replay::view::protocol::{Edit, Selection};

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

    /// The ids of all nodes before an edit that adds some; none before another one.
    pub(super) fn known_before(&self, edit: &Edit) -> Option<HashSet<u64>> {
        let adds = matches!(
            edit,
            Edit::Add { .. }
                | Edit::AddState { .. }
                | Edit::AddTransition { .. }
                | Edit::Duplicate { .. }
                | Edit::Extract { .. }
        );
        let outline = adds.then(|| self.editor().outline())?;
        Some(outline.nodes().iter().map(|node| node.id).collect())
    }

    /// The positions of the nodes with which a page goes on after its edit: what came first of all that is not `known`, otherwise
    /// what it had chosen, as far as that is still there.
    pub(super) fn left_chosen(&self, by: Author<'_>, known: Option<&HashSet<u64>>) -> Vec<usize> {
        let Some(known) = known else {
            return self.chosen_by(by);
        };
        let outline = self.editor().outline();
        // What a node needs may come with it, and is not what was meant.
        let comes_along = ["initial", "blackboard", "leaves", "main", "import"];
        let added = outline.nodes().iter().position(|node| {
            !known.contains(&node.id) && !comes_along.contains(&node.word.as_str())
        });
        added.into_iter().collect()
    }

    /// Where an edit puts a tree: the node in which the `subtree` is, and which of the nodes in there.
    pub(super) fn home_of_inlined(&self, edit: &Edit) -> Option<(u64, usize)> {
        let Edit::Inline { id } = edit else {
            return None;
        };
        let outline = self.editor().outline();
        let parent = outline.node(outline.node(*id)?.parent?)?;
        let nth = parent.children.iter().position(|child| child == id)?;
        Some((parent.id, nth))
    }

    /// The positions of what a page goes on with when a tree stands there: what it had chosen, and the root of the tree. That may
    /// have been moved there, and is not new then.
    pub(super) fn left_inlined(&self, by: Author<'_>, (home, nth): (u64, usize)) -> Vec<usize> {
        let outline = self.editor().outline();
        let home = outline.node(home).and_then(|home| home.children.get(nth));
        let put = home.and_then(|id| outline.node(*id));
        let mut root = put;
        // Keys of a `scope` stand before the root.
        if let Some(scope) = root.filter(|node| node.word == "scope") {
            let mut inside = scope.children.iter().filter_map(|id| outline.node(*id));
            root = inside.next_back().or(root);
        }
        let at = |id: u64| outline.nodes().iter().position(|node| node.id == id);
        let [put, root] = [put, root].map(|node| node.and_then(|node| at(node.id)));
        let mut chosen = self.chosen_by(by);
        chosen.retain(|one| ![put, root].contains(&Some(*one)));
        chosen.extend(root);
        chosen
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
