//! Which nodes monitors see, and their numbers: all nodes of a document, or the elements of the file of BehaviorTree.CPP
//! that it is, as that library numbers them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use treemind_core::{Behaviour, KeyId, NodeId};
use treemind_doc::btcpp_tag;

/// What monitors see of a tree.
#[derive(Debug)]
pub(crate) struct Layout {
    /// The nodes whose statuses are shown, by their numbers from 0 on.
    nodes: Vec<NodeId>,
    /// The numbers of each node.
    numbers: Vec<Range<usize>>,
    /// The blackboards, in the order of the trees.
    pub(crate) blackboards: Vec<Blackboard>,
    /// The elements of the file, by their numbers.
    pub(crate) elements: Option<Vec<Element>>,
    /// When the parent of each node resets it, while it runs on itself.
    resets: Vec<Resets>,
}

/// When a parent resets a child, while it runs on itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resets {
    /// Not before it has ended.
    AtEnd,
    /// When the child has ended, as a decorator does.
    Ended,
    /// When it stands at another child, as a reactive list does.
    Other,
}

/// An element of a file of BehaviorTree.CPP.
#[derive(Debug)]
pub(crate) struct Element {
    /// What the node is: the name of the element, or the `ID` of an `<Action ID="…">`.
    pub(crate) name: String,
    /// The attributes, as they are spelled.
    pub(crate) attributes: Vec<(String, String)>,
    /// The element around it; of the root of a tree, its call.
    pub(crate) parent: Option<usize>,
    pub(crate) node: NodeId,
    pub(crate) call: Option<Call>,
}

/// The call of a tree.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) tree: String,
    /// How keys of this place begin.
    prefix: String,
    /// Its ports, and the keys that are given to them.
    ports: Vec<(String, KeyId)>,
}

impl Element {
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

impl Layout {
    pub(crate) fn of(behaviour: &Behaviour) -> Self {
        match elements(behaviour) {
            Some(elements) => {
                let mut numbers = vec![0..0; behaviour.nodes().len()];
                for (nth, element) in elements.iter().enumerate() {
                    let of_node = &mut numbers[element.node.index()];
                    match of_node.end {
                        0 => *of_node = nth..nth + 1,
                        _ => of_node.end = nth + 1,
                    }
                }
                Self {
                    resets: resets(behaviour, &elements),
                    nodes: elements.iter().map(|element| element.node).collect(),
                    numbers,
                    blackboards: blackboards(behaviour, Some(&elements)),
                    elements: Some(elements),
                }
            }
            None => Self {
                resets: (behaviour.node_ids())
                    .map(|node| match behaviour.node(node).parent {
                        Some(parent) => crate::xml::resets(behaviour, parent),
                        None => Resets::AtEnd,
                    })
                    .collect(),
                nodes: behaviour.node_ids().collect(),
                numbers: (0..behaviour.nodes().len())
                    .map(|nth| nth..nth + 1)
                    .collect(),
                blackboards: blackboards(behaviour, None),
                elements: None,
            },
        }
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes that are shown, in the order of their numbers.
    pub(crate) fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// When the parent of a node resets it.
    pub(crate) fn resets(&self, node: NodeId) -> Resets {
        self.resets[node.index()]
    }

    /// The uids of a node, if those of its tree begin after `before`. A node that is only a part of an element has none.
    pub(crate) fn uids(&self, before: u16, node: NodeId) -> impl Iterator<Item = u16> {
        let numbers = self.numbers.get(node.index()).cloned().unwrap_or(0..0);
        numbers.filter_map(move |nth| before.checked_add(u16::try_from(nth + 1).ok()?))
    }
}

/// A blackboard that monitors see: the names on it, and their keys.
pub(crate) type Blackboard = Vec<(String, KeyId)>;

/// The key of the part of a name behind a prefix. What parts of an element remember is nobody's key.
fn own<'a>(name: &'a str, prefix: &str) -> Option<&'a str> {
    let own = name.strip_prefix(prefix)?.strip_prefix('.')?;
    (!own.contains('.')).then_some(own)
}

/// The blackboards, in the order of the trees: that of the whole document; or, of a file, that of its main tree, with the
/// keys of all trees, and then those of the calls. A port of a call stands on the blackboard of its tree, as there,
/// whatever is given to it; the key that holds a literal stands on no other.
fn blackboards(behaviour: &Behaviour, elements: Option<&[Element]>) -> Vec<Blackboard> {
    let keys = || behaviour.keys().iter().enumerate();
    let keys = || keys().map(|(nth, key)| (&*key.name, KeyId::new(nth)));
    let Some(elements) = elements else {
        return vec![keys().map(|(name, id)| (name.to_owned(), id)).collect()];
    };
    let calls = || {
        elements
            .iter()
            .filter_map(|element| Some((element, element.call.as_ref()?)))
    };
    let literals: HashSet<KeyId> = calls()
        .flat_map(|(element, call)| {
            let given = call.ports.iter();
            given.filter(|(port, id)| {
                let name = &*behaviour.keys()[id.index()].name;
                let is_key = element.value(port).is_some_and(|value| value.contains('{'));
                let own = name.rsplit('.').next().unwrap_or(name);
                !is_key && treemind_doc::is_btcpp_literal(own, &call.tree, port)
            })
        })
        .map(|(_, id)| *id)
        .collect();
    let of = |prefix: &str, is_main: bool| -> Blackboard {
        let own = keys()
            .filter(|(_, id)| !literals.contains(id))
            .filter_map(|(name, id)| {
                let is_global = is_main && !name.contains('.');
                let own = if is_global { name } else { own(name, prefix)? };
                Some((own.to_owned(), id))
            });
        own.collect()
    };
    let called = calls().map(|(_, call)| {
        let mut board = of(&call.prefix, false);
        board.extend(call.ports.iter().cloned());
        board
    });
    let main = of(behaviour.name(), true);
    std::iter::once(main).chain(called).collect()
}

impl Layout {
    /// The calls of trees by their numbers, with the path and the name of each, as BehaviorTree.CPP has them.
    pub(crate) fn paths(&self, main: &str, before: u16) -> Vec<(usize, String, String)> {
        let elements = self.elements.as_deref().unwrap_or_default();
        let mut paths: Vec<(usize, String, String)> = Vec::new();
        for (nth, element) in elements.iter().enumerate() {
            let Some(call) = &element.call else {
                continue;
            };
            let mut above = element.parent;
            let around = loop {
                let Some(parent) = above else {
                    break None;
                };
                if elements[parent].call.is_some() {
                    break paths.iter().find(|(nth, ..)| *nth == parent);
                }
                above = elements[parent].parent;
            };
            let around = around.map_or(main, |(_, path, _)| path);
            let name = element.value("name").filter(|name| !name.trim().is_empty());
            let name = match name {
                Some(name) => name.to_owned(),
                None => format!("{}::{}", call.tree, usize::from(before) + nth + 1),
            };
            let path = match around.is_empty() {
                true => name,
                false => format!("{around}/{name}"),
            };
            paths.push((nth, path, call.tree.clone()));
        }
        paths
    }
}

/// When the nodes of a file are reset by those around them.
fn resets(behaviour: &Behaviour, elements: &[Element]) -> Vec<Resets> {
    let mut children = vec![0; elements.len()];
    for parent in elements.iter().filter_map(|element| element.parent) {
        children[parent] += 1;
    }
    let mut resets = vec![Resets::AtEnd; behaviour.nodes().len()];
    for element in elements {
        let Some(parent) = element.parent else {
            continue;
        };
        let above = &elements[parent];
        // A call and the root of its tree are one node.
        if above.node != element.node {
            resets[element.node.index()] = match above.call {
                Some(_) => Resets::Ended,
                None => crate::xml::resets_of(&above.name, children[parent]),
            };
        }
    }
    resets
}

/// The elements of a file; `None` if the document is no such file.
fn elements(behaviour: &Behaviour) -> Option<Vec<Element>> {
    let written = |node: NodeId| behaviour.node(node).written.elements();
    if written(behaviour.root()).is_empty() {
        return None;
    }
    let mut elements: Vec<Element> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let main = behaviour.name().to_owned();
    places.insert(main, 1);
    // Nodes with the number of the element around them, and where it begins.
    let mut pending = vec![(behaviour.root(), None::<(usize, usize)>)];
    while let Some((id, around)) = pending.pop() {
        let node = behaviour.node(id);
        let mut around = around;
        let written = written(id);
        for (nth, (start, text)) in written.iter().enumerate() {
            // An element that has become several nodes is the outermost of them.
            if around.is_some_and(|(_, outer)| outer == *start) {
                continue;
            }
            let (word, attributes) = btcpp_tag(text)?;
            let is_call = nth + 1 < written.len() || node.written.is_above();
            let mut element = Element {
                name: word,
                attributes,
                parent: around.map(|(nth, _)| nth),
                node: id,
                call: None,
            };
            // A call of a tree that is nowhere is an action.
            let explicit = ["Action", "Condition", "Control", "Decorator", "SubTree"];
            let id_of = element.value("ID").map(str::to_owned);
            if is_call {
                let tree = id_of.unwrap_or_else(|| element.name.clone());
                let count = places.entry(tree.clone()).or_insert(0);
                *count += 1;
                let prefix = match count {
                    1 => tree.clone(),
                    count => format!("{tree}-{count}"),
                };
                element.name = "SubTree".to_owned();
                let ports = node.written.ports(nth).iter();
                let ports = ports.map(|(port, key)| (port.to_string(), *key)).collect();
                element.call = Some(Call {
                    tree,
                    prefix,
                    ports,
                });
            } else if let Some(id) = id_of.filter(|_| explicit.contains(&&*element.name)) {
                element.name = id;
            }
            around = Some((elements.len(), *start));
            elements.push(element);
        }
        let children = node.children.iter().rev();
        pending.extend(children.map(|child| (*child, around)));
    }
    Some(elements)
}
