//! Values of type `any` as columns store them: a tag for the type, and up to 96 bits for the value.

use crate::ids::EnumId;
use crate::text::Text;
use crate::value::Value;

/// The type of a packed value. The order is that of the numbers in columns; 0, which is also zeroed memory, is the
/// int 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    Int,
    Bool,
    Float,
    Double,
    Enum,
    Entity,
    Vec2,
    Vec3,
    Text,
}

impl Tag {
    const ALL: [Tag; 9] = [
        Tag::Int,
        Tag::Bool,
        Tag::Float,
        Tag::Double,
        Tag::Enum,
        Tag::Entity,
        Tag::Vec2,
        Tag::Vec3,
        Tag::Text,
    ];

    /// The type with this number in columns.
    pub(crate) fn of(number: u32) -> Option<Self> {
        Tag::ALL.get(number as usize).copied()
    }
}

/// The cells of one value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Packed {
    pub(crate) tag: u32,
    pub(crate) wide: u64,
    pub(crate) narrow: u32,
}

fn two(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

impl Packed {
    pub(crate) fn of(value: Value) -> Self {
        let (tag, wide, narrow) = match value {
            Value::Int(value) => (Tag::Int, value as u64, 0),
            Value::Bool(value) => (Tag::Bool, u64::from(value), 0),
            Value::Float(value) => (Tag::Float, u64::from(value.to_bits()), 0),
            Value::Double(value) => (Tag::Double, value.to_bits(), 0),
            Value::Enum(list, value) => (Tag::Enum, two(value, list.0), 0),
            Value::Entity(value) => (Tag::Entity, value, 0),
            Value::Vec2([x, y]) => (Tag::Vec2, two(x.to_bits(), y.to_bits()), 0),
            Value::Vec3([x, y, z]) => (Tag::Vec3, two(x.to_bits(), y.to_bits()), z.to_bits()),
            Value::Text(text) => (Tag::Text, u64::from(text.number()), 0),
        };
        Self {
            tag: tag as u32,
            wide,
            narrow,
        }
    }

    pub(crate) fn value(self) -> Value {
        let Packed { tag, wide, narrow } = self;
        let low = wide as u32;
        let high = (wide >> 32) as u32;
        let tag = Tag::of(tag).unwrap_or(Tag::Int);
        match tag {
            Tag::Int => Value::Int(wide as i64),
            Tag::Bool => Value::Bool(wide != 0),
            Tag::Float => Value::Float(f32::from_bits(low)),
            Tag::Double => Value::Double(f64::from_bits(wide)),
            Tag::Enum => Value::Enum(EnumId(high), low),
            Tag::Entity => Value::Entity(wide),
            Tag::Vec2 => Value::Vec2([f32::from_bits(low), f32::from_bits(high)]),
            Tag::Vec3 => Value::Vec3([
                f32::from_bits(low),
                f32::from_bits(high),
                f32::from_bits(narrow),
            ]),
            Tag::Text => Value::Text(Text::from_bits(low)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Packed, Tag};
    use crate::ids::EnumId;
    use crate::text::Text;
    use crate::value::Value;

    #[test]
    fn what_is_packed_comes_out_as_it_was() {
        let values = [
            Value::Int(i64::MIN),
            Value::Bool(true),
            Value::Float(-1.5),
            Value::Double(1e300),
            Value::Enum(EnumId(u32::MAX), 7),
            Value::Entity(u64::MAX),
            Value::Vec2([1.0, -2.0]),
            Value::Vec3([1.0, -2.0, f32::MAX]),
            Value::Text(Text::new("north")),
        ];
        assert_eq!(values.len(), Tag::ALL.len());
        for (place, value) in values.into_iter().enumerate() {
            let packed = Packed::of(value);
            assert_eq!(packed.tag as usize, place);
            assert_eq!(packed.value(), value);
        }
        assert_eq!(Packed::default().value(), Value::Int(0));
        for (place, tag) in Tag::ALL.into_iter().enumerate() {
            assert_eq!(tag as usize, place);
        }
    }
}
