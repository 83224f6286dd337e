//! Saved casts, which know their documents, and the states of what they run.

use super::library::{Added, Role, Troupe, place_of, place_of_archetype};
use super::reloading::name_of;
use super::{Cast, CastError, members};
use crate::mind::saving::{document_of, living};
use crate::registry::{Registry, RunError, SavedRuns};
use crate::world::World;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use treemind_core::observer::Observers;
use treemind_core::{Behaviour, Migration, PopulationId, Program, Readable, RestoreError, Society};
use treemind_doc::testing::Subject;
use treemind_doc::{Diagnostics, Document};

/// What a cast attaches to its society.
#[derive(Serialize, Deserialize)]
struct Attached {
    seed: u64,
    documents: Vec<SavedDocument>,
    troupes: Vec<SavedTroupe>,
    /// The archetypes: their names, and the numbers of their populations and documents.
    roles: Vec<(String, u32, u32)>,
    /// Archetypes, with their agents.
    who: Vec<(String, Vec<u64>)>,
}

/// The prefix of its archetypes, and the names and texts of its files.
#[derive(Serialize, Deserialize)]
struct SavedDocument {
    prefix: String,
    texts: Vec<(String, String)>,
}

#[derive(Serialize, Deserialize)]
struct SavedTroupe {
    /// The name of the population.
    name: String,
    document: u32,
    kind: SubjectKind,
    runs: String,
    states: SavedRuns,
}

#[derive(Serialize, Deserialize)]
enum SubjectKind {
    Tree,
    Machine,
    Decision,
    Planner,
}

impl Attached {
    fn of(saved: &[u8]) -> Result<Self, CastError> {
        let attached = Society::attached(saved)?;
        if attached.is_empty() {
            let why = "the society was saved without documents, so it is no cast";
            return Err(RestoreError::refused(why.to_owned()).into());
        }
        postcard::from_bytes(attached).map_err(|error| {
            let (leaf, reason) = (String::new(), error.to_string());
            RunError { leaf, reason }.into()
        })
    }

    /// The documents again.
    fn read_documents(&self) -> Result<Vec<Document>, CastError> {
        let documents = self.documents.iter();
        let documents = documents.map(|one| {
            let document = document_of(&one.texts).ok_or_else(damaged)?;
            document.ok()?;
            Ok(document)
        });
        documents.collect()
    }
}

impl SavedTroupe {
    fn subject(&self) -> Subject {
        let runs = self.runs.clone();
        match self.kind {
            SubjectKind::Tree => Subject::Tree(runs),
            SubjectKind::Machine => Subject::Machine(runs),
            SubjectKind::Decision => Subject::Decision(runs),
            SubjectKind::Planner => Subject::Planner(runs),
        }
    }

    fn behaviour(&self, documents: &[Document]) -> Result<Behaviour, CastError> {
        let document = documents.get(self.document as usize).ok_or_else(damaged)?;
        let behaviour: Result<_, Diagnostics> = document.behaviour_of(&self.subject());
        Ok(behaviour?)
    }
}

impl<W: World + ?Sized> Cast<W> {
    /// The whole state of all agents, between two steps, with the texts of the documents and the states of runs, of
    /// types that are registered as [saved](Registry::saved_action_type). Handles stay as they are.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub fn save(&self) -> Vec<u8> {
        // A new field has to be named here, so nobody forgets to save it.
        let Self {
            leaves: _,
            society,
            seed,
            troupes,
            roles,
            documents,
            // Each population has them.
            limits: _,
            who: _,
            // What watches is not part of what is saved.
            observers: _,
        } = self;
        let documents = documents
            .iter()
            .map(|Added { prefix, texts }| SavedDocument {
                prefix: prefix.clone(),
                texts: texts.clone(),
            });
        let troupes = troupes.iter().map(|troupe| {
            let population = society.population(troupe.id);
            let (kind, runs) = match &troupe.runs {
                Subject::Machine(name) => (SubjectKind::Machine, name),
                Subject::Decision(name) => (SubjectKind::Decision, name),
                Subject::Planner(name) => (SubjectKind::Planner, name),
                Subject::Tree(name) | Subject::Archetype(name) => (SubjectKind::Tree, name),
                _ => treemind_core::unlisted(&troupe.runs),
            };
            SavedTroupe {
                name: society.name(troupe.id).to_owned(),
                document: troupe.document as u32,
                kind,
                runs: runs.clone(),
                states: troupe.bound.runs_of(population, &living(population)),
            }
        });
        let roles = roles.iter().map(|role| {
            let Role {
                name,
                troupe,
                document,
                place: _,
            } = role;
            (name.clone(), *troupe as u32, *document as u32)
        });
        let attached = Attached {
            seed: *seed,
            documents: documents.collect(),
            troupes: troupes.collect(),
            roles: roles.collect(),
            who: self.who_is_what(),
        };
        let attached = postcard::to_stdvec(&attached).expect("vectors grow as needed");
        society.save_with(&attached)
    }

    /// The cast that was [saved](Self::save), in this process or another. It continues as if it had never stopped.
    /// `documents` are those that it was saved with, in any order.
    ///
    /// # Errors
    /// When the bytes are damaged; when a document is not given, or has changed since; when it needs a leaf or a key
    /// that `leaves` does not have; when the states of runs do not fit the types of `leaves`.
    pub fn restore(
        saved: &[u8],
        documents: &[&Document],
        leaves: Registry<W>,
    ) -> Result<Self, CastError> {
        let mut cast = Self::restore_as_saved(saved, leaves)?;
        let given = cast.given(documents)?;
        for troupe in &cast.troupes {
            let name = &cast.documents[troupe.document].texts[0].0;
            let document = given.iter().find(|one| name_of(one) == *name);
            let behaviour = document.map(|document| document.behaviour_of(&troupe.runs));
            let population = cast.society.population(troupe.id);
            let is_same = match behaviour {
                Some(Ok(now)) => {
                    Program::new(now).fingerprint() == population.program().fingerprint()
                }
                Some(Err(_)) | None => false,
            };
            if !is_same {
                let name = population.program().behaviour().name();
                return Err(RestoreError::other_program(name).into());
            }
        }
        cast.go_on_with(&given, None)?;
        Ok(cast)
    }

    /// Like [`restore`](Self::restore), but the cast may have been saved with other versions of the documents, whose
    /// texts are in the bytes: it continues with these, as after a [reload](Self::reload). Returns what this did.
    /// `leaves` must have the leaves of both versions, because whatever cannot continue is stopped.
    ///
    /// # Errors
    /// As [`restore`](Self::restore) and [`reload`](Self::reload).
    pub fn restore_changed(
        saved: &[u8],
        documents: &[&Document],
        leaves: Registry<W>,
        world: &mut W::At<'_>,
    ) -> Result<(Self, Vec<(String, Migration)>), CastError> {
        let mut cast = Self::restore_as_saved(saved, leaves)?;
        let given = cast.given(documents)?;
        let migrations = cast.reload(&given, world)?;
        Ok((cast, migrations))
    }

    /// The cast that was [saved](Self::save), with the documents that it was saved with, whatever they say now.
    ///
    /// # Errors
    /// As [`restore`](Self::restore).
    pub fn restore_as_saved(saved: &[u8], leaves: Registry<W>) -> Result<Self, CastError> {
        let attached = Attached::of(saved)?;
        let documents = attached.read_documents()?;
        let (society, behaviours) = restored(saved, &attached, &documents)?;
        let mut troupes = Vec::new();
        for (one, behaviour) in attached.troupes.iter().zip(behaviours) {
            let id = id_of(&society, &one.name).ok_or_else(damaged)?;
            let bound = leaves.bind(&behaviour);
            let bound =
                bound.map_err(|error| CastError::Bind(behaviour.name().to_owned(), error))?;
            let population = society.population(id);
            let agents = living(population);
            bound.check_runs(population, agents.len(), &one.states)?;
            bound.reserve(population.len());
            bound.put_runs(population, &agents, &one.states)?;
            troupes.push(Troupe {
                id,
                bound,
                document: one.document as usize,
                runs: one.subject(),
                place: place_of(&documents[one.document as usize], behaviour.name()),
            });
        }
        let mut roles = Vec::new();
        for (name, troupe, document) in attached.roles {
            let (troupe, document) = (troupe as usize, document as usize);
            let of = attached.documents.get(document).ok_or_else(damaged)?;
            let own = name.strip_prefix(&of.prefix).ok_or_else(damaged)?;
            let (text, known) = (&documents[document], troupes.get(troupe));
            known.ok_or_else(damaged)?;
            let place = match text.archetype(own) {
                Some(archetype) => place_of_archetype(archetype),
                None => place_of(text, own),
            };
            roles.push(Role {
                name,
                troupe,
                document,
                place,
            });
        }
        let who = Arc::new(members::known(&attached.who).ok_or_else(damaged)?);
        let documents = attached.documents.into_iter();
        let documents = documents.map(|SavedDocument { prefix, texts }| Added { prefix, texts });
        let mut limits = troupes
            .iter()
            .map(|one| society.population(one.id).limits());
        let limits = limits.next().unwrap_or_default();
        Ok(Self {
            leaves,
            society,
            seed: attached.seed,
            limits,
            troupes,
            roles,
            documents: documents.collect(),
            observers: Observers::default(),
            who,
        })
    }

    /// The documents that a cast was saved with, among those that are given.
    fn given<'d>(&self, documents: &[&'d Document]) -> Result<Vec<&'d Document>, CastError> {
        let mut given: Vec<&Document> = Vec::new();
        for known in &self.documents {
            let (name, _) = &known.texts[0];
            let mut found = documents.iter();
            let found = found.find(|document| name_of(document) == *name);
            let found = found.ok_or_else(|| CastError::MissingDocument(name.clone()))?;
            if !given.iter().any(|one| std::ptr::eq(*one, *found)) {
                given.push(found);
            }
        }
        Ok(given)
    }
}

/// The society that was saved, and what its populations run, in the order in which they were saved.
fn restored(
    saved: &[u8],
    attached: &Attached,
    documents: &[Document],
) -> Result<(Society, Vec<Behaviour>), CastError> {
    let troupes = attached.troupes.iter();
    let behaviours = troupes.map(|one| one.behaviour(documents));
    let behaviours: Vec<Behaviour> = behaviours.collect::<Result<_, _>>()?;
    let society = Society::restore(saved, |_, name| {
        let mut troupes = attached.troupes.iter().zip(&behaviours);
        let (_, behaviour) = troupes.find(|(one, _)| one.name == name)?;
        Some(Arc::new(Program::new(behaviour.clone())))
    })?;
    Ok((society, behaviours))
}

fn id_of(society: &Society, name: &str) -> Option<PopulationId> {
    society.ids().find(|id| society.name(*id) == name)
}

fn damaged() -> CastError {
    RestoreError::refused("the snapshot has parts that do not belong together".to_owned()).into()
}

/// The state of a saved cast for people; of all agents, or only of those with this index.
pub(crate) fn readable(saved: &[u8], only: Option<usize>) -> Result<Readable, CastError> {
    let attached = Attached::of(saved)?;
    let (society, _) = restored(saved, &attached, &attached.read_documents()?)?;
    let mut shown = society.readable_of(|_, agent| only.is_none_or(|only| only == agent));
    let archetypes = attached.roles.iter();
    let archetypes = archetypes.map(|(name, ..)| Readable::from(name.as_str()));
    shown.add("archetypes", archetypes.collect::<Vec<_>>());
    Ok(shown)
}
