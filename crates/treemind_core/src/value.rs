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

    /// The number that it is, unless it is a text; `true` is 1 and `false` 0.
    pub fn strict_number(self) -> Option<f64> {
        match self {
            Value::Text(_) => None,
            other => other.number(),
        }
    }

    /// The whole number that it is, or, of a text, that it begins with.
    pub fn leading_whole(self) -> Option<i64> {
        let Value::Text(text) = self else {
            return self.whole();
        };
        let text = text.as_str();
        let sign = usize::from(text.starts_with('-'));
        let digits = text[sign..].bytes().take_while(u8::is_ascii_digit);
        text[..sign + digits.count()].parse().ok()
    }

    /// The number that it is, or, of a text, that it begins with, as C reads it: behind blanks, with a sign, in digits or
    /// `0x`, or `inf` or `nan`. The texts `true` and `false` are 1 and 0.
    pub fn leading_number(self) -> Option<f64> {
        let Value::Text(text) = self else {
            return self.number();
        };
        match text.as_str() {
            "true" => Some(1.0),
            "false" => Some(0.0),
            text => leading_number(text),
        }
    }

    /// -1 if it comes before the other value, 1 if it comes behind it, else 0: texts by their letters, all else by the
    /// [numbers](Self::leading_number) that they are; `None` if one of them is none.
    pub fn text_order(self, other: Value) -> Option<i64> {
        let order = match (self, other) {
            (Value::Text(one), Value::Text(two)) => one.as_str().cmp(two.as_str()),
            (Value::Int(one), Value::Int(two)) => one.cmp(&two),
            (one, two) => {
                let (one, two) = (one.leading_number()?, two.leading_number()?);
                one.partial_cmp(&two)?
            }
        };
        Some(order as i64)
    }

    /// As [`text_order`](Self::text_order), but numbers are 0 apart if they differ by less than 2⁻²³, and values that
    /// are neither texts nor numbers are 0 apart if they are the same, otherwise 1.
    pub fn likeness(self, other: Value) -> Option<i64> {
        if let (Value::Text(_), Value::Text(_)) | (Value::Int(_), Value::Int(_)) = (self, other) {
            return self.text_order(other);
        }
        let is_other = |value: Value| !matches!(value, Value::Text(_)) && value.number().is_none();
        if is_other(self) && is_other(other) {
            return Some(i64::from(self != other));
        }
        let (one, two) = (self.leading_number()?, other.leading_number()?);
        let is_near = (one - two).abs() <= f64::from(f32::EPSILON);
        Some(match is_near || one == two {
            true => 0,
            false => one.partial_cmp(&two).map_or(1, |order| order as i64),
        })
    }

    /// Whether both are the same, or numbers that differ by at most 2⁻²³. A text that is a number from its first letter to
    /// its last one, such as `03` or `3.0`, without a `+` before it, is that number, too.
    pub fn is_spelled_alike(self, other: Value) -> bool {
        let number = |value: Value| match value {
            Value::Text(text) if text.as_str().starts_with('+') => None,
            Value::Text(text) => text.as_str().parse().ok(),
            _ => value.number(),
        };
        let numbers = number(self).zip(number(other));
        let is_near = |(one, two): (f64, f64)| (one - two).abs() <= f64::from(f32::EPSILON);
        self == other || numbers.is_some_and(is_near)
    }
}

/// The number that a text begins with, as C's `strtod` reads it.
fn leading_number(text: &str) -> Option<f64> {
    let text = text.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '\u{b}');
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let begins = |word: &str| {
        let start = rest.get(..word.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    if begins("inf") {
        return Some(sign * f64::INFINITY);
    }
    if begins("nan") {
        return Some(f64::NAN);
    }
    let count = |text: &str, is_part: fn(&u8) -> bool| text.bytes().take_while(is_part).count();
    if begins("0x") {
        let digits = count(&rest[2..], u8::is_ascii_hexdigit);
        let digits = rest[2..2 + digits].chars();
        let value = digits.filter_map(|digit| digit.to_digit(16));
        return Some(sign * value.fold(0.0, |sum, digit| sum * 16.0 + f64::from(digit)));
    }
    let whole = count(rest, u8::is_ascii_digit);
    let mut end = whole;
    if rest[end..].starts_with('.') {
        let fraction = count(&rest[end + 1..], u8::is_ascii_digit);
        if whole + fraction > 0 {
            end += 1 + fraction;
        }
    }
    if let Some(power) = rest[end..].strip_prefix(['e', 'E']) {
        let signed = usize::from(power.starts_with(['+', '-']));
        let digits = count(&power[signed..], u8::is_ascii_digit);
        if digits > 0 {
            end += 1 + signed + digits;
        }
    }
    let number: f64 = rest[..end].parse().ok()?;
    Some(sign * number)
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
    use super::{Text, Value};

    #[test]
    fn values_are_small() {
        assert_eq!(size_of::<Value>(), 16);
    }

    /// As C reads them; `0x3.8` and `0x1p3` are the only spellings of which it reads more.
    #[test]
    fn texts_begin_with_numbers() {
        let text = |text: &str| Value::Text(Text::new(text));
        for (said, number) in [
            ("150ms", Some(150.0)),
            ("0x10", Some(16.0)),
            (" +2.5e1x", Some(25.0)),
            ("-.5", Some(-0.5)),
            ("3.", Some(3.0)),
            ("1e", Some(1.0)),
            ("true", Some(1.0)),
            ("false", Some(0.0)),
            ("-Infinity", Some(f64::NEG_INFINITY)),
            ("", None),
            ("- 1", None),
            (".", None),
            ("e5", None),
            ("True", None),
            ("ä1", None),
        ] {
            assert_eq!(text(said).leading_number(), number, "{said}");
        }
        for (said, whole) in [
            ("150ms", Some(150)),
            ("-2.9", Some(-2)),
            ("0x3", Some(0)),
            (" 2", None),
            ("+2", None),
            ("-", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(text(said).leading_whole(), whole, "{said}");
        }
        assert_eq!(Value::Double(2.5).leading_whole(), None);
        assert_eq!(text("3").strict_number(), None);
        assert_eq!(Value::Bool(true).strict_number(), Some(1.0));
        let like = |one: Value, other: Value| one.likeness(other);
        assert_eq!(like(text("3x"), Value::Int(3)), Some(0));
        assert_eq!(like(text("03"), text("3")), Some(-1));
        assert_eq!(like(Value::Double(0.1 + 0.2), Value::Double(0.3)), Some(0));
        assert_eq!(like(text("a"), Value::Int(3)), None);
        assert_eq!(like(Value::Entity(1), Value::Entity(2)), Some(1));
        assert_eq!(like(Value::Entity(1), Value::Int(1)), None);
        let alike = |one: Value, other: &str| one.is_spelled_alike(text(other));
        for (one, other, is) in [
            ("03", "3", true),
            ("3.0", "3", true),
            ("3e0", "3", true),
            ("a", "a", true),
            ("", "", true),
            ("+3", "3", false),
            (" 3", "3", false),
            ("3x", "3", false),
            ("a", "3", false),
            ("", "0", false),
        ] {
            assert_eq!(alike(text(one), other), is, "{one} {other}");
        }
        assert!(alike(Value::Int(3), "03") && !alike(Value::Int(3), "4"));
        assert!(alike(Value::Double(0.1 + 0.2), "0.3") && !alike(Value::Entity(3), "3"));
        assert_eq!(text("3x").text_order(Value::Double(3.5)), Some(-1));
        assert_eq!(text("a").text_order(Value::Int(3)), None);
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
