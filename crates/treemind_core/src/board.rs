//! The blackboard of some agents: a column per key.

use crate::cells::{CellsMut, Column, Shape};
use crate::ids::KeyId;
use crate::value::{Type, Value};

/// Where a key lives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KeySlot {
    pub(crate) column: Column,
    pub(crate) ty: Type,
    pub(crate) default: Value,
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

/// A key was given a value that is not of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongType {
    /// The key's type.
    pub wanted: Type,
    /// The value's type.
    pub given: Type,
}

impl std::fmt::Display for WrongType {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            out,
            "the key is `{}`, the value `{}`",
            self.wanted, self.given
        )
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
    /// When the key or the agent is not of this board.
    pub fn get(&self, key: KeyId, agent: usize) -> Value {
        let slot = self.layout.keys[key.index()];
        self.cells
            .read()
            .get(slot.column, slot.ty, agent - self.first)
    }

    /// Sets a key of an agent; `int`s and `float`s widen to what the key wants.
    ///
    /// # Errors
    /// When the value is of another type.
    ///
    /// # Panics
    /// When the key or the agent is not of this board.
    pub fn set(&mut self, key: KeyId, agent: usize, value: Value) -> Result<(), WrongType> {
        let slot = self.layout.keys[key.index()];
        let value = value.widened(slot.ty).ok_or(WrongType {
            wanted: slot.ty,
            given: value.ty(),
        })?;
        self.cells.set(slot.column, agent - self.first, value);
        Ok(())
    }

    /// A `float` key of all agents of this board, from [`first_agent`](Self::first_agent) on; `None` for keys of
    /// other types.
    pub fn floats_mut(&mut self, key: KeyId) -> Option<&mut [f32]> {
        match self.layout.keys[key.index()] {
            KeySlot {
                column: Column::Narrow(index),
                ty: Type::Float,
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
                ..
            } => Some(bytemuck::cast_slice_mut(self.cells.wide_mut(index))),
            _ => None,
        }
    }

    /// A `bool` key of all agents of this board, a bit each; `None` for keys of other types.
    pub fn bits_mut(&mut self, key: KeyId) -> Option<&mut [u64]> {
        match self.layout.keys[key.index()].column {
            Column::Bits(index) => Some(self.cells.bits_mut(index)),
            Column::Wide(_) | Column::Narrow(_) => None,
        }
    }
}
