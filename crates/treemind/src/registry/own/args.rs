//! The arguments of a leaf in a form that serde reads: a map from the names of parameters to their values.

use super::super::value::ENTITY;
use serde::de::value::{SeqDeserializer, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer,
    MapAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use std::fmt;
use treemind_core::behaviour::{Enum, Param};
use treemind_core::{Type, Value};

/// Reads a type from the values of the given parameters.
pub(super) fn read<T: DeserializeOwned>(
    params: &[Param],
    enums: &[Enum],
    value: &dyn Fn(usize) -> Value,
) -> Result<T, ArgsError> {
    T::deserialize(Args {
        params,
        enums,
        value,
        at: 0,
    })
}

/// Why a type cannot be read from the arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ArgsError(String);

impl ArgsError {
    fn of_param(self, name: &str) -> Self {
        Self(format!("parameter `{name}`: {}", self.0))
    }
}

impl fmt::Display for ArgsError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for ArgsError {}

impl Error for ArgsError {
    #[cold]
    fn custom<T: fmt::Display>(text: T) -> Self {
        Self(text.to_string())
    }

    #[cold]
    fn missing_field(field: &'static str) -> Self {
        Self(format!("the leaf has no parameter `{field}`"))
    }

    #[cold]
    fn unknown_field(field: &str, _: &'static [&'static str]) -> Self {
        Self(format!("the code has no parameter `{field}`"))
    }
}

/// All arguments, starting with parameter `at`.
struct Args<'a> {
    params: &'a [Param],
    enums: &'a [Enum],
    value: &'a dyn Fn(usize) -> Value,
    at: usize,
}

impl<'de> Deserializer<'de> for Args<'_> {
    type Error = ArgsError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgsError> {
        visitor.visit_map(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgsError> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ArgsError> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ArgsError> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> MapAccess<'de> for Args<'_> {
    type Error = ArgsError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, ArgsError> {
        let Some(param) = self.params.get(self.at) else {
            return Ok(None);
        };
        let name: StrDeserializer<'_, ArgsError> = param.name.as_str().into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ArgsError> {
        let index = self.at;
        self.at += 1;
        let value = OneValue {
            value: (self.value)(index),
            enums: self.enums,
        };
        seed.deserialize(value)
            .map_err(|error| error.of_param(&self.params[index].name))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.params.len() - self.at)
    }
}

/// One argument.
struct OneValue<'a> {
    value: Value,
    enums: &'a [Enum],
}

impl<'a> OneValue<'a> {
    /// The name of a value of an enumeration, or a text.
    fn name(&self) -> Option<&'a str> {
        match self.value {
            Value::Enum(list, index) => {
                let values = &self.enums.get(list.index())?.values;
                values.get(index as usize).map(String::as_str)
            }
            Value::Text(text) => Some(text.as_str()),
            _ => None,
        }
    }

    /// The error that says what the value is, for a type that takes something else.
    #[cold]
    #[warn(clippy::wildcard_enum_match_arm)]
    fn wrong(&self, wanted: &str) -> ArgsError {
        let found = match self.value {
            Value::Bool(value) => Unexpected::Bool(value).to_string(),
            Value::Int(value) => Unexpected::Signed(value).to_string(),
            Value::Float(value) => format!("float `{value}`"),
            Value::Double(value) => format!("double `{value}`"),
            Value::Entity(value) => format!("entity `{value}`"),
            Value::Vec2(_) | Value::Vec3(_) | Value::Text(_) => format!("`{}`", self.value),
            Value::Enum(..) => format!("`{}`", self.name().unwrap_or_default()),
            _ => treemind_core::unlisted(&self.value),
        };
        ArgsError(format!("expected {wanted}, found {found}"))
    }
}

/// Numbers of any width; serde refuses a number that does not fit.
macro_rules! ints {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgsError> {
            match self.value {
                Value::Int(value) => visitor.visit_i64(value),
                _ => Err(self.wrong("an int")),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for OneValue<'_> {
    type Error = ArgsError;

    ints! { deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8
    deserialize_u16 deserialize_u32 }

    #[warn(clippy::wildcard_enum_match_arm)]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgsError> {
        match self.value {
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Int(value) => visitor.visit_i64(value),
            Value::Float(value) => visitor.visit_f32(value),
            Value::Double(value) => visitor.visit_f64(value),
            Value::Entity(value) => visitor.visit_u64(value),
            Value::Vec2(parts) => visitor.visit_seq(Parts::new(parts.iter().copied())),
            Value::Vec3(parts) => visitor.visit_seq(Parts::new(parts.iter().copied())),
            Value::Text(text) => visitor.visit_str(text.as_str()),
            Value::Enum(..) => visitor.visit_str(self.name().unwrap_or_default()),
            _ => treemind_core::unlisted(&self.value),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgsError> {
        match self.value {
            Value::Bool(value) => visitor.visit_bool(value),
            _ => Err(self.wrong("a bool")),
        }
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgsError> {
        match self.value {
            Value::Int(value) => visitor.visit_i64(value),
            Value::Entity(value) => visitor.visit_u64(value),
            _ => Err(self.wrong("an int or an entity")),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgsError> {
        match self.value.widened(Type::Float) {
            Some(Value::Float(value)) => visitor.visit_f32(value),
            _ => Err(self.wrong("a float")),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgsError> {
        match self.value.widened(Type::Double) {
            Some(Value::Double(value)) => visitor.visit_f64(value),
            _ => Err(self.wrong("a double")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgsError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ArgsError> {
        match self.value {
            Value::Entity(_) => visitor.visit_newtype_struct(self),
            _ if name == ENTITY => Err(self.wrong("an entity")),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ArgsError> {
        match self.name() {
            Some(name) => visitor.visit_enum(Name(name)),
            None => Err(self.wrong("one of the names of an enum")),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ArgsError> {
        // A vector type with the fields x, y and z also takes its parts in that order.
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        i128 u128 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map
        identifier ignored_any
    }
}

/// The parts of a vector.
type Parts<'v> = SeqDeserializer<std::iter::Copied<std::slice::Iter<'v, f32>>, ArgsError>;

/// The name of a value of an enumeration, for an enumeration in the code.
struct Name<'a>(&'a str);

impl<'de, 'a> EnumAccess<'de> for Name<'a> {
    type Error = ArgsError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), ArgsError> {
        let name: StrDeserializer<'a, ArgsError> = self.0.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Name<'_> {
    type Error = ArgsError;

    fn unit_variant(self) -> Result<(), ArgsError> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, ArgsError> {
        Err(self.holds_more())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, ArgsError> {
        Err(self.holds_more())
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, ArgsError> {
        Err(self.holds_more())
    }
}

impl Name<'_> {
    #[cold]
    fn holds_more(&self) -> ArgsError {
        ArgsError(format!(
            "`{}` is only a name, but the code takes a variant with fields",
            self.0
        ))
    }
}
