//! How often the texts use words, properties and values already.

use std::collections::HashMap;
use treemind_doc::edit::{Cursor, CursorPart, Editor};

/// How often something occurs, by up to three names: what it is in, what is before it, what it is.
#[derive(Default)]
pub(super) struct Usage {
    counts: HashMap<(What, String, String), i64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum What {
    /// A word, under a parent.
    Under,
    /// A word, after a word.
    After,
    /// A word anywhere.
    Word,
    /// A property of a word.
    Property,
    /// A property after another one of the same word.
    Next,
    /// A value, by its word and property.
    Value,
}

impl Usage {
    /// Counts what matters at the place, in all nodes except what is being typed: words beside it or under the same parent;
    /// on a line, what other lines with its word have.
    pub(super) fn of(editor: &Editor, cursor: &Cursor) -> Self {
        let mut usage = Usage::default();
        let own = cursor.node.as_ref().map(|node| node.word.as_str());
        let around = cursor.path.last().map_or("", |node| node.word.as_str());
        let beside = cursor.word_before().unwrap_or("{");
        for file in 0..editor.file_count() {
            let nodes = editor.read_nodes(file);
            let mut last: HashMap<Option<usize>, &str> = HashMap::new();
            for one in &nodes {
                let word = one.node.word.as_str();
                let is_here = |at: usize| file == cursor.at.file && at == cursor.token.start;
                if cursor.part == CursorPart::Word && is_here(one.node.start) {
                    continue;
                }
                let parent = one.parent.map_or("", |at| nodes[at].node.word.as_str());
                let before = last.insert(one.parent, word).unwrap_or("{");
                if cursor.part == CursorPart::Word {
                    if parent == around {
                        usage.count(What::Under, parent, word);
                    }
                    if before == beside {
                        usage.count(What::After, before, word);
                    }
                    usage.count(What::Word, "", word);
                }
                if own != Some(word) {
                    continue;
                }
                let mut before = "";
                for entry in &one.node.entries {
                    let name = entry.name.as_deref().unwrap_or("");
                    if is_here(entry.span.start) || is_here(entry.value_span.start) {
                        continue;
                    }
                    if !name.is_empty() {
                        usage.count(What::Property, word, name);
                        usage.count(What::Next, &format!("{word} {before}"), name);
                    }
                    before = name;
                    usage.count(What::Value, &format!("{word} {name}"), &entry.value);
                }
            }
        }
        usage
    }

    fn count(&mut self, what: What, of: &str, name: &str) {
        let key = (what, of.to_owned(), name.to_owned());
        *self.counts.entry(key).or_default() += 1;
    }

    fn get(&self, what: What, of: &str, name: &str) -> i64 {
        let key = (what, of.to_owned(), name.to_owned());
        self.counts.get(&key).copied().unwrap_or(0)
    }

    /// How likely a word is under a parent and after another word (`{` for the first).
    pub(super) fn word(&self, parent: &str, before: &str, word: &str) -> i64 {
        let after = self.get(What::After, before, word);
        let under = self.get(What::Under, parent, word);
        let all = self.get(What::Word, "", word);
        4 * under.min(50) + 6 * after.min(50) + all.min(50)
    }

    /// How likely a property of a word is after another one; that one is empty for a value without a name.
    pub(super) fn property(&self, word: &str, before: &str, name: &str) -> i64 {
        let next = self.get(What::Next, &format!("{word} {before}"), name);
        self.get(What::Property, word, name).min(50) + 4 * next.min(50)
    }

    /// What a property of a word is elsewhere, and how often.
    pub(super) fn values(&self, word: &str, property: &str) -> Vec<(&str, i64)> {
        let of = format!("{word} {property}");
        let all = self.counts.iter();
        let own = all.filter(|((what, key, _), _)| *what == What::Value && *key == of);
        let mut own: Vec<(&str, i64)> = own
            .map(|((.., value), count)| (value.as_str(), *count))
            .collect();
        own.sort_unstable();
        own
    }

    /// How often a property of a word, or its value without a name, is this.
    pub(super) fn value(&self, word: &str, property: &str, value: &str) -> i64 {
        self.get(What::Value, &format!("{word} {property}"), value)
    }
}
