//! Limited resources: path finders, animation engines.

use crate::ids::BodyId;
use serde::{Deserialize, Serialize};

/// Places of a resource, and the bodies that hold them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pool {
    places: Option<u32>,
    holders: Vec<BodyId>,
    most: usize,
}

impl Pool {
    pub(super) fn new(places: Option<u32>) -> Self {
        Self {
            places,
            holders: Vec::new(),
            most: 0,
        }
    }

    /// Takes a place for a body; `false` when there is none left.
    #[must_use]
    pub(crate) fn take(&mut self, who: BodyId) -> bool {
        let is_free = self
            .places
            .is_none_or(|places| self.holders.len() < places as usize);
        if is_free {
            self.holders.push(who);
            self.most = self.most.max(self.holders.len());
        }
        is_free
    }

    /// Gives back one place of a body, if it has one.
    pub(crate) fn give_back(&mut self, who: BodyId) {
        if let Some(position) = self.holders.iter().position(|holder| *holder == who) {
            self.holders.remove(position);
        }
    }

    /// How many places there are; `None`: without limit.
    pub fn places(&self) -> Option<u32> {
        self.places
    }

    /// The bodies that hold a place, in the order in which they took it.
    pub fn holders(&self) -> &[BodyId] {
        &self.holders
    }

    /// The largest number of places that were taken at the same time.
    pub fn most_taken(&self) -> usize {
        self.most
    }
}
