//! Which part of a document a program is.

use crate::form::Part;
use treemind_core::{Behaviour, Program};
use treemind_doc::Document;

/// The part of a document that a program was lowered from.
pub(crate) fn part_of(document: &Document, program: &Program) -> Option<Part> {
    let (name, wanted) = (program.behaviour().name(), program.fingerprint());
    let is_same = |behaviour: Behaviour| {
        let is_named = behaviour.name() == name;
        is_named && Program::new(behaviour).fingerprint() == wanted
    };
    let definitions = [
        Part::Tree(name.to_owned()),
        Part::Machine(name.to_owned()),
        Part::Decision(name.to_owned()),
        Part::Planner(name.to_owned()),
        Part::Main,
    ];
    let archetypes = document.archetypes().iter();
    let archetypes = archetypes.map(|one| Part::Archetype(one.name().to_owned()));
    let mut parts = definitions.into_iter().chain(archetypes);
    parts.find(|part| behaviour_of(document, part).is_some_and(is_same))
}

/// A part of a document, if it has it.
pub(crate) fn behaviour_of(document: &Document, part: &Part) -> Option<Behaviour> {
    match part {
        Part::Main => document.behaviour(None),
        Part::Tree(name) => document.behaviour(Some(name)),
        Part::Machine(name) => document.machine(name),
        Part::Decision(name) => document.decision(name),
        Part::Planner(name) => document.planner(name),
        Part::Archetype(name) => document.behaviour_for(name),
    }
    .ok()
}
