//! Words for faults: what `on-fault` writes, and what the key is compared with.

use super::ast::{AstId, AstKind};
use super::check::Typing;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::said;
use crate::suggest;
use crate::syntax::{Span, shortened};
use std::collections::{BTreeMap, HashSet};
use treemind_core::{FaultKind, KeyId};

/// The keys that get words for faults, and the texts that keys are compared with.
#[derive(Debug, Default)]
pub(crate) struct FaultWords {
    keys: HashSet<KeyId>,
    /// By where they begin, since a text may be read more than once.
    compared: BTreeMap<usize, (KeyId, Span, String)>,
}

impl FaultWords {
    /// An `on-fault` writes to the key.
    pub(crate) fn written(&mut self, key: KeyId) {
        self.keys.insert(key);
    }

    /// Warns of words that are no words for faults, and nearly are. Others may be those of the game.
    pub(crate) fn judge(&self, sink: &mut Sink) {
        let of_faults = self.compared.values();
        for (_, span, word) in of_faults.filter(|(key, ..)| self.keys.contains(key)) {
            let known = FaultKind::CODES;
            if known.contains(&word.as_str()) {
                continue;
            }
            if let Some(near) = suggest::nearest(word, known) {
                let message = said!("no fault is called `{}`", shortened(word));
                sink.warning(Code::AlwaysSo, span.clone(), message)
                    .with_help(said!(
                        "did you mean `{}`? The faults are {}",
                        near,
                        suggest::all_listed(known)
                    ));
            }
        }
    }
}

impl Typing<'_> {
    /// Notes that a key of the blackboard is compared with a text.
    pub(super) fn note_compared(&mut self, left: AstId, right: AstId) {
        for (name, text) in [(left, right), (right, left)] {
            let AstKind::Name(name) = &self.ast.nodes[name].kind else {
                continue;
            };
            let AstKind::Str(text) = &self.ast.nodes[text].kind else {
                continue;
            };
            let Some((key, _)) = self.scope.find(&self.fragment.text[name.clone()]) else {
                continue;
            };
            if self.scope.is_global(key) {
                let word = super::unquoted(&self.fragment.text[text.clone()]).into_owned();
                let span = self.fragment.span(text);
                let words = &mut self.scope.fault_words;
                words.compared.insert(span.start, (key, span, word));
            }
        }
    }
}
