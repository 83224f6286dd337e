//! Closures and types of a game as the leaves of its behaviours.

mod action;
mod agent;
mod answer;
mod bind;
mod bulk;
mod keys;
mod value;

pub use action::{Action, Callbacks, StartFn, StopFn, UpdateFn, update};
pub use agent::Agent;
pub use answer::{Answer, Done, TaskError};
pub use bind::{BindError, BindProblem, Bound, BoundHost};
pub use keys::{AnyKeyRef, ArgRef, Key, KeyRef, ListKey, ListRef, Wiring};
pub use value::{Entity, KeyType};

use bind::Slot;
use bulk::{ActionLeaf, ConditionLeaf, Leaf};
use std::marker::PhantomData;
use std::sync::Arc;
use treemind_core::Behaviour;
use treemind_core::behaviour::LeafKind;
use treemind_core::host::Order;

/// The conditions and actions that a game provides, over its own world type `W`.
///
/// Fill it once at start-up, then [`bind`](Self::bind) it to each behaviour. Closures are `Fn`: what they
/// change is the world, so one registry serves any number of behaviours and threads.
///
/// A closure that panics is caught: its leaf fails for the agent at hand, the text is kept as a fault, and the other
/// agents of the call are served. The panic hook still prints, as for every panic.
pub struct Registry<W> {
    leaves: Vec<Entry<W>>,
    keys: Vec<WantedKey>,
    order: Order,
}

struct Entry<W> {
    name: String,
    is_action: bool,
    leaf: Arc<dyn Leaf<W>>,
}

struct WantedKey {
    name: String,
    is_list: bool,
    matches: fn(treemind_core::Type) -> bool,
    keyword: &'static str,
}

impl<W: 'static> Default for Registry<W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<W: 'static> Registry<W> {
    /// An empty registry.
    pub fn new() -> Self {
        Self {
            leaves: Vec::new(),
            keys: Vec::new(),
            order: Order::default(),
        }
    }

    /// Registers a condition. One registered before under that name is replaced.
    pub fn condition<F, R>(&mut self, name: &str, ask: F) -> &mut Self
    where
        F: Fn(&W, &Agent<'_, '_>) -> R + Send + Sync + 'static,
        R: Answer + 'static,
    {
        self.insert(name, false, Arc::new(ConditionLeaf(ask)))
    }

    /// Registers an action that needs no more than its update. One registered before under that name is replaced.
    pub fn action<F, R>(&mut self, name: &str, update: F) -> &mut Self
    where
        F: Fn(&mut W, &mut Agent<'_, '_>) -> R + Send + Sync + 'static,
        R: Answer + 'static,
    {
        self.action_with(name, action::update(update))
    }

    /// Registers an action with a start, a stop or both: [`Callbacks`], or a type of the game's own.
    pub fn action_with(&mut self, name: &str, action: impl Action<W>) -> &mut Self {
        self.insert(name, true, Arc::new(ActionLeaf(action)))
    }

    /// A handle to a key of the blackboard, for [`Agent::get`] and [`Agent::set`]. Every behaviour that
    /// this registry is bound to must have the key, with this type.
    pub fn key<T: KeyType>(&mut self, name: &str) -> Key<T> {
        self.want(name, false)
    }

    /// A handle to a list of the blackboard, for [`Agent::items`], [`Agent::push`] and the like. Every behaviour that
    /// this registry is bound to must have the list, with items of this type.
    pub fn list<T: KeyType>(&mut self, name: &str) -> ListKey<T> {
        ListKey(self.want(name, true))
    }

    fn want<T: KeyType>(&mut self, name: &str, is_list: bool) -> Key<T> {
        self.keys.push(WantedKey {
            name: name.to_owned(),
            is_list,
            matches: T::matches,
            keyword: T::KEYWORD,
        });
        Key {
            position: self.keys.len() - 1,
            ty: PhantomData,
        }
    }

    /// Says whether agents see in a tick what other agents did earlier in it; [`Order::Independent`] if not said.
    pub fn order(&mut self, order: Order) -> &mut Self {
        self.order = order;
        self
    }

    /// Whether everything that the behaviour needs is here.
    ///
    /// # Errors
    /// As [`bind`](Self::bind).
    pub fn check(&self, behaviour: &Behaviour) -> Result<(), BindError> {
        self.bind(behaviour).map(|_| ())
    }

    /// Connects every leaf of the behaviour, whether its tree uses it or not, with what is registered.
    ///
    /// # Errors
    /// When a leaf or a key is missing, or of another kind or type; the error lists all of them.
    pub fn bind(&self, behaviour: &Behaviour) -> Result<Bound<W>, BindError> {
        let mut problems = Vec::new();
        let mut slots = Vec::new();
        for leaf in behaviour.leaves() {
            match self.find(&leaf.name, leaf.kind) {
                Ok(entry) => slots.push(Slot {
                    has_start: entry.leaf.has_start(),
                    has_stop: entry.leaf.has_stop(),
                    leaf: Arc::clone(&entry.leaf),
                }),
                Err(problem) => problems.push(problem),
            }
        }
        let mut handles = Vec::new();
        for wanted in &self.keys {
            match wanted.find(behaviour) {
                Ok(id) => handles.push(id),
                Err(problem) => problems.push(problem),
            }
        }
        if !problems.is_empty() {
            return Err(BindError { problems });
        }
        Ok(Bound {
            slots,
            wiring: Wiring::new(behaviour, handles),
            order: self.order,
        })
    }

    fn find(&self, name: &str, kind: LeafKind) -> Result<&Entry<W>, BindProblem> {
        let is_action = matches!(kind, LeafKind::Action { .. });
        match self.leaves.iter().find(|entry| entry.name == name) {
            Some(entry) if entry.is_action == is_action => Ok(entry),
            Some(_) => Err(BindProblem::WrongKind {
                name: name.to_owned(),
                wanted: kind,
            }),
            None => {
                let same_kind = self
                    .leaves
                    .iter()
                    .filter(|entry| entry.is_action == is_action);
                Err(BindProblem::MissingLeaf {
                    name: name.to_owned(),
                    kind,
                    suggestion: closest(name, same_kind.map(|entry| entry.name.as_str())),
                })
            }
        }
    }

    fn insert(&mut self, name: &str, is_action: bool, leaf: Arc<dyn Leaf<W>>) -> &mut Self {
        self.leaves.retain(|entry| entry.name != name);
        self.leaves.push(Entry {
            name: name.to_owned(),
            is_action,
            leaf,
        });
        self
    }
}

impl WantedKey {
    fn find(&self, behaviour: &Behaviour) -> Result<treemind_core::KeyId, BindProblem> {
        let Some(id) = behaviour.key_id(&self.name) else {
            return Err(BindProblem::MissingKey {
                name: self.name.clone(),
                suggestion: closest(
                    &self.name,
                    behaviour.keys().iter().map(|key| key.name.as_str()),
                ),
            });
        };
        let key = behaviour.key(id);
        if key.form.is_list() != self.is_list {
            return Err(BindProblem::WrongKeyForm {
                name: self.name.clone(),
                is_list: !self.is_list,
            });
        }
        let declared = key.ty;
        if (self.matches)(declared) {
            Ok(id)
        } else {
            Err(BindProblem::WrongKeyType {
                name: self.name.clone(),
                asked: self.keyword,
                declared: declared.keyword(),
            })
        }
    }
}

/// The name most like the one that was looked for, if it is like it at all.
fn closest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
    known
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|&(distance, _)| distance <= (name.chars().count() / 3).max(1))
        .min()
        .map(|(_, candidate)| candidate.to_owned())
}
