//! What a key of one agent holds: a value, nothing, or a list.

use super::board::{KeySlot, WrongType, note};
use super::cells::{Cells, CellsMut};
use super::shared_lists::ListDraft;
use crate::value::{Type, Value};
use std::fmt;

/// What a key of an agent holds.
#[derive(Clone, Copy, Debug)]
pub enum Held<'a> {
    /// A value.
    One(Value),
    /// Nothing: the key is optional and unset.
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

/// The items of a list of an agent, to read.
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

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many items there may be.
    pub fn bound(&self) -> usize {
        self.slot.bound() as usize
    }

    /// The type of the items.
    pub fn ty(&self) -> Type {
        self.slot.ty
    }

    /// The item at a place, from 0; `None` beyond the last.
    pub fn get(&self, index: usize) -> Option<Value> {
        (index < self.len()).then(|| self.slot.item(self.cells, self.lane, index as u32))
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

/// The items of a list of an agent, to change.
pub struct ListMut<'a> {
    /// Where items are added.
    pub(crate) slot: KeySlot,
    pub(crate) cells: CellsMut<'a>,
    pub(crate) lane: usize,
    pub(crate) told: Notify<'a>,
}

/// Who is told that a list was changed.
pub(crate) enum Notify<'a> {
    /// Those who watch it; their columns of bits stand beside the list.
    Watchers(&'a [u32]),
    /// Those who share it, when agents are ticked next: whether this list, and whether any, was written.
    Shared(Option<[&'a mut bool; 2]>),
    /// Nobody yet: the list is shared, and what is added counts at the end of the tick.
    Drafted {
        draft: ListDraft,
        /// What the list holds until then.
        start: List<'a>,
        is_any: &'a mut bool,
    },
}

/// Why a list did not take an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PushError {
    /// It has as many items as it may have.
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
    /// The same, to read.
    pub fn read(&self) -> List<'_> {
        match self.told {
            Notify::Drafted { start, .. } => start,
            Notify::Watchers(_) | Notify::Shared(_) => self.written(),
        }
    }

    /// What is there where items are added.
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

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.read().is_empty()
    }

    /// The item at a place, from 0; `None` beyond the last.
    pub fn get(&self, index: usize) -> Option<Value> {
        self.read().get(index)
    }

    /// Adds an item behind the others; `int`s and `float`s widen to what the list holds. Allocates nothing.
    ///
    /// # Errors
    /// When the list is full, or the item is of another type; then nothing changes. A shared list counts within a tick as
    /// full for an agent that has itself added as many items as there may be.
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
        self.tell(false);
        Ok(())
    }

    /// Takes all items out.
    pub fn clear(&mut self) {
        self.slot.set_len(&mut self.cells, self.lane, 0);
        self.tell(true);
    }

    fn tell(&mut self, cleared: bool) {
        match &mut self.told {
            Notify::Watchers(watchers) => note(&mut self.cells, watchers, self.lane),
            Notify::Shared(written) => {
                for is_written in written.iter_mut().flatten() {
                    **is_written = true;
                }
            }
            Notify::Drafted { draft, is_any, .. } => {
                draft.mark(&mut self.cells, self.lane, cleared);
                **is_any = true;
            }
        }
    }
}
