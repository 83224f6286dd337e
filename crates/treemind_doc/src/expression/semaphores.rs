//! The semaphores of a document, and those that one tree has.

use std::collections::HashMap;
use treemind_core::SemaphoreId;
use treemind_core::behaviour::Semaphore;

/// The semaphores of a document.
#[derive(Debug, Default)]
pub(crate) struct Semaphores {
    all: Vec<Semaphore>,
    places: HashMap<String, usize>,
    /// Those of the tree that is being checked, with what it holds.
    taken: Vec<usize>,
    ids: HashMap<usize, SemaphoreId>,
}

impl Semaphores {
    /// Adds one; its name is new.
    pub(crate) fn declare(&mut self, semaphore: Semaphore) {
        self.places.insert(semaphore.name.clone(), self.all.len());
        self.all.push(semaphore);
    }

    /// The semaphore of that name, which the tree has from now on.
    pub(crate) fn take(&mut self, name: &str) -> Option<SemaphoreId> {
        let place = *self.places.get(name)?;
        let next = SemaphoreId::new(self.taken.len());
        let id = *self.ids.entry(place).or_insert(next);
        if id == next {
            self.taken.push(place);
        }
        Some(id)
    }

    /// The names of all, as expressions write them.
    pub(crate) fn names(&self) -> Vec<String> {
        let names = self.all.iter().map(|one| one.name.replace('-', "_"));
        names.collect()
    }

    /// How many places the semaphore of that name has.
    pub(crate) fn places(&self, name: &str) -> Option<u32> {
        let place = self.places.get(name)?;
        Some(self.all[*place].places)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether agents share one that the tree has.
    pub(crate) fn is_shared(&self, id: SemaphoreId) -> bool {
        let place = self.taken.get(id.index());
        place.is_some_and(|place| self.all[*place].scope != treemind_core::behaviour::Scope::Agent)
    }

    /// What the tree has, in the order of its ids; the next tree begins anew.
    pub(crate) fn taken(&mut self) -> Vec<Semaphore> {
        self.ids.clear();
        let taken = std::mem::take(&mut self.taken);
        let taken = taken.into_iter();
        taken.map(|place| self.all[place].clone()).collect()
    }
}
