//! Events that agents emit to others: at the end of a step they go to the machines that wait for them.

use super::Population;
use crate::behaviour::{Audience, MAX_POSTS};
use crate::fault::FaultKind;
use crate::host::outbox::{Letter, Post};
use crate::ids::LeafId;
use crate::value::Value;
use std::sync::Arc;

/// For how many letters there is always room.
const MOST_RESERVED: usize = 4_096;

/// Who receives a letter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Receivers {
    pub(crate) to: Audience,
    /// The group of the sender.
    pub(crate) group: u32,
    /// The sender, if it is in the population that receives.
    pub(crate) sender: Option<usize>,
}

impl Population {
    /// Delivers the events that agents of this population have emitted to one another.
    #[inline(always)]
    pub(super) fn deliver_own(&mut self) {
        if self.program.code.emits_to_others && self.has_post() {
            self.deliver_letters();
        }
    }

    /// Whether agents have emitted events to others that were not delivered yet, on whichever thread.
    pub(crate) fn has_post(&self) -> bool {
        #[cfg(feature = "rayon")]
        let of_workers = self.workers.iter().any(|one| !one.outbox.post.is_empty());
        #[cfg(not(feature = "rayon"))]
        let of_workers = false;
        of_workers || !self.outbox.post.is_empty()
    }

    #[cold]
    fn deliver_letters(&mut self) {
        let mut post = self.take_post();
        self.begin_delivery();
        for (letter, values) in post.iter() {
            let receivers = self.receivers(letter);
            self.receive_letter(receivers, letter.event, values);
        }
        post.clear();
        self.put_back_post(post);
    }

    /// Makes room for events to others, so that few agents never allocate in a tick. Where many agents emit many, the
    /// room grows with the busiest tick so far.
    #[inline]
    pub(super) fn begin_post(&mut self) {
        if self.program.code.emits_to_others {
            let most = (self.len * MAX_POSTS).min(MOST_RESERVED);
            self.outbox
                .post
                .reserve(most, self.program.code.most_values);
        }
    }

    /// The events that agents have emitted to others, in order. They have to be returned, empty, with
    /// [`put_back_post`](Self::put_back_post).
    pub(crate) fn take_post(&mut self) -> Post {
        #[cfg(feature = "rayon")]
        for worker in &mut self.workers {
            self.outbox.post.append(&mut worker.outbox.post);
        }
        let mut post = std::mem::take(&mut self.outbox.post);
        post.sort();
        post
    }

    /// Keeps the memory of letters for the next step.
    pub(crate) fn put_back_post(&mut self, post: Post) {
        self.outbox.post = post;
    }

    /// Who receives a letter of this population.
    pub(crate) fn receivers(&self, letter: Letter) -> Receivers {
        Receivers {
            to: letter.to,
            group: self.group(letter.sender),
            sender: Some(letter.sender),
        }
    }

    /// Begins to deliver the letters of a step.
    pub(crate) fn begin_delivery(&mut self) {
        self.lost_letters.fill(0);
    }

    /// Puts an event into the inboxes of the machines that wait for it. If there is no room it is lost, which is a
    /// fault at the machine, once for each agent and step.
    pub(crate) fn receive_letter(&mut self, to: Receivers, event: LeafId, values: &[Value]) {
        let program = Arc::clone(&self.program);
        for (index, machine) in program.code.machines.iter().enumerate() {
            let inbox = machine.inbox.as_ref();
            let inbox = inbox.filter(|inbox| inbox.listens.binary_search(&event).is_ok());
            let Some(inbox) = inbox else { continue };
            if let (Audience::Sender, Some(sender)) = (to.to, to.sender) {
                if self.runs(sender, machine)
                    && !self.put_into(sender, inbox, event, values.iter().copied())
                {
                    self.lose_letter(index, sender);
                }
                continue;
            }
            self.for_each_in_slot(machine.slot, |population, agent| {
                let is_meant = Some(agent) != to.sender
                    && (to.to == Audience::World || population.group(agent) == to.group);
                if is_meant && !population.put_into(agent, inbox, event, values.iter().copied()) {
                    population.lose_letter(index, agent);
                }
            });
        }
    }

    #[cold]
    fn lose_letter(&mut self, machine: usize, agent: usize) {
        let words = self.len.div_ceil(64);
        let machines = self.program.code.machines.len();
        self.lost_letters.resize(machines * words, 0);
        let lost = &mut self.lost_letters[machine * words + agent / 64];
        let bit = 1 << (agent % 64);
        let is_first = *lost & bit == 0;
        *lost |= bit;
        if is_first {
            let node = self.program.code.machines[machine].node;
            let behaviour = &self.program.behaviour;
            let faults = &mut self.outbox.faults;
            faults.record(behaviour, (agent, node), self.tick, FaultKind::EventLost);
        }
    }
}
