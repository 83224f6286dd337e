//! Growing a tree.

use crate::examples::Examples;
use crate::prune::prune;
use crate::split::{Split, Test, best_split};

/// The largest depth of a tree, whatever the options say.
const MAX_DEPTH: usize = 64;

/// The measure of how mixed the classes are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Criterion {
    /// The entropy of the classes, in bits.
    #[default]
    Entropy,
    /// How likely it is that two rows are of different classes.
    Gini,
}

impl Criterion {
    pub(crate) fn impurity(self, counts: &[u32]) -> f64 {
        let total: f64 = counts.iter().map(|count| f64::from(*count)).sum();
        let shares = counts.iter().filter(|count| **count > 0);
        let shares = shares.map(|count| f64::from(*count) / total);
        match self {
            Criterion::Entropy => shares.map(|share| -share * share.log2()).sum(),
            Criterion::Gini => 1.0 - shares.map(|share| share * share).sum::<f64>(),
        }
    }
}

/// How a tree is grown and pruned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The most tests between the root and a leaf; values above 64 count as 64.
    pub depth: usize,
    /// The fewest rows of a leaf.
    pub min_leaf: usize,
    /// The measure of how mixed the classes are.
    pub criterion: Criterion,
    /// A test stays if, for each leaf that it adds, it saves more wrong rows than this share of all rows. 0 removes
    /// only tests that save none; [`find_ccp_alpha`](crate::find_ccp_alpha) finds a good value.
    pub ccp_alpha: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            depth: 8,
            min_leaf: 2,
            criterion: Criterion::default(),
            ccp_alpha: 0.0,
        }
    }
}

/// A decision tree.
#[derive(Clone, Debug, PartialEq)]
pub enum LearnedTree {
    /// The end of a path, with the predicted class.
    Leaf {
        /// The class, by its position.
        class: usize,
        /// How many rows of each class came here.
        counts: Vec<u32>,
    },
    /// A test with its two sides.
    Split {
        /// The question.
        test: Test,
        /// Where missing values go.
        missing_is_yes: bool,
        /// The side when it holds.
        yes: Box<LearnedTree>,
        /// The side when it does not.
        no: Box<LearnedTree>,
        /// How many rows of each class came here.
        counts: Vec<u32>,
    },
}

impl LearnedTree {
    /// The class predicted for a row.
    pub fn classify(&self, examples: &Examples, row: usize) -> usize {
        let mut node = self;
        loop {
            match node {
                LearnedTree::Leaf { class, .. } => return *class,
                LearnedTree::Split {
                    test,
                    missing_is_yes,
                    yes,
                    no,
                    ..
                } => {
                    let holds = test.ask(examples, row).unwrap_or(*missing_is_yes);
                    node = if holds { yes } else { no };
                }
            }
        }
    }

    /// How many leaves there are.
    pub fn leaves(&self) -> usize {
        match self {
            LearnedTree::Leaf { .. } => 1,
            LearnedTree::Split { yes, no, .. } => yes.leaves() + no.leaves(),
        }
    }

    /// How many tests there are between the root and the deepest leaf.
    pub fn depth(&self) -> usize {
        match self {
            LearnedTree::Leaf { .. } => 0,
            LearnedTree::Split { yes, no, .. } => 1 + yes.depth().max(no.depth()),
        }
    }

    pub(crate) fn counts(&self) -> &[u32] {
        match self {
            LearnedTree::Leaf { counts, .. } | LearnedTree::Split { counts, .. } => counts,
        }
    }
}

/// Grows a tree over some rows, and prunes it.
///
/// # Panics
/// When there are no rows.
pub fn learn(examples: &Examples, rows: &[usize], options: &Options) -> LearnedTree {
    assert!(!rows.is_empty(), "a tree is learned from rows");
    prune(
        grown(examples, rows, options),
        rows.len(),
        options.ccp_alpha,
    )
}

/// A tree that is not pruned.
pub(crate) fn grown(examples: &Examples, rows: &[usize], options: &Options) -> LearnedTree {
    let mut rows = rows.to_vec();
    let depth = options.depth.min(MAX_DEPTH);
    grow(examples, &mut rows, options, depth)
}

fn grow(examples: &Examples, rows: &mut [usize], options: &Options, depth: usize) -> LearnedTree {
    let mut counts = vec![0; examples.classes.len()];
    rows.iter()
        .for_each(|row| counts[examples.class_of[*row]] += 1);
    let is_pure = counts.iter().filter(|count| **count > 0).count() == 1;
    let found = (depth > 0 && !is_pure)
        .then(|| {
            best_split(
                examples,
                rows,
                &counts,
                (options.criterion, options.min_leaf),
            )
        })
        .flatten();
    let Some(split) = found else {
        return leaf(counts);
    };
    let Split {
        test,
        missing_is_yes,
        ..
    } = split;
    rows.sort_by_key(|row| !test.ask(examples, *row).unwrap_or(missing_is_yes));
    let middle = rows.partition_point(|row| test.ask(examples, *row).unwrap_or(missing_is_yes));
    let (yes, no) = rows.split_at_mut(middle);
    LearnedTree::Split {
        yes: Box::new(grow(examples, yes, options, depth - 1)),
        no: Box::new(grow(examples, no, options, depth - 1)),
        test,
        missing_is_yes,
        counts,
    }
}

/// A leaf for the most frequent class; if several are equally frequent, the first.
pub(crate) fn leaf(counts: Vec<u32>) -> LearnedTree {
    let most = counts.iter().copied().max().unwrap_or(0);
    let class = counts.iter().position(|count| *count == most).unwrap_or(0);
    LearnedTree::Leaf { class, counts }
}
