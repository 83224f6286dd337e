//! Values that two pages write at once: the later one counts, and both pages hear of it.

use super::Editing;
use std::time::Duration;
use treemind_doc::edit::SourceNode;
use treemind_doc::{Said, said};
use treemind_replay::view::protocol::Edit;

/// For how long somebody who has written a value may not have seen what another one does to it.
const LATELY: Duration = Duration::from_secs(10);

/// A value that an edit wrote.
#[derive(Clone, Debug)]
pub(super) struct Written {
    id: u64,
    /// The property, or the position of the value.
    name: String,
    at: Duration,
}

impl Written {
    pub(super) fn by(edit: &Edit, now: Duration) -> Option<Self> {
        let (id, name, _) = field(edit)?;
        Some(Self {
            id,
            name: name.to_owned(),
            at: now,
        })
    }
}

/// The node, the name and the value that an edit writes.
fn field(edit: &Edit) -> Option<(u64, &str, &str)> {
    match edit {
        Edit::Set { id, name, value } => Some((*id, name, value)),
        Edit::SetDefault { id, value } => Some((*id, "default", value)),
        _ => None,
    }
}

/// The value that a node has there.
fn value<'n>(of: &'n SourceNode, name: &str) -> Option<&'n str> {
    let entry = match name.parse::<usize>() {
        Ok(nth) => of.values.get(nth),
        Err(_) => of.properties.iter().find(|one| one.name == name),
    };
    entry.map(|entry| entry.value.as_str())
}

impl Editing {
    /// What the one who has written the same value a moment ago has to know.
    pub(super) fn replaced(&self, edit: &Edit, by: &str, now: Duration) -> Option<Said> {
        let (id, name, new) = field(edit)?;
        let lately = |one: &Written| now.saturating_sub(one.at) < LATELY;
        let entries = self.done.iter().rev();
        let mut recent = entries.map_while(|entry| {
            let written = entry.written.as_ref();
            // What is typed or done otherwise in between has no value of its own.
            written.is_none_or(lately).then_some((entry, written))
        });
        let is_same = |one: &Written| one.id == id && one.name == name;
        let (last, _) = recent.find(|(_, written)| written.is_some_and(is_same))?;
        let outline = self.editor().outline();
        let old = value(outline.node(id)?, name)?;
        (last.by != by && old != new).then(|| {
            said!(
                "`{}` replaces `{}`, which page {} wrote a moment ago",
                new,
                old,
                &last.by
            )
        })
    }
}
