//! Types and values of blackboard keys, parameters and expressions.

use crate::ids::EnumId;
use crate::text::Text;
use std::borrow::Cow;
use std::fmt;

/// The type of a key, a parameter or an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Type {
    /// `bool`
    Bool,
    /// `int`: 64-bit signed
    Int,
    /// `float`: 32-bit IEEE
    Float,
    /// `double`: 64-bit IEEE
    Double,
    /// `enum`: one of a list of names
    Enum(EnumId),
    /// `entity`: a handle of the host, 64 bits that Treemind only compares and passes on
    Entity,
    /// `vec2`: two floats
    Vec2,
    /// `vec3`: three floats
    Vec3,
    /// `string`: interned text
    Text,
    /// `any`: a value of any other type, together with its type
    Any,
}

impl Type {
    /// The keyword in documents.
    pub fn keyword(self) -> &'static str {
        match self {
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Float => "float",
            Type::Double => "double",
            Type::Enum(_) => "enum",
            Type::Entity => "entity",
            Type::Vec2 => "vec2",
            Type::Vec3 => "vec3",
            Type::Text => "string",
            Type::Any => "any",
        }
    }

    /// Whether it is a number type, which has an order and all arithmetic.
    pub fn is_number(self) -> bool {
        matches!(self, Type::Int | Type::Float | Type::Double)
    }

    /// How many floats a vector has; `None` for other types.
    pub fn parts(self) -> Option<usize> {
        match self {
            Type::Vec2 => Some(2),
            Type::Vec3 => Some(3),
            _ => None,
        }
    }

    /// Whether a value of this type is accepted where `to` is required: the same type, int → float → double, or any
    /// type for `any`.
    pub fn widens_to(self, to: Type) -> bool {
        self == to
            || to == Type::Any
            || matches!(
                (self, to),
                (Type::Int, Type::Float | Type::Double) | (Type::Float, Type::Double)
            )
    }

    /// Whether a key or parameter of this type may hold the value as it is.
    pub fn holds(self, value: Value) -> bool {
        self == Type::Any || self == value.ty()
    }

    /// The default value of keys of this type: `false`, 0, the first value of an enumeration, a vector of zeros,
    /// the empty text; for `any` the int 0.
    pub fn zero(self) -> Value {
        match self {
            Type::Bool => Value::Bool(false),
            Type::Int | Type::Any => Value::Int(0),
            Type::Float => Value::Float(0.0),
            Type::Double => Value::Double(0.0),
            Type::Enum(list) => Value::Enum(list, 0),
            Type::Entity => Value::Entity(0),
            Type::Vec2 => Value::Vec2([0.0; 2]),
            Type::Vec3 => Value::Vec3([0.0; 3]),
            Type::Text => Value::Text(Text::default()),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.keyword())
    }
}

/// A value of one of the [`Type`]s except `any`: a key of type `any` holds a value of another type.
///
/// `==` compares values of one type only, and floats as IEEE does. [`is_same`](Self::is_same) is the `==` of
/// expressions between values of type `any`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A `bool`.
    Bool(bool),
    /// An `int`.
    Int(i64),
    /// A `float`.
    Float(f32),
    /// A `double`.
    Double(f64),
    /// An `enum` value: its enumeration, and the position in it.
    Enum(EnumId, u32),
    /// An `entity`.
    Entity(u64),
    /// A `vec2`: x and y.
    Vec2([f32; 2]),
    /// A `vec3`: x, y and z.
    Vec3([f32; 3]),
    /// A `string`.
    Text(Text),
}

impl Value {
    /// The type of this value.
    pub fn ty(self) -> Type {
        match self {
            Value::Bool(_) => Type::Bool,
            Value::Int(_) => Type::Int,
            Value::Float(_) => Type::Float,
            Value::Double(_) => Type::Double,
            Value::Enum(list, _) => Type::Enum(list),
            Value::Entity(_) => Type::Entity,
            Value::Vec2(_) => Type::Vec2,
            Value::Vec3(_) => Type::Vec3,
            Value::Text(_) => Type::Text,
        }
    }

    /// The number of a `double`; NaN for values of other types.
    pub(crate) fn as_double(self) -> f64 {
        match self {
            Value::Double(double) => double,
            _ => f64::NAN,
        }
    }

    /// The value converted to `to`, when [`Type::widens_to`] allows it.
    pub fn widened(self, to: Type) -> Option<Value> {
        match (self, to) {
            (value, to) if to.holds(value) => Some(value),
            (Value::Int(int), Type::Float) => Some(Value::Float(int as f32)),
            (Value::Int(int), Type::Double) => Some(Value::Double(int as f64)),
            (Value::Float(float), Type::Double) => Some(Value::Double(f64::from(float))),
            _ => None,
        }
    }

    /// Whether two values are the same when their types are not known in advance: numbers are compared by value,
    /// whatever their types and without rounding; values of other types are never the same as a value of a
    /// different type.
    pub fn is_same(self, other: Value) -> bool {
        let whole = |int: i64, real: f64| {
            // Outside the range of an int, the conversion gives the nearest end of the range; converting back shows
            // this.
            real as i128 == i128::from(int) && real as i128 as f64 == real
        };
        match (self, other) {
            (Value::Int(int), Value::Float(float)) | (Value::Float(float), Value::Int(int)) => {
                whole(int, f64::from(float))
            }
            (Value::Int(int), Value::Double(double)) | (Value::Double(double), Value::Int(int)) => {
                whole(int, double)
            }
            (Value::Float(float), Value::Double(double))
            | (Value::Double(double), Value::Float(float)) => f64::from(float) == double,
            (left, right) => left == right,
        }
    }
}

impl Value {
    /// As a part of a text: texts as they are, floats and doubles with six places behind the point, and all else as it
    /// is displayed.
    pub fn in_text(self) -> Cow<'static, str> {
        match self {
            Value::Text(text) => Cow::Borrowed(text.as_str()),
            Value::Float(value) => Cow::Owned(format!("{value:.6}")),
            Value::Double(value) => Cow::Owned(format!("{value:.6}")),
            other => Cow::Owned(other.to_string()),
        }
    }

    /// The whole number that it is: a number without a fraction that an `int` can hold, or the text of an `int`; `true`
    /// is 1 and `false` 0.
    pub fn whole(self) -> Option<i64> {
        let double = match self {
            Value::Int(value) => return Some(value),
            Value::Text(text) => return text.as_str().trim().parse().ok(),
            other => other.number()?,
        };
        // 2^63 is the first number that is too large. NaN is in no range.
        let limit = -(i64::MIN as f64);
        ((-limit..limit).contains(&double) && double.fract() == 0.0).then_some(double as i64)
    }

    /// The number that it is, or that its text is; `true` is 1 and `false` 0.
    pub fn number(self) -> Option<f64> {
        match self {
            Value::Bool(value) => Some(f64::from(u8::from(value))),
            Value::Int(value) => Some(value as f64),
            Value::Float(value) => Some(f64::from(value)),
            Value::Double(value) => Some(value),
            Value::Text(text) => text.as_str().trim().parse().ok(),
            _ => None,
        }
    }

    /// -1 if it comes before the other value, 1 if it comes behind it, else 0: numbers by their values, texts by their
    /// letters, and a text that is a number with a number as numbers.
    pub fn text_order(self, other: Value) -> i64 {
        let order = match (self, other) {
            (Value::Text(one), Value::Text(two)) => Some(one.as_str().cmp(two.as_str())),
            (Value::Int(one), Value::Int(two)) => Some(one.cmp(&two)),
            (one, two) => match (one.number(), two.number()) {
                (Some(one), Some(two)) => one.partial_cmp(&two),
                _ => None,
            },
        };
        order.map_or(0, |order| order as i64)
    }
}

impl fmt::Display for Value {
    /// Numbers as Rust prints them; vectors and texts as in expressions, `vec2(1, 0.5)` and `'north'`; an `enum`
    /// value as its position (only the [`Behaviour`](crate::Behaviour) knows its name).
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(out, "{value}"),
            Value::Int(value) => write!(out, "{value}"),
            Value::Float(value) => write!(out, "{value}"),
            Value::Double(value) => write!(out, "{value}"),
            Value::Enum(_, value) => write!(out, "{value}"),
            Value::Entity(value) => write!(out, "{value}"),
            Value::Vec2([x, y]) => write!(out, "vec2({x}, {y})"),
            Value::Vec3([x, y, z]) => write!(out, "vec3({x}, {y}, {z})"),
            Value::Text(text) => write!(out, "'{text}'"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn values_are_small() {
        assert_eq!(size_of::<Value>(), 16);
    }

    #[test]
    fn numbers_of_different_types_are_the_same_by_what_they_are_worth() {
        let same = |left: Value, right: Value| {
            assert_eq!(left.is_same(right), right.is_same(left));
            left.is_same(right)
        };
        assert!(same(Value::Int(2), Value::Float(2.0)));
        assert!(same(Value::Int(0), Value::Double(-0.0)));
        assert!(same(Value::Float(0.5), Value::Double(0.5)));
        assert!(same(Value::Int(i64::MIN), Value::Double(i64::MIN as f64)));
        assert!(!same(Value::Int(2), Value::Double(2.5)));
        assert!(!same(Value::Float(0.1), Value::Double(0.1)));
        // The double is 2⁶³, which is one more than the greatest int.
        assert!(!same(Value::Int(i64::MAX), Value::Double(i64::MAX as f64)));
        assert!(!same(Value::Int(i64::MAX), Value::Double(f64::INFINITY)));
        let odd = (1i64 << 53) + 1;
        assert!(!same(Value::Int(odd), Value::Double(odd as f64)));
        assert!(!same(Value::Double(f64::NAN), Value::Double(f64::NAN)));
        assert!(!same(Value::Int(0), Value::Float(f32::NAN)));
        assert!(!same(Value::Int(1), Value::Bool(true)));
        assert!(!same(Value::Int(1), Value::Entity(1)));
        assert!(!same(Value::Vec2([1.0, 0.0]), Value::Vec3([1.0, 0.0, 0.0])));
    }
}
