//! Trees as the XML that monitors read.

use crate::layout::{Element, Resets};
use crate::tree::Tree;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use treemind_core::behaviour::{Kind, LeafKind};
use treemind_core::{Behaviour, LeafId, NodeId};
use treemind_doc::{About, LineParts, btcpp_attribute, line_parts, outline_lines};

/// What a node of a model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Action,
    Condition,
    Control,
    Decorator,
}

impl Role {
    fn word(self) -> &'static str {
        match self {
            Role::Action => "Action",
            Role::Condition => "Condition",
            Role::Control => "Control",
            Role::Decorator => "Decorator",
        }
    }
}

/// The name that BehaviorTree.CPP has for a node that is built in there.
fn builtin(kind: &Kind, children: usize) -> Option<&'static str> {
    Some(match kind.keyword() {
        "sequence" => "Sequence",
        "selector" => "Fallback",
        "sticky-sequence" => "SequenceWithMemory",
        "reactive-sequence" => "ReactiveSequence",
        "reactive-selector" => "ReactiveFallback",
        "parallel" => "Parallel",
        "parallel-all" => "ParallelAll",
        "if" => "IfThenElse",
        "reactive-if" => "WhileDoElse",
        "try-catch" => "TryCatch",
        "invert" => "Inverter",
        "force-success" => "ForceSuccess",
        "force-failure" => "ForceFailure",
        "repeat" => "Repeat",
        "retry" => "RetryUntilSuccessful",
        "keep-running-until-failure" => "KeepRunningUntilFailure",
        "run-once" => "RunOnce",
        "delay" => "Delay",
        "timeout" => "Timeout",
        "wait" => "Sleep",
        "succeed" => "AlwaysSuccess",
        "fail" => "AlwaysFailure",
        "check" => "ScriptCondition",
        "set" => "Script",
        "unset" => "UnsetBlackboard",
        "changed" => "WasEntryUpdated",
        "on-change" => match kind {
            Kind::OnChange {
                else_running: true, ..
            } => "WaitValueUpdate",
            _ => "SkipUnlessUpdated",
        },
        "switch" => match kind {
            // Theirs have a child for all other values.
            Kind::Switch { cases, .. } if children == cases.len() + 1 => match cases.len() {
                2 => "Switch2",
                3 => "Switch3",
                4 => "Switch4",
                5 => "Switch5",
                6 => "Switch6",
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    })
}

/// Those of them that are leaves, or wrap a child.
const LEAVES: &[&str] = &[
    "Sleep",
    "AlwaysSuccess",
    "AlwaysFailure",
    "ScriptCondition",
    "Script",
    "UnsetBlackboard",
    "WasEntryUpdated",
];
const DECORATORS: &[&str] = &[
    "Inverter",
    "ForceSuccess",
    "ForceFailure",
    "Repeat",
    "RetryUntilSuccessful",
    "KeepRunningUntilFailure",
    "RunOnce",
    "Delay",
    "Timeout",
    "SkipUnlessUpdated",
    "WaitValueUpdate",
];

/// The port of a built-in node that holds what stands behind our word, and the value in the words of BehaviorTree.CPP.
fn value_of(builtin: &str, line: &LineParts) -> Option<(&'static str, String)> {
    let first = || Some(line.values.first()?.text.clone());
    let msec = || {
        let secs: f64 = first()?.parse().ok()?;
        Some(format!("{:.0}", secs * 1_000.0))
    };
    let times = || {
        let count = first()?;
        let count = if count == "forever" {
            "-1".to_owned()
        } else {
            count
        };
        count.parse::<i64>().is_ok().then_some(count)
    };
    Some(match builtin {
        "ScriptCondition" | "Script" => {
            let all: Vec<&str> = line.values.iter().map(|one| one.text.as_str()).collect();
            ("code", all.join("; "))
        }
        "Sleep" | "Timeout" => ("msec", msec()?),
        "Delay" => ("delay_msec", msec()?),
        "Repeat" => ("num_cycles", times()?),
        "RetryUntilSuccessful" => ("num_attempts", times()?),
        "UnsetBlackboard" => ("key", first()?),
        "WasEntryUpdated" | "SkipUnlessUpdated" | "WaitValueUpdate" => {
            ("entry", format!("{{{}}}", first()?))
        }
        _ => return None,
    })
}

/// The lines of all nodes.
fn lines(behaviour: &Behaviour) -> HashMap<NodeId, LineParts> {
    let lines = outline_lines(behaviour);
    let (parts, _) = line_parts(behaviour, &lines);
    let of_nodes = lines.iter().zip(parts);
    let of_nodes = of_nodes.filter_map(|(line, parts)| match line.about {
        About::Node(id) => Some((id, parts)),
        _ => None,
    });
    of_nodes.collect()
}

/// The document that is being written.
pub(crate) struct Xml {
    text: String,
    /// The nodes of trees, with what they are, and the ports that they have.
    models: BTreeMap<String, (Role, BTreeSet<String>)>,
}

impl Xml {
    pub(crate) fn new(main: &str) -> Self {
        let main = escaped(main);
        Self {
            text: format!("<root BTCPP_format=\"4\" main_tree_to_execute=\"{main}\">\n"),
            models: BTreeMap::new(),
        }
    }

    /// The tree that holds all others, if there are several. Returns how many uids it takes.
    pub(crate) fn above(&mut self, main: &str, names: &[String]) -> u16 {
        self.models
            .insert("Parallel".to_owned(), (Role::Control, BTreeSet::new()));
        let main = escaped(main);
        let text = &mut self.text;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  <BehaviorTree ID=\"{main}\" _fullpath=\"\">");
        let _ = writeln!(text, "    <Parallel name=\"{main}\" _uid=\"1\">");
        let mut uid = 1;
        for name in names {
            uid += 1;
            let name = escaped(name);
            let _ = writeln!(
                text,
                "      <SubTree ID=\"{name}\" name=\"{name}\" _uid=\"{uid}\" _fullpath=\"{name}\"/>"
            );
        }
        text.push_str("    </Parallel>\n  </BehaviorTree>\n");
        uid
    }

    /// A tree; the uids of its nodes begin after `before`.
    pub(crate) fn tree(&mut self, (name, path): (&str, &str), tree: &Tree, before: u16) {
        if let Some(elements) = &tree.layout.elements {
            return self.file((name, path), (tree, elements), before);
        }
        let behaviour = tree.program.behaviour();
        let (name, path) = (escaped(name), escaped(path));
        let _ = writeln!(
            self.text,
            "  <BehaviorTree ID=\"{name}\" _fullpath=\"{path}\">"
        );
        let lines = lines(behaviour);
        let mut open = vec![(behaviour.root(), 0, String::new())];
        self.begin((behaviour, &lines), behaviour.root(), before, &mut open);
        while let Some((node, next, _)) = open.last_mut() {
            let child = behaviour.node(*node).children.get(*next).copied();
            *next += 1;
            match child {
                Some(child) => {
                    open.push((child, 0, String::new()));
                    self.begin((behaviour, &lines), child, before, &mut open);
                }
                None => {
                    if let Some((_, _, tag)) = open.pop().filter(|(_, _, tag)| !tag.is_empty()) {
                        let indent = "  ".repeat(open.len() + 2);
                        let _ = writeln!(self.text, "{indent}</{tag}>");
                    }
                }
            }
        }
        self.text.push_str("  </BehaviorTree>\n");
    }

    /// A file of BehaviorTree.CPP: its trees, each in the place where it is called, with elements as they are spelled.
    fn file(
        &mut self,
        (name, path): (&str, &str),
        (tree, elements): (&Tree, &[Element]),
        before: u16,
    ) {
        let paths = tree.layout.paths(path, before);
        let mut below: Vec<Vec<usize>> = vec![Vec::new(); elements.len()];
        for (nth, element) in elements.iter().enumerate() {
            if let Some(parent) = element.parent {
                below[parent].push(nth);
            }
        }
        let behaviour = tree.program.behaviour();
        let mut trees: Vec<(String, String, Vec<usize>)> =
            vec![(name.to_owned(), path.to_owned(), vec![0])];
        for (nth, path, tree) in &paths {
            trees.push((tree.clone(), path.clone(), below[*nth].clone()));
        }
        for (tree, path, roots) in trees {
            let (tree, path) = (escaped(&tree), escaped(&path));
            let _ = writeln!(
                self.text,
                "  <BehaviorTree ID=\"{tree}\" _fullpath=\"{path}\">"
            );
            // Elements that begin, and ends of elements.
            let mut pending: Vec<(usize, Option<String>)> =
                roots.iter().rev().map(|root| (*root, None)).collect();
            let mut open = 0;
            while let Some((nth, end)) = pending.pop() {
                if let Some(tag) = end {
                    open -= 1;
                    let indent = "  ".repeat(open + 2);
                    let _ = writeln!(self.text, "{indent}</{tag}>");
                    continue;
                }
                let element = &elements[nth];
                let children: &[usize] = match element.call {
                    Some(_) => &[],
                    None => &below[nth],
                };
                let place = paths.iter().find(|(call, ..)| *call == nth);
                let place = place.map(|(_, path, _)| path.as_str());
                let uid = usize::from(before) + nth + 1;
                let tag = self.element((element, uid, place), behaviour, (open, children.len()));
                if !children.is_empty() {
                    open += 1;
                    pending.push((nth, Some(tag)));
                    pending.extend(children.iter().rev().map(|child| (*child, None)));
                }
            }
            self.text.push_str("  </BehaviorTree>\n");
        }
    }

    /// The first tag of an element of a file. Returns its name.
    fn element(
        &mut self,
        (element, uid, place): (&Element, usize, Option<&str>),
        behaviour: &Behaviour,
        (open, children): (usize, usize),
    ) -> String {
        let name = &element.name;
        let is_tree = place.is_some();
        let role = match &behaviour.node(element.node).kind {
            _ if is_tree => None,
            Kind::Condition { .. } => Some(Role::Condition),
            Kind::Action { .. } => Some(Role::Action),
            kind => Some(match kind.leaf().map(|leaf| behaviour.leaf(leaf).kind) {
                Some(LeafKind::Composite { .. }) => Role::Control,
                Some(LeafKind::Decorator) => Role::Decorator,
                _ if name == "ScriptCondition" => Role::Condition,
                _ if children == 1 && is_control(name) => Role::Control,
                _ => role_of(children),
            }),
        };
        let mut given = String::new();
        let mut ports = BTreeSet::new();
        let ports_of = element.attributes.iter();
        for (port, value) in ports_of.filter(|(port, _)| !matches!(&port[..], "ID" | "name")) {
            let _ = write!(given, " {port}=\"{}\"", escaped(value));
            if !port.starts_with('_') {
                ports.insert(port.clone());
            }
        }
        if let Some(path) = place {
            let _ = write!(given, " _fullpath=\"{}\"", escaped(path));
        }
        if let Some(role) = role {
            let model = self.models.entry(name.clone());
            let (_, known) = model.or_insert_with(|| (role, BTreeSet::new()));
            known.extend(ports);
        }
        let called = element.call.as_ref().map(|call| call.tree.as_str());
        let label = element.value("name").filter(|name| !name.trim().is_empty());
        let label = escaped(label.or(called).unwrap_or(name));
        let (tag, said) = match (called, is_xml_name(name)) {
            (Some(tree), _) => ("SubTree".to_owned(), format!(" ID=\"{}\"", escaped(tree))),
            (None, true) => (name.clone(), String::new()),
            (None, false) => {
                let word = role.unwrap_or(Role::Action).word();
                (word.to_owned(), format!(" ID=\"{}\"", escaped(name)))
            }
        };
        let indent = "  ".repeat(open + 2);
        let end = if children == 0 { "/" } else { "" };
        let _ = writeln!(
            self.text,
            "{indent}<{tag}{said} name=\"{label}\" _uid=\"{uid}\"{given}{end}>"
        );
        tag
    }

    /// Begins the element of the last node that is open.
    fn begin(
        &mut self,
        (behaviour, lines): (&Behaviour, &HashMap<NodeId, LineParts>),
        id: NodeId,
        before: u16,
        open: &mut [(NodeId, usize, String)],
    ) {
        let node = behaviour.node(id);
        let keyword = node.kind.keyword();
        let (name, role) = match &node.kind {
            Kind::Condition { .. } => (leaf_name(behaviour, id), Role::Condition),
            Kind::Action { .. } => (leaf_name(behaviour, id), Role::Action),
            kind if called_by(kind).is_some() => {
                (leaf_name(behaviour, id), role_of(node.children.len()))
            }
            _ => match builtin(&node.kind, node.children.len()) {
                Some(name) => (name.to_owned(), role_of_builtin(name)),
                None => (keyword.to_owned(), role_of(node.children.len())),
            },
        };
        let said_of = lines.get(&id);
        let ports = said_of.map_or_else(Vec::new, |line| ports(behaviour, id, (&name, line)));
        let model = self.models.entry(name.clone());
        let (_, known) = model.or_insert_with(|| (role, BTreeSet::new()));
        let mut given = String::new();
        for (port, value) in ports {
            let _ = write!(given, " {port}=\"{}\"", escaped(&value));
            if !port.starts_with('_') {
                known.insert(port);
            }
        }
        // A node without a name of its own is called like its kind, as there.
        let label = match behaviour.label(id) {
            label if label == keyword => escaped(&name),
            label => escaped(label),
        };
        let uid = u64::from(before) + id.index() as u64 + 1;
        let indent = "  ".repeat(open.len() + 1);
        let (tag, said) = match is_xml_name(&name) {
            true => (name, String::new()),
            false => (
                role.word().to_owned(),
                format!(" ID=\"{}\"", escaped(&name)),
            ),
        };
        let end = if node.children.is_empty() { "/" } else { "" };
        let _ = writeln!(
            self.text,
            "{indent}<{tag}{said} name=\"{label}\" _uid=\"{uid}\"{given}{end}>"
        );
        if let Some((_, _, tag_of)) = open.last_mut().filter(|_| !node.children.is_empty()) {
            *tag_of = tag;
        }
    }

    /// The whole text, with the models of all nodes.
    pub(crate) fn finish(mut self) -> String {
        self.text.push_str("  <TreeNodesModel>\n");
        for (name, (role, ports)) in &self.models {
            let (name, word) = (escaped(name), role.word());
            let end = if ports.is_empty() { "/" } else { "" };
            let _ = writeln!(self.text, "    <{word} ID=\"{name}\"{end}>");
            for port in ports {
                let _ = writeln!(self.text, "      <inout_port name=\"{port}\"/>");
            }
            if !ports.is_empty() {
                let _ = writeln!(self.text, "    </{word}>");
            }
        }
        self.text.push_str("  </TreeNodesModel>\n</root>\n");
        self.text
    }
}

/// What a node gives to its ports, and its conditions and hooks.
fn ports(
    behaviour: &Behaviour,
    id: NodeId,
    (name, line): (&str, &LineParts),
) -> Vec<(String, String)> {
    let node = behaviour.node(id);
    let mut ports = Vec::new();
    match called_by(&node.kind) {
        Some(leaf) => {
            let params = &behaviour.leaf(leaf).params;
            for given in &line.properties {
                let is_param = params.iter().any(|param| *param.name == *given.name);
                if is_param && is_xml_name(&given.name) && !matches!(&given.name[..], "name" | "ID")
                {
                    // A key stands in braces, and anything else as documents have it.
                    let value = match given.value.parts.as_slice() {
                        [one] if one.key.is_some() => format!("{{{}}}", one.text),
                        _ => given.value.text.clone(),
                    };
                    ports.push((given.name.clone(), value));
                }
            }
        }
        None => {
            let value = value_of(name, line);
            ports.extend(value.map(|(port, value)| (port.to_owned(), value)));
        }
    }
    for given in &line.properties {
        let theirs = btcpp_attribute(&given.name);
        ports.extend(theirs.map(|theirs| (theirs.to_owned(), given.value.text.clone())));
    }
    ports
}

/// The leaf by which a node is called. A `find` over a list only measures with leaves.
fn called_by(kind: &Kind) -> Option<LeafId> {
    kind.leaf().filter(|_| kind.listed().is_none())
}

fn leaf_name(behaviour: &Behaviour, id: NodeId) -> String {
    let kind = &behaviour.node(id).kind;
    let leaf = called_by(kind).map(|leaf| behaviour.leaf(leaf).name.clone());
    leaf.unwrap_or_else(|| kind.keyword().to_owned())
}

fn role_of(children: usize) -> Role {
    match children {
        0 => Role::Action,
        1 => Role::Decorator,
        _ => Role::Control,
    }
}

/// Whether a built-in node of BehaviorTree.CPP with this name is a control, also with one child.
fn is_control(name: &str) -> bool {
    let controls = ["Sequence", "Fallback", "Parallel", "Switch"];
    controls.iter().any(|word| name.contains(word))
}

/// When a node resets its children, while it runs.
pub(crate) fn resets(behaviour: &Behaviour, id: NodeId) -> Resets {
    let node = behaviour.node(id);
    let children = node.children.len();
    let name = builtin(&node.kind, children).unwrap_or(node.kind.keyword());
    // Of ours, only those that always have one child wrap it.
    let is_list = children == 1 && node.kind.facts().children != (1, Some(1));
    resets_of(name, if is_list { 2 } else { children })
}

/// The same of a node of BehaviorTree.CPP with this name.
pub(crate) fn resets_of(name: &str, children: usize) -> Resets {
    match children {
        _ if name.starts_with("Reactive") => Resets::Other,
        1 if !is_control(name) => Resets::Ended,
        _ => Resets::AtEnd,
    }
}

fn role_of_builtin(name: &str) -> Role {
    if name == "ScriptCondition" {
        Role::Condition
    } else if LEAVES.contains(&name) {
        Role::Action
    } else if DECORATORS.contains(&name) {
        Role::Decorator
    } else {
        Role::Control
    }
}

/// Whether a text can be the name of an element that is no element around nodes.
fn is_xml_name(text: &str) -> bool {
    let is_reserved = matches!(
        text,
        "root"
            | "BehaviorTree"
            | "SubTree"
            | "Action"
            | "Condition"
            | "Control"
            | "Decorator"
            | "TreeNodesModel"
            | "include"
    );
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
        && !text.to_ascii_lowercase().starts_with("xml")
        && !is_reserved
}

/// A text in quotes.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            // XML has no way to say these.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
