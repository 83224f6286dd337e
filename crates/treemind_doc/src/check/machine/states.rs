//! The states of a machine, and the contents of their blocks.

use super::super::declare::{is_new, plain_name};
use super::super::line::Line;
use super::super::reading::finish_in;
use super::super::tree::present;
use super::super::{Checker, stranger};
use super::state_names::inside;
use super::{Draft, MAX_STATES, no_initial};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::language::{self, Spot};
use crate::said;
use crate::syntax::{Entry, Node, Text, Value as Written, shortened};
use std::collections::HashMap;
use treemind_core::behaviour::{Initial, State, StateIndex, StateKind, Target};

/// The parts that a state has at most once.
const ONCE: [&str; 4] = ["initial", "entry", "exit", "do"];

impl Checker<'_> {
    /// Finds all states in a block, at every depth.
    pub(super) fn states<'n>(
        &mut self,
        draft: &mut Draft<'n>,
        block: &'n Node,
        parent: StateIndex,
    ) {
        let mut seen = HashMap::new();
        let mut count = 0;
        for node in present(block.children()) {
            if !matches!(node.name.value.as_str(), "state" | "parallel") {
                continue;
            }
            if draft.is_broken || self.sink.is_full() || !self.fits(node, draft.depth) {
                draft.is_broken = true;
                return;
            }
            if draft.machine.states.len() > MAX_STATES {
                draft.is_broken = true;
                let message = said!("a machine can have at most {} states", MAX_STATES);
                self.sink.error(Code::TooLarge, node.span.clone(), message);
                return;
            }
            count += 1;
            let index = draft.machine.states.len();
            let name = self.state(draft, node, parent);
            if let Some(name) = name {
                is_new(&mut seen, name, &said!("sibling states"), self.sink);
            }
            self.states(draft, node, index);
        }
        shape(draft, block, parent, count, self.sink);
    }

    /// The line of a state.
    fn state<'n>(
        &mut self,
        draft: &mut Draft<'n>,
        node: &'n Node,
        parent: StateIndex,
    ) -> Option<&'n Text> {
        let mut line = Line::new(node, self.sink);
        let name = line.name(&said!("the state"), self.sink);
        line.only_name(self.sink);
        line.doc(self.sink);
        line.flag("disabled", self.sink);
        let enter_if = self.guard(&mut line, "enter-if");
        let kind = if node.name.value == "parallel" {
            StateKind::Parallel
        } else {
            self.final_state(&mut line)
        };
        if let Some(entry) = line.take("initial") {
            let message = said!("the initial state must be in the block");
            let own = name.map_or("NAME", |name| name.value.as_str());
            self.sink
                .error(Code::UnknownProperty, entry.span.clone(), message)
                .with_help(match &entry.value {
                    Written::Text(text) => said!("write `initial {}` into the block", text.value),
                    _ => said!(
                        "write `initial {}` into the block of the enclosing state",
                        shortened(own)
                    ),
                });
        }
        finish_in(line, Spot::State, self.sink);
        let name = name.filter(|name| state_name(name, self.sink));
        let own = name.map_or("", |name| name.value.as_str());
        draft.names.add(own, parent, false);
        let span = name.map_or(&node.name.span, |name| &name.span);
        draft.spans.push(span.clone());
        draft.machine.states.push(State {
            name: own.to_owned(),
            parent: Some(parent),
            kind,
            entry: Vec::new(),
            exit: Vec::new(),
            activity: None,
            // A mistake in it is reported, so the machine never runs. The rest is still checked.
            enter_if: enter_if.ok().flatten(),
            defers: Vec::new(),
            done_event: None,
        });
        name
    }

    /// `final=#true result=failure`
    fn final_state(&mut self, line: &mut Line<'_>) -> StateKind {
        let is_final = line.flag("final", self.sink);
        let success = self.read(line, &language::RESULT);
        if is_final {
            return StateKind::Final {
                success: success.unwrap_or(true),
            };
        }
        if let Some(entry) = line.property("result") {
            let message = said!("`result` is only allowed on a final state");
            self.sink
                .error(Code::Contradiction, entry.span.clone(), message)
                .with_help(said!("add `final={}`", "#true"));
        }
        StateKind::Atomic
    }

    /// Reads everything except states; `index` is the state that the block belongs to, `next` the last state that was
    /// seen.
    pub(super) fn fill<'n>(
        &mut self,
        draft: &mut Draft<'n>,
        block: &'n Node,
        index: StateIndex,
        next: &mut StateIndex,
    ) {
        let mut said = [false; ONCE.len()];
        for node in present(block.children()) {
            if draft.is_broken && self.sink.is_full() {
                return;
            }
            let word = node.name.value.as_str();
            if let Some(place) = ONCE.iter().position(|once| *once == word) {
                if said[place] {
                    said_twice(draft, node, index, self.sink);
                }
                said[place] = true;
            }
            let is_over = matches!(draft.machine.states[index].kind, StateKind::Final { .. });
            match word {
                "state" | "parallel" => {
                    *next += 1;
                    self.fill(draft, node, *next, next);
                }
                "do" | "transition" | "initial" | "defer" if is_over => {
                    in_final(draft, node, index, self.sink);
                }
                "initial" => self.initial(draft, node, index),
                "entry" => {
                    let tasks = self.carried_out(draft, node);
                    draft.machine.states[index].entry = tasks;
                }
                "exit" => {
                    let tasks = self.carried_out(draft, node);
                    draft.machine.states[index].exit = tasks;
                }
                "do" => draft.machine.states[index].activity = self.activity(draft, node, index),
                "transition" => self.transition(draft, node, index),
                "defer" => self.defer(draft, node, index),
                _ if index == 0 && language::is_item(word) => {}
                _ => no_part(node, index, self.sink),
            }
        }
        begins_somewhere(draft, block, index, said[0], self.sink);
    }

    /// `initial NAME history=deep`
    fn initial(&mut self, draft: &mut Draft<'_>, node: &Node, index: StateIndex) {
        if let [
            Entry {
                value: Written::Text(word),
                ..
            },
            Entry {
                value: Written::Text(name),
                ..
            },
        ] = &node.entries[..]
            && word.value == "state"
        {
            let name = shortened(&name.value);
            self.sink
                .error(
                    Code::ExtraValue,
                    node.span.clone(),
                    said!("`initial` only names a state"),
                )
                .with_help(said!(
                    "write `initial {}`, and beside it the state: `state {} { … }`",
                    name,
                    name
                ));
            return;
        }
        let mut line = Line::new(node, self.sink);
        let name = line.name(&said!("the initial state"), self.sink);
        line.only_name(self.sink);
        let depth = self.read(&mut line, &language::HISTORY);
        let history = line.property("history").and(depth);
        let history_span = line.property("history").map(|entry| entry.span.clone());
        finish_in(line, Spot::State, self.sink);
        if let Some(child) = node.children().first() {
            let message = said!("`initial` takes no block");
            self.sink
                .error(Code::ExtraChildren, child.span.clone(), message)
                .with_help(said!(
                    "put tasks for the start into the `entry` of the state"
                ));
        }
        let of = &draft.machine.states[index];
        let message = match of.kind {
            StateKind::Parallel => Some((
                said!("a `parallel` has no `initial`, because all of its states begin together"),
                said!("remove it"),
            )),
            StateKind::Atomic => Some((
                said!("this state has no states inside, so it has no `initial`"),
                said!("add states to its block, or remove `initial`"),
            )),
            _ => None,
        };
        if let Some((message, help)) = message {
            self.sink
                .error(Code::MisplacedNode, node.span.clone(), message)
                .with_help(help);
            return;
        }
        if index == 0
            && let Some(span) = history_span
        {
            let message = said!(
                "the `initial` of a machine cannot have a history: a machine forgets its states when it ends"
            );
            self.sink
                .error(Code::BadTarget, span, message)
                .with_help(said!("remove it, or use it in a state of the machine"));
            return;
        }
        let Some(targets) = name.and_then(|name| inside(draft, name, index, self.sink)) else {
            draft.is_broken = true;
            return;
        };
        let targets = match history {
            Some(depth) => vec![Target::History {
                of: index,
                depth,
                fallback: targets,
                tasks: Vec::new(),
            }],
            None => targets,
        };
        draft.machine.states[index].kind = StateKind::Composite {
            initial: Initial {
                targets,
                tasks: Vec::new(),
            },
        };
    }
}

/// Checks the name of a state: such names are used in paths and traces.
fn state_name(name: &Text, sink: &mut Sink) -> bool {
    if !plain_name(name, &said!("state"), sink) {
        return false;
    }
    if !name.value.contains('.') {
        return true;
    }
    let message = said!(
        "`{}` is not a valid name for a state: dots separate the names in a path of states",
        shortened(&name.value)
    );
    sink.error(Code::BadName, name.span.clone(), message)
        .with_help(said!("use letters, digits and `-`, as in `look-around`"));
    false
}

/// Sets the kind of a state, now that the states inside it are known.
fn shape(draft: &mut Draft<'_>, block: &Node, index: StateIndex, inside: usize, sink: &mut Sink) {
    let span = draft.spans[index].clone();
    let state = &mut draft.machine.states[index];
    match (&state.kind, inside) {
        (StateKind::Composite { .. }, 0) => {
            let message = said!("this machine has no states");
            sink.error(Code::MissingChildren, block.span.clone(), message)
                .with_help(said!(
                    "add `initial NAME` and `state NAME { … }` to its block"
                ));
        }
        (StateKind::Parallel, 0) => {
            let message = said!("this `parallel` has no states");
            sink.error(Code::MissingChildren, block.span.clone(), message)
                .with_help(said!("add states to its block: `state NAME { … }`"));
        }
        (StateKind::Final { .. }, 1..) => {
            let message = said!("a final state cannot have states inside");
            sink.error(Code::ExtraChildren, span, message)
                .with_help(said!("remove `final={}`, or the states", "#true"));
        }
        (StateKind::Atomic, 1..) => {
            state.kind = StateKind::Composite {
                initial: no_initial(),
            };
        }
        _ => {}
    }
    let is_region = draft.machine.states[index]
        .parent
        .is_some_and(|above| draft.machine.states[above].kind == StateKind::Parallel);
    if is_region && matches!(draft.machine.states[index].kind, StateKind::Final { .. }) {
        let message = said!("a direct child of a `parallel` cannot be final");
        sink
            .error(Code::Contradiction, draft.spans[index].clone(), message)
            .with_help(
                said!("put a final state inside each child: the `parallel` is done when each child has reached one"),
            );
    }
}

fn said_twice(draft: &Draft<'_>, node: &Node, index: StateIndex, sink: &mut Sink) {
    let word = &node.name.value;
    let owner = match index {
        0 => said!("this machine"),
        index => said!("state `{}`", draft.called(index)),
    };
    let message = said!("{} already has `{}`", owner, word);
    let help = match word.as_str() {
        "entry" | "exit" => Some(said!("write all tasks into one block, in order")),
        "do" => Some(said!(
            "combine both, such as `do { parallel { …; …; } }` or `do { sequence { …; …; } }`"
        )),
        _ => None,
    };
    sink.error(Code::Duplicate, node.span.clone(), message)
        .with_perhaps(help);
}

/// Reports a part that a final state cannot have, because a final state does nothing more.
fn in_final(draft: &Draft<'_>, node: &Node, index: StateIndex, sink: &mut Sink) {
    let word = &node.name.value;
    let name = draft.called(index);
    let (message, help) = match word.as_str() {
        "transition" => (
            said!("the final state `{}` cannot have a transition", name),
            said!("add the transition to the enclosing state: `transition to=… done=any`"),
        ),
        _ => (
            said!("the final state `{}` cannot have `{}`", name, word),
            said!("use `entry { … }` or `exit { … }`"),
        ),
    };
    sink.error(Code::MisplacedNode, node.span.clone(), message)
        .with_help(help);
}

/// Reports a node that does not belong in machines or states.
fn no_part(node: &Node, index: StateIndex, sink: &mut Sink) {
    let word = node.name.value.as_str();
    let place = if index == 0 {
        said!("in a machine")
    } else {
        said!("in a state")
    };
    let help = match word {
        "final" => said!("write a final state as `state NAME final={}`", "#true"),
        "history" => {
            said!("to go back to where a state was left, write `transition to=NAME history=deep`")
        }
        "when" => {
            said!(
                "write conditions into the block of a transition: `transition to=NAME { when { … } }`"
            )
        }
        "on" => said!("write `transition on=EVENT to=STATE`"),
        "always" => said!("write `transition to=STATE`, with `when=\"…\"` if it has a condition"),
        "after" => said!("write `transition after=SECONDS to=STATE`"),
        "on-done" | "onDone" => said!("write `transition done=any to=STATE`"),
        "on-entry" | "onentry" | "onEntry" | "enter" => said!("write `entry { … }`"),
        "on-exit" | "onexit" | "onExit" | "leave" => said!("write `exit { … }`"),
        "invoke" => said!("write what runs as long as the state is active into `do { … }`"),
        _ if language::is_item(word) => said!("declare keys and ports at the top of the machine"),
        _ if Spot::Task.has(word) => said!("put the activity of a state into its `do { … }`"),
        _ => {
            stranger(node, &place, &Spot::State.list(), sink);
            return;
        }
    };
    let message = said!("`{}` is not allowed {}", word, place);
    sink.error(Code::MisplacedNode, node.name.span.clone(), message)
        .with_help(help);
}

/// Reports a state that does not say which of its states it begins in.
fn begins_somewhere(
    draft: &Draft<'_>,
    block: &Node,
    index: StateIndex,
    is_said: bool,
    sink: &mut Sink,
) {
    let is_composite = matches!(
        draft.machine.states[index].kind,
        StateKind::Composite { .. }
    );
    let first = draft.machine.children(index).next();
    let (false, true, Some(first)) = (is_said, is_composite, first) else {
        return;
    };
    let owner = match index {
        0 => said!("this machine"),
        index => said!("state `{}`", draft.called(index)),
    };
    let message = said!("{} has no initial state", owner);
    sink.error(Code::NoInitial, block.span.clone(), message)
        .with_help(said!(
            "add `initial {}` to its block",
            shortened(draft.names.name(first))
        ));
}
