//! What keys of definitions are called in behaviours, so that no two have the same name.

use std::collections::HashMap;

/// The names that were given in one definition.
#[derive(Debug, Default)]
pub(super) struct KeyNames {
    /// How often keys have been named after a tree, or after the name of a place.
    prefixes: HashMap<String, usize>,
    /// How often a `for-each` has made a key of that name.
    items: HashMap<String, usize>,
}

impl KeyNames {
    /// Keeps a prefix from being given to anything else.
    pub(super) fn reserve(&mut self, prefix: &str) {
        self.prefixes.insert(prefix.to_owned(), 1);
    }

    /// What the keys of a place are called after, unlike those of any other place.
    pub(super) fn prefix(&mut self, label: &str) -> String {
        loop {
            let prefix = numbered(&mut self.prefixes, label);
            if prefix == label {
                return prefix;
            }
            if !self.prefixes.contains_key(&prefix) {
                self.reserve(&prefix);
                return prefix;
            }
        }
    }

    /// What the key for the items of a `for-each` is called.
    pub(super) fn item(&mut self, name: &str) -> String {
        numbered(&mut self.items, name)
    }
}

/// The name, with a number behind it from the second time on.
fn numbered(counts: &mut HashMap<String, usize>, name: &str) -> String {
    let count = counts.entry(name.to_owned()).or_insert(0);
    *count += 1;
    match count {
        1 => name.to_owned(),
        count => format!("{name}-{count}"),
    }
}
