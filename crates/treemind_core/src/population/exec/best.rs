//! The option of a decision tree with the best score.

use super::Exec;
use super::bits::{Bits, zero};
use crate::fault::FaultKind;
use crate::ids::NodeId;
use crate::program::op::{BestOption, DecideOp, To};
use crate::trace::Sink;

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Sends agents to the options that they choose.
    pub(super) fn lead_to_best(
        &mut self,
        op: &DecideOp,
        (number, best, ways): (u32, &BestOption, &[To]),
        lanes: &Bits<W>,
        nowhere: &mut Bits<W>,
    ) {
        for (word, &active) in lanes.iter().enumerate() {
            if active == 0 {
                continue;
            }
            self.pick_best(op.node, best, word, active);
            let mut rest = active;
            for option in 0..=best.scores.len() {
                let mut going = zero();
                going[word] = match self.stacks.picked().get(option) {
                    Some(picked) if option < best.scores.len() => *picked,
                    _ => rest,
                };
                rest &= !going[word];
                self.go(op, (number, option as u32, ways), &going, nowhere);
            }
        }
    }

    /// Finds out which agents of a word choose each option, and leaves that on the stacks.
    pub(super) fn pick_best(&mut self, node: NodeId, best: &BestOption, word: usize, active: u64) {
        let count = best.scores.len();
        for (option, score) in best.scores.iter().enumerate() {
            let bad = self.evaluate(node, *score, word, active);
            let (infinite, _) = self.stacks.keep_score(option, active & !bad);
            if infinite != 0 {
                self.fault(node, &FaultKind::BadScore, word, infinite);
            }
        }
        let mut any_held = 0;
        for (option, held) in best.held.iter().enumerate() {
            let bad = self.evaluate(node, *held, word, active);
            let held = self.stacks.mask() & active & !bad;
            self.stacks.kept()[option] = held;
            any_held |= held;
        }
        if any_held != 0 {
            let bad = self.evaluate(node, best.hysteresis, word, any_held);
            let fits = self.stacks.keep_hysteresis();
            let unfit = any_held & !bad & !fits;
            each_bit(bad | unfit, |lane| self.stacks.hysteresis()[lane] = 0.0);
            if unfit != 0 {
                self.fault(node, &FaultKind::BadScore, word, unfit);
            }
        }
        self.stacks.picked()[..count].fill(0);
        each_bit(active, |lane| {
            let hysteresis = match any_held >> lane & 1 {
                1 => self.stacks.hysteresis()[lane],
                _ => 0.0,
            };
            if let Some(option) = self.best_of(count, lane, hysteresis) {
                self.stacks.picked()[option] |= 1 << lane;
            }
        });
    }

    /// The option that an agent chooses: one that is held and that no other exceeds by more than the hysteresis, else
    /// the one with the highest score; the first of equals.
    fn best_of(&mut self, count: usize, lane: usize, hysteresis: f64) -> Option<usize> {
        let mut best = (None, 0.0);
        for option in 0..count {
            let score = self.stacks.score(option)[lane];
            if score > best.1 {
                best = (Some(option), score);
            }
        }
        // Of an option that is held and scores best, there is nothing to exceed.
        let stays = (0..count).find(|option| {
            let score = self.stacks.score(*option)[lane];
            let is_held = self.stacks.kept()[*option] >> lane & 1 == 1;
            is_held && score > 0.0 && best.1 <= score + hysteresis
        });
        stays.or(best.0)
    }
}

fn each_bit(bits: u64, mut each: impl FnMut(usize)) {
    let mut rest = bits;
    while rest != 0 {
        each(rest.trailing_zeros() as usize);
        rest &= rest - 1;
    }
}
