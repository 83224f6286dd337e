//! Rust types for what stands in arguments and on the blackboard.

use treemind_core::{Text, Type, Value};

/// A handle of the game's own, for parameters and keys of type `entity`: 64 bits that Treemind only hands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entity(pub u64);

/// A Rust type that stands for a type of the blackboard: `bool`, `i64` (`int`), `f32` (`float`), `f64` (`double`),
/// [`Entity`], `[f32; 2]` (`vec2`), `[f32; 3]` (`vec3`), [`Text`] or `&str` (`string`), or [`Value`] for any type, `enum`
/// and `any` included.
pub trait KeyType: Copy {
    /// The word that documents use for it.
    const KEYWORD: &'static str;

    /// Whether keys of this type hold exactly such values.
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
