//! How many children nodes have, and which ones.

use super::tree::{is_child, present};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::language::{Children, Spot, Word};
use crate::syntax::Node;

/// The children of a node that are not disabled.
pub(super) fn present_children<'n>(node: &'n Node, word: &Word) -> Vec<&'n Node> {
    let mut nodes = present(node.children());
    nodes.retain(|child| is_child(word, child));
    nodes
}

pub(super) fn count_children(node: &Node, word: &Word, nodes: &[&Node], sink: &mut Sink) {
    let (name, children) = (word.name, word.children());
    let shape = word.task.as_ref().and_then(|task| task.shape);
    let span = node.span.clone();
    match (children, nodes.len()) {
        (_, 0) => {
            let disabled = node.children().iter().any(|child| is_child(word, child));
            let message = match (children, disabled) {
                (_, true) => format!("all children of this `{name}` are disabled"),
                (Children::One, _) => format!("`{name}` needs a child"),
                (Children::Two, _) => format!("`{name}` needs two children"),
                (Children::TwoOrThree | Children::TwoOrMore, _) => {
                    format!("`{name}` needs at least two children")
                }
                _ => format!("`{name}` needs at least one child"),
            };
            let help = if disabled {
                format!("disable the `{name}` itself")
            } else if let Some(shape) = shape {
                shape.to_owned()
            } else {
                format!("add a child to its block: `{name} {{ … }}`")
            };
            sink.error(Code::MissingChildren, span, message)
                .with_help(help);
        }
        (Children::Two, 1) => {
            let message = format!("`{name}` needs two children, and this one has one");
            sink.error(Code::MissingChildren, span, message).help = shape.map(str::to_owned);
        }
        (Children::Two, 3..) => {
            let message = format!("`{name}` takes two children, and this is the third");
            sink.error(Code::ExtraChildren, nodes[2].span.clone(), message)
                .help = shape.map(str::to_owned);
        }
        (Children::TwoOrThree | Children::TwoOrMore, 1) => {
            let message = format!("`{name}` needs at least two children, and this one has one");
            sink.error(Code::MissingChildren, span, message).help = shape.map(str::to_owned);
        }
        (Children::TwoOrThree, 4..) => {
            let message = format!("`{name}` takes at most three children, and this is the fourth");
            sink.error(Code::ExtraChildren, nodes[3].span.clone(), message)
                .help = shape.map(str::to_owned);
        }
        (Children::One, 2..) => {
            let message = format!("`{name}` takes only one child, and this is a second one");
            sink.error(Code::ExtraChildren, nodes[1].span.clone(), message)
                .with_help("wrap the children in a composite, such as `sequence { … }`");
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
        let message = format!("`{name}` takes no children");
        let diagnostic = sink.error(Code::ExtraChildren, extra.span.clone(), message);
        if is_leaf {
            diagnostic.with_help("only `param NAME VALUE` is allowed in its block");
        } else {
            diagnostic.with_help("move this node out of its block, to the line after it");
        }
    }
}
