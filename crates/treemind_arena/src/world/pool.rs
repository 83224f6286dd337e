//! What there is only so much of: path finders, animation engines.

use crate::body::BodyId;

/// Places of something, and who has them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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

    /// Takes a place for somebody; `false` when there is none left.
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

    /// Gives one place of somebody back, if it has one.
    pub(crate) fn give_back(&mut self, who: BodyId) {
        if let Some(position) = self.holders.iter().position(|holder| *holder == who) {
            self.holders.remove(position);
        }
    }

    /// How many there are; `None`: as many as one likes.
    pub fn places(&self) -> Option<u32> {
        self.places
    }

    /// Who has one, in the order in which they took it.
    pub fn holders(&self) -> &[BodyId] {
        &self.holders
    }

    /// How many were taken at a time at most.
    pub fn most_taken(&self) -> usize {
        self.most
    }
}
