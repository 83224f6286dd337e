//! What names in expressions stand for.

use std::collections::{HashMap, HashSet};
use treemind_core::behaviour::{Enum, Key};
use treemind_core::{EnumId, KeyId, Type, Value};

/// What names may stand for.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    pub(crate) enums: Vec<Enum>,
    /// One per enumeration: the positions of its values.
    positions: Vec<HashMap<String, u32>>,
    enum_ids: HashMap<Vec<String>, EnumId>,
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

    /// A value of an enumeration.
    pub(crate) fn enum_value(&self, list: EnumId, name: &str) -> Option<Value> {
        let position = self.positions[list.index()].get(name)?;
        Some(Value::Enum(list, *position))
    }
}
