//! Rust types for the values of arguments and of the blackboard.

use serde::de::{Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use treemind_core::{AgentId, Text, Type, Value};
use treemind_doc::manifest::{ParamType, ParamValue};

/// A handle of the game, for parameters and keys of type `entity`: 64 bits that Treemind only passes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entity(pub u64);

impl From<AgentId> for Entity {
    /// The handle of an agent, for a key.
    fn from(id: AgentId) -> Self {
        Self(id.to_bits())
    }
}

/// The name of [`Entity`] and [`AgentId`] in serde, chosen to be unlike the name of any type in a game.
pub(super) const ENTITY: &str = treemind_core::ENTITY_IN_SERDE;

impl Serialize for Entity {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_newtype_struct(ENTITY, &self.0)
    }
}

impl<'de> Deserialize<'de> for Entity {
    /// As a parameter of type `entity`, or any `u64`.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Bits;

        impl<'de> Visitor<'de> for Bits {
            type Value = Entity;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an entity")
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(
                self,
                from: D,
            ) -> Result<Entity, D::Error> {
                u64::deserialize(from).map(Entity)
            }
        }

        from.deserialize_newtype_struct(ENTITY, Bits)
    }
}

/// A Rust type that corresponds to a type of the blackboard: `bool`, `i64` (`int`), `f32` (`float`), `f64`
/// (`double`), [`Entity`], `[f32; 2]` (`vec2`), `[f32; 3]` (`vec3`), [`Text`] or `&str` (`string`), or [`Value`]
/// for any type, including `enum` and `any`.
#[diagnostic::on_unimplemented(
    message = "no key has values of type `{Self}`",
    label = "this type does not fit any key",
    note = "keys have `bool`, `i64` (`int`), `f32` (`float`), `f64` (`double`), `Entity`, `[f32; 2]` (`vec2`), `[f32; 3]` (`vec3`), `Text` or `&str` (`string`), and `Value` for any of them",
    note = "a number needs the type of the key: `3_i64` or `x as i64` for `int`, `0.5_f32` for `float`",
    note = "the handle of an agent is an entity: `Entity::from(id)`"
)]
pub trait KeyType: Copy {
    /// The keyword of the type in documents.
    const KEYWORD: &'static str;

    /// Whether keys of this type hold exactly values of this Rust type.
    fn matches(ty: Type) -> bool;

    /// The value, widened where the blackboard widens (int → float → double); `None` when it is of another type.
    fn from_value(value: Value) -> Option<Self>;

    /// The value as the blackboard holds it.
    fn into_value(self) -> Value;
}

macro_rules! key_type {
    ($rust:ty, $variant:ident, $keyword:literal) => {
        impl KeyType for $rust {
            const KEYWORD: &'static str = $keyword;

            fn matches(ty: Type) -> bool {
                ty == Type::$variant
            }

            #[inline]
            fn from_value(value: Value) -> Option<Self> {
                match value.widened(Type::$variant) {
                    Some(Value::$variant(inner)) => Some(inner),
                    _ => None,
                }
            }

            #[inline]
            fn into_value(self) -> Value {
                Value::$variant(self)
            }
        }
    };
}

key_type!(bool, Bool, "bool");
key_type!(i64, Int, "int");
key_type!(f32, Float, "float");
key_type!(f64, Double, "double");

key_type!([f32; 2], Vec2, "vec2");
key_type!([f32; 3], Vec3, "vec3");
key_type!(Text, Text, "string");

impl KeyType for &'static str {
    const KEYWORD: &'static str = "string";

    fn matches(ty: Type) -> bool {
        ty == Type::Text
    }

    #[inline]
    fn from_value(value: Value) -> Option<Self> {
        Text::from_value(value).map(Text::as_str)
    }

    /// Allocates when the text is new to the process.
    #[inline]
    fn into_value(self) -> Value {
        Value::Text(Text::new(self))
    }
}

impl KeyType for Entity {
    const KEYWORD: &'static str = "entity";

    fn matches(ty: Type) -> bool {
        ty == Type::Entity
    }

    #[inline]
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Entity(bits) => Some(Self(bits)),
            _ => None,
        }
    }

    #[inline]
    fn into_value(self) -> Value {
        Value::Entity(self.0)
    }
}

impl KeyType for Value {
    const KEYWORD: &'static str = "any";

    fn matches(_: Type) -> bool {
        true
    }

    #[inline]
    fn from_value(value: Value) -> Option<Self> {
        Some(value)
    }

    #[inline]
    fn into_value(self) -> Value {
        self
    }
}

/// A Rust type whose values can be defaults of parameters: `bool`, `i32` and `i64` (`int`), `f32` (`float`), `f64`
/// (`double`), [`Entity`], `[f32; 2]` (`vec2`), `[f32; 3]` (`vec3`), `&str` (`string`).
#[diagnostic::on_unimplemented(
    message = "a parameter cannot have a default of type `{Self}`",
    label = "this type does not fit any parameter",
    note = "parameters have `bool`, `i32` and `i64` (`int`), `f32` (`float`), `f64` (`double`), `Entity`, `[f32; 2]` (`vec2`), `[f32; 3]` (`vec3`) and `&str` (`string`); `choice` is for an `enum`"
)]
pub trait ParamDefault {
    /// The type of the parameter.
    fn ty() -> ParamType;

    /// The default.
    fn into_param(self) -> ParamValue;
}

macro_rules! param_default {
    ($($rust:ty: $variant:ident, $value:ident => $given:expr;)*) => {$(
        impl ParamDefault for $rust {
            fn ty() -> ParamType {
                ParamType::$variant
            }

            fn into_param(self) -> ParamValue {
                let $value = self;
                ParamValue::$variant($given)
            }
        }
    )*};
}

param_default! {
    bool: Bool, value => value;
    i32: Int, value => value.into();
    i64: Int, value => value;
    f32: Float, value => value;
    f64: Double, value => value;
    Entity: Entity, value => value.0;
    [f32; 2]: Vec2, value => value;
    [f32; 3]: Vec3, value => value;
    &str: Text, value => value.to_owned();
}
