//! The checks of [`Behaviour::new`](super::Behaviour::new) for keys.

use super::validate::{BehaviourError, error, value_exists};
use super::{Access, Behaviour, Form, Key, LeafKind, Merge, Parts, Scope};
use crate::ids::KeyId;

/// The key, if it exists.
pub(super) fn find(behaviour: &Behaviour, key: KeyId) -> Result<&Key, String> {
    let found = behaviour.keys.get(key.index());
    found.ok_or_else(|| "a key that is not there".to_owned())
}

/// The key, if nodes may write it.
pub(super) fn check_writable(behaviour: &Behaviour, key: KeyId) -> Result<&Key, String> {
    let key = find(behaviour, key)?;
    if key.sensed.is_some() {
        return Err(format!("`{}` is computed by the host", key.name));
    }
    Ok(key)
}

/// Checks that a node may access the key in this way.
pub(super) fn check_access(
    behaviour: &Behaviour,
    key: KeyId,
    access: Access,
) -> Result<(), String> {
    let key = match access {
        Access::Read | Access::Watch => find(behaviour, key)?,
        Access::Write | Access::WriteOwn => check_writable(behaviour, key)?,
    };
    if access == Access::WriteOwn && key.scope != Scope::Agent {
        return Err(format!("`{}` is shared", key.name));
    }
    Ok(())
}

/// Checks that the values of a merged key can be merged.
pub(super) fn check_merge(key: &Key) -> Result<(), BehaviourError> {
    let fits = key.scope != Scope::Agent && key.form == Form::One && key.merge.takes(key.ty);
    if key.merge == Merge::Last || fits {
        return Ok(());
    }
    let name = &key.name;
    Err(error(format!(
        "the values of key `{name}` cannot be merged"
    )))
}

/// Checks that the declaration of a sensed key is consistent.
pub(super) fn check_sensed(parts: &Parts, key: &Key) -> Result<(), BehaviourError> {
    let Some(sensed) = &key.sensed else {
        return Ok(());
    };
    let name = &key.name;
    if key.scope != Scope::Agent {
        return Err(error(format!("key `{name}` is sensed, and shared")));
    }
    let sensor = parts.leaves.get(sensed.sensor.index());
    let Some(sensor) = sensor.filter(|leaf| leaf.kind == LeafKind::Sensor) else {
        return Err(error(format!("key `{name}` has no sensor")));
    };
    let fits = sensor.params.len() == sensed.args.len()
        && sensor
            .params
            .iter()
            .zip(&sensed.args)
            .all(|(param, arg)| param.ty.holds(*arg) && value_exists(&parts.enums, *arg));
    if !fits {
        return Err(error(format!(
            "the arguments of key `{name}` do not fit its sensor"
        )));
    }
    match sensed.interval_secs {
        Some(secs) if !(secs.is_finite() && secs >= 0.0) => Err(error(format!(
            "the interval of key `{name}` is negative or not finite"
        ))),
        _ => Ok(()),
    }
}
