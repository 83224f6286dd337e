//! Elements that become several nodes, such as `<LoopInt>` with its items, or a node that is written as another element.
//! A document of ours keeps how they were written in a comment, together with what they became, so that they come back
//! as long as nobody has changed that.

use super::dialect::Version;
use super::notes::Places;
use super::spelling::{self, Tag};
use super::words;
use crate::syntax::{Node, Value};
use roxmltree::Document;
use std::collections::HashMap;

const SEVERAL: &[&str] = &[
    "LoopInt",
    "LoopBool",
    "LoopDouble",
    "LoopString",
    "Precondition",
    "TryCatch",
    "Parallel",
    "ParallelAll",
    "ScriptCondition",
    "SetBlackboard",
    "Switch2",
    "Switch3",
    "Switch4",
    "Switch5",
    "Switch6",
    "Timeout",
    "UnsetBlackboard",
];

/// What a comment says of an element without children.
const NO_HOLES: &str = "-";

/// Whether an element has conditions, which may assign something.
fn has_conditions(tag: &Tag) -> bool {
    let mut conditions = words::SCRIPTS.iter().filter(|one| one.is_condition);
    conditions.any(|one| tag.value(one.name).is_some())
}

/// Whether a node only lets another one start after something was assigned, as conditions do.
fn assigns_first(node: &Node) -> bool {
    let first = node.children().first();
    matches!(&node.name.value[..], "if" | "reactive-if")
        && node.children().len() == 2
        && first.is_some_and(|first| first.name.value == "set")
}

/// An element that became several nodes.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) tag: Tag,
    mark: String,
    /// Where the children of the element are in the node: which child of which child.
    holes: Vec<Vec<usize>>,
}

impl Kept {
    /// What a comment says of it.
    pub(super) fn said(&self) -> String {
        let path = |path: &Vec<usize>| {
            let path: Vec<String> = path.iter().map(usize::to_string).collect();
            path.join(".")
        };
        let mut holes: Vec<String> = self.holes.iter().map(path).collect();
        if holes.is_empty() {
            holes.push(NO_HOLES.to_owned());
        }
        format!(" {} {} {} ", self.tag.text(), self.mark, holes.join(" "))
    }

    pub(super) fn in_note(note: &str) -> Option<Self> {
        let (tag, rest) = note.trim().rsplit_once("> ")?;
        let (mark, holes) = rest.split_once(' ')?;
        let (tag, mark) = spelling::tag_in(&format!("{tag}> {mark}"))?;
        let path = |path: &str| {
            let path: Result<Vec<usize>, _> = path.split('.').map(str::parse).collect();
            path.ok()
        };
        let holes: Option<Vec<Vec<usize>>> = match holes {
            NO_HOLES => Some(Vec::new()),
            holes => holes.split(' ').map(path).collect(),
        };
        Some(Self {
            tag,
            mark,
            holes: holes?,
        })
    }

    /// The nodes that the children of the element have become, if the rest of the node is as it was.
    pub(super) fn children<'n>(&self, node: &'n Node) -> Option<Vec<&'n Node>> {
        if mark_of(node, &self.holes) != self.mark {
            return None;
        }
        let at = |path: &Vec<usize>| {
            let mut steps = path.iter();
            steps.try_fold(node, |node, nth| node.children().get(*nth))
        };
        self.holes.iter().map(at).collect()
    }
}

/// The elements of a file that became several of these nodes, by where they begin.
pub(super) fn of(
    nodes: &[Node],
    (document, version, places): (&Document<'_>, Version, &Places<'_>),
    tags: &HashMap<usize, (Tag, usize)>,
) -> HashMap<usize, Kept> {
    let mut by_start: HashMap<usize, &Node> = HashMap::new();
    // Declarations that were made up stand where their names are used.
    let is_declared = |node: &&Node| {
        let words = ["main", "leaves", "blackboard", "key", "in", "out", "inout"];
        words.contains(&node.name.value.as_str())
    };
    let mut pending: Vec<&Node> = nodes.iter().rev().collect();
    while let Some(node) = pending.pop() {
        if is_declared(&node) {
            continue;
        }
        by_start.entry(node.span.start).or_insert(node);
        pending.extend(node.children().iter().rev());
    }
    let mut kept = HashMap::new();
    for element in document.descendants().filter(roxmltree::Node::is_element) {
        let mut tag = Tag::of(element);
        let start = places.start(element);
        let children = element.children().filter(roxmltree::Node::is_element);
        let starts: Vec<usize> = children.map(|child| places.start(child)).collect();
        let node = by_start.get(&start);
        let is_written = tags.get(&start).is_some_and(|(written, children)| {
            written.node() == tag.node() && *children == starts.len()
        });
        let is_around = has_conditions(&tag) && node.is_some_and(|node| assigns_first(node));
        if !is_around && (is_written || !SEVERAL.contains(&tag.node()) && !has_conditions(&tag)) {
            continue;
        }
        let Some(holes) = by_start
            .get(&start)
            .and_then(|node| Some((node, holes(node, &starts)?)))
        else {
            continue;
        };
        if version == Version::Three {
            for (_, value) in &mut tag.attributes {
                if value.starts_with("${") {
                    value.remove(0);
                }
            }
        }
        let (node, holes) = holes;
        let mark = mark_of(node, &holes);
        kept.insert(start, Kept { tag, mark, holes });
    }
    kept
}

/// Where the nodes that begin at these places are in a node.
fn holes(node: &Node, starts: &[usize]) -> Option<Vec<Vec<usize>>> {
    let mut found: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut pending = vec![(node, Vec::new())];
    while let Some((node, path)) = pending.pop() {
        for (nth, child) in node.children().iter().enumerate() {
            let mut path = path.clone();
            path.push(nth);
            if !starts.contains(&child.span.start) {
                pending.push((child, path));
            } else if found.insert(child.span.start, path).is_some() {
                return None;
            }
        }
    }
    let holes = starts.iter().map(|start| found.remove(start));
    holes.collect()
}

/// A short number for a node without what stands at these places.
fn mark_of(node: &Node, holes: &[Vec<usize>]) -> String {
    let mut text = String::new();
    let mut pending = vec![(node, Vec::new(), 0)];
    while let Some((node, path, depth)) = pending.pop() {
        text.push_str(&format!("\n{depth} "));
        if holes.contains(&path) {
            continue;
        }
        text.push_str(&node.name.value);
        let mut entries: Vec<String> = node
            .entries
            .iter()
            .map(|entry| {
                let name = entry.name.as_ref().map_or("", |name| &name.value);
                format!(" {name}={:?}", plain(&entry.value))
            })
            .collect();
        entries.sort();
        text.extend(entries);
        for (nth, child) in node.children().iter().enumerate().rev() {
            let mut path = path.clone();
            path.push(nth);
            pending.push((child, path, depth + 1));
        }
    }
    spelling::mark(&text)
}

fn plain(value: &Value) -> String {
    match value {
        Value::Text(text) => text.value.clone(),
        Value::Int(int) => int.to_string(),
        Value::Decimal(number, _) => format!("{number:?}"),
        Value::Bool(is) => is.to_string(),
        Value::Null | Value::Bad => String::new(),
    }
}
