//! The blackboard of some agents: a column per key.

use crate::behaviour::{Behaviour, Kind, Scope, Sensed};
use crate::cells::{Cells, CellsMut, Column, Shape};
use crate::ids::{KeyId, LeafId, NodeId};
use crate::program::args::ArgRange;
use crate::shared::Access;
use crate::time::nanos_of_secs;
use crate::value::{Type, Value};
use std::collections::HashMap;

/// Where a key lives. What is stored is read and written by way of this alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KeySlot {
    column: Column,
    pub(crate) ty: Type,
    pub(crate) default: Value,
    pub(crate) scope: Scope,
    /// Its number among the keys that are shared, if it is one.
    pub(crate) shared: u32,
    /// The columns of those that watch it, as a run of [`BoardLayout::watchers`].
    watchers: (u32, u32),
    /// Its number among the keys that are sensed, if it is one.
    pub(crate) sensed: Option<u32>,
}

impl KeySlot {
    /// The value in a lane.
    pub(crate) fn get(&self, cells: Cells<'_>, lane: usize) -> Value {
        cells.get(self.column, self.ty, lane)
    }

    /// Sets a lane; the value is of the key's type.
    pub(crate) fn set(&self, cells: &mut CellsMut<'_>, lane: usize, value: Value) {
        cells.set(self.column, lane, value);
    }

    /// Copies a lane to another.
    pub(crate) fn copy(&self, from: (Cells<'_>, usize), to: (&mut CellsMut<'_>, usize)) {
        self.set(to.0, to.1, self.get(from.0, from.1));
    }

    /// The column, for code that reads or writes many lanes at once.
    pub(crate) fn column(&self) -> Column {
        self.column
    }

    /// Whether every agent has it to itself.
    pub(crate) fn is_own(&self) -> bool {
        self.scope == Scope::Agent
    }
}

/// Where all keys live.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoardLayout {
    /// The columns of what every agent has to itself.
    pub(crate) shape: Shape,
    pub(crate) keys: Vec<KeySlot>,
    /// The columns of what is shared, a lane per group.
    pub(crate) shared_shape: Shape,
    /// The keys that are shared.
    pub(crate) shared: Vec<KeyId>,
    /// Columns of bits: written since somebody last looked. Those of one key stand together.
    watchers: Vec<u32>,
    /// The nodes that look, with their columns.
    looks: HashMap<NodeId, u32>,
    pub(crate) sensed: Vec<SensedSlot>,
}

/// A key that the host computes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SensedSlot {
    pub(crate) key: KeyId,
    pub(crate) sensor: LeafId,
    pub(crate) args: ArgRange,
    pub(crate) due: Due,
}

/// When a sensed key is to be computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Due {
    /// Once in a tick; the column of bits says that it was.
    EveryTick(u32),
    /// From a time on that a wide column holds; it is set so many nanoseconds ahead.
    From { column: u32, interval_ns: u64 },
}

impl BoardLayout {
    /// The layout for the keys of a behaviour. The arguments of sensors have no place yet.
    pub(crate) fn new(behaviour: &Behaviour) -> Self {
        let mut layout = Self::default();
        let mut lookers: Vec<Vec<NodeId>> = vec![Vec::new(); behaviour.keys().len()];
        for id in behaviour.node_ids() {
            if let Kind::Changed { key } | Kind::OnChange { key, .. } = behaviour.node(id).kind {
                lookers[key.index()].push(id);
            }
        }
        for (index, (key, lookers)) in behaviour.keys().iter().zip(lookers).enumerate() {
            let column = match key.scope {
                Scope::Agent => layout.shape.add(key.ty),
                Scope::Group | Scope::World => layout.shared_shape.add(key.ty),
            };
            let shared = layout.shared.len() as u32;
            if key.scope != Scope::Agent {
                layout.shared.push(KeyId::new(index));
            }
            let first = layout.watchers.len() as u32;
            for node in lookers {
                let column = layout.shape.add_bits();
                layout.watchers.push(column);
                layout.looks.insert(node, column);
            }
            let sensed = key.sensed.as_ref().map(|sensed| {
                let slot = layout.sensed_slot(KeyId::new(index), sensed);
                layout.sensed.push(slot);
                layout.sensed.len() as u32 - 1
            });
            layout.keys.push(KeySlot {
                column,
                ty: key.ty,
                default: key.default,
                scope: key.scope,
                shared,
                watchers: (first, layout.watchers.len() as u32),
                sensed,
            });
        }
        layout
    }

    fn sensed_slot(&mut self, key: KeyId, sensed: &Sensed) -> SensedSlot {
        // An interval that rounds to nothing is none.
        let interval_ns = sensed
            .interval_secs
            .map_or(0, |secs| nanos_of_secs(secs).unwrap_or(u64::MAX));
        let due = match interval_ns {
            0 => Due::EveryTick(self.shape.add_bits()),
            interval_ns => Due::From {
                column: self.shape.add_wide(),
                interval_ns,
            },
        };
        SensedSlot {
            key,
            sensor: sensed.sensor,
            args: ArgRange::default(),
            due,
        }
    }

    /// The columns of bits of those that watch a key.
    #[inline]
    pub(crate) fn watchers(&self, slot: &KeySlot) -> &[u32] {
        let (start, end) = slot.watchers;
        &self.watchers[start as usize..end as usize]
    }

    /// The column of bits that says to a node that its key was written.
    pub(crate) fn look(&self, node: NodeId) -> u32 {
        self.looks[&node]
    }

    /// Puts the keys of an agent that begins at their defaults; nobody has written them.
    pub(crate) fn begin(&self, mut cells: CellsMut<'_>, lane: usize) {
        for slot in self.keys.iter().filter(|slot| slot.is_own()) {
            slot.set(&mut cells, lane, slot.default);
        }
    }
}

/// The keys of the agents of one chunk, a multiple of 64 agents (or fewer, when the population is smaller).
///
/// Keys that are shared read as they were at the start of the tick. Those who call within a tick write them for its
/// end, as nodes do; outside of ticks they are written at once.
pub struct Board<'a> {
    pub(crate) layout: &'a BoardLayout,
    pub(crate) cells: CellsMut<'a>,
    pub(crate) first: usize,
    pub(crate) access: Access<'a>,
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
        let slot = &self.layout.keys[key.index()];
        match self.access.shared() {
            Some(shared) if !slot.is_own() => shared.get(slot, shared.lane(slot, agent)),
            _ => slot.get(self.cells.read(), agent - self.first),
        }
    }

    /// Sets a key of an agent; `int`s and `float`s widen to what the key wants.
    ///
    /// # Errors
    /// When the value is of another type.
    ///
    /// # Panics
    /// When the key or the agent is not of this board.
    pub fn set(&mut self, key: KeyId, agent: usize, value: Value) -> Result<(), WrongType> {
        let layout = self.layout;
        let slot = &layout.keys[key.index()];
        let value = value.widened(slot.ty).ok_or(WrongType {
            wanted: slot.ty,
            given: value.ty(),
        })?;
        if !slot.is_own() {
            self.access.write(layout, slot, agent, value);
            return Ok(());
        }
        let lane = agent - self.first;
        slot.set(&mut self.cells, lane, value);
        for column in layout.watchers(slot) {
            self.cells.bits_mut(*column)[lane / 64] |= 1 << (lane % 64);
        }
        Ok(())
    }

    /// The column of a key of that type, to be written as a whole: it counts as written for all agents. `None` when
    /// the key is of another type, or shared.
    fn whole(&mut self, key: KeyId, ty: Type) -> Option<Column> {
        let layout = self.layout;
        let slot = &layout.keys[key.index()];
        if slot.ty != ty || !slot.is_own() {
            return None;
        }
        for column in layout.watchers(slot) {
            self.cells.bits_mut(*column).fill(u64::MAX);
        }
        Some(slot.column)
    }

    /// A `float` key of all agents of this board, from [`first_agent`](Self::first_agent) on; `None` for keys of
    /// other types, and for those that are shared. Where nodes watch the key, it counts as written for all of them.
    pub fn floats_mut(&mut self, key: KeyId) -> Option<&mut [f32]> {
        match self.whole(key, Type::Float)? {
            Column::Narrow(index) => Some(bytemuck::cast_slice_mut(self.cells.narrow_mut(index))),
            Column::Bits(_) | Column::Wide(_) => None,
        }
    }

    /// A `double` key of all agents of this board; as [`floats_mut`](Self::floats_mut).
    pub fn doubles_mut(&mut self, key: KeyId) -> Option<&mut [f64]> {
        match self.whole(key, Type::Double)? {
            Column::Wide(index) => Some(bytemuck::cast_slice_mut(self.cells.wide_mut(index))),
            Column::Bits(_) | Column::Narrow(_) => None,
        }
    }

    /// An `int` key of all agents of this board; as [`floats_mut`](Self::floats_mut).
    pub fn ints_mut(&mut self, key: KeyId) -> Option<&mut [i64]> {
        match self.whole(key, Type::Int)? {
            Column::Wide(index) => Some(bytemuck::cast_slice_mut(self.cells.wide_mut(index))),
            Column::Bits(_) | Column::Narrow(_) => None,
        }
    }

    /// A `bool` key of all agents of this board, a bit each; as [`floats_mut`](Self::floats_mut).
    pub fn bits_mut(&mut self, key: KeyId) -> Option<&mut [u64]> {
        match self.whole(key, Type::Bool)? {
            Column::Bits(index) => Some(self.cells.bits_mut(index)),
            Column::Wide(_) | Column::Narrow(_) => None,
        }
    }
}
