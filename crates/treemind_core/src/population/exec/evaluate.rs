//! Expressions: their values, their faults, and the source of their random numbers.

use super::bits::{Bits, zero};
use super::{Chances, Counters, Exec, sources};
use crate::blackboard::WIDE;
use crate::chance::Draw;
use crate::eval::{Draws, ExprCode};
use crate::fault::FaultKind;
use crate::ids::{ArgRange, NodeId};
use crate::program::args::ArgSlot;
use crate::text::Text;
use crate::trace::{Event, Record, Sink};
use crate::value::Value;

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Records the faults of the last evaluation, for some agents of a word.
    #[cold]
    pub(super) fn expr_faults(&mut self, node: NodeId, word: usize, among: u64) {
        let faults = self.stacks.faults();
        self.fault(node, &FaultKind::Overflow, word, faults.overflow & among);
        let division = faults.division & among;
        self.fault(node, &FaultKind::DivisionByZero, word, division);
        self.fault(node, &FaultKind::NotNumber, word, faults.number & among);
        self.fault(node, &FaultKind::TextTooLong, word, faults.long & among);
        let mut rest = faults.unset & among;
        while rest != 0 {
            // All agents that lack the same at once.
            let lack = self.stacks.lack_of(rest.trailing_zeros() as usize);
            let mut lacking = 0;
            for lane in (0..64).filter(|lane| rest >> lane & 1 == 1) {
                if self.stacks.lack_of(lane) == lack {
                    lacking |= 1 << lane;
                }
            }
            let key = &self.call.around.program.behaviour.keys()[lack.key as usize];
            let name = Text::new(&key.name);
            let kind = match lack.item {
                None => FaultKind::Unset(name),
                Some((place, length)) => FaultKind::NoItem {
                    list: name,
                    place,
                    length,
                },
            };
            self.fault(node, &kind, word, lacking);
            rest &= !lacking;
        }
    }

    /// Evaluates an expression for some agents of a word, and leaves the result on the stacks. Returns the agents for
    /// which it failed; their faults are recorded.
    #[inline]
    pub(super) fn evaluate(&mut self, node: NodeId, expr: u32, word: usize, active: u64) -> u64 {
        let failed = self.evaluate_unnoted(node, expr, word, active);
        self.note_result(node, expr, word, active & !failed);
        failed
    }

    /// For which of some agents of a word a short test holds; `None` for other expressions, and if the values that it
    /// reads are recorded.
    #[inline]
    pub(super) fn short_holds(&self, expr: u32, word: usize, active: u64) -> Option<u64> {
        let short = self.call.around.program.short_test(expr);
        let short = short.filter(|_| !self.wants_values())?;
        Some(active & short.holds_in::<W>(self.call.board.read(), word))
    }

    /// As [`evaluate`](Self::evaluate), but a trace does not get the result.
    #[inline]
    pub(super) fn evaluate_unnoted(
        &mut self,
        node: NodeId,
        expr: u32,
        word: usize,
        active: u64,
    ) -> u64 {
        let program = self.call.around.program;
        if W >= WIDE && self.tracks && !program.is_steady(expr) {
            self.stirred[word] |= active;
        }
        if let Some(asks) = program.asks.get(expr as usize) {
            self.sense_all(node, asks, word, active);
        }
        self.note_reads(node, expr, word, active);
        let code = &program.exprs[expr as usize];
        if code.asks_places {
            self.tell_free_places(word, active);
        }
        self.lay_out_states(code, word);
        let failed = match code.draws {
            None => {
                let sources = sources(self.call.around, &self.call.board);
                self.stacks.run(code, sources, word, active, None)
            }
            Some(counter) => self.evaluate_drawing(node, code, counter, word, active),
        };
        if failed != 0 {
            self.expr_faults(node, word, u64::MAX);
        }
        failed
    }

    /// The agents that are in the states that an expression asks about.
    #[inline(always)]
    fn lay_out_states(&mut self, code: &ExprCode, word: usize) {
        for (number, column) in code.states.iter().enumerate() {
            self.stacks.states[number] = self.call.run.read().bits(*column)[word];
        }
    }

    #[inline(never)]
    fn evaluate_drawing(
        &mut self,
        node: NodeId,
        code: &ExprCode,
        counter: u32,
        word: usize,
        active: u64,
    ) -> u64 {
        let mut draws = NodeDraws {
            node,
            counter,
            tick: self.call.around.tick,
            first: self.call.around.first,
            word,
            chances: self.chances,
            counters: self.counters,
            sink: self.sink,
        };
        let sources = sources(self.call.around, &self.call.board);
        self.stacks
            .run(code, sources, word, active, Some(&mut draws))
    }

    /// As [`evaluate`](Self::evaluate), for an expression that was just evaluated and whose faults are recorded.
    pub(super) fn evaluate_quietly(&mut self, expr: u32, word: usize, active: u64) -> u64 {
        let code = &self.call.around.program.exprs[expr as usize];
        self.lay_out_states(code, word);
        let sources = sources(self.call.around, &self.call.board);
        self.stacks.run(code, sources, word, active, None)
    }

    /// Evaluates the arguments of a leaf into their columns. Returns the agents for which that failed.
    pub(super) fn evaluate_args(&mut self, node: NodeId, args: ArgRange, set: &Bits<W>) -> Bits<W> {
        let mut failed = zero();
        let program = self.call.around.program;
        for arg in args.of(&program.args) {
            let ArgSlot::Column { column, ty, expr } = *arg else {
                continue;
            };
            for word in 0..W {
                let active = set[word] & !failed[word];
                if active == 0 {
                    continue;
                }
                let bad = self.evaluate(node, expr, word, active);
                failed[word] |= bad;
                let mut rest = active & !bad;
                while rest != 0 {
                    let bit = rest.trailing_zeros() as usize;
                    self.call
                        .run
                        .set(column, word * 64 + bit, self.stacks.value(ty, bit));
                    rest &= rest - 1;
                }
            }
        }
        failed
    }
}

/// The source of a node's random numbers.
pub(super) struct NodeDraws<'a, S> {
    pub(super) node: NodeId,
    pub(super) counter: u32,
    pub(super) tick: u64,
    /// The first agent of the chunk.
    pub(super) first: usize,
    /// The word of the chunk that lanes are counted in.
    pub(super) word: usize,
    pub(super) chances: Chances<'a>,
    pub(super) counters: &'a mut Counters,
    pub(super) sink: &'a mut S,
}

impl<S: Sink> Draws for NodeDraws<'_, S> {
    fn next(&mut self, lane: usize) -> Draw {
        let lane = self.word * 64 + lane;
        let agent = self.first + lane;
        let draw = Draw {
            seed: self.chances.seed,
            agent: self.chances.ids.get(agent).copied().unwrap_or(agent as u64),
            node: self.node.index() as u32,
            tick: self.tick,
            nth: self.counters.next(self.counter, lane),
        };
        if self.sink.wants_values() {
            let record = Record {
                node: self.node,
                event: Event::Draw(draw.nth),
                word: (agent / 64) as u32,
                values: 0,
                mask: 1 << (agent % 64),
            };
            let value = Value::Double(draw.unit());
            self.sink.record_values(record, &mut |_| value);
        }
        draw
    }
}
