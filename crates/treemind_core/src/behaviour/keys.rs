//! The checks of [`Behaviour::new`](super::Behaviour::new) for keys.

use super::validate::{BehaviourError, error, value_exists};
use super::{Access, Awaited, Behaviour, Form, Key, LeafKind, Merge, Parts, Scope};
use crate::blackboard::EventPart;
use crate::ids::{KeyId, LeafId};
use crate::value::Type;

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
    if key.heard.is_some() {
        return Err(format!("`{}` says what has come", key.name));
    }
    if key.mates {
        return Err(format!("`{}` lists the agents of the group", key.name));
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
        Access::Read | Access::Address | Access::Watch => find(behaviour, key)?,
        Access::Write | Access::WriteOwn => check_writable(behaviour, key)?,
    };
    if access == Access::Address && (key.ty != Type::Entity || key.form.is_list()) {
        return Err(format!("`{}` holds no agent", key.name));
    }
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

/// Checks that a node can look for these events, and that their parts fit the keys that receive them.
pub(super) fn check_awaited(behaviour: &Behaviour, awaited: &Awaited) -> Result<(), String> {
    if awaited.events.is_empty() || !awaited.events.is_sorted_by(|a, b| a < b) {
        return Err("no event, or events that are not in order".to_owned());
    }
    let leaf = |event: &LeafId| behaviour.leaves().get(event.index());
    let is_event = |event: &LeafId| leaf(event).is_some_and(|leaf| leaf.kind == LeafKind::Event);
    if !awaited.events.iter().all(is_event) {
        return Err("an event that is not there".to_owned());
    }
    for (part, key) in awaited.shown.iter().chain(&awaited.bound) {
        let ty = match (part, &awaited.events[..]) {
            (EventPart::Param(param), [event]) => {
                leaf(event).and_then(|leaf| Some(leaf.params.get(*param)?.ty))
            }
            (EventPart::Sender, _) => Some(Type::Entity),
            _ => None,
        };
        let key = find(behaviour, *key)?;
        if key.form.is_list() || !ty.is_some_and(|ty| ty == key.ty || ty.widens_to(key.ty)) {
            return Err(format!("`{}` cannot receive a part of an event", key.name));
        }
    }
    Ok(())
}

/// Checks that the declaration of a key that says something about events is consistent.
pub(super) fn check_heard(parts: &Parts, key: &Key) -> Result<(), BehaviourError> {
    let Some(heard) = key.heard else {
        return Ok(());
    };
    let leaf = parts.leaves.get(heard.event.index());
    let event = leaf.filter(|leaf| leaf.kind == LeafKind::Event);
    let ty = event.and_then(|event| match heard.part {
        None => Some(Type::Bool),
        Some(EventPart::Sender) => Some(Type::Entity),
        Some(EventPart::Param(param)) => Some(event.params.get(param)?.ty),
    });
    let form = match heard.part {
        None => Form::One,
        Some(_) => Form::Optional { starts_set: false },
    };
    let fits = ty == Some(key.ty) && key.form == form;
    if fits && key.scope == Scope::Agent && key.sensed.is_none() {
        return Ok(());
    }
    let name = &key.name;
    Err(error(format!("`{name}` cannot say that about an event")))
}

/// Checks that a key that lists the agents of a group can do so.
pub(super) fn check_mates(key: &Key) -> Result<(), BehaviourError> {
    let fits = key.ty == Type::Entity && key.form.is_list() && key.scope == Scope::Agent;
    if !key.mates || fits && key.sensed.is_none() && key.heard.is_none() {
        return Ok(());
    }
    let name = &key.name;
    Err(error(format!("`{name}` cannot list the agents of a group")))
}
