//! A document after reading: states, transitions and what they carry out, by their names.

use super::script::Script;
use crate::syntax::Span;
use std::collections::{BTreeSet, HashMap};
use treemind_core::behaviour::StateIndex;

/// The content of a document.
#[derive(Debug, Default)]
pub(super) struct Chart {
    /// The name of the machine.
    pub(super) name: String,
    /// In document order; the first is the machine itself.
    pub(super) states: Vec<StateOf>,
    pub(super) histories: Vec<HistoryOf>,
    pub(super) transitions: Vec<TransitionOf>,
    pub(super) data: Vec<Data>,
    /// The state or history of each id.
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
    /// The data that a final state sends when it ends its parent.
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
    /// The state that contains it.
    pub(super) of: StateIndex,
    pub(super) is_deep: bool,
    pub(super) default: Option<Way>,
}

/// The targets of a transition, an `<initial>` or a history, and what is carried out on the way.
#[derive(Debug)]
pub(super) struct Way {
    pub(super) targets: Vec<(String, Span)>,
    pub(super) span: Span,
    pub(super) block: Block,
}

#[derive(Debug)]
pub(super) struct TransitionOf {
    #[cfg_attr(not(feature = "convert"), expect(dead_code))]
    pub(super) span: Span,
    pub(super) source: StateIndex,
    /// The names of events that it waits for, without `*` and dots at the end; the empty text for any event.
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
    /// The state whose first entry assigns its value.
    pub(super) of: StateIndex,
}

/// Actions, carried out one after the other, up to the first fault.
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
        #[cfg_attr(not(feature = "convert"), expect(dead_code))]
        span: Span,
    },
    Cancel {
        id: Script,
    },
    /// An action that cannot be carried out; its error carries this load.
    Fail {
        load: Load,
    },
    Log(Logged),
    Assign {
        name: String,
        span: Span,
        value: Script,
    },
    /// Carries out the first branch whose test holds, or else `otherwise`.
    If {
        branches: Vec<(Script, Block)>,
        otherwise: Block,
    },
}

/// A text from the document, or from a script that gives it when it is needed.
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
    /// The value as it is written in the document.
    pub(super) text: String,
}

/// The data of an event: values by the names of the parts of `_event`.
pub(super) type Load = Vec<(String, Script)>;

/// Calls `each` with the actions of a block, also those in branches.
pub(super) fn for_all_actions<'c>(block: &'c Block, each: &mut impl FnMut(&'c Action)) {
    for action in block {
        each(action);
        if let Action::If {
            branches,
            otherwise,
        } = action
        {
            let blocks = branches.iter().map(|(_, block)| block);
            for block in blocks.chain([otherwise]) {
                for_all_actions(block, each);
            }
        }
    }
}
