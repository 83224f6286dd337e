//! The times at which keys were written and have changed.

use crate::blackboard::CellsMut;
use crate::population::Population;

impl Population {
    /// Sets the times of keys that were written since the last tick began.
    #[inline]
    pub(super) fn settle_ages(&mut self) {
        let board = &self.durable.program.board;
        if !board.has_ages() {
            return;
        }
        let (parts, now_ns) = (&self.durable.parts, self.durable.now_ns);
        for state in &mut self.state {
            let state = &mut state[parts.board..parts.run];
            board.settle_ages(&mut CellsMut::new(&parts.board_layout, state), now_ns);
        }
        if let Some(shared) = &mut self.durable.shared {
            shared.settle_ages(board, now_ns);
        }
    }
}
