//! Parameters in serde's form: the type is a word, and the default is written as in a document.

use super::{ParamEntry, ParamType, ParamValue};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenParam {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    values: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    default: Option<WrittenValue>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    by_key: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    doc: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenValue {
    Bool(bool),
    Int(i64),
    Entity(u64),
    Double(f64),
    /// Only for writing: a number that is read becomes a double first.
    Float(f32),
    Vector(Vec<f32>),
    Text(String),
}

impl From<ParamEntry> for WrittenParam {
    fn from(param: ParamEntry) -> Self {
        let ty = param.ty.keyword().to_owned();
        Self {
            name: param.name,
            ty,
            values: match param.ty {
                ParamType::Enum(values) => values,
                _ => Vec::new(),
            },
            default: param.default.map(|value| match value {
                ParamValue::Bool(value) => WrittenValue::Bool(value),
                ParamValue::Int(value) => WrittenValue::Int(value),
                ParamValue::Float(value) => WrittenValue::Float(value),
                ParamValue::Double(value) => WrittenValue::Double(value),
                ParamValue::Entity(value) => WrittenValue::Entity(value),
                ParamValue::Vec2(value) => WrittenValue::Vector(value.to_vec()),
                ParamValue::Vec3(value) => WrittenValue::Vector(value.to_vec()),
                ParamValue::Text(value) | ParamValue::Name(value) => WrittenValue::Text(value),
            }),
            by_key: param.by_key,
            doc: param.doc,
        }
    }
}

impl TryFrom<WrittenParam> for ParamEntry {
    type Error = String;

    fn try_from(param: WrittenParam) -> Result<Self, String> {
        let name = param.name;
        let ty = match param.ty.as_str() {
            "bool" => ParamType::Bool,
            "int" => ParamType::Int,
            "float" => ParamType::Float,
            "double" => ParamType::Double,
            "entity" => ParamType::Entity,
            "vec2" => ParamType::Vec2,
            "vec3" => ParamType::Vec3,
            "string" => ParamType::Text,
            "any" => ParamType::Any,
            "enum" => ParamType::Enum(param.values.clone()),
            other => return Err(format!("parameter `{name}`: unknown type `{other}`")),
        };
        if !matches!(ty, ParamType::Enum(_)) && !param.values.is_empty() {
            return Err(format!(
                "parameter `{name}`: only the type `enum` has `values`"
            ));
        }
        let default = match param.default {
            None => None,
            Some(written) => Some(written.of(&ty).ok_or_else(|| {
                format!(
                    "parameter `{name}`: the default must be of type `{}`",
                    ty.keyword()
                )
            })?),
        };
        Ok(Self {
            name,
            ty,
            default,
            by_key: param.by_key,
            doc: param.doc,
        })
    }
}

impl WrittenValue {
    /// The value for a parameter of this type. Formats have fewer number types than documents.
    fn of(self, ty: &ParamType) -> Option<ParamValue> {
        let value = match (self, ty) {
            (WrittenValue::Bool(value), ParamType::Bool | ParamType::Any) => {
                ParamValue::Bool(value)
            }
            (WrittenValue::Int(value), ParamType::Int | ParamType::Any) => ParamValue::Int(value),
            (WrittenValue::Int(value), ParamType::Entity) => {
                ParamValue::Entity(u64::try_from(value).ok()?)
            }
            (WrittenValue::Entity(value), ParamType::Entity) => ParamValue::Entity(value),
            (WrittenValue::Int(value), ParamType::Float) => ParamValue::Float(value as f32),
            (WrittenValue::Int(value), ParamType::Double) => ParamValue::Double(value as f64),
            (WrittenValue::Double(value), ParamType::Float) => ParamValue::Float(value as f32),
            (WrittenValue::Double(value), ParamType::Double | ParamType::Any) => {
                ParamValue::Double(value)
            }
            (WrittenValue::Vector(parts), ParamType::Vec2) => {
                ParamValue::Vec2(parts.try_into().ok()?)
            }
            (WrittenValue::Vector(parts), ParamType::Vec3) => {
                ParamValue::Vec3(parts.try_into().ok()?)
            }
            (WrittenValue::Text(text), ParamType::Text | ParamType::Any) => ParamValue::Text(text),
            (WrittenValue::Text(name), ParamType::Enum(_)) => ParamValue::Name(name),
            _ => return None,
        };
        let is_finite = match value {
            ParamValue::Float(value) => value.is_finite(),
            ParamValue::Double(value) => value.is_finite(),
            ParamValue::Vec2(parts) => parts.iter().all(|part| part.is_finite()),
            ParamValue::Vec3(parts) => parts.iter().all(|part| part.is_finite()),
            _ => true,
        };
        (is_finite && value.is_of(ty)).then_some(value)
    }
}

/// The type of what a leaf lists, as a word.
pub(super) mod listed {
    use super::super::ParamType;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(in super::super) fn serialize<S: Serializer>(
        ty: &Option<ParamType>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match ty {
            Some(ty) => to.serialize_some(ty.keyword()),
            None => to.serialize_none(),
        }
    }

    pub(in super::super) fn deserialize<'d, D: Deserializer<'d>>(
        from: D,
    ) -> Result<Option<ParamType>, D::Error> {
        match Option::<String>::deserialize(from)?.as_deref() {
            None => Ok(None),
            Some("vec2") => Ok(Some(ParamType::Vec2)),
            Some("vec3") => Ok(Some(ParamType::Vec3)),
            Some("entity") => Ok(Some(ParamType::Entity)),
            Some(other) => Err(D::Error::custom(format!(
                "`{other}` is no type of candidates"
            ))),
        }
    }
}
