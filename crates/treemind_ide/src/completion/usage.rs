//! How often the texts use words, properties and values already.

use std::collections::HashMap;
use treemind_doc::edit::{Cursor, CursorPart, Editor, WrittenNode};

/// How often something occurs.
type Counts<K> = HashMap<K, i64>;

/// What the texts have already: if a word is written, words; on a line, what other lines with its word have.
#[derive(Default)]
pub(super) struct Usage<'e> {
    /// Words under the same parent.
    under: Counts<&'e str>,
    /// Words behind the same word.
    after: Counts<&'e str>,
    /// Words anywhere.
    words: Counts<&'e str>,
    /// Properties.
    properties: Counts<&'e str>,
    /// Properties behind another one; that one is empty for a value without a name.
    next: Counts<(&'e str, &'e str)>,
    /// Values of properties.
    values: Counts<(&'e str, &'e str)>,
}

impl<'e> Usage<'e> {
    /// Counts what matters at the place, in all nodes except what is being typed.
    pub(super) fn of(editor: &'e Editor, cursor: &Cursor) -> Self {
        let mut usage = Usage::default();
        let own = cursor.node.as_ref().map(|node| node.word.as_str());
        let around = cursor.path.last().map_or("", |node| node.word.as_str());
        let beside = cursor.word_before();
        for file in 0..editor.file_count() {
            let typed = (file == cursor.at.file).then_some(cursor.token.start);
            editor.each_node(file, |node| {
                if cursor.part == CursorPart::Word {
                    usage.word_of(node, typed, around, beside);
                } else if own == Some(node.word) {
                    usage.line_of(node, typed);
                }
            });
        }
        usage
    }

    fn word_of(
        &mut self,
        node: WrittenNode<'e>,
        typed: Option<usize>,
        around: &str,
        beside: Option<&str>,
    ) {
        if typed == Some(node.start) {
            return;
        }
        if node.parent == around {
            *self.under.entry(node.word).or_default() += 1;
        }
        if node.before == beside {
            *self.after.entry(node.word).or_default() += 1;
        }
        *self.words.entry(node.word).or_default() += 1;
    }

    fn line_of(&mut self, node: WrittenNode<'e>, typed: Option<usize>) {
        let mut before = "";
        for (starts, name, value) in node.entries() {
            if typed.is_some_and(|typed| starts.contains(&typed)) {
                continue;
            }
            if !name.is_empty() {
                *self.properties.entry(name).or_default() += 1;
                *self.next.entry((before, name)).or_default() += 1;
            }
            before = name;
            *self.values.entry((name, value)).or_default() += 1;
        }
    }

    /// How likely a word is here.
    pub(super) fn word(&self, word: &str) -> i64 {
        let count = |of: &Counts<&str>| of.get(word).copied().unwrap_or(0).min(50);
        4 * count(&self.under) + 6 * count(&self.after) + count(&self.words)
    }

    /// How likely a property is behind another one; that one is empty for a value without a name.
    pub(super) fn property(&self, before: &str, name: &str) -> i64 {
        let all = self.properties.get(name).copied().unwrap_or(0).min(50);
        let next = self.next.get(&(before, name)).copied().unwrap_or(0);
        all + 4 * next.min(50)
    }

    /// What a property is elsewhere, and how often; without a name, a value.
    pub(super) fn values(&self, property: &str) -> Vec<(&'e str, i64)> {
        let own = self
            .values
            .iter()
            .filter(|((name, _), _)| *name == property);
        let mut own: Vec<_> = own.map(|((_, value), count)| (*value, *count)).collect();
        own.sort_unstable();
        own
    }

    /// How often a property, or a value without a name, is this.
    pub(super) fn value(&self, property: &str, value: &str) -> i64 {
        self.values.get(&(property, value)).copied().unwrap_or(0)
    }
}
