//! Shared lists: what each agent writes to them in a tick, and how this is applied at the end.
//!
//! For a single value, the last agent's write wins, so one place for all is enough. To a list, many agents may each
//! add some items. So every agent stores its own changes beside its own keys, and these are applied when all agents
//! have been ticked. There is always enough room for what agents may write, and nothing has to be allocated or
//! sorted.

use super::board::{BoardLayout, KeySlot};
use super::cells::{CellsMut, Shape};
use super::held::{List, ListMut, Notify};
use super::key::{Key, Scope};
use super::shared::Shared;

/// Where an agent stores its changes to a shared list. It is empty between ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ListDraft {
    /// The items that it adds; if it emptied the list, those added since then.
    pub(crate) added: KeySlot,
    /// The column of bits that says whether it has emptied the list.
    cleared: u32,
    /// The column of bits that says whether it has written anything.
    written: u32,
}

impl ListDraft {
    /// Makes room beside the keys of each agent; `None` for keys that are no list.
    pub(crate) fn new(shape: &mut Shape, key: &Key) -> Option<Self> {
        key.form.is_list().then(|| {
            let mut added = KeySlot::new(shape, key);
            added.scope = Scope::Agent;
            Self {
                added,
                cleared: shape.add_bits(),
                written: shape.add_bits(),
            }
        })
    }

    /// Records that an agent has added an item, or emptied the list.
    pub(crate) fn mark(self, cells: &mut CellsMut<'_>, lane: usize, cleared: bool) {
        let (word, bit) = (lane / 64, 1 << (lane % 64));
        cells.bits_mut(self.written)[word] |= bit;
        if cleared {
            cells.bits_mut(self.cleared)[word] |= bit;
        }
    }

    /// Empties the list for an agent, which also removes the items that it added before.
    pub(crate) fn clear(self, cells: &mut CellsMut<'_>, lane: usize) {
        self.added.set_len(cells, lane, 0);
        self.mark(cells, lane, true);
    }

    /// Applies the changes of the agents of a chunk, the first of which is `first`, in the order of the agents.
    fn apply(
        self,
        (board, slot): (&BoardLayout, KeySlot),
        cells: &mut CellsMut<'_>,
        (shared, first): (&mut Shared, usize),
    ) {
        for word in 0..cells.bits_mut(self.written).len() {
            let mut rest = std::mem::take(&mut cells.bits_mut(self.written)[word]);
            let cleared = std::mem::take(&mut cells.bits_mut(self.cleared)[word]);
            while rest != 0 {
                let bit = rest.trailing_zeros() as usize;
                let lane = word * 64 + bit;
                let to = shared.lane(slot, first + lane);
                let mut list = shared.list_mut(board, slot, to);
                if cleared >> bit & 1 == 1 {
                    list.clear();
                }
                for index in 0..self.added.len(cells.read(), lane) {
                    // An item for which there is no room is left out.
                    let _ = list.push(self.added.item(cells.read(), lane, index));
                }
                self.added.set_len(cells, lane, 0);
                rest &= rest - 1;
            }
        }
    }
}

impl BoardLayout {
    /// Applies to shared lists the changes of the agents of a chunk.
    pub(crate) fn apply_drafts(
        &self,
        cells: &mut CellsMut<'_>,
        (shared, first): (&mut Shared, usize),
    ) {
        for (key, draft) in self.shared.iter().zip(&self.drafts) {
            if let Some(draft) = draft {
                draft.apply((self, self.keys[key.index()]), cells, (shared, first));
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
        }
    }
}
