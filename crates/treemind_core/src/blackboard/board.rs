//! The blackboard of several agents: a column per key.

use super::ages::{AgeSlot, Asked, Since};
use super::cells::{Cells, CellsMut, Column, Shape};
use super::drafts::Draft;
use super::fields::{Label, Part};
use super::held::{Held, List, ListMut, Notify};
use super::journal::Deed;
use super::key::{EventPart, Key, Scope, Sensed};
use super::shared::SharedAccess;

use super::slot::SlotForm;
use crate::ids::{ArgRange, KeyId, LeafId, NodeId};
use crate::time::nanos_of_secs;
use crate::value::{Type, Value};
use std::collections::HashMap;
use std::ops::Range;

/// Where a key is stored. Its content is read and written only through this.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KeySlot {
    pub(crate) column: Column,
    pub(crate) ty: Type,
    pub(crate) default: Value,
    pub(crate) form: SlotForm,
    pub(crate) scope: Scope,
    /// Its number among the shared keys, if it is shared.
    pub(crate) shared: u32,
    /// The columns of the nodes that look at it, as a range of [`BoardLayout::watchers`].
    pub(crate) watchers: (u32, u32),
    /// Its number among the sensed keys, if it is sensed.
    pub(crate) sensed: Option<u32>,
    /// Its number among the keys whose times expressions ask for.
    pub(crate) aged: Option<u32>,
}

impl KeySlot {
    /// The value converted to the key's type.
    pub(crate) fn fitted(self, value: Value) -> Result<Value, WrongType> {
        let is_list = self.bound() > 0;
        let fitting = value.widened(self.ty).filter(|_| !is_list);
        fitting.ok_or(WrongType {
            wanted: self.ty,
            given: value.ty(),
            is_list,
        })
    }

    /// Whether it is the agent's own.
    pub(crate) fn is_own(self) -> bool {
        self.scope == Scope::Agent
    }

    /// The column, if the key is the agent's own.
    pub(crate) fn own_column(self) -> Option<Column> {
        self.is_own().then_some(self.column)
    }
}

/// Where all keys are stored.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoardLayout {
    /// The columns of the agents' own keys.
    pub(crate) shape: Shape,
    pub(crate) keys: Vec<KeySlot>,
    /// The columns of shared keys, with a lane per group.
    pub(crate) shared_shape: Shape,
    /// The shared keys.
    pub(crate) shared: Vec<KeyId>,
    /// Per shared key: where agents store what they write to it in a tick, if each agent's writes count.
    pub(crate) drafts: Vec<Option<Draft>>,
    /// Columns of bits: whether the key was written since the node's last look. The columns of one key are neighbours.
    watchers: Vec<u32>,
    /// The nodes that look, with their columns.
    looks: HashMap<NodeId, u32>,
    pub(crate) sensed: Vec<SensedSlot>,
    /// The keys whose times expressions ask for.
    pub(crate) ages: Vec<AgeSlot>,
    /// Per semaphore, the wide column with the number of free places for expressions.
    pub(crate) free: Vec<u32>,
}

/// A key that the host computes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SensedSlot {
    pub(crate) key: KeyId,
    pub(crate) sensor: LeafId,
    pub(crate) args: ArgRange,
    pub(crate) due: Due,
}

/// When a sensed key has to be computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Due {
    /// Once in a tick; the column of bits says whether it was.
    EveryTick(u32),
    /// From a time on, which a wide column holds; after computing, the time is set `interval_ns` ahead.
    From { column: u32, interval_ns: u64 },
    /// Always, from the mailbox: a part of the first event of this name, or whether there is one. The event stands in
    /// place of the sensor.
    Mail(Option<EventPart>),
    /// Always: the other agents of the group. There is no sensor.
    Mates,
}

impl BoardLayout {
    /// The layout for some keys, the nodes that look at them, what expressions ask about the times of each, and a
    /// number of semaphores. The arguments of sensors have no place yet.
    pub(crate) fn new(
        keys: &[Key],
        watched: &[(KeyId, NodeId)],
        asked: &[Asked],
        semaphores: usize,
    ) -> Self {
        let mut layout = Self::default();
        for (index, key) in keys.iter().enumerate() {
            let id = KeyId::new(index);
            let mut slot = match key.scope {
                Scope::Agent => KeySlot::new(&mut layout.shape, key),
                Scope::Group | Scope::World => KeySlot::new(&mut layout.shared_shape, key),
            };
            slot.shared = layout.shared.len() as u32;
            if key.scope != Scope::Agent {
                layout.shared.push(id);
                layout.drafts.push(Draft::new(&mut layout.shape, key));
            }
            let first = layout.watchers.len() as u32;
            if asked[index] != Asked::default() {
                slot.aged = Some(layout.add_age(id, key, asked[index]));
            }
            for (_, node) in watched.iter().filter(|(key, _)| *key == id) {
                let label = ("changed_since_last_look", Part::Node(*node));
                let column = layout.shape.add_bits(label);
                layout.watchers.push(column);
                layout.looks.insert(*node, column);
            }
            slot.watchers = (first, layout.watchers.len() as u32);
            let sensed = key.sensed.as_ref();
            let sensed = sensed.map(|sensed| layout.sensed_slot(id, sensed));
            let heard = key.heard.map(|heard| SensedSlot {
                key: id,
                sensor: heard.event,
                args: ArgRange::default(),
                due: Due::Mail(heard.part),
            });
            let mates = key.mates.then(|| SensedSlot {
                key: id,
                // There is none, and nobody asks.
                sensor: LeafId::new(0),
                args: ArgRange::default(),
                due: Due::Mates,
            });
            slot.sensed = sensed.or(heard).or(mates).map(|slot| {
                layout.sensed.push(slot);
                layout.sensed.len() as u32 - 1
            });
            layout.keys.push(slot);
        }
        layout.free = (0..semaphores)
            .map(|_| layout.shape.add_wide(Label::APART))
            .collect();
        layout
    }

    /// Makes room for the times of a key. A write to an agent's own key tells them as it tells nodes that look at it.
    fn add_age(&mut self, id: KeyId, key: &Key, asked: Asked) -> u32 {
        let shape = match key.scope {
            Scope::Agent => &mut self.shape,
            Scope::Group | Scope::World => &mut self.shared_shape,
        };
        let age = AgeSlot::new(shape, id, key, asked);
        self.watchers.extend(age.touched);
        self.ages.push(age);
        self.ages.len() as u32 - 1
    }

    fn sensed_slot(&mut self, key: KeyId, sensed: &Sensed) -> SensedSlot {
        // An interval that rounds to 0 counts as no interval.
        let interval_ns = sensed
            .interval_secs
            .map_or(0, |secs| nanos_of_secs(secs).unwrap_or(u64::MAX));
        let due = match interval_ns {
            0 => Due::EveryTick(self.shape.add_bits(Label::APART)),
            interval_ns => Due::From {
                column: self
                    .shape
                    .add_moment(("sensed_again_in_secs", Part::Key(key))),
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

    /// Where agents store what they write to a shared list or a merged key in a tick; `None` for other keys.
    pub(crate) fn draft(&self, slot: KeySlot) -> Option<&Draft> {
        let shared = (!slot.is_own()).then_some(slot.shared as usize)?;
        self.drafts[shared].as_ref()
    }

    /// The columns of bits of the nodes that look at a key.
    #[inline]
    pub(crate) fn watchers(&self, slot: KeySlot) -> &[u32] {
        let (start, end) = slot.watchers;
        &self.watchers[start as usize..end as usize]
    }

    /// The column of bits that tells a node that its key was written.
    pub(crate) fn look(&self, node: NodeId) -> u32 {
        self.looks[&node]
    }

    /// The nodes that look at keys, with their columns of bits.
    pub(crate) fn looks(&self) -> impl Iterator<Item = (NodeId, u32)> + '_ {
        self.looks.iter().map(|(node, column)| (*node, *column))
    }

    /// The column of a node, if it looks at a key.
    pub(crate) fn look_of(&self, node: NodeId) -> Option<u32> {
        self.looks.get(&node).copied()
    }

    /// Sets the keys of new agents to their defaults; this does not count as written.
    pub(crate) fn begin(&self, keys: &[Key], mut cells: CellsMut<'_>, lanes: Range<usize>) {
        self.shape.clear_lanes(&mut cells, lanes.clone());
        for (slot, key) in self.keys.iter().zip(keys) {
            match slot.form {
                _ if !slot.is_own() => {}
                SlotForm::One => cells.fill(slot.column, lanes.clone(), slot.default),
                _ => (lanes.clone()).for_each(|lane| slot.reset(key, &mut cells, lane)),
            }
        }
        for age in self.ages.iter().filter(|age| age.touched.is_some()) {
            lanes.clone().for_each(|lane| age.begin(&mut cells, lane));
        }
    }
}

/// Informs the nodes that look at a key, given their columns of bits, that it was written for an agent.
pub(crate) fn note(cells: &mut CellsMut<'_>, watchers: &[u32], lane: usize) {
    for column in watchers {
        cells.bits_mut(*column)[lane / 64] |= 1 << (lane % 64);
    }
}

/// The keys of the agents of one chunk, a multiple of 64 agents (or fewer, when the population is smaller).
///
/// Shared keys read as they were at the start of the tick. Within a tick, writes to them take effect at its end, as
/// with nodes; outside of ticks they take effect at once.
pub struct Board<'a> {
    pub(crate) layout: &'a BoardLayout,
    pub(crate) cells: CellsMut<'a>,
    pub(crate) first: usize,
    pub(crate) access: SharedAccess<'a>,
}

/// The error of giving a key a value of another type, or a list a single value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongType {
    /// The key's type.
    pub wanted: Type,
    /// The value's type.
    pub given: Type,
    /// Whether the key is a list, whose items must be given one by one.
    pub is_list: bool,
}

impl std::fmt::Display for WrongType {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = if self.is_list { "a list of " } else { "" };
        let (wanted, given) = (self.wanted, self.given);
        write!(
            out,
            "the key is {list}`{wanted}`, but the value is `{given}`"
        )
    }
}

impl std::error::Error for WrongType {}

impl<'a> Board<'a> {
    /// The first agent of this chunk; a multiple of 64.
    pub fn first_agent(&self) -> usize {
        self.first
    }

    /// The value of a key for an agent.
    ///
    /// # Panics
    /// When the key is unset or a list (for these, [`find`](Self::find) returns `None`); when the key or the agent
    /// does not belong to this board. The latter holds for all the following methods.
    pub fn get(&self, key: KeyId, agent: usize) -> Value {
        self.find(key, agent)
            .unwrap_or_else(|| no_value(self.layout.keys[key.index()]))
    }

    /// The value of a key for an agent; `None` when it is unset, or a list.
    pub fn find(&self, key: KeyId, agent: usize) -> Option<Value> {
        match self.held(key, agent) {
            Held::One(value) => Some(value),
            Held::Unset | Held::List(_) => None,
        }
    }

    /// The content of an agent's key, whatever the form of the key.
    pub fn held(&self, key: KeyId, agent: usize) -> Held<'_> {
        let slot = self.layout.keys[key.index()];
        match self.access.shared() {
            Some(shared) if !slot.is_own() => shared.held(slot, shared.lane(slot, agent)),
            _ => Held::of(slot, self.cells.read(), agent - self.first),
        }
    }

    /// Seconds since a key of an agent was written or has changed, for what an expression asks.
    pub(crate) fn secs(&self, since: Since, key: KeyId, agent: usize, now_ns: u64) -> f64 {
        let slot = self.layout.keys[key.index()];
        let age = self.layout.age(slot).expect("somebody asks for it");
        let (cells, lane, is_touched) = match self.access.shared() {
            Some(shared) if !slot.is_own() => {
                let lane = shared.lane(slot, agent);
                (shared.cells(), lane, shared.is_touched(slot, lane))
            }
            _ => {
                let (cells, lane) = (self.cells.read(), agent - self.first);
                let touched = age.touched_in(cells, lane / 64);
                (cells, lane, touched >> (lane % 64) & 1 == 1)
            }
        };
        age.secs(since, (slot, cells, lane), is_touched, now_ns)
    }

    /// The column of a key, if it is the agents' own.
    pub(crate) fn own_column(&self, key: KeyId) -> Option<Column> {
        self.layout.keys[key.index()].own_column()
    }

    /// The columns of the agents' own keys.
    pub(crate) fn own_cells(&self) -> Cells<'_> {
        self.cells.read()
    }

    /// Sets a key of an agent; `int`s and `float`s widen to the type of the key.
    ///
    /// # Errors
    /// When the value is of another type, or the key is a list.
    pub fn set(&mut self, key: KeyId, agent: usize, value: Value) -> Result<(), WrongType> {
        let slot = self.layout.keys[key.index()];
        let value = slot.fitted(value)?;
        self.access.note(agent, || Deed::Set(key, Some(value)));
        self.write(slot, agent, Some(value));
        Ok(())
    }

    /// Writes a key for a node: the host has not done that.
    pub(crate) fn write_for_node(&mut self, key: KeyId, agent: usize, value: Value) {
        self.write(self.layout.keys[key.index()], agent, Some(value));
    }

    /// Gives a key a value of its type, or removes its content; informs the nodes that look at the key.
    fn write(&mut self, slot: KeySlot, agent: usize, value: Option<Value>) {
        let layout = self.layout;
        let lane = agent - self.first;
        if !slot.is_own() {
            let mut cells = self.cells.reborrow();
            self.access
                .write(layout, slot, (agent, lane), &mut cells, value);
            return;
        }
        self.access.note_own(Some(lane));
        match value {
            Some(value) => slot.set(&mut self.cells, lane, value),
            None => slot.unset(&mut self.cells, lane),
        }
        note(&mut self.cells, layout.watchers(slot), lane);
    }

    /// Whether a key of an agent has a value, or a list has an item.
    pub fn is_set(&self, key: KeyId, agent: usize) -> bool {
        let slot = self.layout.keys[key.index()];
        match self.access.shared() {
            Some(shared) if !slot.is_own() => shared.is_set(slot, shared.lane(slot, agent)),
            _ => slot.is_set(self.cells.read(), agent - self.first),
        }
    }

    /// Removes the value of an optional key, or all items of a list. Returns whether the key can be unset; other
    /// keys are not changed.
    pub fn unset(&mut self, key: KeyId, agent: usize) -> bool {
        let slot = self.layout.keys[key.index()];
        match slot.form {
            SlotForm::One => return false,
            SlotForm::Optional { .. } => {
                self.access.note(agent, || Deed::Set(key, None));
                self.write(slot, agent, None);
            }
            SlotForm::List { .. } => {
                if let Some(mut list) = self.list_mut(key, agent) {
                    list.clear();
                }
            }
        }
        true
    }

    /// The items of a list of an agent; `None` for keys that are not lists.
    pub fn list(&self, key: KeyId, agent: usize) -> Option<List<'_>> {
        match self.held(key, agent) {
            Held::List(list) => Some(list),
            Held::One(_) | Held::Unset => None,
        }
    }

    /// The items of a list of an agent, for changing them; `None` for keys that are not lists.
    ///
    /// A shared list that is changed within a tick reads as it was at the start of the tick. At the end of the
    /// tick, the changes of all agents are made one after the other, in the order of the agents. Items for which
    /// there is no room then are left out.
    pub fn list_mut(&mut self, key: KeyId, agent: usize) -> Option<ListMut<'_>> {
        let layout = self.layout;
        let slot = layout.keys[key.index()];
        let lane = agent - self.first;
        if slot.bound() == 0 {
            return None;
        }
        let Some(draft) = layout.draft(slot) else {
            self.access.note_own(Some(lane));
            let journal = match &mut self.access {
                SharedAccess::Staged(_, staged) => Some((&mut staged.journal, key, agent)),
                SharedAccess::Direct(_) => None,
            };
            return Some(ListMut {
                slot,
                cells: self.cells.reborrow(),
                lane,
                told: Notify::Watchers(layout.watchers(slot)),
                journal,
            });
        };
        match &mut self.access {
            SharedAccess::Direct(shared) => {
                let shared = shared.as_deref_mut()?;
                let lane = shared.lane(slot, agent);
                Some(shared.list_mut(layout, slot, lane))
            }
            SharedAccess::Staged(shared, staged) => {
                let shared = (*shared)?;
                Some(ListMut {
                    slot: draft.added,
                    cells: self.cells.reborrow(),
                    lane,
                    told: Notify::Drafted {
                        draft,
                        start: shared.list(slot, shared.lane(slot, agent)),
                        is_any: &mut staged.has_drafts,
                    },
                    journal: Some((&mut staged.journal, key, agent)),
                })
            }
        }
    }

    /// The column of a key of this type, for writing all of it: the key counts as written for all agents. `None`
    /// when the key is of another type, optional, a list, or shared.
    fn whole(&mut self, key: KeyId, ty: Type) -> Option<Column> {
        let slot = self.layout.keys[key.index()];
        let column = slot.own_column()?;
        if slot.ty != ty || slot.form != SlotForm::One {
            return None;
        }
        for column in self.layout.watchers(slot) {
            self.cells.bits_mut(*column).fill(u64::MAX);
        }
        let first = self.first;
        self.access.note_own(None);
        self.access.note(first, || Deed::Column(key));
        Some(column)
    }

    /// Writes a key of all agents of this board from the first on, as writing to its whole column does. Values of
    /// other types are left out.
    pub(crate) fn set_column(&mut self, key: KeyId, values: impl Iterator<Item = Value>) {
        let slot = self.layout.keys[key.index()];
        if let Some(column) = self.whole(key, slot.ty) {
            let lanes = self.cells.lanes();
            for (lane, value) in (0..lanes).zip(values) {
                if let Ok(value) = slot.fitted(value) {
                    self.cells.set(column, lane, value);
                }
            }
        }
    }

    /// The values of a key of all agents of this board from the first on.
    pub(crate) fn column(&self, key: KeyId) -> impl ExactSizeIterator<Item = Value> + '_ {
        let slot = self.layout.keys[key.index()];
        let cells = self.cells.read();
        (0..self.cells.lanes()).map(move |lane| cells.get(slot.column, slot.ty, lane))
    }

    /// A `float` key of all agents of this board, starting with [`first_agent`](Self::first_agent); `None` for keys
    /// of other types, for optional keys and lists, and for shared keys. For nodes that look at the key, it counts
    /// as written for all agents.
    pub fn floats_mut(&mut self, key: KeyId) -> Option<&mut [f32]> {
        match self.whole(key, Type::Float)? {
            Column::Narrow(index) => Some(bytemuck::cast_slice_mut(self.cells.narrow_mut(index))),
            _ => None,
        }
    }

    /// A `double` key of all agents of this board; like [`floats_mut`](Self::floats_mut).
    pub fn doubles_mut(&mut self, key: KeyId) -> Option<&mut [f64]> {
        match self.whole(key, Type::Double)? {
            Column::Wide(index) => Some(bytemuck::cast_slice_mut(self.cells.wide_mut(index))),
            _ => None,
        }
    }

    /// An `int` key of all agents of this board; like [`floats_mut`](Self::floats_mut).
    pub fn ints_mut(&mut self, key: KeyId) -> Option<&mut [i64]> {
        match self.whole(key, Type::Int)? {
            Column::Wide(index) => Some(bytemuck::cast_slice_mut(self.cells.wide_mut(index))),
            _ => None,
        }
    }

    /// A `vec2` key of all agents of this board, one slice per component; like [`floats_mut`](Self::floats_mut).
    pub fn vec2s_mut(&mut self, key: KeyId) -> Option<[&mut [f32]; 2]> {
        match self.whole(key, Type::Vec2)? {
            Column::Vec2(first) => Some(self.cells.floats_mut(first)),
            _ => None,
        }
    }

    /// A `vec3` key of all agents of this board, one slice per component; like [`floats_mut`](Self::floats_mut).
    pub fn vec3s_mut(&mut self, key: KeyId) -> Option<[&mut [f32]; 3]> {
        match self.whole(key, Type::Vec3)? {
            Column::Vec3(first) => Some(self.cells.floats_mut(first)),
            _ => None,
        }
    }

    /// A `bool` key of all agents of this board, a bit per agent; like [`floats_mut`](Self::floats_mut).
    pub fn bits_mut(&mut self, key: KeyId) -> Option<&mut [u64]> {
        match self.whole(key, Type::Bool)? {
            Column::Bits(index) => Some(self.cells.bits_mut(index)),
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
