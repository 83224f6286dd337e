//! Names that expressions of the language can use, for names of BehaviorTree.CPP, which may be any text.

use std::collections::{HashMap, HashSet};

/// Words that cannot name a key.
const RESERVED: [&str; 5] = ["true", "false", "if", "else", "in"];

/// A name of the language for each name of a document, the same one wherever it occurs.
#[derive(Default)]
pub(super) struct Names {
    known: HashMap<String, String>,
    taken: HashSet<String>,
    /// How often a name was wanted by another one that is written almost the same.
    wanted: HashMap<String, usize>,
}

impl Names {
    /// The name for `raw`: the same letters if possible, and another one for each other name.
    pub(super) fn of(&mut self, raw: &str) -> String {
        if let Some(known) = self.known.get(raw) {
            return known.clone();
        }
        let plain = match raw.strip_prefix('@') {
            Some(rest) => plain(&format!("root_{rest}")),
            None => plain(raw),
        };
        let name = self.fresh(&plain);
        self.known.insert(raw.to_owned(), name.clone());
        name
    }

    /// A name that nothing has yet, `plain` if possible.
    pub(super) fn fresh(&mut self, plain: &str) -> String {
        let mut name = plain.to_owned();
        while !self.taken.insert(name.clone()) {
            let count = self.wanted.entry(plain.to_owned()).or_insert(1);
            *count += 1;
            name = format!("{plain}_{count}");
        }
        name
    }
}

/// Letters, digits and `_`, beginning with a letter, and not a word of expressions.
pub(super) fn plain(raw: &str) -> String {
    let mut plain = param(raw);
    if RESERVED.contains(&plain.as_str()) {
        plain.push('_');
    }
    plain
}

/// The name of the key that holds a literal which a call gives to a port of a tree.
pub(super) fn held_literal(tree: &str, port: &str) -> String {
    plain(&format!("{tree}_{port}"))
}

/// Whether a key, by its name in the tree that calls, is one that the reader has made: it holds a literal that a call
/// gives to a port of a tree. A file has no such entry.
#[cfg(feature = "convert")]
pub fn is_btcpp_literal(key: &str, tree: &str, port: &str) -> bool {
    let Some(rest) = key.strip_prefix(&held_literal(tree, port)) else {
        return false;
    };
    let count = rest.strip_prefix('_');
    rest.is_empty() || count.is_some_and(|count| count.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Letters, digits and `_`, beginning with a letter: the name of a parameter, which no expression uses.
pub(super) fn param(raw: &str) -> String {
    let letter = |c: char| if c.is_alphanumeric() { c } else { '_' };
    let mut plain: String = raw.chars().map(letter).collect();
    if !plain.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        plain.insert_str(0, "k_");
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_one_of_its_own() {
        let mut names = Names::default();
        for (raw, name) in [
            ("goal", "goal"),
            ("goal.x", "goal_x"),
            ("goal x", "goal_x_2"),
            ("goal.x", "goal_x"),
            ("goal_x_2", "goal_x_2_2"),
            ("@goal", "root_goal"),
            ("in", "in_"),
            ("3d", "k_3d"),
            ("", "k_"),
        ] {
            assert_eq!(names.of(raw), name, "{raw}");
        }
    }
}
