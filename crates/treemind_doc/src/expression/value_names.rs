//! The places that name values of enumerations, for tools that rename them. A value has no scope: which enumeration it is
//! one of is known only where types are checked.

#[cfg(feature = "edit")]
use crate::names::words;
use crate::syntax::{Span, Text};
#[cfg(feature = "edit")]
use std::cell::RefCell;
#[cfg(feature = "edit")]
use std::collections::{HashMap, HashSet};
use treemind_core::EnumId;

/// A value of an enumeration: its list, and its position there.
pub(crate) type ListValue = (EnumId, u32);

/// A place that names a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg(feature = "edit")]
pub(crate) struct ValueName {
    /// Where the string begins that it is in.
    pub(crate) token: usize,
    /// Where it begins and ends in the value of that string.
    pub(crate) said: (usize, usize),
    pub(crate) value: ListValue,
    /// It is listed there as one of the values.
    pub(crate) declares: bool,
}

/// All places that name values. Without editing, nobody asks for them.
#[derive(Debug, Default)]
pub(crate) struct ValueNames {
    #[cfg(feature = "edit")]
    all: RefCell<HashSet<ValueName>>,
    /// The steps of `each` by their full names: where the value begins in them, and which it is.
    #[cfg(feature = "edit")]
    steps: HashMap<String, HashSet<(usize, ListValue)>>,
}

#[cfg(feature = "edit")]
impl ValueNames {
    pub(crate) fn note(&self, (token, said): (usize, Span), value: ListValue, declares: bool) {
        self.all.borrow_mut().insert(ValueName {
            token,
            said: (said.start, said.end),
            value,
            declares,
        });
    }

    /// A step of `each` whose name ends with a value.
    pub(crate) fn note_step(&mut self, full: &str, from: usize, value: ListValue) {
        let steps = self.steps.entry(full.to_owned()).or_default();
        steps.insert((from, value));
    }

    /// The names of steps in a text that end with values.
    pub(crate) fn note_steps_in(&self, text: &Text) {
        for (word, at) in words(&text.value) {
            for (from, value) in self.steps.get(word).into_iter().flatten() {
                let said = at + from..at + word.len();
                self.note((text.span.start, said), *value, false);
            }
        }
    }

    /// All places, in the order of the text.
    pub(crate) fn take(&mut self) -> Vec<ValueName> {
        let mut all: Vec<ValueName> = self.all.take().into_iter().collect();
        all.sort_unstable();
        all
    }
}

#[cfg(not(feature = "edit"))]
impl ValueNames {
    pub(crate) fn note(&self, _: (usize, Span), _: ListValue, _: bool) {}

    pub(crate) fn note_step(&mut self, _: &str, _: usize, _: ListValue) {}

    pub(crate) fn note_steps_in(&self, _: &Text) {}
}
