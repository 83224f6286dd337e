//! What a closure is told about the agent that it decides or acts for.

use super::keys::{ArgRef, KeyRef, Wiring};
use super::value::KeyType;
use treemind_core::NodeId;
use treemind_core::host::Call;

/// One agent in one call of a leaf: who it is, the arguments of the leaf, its blackboard and the time.
///
/// Methods that are asked for something that does not exist (a parameter or key of another name or type) panic;
/// the panic is caught, the leaf fails for this agent and the text is kept as a fault.
pub struct Agent<'c, 'a> {
    pub(crate) call: &'c mut Call<'a>,
    pub(crate) wiring: &'c Wiring,
    pub(crate) index: usize,
}

impl Agent<'_, '_> {
    /// Which agent of the population: 0 for the first.
    #[inline]
    pub fn index(&self) -> usize {
        self.index
    }

    /// The node that asks; one leaf can stand at several.
    #[inline]
    pub fn node(&self) -> NodeId {
        self.call.node()
    }

    /// The number of the tick, from 1.
    #[inline]
    pub fn tick(&self) -> u64 {
        self.call.tick()
    }

    /// The population's clock in nanoseconds: the sum of all steps up to and with this tick.
    #[inline]
    pub fn now_ns(&self) -> u64 {
        self.call.now_ns()
    }

    /// The population's clock in seconds.
    #[inline]
    pub fn now_secs(&self) -> f64 {
        self.call.now_ns() as f64 * 1e-9
    }

    /// How long this tick is, in seconds.
    #[inline]
    pub fn dt_secs(&self) -> f64 {
        self.call.dt_ns() as f64 * 1e-9
    }

    /// An argument of the leaf, by the position or the name of its parameter, as it was at the start of the run.
    ///
    /// # Panics
    /// When the leaf has no such parameter, or one of another type.
    #[inline]
    pub fn arg<T: KeyType>(&self, parameter: impl ArgRef) -> T {
        let index = parameter.position(self.wiring, self.call.leaf());
        let value = self.call.arg(index, self.index);
        match T::from_value(value) {
            Some(argument) => argument,
            None => wrong_type("the parameter", value.ty().keyword(), T::KEYWORD),
        }
    }

    /// What a `log` says, or the event with its values, such as `noise volume=3`; empty for other nodes.
    pub fn text(&self) -> String {
        self.call.text(self.index)
    }

    /// The value of a key of the agent's blackboard, by a [`Key`](super::Key) of the registry or by name. A `Key`
    /// is checked when the registry is bound and costs no search. A key that is shared reads as at the start of the
    /// tick, one that a sensor computes as it was computed last.
    ///
    /// # Panics
    /// When there is no key of that name, or it is of another type.
    #[inline]
    pub fn get<T: KeyType>(&self, key: impl KeyRef<T>) -> T {
        let value = self.call.get(key.id(self.wiring), self.index);
        match T::from_value(value) {
            Some(inner) => inner,
            None => wrong_type("the key", value.ty().keyword(), T::KEYWORD),
        }
    }

    /// Writes a key of the agent's blackboard; nodes that come later in the same tick see it. A key that is shared
    /// gets its value at the end of the tick.
    ///
    /// # Panics
    /// When there is no key of that name, or it is of another type.
    #[inline]
    pub fn set<T: KeyType>(&mut self, key: impl KeyRef<T>, value: T) {
        let id = key.id(self.wiring);
        if let Err(error) = self.call.board().set(id, self.index, value.into_value()) {
            wrong_type("the key", error.wanted.keyword(), error.given.keyword());
        }
    }

    /// Records that something is wrong without ending the run.
    pub fn fault(&mut self, text: impl Into<String>) {
        self.call.fault(self.index, text);
    }
}

#[cold]
#[inline(never)]
fn wrong_type(what: &str, declared: &str, asked: &str) -> ! {
    panic!("{what} is `{declared}`, not `{asked}`")
}
