//! The inboxes of machines, and queries about the machines.

use crate::behaviour::{MAX_EVENTS, StateIndex};
use crate::blackboard::{Cells, CellsMut};
use crate::ids::{LeafId, NodeId};
use crate::population::Population;
use crate::program::op::{Inbox, MachineOp, TriggerOp};
use crate::value::Value;

impl Population {
    /// Puts an event into the inbox of a machine. Returns whether there was room.
    pub(in crate::population) fn put_into(
        &mut self,
        agent: usize,
        inbox: &Inbox,
        event: LeafId,
        values: impl Iterator<Item = Value>,
    ) -> bool {
        let (chunk, lane) = self.place(agent);
        let (parts, tick) = (self.durable.parts, self.durable.tick as u32);
        let state = self.chunk_mut(chunk);
        parts.wake(state, lane);
        let mut run = CellsMut::new(&parts.run_layout, &mut state[parts.run..parts.end]);
        let count = run.read().narrow(inbox.count)[lane];
        if count as usize >= MAX_EVENTS {
            return false;
        }
        run.narrow_mut(inbox.events + count)[lane] = event.index() as u32;
        run.narrow_mut(inbox.ticks + count)[lane] = tick;
        for (param, value) in (0..).zip(values) {
            let column = inbox.payload.item(count * inbox.params + param);
            run.set(column, lane, value);
        }
        run.narrow_mut(inbox.count)[lane] = count + 1;
        true
    }

    /// When the next event is due that running machines of an agent have sent to themselves, on the clock of
    /// [`now_ns`](Self::now_ns). Events that wait for the next tick are due now. `None` when there is none.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn next_event_ns(&self, agent: usize) -> Option<u64> {
        assert!(
            agent < self.durable.len,
            "agent {agent} of {}",
            self.durable.len
        );
        let lane = agent % self.durable.size.lanes;
        let mut next = None::<u64>;
        for machine in &self.durable.program.code.machines {
            if !self.runs(agent, machine) {
                continue;
            }
            let run = self.run_of(agent);
            let waits = |inbox: &Inbox| run.narrow(inbox.count)[lane] > 0;
            let now = machine.inbox.as_ref().filter(|inbox| waits(inbox));
            let delayed = machine.delayed.as_ref();
            let delayed = delayed.filter(|delayed| waits(&delayed.queue));
            let moments = [
                now.map(|_| self.durable.now_ns),
                delayed.map(|delayed| run.wide(delayed.due)[lane].max(self.durable.now_ns)),
            ];
            next = moments.into_iter().flatten().chain(next).min();
        }
        next
    }

    /// Whether a state of a machine is active in an agent.
    ///
    /// # Panics
    /// When there is no such agent, the node is not a machine, or the machine has no such state.
    pub fn is_in(&self, agent: usize, machine: NodeId, state: StateIndex) -> bool {
        assert!(
            agent < self.durable.len,
            "agent {agent} of {}",
            self.durable.len
        );
        let lane = agent % self.durable.size.lanes;
        let machine = self.machine(machine);
        let active = self.run_of(agent).bits(machine.states[state].active)[lane / 64];
        self.runs(agent, machine) && active >> (lane % 64) & 1 == 1
    }

    /// The states inside of a state of a machine that were active when it was left last, in document order: what a history of
    /// it brings back. `None` if it has never been left in this run of the machine, if the machine does not run in the agent,
    /// or if no transition returns to the state.
    ///
    /// # Panics
    /// When there is no such agent, the node is not a machine, or the machine has no such state.
    pub fn left_in(
        &self,
        agent: usize,
        machine: NodeId,
        state: StateIndex,
    ) -> Option<Vec<StateIndex>> {
        assert!(
            agent < self.durable.len,
            "agent {agent} of {}",
            self.durable.len
        );
        let lane = agent % self.durable.size.lanes;
        let machine = self.machine(machine);
        let memory = machine.states[state].memory.as_ref()?;
        let run = self.run_of(agent);
        let has = |column: u32| run.bits(column)[lane / 64] >> (lane % 64) & 1 == 1;
        if !self.runs(agent, machine) || !has(memory.left) {
            return None;
        }
        let inside = memory.inside.iter();
        let inside = inside.filter(|(_, column)| has(*column));
        Some(inside.map(|(inner, _)| *inner as StateIndex).collect())
    }

    /// In how many agents a state of a machine is active; much faster than asking about each agent.
    ///
    /// # Panics
    /// When the node is not a machine, or the machine has no such state.
    pub fn count_in(&self, machine: NodeId, state: StateIndex) -> usize {
        let (machine, words) = (self.machine(machine), self.durable.size.words);
        let (slot, column) = (machine.slot as usize, machine.states[state].active);
        let of_chunk = |chunk: usize| {
            let chunk = self.chunk(chunk);
            let run = &chunk[self.durable.parts.run..self.durable.parts.end];
            let active = Cells::new(&self.durable.parts.run_layout, run).bits(column);
            let running = &chunk[slot * words..][..words];
            let both = active.iter().zip(running);
            both.map(|(active, running)| (active & running).count_ones() as usize)
                .sum::<usize>()
        };
        (0..self.state.len()).map(of_chunk).sum()
    }

    /// When a transition with `after` is due, on the clock of [`now_ns`](Self::now_ns); from then on its other
    /// conditions decide. `None` if its state is not active, its time could not be evaluated, or it has no `after`.
    ///
    /// # Panics
    /// When there is no such agent, or the node is not a machine.
    pub fn due_ns(&self, agent: usize, machine: NodeId, transition: usize) -> Option<u64> {
        assert!(
            agent < self.durable.len,
            "agent {agent} of {}",
            self.durable.len
        );
        let lane = agent % self.durable.size.lanes;
        let of = self.machine(machine);
        let mut places = of.transitions.iter();
        let op = places.find(|op| op.number as usize == transition)?;
        let TriggerOp::After(_, moment) = op.trigger else {
            return None;
        };
        let is_active = self.is_in(agent, machine, op.source as usize);
        let moment = self.run_of(agent).wide(moment)[lane];
        (is_active && moment != u64::MAX).then_some(moment)
    }

    fn machine(&self, node: NodeId) -> &MachineOp {
        let mut found = self.durable.program.code.machines.iter();
        let found = found.find(|machine| machine.node == node);
        found.expect("the node is a machine")
    }

    fn runs(&self, agent: usize, machine: &MachineOp) -> bool {
        self.has_slot(agent, machine.slot)
    }

    pub(in crate::population) fn has_slot(&self, agent: usize, slot: u32) -> bool {
        let (chunk, lane) = self.place(agent);
        let word = slot as usize * self.durable.size.words + lane / 64;
        self.chunk(chunk)[word] >> (lane % 64) & 1 == 1
    }

    pub(in crate::population) fn run_of(&self, agent: usize) -> Cells<'_> {
        let (chunk, _) = self.place(agent);
        let run = &self.chunk(chunk)[self.durable.parts.run..self.durable.parts.end];
        Cells::new(&self.durable.parts.run_layout, run)
    }
}
