//! Names turned into positions: keys of the blackboard and parameters of leaves.

use super::value::KeyType;
use std::marker::PhantomData;
use treemind_core::behaviour::Param;
use treemind_core::{Behaviour, KeyId, LeafId};

/// A key that the game's code reads or writes, from [`Registry::key`](super::Registry::key).
#[derive(Debug)]
pub struct Key<T> {
    pub(crate) position: usize,
    pub(crate) ty: PhantomData<fn(T) -> T>,
}

impl<T> Clone for Key<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Key<T> {}

/// What a bound registry knows of the behaviour's names.
#[derive(Clone, Debug)]
pub struct Wiring {
    /// Per leaf, its parameters.
    params: Vec<Vec<Param>>,
    /// All keys of the behaviour.
    keys: Vec<String>,
    /// Per [`Key`] of the registry, where it is.
    pub(crate) handles: Vec<KeyId>,
}

impl Wiring {
    pub(crate) fn new(behaviour: &Behaviour, handles: Vec<KeyId>) -> Self {
        Self {
            params: behaviour
                .leaves()
                .iter()
                .map(|leaf| leaf.params.clone())
                .collect(),
            keys: behaviour
                .keys()
                .iter()
                .map(|key| key.name.clone())
                .collect(),
            handles,
        }
    }

    /// The parameters of a leaf; none where a call is about no leaf.
    #[inline]
    fn params(&self, leaf: LeafId) -> &[Param] {
        self.params.get(leaf.index()).map_or(&[], Vec::as_slice)
    }
}

/// A parameter by its name or its position. Positions cost no search.
pub trait ArgRef {
    #[doc(hidden)]
    fn position(self, wiring: &Wiring, leaf: LeafId) -> usize;
}

impl ArgRef for usize {
    #[inline]
    fn position(self, wiring: &Wiring, leaf: LeafId) -> usize {
        let count = wiring.params(leaf).len();
        assert!(
            self < count,
            "the leaf has {count} parameters, none at position {self}"
        );
        self
    }
}

impl ArgRef for &str {
    #[inline]
    fn position(self, wiring: &Wiring, leaf: LeafId) -> usize {
        let params = wiring.params(leaf);
        match params.iter().position(|param| param.name == self) {
            Some(position) => position,
            None => unknown("parameter", self),
        }
    }
}

/// A key by its handle, its id or its name. Handles and ids cost no search.
pub trait KeyRef<T: KeyType> {
    #[doc(hidden)]
    fn id(self, wiring: &Wiring) -> KeyId;
}

impl<T: KeyType> KeyRef<T> for Key<T> {
    #[inline]
    fn id(self, wiring: &Wiring) -> KeyId {
        wiring.handles[self.position]
    }
}

impl<T: KeyType> KeyRef<T> for KeyId {
    #[inline]
    fn id(self, wiring: &Wiring) -> KeyId {
        let count = wiring.keys.len();
        assert!(
            self.index() < count,
            "the blackboard has {count} keys, none at position {}",
            self.index()
        );
        self
    }
}

impl<T: KeyType> KeyRef<T> for &str {
    #[inline]
    fn id(self, wiring: &Wiring) -> KeyId {
        match wiring.keys.iter().position(|key| key == self) {
            Some(position) => KeyId::new(position),
            None => unknown("key", self),
        }
    }
}

#[cold]
#[inline(never)]
fn unknown(what: &str, name: &str) -> ! {
    panic!("there is no {what} `{name}`")
}
