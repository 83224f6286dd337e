//! Keys by their names, and why one cannot be read or set.

use crate::registry::{KeyType, closest};
use std::fmt;
use treemind_core::{Behaviour, Held, KeyId, Population, Type, Value, WrongType};

/// Why a key of the blackboard cannot be read or set by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// There is no such key.
    Missing {
        /// The name that was asked for.
        name: String,
        /// A key with a similar name.
        suggestion: Option<String>,
    },
    /// The key is of another type.
    WrongType {
        /// The key.
        name: String,
        /// The type of the key, in the words of documents.
        declared: &'static str,
        /// The type in the code, in the words of documents.
        asked: &'static str,
    },
    /// The key is a list. Lists are read and changed item by item; see
    /// [`Population::held`](crate::population::Population::held) and [`Population::board`](crate::population::Population::board).
    List {
        /// The key.
        name: String,
    },
    /// The key is not one of the world.
    NotOfWorld {
        /// The key.
        name: String,
    },
    /// The agent no longer exists.
    Dead,
    /// The key has no value now.
    Unset {
        /// The key.
        name: String,
    },
}

impl fmt::Display for KeyError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyError::Missing { name, suggestion } => {
                write!(out, "unknown key `{name}`")?;
                match suggestion {
                    Some(suggestion) => write!(out, "; did you mean `{suggestion}`?"),
                    None => Ok(()),
                }
            }
            KeyError::WrongType {
                name,
                declared,
                asked,
            } => write!(
                out,
                "the key `{name}` is `{declared}`, but the code has `{asked}`"
            ),
            KeyError::List { name } => {
                write!(out, "the key `{name}` is a list, not a single value")
            }
            KeyError::NotOfWorld { name } => write!(
                out,
                "the key `{name}` is not declared with `scope=world`, so each agent or group has its own"
            ),
            KeyError::Dead => out.write_str("there is no such agent any more"),
            KeyError::Unset { name } => write!(out, "the key `{name}` has no value"),
        }
    }
}

impl std::error::Error for KeyError {}

/// A key, and a value for it: an `f64` is rounded if the key is a `float`.
pub(crate) fn fit(
    behaviour: &Behaviour,
    key: &str,
    value: impl KeyType,
) -> Result<(KeyId, Value), KeyError> {
    let id = find(behaviour, key)?;
    let value = match (value.into_value(), behaviour.key(id).ty) {
        (Value::Double(value), Type::Float) => Value::Float(value as f32),
        (value, _) => value,
    };
    Ok((id, value))
}

/// Why a population did not take the value.
pub(crate) fn refused(key: &str, error: WrongType) -> KeyError {
    let name = key.to_owned();
    if error.is_list {
        return KeyError::List { name };
    }
    KeyError::WrongType {
        name,
        declared: error.wanted.keyword(),
        asked: error.given.keyword(),
    }
}

/// The value of a key of an agent.
pub(crate) fn read<T: KeyType>(
    population: &Population,
    agent: usize,
    key: &str,
) -> Result<T, KeyError> {
    read_as(population.program().behaviour(), key, |id| {
        population.held(agent, id)
    })
}

/// The value of a key, which somebody holds.
#[warn(clippy::wildcard_enum_match_arm)]
pub(crate) fn read_as<'h, T: KeyType>(
    behaviour: &Behaviour,
    key: &str,
    held: impl FnOnce(KeyId) -> Held<'h>,
) -> Result<T, KeyError> {
    let id = find(behaviour, key)?;
    let name = || key.to_owned();
    let value = match held(id) {
        Held::One(value) => value,
        Held::Unset => return Err(KeyError::Unset { name: name() }),
        Held::List(_) => return Err(KeyError::List { name: name() }),
        other => treemind_core::unlisted(&other),
    };
    T::from_value(value).ok_or_else(|| KeyError::WrongType {
        name: name(),
        declared: value.ty().keyword(),
        asked: T::KEYWORD,
    })
}

fn find(behaviour: &Behaviour, name: &str) -> Result<KeyId, KeyError> {
    behaviour.key_id(name).ok_or_else(|| KeyError::Missing {
        name: name.to_owned(),
        suggestion: closest(name, behaviour.keys().iter().map(|key| key.name.as_str())),
    })
}
