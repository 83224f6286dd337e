//! Names of trees and leaves that documents of ours cannot have, such as `Pick & Place`, on the way to them and back.

use crate::formats::btcpp::{Restored, is_plain, plainer};
use crate::syntax::{Entry, Node, Value};
use std::collections::{HashMap, HashSet};

/// What names name: a tree, or a leaf.
fn is_tree(node: &Node) -> Option<bool> {
    match node.name.value.as_str() {
        "tree" | "subtree" => Some(true),
        "action" | "condition" | "node" | "composite" | "decorator" => Some(false),
        _ => None,
    }
}

fn each_name(nodes: &mut [Node], each: &mut dyn FnMut(bool, &mut String)) {
    let mut pending: Vec<&mut Node> = nodes.iter_mut().collect();
    while let Some(node) = pending.pop() {
        let wanted = |entry: &&mut Entry| match node.name.value.as_str() {
            "main" => entry.name.as_ref().is_some_and(|name| name.value == "tree"),
            _ => entry.name.is_none(),
        };
        let kind = match node.name.value.as_str() {
            "main" => Some(true),
            _ => is_tree(node),
        };
        if let Some(kind) = kind
            && let Some(entry) = node.entries.iter_mut().find(wanted)
            && let Value::Text(text) = &mut entry.value
        {
            each(kind, &mut text.value);
        }
        pending.extend(node.children.iter_mut().flatten());
    }
}

/// Gives trees and leaves names that documents of ours can have.
pub(super) fn plain(nodes: &mut [Node]) {
    let mut taken: HashSet<(bool, String)> = HashSet::new();
    let mut odd: Vec<(bool, String)> = Vec::new();
    each_name(nodes, &mut |kind, name| {
        if is_plain(name) {
            taken.insert((kind, name.clone()));
        } else if !odd.contains(&(kind, name.clone())) {
            odd.push((kind, name.clone()));
        }
    });
    odd.sort();
    let mut known: HashMap<(bool, String), String> = HashMap::new();
    for (kind, name) in odd {
        let better = plainer(&name);
        let mut free = better.clone();
        let mut count = 1;
        while !taken.insert((kind, free.clone())) {
            count += 1;
            free = format!("{better}-{count}");
        }
        known.insert((kind, name), free);
    }
    each_name(nodes, &mut |kind, name| {
        if let Some(plain) = known.get(&(kind, name.clone())) {
            name.clone_from(plain);
        }
    });
}

/// Gives nodes beside each other different names. Returns whether some had the same.
pub(super) fn tell_siblings_apart(nodes: &mut [Node]) -> bool {
    let mut is_changed = false;
    let mut pending: Vec<&mut Node> = nodes.iter_mut().collect();
    while let Some(node) = pending.pop() {
        let children = node.children.as_deref_mut().unwrap_or_default();
        let named = children
            .iter()
            .filter_map(|child| child.property_text("name"));
        let mut taken: HashSet<String> = named.map(|name| name.value.clone()).collect();
        // How often each name was seen, or the number that it had last.
        let mut counts: HashMap<String, usize> = HashMap::new();
        let names = children.iter_mut().filter_map(|child| {
            let is_name =
                |entry: &&mut Entry| entry.name.as_ref().is_some_and(|name| name.value == "name");
            child.entries.iter_mut().find(is_name)
        });
        for entry in names {
            let Value::Text(text) = &mut entry.value else {
                continue;
            };
            let count = counts.entry(text.value.clone()).or_default();
            *count += 1;
            if *count == 1 {
                continue;
            }
            while !taken.insert(format!("{} {count}", text.value)) {
                *count += 1;
            }
            text.value = format!("{} {count}", text.value);
            is_changed = true;
        }
        pending.extend(node.children.iter_mut().flatten());
    }
    is_changed
}

/// Gives trees and leaves the names back that they had in the XML.
pub(super) fn restore(nodes: &mut [Node], known: &Restored) {
    each_name(nodes, &mut |kind, name| {
        if let Some(odd) = known.get(&(kind, name.clone())) {
            name.clone_from(odd);
        }
    });
}
