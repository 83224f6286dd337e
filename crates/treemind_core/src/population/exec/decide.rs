//! Decision trees: every tick from the top down to a leaf.

use super::Exec;
use super::bits::{Bits, add, and, any, for_each, or, set_lane, without, zero};
use crate::ids::NodeId;
use crate::program::op::{DecideOp, DecideStep, KeptDraw, KeptFor, Reg, To};
use crate::trace::{Event, Sink};

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    pub(super) fn decide_tree(&mut self, op: &DecideOp) {
        let input = self.take(op.input);
        if !any(&input) {
            return;
        }
        let nowhere = self.lead_down(op, &input);
        for leaf in &op.leaves {
            let chosen = self.regs[leaf.input.0 as usize];
            self.abort(leaf.range, &without(&input, &chosen));
        }
        self.send(op.out_failure, &nowhere);
    }

    /// Evaluates the tests and fills the registers of the leaves. Returns the agents for which the tests lead to no
    /// leaf.
    pub(super) fn lead_down(&mut self, op: &DecideOp, input: &Bits<W>) -> Bits<W> {
        let mut nowhere = zero();
        self.lead(op, op.first, input, &mut nowhere);
        for (number, (step, ways)) in (0..).zip(&op.steps) {
            let here = self.take(Reg(op.at + number));
            if !any(&here) {
                continue;
            }
            match step {
                DecideStep::Test(test) => {
                    let (holds, _) = self.ask_guard(op.node, *test, &here);
                    self.branch(
                        op,
                        (number, ways),
                        [holds, without(&here, &holds)],
                        &mut nowhere,
                    );
                }
                DecideStep::Ask(tested) => {
                    let holds = self.conditions_hold(tested, &here);
                    self.branch(
                        op,
                        (number, ways),
                        [holds, without(&here, &holds)],
                        &mut nowhere,
                    );
                }
                DecideStep::Switch(cases) => {
                    let mut rest = here;
                    for (way, case) in (0..).zip(cases) {
                        if any(&rest) {
                            let (holds, _) = self.ask_guard(op.node, *case, &rest);
                            self.go(op, (number, way, ways), &holds, &mut nowhere);
                            rest = without(&rest, &holds);
                        }
                    }
                    self.go(op, (number, cases.len() as u32, ways), &rest, &mut nowhere);
                }
                DecideStep::Best(best) => {
                    self.lead_to_best(op, (number, best, ways), &here, &mut nowhere);
                }
                DecideStep::Random(held) => {
                    self.keep_or_draw(op.node, held, &here);
                    let drawn = held.weights.len() as u32;
                    for way in 0..=drawn {
                        // Draws are numbered from 1. 0 means no draw, and takes the last way.
                        let wanted = if way == drawn { 0 } else { way + 1 };
                        let going = self.with_narrow(held.way, &here, |way| way == wanted);
                        self.go(op, (number, way, ways), &going, &mut nowhere);
                    }
                }
            }
        }
        nowhere
    }

    fn branch(
        &mut self,
        op: &DecideOp,
        (number, ways): (u32, &[To]),
        going: [Bits<W>; 2],
        nowhere: &mut Bits<W>,
    ) {
        for (way, going) in (0..).zip(going) {
            self.go(op, (number, way, ways), &going, nowhere);
        }
    }

    pub(super) fn go(
        &mut self,
        op: &DecideOp,
        (number, way, ways): (u32, u32, &[To]),
        going: &Bits<W>,
        nowhere: &mut Bits<W>,
    ) {
        if any(going) {
            let event = Event::Branch(op.first_step + number, way);
            self.record_all(op.node, event, going);
            self.lead(op, ways[way as usize], going, nowhere);
        }
    }

    fn lead(&mut self, op: &DecideOp, to: To, lanes: &Bits<W>, nowhere: &mut Bits<W>) {
        match to {
            To::Step(step) => add(&mut self.regs[(op.at + step) as usize], lanes),
            // The result of a decider of transitions is only read, and no agent waits for it.
            To::Leaf(leaf) if op.input == Reg::NONE => {
                add(
                    &mut self.regs[op.leaves[leaf as usize].input.0 as usize],
                    lanes,
                );
            }
            To::Leaf(leaf) => self.send(op.leaves[leaf as usize].input, lanes),
            To::None => add(nowhere, lanes),
        }
    }

    /// Draws for the agents that were not here in their previous tick, or whose draw has expired.
    pub(super) fn keep_or_draw(&mut self, node: NodeId, held: &KeptDraw, lanes: &Bits<W>) {
        let now = self.call.around.tick as u32;
        let since_previous = now.wrapping_sub(self.call.around.previous_tick as u32);
        let ways = self.call.run.read().narrow(held.way);
        let reached = self.call.run.read().narrow(held.reached);
        let mut kept = zero();
        for_each(lanes, |lane| {
            if ways[lane] != 0 && now.wrapping_sub(reached[lane]) <= since_previous {
                set_lane(&mut kept, lane);
            }
        });
        let over = match held.lasts {
            KeptFor::Always => zero(),
            KeptFor::Secs(_, until) => self.past(until, &kept),
            KeptFor::Ticks(ticks, drawn) => {
                self.with_narrow(drawn, &kept, |drawn| now.wrapping_sub(drawn) >= ticks)
            }
        };
        let anew = or(&without(lanes, &kept), &and(&kept, &over));
        let mut drawn = zero();
        for_each(&anew, |lane| {
            let way = self.draw_way(node, held, lane);
            self.call.run.narrow_mut(held.way)[lane] = way.map_or(0, |way| way + 1);
            if way.is_some() {
                set_lane(&mut drawn, lane);
            }
        });
        match held.lasts {
            KeptFor::Always => {}
            KeptFor::Secs(secs, until) => {
                let never = self.set_times(node, secs, until, &drawn);
                let untils = self.call.run.wide_mut(until);
                for_each(&never, |lane| untils[lane] = u64::MAX);
            }
            KeptFor::Ticks(_, column) => {
                let columns = self.call.run.narrow_mut(column);
                for_each(&drawn, |lane| columns[lane] = now);
            }
        }
        let reached = self.call.run.narrow_mut(held.reached);
        for_each(lanes, |lane| reached[lane] = now);
    }

    /// `None` when no option has a weight.
    fn draw_way(&mut self, node: NodeId, held: &KeptDraw, lane: usize) -> Option<u32> {
        let mut total = 0.0;
        for &weight in &held.weights {
            total += self.weight_of(node, weight, lane, true);
        }
        if total <= 0.0 {
            return None;
        }
        let mut rest = self.next_draw(node, held.draws, lane).unit() * total;
        let mut last = None;
        for (way, &weight) in (0..).zip(&held.weights) {
            let weight = self.weight_of(node, weight, lane, false);
            if weight > 0.0 {
                last = Some(way);
                if rest < weight {
                    break;
                }
                rest -= weight;
            }
        }
        last
    }
}
