//! The two versions of the XML, and what a value in it means.

use super::words;
use roxmltree::{Attribute, Node};
use std::collections::{HashMap, HashSet};

/// A version of the XML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    Three,
    Four,
}

impl Version {
    /// The version of a file. Files without `BTCPP_format` are of version 3 if they use what only it has, because
    /// version 4 loads both. `by_element` are the trees of all files that an element may call.
    pub(super) fn of(root: Node<'_, '_>, by_element: &HashSet<String>) -> Version {
        match root.attribute("BTCPP_format").map(str::trim) {
            Some("3") => return Version::Three,
            Some(_) => return Version::Four,
            None => {}
        }
        if elements_of(root).any(is_of_three) {
            return Version::Three;
        }
        let is_four = elements_of(root).any(is_of_four);
        match !is_four && (has_old_pointer(root) || calls_as_three(root, by_element)) {
            true => Version::Three,
            false => Version::Four,
        }
    }
}

fn elements_of<'a, 'd>(root: Node<'a, 'd>) -> impl Iterator<Item = Node<'a, 'd>> {
    root.descendants().filter(Node::is_element)
}

/// Whether a call gives a tree something as only version 3 does.
fn calls_as_three(root: Node<'_, '_>, by_element: &HashSet<String>) -> bool {
    let is_called = |element: Node<'_, '_>| by_element.contains(element.tag_name().name());
    elements_of(root).any(is_called) || gives_names(root)
}

/// Whether a value is a key in version 3, and a text in version 4: `${key}`.
fn is_old_pointer(value: &str) -> bool {
    let value = value.trim();
    value.starts_with("${") && value.ends_with('}')
}

fn has_old_pointer(root: Node<'_, '_>) -> bool {
    old_pointer(root).is_some()
}

/// The first value of a file that is `${key}`.
fn old_pointer<'a>(root: Node<'a, 'a>) -> Option<Attribute<'a, 'a>> {
    let trees = root.children();
    let trees = trees.filter(|one| one.tag_name().name() == "BehaviorTree");
    let mut values = trees.flat_map(elements_of).flat_map(|one| one.attributes());
    values.find(|one| is_old_pointer(one.value()))
}

/// The first `${key}` of a file of which another version would make something else: its value is a text in version 4, or
/// nothing but this says that the file is of version 3.
pub(super) fn doubtful_pointer<'a>(
    root: Node<'a, 'a>,
    version: Version,
    by_element: &HashSet<String>,
) -> Option<Attribute<'a, 'a>> {
    let is_sure = version == Version::Three
        && (root.has_attribute("BTCPP_format")
            || elements_of(root).any(is_of_three) && !elements_of(root).any(is_of_four)
            || calls_as_three(root, by_element));
    old_pointer(root).filter(|_| !is_sure)
}

/// Whether the file of an element says its version. One of py_trees, or from before version 4, does not.
pub(super) fn says_version(element: Node<'_, '_>) -> bool {
    let root = element.document().root_element();
    root.has_attribute("BTCPP_format")
}

/// Whether an element uses something that only version 3 has.
fn is_of_three(element: Node<'_, '_>) -> bool {
    let word = element.tag_name().name();
    let id = element.attribute("ID").unwrap_or(word);
    words::ONLY_THREE.contains(&word)
        || words::ONLY_THREE.contains(&id)
        || element.attributes().any(|attribute| {
            let name = attribute.name();
            matches!(name, "__shared_blackboard" | "__autoremap")
                || words::current_port(id, name) != name
        })
}

/// Whether an element uses something that only version 4 has.
fn is_of_four(element: Node<'_, '_>) -> bool {
    let word = element.tag_name().name();
    let id = element.attribute("ID").unwrap_or(word);
    words::ONLY_FOUR.contains(&word)
        || (words::EXPLICIT.contains(&word) && words::ONLY_FOUR.contains(&id))
        || element.attributes().any(|attribute| {
            let name = attribute.name();
            name == "_autoremap" || words::script_attribute(name).is_some()
        })
}

/// The names of trees that no other node has, so that an element may call them: `<Home/>`.
pub(super) fn named_by_elements<'a>(roots: impl Iterator<Item = Node<'a, 'a>>) -> HashSet<String> {
    let (mut trees, mut others) = (HashSet::new(), HashSet::new());
    for root in roots {
        let elements = root.children();
        let elements = elements.filter(|one| one.tag_name().name() == "BehaviorTree");
        trees.extend(elements.filter_map(|tree| tree.attribute("ID")));
        others.extend(declared(root));
    }
    let is_free = |name: &&str| !others.contains(name) && may_name_tree(name);
    let trees = trees.into_iter().filter(is_free);
    trees.map(str::to_owned).collect()
}

/// The names of nodes, not trees, that the models of a file declare.
pub(super) fn declared<'a>(root: Node<'a, 'a>) -> impl Iterator<Item = &'a str> {
    let models = root.children();
    let models = models.filter(|one| one.tag_name().name() == "TreeNodesModel");
    let nodes = models.flat_map(|model| model.children());
    let nodes = nodes.filter(|one| one.is_element() && !is_subtree(one.tag_name().name()));
    nodes.filter_map(|node| node.attribute("ID"))
}

/// Whether an element of this name can call a tree, as in version 3, if nothing declares a node of this name.
pub(super) fn may_name_tree(name: &str) -> bool {
    words::all().all(|known| known != name)
        && words::current(name).is_none()
        && !words::EXPLICIT.contains(&name)
        && !words::AROUND.contains(&name)
        && !is_subtree(name)
}

/// Whether a file can be one of version 3.
pub(super) fn may_be_three(root: Node<'_, '_>) -> bool {
    match root.attribute("BTCPP_format").map(str::trim) {
        Some(version) => version == "3",
        None => !root
            .descendants()
            .any(|one| one.is_element() && is_of_four(one)),
    }
}

/// The first name without braces of which nothing else says that it is a key, as in version 3, and no text.
pub(super) fn doubtful_name<'a>(
    root: Node<'a, 'a>,
    version: Version,
    by_element: &HashSet<String>,
) -> Option<Attribute<'a, 'a>> {
    let is_called = |element: Node<'_, '_>| by_element.contains(element.tag_name().name());
    let is_sure = root.has_attribute("BTCPP_format")
        || has_old_pointer(root)
        || elements_of(root).any(|element| is_of_three(element) || is_called(element));
    given_name(root).filter(|_| version == Version::Three && !is_sure)
}

fn gives_names(root: Node<'_, '_>) -> bool {
    given_name(root).is_some()
}

/// The first name of a key without braces that a `SubTree` gives, as in version 3, to a port that its tree reads.
fn given_name<'a>(root: Node<'a, 'a>) -> Option<Attribute<'a, 'a>> {
    let trees = root
        .children()
        .filter(|one| one.tag_name().name() == "BehaviorTree");
    let mut read: HashMap<Option<&str>, HashSet<&str>> = HashMap::new();
    for tree in trees {
        let inside = tree.descendants().flat_map(|node| node.attributes());
        let pointers = inside.filter_map(|one| pointer_of(one, Version::Four));
        read.entry(tree.attribute("ID"))
            .or_default()
            .extend(pointers);
    }
    let mut calls = root
        .descendants()
        .filter(|one| one.tag_name().name() == "SubTree");
    calls.find_map(|call| {
        let read = read.get(&call.attribute("ID"))?;
        let mut given = call.attributes();
        given.find(|one| {
            !matches!(one.name(), "ID" | "name")
                && is_name(one.value().trim())
                && read.contains(one.name())
        })
    })
}

/// Whether a value can be the name of a key.
pub(super) fn is_name(value: &str) -> bool {
    value.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && value.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !matches!(value, "true" | "false")
}

/// The key that a value points to: `{key}`, `{=}`, and in version 3 `${key}`.
pub(super) fn pointer<'v>(value: &'v str, port: &'v str, version: Version) -> Option<&'v str> {
    let text = value.trim_matches(' ');
    let inner = match (text.strip_prefix("${"), version) {
        (Some(inner), Version::Three) => inner,
        _ => text.strip_prefix('{')?,
    };
    let inner = inner.strip_suffix('}')?;
    match inner {
        "" => None,
        "=" => Some(port),
        key => Some(key),
    }
}

/// As [`pointer`], for the value of an attribute, which lives longer than its name.
pub(super) fn pointer_of<'v>(attribute: Attribute<'v, '_>, version: Version) -> Option<&'v str> {
    pointer(attribute.value(), attribute.name(), version)
}

/// A number with a fraction or an exponent, as BehaviorTree.CPP reads it.
pub(super) fn double(text: &str) -> Option<f64> {
    let is_number = text
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E'));
    let begins = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.'));
    if !is_number || !begins {
        return None;
    }
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// What a flag says, if it is one.
pub(super) fn flag(text: &str) -> Option<bool> {
    match text {
        "true" | "True" | "TRUE" | "1" => Some(true),
        "false" | "False" | "FALSE" | "0" => Some(false),
        _ => None,
    }
}

/// Whether an element includes another file: `include`, or the words of py_trees.
pub(super) fn is_include(word: &str) -> bool {
    matches!(word, "include" | "Include" | "import" | "Import")
}

/// Whether an element calls another tree.
pub(super) fn is_subtree(word: &str) -> bool {
    matches!(word, "SubTree" | "SubTreePlus")
}
