//! Effects of a tick that are applied, or reported, at its end.

use super::changes::Changes;
use crate::blackboard::Staged;
use crate::fault::Faults;
use crate::ids::{AgentId, LeafId};
use crate::value::Value;

/// What a thread has to apply or report at the end of a tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outbox {
    pub(crate) faults: Faults,
    pub(crate) staged: Staged,
    pub(crate) post: Post,
    pub(crate) changes: Changes,
}

/// The events that agents have emitted to others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Post {
    letters: Vec<Letter>,
    values: Vec<Value>,
    /// Whether these have been delivered, and are only kept for the game to look at.
    is_delivered: bool,
}

/// An event that an agent has emitted to others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Letter {
    /// The index of the agent, and which of those that live there it is.
    pub(crate) sender: usize,
    pub(crate) id: Option<AgentId>,
    pub(crate) event: LeafId,
    /// `None`: only its own mailbox.
    pub(crate) to: Option<Addressee>,
    /// Its position among those of its sender.
    position: usize,
    first_value: usize,
    values: usize,
}

/// To whom an agent has emitted an event: what documents say with `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Addressee {
    /// To itself, `self`.
    Sender,
    /// To the other agents of its group.
    Group,
    /// To all other agents.
    World,
    /// To the agent with this handle, of any population.
    Agent(AgentId),
}

/// An event that an agent has emitted with `to`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Emitted<'p> {
    /// The agent. It may have died since.
    pub from: AgentId,
    /// The event, in the program of the agent.
    pub event: LeafId,
    /// To whom.
    pub to: Addressee,
    /// The values of its parameters, in order.
    pub values: &'p [Value],
}

impl Letter {
    /// The handle of the agent that sent it.
    pub(crate) fn from(&self) -> u64 {
        self.id.map_or(0, AgentId::to_bits)
    }
}

impl Post {
    /// Adds a letter.
    pub(crate) fn add(
        &mut self,
        (sender, id, to): (usize, Option<AgentId>, Option<Addressee>),
        event: LeafId,
        values: impl Iterator<Item = Value>,
    ) {
        let first_value = self.values.len();
        self.values.extend(values);
        self.letters.push(Letter {
            sender,
            id,
            event,
            to,
            position: self.letters.len(),
            first_value,
            values: self.values.len() - first_value,
        });
    }

    /// Makes room for this many letters with at most this many values each.
    pub(crate) fn reserve(&mut self, letters: usize, values: usize) {
        self.letters
            .reserve(letters.saturating_sub(self.letters.len()));
        self.values
            .reserve((letters * values).saturating_sub(self.values.len()));
    }

    /// Whether there are letters to deliver.
    pub(crate) fn is_pending(&self) -> bool {
        !self.is_delivered && !self.letters.is_empty()
    }

    /// Keeps the letters for the game to look at. They are not delivered again.
    pub(crate) fn set_delivered(&mut self) {
        self.is_delivered = true;
    }

    /// Forgets letters that have been delivered.
    #[inline]
    pub(crate) fn forget_delivered(&mut self) {
        if self.is_delivered {
            self.letters.clear();
            self.values.clear();
            self.is_delivered = false;
        }
    }

    /// The letters with an addressee that have been delivered.
    pub(crate) fn delivered(&self) -> impl Iterator<Item = Emitted<'_>> {
        let letters = self.is_delivered.then(|| self.all());
        letters
            .into_iter()
            .flatten()
            .filter_map(|(letter, values)| {
                Some(Emitted {
                    from: letter.id?,
                    event: letter.event,
                    to: letter.to?,
                    values,
                })
            })
    }

    /// Brings the letters into the order of their senders, and of one sender into that in which they were sent.
    pub(crate) fn sort(&mut self) {
        // In place: the positions are increasing for each sender, so no memory is needed to keep their order.
        self.letters
            .sort_unstable_by_key(|letter| (letter.sender, letter.position));
    }

    /// The letters to deliver in their order, each with its values.
    pub(crate) fn pending(&self) -> impl Iterator<Item = (Letter, &[Value])> {
        let letters = self.is_pending().then(|| self.all());
        letters.into_iter().flatten()
    }

    fn all(&self) -> impl Iterator<Item = (Letter, &[Value])> {
        let values = |letter: &Letter| &self.values[letter.first_value..][..letter.values];
        self.letters
            .iter()
            .map(move |letter| (*letter, values(letter)))
    }

    /// Moves the letters of another list behind these.
    #[cfg(feature = "rayon")]
    pub(crate) fn append(&mut self, other: &mut Post) {
        let before = self.values.len();
        self.values.append(&mut other.values);
        let moved = other.letters.drain(..);
        self.letters.extend(moved.map(|letter| Letter {
            first_value: letter.first_value + before,
            ..letter
        }));
    }
}
