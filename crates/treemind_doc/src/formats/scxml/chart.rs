//! A document as it was read: states, transitions and what they carry out, by their names.

use super::script::Script;
use crate::syntax::Span;
use std::collections::{BTreeSet, HashMap};
use treemind_core::behaviour::StateIndex;

/// What a document says.
#[derive(Debug, Default)]
pub(super) struct Chart {
    /// The name of the machine.
    pub(super) name: String,
    /// In document order; the first is the machine itself.
    pub(super) states: Vec<StateOf>,
    pub(super) histories: Vec<HistoryOf>,
    pub(super) transitions: Vec<TransitionOf>,
    pub(super) data: Vec<Data>,
    /// Which state or history has an id.
    pub(super) ids: HashMap<String, Id>,
    /// The parts of events that scripts read.
    pub(super) fields: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Id {
    State(StateIndex),
    History(usize),
}

#[derive(Debug)]
pub(super) struct StateOf {
    pub(super) id: Option<String>,
    pub(super) span: Span,
    pub(super) kind: KindOf,
    pub(super) parent: Option<StateIndex>,
    pub(super) initial: Option<Way>,
    pub(super) entry: Vec<Block>,
    pub(super) exit: Vec<Block>,
    /// What a final state says when its parent is done by it.
    pub(super) done: Option<Load>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KindOf {
    State,
    Parallel,
    Final,
}

#[derive(Debug)]
pub(super) struct HistoryOf {
    pub(super) span: Span,
    /// The state that it is in.
    pub(super) of: StateIndex,
    pub(super) is_deep: bool,
    pub(super) default: Option<Way>,
}

/// Where something leads, and what is carried out on the way.
#[derive(Debug)]
pub(super) struct Way {
    pub(super) targets: Vec<(String, Span)>,
    pub(super) span: Span,
    pub(super) block: Block,
}

#[derive(Debug)]
pub(super) struct TransitionOf {
    pub(super) source: StateIndex,
    /// What it waits for, without `*` and dots at the end; the empty text for any event.
    pub(super) events: Option<Vec<String>>,
    pub(super) cond: Option<Script>,
    pub(super) way: Way,
    pub(super) is_internal: bool,
}

/// A variable.
#[derive(Debug)]
pub(super) struct Data {
    pub(super) name: String,
    pub(super) value: Option<Script>,
    /// The state whose first entry gives it its value.
    pub(super) of: StateIndex,
}

/// Carried out one after the other, up to a fault.
pub(super) type Block = Vec<Action>;

#[derive(Debug)]
pub(super) enum Action {
    Raise {
        event: Said,
        load: Load,
    },
    Send {
        event: Said,
        load: Load,
        delay: Delay,
        id: Option<Script>,
    },
    Cancel {
        id: Script,
    },
    /// Cannot be carried out; the error carries this.
    Fail {
        load: Load,
    },
    Log(Logged),
    Assign {
        name: String,
        span: Span,
        value: Script,
    },
    /// The first whose test holds, or else the last.
    If {
        branches: Vec<(Script, Block)>,
        otherwise: Block,
    },
}

/// A text that a document says, or that a script of it gives when it is needed.
#[derive(Debug)]
pub(super) enum Said {
    Plainly(String),
    By(Script),
}

/// How long an event waits.
#[derive(Debug)]
pub(super) enum Delay {
    Secs(f64),
    By(Script),
}

/// What is logged.
#[derive(Debug)]
pub(super) struct Logged {
    pub(super) label: String,
    pub(super) value: Option<Script>,
    /// The value as it is written.
    pub(super) text: String,
}

/// What an event carries: values by the names of `_event`'s parts.
pub(super) type Load = Vec<(String, Script)>;
