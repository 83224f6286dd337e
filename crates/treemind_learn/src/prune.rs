//! Pruning a tree.

use crate::grow::{LearnedTree, leaf};

/// Minimal cost-complexity pruning: a test stays if, as a share of all rows, it saves more wrong rows than `alpha`
/// for each leaf that it adds.
pub(crate) fn prune(node: LearnedTree, rows: usize, alpha: f64) -> LearnedTree {
    pruned(node, rows as f64, alpha).0
}

/// The tree, how many rows it gets wrong, and how many leaves it has.
fn pruned(node: LearnedTree, rows: f64, alpha: f64) -> (LearnedTree, u32, usize) {
    let LearnedTree::Split {
        test,
        missing_is_yes,
        yes,
        no,
        counts,
    } = node
    else {
        let wrong = wrong(node.counts());
        return (node, wrong, 1);
    };
    let (yes, yes_wrong, yes_leaves) = pruned(*yes, rows, alpha);
    let (no, no_wrong, no_leaves) = pruned(*no, rows, alpha);
    let (below, leaves) = (yes_wrong + no_wrong, yes_leaves + no_leaves);
    let alone = wrong(&counts);
    let saved = f64::from(alone - below.min(alone)) / rows;
    if saved <= alpha * (leaves - 1) as f64 {
        return (leaf(counts), alone, 1);
    }
    let node = LearnedTree::Split {
        test,
        missing_is_yes,
        yes: Box::new(yes),
        no: Box::new(no),
        counts,
    };
    (node, below, leaves)
}

/// How many rows would be wrong if this place were a leaf.
fn wrong(counts: &[u32]) -> u32 {
    counts.iter().sum::<u32>() - counts.iter().copied().max().unwrap_or(0)
}
