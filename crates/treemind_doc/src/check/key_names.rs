//! Names of keys in behaviours: no two keys have the same name.

use std::collections::HashMap;

/// The names already in use in one definition.
#[derive(Debug, Default)]
pub(super) struct KeyNames {
    /// How many times each prefix was used: the name of a tree or of a place.
    prefixes: HashMap<String, usize>,
    /// How many times a `for-each` made a key with this name.
    items: HashMap<String, usize>,
}

impl KeyNames {
    /// Marks a prefix as used.
    pub(super) fn reserve(&mut self, prefix: &str) {
        self.prefixes.insert(prefix.to_owned(), 1);
    }

    /// A prefix that is unique to the keys of one place.
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

    /// The name of the key that holds the items of a `for-each`.
    pub(super) fn item(&mut self, name: &str) -> String {
        numbered(&mut self.items, name)
    }
}

/// The name, followed by a number from the second use on.
fn numbered(counts: &mut HashMap<String, usize>, name: &str) -> String {
    let count = counts.entry(name.to_owned()).or_insert(0);
    *count += 1;
    match count {
        1 => name.to_owned(),
        count => format!("{name}-{count}"),
    }
}
