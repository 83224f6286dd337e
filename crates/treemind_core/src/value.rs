//! Types and values of blackboard keys, parameters and expressions.

use crate::ids::EnumId;
use std::fmt;

/// The type of a key, a parameter or an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `bool`
    Bool,
    /// `int`: 64-bit signed
    Int,
    /// `float`: 32-bit IEEE
    Float,
    /// `double`: 64-bit IEEE
    Double,
    /// `enum`: one of the names of a list
    Enum(EnumId),
    /// `entity`: a handle of the host's, 64 bits that Treemind only compares and hands on
    Entity,
}

impl Type {
    /// The word that documents use.
    pub fn keyword(self) -> &'static str {
        match self {
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Float => "float",
            Type::Double => "double",
            Type::Enum(_) => "enum",
            Type::Entity => "entity",
        }
    }

    /// Whether arithmetic is possible.
    pub fn is_number(self) -> bool {
        matches!(self, Type::Int | Type::Float | Type::Double)
    }

    /// Whether a value of this type is accepted where `to` is wanted: the same type, or int → float → double.
    pub fn widens_to(self, to: Type) -> bool {
        self == to
            || matches!(
                (self, to),
                (Type::Int, Type::Float | Type::Double) | (Type::Float, Type::Double)
            )
    }
}

impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.keyword())
    }
}

/// A value of one of the [`Type`]s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A `bool`.
    Bool(bool),
    /// An `int`.
    Int(i64),
    /// A `float`.
    Float(f32),
    /// A `double`.
    Double(f64),
    /// The list and the position in it of an `enum` value.
    Enum(EnumId, u32),
    /// An `entity`.
    Entity(u64),
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
        }
    }

    /// The number of a `double`; not a number for values of other types.
    pub(crate) fn as_double(self) -> f64 {
        match self {
            Value::Double(double) => double,
            _ => f64::NAN,
        }
    }

    /// The value as `to`, when [`Type::widens_to`] allows that.
    pub fn widened(self, to: Type) -> Option<Value> {
        match (self, to) {
            (value, to) if value.ty() == to => Some(value),
            (Value::Int(int), Type::Float) => Some(Value::Float(int as f32)),
            (Value::Int(int), Type::Double) => Some(Value::Double(int as f64)),
            (Value::Float(float), Type::Double) => Some(Value::Double(f64::from(float))),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    /// Numbers as Rust prints them; an `enum` value as its position (its name is known to the
    /// [`Behaviour`](crate::Behaviour) only).
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(out, "{value}"),
            Value::Int(value) => write!(out, "{value}"),
            Value::Float(value) => write!(out, "{value}"),
            Value::Double(value) => write!(out, "{value}"),
            Value::Enum(_, value) => write!(out, "{value}"),
            Value::Entity(value) => write!(out, "{value}"),
        }
    }
}
