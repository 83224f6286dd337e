//! Handles as numbers that serde writes and reads.

use super::{AgentId, NodeId};
use serde::de::{Error as _, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The name of [`AgentId`] as a type of serde. Who reads the arguments of a leaf knows by it that a field takes a
/// parameter of type `entity`.
pub const ENTITY_IN_SERDE: &str = "treemind::Entity";

impl Serialize for AgentId {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_newtype_struct(ENTITY_IN_SERDE, &self.to_bits())
    }
}

impl<'de> Deserialize<'de> for AgentId {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Bits;

        impl<'de> Visitor<'de> for Bits {
            type Value = AgentId;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("the handle of an agent")
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(
                self,
                from: D,
            ) -> Result<AgentId, D::Error> {
                let bits = u64::deserialize(from)?;
                let id = AgentId::from_bits(bits).filter(|id| id.generation() > 0);
                id.ok_or_else(|| D::Error::custom(format!("{bits} is not the handle of an agent")))
            }
        }

        from.deserialize_newtype_struct(ENTITY_IN_SERDE, Bits)
    }
}

impl Serialize for NodeId {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u32(self.0)
    }
}

impl<'de> Deserialize<'de> for NodeId {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        u32::deserialize(from).map(NodeId)
    }
}
