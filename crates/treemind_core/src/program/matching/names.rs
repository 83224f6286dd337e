//! What two behaviours call by the same name: keys, leaves, values of enumerations.

use crate::behaviour::{Behaviour, Enum, Leaf};
use crate::blackboard::Key;
use crate::ids::{EnumId, KeyId, LeafId};
use crate::text::Text;
use crate::value::{Type, Value};
use std::collections::HashMap;

/// An old behaviour and a new one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names<'p> {
    pub(crate) old: &'p Behaviour,
    pub(crate) new: &'p Behaviour,
}

impl<'p> Names<'p> {
    /// For each old key, the new one with its name; of several with one name, in their order.
    pub(crate) fn keys(self) -> Vec<Option<KeyId>> {
        let mut seen = HashMap::new();
        let mut place = |key: &Key| {
            let nth = seen.entry(key.name.clone()).or_insert(0_usize);
            *nth += 1;
            *nth - 1
        };
        let nths: Vec<usize> = self.old.keys().iter().map(&mut place).collect();
        let old = self.old.keys().iter().zip(nths);
        let find = |(key, nth): (&Key, usize)| {
            let all = (0..).zip(self.new.keys());
            let mut named = all.filter(|(_, other)| other.name == key.name);
            named.nth(nth).map(|(index, _)| KeyId(index))
        };
        old.map(find).collect()
    }

    /// For each old leaf, the new one of the same name, kind and parameters.
    pub(crate) fn leaves(self) -> Vec<Option<LeafId>> {
        let find = |leaf: &Leaf| {
            let id = self.new.leaf_id(&leaf.name)?;
            self.is_same_leaf(leaf, self.new.leaf(id)).then_some(id)
        };
        self.old.leaves().iter().map(find).collect()
    }

    /// Whether a host that serves one leaf can serve the other.
    fn is_same_leaf(self, old: &Leaf, new: &Leaf) -> bool {
        old.name == new.name
            && old.kind == new.kind
            && old.params.len() == new.params.len()
            && old
                .params
                .iter()
                .zip(&new.params)
                .all(|(old, new)| old.name == new.name && self.is_same_type(old.ty, new.ty))
    }

    /// Whether the columns of one type hold the same as those of the other.
    pub(crate) fn is_same_type(self, old: Type, new: Type) -> bool {
        match (old, new) {
            (Type::Enum(old), Type::Enum(new)) => {
                self.old_enum(old) == Some(self.new.enumeration(new))
            }
            _ => old == new,
        }
    }

    /// Whether a value of one type can be one of the other, as far as the types show.
    pub(crate) fn may_fit(self, old: Type, new: Type) -> bool {
        matches!((old, new), (Type::Enum(_), Type::Enum(_) | Type::Any)) || old.widens_to(new)
    }

    /// An old value as the new program knows it, in a place of this type.
    pub(crate) fn value(self, value: Value, ty: Type) -> Option<Value> {
        let Value::Enum(list, index) = value else {
            return value.widened(ty);
        };
        let name = self.old_enum(list)?.values.get(index as usize)?;
        match ty {
            Type::Enum(list) => {
                let values = &self.new.enumeration(list).values;
                let index = values.iter().position(|value| value == name)?;
                Some(Value::Enum(list, index as u32))
            }
            Type::Any => {
                let same = self
                    .new
                    .enums()
                    .iter()
                    .position(|one| Some(one) == self.old_enum(list));
                Some(match same {
                    Some(list) => Value::Enum(EnumId::new(list), index),
                    None => Value::Text(Text::new(name)),
                })
            }
            _ => None,
        }
    }

    fn old_enum(self, list: EnumId) -> Option<&'p Enum> {
        self.old.enums().get(list.index())
    }
}
