//! Changed documents under a running cast.

use super::library::{Candidate, Place, candidates, free_name, place_of};
use super::{Cast, CastError};
use crate::registry::Bound;
use crate::world::World;
use std::sync::Arc;
use treemind_core::host::Scripted;
use treemind_core::{Host, Migration, Population, PopulationId, Program, Society};
use treemind_doc::Document;
use treemind_doc::testing::Subject;

/// What a reload will do, when everything was checked.
struct Plan<W: World + ?Sized> {
    changes: Vec<Change<W>>,
    /// Populations whose definitions are gone, and in which nobody lives.
    gone: Vec<PopulationId>,
    /// The archetypes of each document, by its place in the cast.
    archetypes: Vec<(usize, Vec<Candidate>)>,
}

/// A population that gets another program.
struct Change<W: World + ?Sized> {
    troupe: usize,
    program: Arc<Program>,
    bound: Bound<W>,
    place: Place,
}

impl<W: World + ?Sized> Cast<W> {
    /// Continues with changed documents, between two steps: see [`Society::change_program`]. A document is recognized
    /// by the name of its file. What has not changed continues. New archetypes can be spawned from now on, and
    /// archetypes that are gone cannot; their agents continue. Documents that import the same changed file must be
    /// given together.
    ///
    /// Returns what this did, for each population that has changed, with its name.
    ///
    /// # Errors
    /// As [`add`](Self::add), and when the cast has no document of that name; when a tree, machine or decision tree
    /// that agents run is gone; when populations no longer agree about what they share. Then nothing has changed.
    pub fn reload(
        &mut self,
        documents: &[&Document],
        world: &mut W::At<'_>,
    ) -> Result<Vec<(String, Migration)>, CastError> {
        self.go_on_with(documents, Some(world))
    }

    /// Continues with documents. Without a world, nothing that matters may have changed.
    pub(super) fn go_on_with(
        &mut self,
        documents: &[&Document],
        mut world: Option<&mut W::At<'_>>,
    ) -> Result<Vec<(String, Migration)>, CastError> {
        let mut all = Vec::new();
        for document in documents {
            let name = name_of(document);
            let places = self.documents.iter().enumerate();
            let places = places
                .filter(|(_, known)| known.texts.first().is_some_and(|(first, _)| *first == name));
            let places: Vec<usize> = places.map(|(place, _)| place).collect();
            if places.is_empty() {
                return Err(CastError::UnknownDocument(name));
            }
            all.extend(places.into_iter().map(|place| (place, *document)));
        }
        let plan = self.plan(&all)?;
        self.try_out(&plan)?;
        let mut told = Vec::new();
        for change in plan.changes {
            let troupe = &mut self.troupes[change.troupe];
            let old = Arc::clone(self.society.population(troupe.id).program());
            let mut nobody = Scripted::new(old.behaviour(), 0);
            let mut theirs;
            let host: &mut dyn Host = match &mut world {
                Some(world) => {
                    theirs = troupe.bound.host(world);
                    &mut theirs
                }
                None => &mut nobody,
            };
            let migration = self
                .society
                .change_program(troupe.id, change.program, host)?;
            change
                .bound
                .reserve(self.society.population(troupe.id).len());
            change.bound.take_over(&troupe.bound, &migration);
            (troupe.bound, troupe.place) = (change.bound, change.place);
            if !migration.is_empty() {
                told.push((self.society.name(troupe.id).to_owned(), migration));
            }
        }
        self.let_go(&plan.gone);
        for (place, document) in &all {
            self.documents[*place].texts = document.texts();
        }
        self.take_archetypes(plan.archetypes)?;
        self.tell_texts();
        Ok(told)
    }

    /// Checks documents, and finds out what they change.
    fn plan(&self, all: &[(usize, &Document)]) -> Result<Plan<W>, CastError> {
        let mut plan = Plan {
            changes: Vec::new(),
            gone: Vec::new(),
            archetypes: Vec::new(),
        };
        for (place, document) in all {
            let mut archetypes = candidates(document)?;
            let prefix = &self.documents[*place].prefix;
            archetypes
                .iter_mut()
                .for_each(|one| one.name.insert_str(0, prefix));
            plan.archetypes.push((*place, archetypes));
        }
        for (number, troupe) in self.troupes.iter().enumerate() {
            let Some((_, document)) = all.iter().find(|(place, _)| *place == troupe.document)
            else {
                continue;
            };
            let population = self.society.population(troupe.id);
            let Some(name) = defined(document, &troupe.runs) else {
                match crate::mind::saving::living(population).len() {
                    0 => plan.gone.push(troupe.id),
                    agents => {
                        let name = population.program().behaviour().name().to_owned();
                        return Err(CastError::Gone { name, agents });
                    }
                }
                continue;
            };
            let behaviour = document.behaviour_of(&troupe.runs)?;
            let place = place_of(document, &name);
            let bound = self.leaves.bind(&behaviour);
            plan.changes.push(Change {
                troupe: number,
                bound: bound.map_err(|error| CastError::Bind(name, error))?,
                program: Arc::new(Program::new(behaviour)),
                place,
            });
        }
        Ok(plan)
    }

    /// Tries out everything that can fail, with a copy of the society.
    fn try_out(&self, plan: &Plan<W>) -> Result<(), CastError> {
        let mut trial = self.society.clone();
        for Change {
            troupe, program, ..
        } in &plan.changes
        {
            let id = self.troupes[*troupe].id;
            let population = trial.population(id);
            let (old, agents) = (Arc::clone(population.program()), population.len());
            let mut nobody = Scripted::new(old.behaviour(), agents);
            trial.change_program(id, Arc::clone(program), &mut nobody)?;
        }
        for id in &plan.gone {
            trial.leave(*id);
        }
        let mut joined: Vec<(usize, &Subject)> = Vec::new();
        for (document, archetypes) in &plan.archetypes {
            for new in archetypes {
                self.check_name(*document, new, plan)?;
                let runs = (*document, &new.subject);
                let is_there = self.troupes.iter().any(|troupe| {
                    (troupe.document, &troupe.runs) == runs && !plan.gone.contains(&troupe.id)
                });
                if !is_there && !joined.contains(&runs) {
                    self.try_to_join(&mut trial, *document, new)?;
                    joined.push(runs);
                }
            }
        }
        Ok(())
    }

    fn try_to_join(
        &self,
        trial: &mut Society,
        document: usize,
        new: &Candidate,
    ) -> Result<(), CastError> {
        let bound = self.leaves.bind(&new.behaviour);
        bound.map_err(|error| CastError::Bind(new.behaviour.name().to_owned(), error))?;
        let program = Arc::new(Program::new(new.behaviour.clone()));
        let prefix = &self.documents[document].prefix;
        let name = free_name(trial, prefix, new.behaviour.name());
        trial.join(name, Population::new(program, 0))?;
        Ok(())
    }

    /// Checks that no other document has given this name to something else.
    fn check_name(
        &self,
        document: usize,
        new: &Candidate,
        plan: &Plan<W>,
    ) -> Result<(), CastError> {
        let others = self.roles.iter().filter(|role| role.document != document);
        let Some(known) = others.into_iter().find(|role| role.name == new.name) else {
            return Ok(());
        };
        // It may come from a file that both import, and that has changed for both.
        let mut of_other = plan.archetypes.iter();
        let of_other = of_other.find(|(other, _)| *other == known.document);
        let of_other = of_other.and_then(|(_, all)| all.iter().find(|one| one.name == new.name));
        let place = of_other.map_or(&known.place, |one| &one.place);
        match *place == new.place {
            true => Ok(()),
            false => Err(CastError::SameName {
                name: new.name.clone(),
                first: place.shown(),
                second: new.place.shown(),
            }),
        }
    }

    /// Removes populations in which nobody lives.
    fn let_go(&mut self, gone: &[PopulationId]) {
        for id in gone {
            self.society.leave(*id);
        }
        let stays: Vec<bool> = self
            .troupes
            .iter()
            .map(|troupe| !gone.contains(&troupe.id))
            .collect();
        let new_place = |troupe: usize| stays[..troupe].iter().filter(|stays| **stays).count();
        self.roles.retain(|role| stays[role.troupe]);
        self.roles
            .iter_mut()
            .for_each(|role| role.troupe = new_place(role.troupe));
        self.troupes.retain(|troupe| !gone.contains(&troupe.id));
    }

    /// Takes the archetypes of changed documents instead of those that they had.
    fn take_archetypes(&mut self, all: Vec<(usize, Vec<Candidate>)>) -> Result<(), CastError> {
        for (document, archetypes) in all {
            let is_there = |name: &str| archetypes.iter().any(|one| one.name == name);
            self.roles
                .retain(|role| role.document != document || is_there(&role.name));
            for new in archetypes {
                let known = self.roles.iter().position(|role| role.name == new.name);
                match known {
                    Some(known) if self.roles[known].document != document => {}
                    Some(known) => self.take_again(known, new)?,
                    None => self.take_new(document, new)?,
                }
            }
        }
        Ok(())
    }

    fn take_again(&mut self, role: usize, new: Candidate) -> Result<(), CastError> {
        let document = self.roles[role].document;
        self.take_new(document, new)?;
        let new = self.roles.pop().expect("it was just added");
        self.roles[role] = new;
        Ok(())
    }

    fn take_new(&mut self, document: usize, new: Candidate) -> Result<(), CastError> {
        let prefix = self.documents[document].prefix.clone();
        self.admit(document, &prefix, new)
    }
}

/// The name of the file of a document.
pub(super) fn name_of(document: &Document) -> String {
    let first = document.sources().next();
    first.map_or_else(String::new, |source| source.name().to_owned())
}

/// The name of what a subject runs, if the document has it.
#[warn(clippy::wildcard_enum_match_arm)]
fn defined(document: &Document, subject: &Subject) -> Option<String> {
    let (all, name) = match subject {
        Subject::Tree(name) => (document.trees(), name),
        Subject::Machine(name) => (document.machines(), name),
        Subject::Decision(name) => (document.decisions(), name),
        Subject::Planner(name) => (document.planners(), name),
        Subject::Archetype(_) => return None,
        _ => treemind_core::unlisted(&subject),
    };
    all.iter()
        .any(|one| one.name() == name)
        .then(|| name.clone())
}
