//! `machine NAME { … }`: states, the tasks that they carry out, and their transitions.
//!
//! A machine is read in two passes. The first pass reads all states, so that names may refer to later states. The
//! second pass reads everything else. The tasks of states and transitions become children of the machine's one node.

mod active_states;
mod decided;
mod events;
mod judge;
mod never_taken;
pub(super) mod state_names;
pub(super) use state_names::words;
mod states;
pub(super) mod tasks;
mod transitions;

pub(super) use events::speaks_of_event;

use super::{Checker, DefinitionKind};
use crate::code::Code;
use crate::language;
use crate::names::States;
use crate::said;
use crate::syntax::{Node, Span, Value as Written, shortened};
use std::collections::HashMap;
use treemind_core::Kind;
use treemind_core::behaviour::{
    self, ChildIndex, Initial, MAX_MACHINES, MAX_MICROSTEPS, Machine, Mode, State, StateIndex,
    StateKind,
};

/// How many states, and how many transitions, a machine may have. The executor's data for a machine grows with the
/// square of these numbers.
const MAX_STATES: usize = 1_000;
const MAX_TRANSITIONS: usize = 2_000;

/// A machine while it is being read.
struct Draft<'n> {
    machine: Machine,
    /// The tasks and conditions of states and transitions.
    children: Vec<behaviour::Node>,
    /// One per state: the span of its name.
    spans: Vec<Span>,
    /// One per transition: its span.
    transition_spans: Vec<Span>,
    names: States<'n>,
    /// For each state with an activity: whether the activity can end with success, and with failure.
    activity_ends: HashMap<StateIndex, [bool; 2]>,
    /// The depth of its node.
    depth: usize,
    /// It contains a mistake.
    is_broken: bool,
}

impl<'n> Draft<'n> {
    fn new(node: &'n Node, name: &str, mode: Mode, depth: usize) -> Self {
        let first = State {
            name: name.to_owned(),
            parent: None,
            kind: StateKind::Composite {
                initial: no_initial(),
            },
            entry: Vec::new(),
            exit: Vec::new(),
            activity: None,
            enter_if: None,
            defers: Vec::new(),
            done_event: None,
        };
        Self {
            machine: Machine {
                mode,
                states: vec![first],
                transitions: Vec::new(),
                deciders: Vec::new(),
                max_microsteps: MAX_MICROSTEPS,
            },
            children: Vec::new(),
            spans: vec![node.name.span.clone()],
            transition_spans: Vec::new(),
            names: States::new(node.first_text().map_or("", |name| &name.value)),
            activity_ends: HashMap::new(),
            depth,
            is_broken: false,
        }
    }

    /// Adds something that a state or transition carries out.
    fn child(&mut self, node: Option<behaviour::Node>) -> Option<ChildIndex> {
        let Some(node) = node else {
            self.is_broken = true;
            return None;
        };
        self.children.push(node);
        Some(self.children.len() - 1)
    }

    /// The name of a state in messages.
    fn called(&self, state: StateIndex) -> String {
        shortened(&self.machine.states[state].name)
    }
}

/// A placeholder for an initial state that is not known yet.
fn no_initial() -> Initial {
    Initial {
        targets: Vec::new(),
        tasks: Vec::new(),
    }
}

impl Checker<'_> {
    /// Lowers the machine of a definition, at `depth`.
    pub(super) fn machine(&mut self, held: usize, depth: usize) -> Option<behaviour::Node> {
        debug_assert_eq!(self.graph[held].what, DefinitionKind::Machine);
        if !self.fits_machines() {
            return None;
        }
        let node = self.graph[held].node;
        let name = self.graph[held].name.clone();
        let before = self.sink.error_count();
        let mut draft = Draft::new(node, &name, mode_of(node), depth);
        self.states(&mut draft, node, 0);
        draft.settle_names();
        if !draft.is_broken {
            self.fill(&mut draft, node, 0, &mut 0);
        }
        if draft.is_broken || self.sink.error_count() > before {
            return None;
        }
        if self.places.is_none() {
            judge::judge(&draft, self.sink);
        }
        // The executor compares each transition with all others and with all states.
        let (states, transitions) = (draft.machine.states.len(), draft.machine.transitions.len());
        self.spend(transitions * (transitions + states));
        let kind = Kind::Machine(Box::new(draft.machine));
        Some(behaviour::Node {
            name: Some(name),
            ..behaviour::Node::with(kind, draft.children)
        })
    }

    /// Whether one more machine may be nested in the machines around it.
    fn fits_machines(&mut self) -> bool {
        let Some(places) = &mut self.places else {
            return true;
        };
        let graph = &self.graph;
        let is_machine = |held: &&usize| graph[**held].what == DefinitionKind::Machine;
        let machines = places.path.iter().filter(is_machine).count();
        if machines > MAX_MACHINES && !places.is_over {
            places.is_over = true;
            let message = said!("more than {} machines are nested here", MAX_MACHINES);
            self.sink.error(Code::TooDeep, places.span.clone(), message);
        }
        !places.is_over
    }
}

/// The value of `mode=`; mistakes in it are reported with the line of the definition.
fn mode_of(node: &Node) -> Mode {
    let given = node.entries.iter().find_map(|entry| {
        let name = entry.name.as_ref()?;
        match &entry.value {
            Written::Text(text) if name.value == "mode" => Some(text.value.as_str()),
            _ => None,
        }
    });
    let mode = given.and_then(|given| language::MODE.form.meaning(given));
    mode.unwrap_or(Mode::Alarm)
}
