//! What nodes do with keys apart from reading: they write them, have them computed, check whether they were written,
//! and report them to the host.

use super::Exec;
use super::bits::{Bits, any, for_each, remove, set_lane, without, zero};
use crate::behaviour::{Audience, MAX_POSTS};
use crate::blackboard::{Column, Due, KeySlot, Shared};
use crate::fault::FaultKind;
use crate::host::outbox::Addressee;
use crate::host::{Lanes, NO_LEAF};
use crate::ids::{AgentId, ArgRange, KeyId, NodeId};
use crate::program::op::{ChangedOp, EmitOp, Gate, Reg};
use crate::status::Status;
use crate::trace::{Event, Sink};
use crate::value::Value;

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Begins a tick of some agents: keys that the host computes in every tick are not computed yet.
    pub(in crate::population) fn begin_tick(&mut self, ticked: &Bits<W>) {
        for sensed in &self.call.around.program.board.sensed {
            if let Due::EveryTick(column) = sensed.due {
                for (computed, ticked) in self.call.board.bits_mut(column).iter_mut().zip(ticked) {
                    *computed &= !ticked;
                }
            }
        }
    }

    /// Writes the value on the stacks to a key of some agents of a word.
    pub(super) fn store(&mut self, slot: KeySlot, word: usize, mask: u64) {
        if !slot.is_own() {
            self.stage(slot, word, mask);
            return;
        }
        self.note(slot, word, mask);
        if let Column::Bits(index) = slot.column {
            let to = &mut self.call.board.bits_mut(index)[word];
            *to = *to & !mask | self.stacks.mask() & mask;
            slot.mark_set(&mut self.call.board, word, mask);
            return;
        }
        let mut rest = mask;
        while rest != 0 {
            let bit = rest.trailing_zeros() as usize;
            let value = self.stacks.value(slot.ty, bit);
            slot.set(&mut self.call.board, word * 64 + bit, value);
            rest &= rest - 1;
        }
    }

    /// Removes the value of a key for some agents of a word.
    pub(super) fn unset(&mut self, slot: KeySlot, word: usize, mask: u64) {
        if slot.is_own() {
            self.note(slot, word, mask);
        }
        // A key that can be unset has a draft only if it is a list.
        let draft = self.call.around.program.board.draft(slot);
        self.call.outbox.staged.has_drafts |= draft.is_some() && mask != 0;
        let mut rest = mask;
        while rest != 0 {
            let lane = word * 64 + rest.trailing_zeros() as usize;
            match (draft, self.call.around.shared) {
                (Some(draft), _) => draft.clear(&mut self.call.board, lane),
                (None, Some(shared)) if !slot.is_own() => {
                    let agent = self.call.around.first + lane;
                    self.call.outbox.staged.set(shared, slot, agent, None);
                }
                _ => slot.unset(&mut self.call.board, lane),
            }
            rest &= rest - 1;
        }
    }

    /// Informs the nodes that watch a key that it was written for some agents of a word.
    pub(super) fn note(&mut self, slot: KeySlot, word: usize, mask: u64) {
        for column in self.call.around.program.board.watchers(slot) {
            self.call.board.bits_mut(*column)[word] |= mask;
        }
    }

    /// The nodes that watch a key have nothing to see of it, for some agents of a word.
    pub(super) fn forget_writes(&mut self, slot: KeySlot, word: usize, mask: u64) {
        for column in self.call.around.program.board.watchers(slot) {
            self.call.board.bits_mut(*column)[word] &= !mask;
        }
    }

    /// Records the value on the stacks for the end of the tick.
    fn stage(&mut self, slot: KeySlot, word: usize, mask: u64) {
        let Some(shared) = self.call.around.shared else {
            return;
        };
        let mut rest = mask;
        while rest != 0 {
            let bit = rest.trailing_zeros() as usize;
            let value = self.stacks.value(slot.ty, bit);
            self.stage_value(shared, slot, word * 64 + bit, value);
            rest &= rest - 1;
        }
    }

    fn stage_value(&mut self, shared: &Shared, slot: KeySlot, lane: usize, value: Value) {
        let staged = &mut self.call.outbox.staged;
        let agent = self.call.around.first + lane;
        match self.call.around.program.board.draft(slot) {
            Some(draft) => {
                staged.has_drafts = true;
                let from = (slot, shared.lane(slot, agent));
                draft.write(&mut self.call.board, lane, (shared, from), value);
            }
            None => staged.set(shared, slot, agent, Some(value)),
        }
    }

    /// Writes a value to a key of one agent.
    pub(super) fn store_value(&mut self, slot: KeySlot, lane: usize, value: Value) {
        if slot.is_own() {
            slot.set(&mut self.call.board, lane, value);
            self.note(slot, lane / 64, 1 << (lane % 64));
        } else if let Some(shared) = self.call.around.shared {
            self.stage_value(shared, slot, lane, value);
        }
    }

    /// Has the host compute keys, by their numbers among those that are sensed, before a node reads them.
    pub(super) fn sense_all(&mut self, node: NodeId, asks: &[u32], word: usize, active: u64) {
        for sensed in asks {
            self.sense(node, *sensed, word, active);
        }
    }

    fn sense(&mut self, node: NodeId, sensed: u32, word: usize, active: u64) {
        let sensed = self.call.around.program.board.sensed[sensed as usize];
        let mut due = active;
        match sensed.due {
            Due::EveryTick(column) => {
                let done = &mut self.call.board.bits_mut(column)[word];
                due &= !*done;
                *done |= due;
            }
            Due::From {
                column,
                interval_ns,
            } => {
                let now = self.call.around.now_ns;
                let next = &mut self.call.board.wide_mut(column)[word * 64..];
                let mut rest = active;
                while rest != 0 {
                    let bit = rest.trailing_zeros() as usize;
                    if next[bit] <= now {
                        next[bit] = now.saturating_add(interval_ns);
                    } else {
                        due &= !(1 << bit);
                    }
                    rest &= rest - 1;
                }
            }
            Due::Mail(part) => return self.hear((sensed.key, sensed.sensor, part), word, active),
            Due::Mates => return self.list_mates(sensed.key, word, active),
        }
        if due != 0 {
            self.record(node, Event::Sense(sensed.key), word, due);
            let first = self.call.at(node, sensed.sensor, sensed.args);
            let lanes = [due];
            let lanes = Lanes::new(first + word * 64, &lanes);
            self.before_call();
            self.host.sense(&mut self.call, sensed.key, lanes);
            self.after_call();
        }
    }

    /// Lists the other agents of the group, as many as fit. The key counts as written if its items change. Between
    /// ticks it stays as it is.
    fn list_mates(&mut self, key: KeyId, word: usize, active: u64) {
        let around = self.call.around;
        let Some(roster) = around.lives.roster() else {
            return;
        };
        let slot = around.program.board.keys[key.index()];
        let (mut changed, mut rest) = (0, active);
        while rest != 0 {
            let lane = word * 64 + rest.trailing_zeros() as usize;
            let agent = around.first + lane;
            let me = around.lives.id(agent).map_or(0, AgentId::to_bits);
            let group = around.shared.map_or(0, |shared| shared.group(agent));
            let others = roster.group(group).iter().filter(|other| **other != me);
            let others = others.take(slot.bound() as usize);
            let cells = &mut self.call.board;
            let mut listed = 0;
            for other in others {
                let (item, was) = (Value::Entity(*other), slot.len(cells.read(), lane));
                if listed >= was || slot.item(cells.read(), lane, listed) != item {
                    slot.set_len(cells, lane, listed);
                    slot.push(cells, lane, item);
                    changed |= 1 << (lane % 64);
                }
                listed += 1;
            }
            if listed < slot.len(cells.read(), lane) {
                slot.set_len(cells, lane, listed);
                changed |= 1 << (lane % 64);
            }
            rest &= rest - 1;
        }
        self.note(slot, word, changed);
        let mut asked = zero();
        asked[word] = active;
        self.stir(&asked);
    }

    /// Has the host compute a key, if it is one of those, before a node asks about it.
    fn sense_key(&mut self, node: NodeId, key: KeyId, lanes: &Bits<W>) {
        self.sense_slot(
            node,
            self.call.around.program.board.keys[key.index()],
            lanes,
        );
    }

    /// As [`sense_key`](Self::sense_key), for the place where the key lives.
    pub(super) fn sense_slot(&mut self, node: NodeId, slot: KeySlot, lanes: &Bits<W>) {
        if let Some(sensed) = slot.sensed {
            for (word, &active) in lanes.iter().enumerate() {
                if active != 0 {
                    self.sense(node, sensed, word, active);
                }
            }
        }
    }

    /// The agents for which a key was written since this node last looked. This counts as a look.
    fn look(&mut self, node: NodeId, key: KeyId, lanes: &Bits<W>) -> Bits<W> {
        self.sense_key(node, key, lanes);
        let column = self.call.around.program.board.look(node);
        let mut written = zero();
        let bits = self.call.board.bits_mut(column);
        for word in 0..W {
            written[word] = bits[word] & lanes[word];
            bits[word] &= !lanes[word];
        }
        written
    }

    pub(super) fn changed(&mut self, op: &ChangedOp) {
        let input = self.take(op.input);
        let success = self.look(op.node, op.key, &input);
        let failure = without(&input, &success);
        self.record_all(op.node, Event::Tick(Status::Success), &success);
        self.record_all(op.node, Event::Tick(Status::Failure), &failure);
        self.send(op.success, &success);
        self.send(op.failure, &failure);
    }

    /// Answers for the agents whose key was not written, and returns the others.
    pub(super) fn on_change(
        &mut self,
        gate: &Gate,
        key: KeyId,
        waiting: Option<u32>,
        fresh: &Bits<W>,
    ) -> Bits<W> {
        let written = self.look(gate.node, key, fresh);
        let unwritten = without(fresh, &written);
        match waiting {
            Some(slot) => {
                remove(&mut self.slots[slot as usize], fresh);
                self.occupy(slot, &unwritten);
            }
            None => self.skip(gate.out.skipped, &unwritten),
        }
        written
    }

    /// Resets the keys of a scope: they count as not written.
    pub(super) fn reset(&mut self, (start, count): (u32, u32), fresh: &Bits<W>) {
        if !any(fresh) {
            return;
        }
        let program = self.call.around.program;
        for key in &program.locals[start as usize..(start + count) as usize] {
            let slot = program.board.keys[key.index()];
            let key = program.behaviour.key(*key);
            for_each(fresh, |lane| slot.reset(key, &mut self.call.board, lane));
            for column in program.board.watchers(slot) {
                for (bits, fresh) in self.call.board.bits_mut(*column).iter_mut().zip(fresh) {
                    *bits &= !fresh;
                }
            }
            if let Some(age) = program.board.age(slot) {
                for_each(fresh, |lane| age.begin(&mut self.call.board, lane));
            }
        }
    }

    pub(super) fn log(&mut self, node: NodeId, input: Reg, success: Reg) {
        let input = self.take(input);
        if !any(&input) {
            return;
        }
        let program = self.call.around.program;
        if !program.board.sensed.is_empty() {
            for key in program.behaviour.node(node).kind.logged() {
                self.sense_key(node, key, &input);
            }
        }
        let first = self.call.at(node, NO_LEAF, ArgRange::default());
        let lanes = Lanes::new(first, &input);
        self.before_call();
        self.host.log(&mut self.call, lanes);
        self.after_call();
        self.record_all(node, Event::Tick(Status::Success), &input);
        self.send(success, &input);
    }

    pub(super) fn emit(&mut self, op: &EmitOp) {
        let mut input = self.take(op.input);
        if op.args.computed {
            let failed = self.evaluate_args(op.node, op.args, &input);
            self.record_all(op.node, Event::Tick(Status::Failure), &failed);
            self.send(op.failure, &failed);
            input = without(&input, &failed);
        }
        if op.to.is_some() {
            if op.address.computed {
                input = self.with_living_address(op, &input);
            }
            input = self.with_room_to_post(op, &input);
        }
        if !any(&input) {
            return;
        }
        self.note_also(op.node, Event::Send(op.leaf), &input);
        let first = self.call.at(op.node, op.leaf, op.args);
        let lanes = Lanes::new(first, &input);
        self.before_call();
        self.host.event(&mut self.call, lanes);
        self.after_call();
        if op.to.is_some() {
            self.post(op, &input);
        } else {
            if !self.code.listeners.is_empty() {
                self.tell_machines(op, &input);
            }
            if op.is_mailed {
                self.mail_to_itself(op, &input);
            }
        }
        self.record_all(op.node, Event::Tick(Status::Success), &input);
        self.send(op.success, &input);
    }

    /// The agents whose event goes to an agent that lives; the others fail.
    #[cold]
    fn with_living_address(&mut self, op: &EmitOp, input: &Bits<W>) -> Bits<W> {
        let mut dead = self.evaluate_args(op.node, op.address, input);
        for_each(&without(input, &dead), |lane| {
            let address = self.address(op, lane);
            if !self.call.around.lives.is_alive(address) {
                set_lane(&mut dead, lane);
            }
        });
        self.record_all(op.node, Event::Tick(Status::Failure), &dead);
        self.send(op.failure, &dead);
        without(input, &dead)
    }

    /// The handle of the agent to which an event goes, as it was found out.
    fn address(&self, op: &EmitOp, lane: usize) -> u64 {
        let mut args = op.address.of(&self.call.around.program.args).iter();
        match args.next().map(|arg| arg.get(self.call.run.read(), lane)) {
            Some(Value::Entity(agent)) => agent,
            _ => 0,
        }
    }

    /// Who receives an event of an agent.
    fn addressee(&self, op: &EmitOp, lane: usize) -> Option<Addressee> {
        Some(match op.to? {
            Audience::Sender => Addressee::Sender,
            Audience::Group => Addressee::Group,
            Audience::World => Addressee::World,
            Audience::Agent(_) => Addressee::Agent(AgentId::from_bits(self.address(op, lane))?),
        })
    }

    /// The agents that may emit one more event to others in this tick; for the rest it is a fault.
    #[cold]
    fn with_room_to_post(&mut self, op: &EmitOp, input: &Bits<W>) -> Bits<W> {
        let posted = self.code.posted;
        let mut full = zero();
        for_each(input, |lane| {
            if self.counters.next(posted, lane) as usize >= MAX_POSTS {
                set_lane(&mut full, lane);
            }
        });
        for (word, &mask) in full.iter().enumerate() {
            if mask != 0 {
                self.fault(op.node, &FaultKind::PostFull, word, mask);
            }
        }
        self.record_all(op.node, Event::Tick(Status::Failure), &full);
        self.send(op.failure, &full);
        without(input, &full)
    }

    /// Posts an event to the agent itself, which finds it in its mailbox in the next tick. A statechart keeps its own
    /// events inside.
    #[cold]
    fn mail_to_itself(&mut self, op: &EmitOp, lanes: &Bits<W>) {
        let is_inside = |machine: u32| self.code.machines[machine as usize].statechart;
        if op.around.is_some_and(is_inside) {
            return;
        }
        // One more than the mailbox keeps shows that events are lost.
        let (counter, most) = (self.code.kept_own, self.mail.bound());
        let mut kept = zero();
        for_each(lanes, |lane| {
            if self.counters.next(counter, lane) as usize <= most {
                set_lane(&mut kept, lane);
            }
        });
        self.post(op, &kept);
    }

    /// Posts an event that is delivered at the end of the step.
    #[cold]
    fn post(&mut self, op: &EmitOp, lanes: &Bits<W>) {
        let args = op.args.of(&self.call.around.program.args);
        for_each(lanes, |lane| {
            let run = self.call.run.read();
            let values = args.iter().map(|arg| arg.get(run, lane));
            let to = self.addressee(op, lane);
            let sender = self.call.around.first + lane;
            let id = self.call.around.lives.id(sender);
            self.call.outbox.post.add((sender, id, to), op.leaf, values);
        });
    }
}
