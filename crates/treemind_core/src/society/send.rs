//! Events that the host sends to agents of any programs.

use super::Society;
use crate::behaviour::{Behaviour, LeafKind};
use crate::ids::LeafId;
use crate::population::{Sent, To};
use crate::value::{Type, Value};
use std::fmt;

/// Why an event could not be sent. Then nothing has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SendError {
    /// The agent no longer exists, or it belongs to no population of the society.
    Dead,
    /// No program has an event of this name; or the agent's program has none.
    UnknownEvent(String),
    /// The values do not fit the parameters of the event in the population of this name.
    WrongValues {
        /// The event.
        event: String,
        /// The name that the population was given when it joined.
        population: String,
    },
}

impl fmt::Display for SendError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SendError::Dead => out.write_str("there is no such agent any more"),
            SendError::UnknownEvent(event) => write!(out, "no program has the event `{event}`"),
            SendError::WrongValues { event, population } => write!(
                out,
                "the values do not fit the parameters of the event `{event}` in `{population}`"
            ),
        }
    }
}

impl std::error::Error for SendError {}

impl Society {
    /// Sends an event to agents of any programs, between steps: to one agent, to a group, or to all. They see it in
    /// their next tick, behind what has come before. `values` are those of its parameters, in order; `int`s and
    /// `float`s widen, and the value of an enumeration is given by its name, as a text.
    ///
    /// # Errors
    /// When there is no such agent, no program has the event, or the values do not fit its parameters.
    pub fn send(&mut self, to: To, event: &str, values: &[Value]) -> Result<Sent, SendError> {
        let only = match to {
            To::Agent(agent) => {
                self.index_of(agent).map_err(|_| SendError::Dead)?;
                Some(agent.population().index())
            }
            To::Group(_) | To::World => None,
        };
        let mut receiving: Vec<(usize, LeafId, Vec<Value>)> = Vec::new();
        let members = self.members.iter().enumerate();
        for (index, member) in members.filter(|(index, _)| only.is_none_or(|one| one == *index)) {
            let Some(member) = member else { continue };
            let behaviour = member.population.program().behaviour();
            let id = behaviour.leaf_id(event);
            let id = id.filter(|id| behaviour.leaf(*id).kind == LeafKind::Event);
            let Some(id) = id else { continue };
            let fitted = fitted(behaviour, id, values).ok_or_else(|| SendError::WrongValues {
                event: event.to_owned(),
                population: member.name.clone(),
            })?;
            receiving.push((index, id, fitted));
        }
        if receiving.is_empty() {
            return Err(SendError::UnknownEvent(event.to_owned()));
        }
        let mut all = Sent::default();
        self.touch();
        for (index, event, values) in receiving {
            if let Some(member) = &mut self.members[index] {
                let sent = member.population.send_to(to, event, &values);
                let Sent { received, lost } = sent.map_err(|_| SendError::Dead)?;
                all.received += received;
                all.lost += lost;
            }
        }
        Ok(all)
    }
}

/// Values from the host, for the parameters of an event of a program.
fn fitted(behaviour: &Behaviour, event: LeafId, values: &[Value]) -> Option<Vec<Value>> {
    let params = &behaviour.leaf(event).params;
    let fitted = params
        .iter()
        .zip(values)
        .map(|(param, value)| match (*value, param.ty) {
            (Value::Text(name), Type::Enum(list)) => {
                let mut known = behaviour.enums()[list.index()].values.iter();
                let index = known.position(|known| known == name.as_str())?;
                Some(Value::Enum(list, index as u32))
            }
            (value, ty) => value.widened(ty),
        });
    let fitted: Option<Vec<Value>> = fitted.collect();
    fitted.filter(|_| params.len() == values.len())
}
