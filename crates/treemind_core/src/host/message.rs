//! What agents tell: texts and events.

use crate::ids::NodeId;
use crate::value::Value;

/// Something that an agent has logged or emitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Which agent.
    pub agent: usize,
    /// At which node.
    pub node: NodeId,
    /// The tick, from 1.
    pub tick: u64,
    /// What it says, as [`Call::text`](super::Call::text) gives it.
    pub text: String,
    /// The values of an event, in the order of its parameters.
    pub values: Vec<Value>,
}
