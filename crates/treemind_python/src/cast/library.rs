//! The archetypes that the documents of a cast give.

use std::ops::Range;
use treemind_core::{Behaviour, KeyId, Society, Value};
use treemind_doc::testing::Subject;
use treemind_doc::{Archetype, Diagnostics, Document, Source};

/// A file, and the bytes in it that define something.
pub(super) type Place = (String, Range<usize>);

/// An archetype to be added.
pub(super) struct Candidate {
    pub(super) name: String,
    pub(super) place: Place,
    /// What it runs, and where that is.
    pub(super) subject: Subject,
    pub(super) runs: Place,
    pub(super) behaviour: Behaviour,
    pub(super) start: Vec<(KeyId, Value)>,
    pub(super) interval: u32,
}

/// The archetypes of a document. One without archetypes has what it runs, under its own name.
pub(super) fn candidates(document: &Document, prefix: &str) -> Result<Vec<Candidate>, Diagnostics> {
    if document.archetypes().is_empty() {
        let behaviour = document.behaviour(None)?;
        let runs = place_of(document, behaviour.name());
        let tree = || Subject::Tree(behaviour.name().to_owned());
        return Ok(vec![Candidate {
            name: format!("{prefix}{}", behaviour.name()),
            place: runs.clone(),
            subject: document.main_subject().unwrap_or_else(tree),
            runs,
            behaviour,
            start: Vec::new(),
            interval: 1,
        }]);
    }
    let candidate = |archetype: &Archetype| {
        let subject = document.definition_of(&Subject::Archetype(archetype.name().to_owned()));
        let behaviour = document.behaviour_of(&subject)?;
        Ok(Candidate {
            subject,
            name: format!("{prefix}{}", archetype.name()),
            place: (archetype.source().name().to_owned(), archetype.span()),
            runs: place_of(document, archetype.runs()),
            start: archetype.start(&behaviour),
            behaviour,
            interval: archetype.interval(),
        })
    };
    document.archetypes().iter().map(candidate).collect()
}

/// Where a tree, machine, decision tree or planner is defined.
fn place_of(document: &Document, name: &str) -> Place {
    let all = [
        document.trees(),
        document.machines(),
        document.decisions(),
        document.planners(),
    ];
    let mut all = all.into_iter().flatten();
    match all.find(|one| one.name() == name) {
        Some(found) => (found.source().name().to_owned(), found.span()),
        None => (name_of(document), 0..0),
    }
}

/// The name of the file of a document.
pub(super) fn name_of(document: &Document) -> String {
    let first = document.sources().next();
    first.map(Source::name).unwrap_or_default().to_owned()
}

/// Whether a document still has what a population runs.
pub(super) fn is_defined(document: &Document, subject: &Subject) -> bool {
    let (all, name) = match subject {
        Subject::Tree(name) => (document.trees(), name),
        Subject::Machine(name) => (document.machines(), name),
        Subject::Decision(name) => (document.decisions(), name),
        Subject::Planner(name) => (document.planners(), name),
        _ => return false,
    };
    all.iter().any(|one| one.name() == name)
}

/// A name for a new population.
pub(super) fn free_name(society: &Society, prefix: &str, of: &str) -> String {
    let first = format!("{prefix}{of}");
    let is_taken = |name: &str| society.ids().any(|id| society.name(id) == name);
    if !is_taken(&first) {
        return first;
    }
    let mut numbered = (2..).map(|number: u32| format!("{first} {number}"));
    numbered.find(|name| !is_taken(name)).unwrap_or(first)
}
