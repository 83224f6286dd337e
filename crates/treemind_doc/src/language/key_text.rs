//! The names of keys, for people.

use std::borrow::Cow;
use treemind_core::behaviour::{EventPart, Machine, Trigger};
use treemind_core::{Behaviour, KeyId, Kind, LeafId};

/// The name of a key as a document writes it: `event.floor` for a key that only shows what an event says, `place` and
/// `exposure(place)` for the candidate of a `find` and its measures, otherwise the key's own name.
pub fn key_text(behaviour: &Behaviour, key: KeyId) -> Cow<'_, str> {
    let name = &behaviour.key(key).name;
    match event_part(behaviour, key) {
        Some((event, part)) => Cow::Owned(format!("event.{}", part_name(behaviour, event, part))),
        None => found_text(behaviour, key).map_or(Cow::Borrowed(name), Cow::Owned),
    }
}

/// The name of a candidate, or of a measure of one, as the block of its `find` writes it.
fn found_text(behaviour: &Behaviour, key: KeyId) -> Option<String> {
    let name = &behaviour.key(key).name;
    if !name.contains('.') {
        return None;
    }
    behaviour.nodes().iter().find_map(|node| {
        let Kind::Find(find) = &node.kind else {
            return None;
        };
        let full = &behaviour.key(find.item).name;
        let short = full.rsplit('.').next().unwrap_or(full);
        // A number behind a dash tells it apart from others.
        let short = short.split('-').next().unwrap_or(short);
        if find.item == key {
            return Some(short.to_owned());
        }
        let is_measure = find.measures.iter().any(|measured| measured.key == key);
        is_measure.then(|| name.replace(full.as_str(), short))
    })
}

/// The event of which a key only shows a part, and which part. Other keys receive parts of events, too, but hold more.
pub fn event_part(behaviour: &Behaviour, key: KeyId) -> Option<(LeafId, EventPart)> {
    // Keys of a document have no dots in their names.
    if !behaviour.key(key).name.contains('.') {
        return None;
    }
    behaviour.nodes().iter().find_map(|node| match &node.kind {
        Kind::Machine(machine) => part_in_machine(machine, key),
        Kind::Received { awaited, .. } => {
            let mut shown = awaited.shown.iter();
            let (part, _) = shown.find(|(_, shown)| *shown == key)?;
            Some((*awaited.events.first()?, *part))
        }
        _ => None,
    })
}

fn part_in_machine(machine: &Machine, key: KeyId) -> Option<(LeafId, EventPart)> {
    machine.transitions.iter().find_map(|transition| {
        let place = transition.payload.iter().position(|heard| *heard == key)?;
        match &transition.trigger {
            Trigger::Event(events) => Some((*events.first()?, EventPart::Param(place))),
            _ => None,
        }
    })
}

/// What comes behind `event.` in the name of a part.
#[warn(clippy::wildcard_enum_match_arm)]
pub(crate) fn part_name(behaviour: &Behaviour, event: LeafId, part: EventPart) -> &str {
    match part {
        EventPart::Param(param) => &behaviour.leaf(event).params[param].name,
        EventPart::Sender => "sender",
        _ => treemind_core::unlisted(&part),
    }
}
