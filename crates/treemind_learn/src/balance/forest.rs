//! Decision trees during the search for a better one; equal trees are stored once.

use super::diagram::End;
use std::collections::HashMap;
use treemind_core::behaviour::Way;

/// A decision tree, by its number.
pub(super) type TreeId = usize;

/// A decision tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Tree {
    /// A task, by its position among the children.
    Leaf(usize),
    Nothing,
    /// A question, and where its answers lead; `None`: it cannot have that answer.
    Ask(usize, Vec<Option<TreeId>>),
    /// A `random`, by the position of its test, and where its options lead.
    Random(usize, Vec<TreeId>),
}

/// Many decision trees.
#[derive(Default)]
pub(super) struct Forest {
    trees: Vec<Tree>,
    known: HashMap<Tree, TreeId>,
}

impl Forest {
    pub(super) fn add(&mut self, tree: Tree) -> TreeId {
        if let Some(known) = self.known.get(&tree) {
            return *known;
        }
        self.trees.push(tree.clone());
        self.known.insert(tree, self.trees.len() - 1);
        self.trees.len() - 1
    }

    pub(super) fn get(&self, tree: TreeId) -> &Tree {
        &self.trees[tree]
    }

    /// The tree for an end; `randoms` holds the trees after each `random`, by the position of its test.
    pub(super) fn end(&mut self, end: End, randoms: &HashMap<usize, TreeId>) -> TreeId {
        match end {
            End::Leaf(leaf) => self.add(Tree::Leaf(leaf)),
            End::Nothing => self.add(Tree::Nothing),
            End::Random(step) => randoms[&step],
        }
    }

    /// The tree that a way of the original decision tree leads to; `parts` holds the trees of its tests.
    pub(super) fn known(&self, parts: &[TreeId], way: Way) -> Option<TreeId> {
        match way {
            Way::Step(step) => Some(parts[step]),
            Way::Leaf(leaf) => self.known.get(&Tree::Leaf(leaf)).copied(),
            Way::None => None,
        }
    }

    /// The trees that a tree leads to directly.
    pub(super) fn below(&self, tree: TreeId) -> Vec<TreeId> {
        match &self.trees[tree] {
            Tree::Leaf(_) | Tree::Nothing => Vec::new(),
            Tree::Ask(_, ways) => ways.iter().flatten().copied().collect(),
            Tree::Random(_, ways) => ways.clone(),
        }
    }

    /// How many ways lead to each tree below one, including itself; each tree comes before those that it leads to.
    pub(super) fn uses(&self, root: TreeId) -> Vec<(TreeId, usize)> {
        let mut uses: HashMap<TreeId, usize> = HashMap::from([(root, 1)]);
        let mut order = Vec::new();
        let mut pending = vec![(root, false)];
        while let Some((tree, is_done)) = pending.pop() {
            if is_done {
                order.push(tree);
                continue;
            }
            pending.push((tree, true));
            for below in self.below(tree).into_iter().rev() {
                let count = uses.entry(below).or_default();
                *count += 1;
                if *count == 1 {
                    pending.push((below, false));
                }
            }
        }
        order.reverse();
        order.into_iter().map(|tree| (tree, uses[&tree])).collect()
    }

    /// How many tests a tree has when it is written, with each shared part counted once.
    pub(super) fn tests(&self, root: TreeId) -> usize {
        let is_test = |tree: &TreeId| matches!(self.trees[*tree], Tree::Ask(..) | Tree::Random(..));
        let all = self.uses(root).into_iter().map(|(tree, _)| tree);
        all.filter(is_test).count()
    }
}
