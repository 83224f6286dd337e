//! How many children nodes have, and which ones.

use super::tree::{is_child, present};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::language::{Children, Spot, Word};
use crate::syntax::Node;
use crate::{Said, said};

/// The children of a node that are not disabled.
pub(super) fn present_children<'n>(node: &'n Node, word: &Word) -> Vec<&'n Node> {
    let mut nodes = present(node.children());
    nodes.retain(|child| is_child(word, child));
    nodes
}

pub(super) fn count_children(node: &Node, word: &Word, nodes: &[&Node], sink: &mut Sink) {
    let (name, children) = (word.name, word.children());
    let shape = word.task.as_ref().and_then(|task| task.shape);
    let shape = shape.map(Said::plain);
    let span = node.span.clone();
    match (children, nodes.len()) {
        (_, 0) => {
            let disabled = node.children().iter().any(|child| is_child(word, child));
            let message = match (children, disabled) {
                (_, true) => said!("all children of this `{}` are disabled", name),
                (Children::One, _) => said!("`{}` needs a child", name),
                (Children::Two, _) => said!("`{}` needs two children", name),
                (Children::TwoOrThree | Children::TwoOrMore, _) => {
                    said!("`{}` needs at least two children", name)
                }
                _ => said!("`{}` needs at least one child", name),
            };
            let help = if disabled {
                said!("disable the `{}` itself", name)
            } else if let Some(shape) = shape {
                shape
            } else {
                said!("add a child to its block: `{} { … }`", name)
            };
            sink.error(Code::MissingChildren, span, message)
                .with_help(help);
        }
        (Children::Two, 1) => {
            let message = said!("`{}` needs two children, and this one has one", name);
            sink.error(Code::MissingChildren, span, message)
                .with_perhaps(shape);
        }
        (Children::Two, 3..) => {
            let message = said!("`{}` takes two children, and this is the third", name);
            sink.error(Code::ExtraChildren, nodes[2].span.clone(), message)
                .with_perhaps(shape);
        }
        (Children::TwoOrThree | Children::TwoOrMore, 1) => {
            let message = said!(
                "`{}` needs at least two children, and this one has one",
                name
            );
            sink.error(Code::MissingChildren, span, message)
                .with_perhaps(shape);
        }
        (Children::TwoOrThree, 4..) => {
            let message = said!(
                "`{}` takes at most three children, and this is the fourth",
                name
            );
            sink.error(Code::ExtraChildren, nodes[3].span.clone(), message)
                .with_perhaps(shape);
        }
        (Children::One, 2..) => {
            let message = said!("`{}` takes only one child, and this is a second one", name);
            sink.error(Code::ExtraChildren, nodes[1].span.clone(), message)
                .with_help(said!(
                    "wrap the children in a composite, such as `sequence { … }`"
                ));
        }
        _ => {}
    }
}

pub(super) fn no_children(node: &Node, word: &Word, sink: &mut Sink) {
    let name = word.name;
    let is_leaf = word.holds().contains(&Spot::Given);
    let mut inside = node.children().iter();
    let extra = inside.find(|child| is_child(word, child));
    if let Some(extra) = extra {
        let message = said!("`{}` takes no children", name);
        let diagnostic = sink.error(Code::ExtraChildren, extra.span.clone(), message);
        if is_leaf {
            diagnostic.with_help(said!("only `param NAME VALUE` is allowed in its block"));
        } else {
            diagnostic.with_help(said!(
                "move this node out of its block, to the line after it"
            ));
        }
    }
}
