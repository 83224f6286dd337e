//! What a closure learns about the agent that it decides or acts for.

use super::keys::{AnyKeyRef, ArgPlace, ArgRef, KeyRef, ListRef, Wiring};
use super::value::KeyType;
use treemind_core::host::Call;
use treemind_core::{AgentId, Held, KeyId, List, NodeId, PushError, Ticket, Value};

/// One agent in one call of a leaf: who it is, the arguments of the leaf, its blackboard and the time.
///
/// Methods panic when they are asked for something that does not exist (a parameter or key of another name or
/// type). The panic is caught, the leaf fails for this agent, and the text is kept as a fault.
pub struct Agent<'c, 'a> {
    pub(crate) call: &'c mut Call<'a>,
    pub(crate) wiring: &'c Wiring,
    pub(crate) index: usize,
}

impl Agent<'_, '_> {
    /// The index of the agent in the population: 0 for the first.
    #[inline]
    pub fn index(&self) -> usize {
        self.index
    }

    /// The handle of the agent, which never names another one: see [`AgentId`].
    #[inline]
    pub fn id(&self) -> AgentId {
        self.call.id_of(self.index)
    }

    /// The agent's group, as it was when the tick began.
    #[inline]
    pub fn group(&self) -> u32 {
        self.call.group(self.index)
    }

    /// Moves the agent to another group when the tick has ended: see [`Call::set_group`].
    pub fn set_group(&mut self, group: u32) {
        self.call.set_group(self.index, group);
    }

    /// Removes the agent when the tick has ended. It continues until then: see [`Call::remove`].
    pub fn remove(&mut self) {
        self.call.remove(self.index);
    }

    /// Asks for a new agent of an archetype, with other values for some keys, when the tick has ended: see
    /// [`Call::spawn`].
    pub fn spawn(&mut self, archetype: &str, given: &[(&str, Value)]) {
        self.call.spawn(self.index, archetype, given);
    }

    /// A ticket for this run of an action that the game ends itself
    /// ([`reports`](super::Registry::reports)), with which [`Population::finish`](treemind_core::Population::finish)
    /// ends it later. Take it in the action's start.
    ///
    /// # Panics
    /// When the action is not one of these.
    pub fn ticket(&self) -> Ticket {
        self.call.ticket(self.index)
    }

    /// The node that makes the call; several nodes can use one leaf.
    #[inline]
    pub fn node(&self) -> NodeId {
        self.call.node()
    }

    /// How many children the node has; 0 unless it is a composite or decorator.
    #[inline]
    pub fn children(&self) -> usize {
        self.call.children()
    }

    /// The text of a `log` or an `emit`. `words` can give the game's own words for values that the game knows
    /// better, such as a name for an entity. Empty at nodes of other kinds.
    pub fn text_with(&self, words: impl Fn(Value) -> Option<String>) -> String {
        self.call.text_with(self.index, words)
    }

    /// The number of the tick, from 1.
    #[inline]
    pub fn tick(&self) -> u64 {
        self.call.tick()
    }

    /// The population's clock in nanoseconds: the sum of all steps up to and including this tick.
    #[inline]
    pub fn now_ns(&self) -> u64 {
        self.call.now_ns()
    }

    /// The population's clock in seconds.
    #[inline]
    pub fn now_secs(&self) -> f64 {
        self.call.now_ns() as f64 * 1e-9
    }

    /// The time since the agent's last tick, in seconds: the length of this tick, unless the agent has an
    /// [interval](crate::population::Population::set_interval).
    #[inline]
    pub fn dt_secs(&self) -> f64 {
        self.call.dt_ns() as f64 * 1e-9
    }

    /// An argument of the leaf, by the position or the name of its parameter, as it was at the start of the run. By its
    /// name, a parameter that the document does not declare has the default that was registered with
    /// [`param`](super::Registry::param).
    ///
    /// # Panics
    /// When the leaf has no such parameter and no such default, or one of another type.
    #[inline]
    pub fn arg<T: KeyType>(&self, parameter: impl ArgRef) -> T {
        let value = match parameter.place(self.wiring, self.call.leaf()) {
            ArgPlace::Given(index) => self.call.arg(index, self.index),
            ArgPlace::Default(value) => value,
        };
        typed("the parameter", value)
    }

    /// The key that the node gave for a parameter that is passed by key (`param path type=any by-key=#true`): read it
    /// with [`find`](Self::find), and write it with [`set`](Self::set). `None` when the node gave a value.
    ///
    /// # Panics
    /// When the leaf has no such parameter.
    pub fn arg_key(&self, parameter: impl ArgRef) -> Option<KeyId> {
        match parameter.place(self.wiring, self.call.leaf()) {
            ArgPlace::Given(index) => self.call.arg_key(index),
            ArgPlace::Default(_) => None,
        }
    }

    /// The text of a `log`, or an event with its values, such as `noise volume=3`; empty for other nodes.
    pub fn text(&self) -> String {
        self.call.text(self.index)
    }

    /// The value of a key of the agent's blackboard, by a [`Key`](super::Key) of the registry or by name. A `Key`
    /// is checked when the registry is bound and needs no search. A shared key reads as it was at the start of the
    /// tick; a sensed key reads as it was last computed.
    ///
    /// # Panics
    /// When there is no key of that name, it is of another type, or it is unset. For unset keys,
    /// [`find`](Self::find) returns `None` instead.
    #[inline]
    pub fn get<T: KeyType>(&self, key: impl KeyRef<T>) -> T {
        let id = key.id(self.wiring);
        match self.call.find(id, self.index) {
            Some(value) => typed("the key", value),
            None => self.no_value(id),
        }
    }

    /// Like [`get`](Self::get), but returns `None` when the key is optional and unset.
    ///
    /// # Panics
    /// When there is no key of that name, or it is of another type.
    #[inline]
    #[warn(clippy::wildcard_enum_match_arm)]
    pub fn find<T: KeyType>(&self, key: impl KeyRef<T>) -> Option<T> {
        let id = key.id(self.wiring);
        match self.call.held(id, self.index) {
            Held::One(value) => Some(typed("the key", value)),
            Held::Unset => None,
            Held::List(_) => self.no_value(id),
            other => treemind_core::unlisted(&other),
        }
    }

    /// Whether a key has a value, or a list has an item.
    ///
    /// # Panics
    /// When there is no key of that name.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub fn is_set(&self, key: impl AnyKeyRef) -> bool {
        match self.call.held(key.id(self.wiring), self.index) {
            Held::One(_) => true,
            Held::Unset => false,
            Held::List(list) => !list.is_empty(),
            other => treemind_core::unlisted(&other),
        }
    }

    /// Removes the value of an optional key, or all items of a list.
    ///
    /// # Panics
    /// When there is no key of that name, or it always has a value.
    pub fn unset(&mut self, key: impl AnyKeyRef) {
        let id = key.id(self.wiring);
        if !self.call.board().unset(id, self.index) {
            panic!("the key `{}` is not optional", self.wiring.key_name(id));
        }
    }

    /// The items of a list, in order.
    ///
    /// # Panics
    /// When there is no list of that name, or its items are of another type.
    pub fn items<T: KeyType>(&self, list: impl ListRef<T>) -> impl ExactSizeIterator<Item = T> {
        let items = self.list(list.id(self.wiring)).iter();
        items.map(|item| typed("an item of the list", item))
    }

    /// Adds an item at the end of a list. Returns `false`, and changes nothing, when the list is full. To a shared
    /// list the item is added at the end of the tick, if there is room then; here `false` means that the agent
    /// itself has already added as many items as the list can hold.
    ///
    /// # Panics
    /// When there is no list of that name, or its items are of another type.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub fn push<T: KeyType>(&mut self, list: impl ListRef<T>, item: T) -> bool {
        let id = list.id(self.wiring);
        let mut board = self.call.board();
        let Some(mut list) = board.list_mut(id, self.index) else {
            no_list(self.wiring.key_name(id));
        };
        let Err(error) = list.push(item.into_value()) else {
            return true;
        };
        match error {
            PushError::Full => false,
            PushError::WrongType(error) => {
                wrong_type("an item of the list", error.wanted.keyword(), T::KEYWORD)
            }
            _ => treemind_core::unlisted(&error),
        }
    }

    #[warn(clippy::wildcard_enum_match_arm)]
    fn list(&self, id: KeyId) -> List<'_> {
        match self.call.held(id, self.index) {
            Held::List(list) => list,
            Held::One(_) | Held::Unset => no_list(self.wiring.key_name(id)),
            other => treemind_core::unlisted(&other),
        }
    }

    #[cold]
    #[inline(never)]
    fn no_value(&self, id: KeyId) -> ! {
        let name = self.wiring.key_name(id);
        match self.call.held(id, self.index) {
            Held::List(_) => panic!("the key `{name}` is a list, not a value"),
            _ => panic!("the key `{name}` is unset"),
        }
    }

    /// Writes a key of the agent's blackboard; nodes that come later in the same tick see it. A shared key gets its
    /// value at the end of the tick.
    ///
    /// # Panics
    /// When there is no key of that name, or it is of another type.
    #[inline]
    pub fn set<T: KeyType>(&mut self, key: impl KeyRef<T>, value: T) {
        let id = key.id(self.wiring);
        if let Err(error) = self.call.board().set(id, self.index, value.into_value()) {
            if error.is_list {
                self.no_value(id);
            }
            wrong_type("the key", error.wanted.keyword(), error.given.keyword());
        }
    }

    /// Records a fault without ending the run.
    pub fn fault(&mut self, text: impl Into<String>) {
        self.call.fault(self.index, text);
    }
}

/// A value as the requested type.
#[inline]
fn typed<T: KeyType>(what: &str, value: Value) -> T {
    match T::from_value(value) {
        Some(inner) => inner,
        None => wrong_type(what, value.ty().keyword(), T::KEYWORD),
    }
}

#[cold]
#[inline(never)]
fn no_list(name: &str) -> ! {
    panic!("the key `{name}` is a value, not a list")
}

#[cold]
#[inline(never)]
fn wrong_type(what: &str, declared: &str, asked: &str) -> ! {
    panic!("{what} is `{declared}`, not `{asked}`")
}
