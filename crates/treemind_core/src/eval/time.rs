//! The evaluation of expressions about time.

use super::lanes::entry;
use super::run::{ExprStacks, Sources};
use crate::blackboard::Since;
use crate::ids::KeyId;
use crate::value::{Type, Value};

impl ExprStacks {
    /// Seconds since a key was written or has changed, for each agent of a word.
    #[inline(never)]
    pub(super) fn age(
        &mut self,
        (key, since): (KeyId, Since),
        at: u32,
        sources: Sources<'_>,
        word: usize,
    ) {
        let slot = sources.board.keys[key.index()];
        let age = sources.board.age(slot).expect("somebody asks for it");
        if !slot.is_own() {
            self.for_each_run(key, sources, word, |stacks, lanes, shared, lane| {
                let is_touched = shared.is_touched(slot, lane);
                let of = (slot, shared.cells(), lane);
                let secs = age.secs(since, of, is_touched, sources.now_ns);
                stacks.fill(at, lanes, Value::Double(secs), Type::Double);
            });
            return;
        }
        let touched = age.touched_in(sources.own, word);
        for (lane, secs) in entry(&mut self.doubles, at, self.width)
            .iter_mut()
            .enumerate()
        {
            let of = (slot, sources.own, word * 64 + lane);
            *secs = age.secs(since, of, touched >> lane & 1 == 1, sources.now_ns);
        }
    }
}
