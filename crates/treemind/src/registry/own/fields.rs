//! Finds the parameters that a type takes, by letting it read made-up values.

use super::super::value::ENTITY;
use serde::de::value::{SeqDeserializer, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer,
    MapAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use std::cell::RefCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use treemind_doc::manifest::ParamType;

/// A field of a type, as a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Field {
    pub(in super::super) name: String,
    pub(in super::super) ty: ParamType,
    /// It has a default in the code.
    pub(in super::super) is_optional: bool,
}

/// The fields of a type, in order; `None` when they cannot be found, as for a type that refuses made-up values.
pub(in super::super) fn fields_of<T: DeserializeOwned>() -> Option<Vec<Field>> {
    let probe = Probe::default();
    probe.reads::<T>(None).then_some(())?;
    let names = probe.names.take();
    let types = probe.types.take();
    let fields = names.iter().zip(types).map(|(name, ty)| {
        Some(Field {
            name: (*name).to_owned(),
            ty: ty?,
            is_optional: Probe::default().reads::<T>(Some(name)),
        })
    });
    fields.collect()
}

/// Supplies whatever the type asks for, and records what that was.
#[derive(Default)]
struct Probe {
    names: RefCell<Vec<&'static str>>,
    types: RefCell<Vec<Option<ParamType>>>,
}

impl Probe {
    /// Whether the type can be read; on request, without one of its fields.
    fn reads<T: DeserializeOwned>(&self, without: Option<&str>) -> bool {
        let whole = Whole {
            probe: self,
            without,
        };
        // A type with its own way of reading may panic at values that it does not expect.
        catch_unwind(AssertUnwindSafe(|| T::deserialize(whole).is_ok())).unwrap_or(false)
    }
}

/// The type refused the made-up values.
#[derive(Debug)]
struct Refused;

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an invalid value is refused")
    }
}

impl std::error::Error for Refused {}

impl Error for Refused {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Refused
    }
}

/// The whole type.
#[derive(Clone, Copy)]
struct Whole<'p> {
    probe: &'p Probe,
    without: Option<&'p str>,
}

impl<'de> Deserializer<'de> for Whole<'_> {
    type Error = Refused;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        *self.probe.names.borrow_mut() = fields.to_vec();
        visitor.visit_map(Fields {
            whole: self,
            rest: fields,
        })
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refused> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refused> {
        visitor.visit_unit()
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_unit()
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Refused> {
        Err(Refused)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        seq tuple tuple_struct map enum identifier ignored_any
    }
}

struct Fields<'p> {
    whole: Whole<'p>,
    rest: &'static [&'static str],
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Refused;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Refused> {
        if let Some((first, rest)) = self.rest.split_first()
            && self.whole.without == Some(*first)
        {
            self.rest = rest;
        }
        let Some((first, rest)) = self.rest.split_first() else {
            return Ok(None);
        };
        self.rest = rest;
        let name: StrDeserializer<'_, Refused> = first.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Refused> {
        let types = &self.whole.probe.types;
        let index = types.borrow().len();
        types.borrow_mut().push(None);
        let found = |ty| types.borrow_mut()[index] = Some(ty);
        seed.deserialize(OneField { found: &found })
    }
}

/// One field; passes its type to `found`.
struct OneField<'f> {
    found: &'f dyn Fn(ParamType),
}

macro_rules! made_up {
    ($($method:ident: $ty:ident, $visit:ident($value:expr);)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
            (self.found)(ParamType::$ty);
            visitor.$visit($value)
        }
    )*};
}

impl<'de> Deserializer<'de> for OneField<'_> {
    type Error = Refused;

    // Of the types that do not accept every number, most accept 1.
    made_up! {
        deserialize_bool: Bool, visit_bool(false);
        deserialize_i8: Int, visit_i64(1);
        deserialize_i16: Int, visit_i64(1);
        deserialize_i32: Int, visit_i64(1);
        deserialize_i64: Int, visit_i64(1);
        deserialize_u8: Int, visit_i64(1);
        deserialize_u16: Int, visit_i64(1);
        deserialize_u32: Int, visit_i64(1);
        deserialize_u64: Int, visit_u64(1);
        deserialize_f32: Float, visit_f32(1.0);
        deserialize_f64: Double, visit_f64(1.0);
        deserialize_str: Text, visit_str("");
        deserialize_string: Text, visit_str("");
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refused> {
        if name != ENTITY {
            return visitor.visit_newtype_struct(self);
        }
        let read = visitor.visit_newtype_struct(OneField { found: &|_| {} });
        (self.found)(ParamType::Entity);
        read
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        let names = variants.iter().map(|name| (*name).to_owned()).collect();
        (self.found)(ParamType::Enum(names));
        let first = variants.first().ok_or(Refused)?;
        visitor.visit_enum(First(first))
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Refused> {
        let ty = match len {
            2 => ParamType::Vec2,
            3 => ParamType::Vec3,
            _ => return Err(Refused),
        };
        let zeros = [0.0_f32; 3].into_iter().take(len);
        let read = visitor.visit_seq(SeqDeserializer::new(zeros));
        (self.found)(ty);
        read
    }

    /// The field takes any value; its type is up to the document.
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Refused> {
        Err(Refused)
    }

    forward_to_deserialize_any! {
        i128 u128 char bytes byte_buf unit unit_struct seq tuple_struct map struct identifier
        ignored_any
    }
}

/// The first variant of an enumeration.
struct First(&'static str);

impl<'de> EnumAccess<'de> for First {
    type Error = Refused;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Refused> {
        let name: StrDeserializer<'_, Refused> = self.0.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for First {
    type Error = Refused;

    fn unit_variant(self) -> Result<(), Refused> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, Refused> {
        Err(Refused)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Refused> {
        Err(Refused)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Refused> {
        Err(Refused)
    }
}
