//! Keys by their names.

use super::KeyError;
use crate::registry::{KeyType, closest};
use treemind_core::{Behaviour, Held, KeyId, Population, Type, Value, WrongType};

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
