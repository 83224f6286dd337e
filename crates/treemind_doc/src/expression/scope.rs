//! What names in expressions stand for.

use super::ast::AstKind;
use super::semaphores::Semaphores;
use crate::syntax::Span;
use std::collections::{BTreeMap, HashMap, HashSet};
use treemind_core::behaviour::{Enum, Form, Key};
use treemind_core::{EnumId, KeyId, Type, Value};

/// A name that only one tree knows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    pub(crate) key: KeyId,
    /// It cannot be changed there.
    pub(crate) is_read_only: bool,
}

/// What is done to a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Uses {
    pub(crate) is_read: bool,
    pub(crate) is_written: bool,
}

impl Uses {
    pub(crate) const BOTH: Self = Self {
        is_read: true,
        is_written: true,
    };

    /// Whether anything is done to it.
    pub(crate) fn any(self) -> bool {
        self != Self::default()
    }
}

/// The names of a tree in its place.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    pub(crate) names: BTreeMap<String, Local>,
    /// Other names are those of the frame below.
    pub(crate) inherits: bool,
    /// What the keys of the place are called after.
    pub(crate) prefix: String,
}

/// What names may stand for.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    pub(crate) enums: Vec<Enum>,
    /// One per enumeration: the positions of its values.
    positions: Vec<HashMap<String, u32>>,
    enum_ids: HashMap<Vec<String>, EnumId>,
    pub(crate) keys: Vec<Key>,
    /// The keys that are known everywhere, which come first.
    pub(crate) key_ids: HashMap<String, KeyId>,
    /// The names of the trees that are being checked, the innermost last.
    pub(crate) frames: Vec<Frame>,
    /// Names of keys whose declaration has a mistake, which is reported there and not at each use.
    pub(crate) broken: HashSet<String>,
    /// One per key: whether something reads it, or writes it.
    pub(crate) uses: Vec<Uses>,
    /// What is being read is asked again and again, so that nothing can be drawn in it.
    pub(crate) is_asked: bool,
    pub(crate) semaphores: Semaphores,
}

impl Scope {
    /// The key of that name, which counts as read and written from now on.
    pub(crate) fn use_key(&mut self, name: &str) -> Option<(KeyId, Type)> {
        let found = self.find(name)?;
        self.uses[found.0.index()] = Uses::BOTH;
        Some(found)
    }

    /// The key of that name, which counts as read from now on.
    pub(crate) fn read_key(&mut self, name: &str) -> Option<(KeyId, Type)> {
        let found = self.find(name)?;
        self.uses[found.0.index()].is_read = true;
        Some(found)
    }

    /// The key of that name, which counts as written from now on.
    pub(crate) fn write_key(&mut self, name: &str) -> Option<(KeyId, Type)> {
        let found = self.find(name)?;
        self.uses[found.0.index()].is_written = true;
        Some(found)
    }

    /// The key of that name.
    pub(crate) fn find(&self, name: &str) -> Option<(KeyId, Type)> {
        let local = self.local(name).map(|local| local.key);
        let id = local.or_else(|| self.key_ids.get(name).copied())?;
        Some((id, self.keys[id.index()].ty))
    }

    /// The key that is meant by a name with a part, such as `event.volume`; parts of vectors are none.
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

    /// Whether the key of that name cannot be changed.
    pub(crate) fn is_read_only(&self, name: &str) -> bool {
        self.local(name).is_some_and(|local| local.is_read_only)
    }

    /// Whether the host computes the key of that name, so that nothing else writes it.
    pub(crate) fn is_sensed(&self, name: &str) -> bool {
        self.find(name)
            .is_some_and(|(id, _)| self.keys[id.index()].sensed.is_some())
    }

    /// The frames whose names are known, the innermost first.
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

    /// The names of all keys that can be spoken of.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> + Clone {
        let local = self.frames().flat_map(|frame| frame.names.keys());
        let global = self.keys.iter().take(self.key_ids.len());
        let global = global.map(|key| key.name.as_str());
        let global = global.filter(|name| self.local(name).is_none());
        local.map(String::as_str).chain(global)
    }

    /// The enumeration with these values, which must differ. Equal lists are one type, so that keys and parameters
    /// go together.
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

    /// Whether some enumeration has a value of that name.
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
