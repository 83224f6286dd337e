//! Behaviours as diagrams for other programs: Mermaid and Graphviz.

mod decision;
mod dot;
mod mermaid;
mod planner;

pub use dot::dot;
pub use mermaid::mermaid;

use crate::outline::{About, brief, case, condition, expression, lines_of, when};
use treemind_core::behaviour::{
    ChildIndex, Depth, DoneWith, Machine, Stack, StateIndex, StateKind, Target, Transition, Trigger,
};
use treemind_core::{Behaviour, Kind, NodeId};

/// The activity of a state may be a whole tree; this many of its lines are shown.
const MOST_LINES: usize = 8;

/// A machine in its place.
#[derive(Clone, Copy)]
struct Placed<'a> {
    behaviour: &'a Behaviour,
    node: NodeId,
    machine: &'a Machine,
}

impl<'a> Placed<'a> {
    fn of(behaviour: &'a Behaviour, node: NodeId) -> Option<Self> {
        match &behaviour.node(node).kind {
            Kind::Machine(machine) => Some(Self {
                behaviour,
                node,
                machine,
            }),
            _ => None,
        }
    }

    fn child(&self, child: ChildIndex) -> NodeId {
        self.behaviour.node(self.node).children[child]
    }

    fn name(&self, state: StateIndex) -> &'a str {
        &self.machine.states[state].name
    }

    /// Everything about a state, one line each.
    fn all_of(&self, state: StateIndex) -> Vec<String> {
        let mut lines = self.carries_out(state);
        lines.extend(self.goes_on(state));
        lines
    }

    /// The tasks of a state and the transitions that do not leave it, one line each.
    fn carries_out(&self, index: StateIndex) -> Vec<String> {
        let state = &self.machine.states[index];
        let mut lines = Vec::new();
        for (word, tasks) in [("entry", &state.entry), ("exit", &state.exit)] {
            let tasks = tasks.iter();
            lines.extend(tasks.map(|task| format!("{word} / {}", self.task(*task))));
        }
        let inner = self.machine.transitions.iter();
        let inner = inner.filter(|transition| transition.source == index);
        let inner = inner.filter(|transition| transition.targets.is_empty());
        lines.extend(inner.map(|transition| self.label(transition)));
        lines
    }

    /// The activity of a state, shortened if it is long. Lines further in begin with points.
    fn goes_on(&self, state: StateIndex) -> Vec<String> {
        let Some(activity) = self.machine.states[state].activity else {
            return Vec::new();
        };
        let mut lines = Vec::new();
        for line in lines_of(self.behaviour, self.child(activity)) {
            if lines.len() == MOST_LINES {
                lines.push("…".to_owned());
                break;
            }
            let text = match line.about {
                // Without its `doc`.
                About::Node(id) => brief(self.behaviour, id),
                _ => line.text,
            };
            let begin = if lines.is_empty() { "do / " } else { "" };
            lines.push(format!("{begin}{}{text}", "· ".repeat(line.indent / 2)));
        }
        lines
    }

    fn task(&self, task: ChildIndex) -> String {
        let text = brief(self.behaviour, self.child(task));
        let statements = text.strip_prefix("set \"");
        match statements.and_then(|text| text.strip_suffix('"')) {
            Some(statements) if !statements.contains('"') => statements.to_owned(),
            _ => text,
        }
    }

    /// The trigger, guard and tasks of a transition in one line, in the notation of statecharts:
    /// `event [guard] / tasks`.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn label(&self, transition: &Transition) -> String {
        let mut parts = Vec::new();
        match transition.stack {
            Stack::Keep => {}
            Stack::Push => parts.push("push".to_owned()),
            Stack::Pop => parts.push("pop".to_owned()),
        }
        match &transition.trigger {
            Trigger::Polled => {}
            Trigger::Event(events) => {
                let names = events
                    .iter()
                    .map(|event| self.behaviour.leaf(*event).name.as_str());
                parts.push(names.collect::<Vec<_>>().join(" "));
            }
            Trigger::After(secs) => {
                parts.push(format!("after {} s", expression(self.behaviour, secs)))
            }
            Trigger::Done(with) => {
                let word = match with {
                    DoneWith::Any => "done",
                    DoneWith::Success => "done with success",
                    DoneWith::Failure => "done with failure",
                    _ => treemind_core::unlisted(with),
                };
                parts.push(word.to_owned());
            }
            _ => treemind_core::unlisted(&transition.trigger),
        }
        let when = when(self.behaviour, transition);
        let mut guards: Vec<String> = when.into_iter().collect();
        if let Some(conditions) = transition.conditions {
            let is_part = !guards.is_empty();
            guards.push(condition(self.behaviour, self.child(conditions), is_part));
        }
        if !guards.is_empty() {
            parts.push(format!("[{}]", guards.join(" and ")));
        }
        if transition.priority != 0 {
            parts.push(format!("priority {}", transition.priority));
        }
        let tasks = transition.tasks.iter().map(|task| self.task(*task));
        let tasks: Vec<String> = tasks.collect();
        if !tasks.is_empty() {
            parts.push(format!("/ {}", tasks.join("; ")));
        }
        parts.join(" ")
    }

    /// Of the states directly in `into`, the one that is `state` or has it inside. If `state` is not inside `into`,
    /// `state` itself.
    fn lifted(&self, state: StateIndex, into: StateIndex) -> StateIndex {
        let mut at = state;
        while let Some(above) = self.machine.states[at].parent {
            if above == into {
                return at;
            }
            at = above;
        }
        state
    }

    /// The innermost state that is, or contains, each of two states.
    fn around(&self, left: StateIndex, right: StateIndex) -> StateIndex {
        let mut at = left;
        while at != right && !self.machine.is_inside(right, at) {
            at = self.machine.states[at].parent.unwrap_or(0);
        }
        at
    }

    fn is_parallel(&self, state: StateIndex) -> bool {
        self.machine.states[state].kind == StateKind::Parallel
    }

    fn is_composite(&self, state: StateIndex) -> bool {
        matches!(
            self.machine.states[state].kind,
            StateKind::Composite { .. } | StateKind::Parallel
        )
    }
}

/// The label of an edge to a child: which case the child is, or what it is for.
fn branch(behaviour: &Behaviour, parent: NodeId, index: usize) -> Option<String> {
    let of = behaviour.node(parent);
    let word = match &of.kind {
        Kind::If { .. } | Kind::ReactiveIf { .. } => {
            ["test", "then", "else"].get(index).copied()?
        }
        Kind::TryCatch { .. } if index + 1 == of.children.len() => "catch",
        Kind::SimpleParallel { .. } => ["task", "background"].get(index).copied()?,
        _ => return case(behaviour, of.children[index]),
    };
    Some(word.to_owned())
}

/// The state of a target, and its history, if the target is one.
#[warn(clippy::wildcard_enum_match_arm)]
fn target(target: &Target) -> (StateIndex, Option<Depth>) {
    match target {
        Target::State(state) => (*state, None),
        Target::History { of, depth, .. } => (*of, Some(*depth)),
        _ => treemind_core::unlisted(&target),
    }
}

/// Where a composite begins: the targets of `initial`, and whether it goes back to where it was left.
fn begins(kind: &StateKind) -> Vec<(StateIndex, Option<Depth>)> {
    let StateKind::Composite { initial } = kind else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for first in &initial.targets {
        match first {
            Target::History {
                depth, fallback, ..
            } if !fallback.is_empty() => {
                let states = fallback.iter().map(Machine::target_state);
                found.extend(states.map(|state| (state, Some(*depth))));
            }
            first => found.push(target(first)),
        }
    }
    found
}
