//! Mermaid: a tree as a flowchart, a machine as a state diagram.
//!
//! State diagrams of Mermaid have no edges between the insides of two states, none between a state and the state
//! around it, and no history. So edges join states side by side, and their labels name where they really begin and
//! end.

use super::decision::{asked, decision_of, drawn};
use super::planner::{above, lines, parts};
use super::{Placed, begins, branch, target};
use crate::text::visible::visible;
use std::fmt::Write;
use treemind_core::behaviour::{Depth, StateIndex, StateKind, Transition};
use treemind_core::{Behaviour, Kind, NodeId};

/// The tree as a flowchart, or the machine as a state diagram, in the language of Mermaid.
///
/// ```text
/// %% tree guard
/// flowchart TD
///     n0["reactive-selector"]
///     n0 --> n1
/// ```
pub fn mermaid(behaviour: &Behaviour) -> String {
    match Placed::of(behaviour, behaviour.root()) {
        Some(machine) => state_diagram(machine),
        None => flowchart(behaviour),
    }
}

fn flowchart(behaviour: &Behaviour) -> String {
    let what = match behaviour.node(behaviour.root()).kind {
        Kind::Planner(_) => "planner",
        _ => "tree",
    };
    let name = one_line(behaviour.name());
    let mut out = format!("%% {what} {name}\nflowchart TD\n");
    // These nodes have no boxes: what states and transitions carry out is written as text beside them.
    let mut is_left_out = vec![false; behaviour.nodes().len()];
    for id in behaviour.node_ids() {
        let node = behaviour.node(id);
        let is_inside = node
            .parent
            .is_some_and(|parent| is_left_out[parent.index()]);
        if is_left_out[id.index()] || is_inside || is_carried_out(behaviour, id) {
            is_left_out[id.index()] = true;
            continue;
        }
        let text = box_text(&lines(behaviour, id));
        let (open, close) = match &node.kind {
            Kind::Condition { .. } | Kind::Check { .. } => ("{{", "}}"),
            Kind::Machine(_) => ("[[", "]]"),
            _ if node.children.is_empty() && decision_of(behaviour, id).is_none() => ("([", "])"),
            _ => ("[", "]"),
        };
        let number = id.index();
        let _ = writeln!(out, "    n{number}{open}\"{text}\"{close}");
        if let Some(parent) = node
            .parent
            .filter(|of| decision_of(behaviour, *of).is_none())
        {
            edge(behaviour, parent, id, &mut out);
        }
        parts_of(behaviour, id, &mut out);
        if decision_of(behaviour, id).is_some() {
            tests_of(behaviour, id, &mut is_left_out, &mut out);
        }
        if let Some(machine) = Placed::of(behaviour, id) {
            states_of(machine, &mut out);
        }
    }
    out
}

/// What a box says, one line below the other.
fn box_text(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
    lines.join("<br/>")
}

/// Goals, tasks and methods of a planner, or the rules of `rules`.
fn parts_of(behaviour: &Behaviour, id: NodeId, out: &mut String) {
    let parts = parts(behaviour, id);
    for part in &parts.boxes {
        let (open, close) = if part.is_goal {
            ("(", ")")
        } else {
            ("[/", "/]")
        };
        let text = box_text(&part.lines);
        let _ = writeln!(out, "    {}{open}\"{text}\"{close}", part.id);
    }
    for link in &parts.links {
        let arrow = if link.is_use { "-.->" } else { "-->" };
        let label = link.label.as_ref();
        let label = label.map_or(String::new(), |label| format!("|\"{}\"|", escaped(label)));
        let _ = writeln!(out, "    {} {arrow}{label} {}", link.from, link.to);
    }
}

/// The tests of a decision tree and their edges.
fn tests_of(behaviour: &Behaviour, id: NodeId, is_left_out: &mut [bool], out: &mut String) {
    let Some(decision) = decision_of(behaviour, id) else {
        return;
    };
    asked(behaviour, id, decision).for_each(|child| is_left_out[child.index()] = true);
    let drawn = drawn(behaviour, id, decision);
    for (test, text) in &drawn.tests {
        let _ = writeln!(out, "    {test}{{\"{}\"}}", escaped(text));
    }
    if let Some(none) = &drawn.none {
        let _ = writeln!(out, "    {none}([\"none\"])");
    }
    for (from, to, label) in &drawn.edges {
        let _ = match label {
            Some(label) => writeln!(out, "    {from} -->|\"{}\"| {to}", escaped(label)),
            None => writeln!(out, "    {from} --> {to}"),
        };
    }
}

/// Whether a node belongs to a machine and is not the activity of one of its states.
fn is_carried_out(behaviour: &Behaviour, id: NodeId) -> bool {
    let parent = behaviour.node(id).parent;
    let machine = parent.and_then(|parent| Placed::of(behaviour, parent));
    machine.is_some_and(|machine| state_of(machine, id).is_none())
}

fn state_of(machine: Placed<'_>, activity: NodeId) -> Option<StateIndex> {
    machine.machine.states.iter().position(|state| {
        state
            .activity
            .is_some_and(|child| machine.child(child) == activity)
    })
}

fn edge(behaviour: &Behaviour, parent: NodeId, id: NodeId, out: &mut String) {
    let to = id.index();
    if let Some(machine) = Placed::of(behaviour, parent) {
        if let Some(state) = state_of(machine, id) {
            let _ = writeln!(out, "    {}_{state} -->|do| n{to}", id_of(machine));
        }
        return;
    }
    let children = &behaviour.node(parent).children;
    let index = children.partition_point(|child| child.index() < to);
    let from = above(behaviour, parent, index);
    let _ = match branch(behaviour, parent, index) {
        Some(label) => writeln!(out, "    {from} -->|\"{}\"| n{to}", escaped(&label)),
        None => writeln!(out, "    {from} --> n{to}"),
    };
}

/// The prefix of the names of states, for a machine in a tree.
fn id_of(machine: Placed<'_>) -> String {
    format!("n{}", machine.node.index())
}

/// The states of a machine in a tree.
#[warn(clippy::wildcard_enum_match_arm)]
fn states_of(machine: Placed<'_>, out: &mut String) {
    let id = id_of(machine);
    for (index, state) in machine.machine.states.iter().enumerate().skip(1) {
        let mut lines = vec![escaped(&state.name)];
        let word = match state.kind {
            StateKind::Parallel => "parallel",
            StateKind::Final { success } if success => "final",
            StateKind::Final { .. } => "final, failure",
            StateKind::Atomic | StateKind::Composite { .. } => "state",
            _ => treemind_core::unlisted(&state.kind),
        };
        lines.push(word.to_owned());
        // The activity of the state is drawn as a tree.
        let carried = machine.carries_out(index).into_iter();
        lines.extend(carried.map(|line| escaped(&line)));
        let _ = writeln!(out, "    {id}_{index}(\"{}\")", lines.join("<br/>"));
        let above = state.parent.unwrap_or(0);
        let above = if above == 0 {
            id.clone()
        } else {
            format!("{id}_{above}")
        };
        let _ = writeln!(out, "    {above} --- {id}_{index}");
    }
    for (index, state) in machine.machine.states.iter().enumerate() {
        for (first, history) in begins(&state.kind) {
            let above = if index == 0 {
                id.clone()
            } else {
                format!("{id}_{index}")
            };
            let label = format!("begins{}", history_word(history));
            let _ = writeln!(out, "    {above} -.->|{label}| {id}_{first}");
        }
    }
    for transition in &machine.machine.transitions {
        let source = match transition.source {
            0 => id.clone(),
            source => format!("{id}_{source}"),
        };
        for (state, history) in transition.targets.iter().map(target) {
            let label = label(machine, transition, history);
            let _ = match label.as_str() {
                "" => writeln!(out, "    {source} ==> {id}_{state}"),
                label => writeln!(out, "    {source} ==>|\"{label}\"| {id}_{state}"),
            };
        }
    }
}

fn history_word(history: Option<Depth>) -> &'static str {
    match history {
        None => "",
        Some(Depth::Shallow) => " (shallow history)",
        Some(Depth::Deep) => " (deep history)",
    }
}

fn label(machine: Placed<'_>, transition: &Transition, history: Option<Depth>) -> String {
    let text = format!("{}{}", machine.label(transition), history_word(history));
    escaped(text.trim())
}

fn state_diagram(machine: Placed<'_>) -> String {
    let name = one_line(machine.behaviour.name());
    let mut diagram = Diagram {
        machine,
        edges: vec![Vec::new(); machine.machine.states.len()],
        out: format!("%% machine {name}\nstateDiagram-v2\n"),
    };
    for transition in &machine.machine.transitions {
        for (state, history) in transition.targets.iter().map(target) {
            diagram.place(transition, state, history);
        }
    }
    // Tasks of the machine itself need a state to hold them.
    if machine.all_of(0).is_empty() {
        diagram.inside(0, 1);
    } else {
        diagram.state(0, 1);
    }
    diagram.out
}

struct Diagram<'a> {
    machine: Placed<'a>,
    /// Per state, the lines about transitions between the states directly in it.
    edges: Vec<Vec<String>>,
    out: String,
}

impl Diagram<'_> {
    /// Finds the block in which a transition can be drawn, and its form there.
    fn place(&mut self, transition: &Transition, target: StateIndex, history: Option<Depth>) {
        let machine = self.machine;
        let source = transition.source;
        let label = label(machine, transition, history);
        let mut block = machine.around(source, target);
        // A transition to a state inside its source is drawn inside the source.
        if block == source && block != target && !machine.is_parallel(block) {
            let to = machine.lifted(target, block);
            let names = named(&[], &[(to, target)], machine);
            let from = if source == 0 { "any" } else { "any_in" };
            let any = format!("{from}_{source}");
            let line = format!("state \"any\" as {any}");
            if !self.edges[block].contains(&line) {
                self.edges[block].push(line);
            }
            self.edges[block].push(arrow(&any, &format!("s{to}"), &names, &label));
            return;
        }
        if block == target || machine.is_parallel(block) {
            // The transition leaves the state and enters it again.
            let outer = block;
            if outer == 0 {
                let line = format!("%% {} : {label}", escaped(machine.name(source)));
                self.edges[0].push(line);
                return;
            }
            block = machine.machine.states[outer].parent.unwrap_or(0);
            let names = named(&[(outer, source)], &[(outer, target)], machine);
            self.again(outer, block, &names, &label);
            return;
        }
        let (from, to) = (machine.lifted(source, block), machine.lifted(target, block));
        let names = named(&[(from, source)], &[(to, target)], machine);
        let (from, to) = (format!("s{from}"), format!("s{to}"));
        self.edges[block].push(arrow(&from, &to, &names, &label));
    }

    /// An edge from a state to itself. A state with states inside needs another box in between.
    fn again(&mut self, state: StateIndex, block: StateIndex, names: &str, label: &str) {
        let id = format!("s{state}");
        if !self.machine.is_composite(state) {
            self.edges[block].push(arrow(&id, &id, names, label));
            return;
        }
        let again = format!("again_{state}");
        let line = format!("state {again} <<choice>>");
        if !self.edges[block].contains(&line) {
            self.edges[block].push(line);
            self.edges[block].push(format!("{again} --> {id}"));
        }
        self.edges[block].push(arrow(&id, &again, names, label));
    }

    /// The content of a state; it recurses once for each level of states.
    fn inside(&mut self, block: StateIndex, level: usize) {
        let machine = self.machine.machine;
        let indent = "    ".repeat(level);
        let is_parallel = self.machine.is_parallel(block);
        for (first, history) in begins(&machine.states[block].kind) {
            let to = self.machine.lifted(first, block);
            let names = named(&[], &[(to, first)], self.machine);
            let line = arrow(
                "[*]",
                &format!("s{to}"),
                &names,
                history_word(history).trim(),
            );
            let _ = writeln!(self.out, "{indent}{line}");
        }
        let states: Vec<StateIndex> = machine.children(block).collect();
        for (place, state) in states.into_iter().enumerate() {
            if is_parallel {
                if place > 0 {
                    let _ = writeln!(self.out, "{indent}--");
                }
                let _ = writeln!(self.out, "{indent}[*] --> s{state}");
            }
            self.state(state, level);
        }
        for line in std::mem::take(&mut self.edges[block]) {
            let _ = writeln!(self.out, "{indent}{line}");
        }
    }

    fn state(&mut self, state: StateIndex, level: usize) {
        let indent = "    ".repeat(level);
        let name = escaped(self.machine.name(state));
        let lines = self.machine.all_of(state);
        if self.machine.is_composite(state) {
            let _ = writeln!(self.out, "{indent}state \"{name}\" as s{state} {{");
            self.inside(state, level + 1);
            let _ = writeln!(self.out, "{indent}}}");
            if !lines.is_empty() {
                let _ = writeln!(self.out, "{indent}note right of s{state}");
                for line in lines {
                    let _ = writeln!(self.out, "{indent}    {}", escaped(&line));
                }
                let _ = writeln!(self.out, "{indent}end note");
            }
            return;
        }
        let _ = writeln!(self.out, "{indent}state \"{name}\" as s{state}");
        for line in lines {
            let _ = writeln!(self.out, "{indent}s{state} : {}", escaped(&line));
        }
        if let StateKind::Final { success } = self.machine.machine.states[state].kind {
            let label = if success { "" } else { "failure" };
            let line = arrow(&format!("s{state}"), "[*]", "", label);
            let _ = writeln!(self.out, "{indent}{line}");
        }
    }
}

/// The real ends of an edge, if the diagram does not show them. Each pair is the drawn state and the real one.
fn named(
    from: &[(StateIndex, StateIndex)],
    to: &[(StateIndex, StateIndex)],
    machine: Placed<'_>,
) -> String {
    let name = |pairs: &[(StateIndex, StateIndex)]| match pairs {
        [(drawn, meant)] if drawn != meant => Some(escaped(machine.name(*meant))),
        _ => None,
    };
    match (name(from), name(to)) {
        (None, None) => String::new(),
        (Some(from), None) => format!("from {from}"),
        (None, Some(to)) => format!("to {to}"),
        (Some(from), Some(to)) => format!("from {from} to {to}"),
    }
}

fn arrow(from: &str, to: &str, names: &str, label: &str) -> String {
    let parts: Vec<&str> = [names, label]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    let text = parts.join(", ");
    if text.is_empty() {
        format!("{from} --> {to}")
    } else {
        format!("{from} --> {to} : {text}")
    }
}

/// A text for a comment.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text without characters that mean something to Mermaid.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in visible(text).chars() {
        match character {
            '"' => out.push_str("#quot;"),
            '<' => out.push_str("#lt;"),
            '>' => out.push_str("#gt;"),
            '#' | ';' | ':' | '&' | '\\' | '`' | '{' | '}' | '|' | '%' | '[' | ']' => {
                let _ = write!(out, "#{};", u32::from(character));
            }
            '\n' | '\r' => out.push(' '),
            other => out.push(other),
        }
    }
    out
}
