//! What pages do to an agent before its next tick.

use super::condition::value_of_type;
use super::{no_key, value_for};
use treemind_core::behaviour::LeafKind;
use treemind_core::society::PopulationMut;
use treemind_core::{KeyId, LeafId, Population, Program, Value};
use treemind_doc::{Said, said};

/// What a page does to an agent, as it was typed, so that it can be done with another document, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// A value for a key.
    Key {
        /// The name of the key.
        name: String,
        /// The value, as documents write it.
        text: String,
    },
    /// The value that a key has kept over a change of its name: nobody has typed it.
    Kept {
        /// The new name of the key.
        name: String,
        /// The value, as documents write it.
        text: String,
    },
    /// An event.
    Event {
        /// The name of the event.
        name: String,
        /// The values of its parameters, in order, as documents write them.
        texts: Vec<String>,
    },
}

impl Typed {
    /// Reads it for a program.
    ///
    /// # Errors
    /// Why it cannot be done, in a sentence.
    pub fn read(&self, program: &Program) -> Result<Input, Said> {
        let behaviour = program.behaviour();
        match self {
            Self::Key { name, text } | Self::Kept { name, text } => {
                let id = behaviour.key_id(name).ok_or_else(|| no_key(name))?;
                Ok(Input::Key(id, value_for(behaviour, id, text)?))
            }
            Self::Event { name, texts } => {
                let is_event = |id: &LeafId| behaviour.leaf(*id).kind == LeafKind::Event;
                let id = behaviour.leaf_id(name).filter(is_event);
                let id = id.ok_or_else(|| said!("there is no event `{}`", &**name))?;
                if !program.waits_for(id) {
                    return Err(said!("nothing here waits for the event `{}`", &**name));
                }
                let params = &behaviour.leaf(id).params;
                if params.len() != texts.len() {
                    let (has, given) = (params.len(), texts.len());
                    return Err(said!(
                        "the event `{}` has {} values, not {}",
                        &**name,
                        has,
                        given
                    ));
                }
                let values = params.iter().zip(texts);
                let values = values
                    .map(|(param, text)| value_of_type(behaviour, (&param.name, param.ty), text));
                Ok(Input::Event(id, values.collect::<Result<_, _>>()?))
            }
        }
    }
}

/// What a page does to an agent, for one program.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A value for a key.
    Key(KeyId, Value),
    /// An event with its values.
    Event(LeafId, Vec<Value>),
}

/// A value that a key of an agent gets from outside before the next tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Put {
    /// The agent, by its number among those that are watched.
    pub agent: usize,
    /// The key.
    pub key: KeyId,
    /// The value.
    pub value: Value,
    /// Whether the key had it before its name changed; else somebody has typed it.
    pub is_kept: bool,
}

/// Who takes what pages do.
pub trait Takes {
    /// Writes a key of an agent. The value fits.
    fn set(&mut self, agent: usize, key: KeyId, value: Value);

    /// Sends an event to an agent. Its values fit.
    fn send(&mut self, agent: usize, event: LeafId, values: &[Value]) -> bool;
}

impl Takes for Population {
    fn set(&mut self, agent: usize, key: KeyId, value: Value) {
        // It was read for this key, so it fits.
        let _ = Self::set(self, agent, key, value);
    }

    fn send(&mut self, agent: usize, event: LeafId, values: &[Value]) -> bool {
        Self::send(self, agent, event, values)
    }
}

impl Takes for PopulationMut<'_> {
    fn set(&mut self, agent: usize, key: KeyId, value: Value) {
        // It was read for this key, so it fits.
        let _ = Self::set(self, agent, key, value);
    }

    fn send(&mut self, agent: usize, event: LeafId, values: &[Value]) -> bool {
        Self::send(self, agent, event, values)
    }
}

impl Input {
    /// Does it to an agent of the program for which it was read. Returns false for an event that is lost, because nothing
    /// that runs waits for it.
    pub fn give(&self, to: &mut impl Takes, agent: usize) -> bool {
        match self {
            Self::Key(key, value) => {
                to.set(agent, *key, *value);
                true
            }
            Self::Event(event, values) => to.send(agent, *event, values),
        }
    }
}
