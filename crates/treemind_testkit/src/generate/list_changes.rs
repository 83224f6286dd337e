//! Random statements that change lists.

use super::trees::TreeMaker;
use treemind_core::behaviour::Key;
use treemind_core::expr::{Assign, Change};

impl TreeMaker<'_> {
    /// Now and then, a statement that adds an item to a list or removes one.
    pub(super) fn list_change(&mut self) -> Option<Assign> {
        if !self.percent(25) {
            return None;
        }
        let is_writable = |key: &Key| key.form.is_list() && !key.is_computed();
        let key = self.exprs.some_key(is_writable)?;
        let ty = self.exprs.keys[key.index()].ty;
        let change = match self.percent(60) {
            // It may be full.
            true if self.exprs.profile.faults => Change::Add,
            _ => Change::Remove,
        };
        let value = self.exprs.expr(ty, 1);
        Some(Assign { key, change, value })
    }
}
