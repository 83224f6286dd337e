//! Indices, with a type for each kind of list, and the handles of agents.

#[cfg(feature = "serde")]
mod serial;
#[cfg(feature = "serde")]
pub use serial::ENTITY_IN_SERDE;

use std::fmt;
use std::num::NonZeroU64;

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// The id with this index.
            ///
            /// # Panics
            /// When `index` does not fit into 32 bits.
            pub const fn new(index: usize) -> Self {
                assert!(index <= u32::MAX as usize, "an index fits 32 bits");
                Self(index as u32)
            }

            /// The position in the list that this id refers to.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index!(
    /// A node of a [`Behaviour`](crate::Behaviour), numbered in document order (parents before children).
    NodeId
);
index!(
    /// A leaf that the host provides: position in [`Behaviour::leaves`](crate::Behaviour::leaves).
    LeafId
);
index!(
    /// A key of the blackboard: position in [`Behaviour::keys`](crate::Behaviour::keys).
    KeyId
);
index!(
    /// An enumeration: position in [`Behaviour::enums`](crate::Behaviour::enums).
    EnumId
);
index!(
    /// A counted resource: position in [`Behaviour::semaphores`](crate::Behaviour::semaphores).
    SemaphoreId
);
index!(
    /// A label of an `interruptible`: position in [`Behaviour::labels`](crate::Behaviour::labels).
    LabelId
);

/// A population of a [`Society`](crate::Society).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PopulationId(pub(crate) u16);

impl PopulationId {
    /// The number of a population that is in no society, and of the first that joins one.
    pub const FIRST: Self = Self(0);

    /// The position in the order of joining.
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The position in the order of joining: the first population that joined has 0.
    pub fn number(self) -> u16 {
        self.0
    }
}

/// An agent, for as long as it lives. Keep this where you need to know an agent later: an index is used again when its
/// agent is removed, and a handle never is.
///
/// [`Population::index_of`](crate::Population::index_of) gives the index, or says that the agent is dead;
/// [`Population::id_of`](crate::Population::id_of) gives the handle of an index.
///
/// It names the population within its society, the index, and a generation: which agent it is of all that have lived
/// there, from 1 to 2^24 - 1. After the last of them the index is no longer used. Handles are ordered as their
/// agents are. A population that is in no society has the number of the first in one. So take handles after joining.
///
/// With the feature `serde`, it can be saved beside a [snapshot](crate::Population::save) and read again: as the number
/// that [`to_bits`](Self::to_bits) gives. Whoever uses a handle of an agent that is not there gets an error.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId(NonZeroU64);

/// The bits of a generation, and of an index, in a handle.
const GENERATION_BITS: u32 = 24;
const INDEX_BITS: u32 = 28;

impl AgentId {
    /// The most agents that a population can have, 2^28.
    pub const MAX_AGENTS: usize = 1 << INDEX_BITS;
    /// The last agent that can live at an index.
    pub(crate) const LAST_GENERATION: u32 = (1 << GENERATION_BITS) - 1;

    /// The agent of this generation, from 1.
    pub(crate) fn new(population: PopulationId, index: usize, generation: u32) -> Option<Self> {
        let of_population = u64::from(population.0) << (INDEX_BITS + GENERATION_BITS);
        let of_index = (index as u64) << GENERATION_BITS;
        NonZeroU64::new(of_population | of_index | u64::from(generation)).map(Self)
    }

    /// The handle as a number, such as an entity for keys. It is never 0.
    pub fn to_bits(self) -> u64 {
        self.0.get()
    }

    /// The handle with this number, from [`to_bits`](Self::to_bits); `None` for 0, which means nobody.
    pub fn from_bits(bits: u64) -> Option<Self> {
        NonZeroU64::new(bits).map(Self)
    }

    /// Its population.
    pub fn population(self) -> PopulationId {
        PopulationId((self.to_bits() >> (INDEX_BITS + GENERATION_BITS)) as u16)
    }

    /// Its index in the population. While the agent lives, it is the agent with this index.
    pub fn index(self) -> usize {
        (self.to_bits() >> GENERATION_BITS) as usize % Self::MAX_AGENTS
    }

    /// Which agent it is of all that have lived at its index, from 1.
    pub fn generation(self) -> u32 {
        self.to_bits() as u32 & Self::LAST_GENERATION
    }
}

impl fmt::Debug for AgentId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (population, index, generation) =
            (self.population().0, self.index(), self.generation());
        write!(out, "AgentId({population}/{index}/{generation})")
    }
}

/// The agent no longer exists: it was removed, or its population has left the society.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dead;

impl fmt::Display for Dead {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad("there is no such agent any more")
    }
}

impl std::error::Error for Dead {}

/// A state of a [`Machine`](crate::behaviour::Machine): its position among the states.
pub type StateIndex = usize;

/// A range of a program's arguments of leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ArgRange {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Whether any of them is computed.
    pub(crate) computed: bool,
}
