//! Shared lists and merged keys: what each agent writes to them in a tick, and how this is applied at the end.
//!
//! For most shared keys the last agent's write wins, so one place for all is enough. To a list, many agents may each
//! add some items, and of a merged key every value of every agent counts. So every agent stores its own changes beside
//! its own keys, and these are applied when all agents have been ticked. There is always enough room for what agents
//! may write, and nothing has to be allocated or sorted.

use super::board::{BoardLayout, KeySlot};
use super::cells::{Cells, CellsMut, Shape};
use super::fields::Label;
use super::held::{List, ListMut, Notify};
use super::key::{Key, Merge, Scope};
use super::shared::Shared;
use crate::value::Value;

/// Where an agent stores its changes to a shared list, or what its writes to a merged key come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Draft {
    /// Of a list, the items that it adds; if it emptied the list, those added since then. It is empty between ticks.
    /// Of a merged key, what all the values that it has written come to.
    pub(crate) added: KeySlot,
    /// Of a list, the items that it removes from those that it sees; empty between ticks, and once it has emptied the
    /// list. It never has more than it sees.
    removed: Option<KeySlot>,
    /// The column of bits that says whether it has emptied the list; of a merged key, whether its own changes
    /// overflowed.
    flagged: u32,
    /// The column of bits that says whether it has written anything.
    written: u32,
    merge: Merge,
}

impl Draft {
    /// Makes room beside the keys of each agent; `None` for keys of which only the last write counts.
    pub(crate) fn new(shape: &mut Shape, key: &Key) -> Option<Self> {
        (key.form.is_list() || key.merge != Merge::Last).then(|| {
            let mut beside = || {
                let mut slot = KeySlot::new(shape, key);
                slot.scope = Scope::Agent;
                slot
            };
            let added = beside();
            let removed = key.form.is_list().then(beside);
            Self {
                added,
                removed,
                flagged: shape.add_bits(Label::APART),
                written: shape.add_bits(Label::APART),
                merge: key.merge,
            }
        })
    }

    /// Merges a value that an agent writes to a merged key with those that it has written in this tick. A change with
    /// which its sum would overflow is left out. `shared` holds what all agents read in this tick.
    pub(crate) fn write(
        self,
        cells: &mut CellsMut<'_>,
        lane: usize,
        (shared, from): (&Shared, (KeySlot, usize)),
        value: Value,
    ) {
        let has_written = cells.read().bits(self.written)[lane / 64] >> (lane % 64) & 1 == 1;
        let own = self.added.get(cells.read(), lane).filter(|_| has_written);
        let merged = match own {
            None => Some(value),
            Some(own) => {
                let start = shared.get(from.0, from.1).unwrap_or(own);
                self.merge.of(start, Some(own), value)
            }
        };
        if let Some(value) = merged {
            self.added.set(cells, lane, value);
        }
        self.mark(cells, lane, merged.is_none());
    }

    /// Records that an agent has written something; with a flag, that it has emptied the list or overflowed.
    pub(crate) fn mark(self, cells: &mut CellsMut<'_>, lane: usize, flagged: bool) {
        let (word, bit) = (lane / 64, 1 << (lane % 64));
        cells.bits_mut(self.written)[word] |= bit;
        if flagged {
            cells.bits_mut(self.flagged)[word] |= bit;
        }
    }

    /// Empties the list for an agent, which also removes the items that it added before.
    pub(crate) fn clear(self, cells: &mut CellsMut<'_>, lane: usize) {
        self.added.set_len(cells, lane, 0);
        self.mark(cells, lane, true);
    }

    /// Adds an item to the list for an agent; returns whether there was room for what it adds.
    pub(crate) fn add(self, cells: &mut CellsMut<'_>, lane: usize, item: Value) -> bool {
        let has_room = self.added.push(cells, lane, item);
        if has_room {
            self.mark(cells, lane, false);
        }
        has_room
    }

    /// Removes an item for an agent: one that it has added, otherwise one that it sees in the list and has not removed
    /// yet.
    pub(crate) fn remove(self, cells: &mut CellsMut<'_>, lane: usize, seen: List<'_>, item: Value) {
        let is_emptied = cells.read().bits(self.flagged)[lane / 64] >> (lane % 64) & 1 == 1;
        if self.added.remove(cells, lane, item) || is_emptied {
            return;
        }
        let Some(slot) = self.removed else { return };
        let removed = List {
            slot,
            cells: cells.read(),
            lane,
        };
        if removed.count_of(item) < seen.count_of(item) {
            slot.push(cells, lane, item);
            self.mark(cells, lane, false);
        }
    }

    /// Applies the changes of the agents of a chunk, the first of which is `first`, in the order of the agents.
    /// Calls `overflowed` with the agents whose value of a merged key overflowed.
    fn apply(
        self,
        (board, slot): (&BoardLayout, KeySlot),
        cells: &mut CellsMut<'_>,
        (shared, first): (&mut Shared, usize),
        overflowed: &mut dyn FnMut(usize),
    ) {
        for word in 0..cells.bits_mut(self.written).len() {
            let mut rest = std::mem::take(&mut cells.bits_mut(self.written)[word]);
            let flagged = std::mem::take(&mut cells.bits_mut(self.flagged)[word]);
            while rest != 0 {
                let bit = rest.trailing_zeros() as usize;
                let lane = word * 64 + bit;
                rest &= rest - 1;
                let is_flagged = flagged >> bit & 1 == 1;
                let to = shared.lane(slot, first + lane);
                if let Some(written) = self.added.get(cells.read(), lane) {
                    let all_overflowed = shared.merge((board, slot), to, (self.merge, written));
                    if is_flagged || all_overflowed {
                        overflowed(first + lane);
                    }
                    continue;
                }
                let mut list = shared.list_mut(board, slot, to);
                if let Some(removed) = self.removed {
                    for index in 0..removed.len(cells.read(), lane) {
                        list.remove(removed.item(cells.read(), lane, index));
                    }
                    removed.set_len(cells, lane, 0);
                }
                if is_flagged {
                    list.clear();
                }
                for index in 0..self.added.len(cells.read(), lane) {
                    // An item for which there is no room is left out.
                    let _ = list.push(self.added.item(cells.read(), lane, index));
                }
                self.added.set_len(cells, lane, 0);
            }
        }
    }
}

impl BoardLayout {
    /// Whether no agent has changes to shared lists and merged keys that were not applied yet, as between ticks.
    pub(crate) fn has_no_drafts(&self, cells: Cells<'_>) -> bool {
        self.drafts.iter().flatten().all(|draft| {
            let columns = [draft.flagged, draft.written].map(|column| cells.bits(column));
            columns.into_iter().flatten().all(|word| *word == 0)
        })
    }

    /// Whether keys are merged, so that the values at the start of a tick have to be kept.
    pub(crate) fn merges(&self) -> bool {
        let mut drafts = self.drafts.iter().flatten();
        drafts.any(|draft| draft.merge != Merge::Last)
    }

    /// Applies the changes of the agents of a chunk to shared lists and merged keys. Calls `overflowed` with the
    /// agents whose value of a merged key overflowed.
    pub(crate) fn apply_drafts(
        &self,
        cells: &mut CellsMut<'_>,
        (shared, first): (&mut Shared, usize),
        overflowed: &mut dyn FnMut(usize),
    ) {
        for (key, draft) in self.shared.iter().zip(&self.drafts) {
            if let Some(draft) = draft {
                let slot = self.keys[key.index()];
                draft.apply((self, slot), cells, (shared, first), overflowed);
            }
        }
    }
}

impl Shared {
    /// The items of a list.
    pub(crate) fn list(&self, slot: KeySlot, lane: usize) -> List<'_> {
        List {
            slot,
            cells: self.cells(),
            lane,
        }
    }

    /// The items of a list, for changes that take effect at once.
    pub(crate) fn list_mut(
        &mut self,
        board: &BoardLayout,
        slot: KeySlot,
        lane: usize,
    ) -> ListMut<'_> {
        let (cells, mark) = self.parts_mut(board, slot, lane);
        ListMut {
            slot,
            cells,
            lane,
            told: Notify::Shared(mark),
            journal: None,
        }
    }
}
