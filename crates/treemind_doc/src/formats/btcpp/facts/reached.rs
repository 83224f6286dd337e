//! Which trees run.

use super::Facts;
use std::collections::HashSet;

impl Facts {
    /// Notes the trees that this one does not reach.
    pub(in super::super) fn reach(&mut self, main: &str) {
        if !self.trees.contains_key(main) {
            return;
        }
        let mut unreached: HashSet<String> = self.trees.keys().cloned().collect();
        let mut pending = vec![main];
        while let Some(name) = pending.pop() {
            if unreached.remove(name) {
                let calls = self.trees[name].calls.iter();
                pending.extend(calls.map(|call| call.tree.as_str()));
            }
        }
        self.unreached = unreached;
    }
}
