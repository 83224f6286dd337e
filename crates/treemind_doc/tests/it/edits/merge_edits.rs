//! Edits of one of two sides, and what must be seen of them when both are merged.

use super::sequences::Random;
use treemind_doc::edit::{Editor, NewValue, NodeView, Spot};

/// Something that was done, by what it leaves in the text.
#[derive(Debug)]
pub(super) enum Done {
    /// There is a node with this name.
    Added(String),
    /// And no node with this one.
    Removed(String),
    /// A node has this property.
    Written(String, String),
    /// A node is in another one.
    Within(String, String),
}

impl Done {
    pub(super) fn is_in(&self, text: &str) -> bool {
        let editor = super::editor(text);
        let all = all(&editor);
        let find = |name: &str| all.iter().find(|node| self::name(&editor, node) == name);
        match self {
            Self::Added(name) => find(name).is_some(),
            Self::Removed(name) => find(name).is_none(),
            Self::Written(name, value) => find(name).is_none_or(|node| {
                editor.text(0)[node.line.clone()].contains(&format!("size={value}"))
            }),
            Self::Within(name, outer) => match (find(name), find(outer)) {
                (Some(inner), Some(outer)) => {
                    outer.span.start < inner.span.start && inner.span.end <= outer.span.end
                }
                _ => true,
            },
        }
    }
}

pub(super) fn names(text: &str) -> Vec<String> {
    let editor = super::editor(text);
    let names = all(&editor).into_iter().map(|node| name(&editor, &node));
    names.filter(|name| !name.is_empty()).collect()
}

fn all(editor: &Editor) -> Vec<NodeView> {
    let mut pending = editor.top(0);
    let mut found = Vec::new();
    while let Some(at) = pending.pop() {
        let node = editor.node(at).expect("a node");
        pending.extend(&node.children);
        found.push(node);
    }
    found
}

/// The name of a node.
fn name(editor: &Editor, node: &NodeView) -> String {
    let mut entries = node.entries.iter();
    let found = entries.find(|entry| entry.name.as_deref() == Some("name"));
    found.map_or(String::new(), |entry| {
        editor.text(0)[entry.value.clone()].to_owned()
    })
}

/// Does so many edits, each to a node that none of those before was about.
pub(super) fn some(editor: &mut Editor, random: &mut Random, who: &str, count: usize) -> Vec<Done> {
    let mut done: Vec<Done> = Vec::new();
    for nth in 0..count {
        let nodes = all(editor);
        if nodes.is_empty() {
            break;
        }
        let node = &nodes[random.below(nodes.len())];
        let own = name(editor, node);
        let fresh = format!("{who}{nth}_");
        if own.is_empty() || done.iter().any(|done| format!("{done:?}").contains(&own)) {
            continue;
        }
        let (change, effect) = match random.below(5) {
            0 => (
                editor.insert(
                    Spot::After(node.at),
                    &format!("wait 1 name={fresh} // by {who}{nth}"),
                ),
                Done::Added(fresh),
            ),
            1 => (editor.remove(node.at), Done::Removed(own)),
            2 => {
                let value = 1 + random.below(90);
                (
                    editor.set(node.at, "size", NewValue::Number(value.to_string())),
                    Done::Written(own, value.to_string()),
                )
            }
            3 => (
                editor.wrap(node.at, &format!("sequence name={fresh}")),
                Done::Within(own, fresh),
            ),
            _ => {
                let outer = &nodes[random.below(nodes.len())];
                let word = &editor.text(0)[outer.line.clone()];
                let (into, is_block) = (name(editor, outer), word.starts_with('s'));
                let move_to = Spot::Into(outer.at, random.below(3));
                if !is_block || into.is_empty() {
                    continue;
                }
                (editor.move_node(node.at, move_to), Done::Within(own, into))
            }
        };
        let Ok(change) = change else { continue };
        if editor.apply(&change).is_ok() && !change.is_empty() {
            done.push(effect);
        }
    }
    // What was done first may have gone with what was removed later.
    done.retain(|one| one.is_in(editor.text(0)));
    done
}
