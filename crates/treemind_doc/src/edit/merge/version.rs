//! A version of a text, and what it has done to the one from which it comes.

use super::super::Editor;
use super::super::change::Change;
use super::super::compare::{out_of_order, said};
use super::super::error::EditError;
use super::super::outline::{SourceNode, SourceOutline, typed};
use super::lines;
use std::collections::HashSet;

/// A version, and what it has done to the one that both come from.
pub(super) struct Version<'t> {
    pub(super) text: &'t str,
    pub(super) editor: Editor,
    pub(super) outline: SourceOutline,
    /// The nodes that it has put into another order.
    stray: HashSet<u64>,
}

impl<'t> Version<'t> {
    pub(super) fn new(
        base: &Editor,
        before: &SourceOutline,
        text: &'t str,
    ) -> Result<Self, EditError> {
        let mut editor = base.clone();
        let change = match lines::pieces(base.text(0), text) {
            Some(pieces) => {
                let splices = pieces
                    .into_iter()
                    .map(|(range, new)| base.splice(0, range, new));
                Change::new(typed(), splices.collect::<Result<_, _>>()?)?
            }
            None => editor.rewrite(0, text)?,
        };
        editor.apply(&change)?;
        let outline = editor.outline();
        Ok(Self {
            text,
            stray: out_of_order(before, &outline),
            outline,
            editor,
        })
    }

    pub(super) fn has_moved(&self, old: &SourceNode) -> bool {
        let now = self.outline.node(old.id);
        now.is_some_and(|now| now.parent != old.parent || self.stray.contains(&old.id))
    }

    pub(super) fn has_changed(&self, base: &str, old: &SourceNode) -> bool {
        let now = self.outline.node(old.id);
        now.is_some_and(|now| said(base, old) != said(self.text, now))
    }

    /// The node before it under the same node.
    pub(super) fn before(&self, node: &SourceNode) -> Option<u64> {
        let at = |ids: &[u64]| {
            let own = ids.iter().position(|id| *id == node.id)?;
            ids.get(own.checked_sub(1)?).copied()
        };
        match node.parent.and_then(|parent| self.outline.node(parent)) {
            Some(parent) => at(&parent.children),
            None => at(&tops(&self.outline)),
        }
    }
}

pub(super) fn tops(outline: &SourceOutline) -> Vec<u64> {
    let tops = outline.nodes().iter().filter(|node| node.parent.is_none());
    tops.map(|node| node.id).collect()
}
