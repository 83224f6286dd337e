//! What any node may have: guards before it, statements after it.

use crate::expr::{Assign, Expr};
use crate::ids::KeyId;
use crate::status::Status;

/// Tests before a node, in this order; a fault in one counts as failure.
#[derive(Clone, Debug, PartialEq)]
pub struct Guards {
    /// Evaluated when the node is not live: failure if it holds.
    pub fail_if: Option<Expr>,
    /// Evaluated when the node is not live: success if it holds.
    pub succeed_if: Option<Expr>,
    /// Evaluated when the node is not live: skipped if it holds.
    pub skip_if: Option<Expr>,
    /// Evaluated in every tick that reaches the node: when it does not hold, a live node is aborted, and the answer
    /// is [`while_else`](Self::while_else).
    pub while_holds: Option<Expr>,
    /// Success, failure or skipped; running counts as skipped.
    pub while_else: Status,
    /// Under a `selector`, [`fail_if`](Self::fail_if) is also evaluated while a later child is running: when it
    /// held at the last look and no longer holds, that child is aborted and this one is ticked.
    pub aborts_lower: bool,
}

impl Default for Guards {
    /// No guards.
    fn default() -> Self {
        Self {
            fail_if: None,
            succeed_if: None,
            skip_if: None,
            while_holds: None,
            while_else: Status::Skipped,
            aborts_lower: false,
        }
    }
}

impl Guards {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.exprs().next().is_none()
    }

    /// The tests, in the order in which they are evaluated.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let Self {
            fail_if,
            succeed_if,
            skip_if,
            while_holds,
            while_else: _,
            aborts_lower: _,
        } = self;
        [fail_if, succeed_if, skip_if, while_holds]
            .into_iter()
            .flatten()
    }
}

/// Statements after a node: like those of a `set`, but a fault does not change the node's answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hooks {
    /// After success, whether the node's or a guard's.
    pub on_success: Vec<Assign>,
    /// After failure, whether the node's or a guard's.
    pub on_failure: Vec<Assign>,
    /// When the node was aborted while it was live.
    pub on_abort: Vec<Assign>,
    /// After success or failure, after the statements for that answer.
    pub on_end: Vec<Assign>,
    /// A `string` or `any` key of the agent's own that gets the [code](crate::FaultKind::code) of each fault of this
    /// node and of the nodes below it that have no other such node around them. When the node starts, the key is set
    /// to its default.
    pub on_fault: Option<KeyId>,
}

impl Hooks {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.assigns().next().is_none() && self.on_fault.is_none()
    }

    /// The statements of all of them.
    pub fn assigns(&self) -> impl Iterator<Item = &Assign> {
        let Self {
            on_success,
            on_failure,
            on_abort,
            on_end,
            on_fault: _,
        } = self;
        [on_success, on_failure, on_abort, on_end]
            .into_iter()
            .flatten()
    }
}
