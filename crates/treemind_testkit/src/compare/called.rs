//! Calls to a host, as both sides record them.

use crate::reference::Cell;
use std::fmt;
use treemind_core::host::{Move, Told};
use treemind_core::{NodeId, Outcome, Status, Value};

/// What was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallKind {
    /// A condition was asked, with its answer.
    Ask(Status),
    /// A run started.
    Start,
    /// An action was updated, with its answer.
    Update(Status),
    /// A run stopped.
    Stop(Outcome),
    /// A service was called.
    Serve,
    /// An own node was told something, with its move.
    Decide(Told, Move),
    /// A `log` was carried out.
    Log,
    /// An event was emitted.
    Event,
    /// Candidates were listed.
    List,
    /// A candidate was measured.
    Measure,
}

/// One call for one agent.
#[derive(Clone, Debug)]
pub struct Called {
    /// The node.
    pub node: NodeId,
    /// The kind of call.
    pub what: CallKind,
    /// The arguments that the host could read in the call.
    pub args: Vec<Value>,
    /// The text of a `log`.
    pub text: String,
}

impl PartialEq for Called {
    fn eq(&self, other: &Self) -> bool {
        let same_args = self.args.len() == other.args.len()
            && self
                .args
                .iter()
                .zip(&other.args)
                .all(|(a, b)| same_value(*a, *b));
        self.node == other.node && self.what == other.what && self.text == other.text && same_args
    }
}

impl fmt::Display for Called {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "#{} {:?}", self.node.index(), self.what)?;
        for arg in &self.args {
            write!(out, " {arg}")?;
        }
        out.write_str(&self.text)
    }
}

/// Whether two values are the same bit by bit. All NaN count as the same, because nothing guarantees which one an
/// operation gives.
pub fn same_value(left: Value, right: Value) -> bool {
    match (left, right) {
        (Value::Float(a), Value::Float(b)) => {
            a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
        }
        (Value::Double(a), Value::Double(b)) => {
            a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
        }
        (Value::Vec2(a), Value::Vec2(b)) => same_parts(&a, &b),
        (Value::Vec3(a), Value::Vec3(b)) => same_parts(&a, &b),
        (left, right) => left == right,
    }
}

fn same_parts(left: &[f32], right: &[f32]) -> bool {
    let mut pairs = left.iter().zip(right);
    pairs.all(|(a, b)| same_value(Value::Float(*a), Value::Float(*b)))
}

/// Whether two keys hold the same; values are compared with [`same_value`].
pub fn same_cell(left: &Cell, right: &Cell) -> bool {
    match (left, right) {
        (Cell::One(left), Cell::One(right)) => same_value(*left, *right),
        (Cell::List(left), Cell::List(right)) => {
            let mut pairs = left.iter().zip(right);
            left.len() == right.len() && pairs.all(|(left, right)| same_value(*left, *right))
        }
        (left, right) => left == right,
    }
}
