//! Whether two behaviours agree about what they share.

use crate::behaviour::{
    Audience, Behaviour, Enum, Form, Key, Kind, Leaf, LeafKind, Merge, Scope, Semaphore, SharedKind,
};
use crate::value::{Type, Value};

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
    /// Where the first and the second program declare it, as `FILE:LINE:COLUMN`, if they come from documents.
    pub places: [Option<String>; 2],
}

/// Everything that two behaviours share under one name but declare differently: keys and semaphores of the world
/// and of groups, and events that one of them emits to others. Keys that agents have for themselves are not shared,
/// whatever their names.
pub fn disagreements(first: &Behaviour, second: &Behaviour) -> Vec<Disagreement> {
    let mut found = Found {
        behaviours: [first, second],
        found: Vec::new(),
    };
    for key in shared_keys(first) {
        let other = shared_keys(second).find(|other| other.name == key.name);
        if let Some(other) = other {
            let said = (
                declared_key(first.enums(), key),
                declared_key(second.enums(), other),
            );
            found.compare((SharedKind::Key, &key.name), said);
        }
    }
    for semaphore in shared_semaphores(first) {
        let other = shared_semaphores(second).find(|other| other.name == semaphore.name);
        if let Some(other) = other {
            let said = (declared_semaphore(semaphore), declared_semaphore(other));
            found.compare((SharedKind::Semaphore, &semaphore.name), said);
        }
    }
    for event in events(first) {
        let other = events(second).find(|other| other.name == event.name);
        let is_sent = emits_to_others(first, event) || emits_to_others(second, event);
        if let Some(other) = other.filter(|_| is_sent) {
            let said = (
                declared_event(first.enums(), event),
                declared_event(second.enums(), other),
            );
            found.compare((SharedKind::Event, &event.name), said);
        }
    }
    found.found
}

/// The disagreements of two behaviours so far.
struct Found<'b> {
    behaviours: [&'b Behaviour; 2],
    found: Vec<Disagreement>,
}

impl Found<'_> {
    fn compare(&mut self, (shared, name): (SharedKind, &str), (first, second): (String, String)) {
        if first != second {
            let place = |behaviour: &Behaviour| behaviour.place_of(shared, name).map(str::to_owned);
            self.found.push(Disagreement {
                shared,
                name: name.to_owned(),
                first,
                second,
                places: self.behaviours.map(place),
            });
        }
    }
}

fn events(behaviour: &Behaviour) -> impl Iterator<Item = &Leaf> {
    let leaves = behaviour.leaves().iter();
    leaves.filter(|leaf| leaf.kind == LeafKind::Event)
}

/// Whether a behaviour emits an event of that name to other agents.
fn emits_to_others(behaviour: &Behaviour, event: &Leaf) -> bool {
    behaviour.nodes().iter().any(|node| match &node.kind {
        Kind::Emit { leaf, to, .. } => {
            to.is_some_and(|to| to != Audience::Sender) && behaviour.leaf(*leaf).name == event.name
        }
        _ => false,
    })
}

/// The parameters of an event as its declaration says them. Programs of which one emits it to the others agree about
/// them.
pub fn declared_event(enums: &[Enum], event: &Leaf) -> String {
    let params = event.params.iter().map(|param| {
        let values = match param.ty {
            Type::Enum(list) => format!(" values={}", enums[list.index()].values.join(",")),
            _ => String::new(),
        };
        format!("{} type={}{values}", param.name, param.ty)
    });
    let params: Vec<String> = params.collect();
    match &params[..] {
        [] => "no parameters".to_owned(),
        params => params.join(", "),
    }
}

pub(super) fn shared_keys(behaviour: &Behaviour) -> impl Iterator<Item = &Key> {
    let keys = behaviour.keys().iter();
    keys.filter(|key| key.scope != Scope::Agent)
}

fn shared_semaphores(behaviour: &Behaviour) -> impl Iterator<Item = &Semaphore> {
    let semaphores = behaviour.semaphores().iter();
    semaphores.filter(|semaphore| semaphore.scope != Scope::Agent)
}

/// A key as its declaration says it: scope, type, form, merging, start value. Programs that share a key agree about
/// all of it.
pub fn declared_key(enums: &[Enum], key: &Key) -> String {
    let mut text = format!("scope={} type={}", scope_word(key.scope), key.ty);
    if let Type::Enum(list) = key.ty {
        let values = &enums[list.index()].values;
        text += &format!(" values={}", values.join(","));
    }
    text += match key.merge {
        Merge::Last => "",
        Merge::Add => " merge=add",
        Merge::Min => " merge=min",
        Merge::Max => " merge=max",
    };
    let shown = |value| match value {
        Value::Enum(list, index) => enums[list.index()].values[index as usize].clone(),
        value => value.to_string(),
    };
    match &key.form {
        Form::One => text += &format!(" default={}", shown(key.default)),
        Form::Optional { starts_set: true } => {
            text += &format!(" optional default={}", shown(key.default));
        }
        Form::Optional { starts_set: false } => text += " optional",
        Form::List { bound, items } => {
            let items: Vec<String> = items.iter().map(|item| shown(*item)).collect();
            text += &format!(" list={bound} default=[{}]", items.join(", "));
        }
    }
    text
}

/// A semaphore as its nodes say it: scope, places, and how bids decide. Programs that share a semaphore agree about all.
pub fn declared_semaphore(semaphore: &Semaphore) -> String {
    let Semaphore {
        name: _,
        scope,
        places,
        bidding,
    } = semaphore;
    let mut said = format!("scope={} max={places}", scope_word(*scope));
    if let Some(bidding) = bidding {
        said += " for=best";
        if let Some(hysteresis) = bidding.hysteresis {
            said += &format!(" hysteresis={hysteresis:?}");
        }
        if bidding.min_hold > 0.0 {
            said += &format!(" min-hold={:?}", bidding.min_hold);
        }
    }
    said
}

fn scope_word(scope: Scope) -> &'static str {
    match scope {
        Scope::Agent => "agent",
        Scope::Group => "group",
        Scope::World => "world",
    }
}
