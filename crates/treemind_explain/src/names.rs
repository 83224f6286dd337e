//! How sentences name the nodes of a behaviour.

use crate::say;
use crate::words::Words;
use std::collections::HashMap;
use treemind_core::{Behaviour, Kind, NodeId};
use treemind_doc::expression_text;

/// The name of each node: its label, in backticks; a test without a name by its expression. Where the label alone is
/// not clear, the kind or the first leaf is added.
pub(crate) fn names(behaviour: &Behaviour) -> Vec<Words> {
    // The kinds of the nodes with each label.
    let mut kinds: HashMap<&str, Vec<&str>> = HashMap::new();
    for id in behaviour.node_ids() {
        let of_label = kinds.entry(behaviour.label(id)).or_default();
        of_label.push(behaviour.node(id).kind.keyword());
    }
    let mut names = vec![Words::Nothing; behaviour.nodes().len()];
    // From the last to the first: children have their names before their parents.
    for id in behaviour.node_ids().collect::<Vec<_>>().into_iter().rev() {
        let same = &kinds[behaviour.label(id)];
        names[id.index()] = name(behaviour, id, same, &names);
    }
    names
}

fn name(behaviour: &Behaviour, id: NodeId, same: &[&str], names: &[Words]) -> Words {
    let (node, label) = (behaviour.node(id), behaviour.label(id));
    let keyword = node.kind.keyword();
    match &node.kind {
        Kind::Check { expr } if node.name.is_none() => {
            Words::code(expression_text(behaviour, expr, &|_| None))
        }
        Kind::Condition { negated: true, .. } if node.name.is_none() => {
            Words::code(format!("not {label}"))
        }
        Kind::Find(_) if node.name.is_none() && node.kind.listed().is_some() => {
            let list = node.kind.listed().map(|list| behaviour.key(list));
            let list = list.map_or(label, |list| &*list.name);
            say!(
                TheKind,
                kind = Words::value(keyword),
                label = Words::code(list)
            )
        }
        // Several `sequence`s without names, for instance.
        _ if node.name.is_none() && node.kind.leaf().is_none() => match same.len() {
            1 => Words::code(label),
            _ => match first_named(behaviour, id) {
                Some(first) => {
                    let inner = names[first.index()].clone();
                    say!(TheOf, label = Words::code(label), inner)
                }
                None => Words::code(label),
            },
        },
        // An action `hunt` and a sequence with this name.
        _ if same.iter().any(|other| *other != keyword) => {
            say!(
                TheKind,
                kind = Words::value(keyword),
                label = Words::code(label)
            )
        }
        _ => Words::code(label),
    }
}

/// The first leaf below a node, or the first node with a name on the way there.
fn first_named(behaviour: &Behaviour, id: NodeId) -> Option<NodeId> {
    let mut at = *behaviour.node(id).children.first()?;
    while behaviour.node(at).name.is_none()
        && let Some(child) = behaviour.node(at).children.first()
    {
        at = *child;
    }
    Some(at)
}
