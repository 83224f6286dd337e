//! The semaphores of a document, and those that one tree uses.

use std::collections::HashMap;
use treemind_core::SemaphoreId;
use treemind_core::behaviour::Semaphore;

/// The semaphores of a document.
#[derive(Debug, Default)]
pub(crate) struct Semaphores {
    all: Vec<Semaphore>,
    places: HashMap<String, usize>,
    /// The semaphores of the tree being checked, including those of the trees that it contains.
    taken: Vec<usize>,
    ids: HashMap<usize, SemaphoreId>,
}

impl Semaphores {
    /// Adds a semaphore with a new name.
    pub(crate) fn declare(&mut self, semaphore: Semaphore) {
        self.places.insert(semaphore.name.clone(), self.all.len());
        self.all.push(semaphore);
    }

    /// The semaphore with this name; from now on, the tree uses it.
    pub(crate) fn take(&mut self, name: &str) -> Option<SemaphoreId> {
        let place = *self.places.get(name)?;
        let next = SemaphoreId::new(self.taken.len());
        let id = *self.ids.entry(place).or_insert(next);
        if id == next {
            self.taken.push(place);
        }
        Some(id)
    }

    /// The names of all semaphores, as expressions write them.
    pub(crate) fn names(&self) -> Vec<String> {
        let names = self.all.iter().map(|one| one.name.replace('-', "_"));
        names.collect()
    }

    /// How many places the semaphore with this name has.
    pub(crate) fn places(&self, name: &str) -> Option<u32> {
        let place = self.places.get(name)?;
        Some(self.all[*place].places)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether a semaphore of the tree is shared by agents.
    pub(crate) fn is_shared(&self, id: SemaphoreId) -> bool {
        let place = self.taken.get(id.index());
        place.is_some_and(|place| self.all[*place].scope != treemind_core::behaviour::Scope::Agent)
    }

    /// The semaphores of the tree, in the order of their ids; then starts the list of the next tree.
    pub(crate) fn taken(&mut self) -> Vec<Semaphore> {
        self.ids.clear();
        let taken = std::mem::take(&mut self.taken);
        let taken = taken.into_iter();
        taken.map(|place| self.all[place].clone()).collect()
    }
}
