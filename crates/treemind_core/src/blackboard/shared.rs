//! Shared keys: their values, the group of each agent, and the writes that take effect at the end of a tick.

use super::board::{BoardLayout, KeySlot};
use super::cells::{Cells, CellsMut, Layout, Size};
use super::held::Held;
use super::journal::{Deed, Journal};
use super::key::{Key, Merge, Scope};
use super::slot::{TakeOver, copy, copy_as};
use crate::value::Value;
use std::ops::Range;

/// The values of all shared keys, a lane per group; keys of the world have lane 0.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) layout: Layout,
    pub(crate) cells: Vec<u64>,
    pub(super) groups: usize,
    /// Per agent; agents beyond the end are in group 0.
    pub(super) of_agent: Vec<u32>,
    pub(super) marks: Marks,
    /// The cells at the start of the tick, if keys are merged.
    pub(super) start: Vec<u64>,
    /// Whether other programs share some of the keys, so that writes have to be passed on.
    pub(super) is_joined: bool,
    /// How often keys may have been written.
    pub(super) version: u64,
}

impl Clone for Shared {
    fn clone(&self) -> Self {
        let mut clone = Self::empty(self.layout);
        clone.clone_from(self);
        clone
    }

    /// Uses the memory again: what is kept for a rollback is the same in size again and again.
    fn clone_from(&mut self, source: &Self) {
        let Self {
            layout,
            cells,
            groups,
            of_agent,
            marks: Marks { of_place, all },
            start,
            is_joined,
            version,
        } = source;
        (self.layout, self.groups) = (*layout, *groups);
        self.cells.clone_from(cells);
        self.of_agent.clone_from(of_agent);
        self.marks.of_place.clone_from(of_place);
        self.marks.all = *all;
        self.start.clone_from(start);
        (self.is_joined, self.version) = (*is_joined, *version);
    }
}

/// Per shared key and lane: who has not been informed yet that it was written.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    pub(super) of_place: Vec<u8>,
    /// All of them together.
    pub(super) all: u8,
}

/// The nodes that look at the key.
const WATCHERS: u8 = 1;
/// The other programs that share the key.
const PROGRAMS: u8 = 2;
/// Not a reader: the key has been given a value at the end of this tick, so the next one is merged with it.
const MERGED: u8 = 4;
/// The times of the key, which the next tick sets.
const AGES: u8 = 8;
/// All that there are.
pub(super) const MARKS: u8 = WATCHERS | PROGRAMS | MERGED | AGES;

impl Marks {
    /// Takes back a mark everywhere.
    fn clear(&mut self, mark: u8) {
        for marks in &mut self.of_place {
            *marks &= !mark;
        }
        self.all &= !mark;
    }
}

/// Where to record that a shared key was written.
pub(crate) struct Mark<'a> {
    of_place: &'a mut u8,
    all: &'a mut u8,
    mark: u8,
}

impl Mark<'_> {
    pub(crate) fn set(&mut self) {
        *self.of_place |= self.mark;
        *self.all |= self.mark;
    }
}

impl Shared {
    /// No group yet.
    fn empty(layout: Layout) -> Self {
        Self {
            layout,
            cells: Vec::new(),
            groups: 0,
            of_agent: Vec::new(),
            marks: Marks::default(),
            start: Vec::new(),
            is_joined: false,
            version: 0,
        }
    }

    /// One group, all keys at their defaults.
    pub(crate) fn new(board: &BoardLayout, keys: &[Key]) -> Self {
        let mut shared = Self::empty(board.shared_shape.layout(size(0)));
        shared.grow(board, keys, 1);
        shared
    }

    /// Makes room for this many groups, if there are fewer; new ones start with defaults.
    pub(crate) fn grow(&mut self, board: &BoardLayout, keys: &[Key], groups: usize) {
        let known = self.groups;
        if groups <= known {
            return;
        }
        let layout = board.shared_shape.layout(size(groups));
        let mut cells = vec![0; layout.cells];
        let mut marks = vec![0; groups * board.shared.len()];
        let mut to = CellsMut::new(&layout, &mut cells);
        for key in &board.shared {
            let slot = board.keys[key.index()];
            for lane in 0..groups {
                if lane < known {
                    copy((slot, self.cells(), lane), (slot, &mut to, lane));
                    let was = self.marks.of_place[self.place(slot, lane)];
                    marks[slot.shared as usize * groups + lane] = was;
                } else {
                    slot.reset(&keys[key.index()], &mut to, lane);
                }
                let Some(age) = board.age(slot) else { continue };
                if lane < known {
                    age.carry((age, self.cells(), lane), (slot, &mut to, lane), Some, 0);
                } else {
                    age.begin(&mut to, lane);
                    marks[slot.shared as usize * groups + lane] |= AGES;
                    self.marks.all |= AGES;
                }
            }
        }
        (self.layout, self.cells, self.marks.of_place) = (layout, cells, marks);
        self.groups = groups;
    }

    pub(crate) fn cells(&self) -> Cells<'_> {
        Cells::new(&self.layout, &self.cells)
    }

    pub(crate) fn place(&self, slot: KeySlot, lane: usize) -> usize {
        slot.shared as usize * self.groups + lane
    }

    /// Another number after each write.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// How many groups there are.
    pub(crate) fn groups(&self) -> usize {
        self.groups
    }

    /// The group of an agent.
    pub(crate) fn group(&self, agent: usize) -> u32 {
        self.of_agent.get(agent).copied().unwrap_or(0)
    }

    /// Moves an agent to a group.
    pub(crate) fn set_group(
        &mut self,
        (board, keys): (&BoardLayout, &[Key]),
        agent: usize,
        group: u32,
    ) {
        if group == self.group(agent) {
            return;
        }
        self.grow(board, keys, group as usize + 1);
        if self.of_agent.len() <= agent {
            self.of_agent.resize(agent + 1, 0);
        }
        self.of_agent[agent] = group;
    }

    /// The same keys and groups, of a population that is in no society and has agents in these groups.
    pub(crate) fn with_groups(&self, of_agent: Vec<u32>) -> Self {
        let mut shared = Self {
            of_agent,
            ..self.clone()
        };
        shared.join(false);
        shared
    }

    /// Forgets the groups of agents from this index on.
    pub(crate) fn forget_agents(&mut self, from: usize) {
        self.of_agent.truncate(from);
    }

    /// The lane of a shared key for an agent.
    pub(crate) fn lane(&self, slot: KeySlot, agent: usize) -> usize {
        match slot.scope {
            Scope::Group => self.group(agent) as usize,
            Scope::Agent | Scope::World => 0,
        }
    }

    /// The value; `None` while it is unset.
    pub(crate) fn get(&self, slot: KeySlot, lane: usize) -> Option<Value> {
        slot.get(self.cells(), lane)
    }

    /// Whether a key has a value, or a list has an item.
    pub(crate) fn is_set(&self, slot: KeySlot, lane: usize) -> bool {
        slot.is_set(self.cells(), lane)
    }

    /// The content of a key, whatever its form.
    pub(crate) fn held(&self, slot: KeySlot, lane: usize) -> Held<'_> {
        Held::of(slot, self.cells(), lane)
    }

    /// Writes a value of the key's type, or removes the value, at once.
    pub(crate) fn set(
        &mut self,
        board: &BoardLayout,
        slot: KeySlot,
        lane: usize,
        value: Option<Value>,
    ) {
        let (mut cells, mut mark) = self.parts_mut(board, slot, lane);
        write(slot, &mut cells, lane, value);
        mark.set();
    }

    /// The cells, and where to record that the key was written.
    pub(crate) fn parts_mut(
        &mut self,
        board: &BoardLayout,
        slot: KeySlot,
        lane: usize,
    ) -> (CellsMut<'_>, Mark<'_>) {
        self.version += 1;
        let place = self.place(slot, lane);
        let watchers = if board.watchers(slot).is_empty() {
            0
        } else {
            WATCHERS
        };
        let programs = if self.is_joined { PROGRAMS } else { 0 };
        let ages = if slot.aged.is_some() { AGES } else { 0 };
        let mark = Mark {
            of_place: &mut self.marks.of_place[place],
            all: &mut self.marks.all,
            mark: watchers | programs | ages,
        };
        (CellsMut::new(&self.layout, &mut self.cells), mark)
    }

    /// Prepares for writes in a tick: keeps the values of now, which changes are relative to.
    pub(crate) fn begin_merging(&mut self) {
        self.start.clone_from(&self.cells);
        if self.marks.all & MERGED != 0 {
            self.marks.clear(MERGED);
        }
    }

    /// Merges what an agent's writes to a key came to with those of others. Returns whether that overflowed;
    /// then the value is left out.
    pub(crate) fn merge(
        &mut self,
        (board, slot): (&BoardLayout, KeySlot),
        lane: usize,
        (merge, written): (Merge, Value),
    ) -> bool {
        let is_first = self.marks.of_place[self.place(slot, lane)] & MERGED == 0;
        let so_far = self.get(slot, lane).filter(|_| !is_first);
        let start = slot.get(Cells::new(&self.layout, &self.start), lane);
        let merged = merge.of(start.unwrap_or(written), so_far, written);
        if let Some(value) = merged {
            let (mut cells, mut mark) = self.parts_mut(board, slot, lane);
            slot.set(&mut cells, lane, value);
            mark.mark |= MERGED;
            mark.set();
        }
        merged.is_none()
    }

    /// Whether a key was written, or has begun, since the last tick began.
    pub(crate) fn is_touched(&self, slot: KeySlot, lane: usize) -> bool {
        self.marks.of_place[self.place(slot, lane)] & AGES != 0
    }

    /// A tick is about to begin: turns what has happened to keys into moments.
    pub(crate) fn settle_ages(&mut self, board: &BoardLayout, now_ns: u64) {
        if self.marks.all & AGES == 0 {
            return;
        }
        for key in &board.shared {
            let slot = board.keys[key.index()];
            let Some(age) = board.age(slot) else { continue };
            for lane in self.lanes_of(slot) {
                if self.is_touched(slot, lane) {
                    let mut cells = CellsMut::new(&self.layout, &mut self.cells);
                    age.settle(slot, &mut cells, lane, now_ns);
                }
            }
        }
        self.marks.clear(AGES);
    }

    /// Whether nodes that look at keys still have to be informed of a write.
    pub(crate) fn has_news_for_watchers(&self) -> bool {
        self.marks.all & WATCHERS != 0
    }

    /// Whether the key was written in the agent's lane, and the nodes that look at it have not been informed yet.
    pub(crate) fn is_written(&self, slot: KeySlot, agent: usize) -> bool {
        self.marks.of_place[self.place(slot, self.lane(slot, agent))] & WATCHERS != 0
    }

    /// Records that all nodes have been informed.
    pub(crate) fn watchers_are_informed(&mut self) {
        self.marks.clear(WATCHERS);
    }

    /// Says whether writes have to be passed on to other programs.
    pub(crate) fn join(&mut self, is_joined: bool) {
        self.is_joined = is_joined;
        self.marks.clear(PROGRAMS);
    }

    /// Whether other programs share some of the keys.
    pub(crate) fn is_joined(&self) -> bool {
        self.is_joined
    }

    /// Whether a write still has to be passed on to other programs.
    pub(crate) fn has_news_for_programs(&self) -> bool {
        self.marks.all & PROGRAMS != 0
    }

    /// The lanes in which the key was written since the other programs were informed.
    pub(crate) fn lanes_to_pass_on(&self, slot: KeySlot) -> impl Iterator<Item = usize> + '_ {
        let lanes = &self.marks.of_place[self.place(slot, 0)..][..self.groups];
        let marked = lanes.iter().enumerate();
        marked
            .filter(|(_, marks)| **marks & PROGRAMS != 0)
            .map(|(lane, _)| lane)
    }

    /// Records that all writes have been passed on to other programs.
    pub(crate) fn programs_are_informed(&mut self) {
        self.marks.clear(PROGRAMS);
    }

    /// Takes over what another program holds in a key that both share.
    pub(crate) fn take_over(
        &mut self,
        (board, slot): (&BoardLayout, KeySlot),
        (from, source): (&Shared, KeySlot),
        lane: usize,
        why: TakeOver,
        translate: impl Fn(Value) -> Value,
    ) {
        let merged = from.marks.of_place[from.place(source, lane)] & MERGED;
        let (mut cells, mut mark) = self.parts_mut(board, slot, lane);
        match why {
            TakeOver::Write => {
                mark.mark = mark.mark & (WATCHERS | AGES) | merged;
                mark.set();
            }
            TakeOver::Join => {
                if let Some(age) = board.age(slot) {
                    age.begin(&mut cells, lane);
                    mark.mark = AGES;
                    mark.set();
                }
            }
            // Its times were carried over, or it has begun already.
            TakeOver::Change => {}
        }
        copy_as(
            (source, from.cells(), lane),
            (slot, &mut cells, lane),
            translate,
        );
    }

    /// The same groups with other keys, at their defaults.
    pub(crate) fn for_board(&self, board: &BoardLayout, keys: &[Key]) -> Self {
        let mut shared = Self::new(board, keys);
        shared.grow(board, keys, self.groups);
        shared.of_agent.clone_from(&self.of_agent);
        shared.is_joined = self.is_joined;
        shared
    }

    /// The lanes of a key.
    pub(crate) fn lanes_of(&self, slot: KeySlot) -> Range<usize> {
        match slot.scope {
            Scope::Group => 0..self.groups,
            Scope::Agent | Scope::World => 0..1,
        }
    }

    /// Fills a lane of a key with what another board holds there; who has not been informed of a write yet is known.
    pub(crate) fn carry(
        &mut self,
        slot: KeySlot,
        lane: usize,
        (from, source): (&Shared, KeySlot),
        copy: impl FnOnce(&mut CellsMut<'_>) -> bool,
    ) -> bool {
        let place = self.place(slot, lane);
        let marks = from.marks.of_place[from.place(source, lane)];
        let copied = copy(&mut CellsMut::new(&self.layout, &mut self.cells));
        // Without times that could be carried, the key has begun.
        let has_times = copied && source.aged.is_some();
        let ages = if has_times {
            marks
        } else {
            self.marks.of_place[place]
        } & AGES;
        let ages = if slot.aged.is_some() { ages } else { 0 };
        self.marks.of_place[place] = marks & !AGES | ages;
        self.marks.all |= marks & !AGES | ages;
        copied
    }

    /// The bytes for values and groups.
    pub(crate) fn bytes(&self) -> usize {
        self.cells.capacity() * 8 + self.of_agent.capacity() * 4 + self.marks.of_place.capacity()
    }
}

fn write(slot: KeySlot, cells: &mut CellsMut<'_>, lane: usize, value: Option<Value>) {
    match value {
        Some(value) => slot.set(cells, lane, value),
        None => slot.unset(cells, lane),
    }
}

pub(super) fn size(groups: usize) -> Size {
    Size {
        words: groups.div_ceil(64),
        lanes: groups,
    }
}

/// The most words that a chunk has.
const WIDEST: usize = 16;

/// What agents have written to shared keys in a tick: for every key and group, the value of the agent with the
/// highest index that wrote it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Staged {
    cells: Vec<u64>,
    /// Per key and lane: the agent's index plus one, or 0.
    writers: Vec<usize>,
    is_used: bool,
    /// Whether there are changes to lists or merged keys; these are stored with the agent that made them.
    pub(crate) has_drafts: bool,
    /// The agents of the chunk that is ticked whose own keys the host has written, a bit each.
    pub(crate) written: [u64; WIDEST],
    /// What a host does to the blackboard in a call.
    pub(crate) journal: Journal,
}

impl Staged {
    /// Makes room for the current number of groups.
    pub(crate) fn fit(&mut self, board: &BoardLayout, shared: &Shared) {
        let places = board.shared.len() * shared.groups;
        if self.writers.len() != places {
            self.cells = vec![0; shared.cells.len()];
            self.writers = vec![0; places];
        }
    }

    /// Stores a value of the key's type, or none, for the end of the tick.
    pub(crate) fn set(
        &mut self,
        shared: &Shared,
        slot: KeySlot,
        agent: usize,
        value: Option<Value>,
    ) {
        let lane = shared.lane(slot, agent);
        let writer = &mut self.writers[shared.place(slot, lane)];
        if *writer <= agent + 1 {
            *writer = agent + 1;
            let mut cells = CellsMut::new(&shared.layout, &mut self.cells);
            write(slot, &mut cells, lane, value);
        }
        self.is_used = true;
    }

    /// Applies the stored writes. If there are several lists of writes, those of earlier agents must be applied first.
    pub(crate) fn apply(&mut self, board: &BoardLayout, shared: &mut Shared) {
        if !std::mem::take(&mut self.is_used) {
            return;
        }
        for key in &board.shared {
            let slot = board.keys[key.index()];
            for lane in 0..shared.groups {
                let writer = &mut self.writers[shared.place(slot, lane)];
                if std::mem::take(writer) == 0 {
                    continue;
                }
                let layout = shared.layout;
                let from = Cells::new(&layout, &self.cells);
                let (mut to, mut mark) = shared.parts_mut(board, slot, lane);
                copy((slot, from, lane), (slot, &mut to, lane));
                mark.set();
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.cells.capacity() + self.writers.capacity()) * 8
    }
}

/// How a board accesses shared keys.
pub(crate) enum SharedAccess<'a> {
    /// Within a tick: writes take effect at its end.
    Staged(Option<&'a Shared>, &'a mut Staged),
    /// Between ticks: writes take effect at once.
    Direct(Option<&'a mut Shared>),
}

impl SharedAccess<'_> {
    pub(crate) fn shared(&self) -> Option<&Shared> {
        match self {
            SharedAccess::Staged(shared, _) => *shared,
            SharedAccess::Direct(shared) => shared.as_deref(),
        }
    }

    /// Notes what a host does in a call, if somebody records it.
    #[inline]
    pub(crate) fn note(&mut self, agent: usize, deed: impl FnOnce() -> Deed) {
        if let SharedAccess::Staged(_, staged) = self {
            staged.journal.note(agent, deed);
        }
    }

    /// Notes that a host has written an agent's own key in a call, or those of all agents of the chunk.
    #[inline]
    pub(crate) fn note_own(&mut self, lane: Option<usize>) {
        if let SharedAccess::Staged(_, staged) = self {
            match lane {
                Some(lane) => staged.written[lane / 64] |= 1 << (lane % 64),
                None => staged.written.fill(u64::MAX),
            }
        }
    }

    /// Writes a value of the key's type for an agent, or removes the value. The agent's own keys are in a lane of
    /// `cells`.
    pub(crate) fn write(
        &mut self,
        board: &BoardLayout,
        slot: KeySlot,
        (agent, lane): (usize, usize),
        cells: &mut CellsMut<'_>,
        value: Option<Value>,
    ) {
        match self {
            SharedAccess::Staged(Some(shared), staged) => match (board.draft(slot), value) {
                (Some(draft), Some(value)) => {
                    let from = (slot, shared.lane(slot, agent));
                    draft.write(cells, lane, (shared, from), value);
                    staged.has_drafts = true;
                }
                _ => staged.set(shared, slot, agent, value),
            },
            SharedAccess::Direct(Some(shared)) => {
                let lane = shared.lane(slot, agent);
                shared.set(board, slot, lane, value);
            }
            // If there are shared keys, there is room for them.
            SharedAccess::Staged(None, _) | SharedAccess::Direct(None) => {}
        }
    }
}
