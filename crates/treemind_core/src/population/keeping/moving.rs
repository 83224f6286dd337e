//! Single agents as bytes: saved by themselves, taken out of a population, and put into another one.

use crate::blackboard::{CellsMut, Shift};
use crate::fault::FaultKind;
use crate::ids::{AgentId, NodeId};
use crate::population::Population;
use crate::population::durable::Durable;
use crate::population::room::copy_agent;
use crate::program::op::Slot;
use crate::snapshot::{Content, Reader, RestoreError, Writer};
use crate::text::Text;
use std::sync::Arc;

impl Population {
    /// Some agents as bytes: a snapshot of a population that consists only of them, in this order.
    /// [`restore`](Self::restore) makes that population, in which they continue as they would have continued here, with
    /// new handles; [`put_in`](Self::put_in) adds them to another one.
    ///
    /// # Panics
    /// When no agent lives at one of the indices, or one is named twice.
    pub fn save_agents(&self, agents: &[usize]) -> Vec<u8> {
        self.save_agents_with(agents, &[])
    }

    /// Like [`save_agents`](Self::save_agents), with bytes of the game [attached](Self::attached).
    ///
    /// # Panics
    /// As [`save_agents`](Self::save_agents).
    pub fn save_agents_with(&self, agents: &[usize], attached: &[u8]) -> Vec<u8> {
        let mut to = Writer::with(Content::Population, attached);
        self.only(agents).write(&mut to);
        to.finish()
    }

    /// Takes agents out, so that they can continue in another population of the same program, in this process or
    /// another: [`put_in`](Self::put_in) adds them there. The result is what [`save_agents`](Self::save_agents) gives.
    ///
    /// Nothing is aborted, and no stop is called: what they run continues there. Here they are dead, as if they had
    /// been [removed](Self::remove): their handles are errors, and what is sent to them is heard by nobody.
    /// [`running`](Self::running) says before which actions a host has to hand over.
    ///
    /// # Panics
    /// When no agent lives at one of the indices, or one is named twice.
    pub fn take_out(&mut self, agents: &[usize]) -> Vec<u8> {
        self.take_out_with(agents, &[])
    }

    /// Like [`take_out`](Self::take_out), with bytes of the game [attached](Self::attached).
    ///
    /// # Panics
    /// As [`take_out`](Self::take_out).
    pub fn take_out_with(&mut self, agents: &[usize], attached: &[u8]) -> Vec<u8> {
        let taken = self.save_agents_with(agents, attached);
        self.touch();
        for agent in agents {
            let (chunk, lane) = self.place(*agent);
            let (parts, words, slots) = (
                self.durable.parts,
                self.durable.size.words,
                self.durable.program.slots.len(),
            );
            let state = self.chunk_mut(chunk);
            // All but the first, which says that it lives.
            for slot in 1..slots {
                state[slot * words + lane / 64] &= !(1 << (lane % 64));
            }
            parts.wake_all(state);
            self.end_life(*agent);
        }
        taken
    }

    /// Adds agents that were [taken out](Self::take_out) of another population, or [saved](Self::save_agents), or those
    /// of a whole [snapshot](Self::save). They get new handles, which are returned in the order of the snapshot, and
    /// stable ids.
    ///
    /// They continue as they were: keys, what runs, states of machines, events that wait, the interval. Timers end
    /// after the same time, although the clock here may show another one. Each stays in the group with its number and
    /// sees what is shared here, takes the places of semaphores that it holds along, and draws the random numbers of
    /// its new id. Who sent the events in its mailbox is no longer known. No start is called:
    /// [`running`](Self::running) says what a host has to continue with.
    ///
    /// # Errors
    /// As [`restore`](Self::restore). Then nobody is added.
    pub fn put_in(&mut self, agents: &[u8]) -> Result<Vec<AgentId>, RestoreError> {
        let mut from = Reader::open(agents, Content::Population)?;
        let mut others = Self::read(Arc::clone(&self.durable.program), None, &mut from)?;
        from.close()?;
        if self.durable.len + others.durable.len > AgentId::MAX_AGENTS {
            let why = "there would be more agents than a population can have".to_owned();
            return Err(RestoreError::refused(why));
        }
        others.tell_watchers();
        self.touch();
        let newcomers = (0..others.durable.len).filter(|agent| others.is_alive(*agent));
        let add = |agent| {
            let id = self.adopt(&others, agent);
            if others.group(agent) != self.group(id.index()) {
                self.set_group(id.index(), others.group(agent));
            }
            id
        };
        Ok(newcomers.map(add).collect())
    }

    /// The nodes whose code in the game an agent runs: each was started and not stopped. They are actions, and nodes of
    /// the game's own.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn running(&self, agent: usize) -> Vec<NodeId> {
        assert!(
            agent < self.durable.len,
            "agent {agent} of {}",
            self.durable.len
        );
        let slots = (0..).zip(&self.durable.program.slots);
        let actions = slots.filter_map(|(slot, kind)| match kind {
            Slot::Action { node, .. } if self.has_slot(agent, slot) => Some(*node),
            _ => None,
        });
        let mut running: Vec<NodeId> = actions.collect();
        running.sort_unstable();
        running.dedup();
        running
    }

    /// A population in which only some of the agents are, at the same time.
    fn only(&self, agents: &[usize]) -> Self {
        // A new field has to be named here, so nobody forgets to move it.
        let Durable {
            program,
            now_ns,
            dt_ns,
            tick,
            seed,
            next_id,
            first_new_id,
            archetypes,
            shared,
            limits,
            // Each agent brings its own.
            len: _,
            size: _,
            parts: _,
            skipped_ever: _,
            ids: _,
            lives: _,
            mail: _,
            // These say nothing of single agents.
            next_in_turn: _,
            newborns: _,
            taken_places: _,
            outbox: _,
        } = &self.durable;
        let mut only = Self::new(Arc::clone(program), 0)
            .with_seed(*seed)
            .with_limits(*limits);
        let durable = &mut only.durable;
        (durable.now_ns, durable.dt_ns, durable.tick) = (*now_ns, *dt_ns, *tick);
        durable.archetypes.clone_from(archetypes);
        only.reserve(agents.len());
        for agent in agents {
            assert!(self.is_alive(*agent), "there is no agent {agent}");
            only.adopt(self, *agent);
        }
        let ids: Vec<u64> = agents.iter().map(|agent| self.stable_id(*agent)).collect();
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        let is_twice = sorted.windows(2).any(|two| two[0] == two[1]);
        assert!(!is_twice, "an agent is named twice");
        let durable = &mut only.durable;
        durable.ids = ids;
        (durable.next_id, durable.first_new_id) = (*next_id, *first_new_id);
        durable.shared = shared.as_ref().map(|shared| {
            let groups = agents.iter().map(|agent| self.group(*agent));
            Box::new(shared.with_groups(groups.collect()))
        });
        only
    }

    /// Adds an agent of another population of the same program, which is at its own time. It is in group 0.
    fn adopt(&mut self, from: &Self, agent: usize) -> AgentId {
        let id = self.spawn();
        if from.durable.parts.has_intervals() {
            self.keep_due_times();
        }
        let shift = Shift {
            now_ns: [from.durable.now_ns, self.durable.now_ns],
            tick: [from.durable.tick, self.durable.tick],
        };
        let (there, here) = (from.place(agent), self.place(id.index()));
        let (program, size, parts) = (
            Arc::clone(&self.durable.program),
            self.durable.size,
            self.durable.parts,
        );
        let (source, target) = (from.chunk(there.0), &mut self.state[here.0]);
        copy_agent(
            &program,
            (source, from.durable.size, from.durable.parts, there.1),
            (target, size, parts, here.1),
        );
        let stable_id = self.durable.ids.get(id.index()).copied();
        let stable_id = stable_id.unwrap_or(id.index() as u64);
        let due = (&parts, &mut **target, here.1);
        from.durable
            .parts
            .move_due_time(source, there.1, due, (shift, stable_id));
        let board = &mut target[parts.board..parts.run];
        let mut board = CellsMut::new(&parts.board_layout, board);
        program.board.shape.shift(&mut board, here.1, shift);
        let run = &mut target[parts.run..parts.end];
        let mut run = CellsMut::new(&parts.run_layout, run);
        program.run.shift(&mut run, here.1, shift);
        self.durable.skipped_ever |= from.durable.skipped_ever;
        self.adopt_mail(from, agent, id.index());
        id
    }

    /// Copies the mailbox of an agent. Handles of senders mean nobody here.
    fn adopt_mail(&mut self, from: &Self, agent: usize, newcomer: usize) {
        let mut number = 0;
        while let Some((next, letter)) = from.durable.mail.next(agent, number) {
            number = next;
            let params = self
                .durable
                .program
                .behaviour
                .leaf(letter.event)
                .params
                .len();
            let said = letter.said(params).iter().copied();
            if !self.put_into_mailbox(newcomer, (letter.event, 0), said) {
                let at = (newcomer, self.durable.program.behaviour.root());
                let faults = &mut self.durable.outbox.faults;
                let kind = FaultKind::EventLost {
                    event: Text::new(&self.durable.program.behaviour.leaf(letter.event).name),
                    limit: self.durable.mail.bound() as u32,
                    is_mailbox: true,
                };
                faults.record(&self.durable.program.behaviour, at, self.durable.tick, kind);
            }
        }
    }
}
