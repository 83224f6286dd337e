//! Messages of agents: texts and events.

use crate::ids::NodeId;
use crate::value::Value;

/// A text that an agent logged, or an event that it emitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The agent.
    pub agent: usize,
    /// The node.
    pub node: NodeId,
    /// The tick, from 1.
    pub tick: u64,
    /// The text, as [`Call::text`](super::Call::text) gives it.
    pub text: String,
    /// The values of an event, in the order of its parameters.
    pub values: Vec<Value>,
}
