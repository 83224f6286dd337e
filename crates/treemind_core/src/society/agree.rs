//! Whether two behaviours agree about what they share.

use crate::behaviour::{Behaviour, Form, Key, Merge, Scope};
use crate::value::Type;
use std::fmt;

/// Something that two programs share under one name but declare differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// What it is.
    pub shared: SharedKind,
    /// Its name.
    pub name: String,
    /// How the first program declares it.
    pub first: String,
    /// How the second program declares it.
    pub second: String,
}

/// The kinds of things that programs share by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedKind {
    /// A key of the world or of a group.
    Key,
    /// A semaphore of the world or of a group.
    Semaphore,
}

impl fmt::Display for SharedKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            SharedKind::Key => "key",
            SharedKind::Semaphore => "semaphore",
        })
    }
}

/// Everything that two behaviours share under one name but declare differently: keys and semaphores of the world
/// and of groups. Keys that agents have for themselves are not shared, whatever their names.
pub fn disagreements(first: &Behaviour, second: &Behaviour) -> Vec<Disagreement> {
    let mut found = Vec::new();
    for key in shared_keys(first) {
        let other = shared_keys(second).find(|other| other.name == key.name);
        if let Some(other) = other {
            let said = (declared_key(first, key), declared_key(second, other));
            compare(&mut found, (SharedKind::Key, &key.name), said);
        }
    }
    for semaphore in shared_semaphores(first) {
        let other = shared_semaphores(second).find(|other| other.name == semaphore.name);
        if let Some(other) = other {
            let declared = |scope, places| format!("scope={} max={places}", scope_word(scope));
            let said = (
                declared(semaphore.scope, semaphore.places),
                declared(other.scope, other.places),
            );
            compare(&mut found, (SharedKind::Semaphore, &semaphore.name), said);
        }
    }
    found
}

fn compare(
    found: &mut Vec<Disagreement>,
    (shared, name): (SharedKind, &str),
    (first, second): (String, String),
) {
    if first != second {
        found.push(Disagreement {
            shared,
            name: name.to_owned(),
            first,
            second,
        });
    }
}

pub(super) fn shared_keys(behaviour: &Behaviour) -> impl Iterator<Item = &Key> {
    let keys = behaviour.keys().iter();
    keys.filter(|key| key.scope != Scope::Agent)
}

fn shared_semaphores(behaviour: &Behaviour) -> impl Iterator<Item = &crate::behaviour::Semaphore> {
    let semaphores = behaviour.semaphores().iter();
    semaphores.filter(|semaphore| semaphore.scope != Scope::Agent)
}

/// A key as its declaration says it: scope, type, form, start value.
fn declared_key(behaviour: &Behaviour, key: &Key) -> String {
    let mut text = format!("scope={} type={}", scope_word(key.scope), key.ty);
    if let Type::Enum(list) = key.ty {
        let values = &behaviour.enumeration(list).values;
        text += &format!(" values={}", values.join(","));
    }
    let merge = match key.merge {
        Merge::Last => "",
        Merge::Add => " merge=add",
        Merge::Min => " merge=min",
        Merge::Max => " merge=max",
    };
    text += merge;
    let start = |value| format!(" default={}", behaviour.display_value(value));
    match &key.form {
        Form::One => text += &start(key.default),
        Form::Optional { starts_set: true } => text += &(start(key.default) + " optional"),
        Form::Optional { starts_set: false } => text += " optional",
        Form::List { bound, items } => {
            let shown = items.iter().map(|item| behaviour.display_value(*item));
            let shown: Vec<String> = shown.collect();
            text += &format!(" list={bound} default=[{}]", shown.join(", "));
        }
    }
    text
}

fn scope_word(scope: Scope) -> &'static str {
    match scope {
        Scope::Agent => "agent",
        Scope::Group => "group",
        Scope::World => "world",
    }
}
