//! The labels of the lines of the tree.

use treemind_core::{Behaviour, Kind, NodeId};
use treemind_doc::visible_line;

/// The label of a line that is not a node.
pub(super) fn part(text: &str) -> Label {
    Label {
        strong: text.to_owned(),
        faint: String::new(),
    }
}

/// The label of a node: its name, and further details.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) strong: String,
    pub(super) faint: String,
}

impl Label {
    /// The same, shortened to `room` columns.
    pub(super) fn shortened(self, room: usize) -> Self {
        let strong = self.strong.chars().count();
        if strong + self.faint.chars().count() <= room {
            return self;
        }
        let cut = |text: String, room: usize| match text.chars().count() > room {
            true => text
                .chars()
                .take(room.saturating_sub(1))
                .chain(['…'])
                .collect(),
            false => text,
        };
        if strong + 2 > room {
            return Self {
                strong: cut(self.strong, room),
                faint: String::new(),
            };
        }
        Self {
            strong: self.strong,
            faint: cut(self.faint, room - strong),
        }
    }
}

pub(super) fn label(behaviour: &Behaviour, id: NodeId, line: &str) -> Label {
    let node = behaviour.node(id);
    let line = line.split("  // ").next().unwrap_or_default().trim();
    let line = line.split(" name=").next().unwrap_or_default();
    let name = node.name.as_deref().map(visible_line);
    let name = name.as_deref();
    if !node.written.places().is_empty() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = name
            .and_then(|name| rest.strip_prefix(name))
            .unwrap_or(rest);
        return named_label(name, word, rest.trim());
    }
    let keyword = node.kind.keyword();
    let rest = line.strip_prefix(keyword).unwrap_or(line).trim();
    match &node.kind {
        Kind::Condition { negated, .. } => {
            let question = rest.strip_suffix(" not=#true").unwrap_or(rest);
            question_label(name, if *negated { "not " } else { "" }, question)
        }
        Kind::Check { .. } => question_label(name, "", rest.trim_matches('"')),
        Kind::Action { .. } => {
            let (leaf, args) = rest.split_once(' ').unwrap_or((rest, ""));
            named_label(name, leaf, args)
        }
        _ => named_label(name, keyword, rest),
    }
}

fn question_label(name: Option<&str>, not: &str, question: &str) -> Label {
    match name {
        Some(name) => Label {
            strong: format!("{name}?"),
            faint: format!(" {not}{question}"),
        },
        None => Label {
            strong: format!("{not}{question}?"),
            faint: String::new(),
        },
    }
}

fn named_label(name: Option<&str>, kind: &str, details: &str) -> Label {
    let space = if details.is_empty() { "" } else { " " };
    match name {
        Some(name) => Label {
            strong: name.to_owned(),
            faint: format!(" {kind}{space}{details}"),
        },
        None => Label {
            strong: kind.to_owned(),
            faint: format!("{space}{details}"),
        },
    }
}
