//! What statements do to lists.

use super::Exec;
use crate::expr::Change;
use crate::fault::FaultKind;
use crate::ids::NodeId;
use crate::program::op::SetStep;
use crate::text::Text;
use crate::trace::{Event, Sink};

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Adds the value on the stacks to a list of some agents of a word, or removes it there. Returns the agents whose
    /// list has no room; their faults are recorded.
    pub(super) fn change_list(
        &mut self,
        node: NodeId,
        step: &SetStep,
        word: usize,
        mask: u64,
    ) -> u64 {
        let around = self.call.around;
        let slot = around.program.board.keys[step.key.index()];
        let draft = around.program.board.draft(slot);
        let (mut full, mut rest) = (0, mask);
        while rest != 0 {
            let bit = rest.trailing_zeros() as usize;
            let lane = word * 64 + bit;
            rest &= rest - 1;
            let item = self.stacks.value(slot.ty, bit);
            let cells = &mut self.call.board;
            let has_room = match (draft, around.shared) {
                (Some(draft), _) if step.change == Change::Add => draft.add(cells, lane, item),
                (Some(draft), Some(shared)) => {
                    let seen = shared.list(slot, shared.lane(slot, around.first + lane));
                    draft.remove(cells, lane, seen, item);
                    true
                }
                _ if step.change == Change::Add => slot.push(cells, lane, item),
                _ => {
                    slot.remove(cells, lane, item);
                    true
                }
            };
            full |= u64::from(!has_room) << bit;
        }
        let done = mask & !full;
        if draft.is_some() {
            self.call.outbox.staged.has_drafts |= done != 0;
        } else {
            self.note(slot, word, done);
        }
        if full != 0 {
            let list = Text::new(&around.program.behaviour.key(step.key).name);
            let bound = slot.bound();
            self.fault(node, &FaultKind::ListFull { list, bound }, word, full);
        }
        if self.wants_values() {
            self.note_key(Event::Set(step.key), (node, step.key), word, done);
        }
        full
    }
}
