//! The lines of an outline, one after the other.

use super::{
    decision, details, expression, guards, hooks, machine, number_text, planner, quoted, rules,
    utility, weight,
};
use crate::text::visible::visible_line;
use std::borrow::Cow;
use std::fmt::Write;
use treemind_core::behaviour::{PlacedNode, StateIndex};
use treemind_core::{Behaviour, Kind, NodeId};

/// A line of an outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineLine {
    /// How far it is indented, in characters.
    pub indent: usize,
    /// What it is about.
    pub about: About,
    /// What it says, on one line and [made visible](crate::visible_line).
    pub text: String,
}

/// What a line of an outline is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum About {
    /// A node.
    Node(NodeId),
    /// A state of a machine.
    State(NodeId, StateIndex),
    /// A transition of a machine; its position in the machine.
    Transition(NodeId, usize),
    /// A test of a decision tree; its position in it.
    Test(NodeId, usize),
    /// A case or option of such a test; the positions of the test and of the way.
    Way(NodeId, usize, usize),
    /// A goal of a planner; its position in it.
    Goal(NodeId, usize),
    /// A method of a task of a planner; the positions of the task and of the method.
    Method(NodeId, usize, usize),
    /// A rule of a node with rules; its position in it.
    Rule(NodeId, usize),
    /// Something in between, such as a case or the word `entry`.
    Part,
}

/// The tree or machine, one line per node: kind, leaf and arguments, name, and its `doc`. States of machines, and
/// their transitions with their targets, have separate lines, and so do the tests of decision trees.
///
/// ```text
/// tree guard
///   reactive-selector
///     reactive-sequence name=fight
///       condition see-enemy  // an enemy is in sight
///       action attack range=2.5
/// ```
pub fn outline(behaviour: &Behaviour) -> String {
    let mut out = String::new();
    if !is_planner(behaviour) {
        out += &visible_line(&head(behaviour));
        out.push('\n');
    }
    for line in outline_lines(behaviour) {
        let _ = writeln!(out, "{:1$}{2}", "", line.indent, line.text);
    }
    out
}

/// The [lines](outline_lines) of an outline, each with a mark before it and a note behind it. A line for which `tell`
/// gives nothing is left out, unless it is above one that is not.
pub fn marked_outline<'m>(
    behaviour: &Behaviour,
    mut tell: impl FnMut(About) -> Option<(&'m str, String)>,
) -> String {
    let mut out = String::new();
    let mut above: Vec<OutlineLine> = Vec::new();
    for line in outline_lines(behaviour) {
        above.retain(|outer| outer.indent < line.indent);
        let Some((mark, note)) = tell(line.about) else {
            above.push(line);
            continue;
        };
        for outer in above.drain(..) {
            let indent = 8 + outer.indent;
            let _ = writeln!(out, "{:indent$}{}", "", outer.text);
        }
        let indent = line.indent;
        let _ = writeln!(out, "{mark:<8}{:indent$}{}{note}", "", line.text);
    }
    out
}

/// The lines of [`outline`] without the first, which is about the whole tree, machine or decision tree. That of a planner is
/// its node.
pub fn outline_lines(behaviour: &Behaviour) -> Vec<OutlineLine> {
    let root = behaviour.root();
    let first = match &behaviour.node(root).kind {
        Kind::Machine(machine) => machine::states(behaviour, root, machine, 2),
        Kind::Decide(decision) => decision::items(behaviour, root, decision, 2),
        // Its goals, tasks and steps are below it.
        _ if is_planner(behaviour) => vec![Item::Node(root, 0)],
        _ => vec![Item::Node(root, 2)],
    };
    lines(behaviour, first)
}

/// The lines of a node and of all nodes below it.
#[cfg(feature = "diagram")]
pub(crate) fn lines_of(behaviour: &Behaviour, node: NodeId) -> Vec<OutlineLine> {
    lines(behaviour, vec![Item::Node(node, 0)])
}

/// Writes the pending items, the last first. It uses an explicit list, so no nesting can overflow the stack.
fn lines(behaviour: &Behaviour, pending: Vec<Item>) -> Vec<OutlineLine> {
    let mut out = raw_lines(behaviour, pending);
    for line in &mut out {
        if let Cow::Owned(shown) = visible_line(&line.text) {
            line.text = shown;
        }
    }
    out
}

fn raw_lines(behaviour: &Behaviour, mut pending: Vec<Item>) -> Vec<OutlineLine> {
    let mut out = Vec::new();
    while let Some(item) = pending.pop() {
        let (id, mut indent) = match item {
            Item::Line(line) => {
                out.push(line);
                continue;
            }
            Item::Test(id, indent) => {
                test(behaviour, id, indent, &mut out, &mut pending);
                continue;
            }
            Item::Node(id, indent) => (id, indent),
        };
        if let Some(text) = case(behaviour, id) {
            out.push(part(indent, text));
            indent += 2;
        }
        if let Some(text) = rules::rule(behaviour, id) {
            out.extend(text.map(|(about, text)| OutlineLine {
                indent,
                about,
                text,
            }));
            indent += 2;
        }
        out.push(OutlineLine {
            indent,
            about: About::Node(id),
            text: line(behaviour, id),
        });
        let considered = utility::considerations(behaviour, id).into_iter();
        out.extend(considered.map(|(deeper, text)| part(indent + 2 + deeper, text)));
        let node = behaviour.node(id);
        match &node.kind {
            Kind::Machine(machine) => {
                pending.extend(machine::states(behaviour, id, machine, indent + 2));
            }
            Kind::Decide(decision) => {
                pending.extend(decision::items(behaviour, id, decision, indent + 2));
            }
            Kind::Planner(planner) => {
                pending.extend(planner::items(behaviour, id, planner, indent + 2));
            }
            _ => {
                let children = node.children.iter().rev();
                pending.extend(children.map(|child| Item::Node(*child, indent + 2)));
            }
        }
    }
    out
}

/// What remains to be written.
pub(super) enum Item {
    Node(NodeId, usize),
    /// A condition of a transition.
    Test(NodeId, usize),
    Line(OutlineLine),
}

/// Conditions of transitions are written with special words where they are combined.
fn test(
    behaviour: &Behaviour,
    id: NodeId,
    indent: usize,
    out: &mut Vec<OutlineLine>,
    pending: &mut Vec<Item>,
) {
    let node = behaviour.node(id);
    let text = match node.kind {
        Kind::Sequence { .. } => "all".to_owned(),
        Kind::Selector { .. } => "any".to_owned(),
        Kind::Invert => "not".to_owned(),
        _ => line(behaviour, id),
    };
    out.push(OutlineLine {
        indent,
        about: About::Node(id),
        text,
    });
    let children = node.children.iter().rev();
    pending.extend(children.map(|child| Item::Test(*child, indent + 2)));
}

pub(super) fn part(indent: usize, text: String) -> OutlineLine {
    OutlineLine {
        indent,
        about: About::Part,
        text,
    }
}

/// Whether a behaviour is a planner, and not a tree with one at its root.
fn is_planner(behaviour: &Behaviour) -> bool {
    let root = behaviour.node(behaviour.root());
    matches!(root.kind, Kind::Planner(_)) && root.name.as_deref() == Some(behaviour.name())
}

/// The first line.
fn head(behaviour: &Behaviour) -> String {
    let root = behaviour.node(behaviour.root());
    match &root.kind {
        Kind::Machine(_) | Kind::Decide(_) => {
            let mut text = format!("{} {}", root.kind.keyword(), quoted(behaviour.name()));
            details(behaviour, &root.kind, &mut text);
            guards(behaviour, &root.guards, &root.written, &mut text);
            hooks(behaviour, &root.hooks, &mut text);
            text
        }
        _ => format!("tree {}", behaviour.name()),
    }
}

/// The line of a case, or of the default, above the child of a `switch` or `subtree-by`; other children have none.
pub(crate) fn case(behaviour: &Behaviour, id: NodeId) -> Option<String> {
    let parent = behaviour.node(behaviour.node(id).parent?);
    let (Kind::Switch { cases, .. } | Kind::SubtreeBy { cases }) = &parent.kind else {
        return None;
    };
    let index = parent
        .children
        .partition_point(|child| child.index() < id.index());
    Some(match cases.get(index) {
        Some(test) => format!("case \"{}\"", expression(behaviour, test)),
        None => "default".to_owned(),
    })
}

/// A node in one line.
fn line(behaviour: &Behaviour, id: NodeId) -> String {
    let mut out = brief(behaviour, id);
    let node = behaviour.node(id);
    let leaf = node.kind.leaf().filter(|_| node.kind.listed().is_none());
    let leaf_doc = leaf.and_then(|leaf| behaviour.leaf(leaf).doc.as_ref());
    if let Some(doc) = node.doc.as_ref().or(leaf_doc) {
        let one_line: Vec<&str> = doc.split_whitespace().collect();
        let _ = write!(out, "  // {}", one_line.join(" "));
    }
    out
}

/// The same without its `doc`.
pub(crate) fn brief(behaviour: &Behaviour, id: NodeId) -> String {
    let node = behaviour.node(id);
    let mut out = String::new();
    let places = node.written.places();
    for (nth, place) in places.iter().enumerate() {
        out.push_str(if nth > 0 { " (" } else { "" });
        out.push_str(place);
    }
    if places.is_empty() {
        itself(behaviour, id, &mut out);
    } else if !node.written.is_above() {
        out.push_str(" (");
        itself(behaviour, id, &mut out);
        out.push(')');
    }
    out.extend(places.iter().skip(1).map(|_| ')'));
    if let Some(name) = &node.name
        && !goes_by(node, name)
    {
        let _ = write!(out, " name={}", quoted(name));
    }
    if let Some(weight) = weight(behaviour, id) {
        out.push_str(" weight=");
        out.push_str(number_text(behaviour, weight).as_str());
    }
    utility::score(behaviour, id, &mut out);
    planner::step(behaviour, id, &mut out);
    guards(behaviour, &node.guards, &node.written, &mut out);
    hooks(behaviour, &node.hooks, &mut out);
    out
}

/// The kind of a node, with what belongs to the kind.
fn itself(behaviour: &Behaviour, id: NodeId, out: &mut String) {
    let node = behaviour.node(id);
    out.push_str(node.kind.keyword());
    if let Kind::Machine(machine) = &node.kind {
        let _ = write!(out, " {}", quoted(&machine.states[0].name));
    }
    if let (Kind::Decide(_) | Kind::Planner(_), Some(name)) = (&node.kind, &node.name) {
        let _ = write!(out, " {}", quoted(name));
    }
    details(behaviour, &node.kind, out);
}

/// Whether the line of a node says its name already: that of a definition which is put there.
fn goes_by(node: &PlacedNode, name: &str) -> bool {
    match node.written.places().first() {
        Some(place) => {
            let after = place.split_once(' ').map(|(_, after)| after);
            let rest = after.and_then(|after| {
                let in_quotes = format!("{name:?}");
                after
                    .strip_prefix(name)
                    .or_else(|| after.strip_prefix(&in_quotes))
            });
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        }
        None => {
            machine::goes_by(&node.kind, name)
                || matches!(node.kind, Kind::Decide(_) | Kind::Planner(_))
        }
    }
}
