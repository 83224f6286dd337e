//! Trees with the trees that they hold put in their places.

use super::{Body, Draft, TreeOf};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::syntax::shortened;
use treemind_core::behaviour::{MAX_DEPTH, Node};

/// How many nodes all trees of a document may have, each with those that it holds: a short document could hold a
/// tree twice in one that is held twice, and so on.
const MAX_NODES: usize = 250_000;

/// What is known of a tree with all that it holds.
#[derive(Clone, Copy, Debug)]
enum Known {
    Nothing,
    /// Its own uses up to this one have been looked at.
    Entered(usize),
    Whole {
        depth: usize,
        size: usize,
    },
}

/// The roots of the trees, in their order; `None` where there is a mistake.
pub(super) fn expand(trees: &[TreeOf], sink: &mut Sink) -> Vec<Option<Node>> {
    let order = measure(trees, sink);
    let mut roots: Vec<Option<Node>> = vec![None; trees.len()];
    if sink.has_errors() {
        return roots;
    }
    for number in order {
        let root = trees[number].root.as_ref();
        roots[number] = root.and_then(|root| build(root, &roots));
    }
    roots
}

/// Depth is bounded: it was measured.
fn build(draft: &Draft, roots: &[Option<Node>]) -> Option<Node> {
    let kind = match &draft.body {
        Body::SubTree(number) => return roots[*number].clone(),
        Body::Kind(kind) => kind.clone(),
    };
    let children: Option<Vec<Node>> = draft
        .children
        .iter()
        .map(|child| build(child, roots))
        .collect();
    Some(Node {
        name: draft.name.clone(),
        doc: draft.doc.clone(),
        ..Node::with(kind, children?)
    })
}

/// Finds trees that hold themselves, and those that are too deep or too large with what they hold. Gives the trees
/// in an order in which those that are held come first. Trees may hold one another in a long row, so it does not
/// recurse.
fn measure(trees: &[TreeOf], sink: &mut Sink) -> Vec<usize> {
    let mut known = vec![Known::Nothing; trees.len()];
    let mut order = Vec::with_capacity(trees.len());
    let mut total = 0usize;
    for first in 0..trees.len() {
        let mut path = vec![first];
        while let Some(&number) = path.last() {
            let tree = &trees[number];
            let next = match known[number] {
                Known::Whole { .. } => {
                    path.pop();
                    continue;
                }
                Known::Nothing => 0,
                Known::Entered(next) => next,
            };
            if let Some((held, _, span)) = tree.uses.get(next) {
                known[number] = Known::Entered(next + 1);
                match known[*held] {
                    Known::Nothing => path.push(*held),
                    Known::Entered(_) => {
                        let name = shortened(&trees[*held].name);
                        let message = if *held == number {
                            format!("tree `{name}` holds itself")
                        } else {
                            format!("tree `{name}` holds itself through other trees")
                        };
                        sink.error(Code::Cycle, span.clone(), message);
                    }
                    Known::Whole { .. } => {}
                }
                continue;
            }
            let (mut depth, mut size) = (tree.depth, tree.size);
            for (held, at, span) in &tree.uses {
                let Known::Whole {
                    depth: inner,
                    size: more,
                } = known[*held]
                else {
                    continue;
                };
                if depth <= MAX_DEPTH && at + inner > MAX_DEPTH {
                    let message =
                        format!("with this subtree, nodes are nested deeper than {MAX_DEPTH}");
                    sink.error(Code::TooDeep, span.clone(), message);
                }
                depth = depth.max(at + inner);
                size = size.saturating_add(more);
            }
            if total <= MAX_NODES && total.saturating_add(size) > MAX_NODES {
                let message = format!(
                    "with all subtrees in their places the document has more than {MAX_NODES} nodes"
                );
                sink.error(Code::TooLarge, tree.span.clone(), message);
            }
            total = total.saturating_add(size);
            // What is too deep is reported once, and not again for all that hold it.
            known[number] = Known::Whole {
                depth: depth.min(MAX_DEPTH),
                size,
            };
            order.push(number);
            path.pop();
        }
    }
    order
}
