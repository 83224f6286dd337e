//! What a trace with values records apart from the answers: the values that expressions read and gave, draws, written
//! keys, and what becomes of events.

use super::Exec;
use super::bits::{Bits, any, for_each};
use crate::behaviour::Kind;
use crate::blackboard::{Deed, Held, Since};
use crate::expr::Time;
use crate::ids::{KeyId, LeafId, NodeId};
use crate::program::op::{Inbox, Loop};
use crate::trace::{Event, Record, Sink};
use crate::value::Value;

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Whether the trace wants values.
    #[inline(always)]
    pub(super) fn wants_values(&self) -> bool {
        self.sink.wants_values()
    }

    /// Records the values of the keys and the times that an expression names, for some agents of a word.
    #[inline(always)]
    pub(super) fn note_reads(&mut self, node: NodeId, expr: u32, word: usize, active: u64) {
        if self.wants_values() {
            let named = self.call.around.program.named[expr as usize].as_ref();
            let Some(named) = named else { return };
            for key in &named.keys {
                self.note_key(Event::Read(*key), (node, *key), word, active);
            }
            for time in &named.times {
                self.note_time(node, *time, word, active);
            }
        }
    }

    /// Records a time that an expression names.
    #[inline(never)]
    fn note_time(&mut self, node: NodeId, time: Time, word: usize, active: u64) {
        let first = self.call.around.first + word * 64;
        let now_ns = self.call.around.now_ns;
        let record = self.record_of(node, Event::Time(time), word, active);
        let board = self.call.board();
        let mut secs = |bit: usize| {
            let since = |since, key| board.secs(since, key, first + bit, now_ns);
            Value::Double(match time {
                Time::Now => now_ns as f64 / 1e9,
                Time::Age(key) => since(Since::Changed, key),
                Time::SinceWritten(key) => since(Since::Written, key),
            })
        };
        self.sink.record_values(record, &mut secs);
    }

    /// Records an event with the value of a key, for the agents of a word that have one. The value of a list is its
    /// length.
    #[inline(never)]
    pub(super) fn note_key(
        &mut self,
        event: Event,
        (node, key): (NodeId, KeyId),
        word: usize,
        active: u64,
    ) {
        let first = self.call.around.first + word * 64;
        let record = self.record_of(node, event, word, active);
        let active = self.sink.chosen(record.word, active);
        if active == 0 {
            return;
        }
        let board = self.call.board();
        let value = |bit: usize| match board.held(key, first + bit) {
            Held::One(value) => Some(value),
            Held::List(list) => Some(Value::Int(list.len() as i64)),
            Held::Unset => None,
        };
        let is_set = |bit: &usize| active >> bit & 1 == 1 && value(*bit).is_some();
        let mask = (0..64).filter(is_set).fold(0, |mask, bit| mask | 1 << bit);
        if mask != 0 {
            let mut known = |bit| value(bit).unwrap_or(Value::Int(0));
            self.sink
                .record_values(Record { mask, ..record }, &mut known);
        }
    }

    /// Records the result on the stacks, for the agents for which an expression did not fail.
    #[inline(always)]
    pub(super) fn note_result(&mut self, node: NodeId, expr: u32, word: usize, active: u64) {
        if self.wants_values() && active != 0 {
            let program = self.call.around.program;
            if program.named[expr as usize].is_some() {
                let ty = program.exprs[expr as usize].ty;
                let record = self.record_of(node, Event::Result, word, active);
                let stacks = &*self.stacks;
                self.sink
                    .record_values(record, &mut |bit| stacks.value(ty, bit));
            }
        }
    }

    /// Records that the value on the stacks was written to a key.
    #[inline(always)]
    pub(super) fn note_set(&mut self, node: NodeId, key: KeyId, word: usize, mask: u64) {
        if self.wants_values() && mask != 0 {
            let ty = self.call.around.program.board.keys[key.index()].ty;
            let record = self.record_of(node, Event::Set(key), word, mask);
            let stacks = &*self.stacks;
            self.sink
                .record_values(record, &mut |bit| stacks.value(ty, bit));
        }
    }

    /// Records that a value was written to a key of one agent.
    #[inline(always)]
    pub(super) fn note_set_of(&mut self, (node, key): (NodeId, KeyId), lane: usize, value: Value) {
        if self.wants_values() {
            let record = self.record_of(node, Event::Set(key), lane / 64, 1 << (lane % 64));
            self.sink.record_values(record, &mut |_| value);
        }
    }

    /// Records an event of one agent that has a value.
    #[inline(always)]
    pub(super) fn note_value(&mut self, node: NodeId, event: Event, lane: usize, value: Value) {
        if self.wants_values() {
            let record = self.record_of(node, event, lane / 64, 1 << (lane % 64));
            self.sink.record_values(record, &mut |_| value);
        }
    }

    /// Before the host is called: what it writes will be noted.
    #[inline(always)]
    pub(super) fn before_call(&mut self) {
        if self.wants_values() {
            let journal = &mut self.call.outbox.staged.journal;
            journal.is_on = true;
            self.sink.swap_deeds(&mut journal.deeds);
        }
    }

    /// After the host was called: records what it has written.
    #[inline(always)]
    pub(super) fn after_call(&mut self) {
        if self.wants_values() {
            self.note_host_writes();
        }
    }

    #[inline(never)]
    fn note_host_writes(&mut self) {
        let journal = &mut self.call.outbox.staged.journal;
        journal.is_on = false;
        let mut deeds = std::mem::take(&mut journal.deeds);
        let node = self.call.node;
        for (agent, deed) in &deeds {
            let lane = *agent as usize - self.call.around.first;
            let (word, bit) = (lane / 64, 1 << (lane % 64));
            match *deed {
                Deed::Set(key, Some(value)) => {
                    let record = self.record_of(node, Event::HostSet(key), word, bit);
                    self.sink.record_values(record, &mut |_| value);
                }
                Deed::Set(key, None) => self.record(node, Event::HostUnset(key), word, bit),
                Deed::Push(key, _) | Deed::Clear(key) => {
                    self.note_key(Event::HostSet(key), (node, key), word, bit);
                }
                Deed::Column(key) => {
                    let alive = self.slots[0];
                    for (word, alive) in alive.into_iter().enumerate() {
                        self.note_key(Event::HostSet(key), (node, key), word, alive);
                    }
                }
                Deed::Fault(_) => {
                    if let Some(key) = self.call.around.program.fault_key(node) {
                        self.note_key(Event::Set(key), (node, key), word, bit);
                    }
                }
                Deed::Group(_) | Deed::Remove | Deed::Spawn(..) => {}
            }
        }
        deeds.clear();
        self.sink.swap_deeds(&mut deeds);
        self.call.outbox.staged.journal.deeds = deeds;
    }

    /// Records that a `for-each` wrote its items.
    #[inline(always)]
    pub(super) fn note_items(&mut self, again: &Loop, lanes: &Bits<W>) {
        if self.wants_values() && any(lanes) {
            let kind = &self.call.around.program.behaviour.node(again.node).kind;
            if let Kind::ForEach { var, .. } = *kind {
                for (word, &mask) in lanes.iter().enumerate() {
                    self.note_key(Event::Set(var), (again.node, var), word, mask);
                }
            }
        }
    }

    /// Records what else only a trace with values has.
    #[inline(always)]
    pub(super) fn note_also(&mut self, node: NodeId, event: Event, set: &Bits<W>) {
        if self.wants_values() {
            self.record_all(node, event, set);
        }
    }

    /// Records what becomes of a waiting event of each of some agents; `number` gives its place in the inbox.
    #[inline(always)]
    pub(super) fn note_waiting(
        &mut self,
        node: NodeId,
        event: impl Fn(LeafId) -> Event,
        inbox: Option<&Inbox>,
        (number, lanes): (impl Fn(&Self, usize) -> u32, &Bits<W>),
    ) {
        if let (true, Some(inbox)) = (self.wants_values(), inbox) {
            for_each(lanes, |lane| {
                let waiting = number(self, lane);
                let leaf = self.call.run.read().narrow(inbox.events + waiting)[lane];
                let leaf = LeafId(leaf);
                self.record(node, event(leaf), lane / 64, 1 << (lane % 64));
            });
        }
    }

    fn record_of(&self, node: NodeId, event: Event, word: usize, mask: u64) -> Record {
        Record {
            node,
            event,
            word: (self.call.around.first / 64 + word) as u32,
            values: 0,
            mask,
        }
    }
}
