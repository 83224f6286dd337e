//! The data of runs, by agent.

use std::array;
use std::sync::{Mutex, MutexGuard, OnceLock, TryLockError};

/// The last bucket ends at 2^26 words of 64 agents each, which is more than any memory holds.
const BUCKETS: usize = 26;

/// A place per agent, made when the first agent of its word needs one and kept from then on.
///
/// Agents are divided into words of 64. Each word has its own lock, so that hosts that serve different words, such
/// as those of several threads, never wait for one another. Words are stored in buckets of doubling size that never
/// move, so finding a word takes no lock.
pub(in super::super) struct Runs<T> {
    buckets: [OnceLock<Bucket<T>>; BUCKETS],
}

/// Words side by side.
type Bucket<T> = Box<[Mutex<Word<T>>]>;

/// Up to 64 agents.
type Word<T> = Vec<Option<T>>;

/// The current word, locked while a loop over agents stays in it.
pub(in super::super) struct LockedWord<'r, T> {
    runs: &'r Runs<T>,
    word: usize,
    places: Option<MutexGuard<'r, Word<T>>>,
}

/// The places of a word are already in use: by an outer call of the same code, or by another population on another
/// thread.
#[derive(Debug)]
pub(in super::super) struct InUse;

impl<T> Runs<T> {
    pub(in super::super) fn new() -> Self {
        Self {
            buckets: array::from_fn(|_| OnceLock::new()),
        }
    }

    /// Makes room for `agents` agents.
    pub(in super::super) fn reserve(&self, agents: usize) {
        for word in 0..agents.div_ceil(64) {
            if let Ok(mut places) = self.lock(word) {
                let wanted = (agents - word * 64).min(64);
                if places.len() < wanted {
                    places.resize_with(wanted, || None);
                }
            }
        }
    }

    /// Takes over all data of other places, which are left empty.
    pub(in super::super) fn take_over(&self, from: &Self) {
        for (number, bucket) in from.buckets.iter().enumerate() {
            let Some(words) = bucket.get() else { continue };
            let first = (1 << number) - 1;
            for word in first..first + words.len() {
                if let (Ok(mut old), Ok(mut new)) = (from.lock(word), self.lock(word)) {
                    *new = std::mem::take(&mut old);
                }
            }
        }
    }

    fn lock(&self, word: usize) -> Result<MutexGuard<'_, Word<T>>, InUse> {
        let bucket = (word + 1).ilog2() as usize;
        let words = self.buckets.get(bucket).ok_or(InUse)?.get_or_init(|| {
            let fresh = || Mutex::new(Word::new());
            (0..1usize << bucket).map(|_| fresh()).collect()
        });
        let first = (1 << bucket) - 1;
        match words[word - first].try_lock() {
            Ok(places) => Ok(places),
            // Panics are caught at the call that panics, and a place is valid at any time.
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(InUse),
        }
    }
}

impl<'r, T> LockedWord<'r, T> {
    pub(in super::super) fn new(runs: &'r Runs<T>) -> Self {
        Self {
            runs,
            word: 0,
            places: None,
        }
    }

    /// The place of an agent.
    #[inline]
    pub(in super::super) fn place(&mut self, agent: usize) -> Result<&mut Option<T>, InUse> {
        let (word, lane) = (agent / 64, agent % 64);
        if self.places.is_none() || self.word != word {
            // The previous word is released first, so that no caller ever holds two.
            self.places = None;
            self.places = Some(self.runs.lock(word)?);
            self.word = word;
        }
        let places = self.places.as_mut().ok_or(InUse)?;
        if places.len() <= lane {
            places.resize_with((lane + 1).next_power_of_two(), || None);
        }
        Ok(&mut places[lane])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_has_a_place_of_its_own() {
        let runs = Runs::new();
        for agent in (0..20_000).rev() {
            *LockedWord::new(&runs).place(agent).unwrap() = Some(agent);
        }
        let mut held = LockedWord::new(&runs);
        for agent in 0..20_000 {
            assert_eq!(*held.place(agent).unwrap(), Some(agent));
        }
    }

    #[test]
    fn a_word_is_held_once_and_the_others_are_free() {
        let runs: Runs<u8> = Runs::new();
        let mut held = LockedWord::new(&runs);
        held.place(70).unwrap();
        let mut other = LockedWord::new(&runs);
        assert!(other.place(64).is_err());
        assert!(other.place(63).is_ok() && other.place(128).is_ok());
        held.place(0).unwrap();
        assert!(other.place(64).is_ok());
    }

    #[test]
    fn room_that_was_made_beforehand_is_enough() {
        let runs: Runs<u64> = Runs::new();
        runs.reserve(1_000);
        let counted = allocation_counter::measure(|| {
            let mut held = LockedWord::new(&runs);
            for agent in 0..1_000 {
                *held.place(agent).unwrap() = Some(1);
            }
        });
        assert_eq!(counted.count_total, 0);
    }
}
