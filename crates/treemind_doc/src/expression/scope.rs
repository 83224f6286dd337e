//! What names in expressions stand for.

use std::collections::{HashMap, HashSet};
use treemind_core::behaviour::{Enum, Key};
use treemind_core::{EnumId, KeyId, Type, Value};

/// What names may stand for.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    pub(crate) enums: Vec<Enum>,
    pub(crate) keys: Vec<Key>,
    pub(crate) key_ids: HashMap<String, KeyId>,
    /// Names of keys whose declaration has a mistake, which is reported there and not at each use.
    pub(crate) broken: HashSet<String>,
    /// One per key: something reads or writes it.
    pub(crate) used: Vec<bool>,
}

impl Scope {
    /// The key of that name, which counts as used from now on.
    pub(crate) fn use_key(&mut self, name: &str) -> Option<(KeyId, Type)> {
        let id = *self.key_ids.get(name)?;
        self.used[id.index()] = true;
        Some((id, self.keys[id.index()].ty))
    }

    /// The position of a value in its enumeration.
    pub(crate) fn enum_value(&self, list: EnumId, name: &str) -> Option<Value> {
        let values = &self.enums[list.index()].values;
        let index = values.iter().position(|value| value == name)?;
        Some(Value::Enum(list, u32::try_from(index).ok()?))
    }
}
