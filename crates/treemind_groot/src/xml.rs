//! Trees as the XML that monitors read.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use treemind_core::behaviour::Kind;
use treemind_core::{Behaviour, NodeId};

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
fn builtin(keyword: &str) -> Option<&'static str> {
    Some(match keyword {
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
];

/// The document that is being written.
pub(crate) struct Xml {
    text: String,
    /// The nodes of trees, with what they are.
    models: BTreeMap<String, Role>,
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
        self.models.insert("Parallel".to_owned(), Role::Control);
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
    pub(crate) fn tree(&mut self, name: &str, path: &str, behaviour: &Behaviour, before: u16) {
        let (name, path) = (escaped(name), escaped(path));
        let _ = writeln!(
            self.text,
            "  <BehaviorTree ID=\"{name}\" _fullpath=\"{path}\">"
        );
        let mut open = vec![(behaviour.root(), 0, String::new())];
        self.begin(behaviour, behaviour.root(), before, &mut open);
        while let Some((node, next, _)) = open.last_mut() {
            let child = behaviour.node(*node).children.get(*next).copied();
            *next += 1;
            match child {
                Some(child) => {
                    open.push((child, 0, String::new()));
                    self.begin(behaviour, child, before, &mut open);
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

    /// Begins the element of the last node that is open.
    fn begin(
        &mut self,
        behaviour: &Behaviour,
        id: NodeId,
        before: u16,
        open: &mut [(NodeId, usize, String)],
    ) {
        let node = behaviour.node(id);
        let keyword = node.kind.keyword();
        let (name, role) = match &node.kind {
            Kind::Condition { .. } => (leaf_name(behaviour, id), Role::Condition),
            Kind::Action { .. } => (leaf_name(behaviour, id), Role::Action),
            _ if node.kind.leaf().is_some() => {
                (leaf_name(behaviour, id), role_of(node.children.len()))
            }
            _ => match builtin(keyword) {
                Some(name) => (name.to_owned(), role_of_builtin(name)),
                None => (keyword.to_owned(), role_of(node.children.len())),
            },
        };
        self.models.entry(name.clone()).or_insert(role);
        let label = escaped(behaviour.label(id));
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
            "{indent}<{tag}{said} name=\"{label}\" _uid=\"{uid}\"{end}>"
        );
        if let Some((_, _, tag_of)) = open.last_mut().filter(|_| !node.children.is_empty()) {
            *tag_of = tag;
        }
    }

    /// The whole text, with the models of all nodes.
    pub(crate) fn finish(mut self) -> String {
        self.text.push_str("  <TreeNodesModel>\n");
        for (name, role) in &self.models {
            let name = escaped(name);
            let _ = writeln!(self.text, "    <{} ID=\"{name}\"/>", role.word());
        }
        self.text.push_str("  </TreeNodesModel>\n</root>\n");
        self.text
    }
}

fn leaf_name(behaviour: &Behaviour, id: NodeId) -> String {
    let kind = &behaviour.node(id).kind;
    let leaf = kind.leaf().map(|leaf| behaviour.leaf(leaf).name.clone());
    leaf.unwrap_or_else(|| kind.keyword().to_owned())
}

fn role_of(children: usize) -> Role {
    match children {
        0 => Role::Action,
        1 => Role::Decorator,
        _ => Role::Control,
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
