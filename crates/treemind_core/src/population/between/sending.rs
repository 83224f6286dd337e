//! Events that the host sends, and what became of events.

use crate::behaviour::LeafKind;
use crate::host::Emitted;
use crate::ids::{AgentId, Dead, LeafId};
use crate::population::Population;
use crate::population::settling::letters::Receivers;
use crate::value::Value;

/// To whom the host sends an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum To {
    /// One agent.
    Agent(AgentId),
    /// All agents of a group.
    Group(u32),
    /// All agents.
    World,
}

/// What became of an event that the host has sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// How often it was received: by running machines that wait for it, and by mailboxes of agents whose nodes look
    /// for it.
    pub received: usize,
    /// How often there was no room for it.
    pub lost: usize,
}

/// What became of the events that agents have emitted with `to`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// How many there were.
    pub posted: u64,
    /// How many of them nobody received: because nobody was there or waited for them, or because there was no room.
    pub unheard: u64,
    /// How many machines and mailboxes have lost events because they had no room for more.
    pub lost: u64,
}

impl Population {
    /// Sends an event to an agent: its machines and the nodes that look for the event see it in the agent's next tick.
    /// `values` are those of the event's parameters, in order; `int`s and `float`s widen. Returns whether there was
    /// room for it at a running machine that waits for this event, which keeps up to
    /// [`MAX_EVENTS`](crate::behaviour::MAX_EVENTS), or in the mailbox if nodes look for this event
    /// ([`Limits::mailbox`](crate::Limits::mailbox)).
    ///
    /// # Panics
    /// When there is no such agent, the leaf is not an event of the program, or the values do not fit its parameters.
    pub fn send(&mut self, agent: usize, event: LeafId, values: &[Value]) -> bool {
        assert!(
            agent < self.durable.len,
            "agent {agent} of {}",
            self.durable.len
        );
        self.send_fitted(Receivers::One(agent), event, values)
            .received
            > 0
    }

    /// As [`send`](Self::send), to one agent, to a group or to all.
    ///
    /// # Errors
    /// When the agent no longer exists.
    ///
    /// # Panics
    /// When the leaf is not an event of the program, or the values do not fit its parameters.
    pub fn send_to(&mut self, to: To, event: LeafId, values: &[Value]) -> Result<Sent, Dead> {
        let receivers = match to {
            To::Agent(agent) => Receivers::One(self.index_of(agent)?),
            To::Group(group) => Receivers::Group(group, None),
            To::World => Receivers::World(None),
        };
        Ok(self.send_fitted(receivers, event, values))
    }

    /// What became of the events that agents have emitted with `to` in the last tick or abort. For a
    /// population that was restored there was none, and for one in a society, [`Step::end`](crate::society::Step::end)
    /// says it.
    pub fn delivery(&self) -> Delivery {
        self.working.delivery
    }

    /// What agents have emitted with `to` in the last tick or abort, in the order in which it was delivered. For a
    /// population that was restored there is nothing.
    pub fn emitted(&self) -> impl Iterator<Item = Emitted<'_>> {
        self.durable.outbox.post.delivered()
    }

    fn send_fitted(&mut self, to: Receivers, event: LeafId, values: &[Value]) -> Sent {
        self.touch();
        let leaf = self.durable.program.behaviour.leaf(event);
        let (name, params) = (&leaf.name, &leaf.params);
        assert!(leaf.kind == LeafKind::Event, "`{name}` is not an event");
        assert!(
            params.len() == values.len(),
            "the event `{name}` has {} values, not {}",
            params.len(),
            values.len()
        );
        let mut fitted = std::mem::take(&mut self.working.sent_values);
        fitted.clear();
        fitted.extend(params.iter().zip(values).map(|(param, value)| {
            value.widened(param.ty).unwrap_or_else(|| {
                panic!("`{}` of the event `{name}` is `{}`", param.name, param.ty)
            })
        }));
        let sent = self.receive_sent(to, event, &fitted);
        self.working.sent_values = fitted;
        sent
    }
}
