//! Indices, with a type for each kind of list.

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
