//! What a host does in a call apart from answering, if somebody records it.

use crate::ids::KeyId;
use crate::text::Text;
use crate::value::Value;

/// A list of deeds that is kept while it is on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Journal {
    pub(crate) is_on: bool,
    pub(crate) deeds: Vec<(u32, Deed)>,
}

/// Something that a host did for an agent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Deed {
    /// It set a key, or removed its value.
    Set(KeyId, Option<Value>),
    /// It added an item to a list.
    Push(KeyId, Value),
    /// It emptied a list.
    Clear(KeyId),
    /// It took the whole column of a key to write to; for the first agent of the chunk.
    Column(KeyId),
    Group(u32),
    Remove,
    Spawn(Text, Vec<(Text, Value)>),
    Fault(String),
}

impl Journal {
    /// Forgets what a call has left that did not come back, because the host panicked.
    #[inline]
    pub(crate) fn reset(&mut self) {
        self.is_on = false;
        self.deeds.clear();
    }

    /// Notes a deed for an agent, if the journal is on.
    #[inline]
    pub(crate) fn note(&mut self, agent: usize, deed: impl FnOnce() -> Deed) {
        if self.is_on {
            self.deeds.push((agent as u32, deed()));
        }
    }
}
