//! The archetypes of a cast: which populations they need.

use super::{Cast, CastError};
use crate::registry::Bound;
use crate::world::World;
use std::ops::Range;
use std::sync::Arc;
use treemind_core::chance::seed_of;
use treemind_core::observer::Observed as _;
use treemind_core::{Behaviour, KeyId, Population, PopulationId, Program, Society, Value};
use treemind_doc::testing::Subject;
use treemind_doc::{Archetype, Diagnostics, Document, Source};

/// A population, and the leaves bound to it.
pub(super) struct Troupe<W: World + ?Sized> {
    pub(super) id: PopulationId,
    pub(super) bound: Bound<W>,
    /// What it runs of which document, among those of the cast.
    pub(super) document: usize,
    pub(super) runs: Subject,
    /// Where its definition is.
    pub(super) place: Place,
}

/// An archetype that can be spawned.
pub(super) struct Role {
    pub(super) name: String,
    /// Its population, among those of the cast.
    pub(super) troupe: usize,
    /// The document that has given it, among those of the cast.
    pub(super) document: usize,
    pub(super) place: Place,
}

/// A document that was added.
pub(super) struct Added {
    /// What stands before the names of its archetypes.
    pub(super) prefix: String,
    /// The names and texts of its files; the first is that of the document.
    pub(super) texts: Vec<(String, String)>,
}

/// A place in a file.
#[derive(Clone, PartialEq)]
pub(super) struct Place {
    source: Source,
    span: Range<usize>,
}

impl Place {
    pub(super) fn shown(&self) -> String {
        let (line, column) = self.source.line_column(self.span.start);
        format!("{}:{line}:{column}", self.source.name())
    }
}

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

impl<W: World + ?Sized> Cast<W> {
    /// Adds the archetypes of a document, with those of its imports. Each tree, machine or decision tree that they run
    /// becomes a population; archetypes that run the same one share it, even if several documents import it. A document
    /// without archetypes adds what it runs (see [`Document::behaviour`]) under its own name.
    ///
    /// # Errors
    /// When the document has errors, needs a leaf or a key that the registry does not have, declares something that it
    /// shares with others differently, or has an archetype with a name that another file already uses. Then
    /// nothing is added.
    pub fn add(&mut self, document: &Document) -> Result<(), CastError> {
        self.add_named("", document)
    }

    /// Like [`add`](Self::add), but the archetypes are called `PREFIX/NAME`.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn add_as(&mut self, prefix: &str, document: &Document) -> Result<(), CastError> {
        self.add_named(&format!("{prefix}/"), document)
    }

    fn add_named(&mut self, prefix: &str, document: &Document) -> Result<(), CastError> {
        let mut new = candidates(document)?;
        for candidate in &mut new {
            candidate.name.insert_str(0, prefix);
        }
        let mut clashing = None;
        new.retain(|candidate| {
            let mut known = self.roles.iter();
            match known.find(|known| known.name == candidate.name) {
                Some(known) if known.place != candidate.place => {
                    clashing = Some((
                        candidate.name.clone(),
                        known.place.shown(),
                        candidate.place.shown(),
                    ));
                    false
                }
                known => known.is_none(),
            }
        });
        if let Some((name, first, second)) = clashing {
            return Err(CastError::SameName {
                name,
                first,
                second,
            });
        }
        let known = (self.troupes.len(), self.roles.len());
        for candidate in new {
            if let Err(error) = self.admit(self.documents.len(), prefix, candidate) {
                for troupe in self.troupes.drain(known.0..) {
                    self.society.leave(troupe.id);
                }
                self.roles.truncate(known.1);
                return Err(error);
            }
        }
        self.documents.push(Added {
            prefix: prefix.to_owned(),
            texts: document.texts(),
        });
        self.tell_texts();
        Ok(())
    }

    /// Tells the observer what the documents say now.
    pub(super) fn tell_texts(&mut self) {
        let documents = self.documents();
        self.observers.reloaded(&documents);
    }

    /// Adds an archetype of a document.
    pub(super) fn admit(
        &mut self,
        document: usize,
        prefix: &str,
        new: Candidate,
    ) -> Result<(), CastError> {
        let mut troupes = self.troupes.iter();
        let known = troupes.position(|troupe| {
            let population = self.society.population(troupe.id);
            troupe.place == new.runs && *population.program().behaviour() == new.behaviour
        });
        let troupe = match known {
            Some(known) => known,
            None => self.join(prefix, new.behaviour, (document, new.subject, new.runs))?,
        };
        let mut population = self.society.population_mut(self.troupes[troupe].id);
        population.name_archetype(&new.name, &new.start, new.interval);
        drop(population);
        self.roles.push(Role {
            name: new.name,
            troupe,
            document,
            place: new.place,
        });
        Ok(())
    }

    /// Adds a population. Returns its position.
    fn join(
        &mut self,
        prefix: &str,
        behaviour: Behaviour,
        (document, runs, place): (usize, Subject, Place),
    ) -> Result<usize, CastError> {
        let bound = self.leaves.bind(&behaviour);
        let bound = bound.map_err(|error| CastError::Bind(behaviour.name().to_owned(), error))?;
        let name = free_name(&self.society, prefix, behaviour.name());
        let seed = seed_of(self.seed, &name);
        let population = Population::new(Arc::new(Program::new(behaviour)), 0)
            .with_seed(seed)
            .with_limits(self.limits);
        let id = self.society.join(name, population)?;
        self.troupes.push(Troupe {
            id,
            bound,
            document,
            runs,
            place,
        });
        Ok(self.troupes.len() - 1)
    }
}

/// A name for a new population.
pub(super) fn free_name(society: &Society, prefix: &str, of: &str) -> String {
    let first = format!("{prefix}{of}");
    let names: Vec<&str> = society.ids().map(|id| society.name(id)).collect();
    let numbered = (2..).map(|number| format!("{first} {number}"));
    let mut names_to_try = std::iter::once(first.clone()).chain(numbered);
    let name = names_to_try.find(|name| !names.contains(&name.as_str()));
    name.unwrap_or(first)
}

/// The archetypes of a document, ready to run.
pub(super) fn candidates(document: &Document) -> Result<Vec<Candidate>, Diagnostics> {
    if document.archetypes().is_empty() {
        let behaviour = document.behaviour(None)?;
        let runs = place_of(document, behaviour.name());
        let tree = || Subject::Tree(behaviour.name().to_owned());
        return Ok(vec![Candidate {
            name: behaviour.name().to_owned(),
            place: runs.clone(),
            subject: document.main_subject().unwrap_or_else(tree),
            runs,
            behaviour,
            start: Vec::new(),
            interval: 1,
        }]);
    }
    let candidate = |archetype: &Archetype| {
        let runs = archetype.runs();
        let subject = document.definition_of(&Subject::Archetype(archetype.name().to_owned()));
        let behaviour = document.behaviour_of(&subject)?;
        Ok(Candidate {
            subject,
            name: archetype.name().to_owned(),
            place: place_of_archetype(archetype),
            runs: place_of(document, runs),
            start: archetype.start(&behaviour),
            behaviour,
            interval: archetype.interval(),
        })
    };
    document.archetypes().iter().map(candidate).collect()
}

pub(super) fn place_of_archetype(archetype: &Archetype) -> Place {
    Place {
        source: archetype.source().clone(),
        span: archetype.span(),
    }
}

/// Where a tree, machine or decision tree is defined.
pub(super) fn place_of(document: &Document, name: &str) -> Place {
    let all = [
        document.trees(),
        document.machines(),
        document.decisions(),
        document.planners(),
    ];
    let mut all = all.into_iter().flatten();
    let found = all.find(|one| one.name() == name);
    let (source, span) = found.map_or_else(
        || (document.sources().next(), 0..0),
        |one| (Some(one.source()), one.span()),
    );
    Place {
        source: source.cloned().unwrap_or_else(|| Source::new("", "")),
        span,
    }
}
