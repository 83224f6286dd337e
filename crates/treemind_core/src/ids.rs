//! Indices, one type per thing that is indexed.

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// The id of the `index`-th thing.
            ///
            /// # Panics
            /// When `index` does not fit 32 bits.
            pub const fn new(index: usize) -> Self {
                assert!(index <= u32::MAX as usize, "an index fits 32 bits");
                Self(index as u32)
            }

            /// The position in the list that this id points into.
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
    /// A condition or action that the host provides: position in [`Behaviour::leaves`](crate::Behaviour::leaves).
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
    /// A label of what can be interrupted: position in [`Behaviour::labels`](crate::Behaviour::labels).
    LabelId
);

/// A state of a [`Machine`](crate::behaviour::Machine): its position among the states.
pub type StateIndex = usize;

/// A run of the arguments of leaves that a program has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ArgRange {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Whether any of them is evaluated.
    pub(crate) computed: bool,
}
