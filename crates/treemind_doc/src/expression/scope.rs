//! What names in expressions refer to.

use super::ast::AstKind;
use super::semaphores::Semaphores;
use crate::syntax::Span;
use std::collections::{BTreeMap, HashMap, HashSet};
use treemind_core::behaviour::{Enum, Form, Key};
use treemind_core::{EnumId, KeyId, Type, Value};

/// A name that is known only in one tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    pub(crate) key: KeyId,
    /// Whether it is read-only there.
    pub(crate) is_read_only: bool,
}

/// How a key is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Uses {
    pub(crate) is_read: bool,
    pub(crate) is_written: bool,
}

impl Uses {
    pub(crate) const READ: Self = Self {
        is_read: true,
        is_written: false,
    };
    pub(crate) const WRITTEN: Self = Self {
        is_read: false,
        is_written: true,
    };
    pub(crate) const BOTH: Self = Self {
        is_read: true,
        is_written: true,
    };

    /// Whether it is used at all.
    pub(crate) fn any(self) -> bool {
        self != Self::default()
    }
}

/// The names of a tree while it is being checked.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    pub(crate) names: BTreeMap<String, Local>,
    /// Whether other names are those of the frame below.
    pub(crate) inherits: bool,
    /// The prefix of the tree's keys.
    pub(crate) prefix: String,
}

/// What names may refer to.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    pub(crate) enums: Vec<Enum>,
    /// One per enumeration: the positions of its values.
    positions: Vec<HashMap<String, u32>>,
    enum_ids: HashMap<Vec<String>, EnumId>,
    pub(crate) keys: Vec<Key>,
    /// The keys that are known everywhere; they come first.
    pub(crate) key_ids: HashMap<String, KeyId>,
    /// The names of the trees that are being checked, the innermost last.
    pub(crate) frames: Vec<Frame>,
    /// Names of keys whose declaration has a mistake. It is reported there, and not at each use.
    pub(crate) broken: HashSet<String>,
    /// One per key: whether anything reads it, or writes it.
    pub(crate) uses: Vec<Uses>,
    /// Whether the expression being read is evaluated again and again, so that drawing is not allowed.
    pub(crate) is_asked: bool,
    pub(crate) semaphores: Semaphores,
}

impl Scope {
    /// Adds a key that is not used yet.
    pub(crate) fn add_key(&mut self, key: Key) -> KeyId {
        let id = KeyId::new(self.keys.len());
        self.keys.push(key);
        self.uses.push(Uses::default());
        id
    }

    /// Removes all keys except the first ones, and returns them.
    pub(crate) fn take_keys(&mut self, first: usize) -> Vec<Key> {
        self.uses.truncate(first);
        self.keys.split_off(first)
    }

    /// The key with this name; records how it is used.
    pub(crate) fn resolve(&mut self, name: &str, uses: Uses) -> Option<(KeyId, Type)> {
        let found = self.find(name)?;
        self.note(found.0, uses);
        Some(found)
    }

    /// Records a use of a key.
    pub(crate) fn note(&mut self, key: KeyId, uses: Uses) {
        let known = &mut self.uses[key.index()];
        known.is_read |= uses.is_read;
        known.is_written |= uses.is_written;
    }

    /// The key with this name.
    pub(crate) fn find(&self, name: &str) -> Option<(KeyId, Type)> {
        let local = self.local(name).map(|local| local.key);
        let id = local.or_else(|| self.key_ids.get(name).copied())?;
        Some((id, self.keys[id.index()].ty))
    }

    /// The key that a name with a part refers to, such as `event.volume`; components of vectors are not keys.
    pub(super) fn find_part(&self, of: &AstKind, part: &Span, text: &str) -> Option<(KeyId, Type)> {
        let AstKind::Name(name) = of else {
            return None;
        };
        self.find(&format!("{}.{}", &text[name.clone()], &text[part.clone()]))
    }

    /// How many values a key holds.
    pub(crate) fn form(&self, key: KeyId) -> &Form {
        &self.keys[key.index()].form
    }

    pub(crate) fn is_list(&self, key: KeyId) -> bool {
        self.form(key).is_list()
    }

    /// Whether the key with this name is read-only.
    pub(crate) fn is_read_only(&self, name: &str) -> bool {
        self.local(name).is_some_and(|local| local.is_read_only)
    }

    /// Whether the host computes the key with this name, so that nothing else writes it.
    pub(crate) fn is_sensed(&self, name: &str) -> bool {
        self.find(name)
            .is_some_and(|(id, _)| self.keys[id.index()].sensed.is_some())
    }

    /// The frames whose names are known, innermost first.
    fn frames(&self) -> impl Iterator<Item = &Frame> + Clone {
        let mut reaches = true;
        self.frames.iter().rev().take_while(move |frame| {
            let is_known = reaches;
            reaches &= frame.inherits;
            is_known
        })
    }

    fn local(&self, name: &str) -> Option<Local> {
        self.frames()
            .find_map(|frame| frame.names.get(name).copied())
    }

    /// The names of all keys that can be used.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> + Clone {
        let local = self.frames().flat_map(|frame| frame.names.keys());
        let global = self.keys.iter().take(self.key_ids.len());
        let global = global.map(|key| key.name.as_str());
        let global = global.filter(|name| self.local(name).is_none());
        local.map(String::as_str).chain(global)
    }

    /// The enumeration with these values, which must be distinct. Equal lists are the same type, so that keys and
    /// parameters fit together.
    pub(crate) fn enumeration(&mut self, values: Vec<String>) -> EnumId {
        if let Some(id) = self.enum_ids.get(&values) {
            return *id;
        }
        let id = EnumId::new(self.enums.len());
        let positions = values.iter().cloned().zip(0..).collect();
        self.positions.push(positions);
        self.enum_ids.insert(values.clone(), id);
        self.enums.push(Enum { values });
        id
    }

    /// Whether some enumeration has a value with this name.
    pub(crate) fn is_value(&self, name: &str) -> bool {
        let mut lists = self.positions.iter();
        lists.any(|positions| positions.contains_key(name))
    }

    /// A value of an enumeration.
    pub(crate) fn enum_value(&self, list: EnumId, name: &str) -> Option<Value> {
        let position = self.positions[list.index()].get(name)?;
        Some(Value::Enum(list, *position))
    }
}
