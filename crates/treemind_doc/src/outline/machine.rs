//! State machines in an outline: states with their tasks, and transitions with arrows.

use super::decision;
use super::lines::{About, Item, OutlineLine, brief, part};
use super::{expression, number_text, quoted};
use std::fmt::Write;
use treemind_core::behaviour::{
    ChildIndex, Decided, Depth, DoneWith, Initial, Machine, Stack, StateIndex, StateKind, Target,
    Transition, Trigger,
};
use treemind_core::{Behaviour, Kind, NodeId};

/// Whether a machine's node has the same name as the machine.
pub(super) fn goes_by(kind: &Kind, name: &str) -> bool {
    matches!(kind, Kind::Machine(machine) if machine.states[0].name == name)
}

/// Everything in a machine, the first item last.
pub(super) fn states(
    behaviour: &Behaviour,
    node: NodeId,
    machine: &Machine,
    indent: usize,
) -> Vec<Item> {
    let mut print = Print {
        behaviour,
        node,
        machine,
        items: Vec::new(),
    };
    print.inside(0, indent);
    // States are in document order, parents before children, so no recursion is needed.
    for state in 1..machine.states.len() {
        let level = machine.level(state) - 1;
        print.state(state, indent + 2 * level);
    }
    print.items.reverse();
    print.items
}

struct Print<'a> {
    behaviour: &'a Behaviour,
    node: NodeId,
    machine: &'a Machine,
    items: Vec<Item>,
}

impl Print<'_> {
    #[warn(clippy::wildcard_enum_match_arm)]
    fn state(&mut self, index: StateIndex, indent: usize) {
        let state = &self.machine.states[index];
        let name = quoted(&state.name);
        let mut text = match &state.kind {
            StateKind::Parallel => format!("parallel {name}"),
            StateKind::Final { success } => {
                let result = if *success { "" } else { " result=failure" };
                format!("state {name} final=#true{result}")
            }
            StateKind::Atomic | StateKind::Composite { .. } => format!("state {name}"),
            _ => treemind_core::unlisted(&state.kind),
        };
        if let Some(test) = &state.enter_if {
            let _ = write!(text, " enter-if=\"{}\"", expression(self.behaviour, test));
        }
        self.line(indent, About::State(self.node, index), text);
        self.inside(index, indent + 2);
    }

    /// The content of a state other than its states.
    fn inside(&mut self, index: StateIndex, indent: usize) {
        let machine = self.machine;
        let state = &machine.states[index];
        if let StateKind::Composite { initial } = &state.kind {
            self.items
                .push(Item::Line(part(indent, self.initial(index, initial))));
            self.children(&initial.tasks, indent + 2);
            self.first_visits(&initial.targets, indent + 2);
        }
        self.block("entry", &state.entry, indent);
        self.block("exit", &state.exit, indent);
        self.block("do", state.activity.as_slice(), indent);
        if !state.defers.is_empty() {
            let names: Vec<String> = state
                .defers
                .iter()
                .map(|event| quoted(&self.behaviour.leaf(*event).name))
                .collect();
            self.items.push(Item::Line(part(
                indent,
                format!("defer {}", names.join(" ")),
            )));
        }
        for (number, transition) in machine.transitions.iter().enumerate() {
            if transition.source != index {
                continue;
            }
            match transition.decided {
                None => self.transition(number, transition, indent),
                Some(Decided { by, leaf: 0 }) => self.decided(by, number, indent),
                Some(_) => {}
            }
        }
    }

    /// The transitions between which a decision tree chooses: its tests, with the transitions as leaves.
    fn decided(&mut self, by: usize, first: usize, indent: usize) {
        let (machine, decision) = (self.machine, &self.machine.deciders[by]);
        let mut text = "decide".to_owned();
        if let Some(test) = decision.tests.first() {
            let _ = write!(text, " {}", quoted(&test.of));
        }
        self.items.push(Item::Line(part(indent, text)));
        let (behaviour, node) = (self.behaviour, self.node);
        let leaf = |leaf: usize, indent: usize| {
            let mut print = Print {
                behaviour,
                node,
                machine,
                items: Vec::new(),
            };
            let number = first + leaf;
            print.transition(number, &machine.transitions[number], indent);
            print.items
        };
        let tree = decision::Placed {
            node,
            decision,
            first_test: machine.first_test(by),
            leaves: machine.looked_at_with(first).len(),
            leaf: &leaf,
            name: &|leaf| names(machine, &machine.transitions[first + leaf].targets),
        };
        self.items
            .extend(decision::items_of(behaviour, tree, indent + 2));
    }

    fn initial(&self, index: StateIndex, initial: &Initial) -> String {
        match &initial.targets[..] {
            [
                Target::History {
                    of,
                    depth,
                    fallback,
                    ..
                },
            ] if *of == index => {
                let names = names(self.machine, fallback);
                format!("initial {names} history={}", depth_word(*depth))
            }
            targets => format!("initial {}", names(self.machine, targets)),
        }
    }

    fn transition(&mut self, number: usize, transition: &Transition, indent: usize) {
        let mut text = brief_transition(self.behaviour, self.machine, transition);
        if transition.priority != 0 {
            let _ = write!(text, " priority={}", transition.priority);
        }
        if transition.local {
            text.push_str(" kind=local");
        }
        if transition.reenter {
            text.push_str(" reenter=#true");
        }
        self.line(indent, About::Transition(self.node, number), text);
        if let Some(test) = transition.conditions {
            let test = self.behaviour.node(self.node).children[test];
            self.items
                .push(Item::Line(part(indent + 2, "when".to_owned())));
            self.items.push(Item::Test(test, indent + 4));
        }
        self.children(&transition.tasks, indent + 2);
        self.first_visits(&transition.targets, indent + 2);
    }

    /// The tasks for a history that has no state to go back to yet.
    fn first_visits(&mut self, targets: &[Target], indent: usize) {
        for target in targets {
            let Target::History {
                fallback, tasks, ..
            } = target
            else {
                continue;
            };
            if !tasks.is_empty() {
                let text = format!("the first time → {}", names(self.machine, fallback));
                self.items.push(Item::Line(part(indent, text)));
                self.children(tasks, indent + 2);
            }
            self.first_visits(fallback, indent);
        }
    }

    fn block(&mut self, word: &str, children: &[ChildIndex], indent: usize) {
        if !children.is_empty() {
            self.items.push(Item::Line(part(indent, word.to_owned())));
            self.children(children, indent + 2);
        }
    }

    fn children(&mut self, children: &[ChildIndex], indent: usize) {
        let nodes = &self.behaviour.node(self.node).children;
        for child in children {
            self.items.push(Item::Node(nodes[*child], indent));
        }
    }

    fn line(&mut self, indent: usize, about: About, text: String) {
        self.items.push(Item::Line(OutlineLine {
            indent,
            about,
            text,
        }));
    }
}

/// The states of some targets.
fn names(machine: &Machine, targets: &[Target]) -> String {
    let names: Vec<String> = targets
        .iter()
        .map(|target| quoted(&machine.states[Machine::target_state(target)].name))
        .collect();
    names.join(" ")
}

/// Where a transition leads, with an arrow.
#[warn(clippy::wildcard_enum_match_arm)]
pub(super) fn arrow(machine: &Machine, transition: &Transition) -> String {
    let names = names(machine, &transition.targets);
    let mut text = match transition.stack {
        Stack::Pop => "→ (pop)".to_owned(),
        Stack::Push => format!("→ push {names}"),
        Stack::Keep if transition.targets.is_empty() => "→ (stays)".to_owned(),
        Stack::Keep => format!("→ {names}"),
    };
    let depth = transition.targets.iter().find_map(|target| match target {
        Target::History { depth, .. } => Some(*depth),
        Target::State(_) => None,
        _ => treemind_core::unlisted(&target),
    });
    if let Some(depth) = depth {
        let _ = write!(text, " history={}", depth_word(depth));
    }
    text
}

/// The targets and the trigger of a transition in one line: `→ charge after=20.0 when { near and not dirty }`.
/// `node` is the node of its machine.
pub fn transition_text(behaviour: &Behaviour, node: NodeId, transition: &Transition) -> String {
    let Kind::Machine(machine) = &behaviour.node(node).kind else {
        return String::new();
    };
    let mut text = brief_transition(behaviour, machine, transition);
    if let Some(conditions) = transition.conditions {
        let conditions = behaviour.node(node).children[conditions];
        let _ = write!(
            text,
            " when {{ {} }}",
            condition(behaviour, conditions, false)
        );
    }
    text
}

/// The same without the conditions in its block.
fn brief_transition(behaviour: &Behaviour, machine: &Machine, transition: &Transition) -> String {
    let mut text = arrow(machine, transition);
    let waits_for = waits_for(behaviour, transition);
    if !waits_for.is_empty() {
        text.push(' ');
        text.push_str(&waits_for);
    }
    text
}

/// The trigger of a transition, as documents write it; empty if there is none.
#[warn(clippy::wildcard_enum_match_arm)]
fn waits_for(behaviour: &Behaviour, transition: &Transition) -> String {
    let mut parts = Vec::new();
    match &transition.trigger {
        Trigger::Polled => {}
        Trigger::Event(events) => {
            let names: Vec<&str> = events
                .iter()
                .map(|event| behaviour.leaf(*event).name.as_str())
                .collect();
            parts.push(format!("on={}", quoted(&names.join(" "))));
        }
        Trigger::After(secs) => parts.push(format!("after={}", number_text(behaviour, secs))),
        Trigger::Done(with) => parts.push(format!("done={}", done_word(*with))),
        _ => treemind_core::unlisted(&transition.trigger),
    }
    if let Some(when) = when(behaviour, transition) {
        parts.push(format!("when=\"{when}\""));
    }
    parts.join(" ")
}

/// The expression of a transition.
pub(crate) fn when(behaviour: &Behaviour, transition: &Transition) -> Option<String> {
    let when = transition.when.as_ref()?;
    Some(expression(behaviour, when))
}

#[warn(clippy::wildcard_enum_match_arm)]
pub(super) fn done_word(with: DoneWith) -> &'static str {
    match with {
        DoneWith::Any => "any",
        DoneWith::Success => "success",
        DoneWith::Failure => "failure",
        _ => treemind_core::unlisted(&with),
    }
}

pub(super) fn depth_word(depth: Depth) -> &'static str {
    match depth {
        Depth::Shallow => "shallow",
        Depth::Deep => "deep",
    }
}

/// A condition of a transition as a phrase.
pub(crate) fn condition(behaviour: &Behaviour, id: NodeId, is_part: bool) -> String {
    let node = behaviour.node(id);
    let joined = |word: &str| {
        let parts: Vec<String> = node
            .children
            .iter()
            .map(|child| condition(behaviour, *child, true))
            .collect();
        let text = parts.join(word);
        if is_part && parts.len() > 1 {
            format!("({text})")
        } else {
            text
        }
    };
    match &node.kind {
        Kind::Sequence { .. } => joined(" and "),
        Kind::Selector { .. } => joined(" or "),
        Kind::Invert => format!("not {}", condition(behaviour, node.children[0], true)),
        Kind::Condition { negated, .. } => {
            let text = brief(behaviour, id);
            let text = text.strip_prefix("condition ").unwrap_or(&text);
            let text = text.strip_suffix(" not=#true").unwrap_or(text);
            format!("{}{text}", if *negated { "not " } else { "" })
        }
        _ => {
            let text = brief(behaviour, id);
            let text = text.strip_prefix("check ").unwrap_or(&text);
            text.trim_matches('"').to_owned()
        }
    }
}
