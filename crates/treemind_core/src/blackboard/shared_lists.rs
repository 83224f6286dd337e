//! Lists that agents share: what each agent writes to them in a tick, and what comes of it at the end.
//!
//! Of a single value the last agent's stays, so one place for all is enough. To a list many agents add, each some items:
//! every agent puts down its own, beside its own keys, and what it has put down is done when all have been ticked. So
//! there is room for whatever agents may write, and nothing has to be allocated or sorted.

use super::board::{BoardLayout, KeySlot};
use super::cells::{CellsMut, Shape};
use super::held::{List, ListMut, Notify};
use super::key::{Key, Scope};
use super::shared::Shared;

/// Where an agent puts down what it writes to a list that is shared. Between ticks nothing is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ListDraft {
    /// The items that it adds, since it has emptied the list if it has.
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

    /// Notes that an agent has written: added something, or emptied the list.
    pub(crate) fn mark(self, cells: &mut CellsMut<'_>, lane: usize, cleared: bool) {
        let (word, bit) = (lane / 64, 1 << (lane % 64));
        cells.bits_mut(self.written)[word] |= bit;
        if cleared {
            cells.bits_mut(self.cleared)[word] |= bit;
        }
    }

    /// Empties the list for an agent; what it has added before is gone.
    pub(crate) fn clear(self, cells: &mut CellsMut<'_>, lane: usize) {
        self.added.set_len(cells, lane, 0);
        self.mark(cells, lane, true);
    }

    /// Does what the agents of a chunk have put down, the first of whom is `first`, in the order of the agents.
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
                    // What finds no room is left out.
                    let _ = list.push(self.added.item(cells.read(), lane, index));
                }
                self.added.set_len(cells, lane, 0);
                rest &= rest - 1;
            }
        }
    }
}

impl BoardLayout {
    /// Does to shared lists what the agents of a chunk have put down.
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

    /// The items of a list, to change at once.
    pub(crate) fn list_mut(
        &mut self,
        board: &BoardLayout,
        slot: KeySlot,
        lane: usize,
    ) -> ListMut<'_> {
        let place = self.place(slot, lane);
        let is_watched = !board.watchers(slot).is_empty();
        let told = is_watched.then(|| [&mut self.written[place], &mut self.has_written]);
        ListMut {
            slot,
            cells: CellsMut::new(&self.layout, &mut self.cells),
            lane,
            told: Notify::Shared(told),
        }
    }
}
