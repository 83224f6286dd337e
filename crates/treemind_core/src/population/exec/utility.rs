//! Choices among children by their scores.

use super::Exec;
use super::bits::{Bits, zero};
use crate::fault::FaultKind;
use crate::program::op::{Random, Range, Utility};
use crate::trace::{Event, Sink};

/// No child.
const NONE: u32 = u32::MAX;

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Sends the agents to their running children, or to the children that are chosen now.
    pub(super) fn utility_begin(&mut self, random: &Random, utility: Utility, input: &Bits<W>) {
        for (word, &active) in input.iter().enumerate() {
            if active != 0 {
                self.utility_word(random, utility, word, active);
            }
        }
    }

    fn utility_word(&mut self, random: &Random, utility: Utility, word: usize, active: u64) {
        self.stacks.kept().fill(0);
        let mut fresh = active;
        for (index, child) in random.children.iter().enumerate() {
            let live = self.live_in(child.range, word) & fresh;
            if live == 0 {
                continue;
            }
            fresh &= !live;
            if utility.reactive {
                // It may be chosen again.
                self.call.run.bits_mut(child.tried)[word] &= !live;
                self.stacks.kept()[index] = live;
            } else {
                self.send(child.input, &in_word(word, live));
            }
        }
        if fresh != 0 {
            for child in &random.children {
                self.call.run.bits_mut(child.tried)[word] &= !fresh;
            }
            self.call.run.bits_mut(random.went)[word] &= !fresh;
        }
        let asked = if utility.reactive { active } else { fresh };
        if asked == 0 {
            return;
        }
        self.look_at_scores(random, word, asked, true);
        let running = active & !fresh;
        if utility.reactive && running != 0 {
            self.read_hysteresis(random, utility, word, running);
        }
        self.choose_best(random, utility, word, asked);
    }

    /// The agents of a word that have a slot of the range set.
    fn live_in(&self, range: Range, word: usize) -> u64 {
        if !self.call.around.program.loose.is_empty() {
            return self.live(range)[word];
        }
        let slots = &self.slots[range.start as usize..range.end as usize];
        slots.iter().fold(0, |live, slot| live | slot[word])
    }

    /// Reads the scores of the children: of all of them, where those that have the score 0 may be tried again, or of
    /// those that were not tried.
    fn look_at_scores(&mut self, random: &Random, word: usize, active: u64, all: bool) {
        let behaviour = &self.call.around.program.behaviour;
        let children = &behaviour.node(random.node).children;
        for (index, child) in random.children.iter().enumerate() {
            let tried = self.call.run.read().bits(child.tried)[word];
            let asked = if all { active } else { active & !tried };
            if asked == 0 {
                self.stacks.score(index).fill(0.0);
                continue;
            }
            let bad = self.evaluate_unnoted(random.node, random.weights[index], word, asked);
            let (infinite, positive) = self.stacks.keep_score(index, asked & !bad);
            if infinite != 0 {
                self.fault(random.node, &FaultKind::BadScore, word, infinite);
            }
            if all {
                self.call.run.bits_mut(child.tried)[word] &= !active | positive;
            }
            if self.is_traced() {
                each_bit(asked, |lane| {
                    let score = self.stacks.score(index)[lane] as f32;
                    self.record(
                        children[index],
                        Event::Score(score.to_bits()),
                        word,
                        1 << lane,
                    );
                });
            }
        }
    }

    fn read_hysteresis(&mut self, random: &Random, utility: Utility, word: usize, running: u64) {
        let bad = self.evaluate(random.node, utility.hysteresis, word, running);
        let fits = self.stacks.keep_hysteresis();
        each_bit(bad, |lane| self.stacks.hysteresis()[lane] = 0.0);
        let unfit = running & !bad & !fits;
        if unfit != 0 {
            self.fault(random.node, &FaultKind::BadScore, word, unfit);
        }
    }

    /// Chooses by the scores that were read before, for agents that have a child left. Returns whether any agent was
    /// sent to a child.
    fn choose_best(&mut self, random: &Random, utility: Utility, word: usize, active: u64) -> bool {
        let run = self.call.run.read();
        let left = |index: usize| !run.bits(random.children[index].tried)[word];
        self.stacks.find_best(random.children.len(), left);
        let mut switched = active;
        for index in 0..random.children.len() {
            let running = self.stacks.kept()[index] & active;
            if running == 0 {
                continue;
            }
            let mut stays = running & self.stacks.holds_out(index);
            if utility.among > 1 {
                each_bit(running & !stays, |lane| {
                    let own = self.stacks.score(index)[lane];
                    let least = own + self.stacks.hysteresis()[lane];
                    if own > 0.0 && self.above(random, word, lane, least) < utility.among {
                        stays |= 1 << lane;
                    }
                });
            }
            self.stacks.kept()[index] = stays;
            switched &= !stays;
        }
        if utility.among > 1 {
            self.stacks.picked().fill(0);
            each_bit(switched, |lane| {
                let chosen = self.draw_among_best(random, utility, word, lane);
                if let Some(picked) = self.stacks.picked().get_mut(chosen as usize) {
                    *picked |= 1 << lane;
                }
            });
        }
        let mut without = active;
        for index in 0..random.children.len() {
            let picked = self.stacks.picked()[index] & switched | self.stacks.kept()[index];
            self.stacks.picked()[index] = picked;
            without &= !picked;
        }
        // The replaced children are aborted before the chosen ones begin.
        if utility.reactive || !self.call.around.program.loose.is_empty() {
            for (index, child) in random.children.iter().enumerate() {
                let left = switched & !self.stacks.picked()[index];
                self.abort(child.range, &in_word(word, left));
            }
        }
        for (index, child) in random.children.iter().enumerate() {
            let picked = self.stacks.picked()[index];
            if picked != 0 {
                self.call.run.bits_mut(child.tried)[word] |= picked;
                self.send(child.input, &in_word(word, picked));
            }
        }
        self.send(random.out_go, &in_word(word, without));
        without != active
    }

    /// As [`choose_best`](Self::choose_best), after a child has failed or was skipped.
    pub(super) fn choose_next(
        &mut self,
        random: &Random,
        utility: Utility,
        lanes: &Bits<W>,
    ) -> bool {
        let mut sent = false;
        for (word, &active) in lanes.iter().enumerate() {
            if active != 0 {
                self.look_at_scores(random, word, active, false);
                self.stacks.kept().fill(0);
                sent |= self.choose_best(random, utility, word, active);
            }
        }
        sent
    }

    /// The score of a child that was not tried; 0 of others.
    fn score_left(&mut self, random: &Random, index: usize, word: usize, lane: usize) -> f64 {
        let tried = self.call.run.read().bits(random.children[index].tried)[word];
        if tried >> lane & 1 == 1 {
            return 0.0;
        }
        self.stacks.score(index)[lane]
    }

    /// How many children that were not tried have a score above this.
    fn above(&mut self, random: &Random, word: usize, lane: usize, least: f64) -> u32 {
        let mut above = 0;
        for index in 0..random.children.len() {
            above += u32::from(self.score_left(random, index, word, lane) > least);
        }
        above
    }

    /// Draws in proportion to the scores; `NONE` where there is nothing to draw from.
    fn draw_among_best(
        &mut self,
        random: &Random,
        utility: Utility,
        word: usize,
        lane: usize,
    ) -> u32 {
        let mut total = 0.0;
        for index in 0..random.children.len() {
            total += self.score_among(random, utility, index, word, lane);
        }
        if total <= 0.0 {
            return NONE;
        }
        let draw = self.next_draw(random.node, random.draws, word * 64 + lane);
        let mut rest = draw.unit() * total;
        let mut last = NONE;
        for index in 0..random.children.len() {
            let score = self.score_among(random, utility, index, word, lane);
            if score > 0.0 {
                last = index as u32;
                if rest < score {
                    break;
                }
                rest -= score;
            }
        }
        last
    }

    /// The score of a child that is one of the best; 0 of others.
    fn score_among(
        &mut self,
        random: &Random,
        utility: Utility,
        index: usize,
        word: usize,
        lane: usize,
    ) -> f64 {
        let score = self.score_left(random, index, word, lane);
        let mut before = 0;
        for other in 0..random.children.len() {
            let its = self.score_left(random, other, word, lane);
            before += u32::from(its > score || its == score && other < index);
        }
        if before < utility.among { score } else { 0.0 }
    }
}

/// Some agents of one word.
fn in_word<const W: usize>(word: usize, bits: u64) -> Bits<W> {
    let mut set = zero();
    set[word] = bits;
    set
}

fn each_bit(bits: u64, mut each: impl FnMut(usize)) {
    let mut rest = bits;
    while rest != 0 {
        each(rest.trailing_zeros() as usize);
        rest &= rest - 1;
    }
}
