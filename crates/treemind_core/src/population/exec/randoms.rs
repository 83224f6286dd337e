//! Nodes that choose at random.

use super::Exec;
use super::bits::{Bits, add, and, any, for_each, has_lane, or, remove, set_lane, without, zero};
use super::evaluate::NodeDraws;
use crate::chance::Draw;
use crate::eval::Draws;
use crate::ids::NodeId;
use crate::program::op::Random;
use crate::trace::Sink;
use crate::value::{Type, Value};

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    pub(super) fn random_begin(&mut self, random: &Random) {
        self.regs[random.scope.0 as usize] = self.regs[random.reach.scope.0 as usize];
        self.wake(random.end);
        let mut fresh = self.take(random.input);
        if let Some(utility) = random.utility {
            self.utility_begin(random, utility, &fresh);
            return;
        }
        if let Some(between) = random.between {
            let was = self.slots[between as usize];
            let stale = self.stale(&was, &fresh, random.reach);
            self.slots[between as usize] = without(&without(&was, &stale), &fresh);
        }
        for child in &random.children {
            let kept = and(&self.live(child.range), &fresh);
            remove(&mut fresh, &kept);
            self.send(child.input, &kept);
        }
        if any(&fresh) {
            for child in &random.children {
                remove(self.column_mut(child.tried), &fresh);
            }
            remove(self.column_mut(random.went), &fresh);
            self.draw(random, &fresh);
        }
    }

    /// Returns whether the body has to be swept again.
    pub(super) fn random_end(&mut self, random: &Random) -> bool {
        let went = self.take(random.go);
        let skipped = self.take(random.skipped);
        self.take(random.scope);
        let next = or(&went, &skipped);
        if !any(&next) {
            return false;
        }
        if let Some(between) = random.between {
            self.occupy(between, &next);
            return false;
        }
        add(self.column_mut(random.went), &went);
        let mut untried: Bits<W> = zero();
        for child in &random.children {
            let tried = self.column(child.tried);
            add(&mut untried, &without(&next, &tried));
        }
        let exhausted = without(&next, &untried);
        if any(&exhausted) {
            let ended = and(&exhausted, &self.column(random.went));
            self.send(random.out_go, &ended);
            self.skip(random.out_skipped, &without(&exhausted, &ended));
        }
        self.draw(random, &untried)
    }

    /// Draws a child for each of the agents, which all have one left. Returns whether any child was drawn.
    fn draw(&mut self, random: &Random, lanes: &Bits<W>) -> bool {
        if let Some(utility) = random.utility {
            return self.choose_next(random, utility, lanes);
        }
        let mut drawn = false;
        for_each(lanes, |lane| {
            let mut one = zero();
            set_lane(&mut one, lane);
            let index = if random.weights.is_empty() {
                self.draw_evenly(random, lane)
            } else {
                self.draw_by_weight(random, lane)
            };
            match index {
                Some(index) => {
                    let child = &random.children[index];
                    if !self.call.around.program.loose.is_empty() {
                        for (other, passed) in random.children.iter().enumerate() {
                            if other != index {
                                self.abort(passed.range, &one);
                            }
                        }
                    }
                    add(self.column_mut(child.tried), &one);
                    self.send(child.input, &one);
                    drawn = true;
                }
                None => self.send(random.out_go, &one),
            }
        });
        drawn
    }

    fn draw_evenly(&mut self, random: &Random, lane: usize) -> Option<usize> {
        let left = (0..random.children.len()).filter(|index| self.is_left(random, *index, lane));
        let count = left.count() as u32;
        let steps = self.next_draw(random.node, random.draws, lane).below(count) as usize;
        (0..random.children.len())
            .filter(|index| self.is_left(random, *index, lane))
            .nth(steps)
    }

    /// `None` when no remaining child has a weight.
    fn draw_by_weight(&mut self, random: &Random, lane: usize) -> Option<usize> {
        let mut total = 0.0;
        for index in 0..random.children.len() {
            if self.is_left(random, index, lane) {
                total += self.weight(random, index, lane, true);
            }
        }
        if total <= 0.0 {
            return None;
        }
        let mut rest = self.next_draw(random.node, random.draws, lane).unit() * total;
        let mut last = None;
        for index in 0..random.children.len() {
            if !self.is_left(random, index, lane) {
                continue;
            }
            let weight = self.weight(random, index, lane, false);
            if weight > 0.0 {
                last = Some(index);
                if rest < weight {
                    break;
                }
                rest -= weight;
            }
        }
        last
    }

    fn is_left(&self, random: &Random, index: usize, lane: usize) -> bool {
        !has_lane(&self.column(random.children[index].tried), lane)
    }

    fn weight(&mut self, random: &Random, index: usize, lane: usize, tell: bool) -> f64 {
        self.weight_of(random.node, random.weights[index], lane, tell)
    }

    /// The value of an expression as a weight. A fault is reported to the host only if `tell` is set.
    pub(super) fn weight_of(&mut self, node: NodeId, expr: u32, lane: usize, tell: bool) -> f64 {
        let (word, bit) = (lane / 64, lane % 64);
        let bad = if tell {
            self.evaluate(node, expr, word, 1 << bit)
        } else {
            self.evaluate_quietly(expr, word, 1 << bit)
        };
        match self.stacks.value(Type::Double, bit) {
            Value::Double(weight) if bad == 0 && weight > 0.0 && weight.is_finite() => weight,
            _ => 0.0,
        }
    }

    /// The next random number of a node for an agent.
    pub(super) fn next_draw(&mut self, node: NodeId, counter: u32, lane: usize) -> Draw {
        NodeDraws {
            node,
            counter,
            tick: self.call.around.tick,
            first: self.call.around.first,
            word: 0,
            chances: self.chances,
            counters: self.counters,
            sink: self.sink,
        }
        .next(lane)
    }
}
