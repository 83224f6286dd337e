//! The blackboard of some agents: a column per key.

use crate::cells::{CellsMut, Column, Shape};
use crate::held::{Held, List, ListMut};
use crate::ids::KeyId;
use crate::slot::SlotForm;
use crate::value::{Type, Value};

/// Where a key lives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KeySlot {
    pub(crate) column: Column,
    pub(crate) ty: Type,
    pub(crate) default: Value,
    pub(crate) form: SlotForm,
}

impl KeySlot {
    /// The value as the key holds it.
    pub(crate) fn fitted(self, value: Value) -> Result<Value, WrongType> {
        let is_list = self.bound() > 0;
        let fitting = value.widened(self.ty).filter(|_| !is_list);
        fitting.ok_or(WrongType {
            wanted: self.ty,
            given: value.ty(),
            is_list,
        })
    }
}

/// Where all keys live.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoardLayout {
    pub(crate) shape: Shape,
    pub(crate) keys: Vec<KeySlot>,
}

/// The keys of the agents of one chunk, a multiple of 64 agents (or fewer, when the population is smaller).
pub struct Board<'a> {
    pub(crate) layout: &'a BoardLayout,
    pub(crate) cells: CellsMut<'a>,
    pub(crate) first: usize,
}

/// A key was given a value that is not of its type, or a list was given a single value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongType {
    /// The key's type.
    pub wanted: Type,
    /// The value's type.
    pub given: Type,
    /// The key is a list, whose items are given one by one.
    pub is_list: bool,
}

impl std::fmt::Display for WrongType {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = if self.is_list { "a list of " } else { "" };
        let (wanted, given) = (self.wanted, self.given);
        write!(out, "the key is {list}`{wanted}`, the value `{given}`")
    }
}

impl std::error::Error for WrongType {}

impl<'a> Board<'a> {
    /// The first agent of this chunk; a multiple of 64.
    pub fn first_agent(&self) -> usize {
        self.first
    }

    /// The value that a key has for an agent.
    ///
    /// # Panics
    /// When the key is unset or a list, which [`find`](Self::find) answers with `None`; when the key or the agent is
    /// not of this board, as in all that follows.
    pub fn get(&self, key: KeyId, agent: usize) -> Value {
        self.find(key, agent)
            .unwrap_or_else(|| no_value(self.layout.keys[key.index()]))
    }

    /// The value that a key has for an agent; `None` when it has none, or is a list.
    pub fn find(&self, key: KeyId, agent: usize) -> Option<Value> {
        let slot = self.layout.keys[key.index()];
        slot.get(self.cells.read(), agent - self.first)
    }

    /// What a key of an agent holds, whatever the form of the key.
    pub fn held(&self, key: KeyId, agent: usize) -> Held<'_> {
        let slot = self.layout.keys[key.index()];
        Held::of(slot, self.cells.read(), agent - self.first)
    }

    /// Sets a key of an agent; `int`s and `float`s widen to what the key wants.
    ///
    /// # Errors
    /// When the value is of another type, or the key is a list.
    pub fn set(&mut self, key: KeyId, agent: usize, value: Value) -> Result<(), WrongType> {
        let slot = self.layout.keys[key.index()];
        let value = slot.fitted(value)?;
        slot.set(&mut self.cells, agent - self.first, value);
        Ok(())
    }

    /// Whether a key of an agent has a value, or a list an item.
    pub fn is_set(&self, key: KeyId, agent: usize) -> bool {
        let slot = self.layout.keys[key.index()];
        slot.is_set(self.cells.read(), agent - self.first)
    }

    /// Takes the value of an optional key away, or all items of a list. Answers whether the key can be unset at all:
    /// other keys stay as they are.
    pub fn unset(&mut self, key: KeyId, agent: usize) -> bool {
        let slot = self.layout.keys[key.index()];
        slot.unset(&mut self.cells, agent - self.first);
        slot.form != SlotForm::One
    }

    /// The items of a list of an agent; `None` for keys that are no list.
    pub fn list(&self, key: KeyId, agent: usize) -> Option<List<'_>> {
        match self.held(key, agent) {
            Held::List(list) => Some(list),
            Held::One(_) | Held::Unset => None,
        }
    }

    /// The items of a list of an agent, to change; `None` for keys that are no list.
    pub fn list_mut(&mut self, key: KeyId, agent: usize) -> Option<ListMut<'_>> {
        let slot = self.layout.keys[key.index()];
        (slot.bound() > 0).then(|| ListMut {
            slot,
            cells: self.cells.reborrow(),
            lane: agent - self.first,
        })
    }

    /// A `float` key of all agents of this board, from [`first_agent`](Self::first_agent) on; `None` for keys of
    /// other types, for optional keys and lists.
    pub fn floats_mut(&mut self, key: KeyId) -> Option<&mut [f32]> {
        match self.layout.keys[key.index()] {
            KeySlot {
                column: Column::Narrow(index),
                ty: Type::Float,
                form: SlotForm::One,
                ..
            } => Some(bytemuck::cast_slice_mut(self.cells.narrow_mut(index))),
            _ => None,
        }
    }

    /// A `double` key of all agents of this board; `None` for keys of other types.
    pub fn doubles_mut(&mut self, key: KeyId) -> Option<&mut [f64]> {
        match self.layout.keys[key.index()] {
            KeySlot {
                column: Column::Wide(index),
                ty: Type::Double,
                form: SlotForm::One,
                ..
            } => Some(bytemuck::cast_slice_mut(self.cells.wide_mut(index))),
            _ => None,
        }
    }

    /// An `int` key of all agents of this board; `None` for keys of other types.
    pub fn ints_mut(&mut self, key: KeyId) -> Option<&mut [i64]> {
        match self.layout.keys[key.index()] {
            KeySlot {
                column: Column::Wide(index),
                ty: Type::Int,
                form: SlotForm::One,
                ..
            } => Some(bytemuck::cast_slice_mut(self.cells.wide_mut(index))),
            _ => None,
        }
    }

    /// A `vec2` key of all agents of this board, its parts one by one; `None` for keys of other types.
    pub fn vec2s_mut(&mut self, key: KeyId) -> Option<[&mut [f32]; 2]> {
        match self.layout.keys[key.index()] {
            KeySlot {
                column: Column::Vec2(first),
                form: SlotForm::One,
                ..
            } => Some(self.cells.floats_mut(first)),
            _ => None,
        }
    }

    /// A `vec3` key of all agents of this board, its parts one by one; `None` for keys of other types.
    pub fn vec3s_mut(&mut self, key: KeyId) -> Option<[&mut [f32]; 3]> {
        match self.layout.keys[key.index()] {
            KeySlot {
                column: Column::Vec3(first),
                form: SlotForm::One,
                ..
            } => Some(self.cells.floats_mut(first)),
            _ => None,
        }
    }

    /// A `bool` key of all agents of this board, a bit each; `None` for keys of other types.
    pub fn bits_mut(&mut self, key: KeyId) -> Option<&mut [u64]> {
        match self.layout.keys[key.index()] {
            KeySlot {
                column: Column::Bits(index),
                form: SlotForm::One,
                ..
            } => Some(self.cells.bits_mut(index)),
            _ => None,
        }
    }
}

#[cold]
#[inline(never)]
pub(crate) fn no_value(slot: KeySlot) -> ! {
    match slot.form {
        SlotForm::List { .. } => panic!("the key is a list of `{}`, not a value", slot.ty),
        _ => panic!("the key is unset"),
    }
}
