//! The leaves of a host as data: written as a document, exchanged as JSON, and compared.

mod json;
mod kdl;

pub(crate) use kdl::write_value;

use serde::{Deserialize, Serialize};
use treemind_core::behaviour::{Enum, Leaf, LeafKind, Life, Param};
use treemind_core::{EnumId, Text, Type, Value};

/// The leaves that a host provides, with their parameters.
///
/// [`to_kdl`](Self::to_kdl) writes it as a document that others may import; with serde it is an object `{"leaves":
/// […]}`. Reading either gives the same manifest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// In the order in which they were declared or registered.
    pub leaves: Vec<LeafEntry>,
}

/// One leaf.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeafEntry {
    /// The name, kebab-case.
    pub name: String,
    /// Its kind.
    pub kind: LeafWord,
    /// Its number in tables that identify leaves by number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// Whether it is an action that never answers running.
    #[serde(default, skip_serializing_if = "is_false")]
    pub instant: bool,
    /// Whether it is an action that is not updated: the host reports when it has ended.
    #[serde(default, skip_serializing_if = "is_false")]
    pub reports: bool,
    /// How many children a composite has; `None` for other kinds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub children: Option<ChildCount>,
    /// The type of what candidates are; `None` for other kinds.
    #[serde(
        default,
        rename = "type",
        with = "json::listed",
        skip_serializing_if = "Option::is_none"
    )]
    pub ty: Option<ParamType>,
    /// One line for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// The parameters, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<ParamEntry>,
}

/// The kind of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum LeafWord {
    /// Asked.
    Condition,
    /// Carried out.
    Action,
    /// Called before a child, again and again.
    Service,
    /// A node with children.
    Composite,
    /// A node with one child.
    Decorator,
    /// Asked for the value of keys.
    Sensor,
    /// Emitted by agents.
    Event,
    /// Lists the candidates of a `find`.
    Candidates,
    /// Measures candidates.
    Measure,
}

/// How many children a composite of the host has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChildCount {
    /// At least 1.
    pub least: u32,
    /// `None` means no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<u32>,
}

/// A parameter of a leaf.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "json::WrittenParam", try_from = "json::WrittenParam")]
pub struct ParamEntry {
    /// The name, snake_case.
    pub name: String,
    /// The type.
    pub ty: ParamType,
    /// The value for nodes that give none, of the same type; without a default, every node must give one.
    pub default: Option<ParamValue>,
    /// Whether nodes may give a key itself, which the leaf reads and writes.
    pub by_key: bool,
    /// One line for people.
    pub doc: Option<String>,
}

/// The type of a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParamType {
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `entity`
    Entity,
    /// `vec2`
    Vec2,
    /// `vec3`
    Vec3,
    /// `string`
    Text,
    /// `any`
    Any,
    /// `enum`, with the names of its values.
    Enum(Vec<String>),
}

/// A value of a parameter.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ParamValue {
    /// Of a `bool`.
    Bool(bool),
    /// Of an `int`.
    Int(i64),
    /// Of a `float`.
    Float(f32),
    /// Of a `double`.
    Double(f64),
    /// Of an `entity`.
    Entity(u64),
    /// Of a `vec2`.
    Vec2([f32; 2]),
    /// Of a `vec3`.
    Vec3([f32; 3]),
    /// Of a `string`.
    Text(String),
    /// Of an `enum`.
    Name(String),
}

impl ParamValue {
    /// The value as a leaf reads it. The name of a value of an enumeration is a text.
    pub fn value(&self) -> Value {
        match self {
            Self::Bool(value) => Value::Bool(*value),
            Self::Int(value) => Value::Int(*value),
            Self::Float(value) => Value::Float(*value),
            Self::Double(value) => Value::Double(*value),
            Self::Entity(bits) => Value::Entity(*bits),
            Self::Vec2(parts) => Value::Vec2(*parts),
            Self::Vec3(parts) => Value::Vec3(*parts),
            Self::Text(text) | Self::Name(text) => Value::Text(Text::new(text)),
        }
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}

impl Manifest {
    /// The leaves of a behaviour or a document; `enums` holds the enumerations that their types refer to.
    pub fn new(leaves: &[Leaf], enums: &[Enum]) -> Self {
        let leaves = leaves.iter().map(|leaf| LeafEntry::new(leaf, enums));
        Self {
            leaves: leaves.collect(),
        }
    }

    /// The leaf with this name.
    pub fn leaf(&self, name: &str) -> Option<&LeafEntry> {
        self.leaves.iter().find(|leaf| leaf.name == name)
    }
}

impl LeafEntry {
    /// A leaf with only a name and a kind.
    pub fn plain(name: impl Into<String>, kind: LeafWord) -> Self {
        Self {
            name: name.into(),
            kind,
            number: None,
            instant: false,
            reports: false,
            children: None,
            ty: None,
            doc: None,
            params: Vec::new(),
        }
    }

    /// A leaf; `enums` holds the enumerations that its types refer to.
    pub fn new(leaf: &Leaf, enums: &[Enum]) -> Self {
        let action = |life| LeafKind::Action { life };
        Self {
            name: leaf.name.clone(),
            kind: LeafWord::of(leaf.kind),
            number: leaf.number,
            instant: leaf.kind == action(Life::Instant),
            reports: leaf.kind == action(Life::Reported),
            children: match leaf.kind {
                LeafKind::Composite { least, most } => Some(ChildCount { least, most }),
                _ => None,
            },
            ty: match leaf.kind {
                LeafKind::Candidates { ty } => Some(ParamType::new(ty, enums)),
                _ => None,
            },
            doc: leaf.doc.clone(),
            params: leaf
                .params
                .iter()
                .map(|param| ParamEntry::new(param, enums))
                .collect(),
        }
    }

    /// The parameter with this name.
    pub fn param(&self, name: &str) -> Option<&ParamEntry> {
        self.params.iter().find(|param| param.name == name)
    }
}

impl ChildCount {
    /// Whether this allows every number that `other` allows.
    pub fn covers(self, other: ChildCount) -> bool {
        let most = match (self.most, other.most) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(own), Some(other)) => other <= own,
        };
        self.least <= other.least && most
    }
}

impl LeafWord {
    /// The word for a kind of leaf.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub fn of(kind: LeafKind) -> Self {
        match kind {
            LeafKind::Condition => LeafWord::Condition,
            LeafKind::Action { .. } => LeafWord::Action,
            LeafKind::Service => LeafWord::Service,
            LeafKind::Composite { .. } => LeafWord::Composite,
            LeafKind::Decorator => LeafWord::Decorator,
            LeafKind::Sensor => LeafWord::Sensor,
            LeafKind::Event => LeafWord::Event,
            LeafKind::Candidates { .. } => LeafWord::Candidates,
            LeafKind::Measure => LeafWord::Measure,
            _ => treemind_core::unlisted(&kind),
        }
    }

    /// The keyword in documents.
    pub fn keyword(self) -> &'static str {
        match self {
            LeafWord::Condition => "condition",
            LeafWord::Action => "action",
            LeafWord::Service => "service",
            LeafWord::Composite => "composite",
            LeafWord::Decorator => "decorator",
            LeafWord::Sensor => "sensor",
            LeafWord::Event => "event",
            LeafWord::Candidates => "candidates",
            LeafWord::Measure => "measure",
        }
    }
}

impl ParamEntry {
    /// A parameter; `enums` holds the enumerations that its type may refer to.
    pub fn new(param: &Param, enums: &[Enum]) -> Self {
        Self {
            name: param.name.clone(),
            ty: ParamType::new(param.ty, enums),
            default: param.default.map(|value| ParamValue::new(value, enums)),
            by_key: param.by_key,
            doc: param.doc.clone(),
        }
    }
}

/// The names of an enumeration.
fn names(list: EnumId, enums: &[Enum]) -> &[String] {
    enums
        .get(list.index())
        .map_or(&[], |list| list.values.as_slice())
}

impl ParamType {
    /// A type; `enums` holds the enumerations that it may refer to.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub fn new(ty: Type, enums: &[Enum]) -> Self {
        match ty {
            Type::Bool => ParamType::Bool,
            Type::Int => ParamType::Int,
            Type::Float => ParamType::Float,
            Type::Double => ParamType::Double,
            Type::Entity => ParamType::Entity,
            Type::Vec2 => ParamType::Vec2,
            Type::Vec3 => ParamType::Vec3,
            Type::Text => ParamType::Text,
            Type::Any => ParamType::Any,
            Type::Enum(list) => ParamType::Enum(names(list, enums).to_vec()),
            _ => treemind_core::unlisted(&ty),
        }
    }

    /// The keyword in documents.
    pub fn keyword(&self) -> &'static str {
        match self {
            ParamType::Bool => "bool",
            ParamType::Int => "int",
            ParamType::Float => "float",
            ParamType::Double => "double",
            ParamType::Entity => "entity",
            ParamType::Vec2 => "vec2",
            ParamType::Vec3 => "vec3",
            ParamType::Text => "string",
            ParamType::Any => "any",
            ParamType::Enum(_) => "enum",
        }
    }

    /// Whether a value of this type is accepted where `to` is required: the same type, int → float → double, an
    /// enum with fewer names, or any type for `any`.
    pub fn widens_to(&self, to: &ParamType) -> bool {
        match (self, to) {
            (ParamType::Enum(own), ParamType::Enum(other)) => {
                own.iter().all(|name| other.contains(name))
            }
            (_, ParamType::Any)
            | (ParamType::Int, ParamType::Float | ParamType::Double)
            | (ParamType::Float, ParamType::Double) => true,
            (own, other) => own == other,
        }
    }
}

macro_rules! param_value {
    ($($rust:ty: $variant:ident;)*) => {$(
        impl From<$rust> for ParamValue {
            fn from(value: $rust) -> Self {
                ParamValue::$variant(value.into())
            }
        }
    )*};
}

param_value! {
    bool: Bool;
    i32: Int;
    i64: Int;
    f32: Float;
    f64: Double;
    [f32; 2]: Vec2;
    [f32; 3]: Vec3;
    &str: Text;
}

impl ParamValue {
    /// Its type; for a name, an enumeration that contains only this name.
    pub fn ty(&self) -> ParamType {
        match self {
            ParamValue::Bool(_) => ParamType::Bool,
            ParamValue::Int(_) => ParamType::Int,
            ParamValue::Float(_) => ParamType::Float,
            ParamValue::Double(_) => ParamType::Double,
            ParamValue::Entity(_) => ParamType::Entity,
            ParamValue::Vec2(_) => ParamType::Vec2,
            ParamValue::Vec3(_) => ParamType::Vec3,
            ParamValue::Text(_) => ParamType::Text,
            ParamValue::Name(name) => ParamType::Enum(vec![name.clone()]),
        }
    }

    /// A value; `enums` holds the enumerations that it may refer to.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub fn new(value: Value, enums: &[Enum]) -> Self {
        match value {
            Value::Bool(value) => ParamValue::Bool(value),
            Value::Int(value) => ParamValue::Int(value),
            Value::Float(value) => ParamValue::Float(value),
            Value::Double(value) => ParamValue::Double(value),
            Value::Entity(value) => ParamValue::Entity(value),
            Value::Vec2(value) => ParamValue::Vec2(value),
            Value::Vec3(value) => ParamValue::Vec3(value),
            Value::Text(value) => ParamValue::Text(value.as_str().to_owned()),
            Value::Enum(list, index) => {
                let name = names(list, enums).get(index as usize);
                ParamValue::Name(name.cloned().unwrap_or_default())
            }
            _ => treemind_core::unlisted(&value),
        }
    }

    /// The value as `to`, if [`ParamType::widens_to`] allows it.
    pub fn widened(self, to: &ParamType) -> Option<ParamValue> {
        match (self, to) {
            (ParamValue::Int(value), ParamType::Float) => Some(ParamValue::Float(value as f32)),
            (ParamValue::Int(value), ParamType::Double) => Some(ParamValue::Double(value as f64)),
            (ParamValue::Float(value), ParamType::Double) => Some(ParamValue::Double(value.into())),
            (value, to) => value.is_of(to).then_some(value),
        }
    }

    /// Whether it has this type.
    pub fn is_of(&self, ty: &ParamType) -> bool {
        match (self, ty) {
            (ParamValue::Bool(_), ParamType::Bool)
            | (ParamValue::Int(_), ParamType::Int)
            | (ParamValue::Float(_), ParamType::Float)
            | (ParamValue::Double(_), ParamType::Double)
            | (ParamValue::Entity(_), ParamType::Entity)
            | (ParamValue::Vec2(_), ParamType::Vec2)
            | (ParamValue::Vec3(_), ParamType::Vec3)
            | (ParamValue::Text(_), ParamType::Text)
            | (_, ParamType::Any) => true,
            (ParamValue::Name(name), ParamType::Enum(names)) => names.contains(name),
            _ => false,
        }
    }
}
