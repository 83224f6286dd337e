//! Events that agents emit to others.

use super::{Cell, Leaves, Reference, ReferenceFault};
use std::collections::HashSet;
use treemind_core::behaviour::{
    Arg, Audience, Awaited, EventPart, Heard, Key, LeafKind, MAX_EVENTS, MAX_POSTS, PlacedNode,
};
use treemind_core::{
    Behaviour, Delivery, Event, FaultKind, KeyId, Kind, LeafId, NodeId, Text, Type, Value,
};

/// An event that an agent has emitted to others.
#[derive(Clone, Debug)]
pub(super) struct Letter {
    event: LeafId,
    /// `None`: only its own mailbox.
    to: Option<Audience>,
    /// The handle of the agent that receives it, if it goes to one.
    address: u64,
    values: Vec<Value>,
}

/// An event in a mailbox.
#[derive(Clone, Debug)]
pub(super) struct Mailed {
    event: LeafId,
    values: Vec<Value>,
    /// The handle of the agent that sent it; 0 is the host.
    sender: u64,
}

impl Mailed {
    #[warn(clippy::wildcard_enum_match_arm)]
    fn part(&self, part: EventPart) -> Value {
        match part {
            EventPart::Param(param) => self.values[param],
            EventPart::Sender => Value::Entity(self.sender),
            _ => treemind_core::unlisted(&part),
        }
    }
}

impl Reference<'_> {
    /// Emits an event; `None` if it does not.
    pub(super) fn emit(
        &mut self,
        node: NodeId,
        (event, args, to): (LeafId, &[Arg], Option<Audience>),
        leaves: &mut dyn Leaves,
    ) -> Option<()> {
        let args = self.args(node, args)?;
        let address = self.address(node, to)?;
        if to.is_some() && !self.may_post(node) {
            return None;
        }
        self.report_also(node, Event::Send(event), None);
        leaves.event(node, &args);
        if to.is_none() {
            self.tell_machines(node, event, &args);
        }
        if to.is_some() || self.may_mail_itself(node, event) {
            self.post(event, (to, address), args);
        }
        Some(())
    }

    /// Posts an event for the end of the step.
    fn post(&mut self, event: LeafId, (to, address): (Option<Audience>, u64), values: Vec<Value>) {
        self.posts.push(Letter {
            event,
            to,
            address,
            values,
        });
    }

    /// Whether the agent may post one more event in this tick; if not, that is a fault.
    fn may_post(&mut self, node: NodeId) -> bool {
        self.posted += 1;
        let is_full = self.posted > MAX_POSTS;
        if is_full {
            self.fault(node, FaultKind::PostFull);
        }
        !is_full
    }

    /// Whether some node looks for an event in the mailbox.
    pub(super) fn looks_for(&self, event: LeafId) -> bool {
        let is_heard = |key: &Key| key.heard.is_some_and(|heard| heard.event == event);
        let is_awaited = |node: &PlacedNode| match &node.kind {
            Kind::Received { awaited, .. } => awaited.events.contains(&event),
            _ => false,
        };
        self.behaviour.keys().iter().any(is_heard) || self.behaviour.nodes().iter().any(is_awaited)
    }

    /// Whether an event that the agent emits without an audience goes to its mailbox. It need not remember more of them
    /// than show that the mailbox is too small.
    fn may_mail_itself(&mut self, node: NodeId, event: LeafId) -> bool {
        if !self.looks_for(event) || self.is_in_statechart(node) {
            return false;
        }
        let own = self.posts.iter().filter(|letter| letter.to.is_none());
        own.count() <= self.mailbox_size
    }

    /// Looks at the letters that the node has not looked at in this tick, up to the first that fits.
    pub(super) fn received(&mut self, node: NodeId, awaited: &Awaited) -> bool {
        loop {
            let counts = &mut self.counts[node.index()];
            let Some(letter) = self.mail.get(counts.letters).cloned() else {
                return false;
            };
            counts.letters += 1;
            if !awaited.events.contains(&letter.event) {
                continue;
            }
            self.report_also(node, Event::Offer(letter.event), None);
            self.write_parts(node, &awaited.shown, &letter);
            let test = awaited.test.as_ref();
            let fits = test.is_none_or(|test| self.eval_at(node, test) == Some(Value::Bool(true)));
            if fits {
                self.report_also(node, Event::Use(letter.event), None);
                self.write_parts(node, &awaited.bound, &letter);
                if !awaited.bound.is_empty() {
                    self.report(node, Event::Write);
                }
                return true;
            }
        }
    }

    /// Computes a key that says something about the first letter of an event.
    pub(super) fn hear(&mut self, key: KeyId, heard: Heard) {
        let letter = self.mail.iter().find(|letter| letter.event == heard.event);
        let value = match heard.part {
            None => Some(Value::Bool(letter.is_some())),
            Some(part) => letter.map(|letter| letter.part(part)),
        };
        self.keys.compute(key, value.map_or(Cell::Unset, Cell::One));
    }

    fn write_parts(&mut self, node: NodeId, parts: &[(EventPart, KeyId)], letter: &Mailed) {
        for (part, key) in parts {
            let value = letter.part(*part).widened(self.behaviour.key(*key).ty);
            let value = value.expect("behaviours are checked");
            self.set(node, *key, value);
        }
    }

    /// Puts an event into the mailbox. Returns whether there was room.
    pub(super) fn put_into_mailbox(
        &mut self,
        event: LeafId,
        values: &[Value],
        sender: u64,
    ) -> bool {
        let has_room = self.mailbox.len() < self.mailbox_size;
        if has_room {
            let values = values.to_vec();
            self.mailbox.push(Mailed {
                event,
                values,
                sender,
            });
        }
        has_room
    }

    /// An event comes from an agent of a behaviour, which need not be this one's. Returns how often there was room for
    /// it, and the machines that have none; `None` is the mailbox.
    fn receive_letter(
        &mut self,
        (theirs, sender): (&Behaviour, u64),
        letter: &Letter,
    ) -> (usize, Vec<Option<NodeId>>) {
        let name = &theirs.leaf(letter.event).name;
        let event = self.behaviour.leaf_id(name);
        let event = event.filter(|id| self.behaviour.leaf(*id).kind == LeafKind::Event);
        let Some(event) = event else {
            return (0, Vec::new());
        };
        let params = &self.behaviour.leaf(event).params;
        let values = params.iter().zip(&letter.values);
        let values: Vec<Value> = values
            .map(|(param, value)| match (*value, param.ty) {
                (value, _) if std::ptr::eq(theirs, self.behaviour) => value,
                (Value::Enum(_, index), Type::Enum(list)) => Value::Enum(list, index),
                (value @ Value::Enum(..), _) => {
                    Value::Text(Text::new(&theirs.display_value(value)))
                }
                (value, _) => value,
            })
            .collect();
        self.offer(event, &values, sender)
    }
}

/// The end of a step, or of an abort: events that agents have emitted come to their own mailboxes, and to the machines
/// and mailboxes of others. The agents must be in the order of their populations and indices; they may run different
/// behaviours.
/// Returns what became of the events to others.
#[warn(clippy::wildcard_enum_match_arm)]
pub fn deliver(agents: &mut [&mut Reference<'_>]) -> Delivery {
    let mut delivery = Delivery::default();
    let mut lost = HashSet::new();
    let mut lose =
        |place: usize, receiver: &mut Reference<'_>, event: &str, machine: Option<NodeId>| {
            if lost.insert((place, machine)) {
                let node = machine.unwrap_or(receiver.behaviour.root());
                let limit = machine.map_or(receiver.mailbox_size, |_| MAX_EVENTS);
                let kind = FaultKind::EventLost {
                    event: Text::new(event),
                    limit: limit as u32,
                    is_mailbox: machine.is_none(),
                };
                let tick = receiver.tick;
                receiver.faults.push(ReferenceFault { node, tick, kind });
            }
            lost.len() as u64
        };
    for (place, agent) in agents.iter_mut().enumerate() {
        let (own, others): (Vec<_>, Vec<_>) = std::mem::take(&mut agent.posts)
            .into_iter()
            .partition(|letter| letter.to.is_none());
        agent.posts = others;
        for letter in own {
            if !agent.is_dead
                && agent.looks_for(letter.event)
                && !agent.put_into_mailbox(letter.event, &letter.values, agent.handle)
            {
                let name = &agent.behaviour.leaf(letter.event).name;
                delivery.lost = lose(place, agent, name, None);
            }
        }
    }
    for sender in 0..agents.len() {
        let Reference {
            behaviour,
            group,
            handle,
            ..
        } = *agents[sender];
        for letter in std::mem::take(&mut agents[sender].posts) {
            let mut received = 0;
            for (place, receiver) in agents.iter_mut().enumerate() {
                let is_meant = letter.to.as_ref().is_some_and(|to| match to {
                    Audience::Sender => place == sender,
                    Audience::Group => place != sender && receiver.group == group,
                    Audience::World => place != sender,
                    Audience::Agent(_) => receiver.handle == letter.address,
                    _ => treemind_core::unlisted(to),
                });
                if !is_meant || receiver.is_dead {
                    continue;
                }
                let (came, full) = receiver.receive_letter((behaviour, handle), &letter);
                received += came;
                for node in full {
                    let name = &behaviour.leaf(letter.event).name;
                    delivery.lost = lose(place, receiver, name, node);
                }
            }
            delivery.posted += 1;
            delivery.unheard += u64::from(received == 0);
        }
    }
    delivery
}
