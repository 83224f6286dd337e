//! Events that agents emit for the end of a step: they go to the machines that wait for them, and to the mailboxes of
//! agents whose nodes look for them.

use crate::behaviour::{MAX_EVENTS, MAX_POSTS};
use crate::fault::{Fault, FaultKind};
use crate::host::outbox::{Addressee, Letter, Post};
use crate::ids::LeafId;
use crate::population::{Delivery, Population, Sent};
use crate::text::Text;
use crate::value::Value;
use std::sync::Arc;

/// For how many letters there is always room.
const MOST_RESERVED: usize = 8_192;

/// Who receives an event. The numbers at the end are the sender, who does not, if it is in the population.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Receivers {
    One(usize),
    Group(u32, Option<usize>),
    World(Option<usize>),
}

impl Population {
    /// Delivers the events that agents of this population have posted.
    #[inline(always)]
    pub(in crate::population) fn deliver_own(&mut self) {
        if self.durable.program.code.has_post && self.has_post() {
            self.deliver_letters();
        }
    }

    /// Whether agents have posted events that were not delivered yet, on whichever thread.
    pub(crate) fn has_post(&self) -> bool {
        #[cfg(feature = "rayon")]
        let of_workers = self
            .working
            .workers
            .iter()
            .any(|one| one.outbox.post.is_pending());
        #[cfg(not(feature = "rayon"))]
        let of_workers = false;
        of_workers || self.durable.outbox.post.is_pending()
    }

    #[cold]
    fn deliver_letters(&mut self) {
        self.begin_delivery();
        let mut post = self.take_post();
        for (letter, values) in post.pending().filter(|(letter, _)| letter.to.is_some()) {
            let said = (letter.event, letter.from());
            let receivers = self.receivers(letter);
            let received = receivers.map_or(0, |to| self.receive_letter(to, said, values));
            self.working.delivery.note(received);
        }
        post.set_delivered();
        self.put_back_post(post);
    }

    /// Prepares for the events of a tick or an abort.
    #[inline]
    pub(in crate::population) fn begin_post(&mut self) {
        let code = &self.durable.program.code;
        if code.has_post || !code.mailed.is_empty() || self.is_joined() {
            self.durable.outbox.post.forget_delivered();
            self.make_room_for_post();
        }
    }

    /// Forgets which events were emitted before this step.
    pub(crate) fn forget_delivered(&mut self) {
        self.durable.outbox.post.forget_delivered();
    }

    /// Makes room for events, so that few agents never allocate in a tick. Where many agents emit many, the room grows
    /// with the busiest tick so far.
    #[cold]
    fn make_room_for_post(&mut self) {
        if !self.is_joined() {
            self.working.delivery = Delivery::default();
        }
        self.make_room_for_lost();
        let (places, groups) = (self.durable.program.code.machines.len() + 1, self.groups());
        self.working
            .routes
            .make_room(places, groups, self.durable.len);
        let code = &self.durable.program.code;
        if code.has_post {
            // One more to itself than fit into its mailbox.
            let per_agent = MAX_POSTS + self.durable.mail.bound() + 1;
            let most = (self.durable.len * per_agent).min(MOST_RESERVED);
            self.durable.outbox.post.reserve(most, code.most_values);
        }
        if !code.mailed.is_empty() {
            let most = (self.durable.len * self.durable.mail.bound()).min(MOST_RESERVED);
            self.durable
                .mail
                .make_room(self.durable.len, most, code.most_values);
            if self.durable.parts.has_intervals() {
                self.durable.mail.make_room_to_keep();
            }
        }
    }

    /// The end of a tick: agents that were ticked have seen their mailboxes.
    #[inline]
    pub(in crate::population) fn empty_mailboxes(&mut self) {
        if self.durable.mail.is_empty() {
            return;
        }
        if self.durable.parts.has_intervals() {
            let mut mail = std::mem::take(&mut self.durable.mail);
            mail.keep_only(|agent| !self.was_ticked(agent));
            self.durable.mail = mail;
        } else {
            self.durable.mail.clear();
        }
    }

    /// Begins to deliver the letters of a step: they are in order, and what agents have posted only to themselves is
    /// in their mailboxes.
    pub(crate) fn begin_delivery(&mut self) {
        self.working.lost_letters.fill(0);
        self.working.routes.begin();
        #[cfg(feature = "rayon")]
        for worker in &mut self.working.workers {
            self.durable.outbox.post.append(&mut worker.outbox.post);
        }
        self.durable.outbox.post.sort();
        if self.durable.program.code.mailed.is_empty() {
            return;
        }
        let post = self.take_post();
        let own = post.pending().filter(|(letter, _)| letter.to.is_none());
        for (letter, values) in own {
            let lives = self.id_of(letter.sender) == letter.id;
            let said = (letter.event, letter.from());
            if lives && !self.put_into_mailbox(letter.sender, said, values.iter().copied()) {
                self.lose_letter(letter.event, None, letter.sender);
            }
        }
        self.put_back_post(post);
    }

    /// The events that agents have posted, in order once the delivery has begun. They have to be returned with
    /// [`put_back_post`](Self::put_back_post).
    pub(crate) fn take_post(&mut self) -> Post {
        std::mem::take(&mut self.durable.outbox.post)
    }

    /// Keeps the memory of letters for the next step.
    pub(crate) fn put_back_post(&mut self, post: Post) {
        self.durable.outbox.post = post;
    }

    /// Who receives a letter of this population, if anybody does.
    pub(crate) fn receivers(&self, letter: Letter) -> Option<Receivers> {
        let sender = Some(letter.sender).filter(|sender| self.id_of(*sender) == letter.id);
        Some(match letter.to? {
            Addressee::Sender => Receivers::One(sender?),
            Addressee::Group => Receivers::Group(self.group(letter.sender), sender),
            Addressee::World => Receivers::World(sender),
            Addressee::Agent(agent) => Receivers::One(self.index_of(agent).ok()?),
        })
    }

    /// Gives an event to the machines that wait for it, and to the mailboxes if nodes look for it. If there is no room
    /// it is lost, which is a fault at the machine or the root, once for each agent and step. Returns how often there
    /// was room.
    pub(crate) fn receive_letter(
        &mut self,
        to: Receivers,
        said: (LeafId, u64),
        values: &[Value],
    ) -> usize {
        self.hand_over(to, said, values, |population, machine, agent| {
            population.lose_letter(said.0, machine, agent)
        })
    }

    /// As [`receive_letter`](Self::receive_letter), for an event that the host sends, who learns whether it was lost.
    pub(crate) fn receive_sent(&mut self, to: Receivers, event: LeafId, values: &[Value]) -> Sent {
        self.working.routes.begin();
        let mut lost = 0;
        let received = self.hand_over(to, (event, 0), values, |_, _, _| {
            lost += 1;
            true
        });
        Sent { received, lost }
    }

    /// Returns how often there was room. `lose` is called where there was none, with the machine, or without one for a
    /// mailbox; it returns whether it did anything.
    fn hand_over(
        &mut self,
        to: Receivers,
        (event, from): (LeafId, u64),
        values: &[Value],
        mut lose: impl FnMut(&mut Self, Option<usize>, usize) -> bool,
    ) -> usize {
        let program = Arc::clone(&self.durable.program);
        let mut received = 0;
        for (index, machine) in program.code.machines.iter().enumerate() {
            let inbox = machine.inbox.as_ref();
            let inbox = inbox.filter(|inbox| inbox.listens.binary_search(&event).is_ok());
            let Some(inbox) = inbox else { continue };
            self.for_each_receiver(to, (machine.slot, index), |population, agent| {
                let has_room = population.put_into(agent, inbox, event, values.iter().copied());
                received += usize::from(has_room);
                has_room || lose(population, Some(index), agent)
            });
        }
        if program.code.mailed.binary_search(&event).is_ok() {
            let mut letter = None;
            let mailboxes = (ALIVE, program.code.machines.len());
            self.for_each_receiver(to, mailboxes, |population, agent| {
                if population.durable.mail.is_full(agent) {
                    return lose(population, None, agent);
                }
                let mail = &mut population.durable.mail;
                let said = || mail.add((event, from), values.iter().copied());
                let letter = *letter.get_or_insert_with(said);
                mail.put(agent, letter);
                received += 1;
                true
            });
        }
        received
    }

    /// Puts an event into the mailbox of one agent. Returns whether there was room.
    pub(in crate::population) fn put_into_mailbox(
        &mut self,
        agent: usize,
        (event, from): (LeafId, u64),
        values: impl Iterator<Item = Value>,
    ) -> bool {
        let has_room = !self.durable.mail.is_full(agent);
        if has_room {
            let letter = self.durable.mail.add((event, from), values);
            self.durable.mail.put(agent, letter);
        }
        has_room
    }

    /// A bit per machine and agent, and one for its mailbox.
    fn make_room_for_lost(&mut self) {
        let places = self.durable.program.code.machines.len() + 1;
        let words = self.durable.len.div_ceil(64);
        self.working.lost_letters.resize(places * words, 0);
    }

    /// Forgets what became of earlier letters.
    pub(crate) fn take_delivery(&mut self) -> Delivery {
        std::mem::take(&mut self.working.delivery)
    }

    /// Notes that an event was lost at a machine, or without one in a mailbox. Returns whether it is the first in this
    /// delivery.
    #[cold]
    fn lose_letter(&mut self, event: LeafId, machine: Option<usize>, agent: usize) -> bool {
        self.make_room_for_lost();
        let words = self.durable.len.div_ceil(64);
        let behaviour = &self.durable.program.behaviour;
        let machines = &self.durable.program.code.machines;
        let place = machine.unwrap_or(machines.len());
        let lost = &mut self.working.lost_letters[place * words + agent / 64];
        let bit = 1 << (agent % 64);
        let is_first = *lost & bit == 0;
        *lost |= bit;
        if is_first {
            let node = machine.map_or(behaviour.root(), |machine| machines[machine].node);
            let limit = machine.map_or(self.durable.mail.bound(), |_| MAX_EVENTS);
            let name = &*behaviour.leaf(event).name;
            let known = |fault: &Fault| match fault.kind {
                FaultKind::EventLost {
                    event,
                    limit: at,
                    is_mailbox,
                } => {
                    fault.node == node
                        && at == limit as u32
                        && is_mailbox == machine.is_none()
                        && event.as_str() == name
                }
                _ => false,
            };
            let faults = &mut self.durable.outbox.faults;
            if !faults.count_more(known) {
                let kind = FaultKind::EventLost {
                    event: Text::new(name),
                    limit: limit as u32,
                    is_mailbox: machine.is_none(),
                };
                faults.record(behaviour, (agent, node), self.durable.tick, kind);
            }
            self.working.delivery.lost += 1;
        }
        is_first
    }
}

impl Delivery {
    /// Notes a letter that so many have received.
    pub(crate) fn note(&mut self, received: usize) {
        self.posted += 1;
        self.unheard += u64::from(received == 0);
    }
}

/// The slot of the agents that are there.
const ALIVE: u32 = 0;
