//! A game's closures and types as the leaves of its behaviours.

mod action;
mod agent;
mod answer;
mod bind;
mod bulk;
mod describe;
mod entry;
mod finding;
mod fit;
mod keys;
mod own;
mod problem;
mod saved_runs;
mod scripted;
mod sensors_and_listeners;
mod value;

pub use action::{Action, Callbacks, StartFn, StopFn, UpdateFn, update};
pub use agent::Agent;
pub use answer::{Answer, Done, TaskError};
pub use bind::{Bound, BoundHost};
pub(crate) use fit::closest;
pub use keys::{AnyKeyRef, ArgRef, Key, KeyRef, ListKey, ListRef, Wiring};
pub use own::{ActionType, ConditionType, NodeType, ServiceType};
pub use problem::{BindError, BindProblem};
pub use saved_runs::RunError;
pub(crate) use saved_runs::SavedRuns;
pub use sensors_and_listeners::{Content, Reading};
pub use value::{Entity, KeyType, ParamDefault};

use crate::world::World;
use bulk::{ActionLeaf, ColumnLeaf, ConditionLeaf, Leaf, ServiceLeaf};
use entry::{ActionOf, ConditionOf, Entry, Given, NodeOf, ServiceOf, Shared};
use own::Keep;
use sensors_and_listeners::{EventLeaf, LogLeaf, SensorLeaf};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::marker::PhantomData;
use std::sync::Arc;
use treemind_core::host::Order;
use treemind_doc::manifest::{ChildCount, LeafWord};

/// What a game provides and listens to, over its own world type `W`: conditions, actions, services, sensors,
/// composites, decorators and listeners.
///
/// Fill it once at start-up, then [`bind`](Self::bind) it to each behaviour. Closures are `Fn`: they change only
/// the world, so one registry serves any number of behaviours and threads.
///
/// When a closure panics, the panic is caught: its leaf fails for the current agent, the text is kept as a fault,
/// and the other agents of the call are still served. The panic hook prints as usual.
pub struct Registry<W: World + ?Sized> {
    leaves: Vec<Entry<W>>,
    log: Option<Arc<dyn Leaf<W>>>,
    keys: Vec<WantedKey>,
    order: Order,
    /// Declarations about leaves that make no sense.
    mistakes: Vec<String>,
    /// Whether the states of all runs have to be saved.
    is_for_saving: bool,
}

struct WantedKey {
    name: String,
    is_list: bool,
    matches: fn(treemind_core::Type) -> bool,
    keyword: &'static str,
}

impl<W: World + ?Sized> Default for Registry<W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<W: World + ?Sized> Registry<W> {
    /// An empty registry.
    pub fn new() -> Self {
        Self {
            leaves: Vec::new(),
            log: None,
            keys: Vec::new(),
            order: Order::default(),
            mistakes: Vec::new(),
            is_for_saving: false,
        }
    }

    /// Registers a condition. It replaces a leaf that was registered under the same name.
    pub fn condition<F, R>(&mut self, name: &str, ask: F) -> &mut Self
    where
        F: Fn(&W::At<'_>, &Agent<'_, '_>) -> R + Send + Sync + 'static,
        R: Answer + 'static,
    {
        let source = Shared(Arc::new(ConditionLeaf(ask)));
        self.insert(Entry::new(name, Some(LeafWord::Condition), source))
    }

    /// Registers a condition whose answers the world has in a column of bits: bit `b` of word `w` is agent `64 * w +
    /// b`. This costs the least, because many agents are answered at once. Agents beyond the end of the column have the
    /// answer no. It replaces a leaf registered before under that name.
    pub fn condition_column<F>(&mut self, name: &str, column: F) -> &mut Self
    where
        F: for<'h, 'w> Fn(&'h W::At<'w>) -> &'h [u64] + Send + Sync + 'static,
    {
        let source = Shared(Arc::new(ColumnLeaf(column)));
        self.insert(Entry::new(name, Some(LeafWord::Condition), source))
    }

    /// Registers an action that needs only an update. It replaces a leaf registered before under that name.
    pub fn action<F, R>(&mut self, name: &str, update: F) -> &mut Self
    where
        F: Fn(&mut W::At<'_>, &mut Agent<'_, '_>) -> R + Send + Sync + 'static,
        R: Answer + 'static,
    {
        self.action_with(name, action::update(update))
    }

    /// Registers an action with a start, a stop or both: [`Callbacks`], or a type of the game.
    pub fn action_with(&mut self, name: &str, action: impl Action<W>) -> &mut Self {
        let source = Shared(Arc::new(ActionLeaf(action)));
        self.insert(Entry::new(name, Some(LeafWord::Action), source))
    }

    /// Registers a condition that is a type with parameters. It replaces a leaf registered before under that name.
    pub fn condition_type<T: ConditionType<W>>(&mut self, name: &str) -> &mut Self {
        let source = ConditionOf::<T>(PhantomData);
        self.insert(Entry::new(name, Some(LeafWord::Condition), source).with_fields_of::<T>())
    }

    /// Registers an action that is a type with parameters and a state per run. It replaces a leaf registered before
    /// under that name.
    pub fn action_type<T: ActionType<W>>(&mut self, name: &str) -> &mut Self {
        let source = ActionOf::<T, T::State>(PhantomData, None);
        let entry = Entry::new(name, Some(LeafWord::Action), source);
        self.insert(entry.with_fields_of::<T>().without_saving::<T::State>())
    }

    /// Like [`action_type`](Self::action_type), and the states of its runs are part of what is saved, by serde. A type
    /// whose first state cannot be written and read back is a mistake, which [`bind`](Self::bind) reports by name.
    pub fn saved_action_type<T: ActionType<W>>(&mut self, name: &str) -> &mut Self
    where
        T::State: Serialize + DeserializeOwned,
    {
        let (keep, is_saved) = Keep::by_serde();
        let source = ActionOf::<T, T::State>(PhantomData, Some(keep));
        let mut entry = Entry::new(name, Some(LeafWord::Action), source);
        entry.cannot_save = is_saved.err();
        self.insert(entry.with_fields_of::<T>())
    }

    /// Registers a service. It replaces a leaf registered before under that name.
    pub fn service<F, R>(&mut self, name: &str, serve: F) -> &mut Self
    where
        F: Fn(&mut W::At<'_>, &mut Agent<'_, '_>) -> R + Send + Sync + 'static,
        R: Done + 'static,
    {
        let source = Shared(Arc::new(ServiceLeaf(serve)));
        self.insert(Entry::new(name, Some(LeafWord::Service), source))
    }

    /// Registers a service that is a type with parameters. It replaces a leaf registered before under that name.
    pub fn service_type<T: ServiceType<W>>(&mut self, name: &str) -> &mut Self {
        let source = ServiceOf::<T>(PhantomData);
        self.insert(Entry::new(name, Some(LeafWord::Service), source).with_fields_of::<T>())
    }

    /// Registers a composite of the game, with any number of children; to limit them, see
    /// [`children`](Self::children). It replaces a leaf registered before under that name.
    pub fn composite_type<T: NodeType<W>>(&mut self, name: &str) -> &mut Self {
        let source = NodeOf::<T, T::State>(PhantomData, None);
        let entry = Entry::new(name, Some(LeafWord::Composite), source);
        self.insert(entry.with_fields_of::<T>().without_saving::<T::State>())
            .any_children()
    }

    /// Like [`composite_type`](Self::composite_type), and the states of its runs are part of what is saved: see
    /// [`saved_action_type`](Self::saved_action_type).
    pub fn saved_composite_type<T: NodeType<W>>(&mut self, name: &str) -> &mut Self
    where
        T::State: Serialize + DeserializeOwned,
    {
        self.saved_node::<T>(name, LeafWord::Composite)
            .any_children()
    }

    /// Registers a decorator of the game. It replaces a leaf registered before under that name.
    pub fn decorator_type<T: NodeType<W>>(&mut self, name: &str) -> &mut Self {
        let source = NodeOf::<T, T::State>(PhantomData, None);
        let entry = Entry::new(name, Some(LeafWord::Decorator), source);
        self.insert(entry.with_fields_of::<T>().without_saving::<T::State>())
    }

    /// Like [`decorator_type`](Self::decorator_type), and the states of its runs are part of what is saved: see
    /// [`saved_action_type`](Self::saved_action_type).
    pub fn saved_decorator_type<T: NodeType<W>>(&mut self, name: &str) -> &mut Self
    where
        T::State: Serialize + DeserializeOwned,
    {
        self.saved_node::<T>(name, LeafWord::Decorator)
    }

    fn saved_node<T: NodeType<W>>(&mut self, name: &str, word: LeafWord) -> &mut Self
    where
        T::State: Serialize + DeserializeOwned,
    {
        let (keep, is_saved) = Keep::by_serde();
        let source = NodeOf::<T, T::State>(PhantomData, Some(keep));
        let mut entry = Entry::new(name, Some(word), source);
        entry.cannot_save = is_saved.err();
        self.insert(entry.with_fields_of::<T>())
    }

    fn any_children(&mut self) -> &mut Self {
        if let Some(entry) = self.leaves.last_mut() {
            entry.children = Some(ChildCount {
                least: 1,
                most: None,
            });
        }
        self
    }

    /// From now on, everything must be saved: [`bind`](Self::bind) refuses types whose runs have a state, unless they
    /// were registered as [saved](Self::saved_action_type). Call this at the start of a game that saves, so that a
    /// forgotten type is found at once, and not when a player loads.
    pub fn for_saving(&mut self) -> &mut Self {
        self.is_for_saving = true;
        self
    }

    /// Registers a sensor. What it returns becomes the value of the key that it computes, or all the items if the
    /// key is a list. Its arguments are those of the key. It replaces a leaf registered before under that name.
    pub fn sensor<F, R>(&mut self, name: &str, sense: F) -> &mut Self
    where
        F: Fn(&W::At<'_>, &Agent<'_, '_>) -> R + Send + Sync + 'static,
        R: Reading + 'static,
    {
        let source = Shared(Arc::new(SensorLeaf(sense)));
        let mut entry = Entry::new(name, Some(LeafWord::Sensor), source);
        entry.gives = Some(Given {
            is_list: R::Content::IS_LIST,
            matches: <R::Content as Content>::Item::matches,
            keyword: <R::Content as Content>::Item::KEYWORD,
        });
        self.insert(entry)
    }

    /// Listens to an event: the event's values are the arguments of the call. An event without a listener has no
    /// effect. A new listener replaces the one registered before.
    pub fn on_event<F, R>(&mut self, name: &str, hear: F) -> &mut Self
    where
        F: Fn(&mut W::At<'_>, &mut Agent<'_, '_>) -> R + Send + Sync + 'static,
        R: Done + 'static,
    {
        let source = Shared(Arc::new(EventLeaf(hear)));
        self.insert(Entry::new(name, Some(LeafWord::Event), source))
    }

    /// Listens to what agents log. A new listener replaces the one registered before.
    pub fn on_log<F, R>(&mut self, hear: F) -> &mut Self
    where
        F: Fn(&mut W::At<'_>, &mut Agent<'_, '_>, &str) -> R + Send + Sync + 'static,
        R: Done + 'static,
    {
        self.log = Some(Arc::new(LogLeaf(hear)));
        self
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

    /// Sets whether agents see, within a tick, what other agents did earlier in it. The default is
    /// [`Order::Independent`].
    pub fn order(&mut self, order: Order) -> &mut Self {
        self.order = order;
        self
    }

    fn insert(&mut self, entry: Entry<W>) -> &mut Self {
        self.leaves.retain(|other| other.name != entry.name);
        self.leaves.push(entry);
        self
    }
}
