//! Names turned into positions: keys of the blackboard and parameters of leaves.

use super::value::KeyType;
use std::marker::PhantomData;
use treemind_core::behaviour::{Arg, Enum, Kind, Param};
use treemind_core::{Behaviour, KeyId, LeafId, NodeId, Value};

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

/// A list that the game's code reads or writes, from [`Registry::list`](super::Registry::list).
#[derive(Debug)]
pub struct ListKey<T>(pub(crate) Key<T>);

impl<T> Clone for ListKey<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ListKey<T> {}

/// What a bound registry knows about the behaviour's names.
#[derive(Clone, Debug)]
pub struct Wiring {
    leaves: Vec<String>,
    /// Per leaf, its parameters.
    params: Vec<Vec<Param>>,
    /// Per leaf, the parameters that its code has a default for and the behaviour does not declare.
    defaults: Vec<Vec<(String, Value)>>,
    enums: Vec<Enum>,
    /// Per node, how many nodes of the same leaf come before it.
    ordinals: Vec<u32>,
    /// Per node, its leaf.
    leaf_of: Vec<Option<LeafId>>,
    /// All keys of the behaviour.
    keys: Vec<String>,
    /// Per [`Key`] of the registry, its position in the behaviour.
    pub(crate) handles: Vec<KeyId>,
}

impl Wiring {
    pub(crate) fn new(
        behaviour: &Behaviour,
        handles: Vec<KeyId>,
        defaults: Vec<Vec<(String, Value)>>,
    ) -> Self {
        let mut counts = vec![0; behaviour.leaves().len()];
        let ordinals = behaviour.nodes().iter().map(|node| {
            let Some(leaf) = node.kind.leaf() else {
                return 0;
            };
            counts[leaf.index()] += 1;
            counts[leaf.index()] - 1
        });
        let leaves = behaviour.leaves().iter();
        Self {
            ordinals: ordinals.collect(),
            leaf_of: behaviour
                .nodes()
                .iter()
                .map(|node| node.kind.leaf())
                .collect(),
            leaves: leaves.map(|leaf| leaf.name.clone()).collect(),
            enums: behaviour.enums().to_vec(),
            defaults,
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

    /// The name of a key.
    pub(crate) fn key_name(&self, id: KeyId) -> &str {
        &self.keys[id.index()]
    }

    #[inline]
    fn by_id(&self, id: KeyId) -> KeyId {
        let count = self.keys.len();
        assert!(
            id.index() < count,
            "the blackboard has {count} keys, so there is none at position {}",
            id.index()
        );
        id
    }

    #[inline]
    fn by_name(&self, name: &str) -> KeyId {
        match self.keys.iter().position(|key| key == name) {
            Some(position) => KeyId::new(position),
            None => unknown("key", name),
        }
    }

    /// The position of a leaf.
    pub(crate) fn leaf(&self, name: &str) -> Option<usize> {
        self.leaves.iter().position(|leaf| leaf == name)
    }

    /// The parameters of a leaf; empty when a call is not about a leaf.
    #[inline]
    pub(crate) fn params(&self, leaf: LeafId) -> &[Param] {
        self.params.get(leaf.index()).map_or(&[], Vec::as_slice)
    }

    /// The default that the code of a leaf has for a parameter which the behaviour does not declare.
    #[cold]
    fn default_of(&self, leaf: LeafId, name: &str) -> Value {
        let of_leaf = self.defaults.get(leaf.index());
        let found = of_leaf.and_then(|all| all.iter().find(|(known, _)| known == name));
        match found {
            Some((_, value)) => *value,
            None => unknown("parameter", name),
        }
    }

    pub(crate) fn enums(&self) -> &[Enum] {
        &self.enums
    }

    /// The leaf of each node.
    pub(crate) fn leaves_of_nodes(&self) -> impl Iterator<Item = (NodeId, Option<LeafId>)> + '_ {
        let leaves = self.leaf_of.iter().enumerate();
        leaves.map(|(node, leaf)| (NodeId::new(node), *leaf))
    }

    /// The leaf of a node.
    pub(crate) fn leaf_of(&self, node: NodeId) -> Option<LeafId> {
        self.leaf_of.get(node.index()).copied().flatten()
    }

    /// The number of a node among the nodes of its leaf, from 0.
    #[inline]
    pub(crate) fn ordinal(&self, node: NodeId) -> usize {
        self.ordinals[node.index()] as usize
    }
}

/// A node of a leaf, as the leaf sees it when it is bound.
pub(crate) struct Place<'b> {
    pub(crate) node: NodeId,
    pub(crate) params: &'b [Param],
    pub(crate) enums: &'b [Enum],
    pub(crate) args: &'b [Arg],
}

/// The nodes of a leaf, in order.
pub(crate) fn places(behaviour: &Behaviour, leaf: LeafId) -> Vec<Place<'_>> {
    let nodes = behaviour.node_ids().filter_map(|node| {
        let kind = &behaviour.node(node).kind;
        let args = match kind {
            Kind::Condition { args, .. }
            | Kind::Action { args, .. }
            | Kind::Service { args, .. }
            | Kind::Own { args, .. }
                if kind.leaf() == Some(leaf) =>
            {
                args
            }
            _ => return None,
        };
        Some(Place {
            node,
            params: &behaviour.leaf(leaf).params,
            enums: behaviour.enums(),
            args,
        })
    });
    nodes.collect()
}

/// A parameter by its name or its position. Positions need no search.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name a parameter",
    label = "a parameter is named by a `&str`, or by its position, a `usize`"
)]
pub trait ArgRef {
    #[doc(hidden)]
    fn place(self, wiring: &Wiring, leaf: LeafId) -> ArgPlace;
}

/// Where an argument is.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ArgPlace {
    /// Its position in the call.
    Given(usize),
    /// The behaviour does not declare it: the default of the code.
    Default(Value),
}

impl ArgRef for usize {
    #[inline]
    fn place(self, wiring: &Wiring, leaf: LeafId) -> ArgPlace {
        let count = wiring.params(leaf).len();
        assert!(
            self < count,
            "the leaf has {count} parameters, so there is none at position {self}"
        );
        ArgPlace::Given(self)
    }
}

impl ArgRef for &str {
    #[inline]
    fn place(self, wiring: &Wiring, leaf: LeafId) -> ArgPlace {
        let params = wiring.params(leaf);
        match params.iter().position(|param| param.name == self) {
            Some(position) => ArgPlace::Given(position),
            None => ArgPlace::Default(wiring.default_of(leaf, self)),
        }
    }
}

/// A key by its handle, its id or its name. Handles and ids need no search.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name a key of type `{T}`",
    label = "a key is named by a `&str`, a `Key<{T}>` from `Registry::key`, or a `KeyId`"
)]
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
        wiring.by_id(self)
    }
}

impl<T: KeyType> KeyRef<T> for &str {
    #[inline]
    fn id(self, wiring: &Wiring) -> KeyId {
        wiring.by_name(self)
    }
}

/// A list by its handle, its id or its name. Handles and ids need no search.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name a list of `{T}`",
    label = "a list is named by a `&str`, a `ListKey<{T}>` from `Registry::list`, or a `KeyId`"
)]
pub trait ListRef<T: KeyType> {
    #[doc(hidden)]
    fn id(self, wiring: &Wiring) -> KeyId;
}

impl<T: KeyType> ListRef<T> for ListKey<T> {
    #[inline]
    fn id(self, wiring: &Wiring) -> KeyId {
        wiring.handles[self.0.position]
    }
}

impl<T: KeyType> ListRef<T> for KeyId {
    #[inline]
    fn id(self, wiring: &Wiring) -> KeyId {
        wiring.by_id(self)
    }
}

impl<T: KeyType> ListRef<T> for &str {
    #[inline]
    fn id(self, wiring: &Wiring) -> KeyId {
        wiring.by_name(self)
    }
}

/// A key of any type and form: by its handle, its id or its name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name a key",
    label = "a key is named by a `&str`, a `Key` or `ListKey` from the registry, or a `KeyId`"
)]
pub trait AnyKeyRef {
    #[doc(hidden)]
    fn id(self, wiring: &Wiring) -> KeyId;
}

impl<T> AnyKeyRef for Key<T> {
    #[inline]
    fn id(self, wiring: &Wiring) -> KeyId {
        wiring.handles[self.position]
    }
}

impl<T> AnyKeyRef for ListKey<T> {
    #[inline]
    fn id(self, wiring: &Wiring) -> KeyId {
        wiring.handles[self.0.position]
    }
}

impl AnyKeyRef for KeyId {
    #[inline]
    fn id(self, wiring: &Wiring) -> KeyId {
        wiring.by_id(self)
    }
}

impl AnyKeyRef for &str {
    #[inline]
    fn id(self, wiring: &Wiring) -> KeyId {
        wiring.by_name(self)
    }
}

#[cold]
#[inline(never)]
fn unknown(what: &str, name: &str) -> ! {
    panic!("unknown {what} `{name}`")
}
