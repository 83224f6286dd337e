//! The content of a key of one agent: a value, nothing, or a list.

use super::board::{KeySlot, WrongType, note};
use super::cells::{Cells, CellsMut};
use super::drafts::Draft;
use super::journal::{Deed, Journal};
use super::shared::Mark;

use crate::ids::KeyId;
use crate::value::{Type, Value};
use std::fmt;

/// The content of a key of an agent.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Held<'a> {
    /// A value.
    One(Value),
    /// No value: the key is optional and unset.
    Unset,
    /// The items of a list.
    List(List<'a>),
}

impl<'a> Held<'a> {
    pub(crate) fn of(slot: KeySlot, cells: Cells<'a>, lane: usize) -> Self {
        match slot.get(cells, lane) {
            Some(value) => Held::One(value),
            None if slot.bound() > 0 => Held::List(List { slot, cells, lane }),
            None => Held::Unset,
        }
    }
}

/// The items of a list of an agent, read-only.
#[derive(Clone, Copy)]
pub struct List<'a> {
    pub(crate) slot: KeySlot,
    pub(crate) cells: Cells<'a>,
    pub(crate) lane: usize,
}

impl<'a> List<'a> {
    /// How many items there are.
    pub fn len(&self) -> usize {
        self.slot.len(self.cells, self.lane) as usize
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many items it can hold.
    pub fn bound(&self) -> usize {
        self.slot.bound() as usize
    }

    /// The type of the items.
    pub fn ty(&self) -> Type {
        self.slot.ty
    }

    /// The item at a position, from 0; `None` after the last.
    pub fn get(&self, index: usize) -> Option<Value> {
        (index < self.len()).then(|| self.slot.item(self.cells, self.lane, index as u32))
    }

    /// The place of the first item that is equal to a value, which is of the type of the items.
    pub(crate) fn place_of(self, wanted: Value) -> Option<usize> {
        self.iter().position(|item| self.is_equal(item, wanted))
    }

    /// How many items are equal to a value.
    pub(crate) fn count_of(self, wanted: Value) -> usize {
        let equal = self.iter().filter(|item| self.is_equal(*item, wanted));
        equal.count()
    }

    fn is_equal(&self, item: Value, wanted: Value) -> bool {
        match self.slot.ty {
            Type::Any => item.is_same(wanted),
            _ => item == wanted,
        }
    }

    /// The items in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = Value> + use<'a> {
        (0..self.len() as u32).map(move |index| self.slot.item(self.cells, self.lane, index))
    }
}

impl fmt::Debug for List<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.iter()).finish()
    }
}

/// The items of a list of an agent, mutable.
pub struct ListMut<'a> {
    /// The slot that items are added to.
    pub(crate) slot: KeySlot,
    pub(crate) cells: CellsMut<'a>,
    pub(crate) lane: usize,
    pub(crate) told: Notify<'a>,
    /// Where a host's changes are noted, and the key and the agent.
    pub(crate) journal: Option<(&'a mut Journal, KeyId, usize)>,
}

/// What is informed that a list was changed.
pub(crate) enum Notify<'a> {
    /// The nodes that look at it; their columns of bits are next to the list.
    Watchers(&'a [u32]),
    /// The agents that share it, when they are ticked next.
    Shared(Mark<'a>),
    /// Nothing yet: the list is shared, and additions take effect at the end of the tick.
    Drafted {
        draft: &'a Draft,
        /// The content of the list until then.
        start: List<'a>,
        is_any: &'a mut bool,
    },
}

/// Why a list did not take an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PushError {
    /// The list is full.
    Full,
    /// The item is of another type.
    WrongType(WrongType),
}

impl fmt::Display for PushError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PushError::Full => out.write_str("the list is full"),
            PushError::WrongType(error) => write!(out, "{error}"),
        }
    }
}

impl std::error::Error for PushError {}

impl ListMut<'_> {
    /// The same, read-only.
    pub fn read(&self) -> List<'_> {
        match self.told {
            Notify::Drafted { start, .. } => start,
            Notify::Watchers(_) | Notify::Shared(_) => self.written(),
        }
    }

    /// The items that have been added so far.
    fn written(&self) -> List<'_> {
        List {
            slot: self.slot,
            cells: self.cells.read(),
            lane: self.lane,
        }
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.read().is_empty()
    }

    /// The item at a position, from 0; `None` after the last.
    pub fn get(&self, index: usize) -> Option<Value> {
        self.read().get(index)
    }

    /// Adds an item at the end; `int`s and `float`s widen to the type of the list. Does not allocate.
    ///
    /// # Errors
    /// When the list is full, or the item is of another type; then nothing changes. Within a tick, a shared list
    /// counts as full for an agent that has itself added as many items as the list can hold.
    pub fn push(&mut self, value: Value) -> Result<(), PushError> {
        let value = value.widened(self.slot.ty).ok_or({
            PushError::WrongType(WrongType {
                wanted: self.slot.ty,
                given: value.ty(),
                is_list: false,
            })
        })?;
        if !self.slot.push(&mut self.cells, self.lane, value) {
            return Err(PushError::Full);
        }
        if let Some((journal, key, agent)) = &mut self.journal {
            journal.note(*agent, || Deed::Push(*key, value));
        }
        self.tell(false);
        Ok(())
    }

    /// Removes all items.
    pub fn clear(&mut self) {
        self.slot.set_len(&mut self.cells, self.lane, 0);
        if let Some((journal, key, agent)) = &mut self.journal {
            journal.note(*agent, || Deed::Clear(*key));
        }
        self.tell(true);
    }

    /// Removes the first item that is equal to one of the list's type, at once.
    pub(crate) fn remove(&mut self, item: Value) {
        if self.slot.remove(&mut self.cells, self.lane, item) {
            self.tell(false);
        }
    }

    fn tell(&mut self, cleared: bool) {
        match &mut self.told {
            Notify::Watchers(watchers) => note(&mut self.cells, watchers, self.lane),
            Notify::Shared(mark) => mark.set(),
            Notify::Drafted { draft, is_any, .. } => {
                draft.mark(&mut self.cells, self.lane, cleared);
                **is_any = true;
            }
        }
    }
}
