//! Graphviz: trees and machines in the language DOT.

use super::decision::{asked, decision_of, drawn};
use super::planner::{above, lines, parts};
use super::{Placed, begins, branch, target};
use crate::text::visible::visible;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use treemind_core::behaviour::{Decision, Depth, StateIndex, StateKind, Transition};
use treemind_core::{Behaviour, Kind, NodeId};

/// The tree or machine as a graph in the language DOT of Graphviz. States with states inside are clusters.
///
/// ```text
/// digraph "guard" {
///     n0 [label="reactive-selector"];
///     n0 -> n1;
/// }
/// ```
pub fn dot(behaviour: &Behaviour) -> String {
    let mut out = format!(
        "digraph {} {{\n    compound=true;\n    node [shape=box, fontname=\"Helvetica\"];\n    edge [fontname=\"Helvetica\"];\n",
        text(behaviour.name())
    );
    if let Some(machine) = Placed::of(behaviour, behaviour.root()) {
        states(machine, &mut out);
    } else {
        // Graphviz can keep edges in order itself, but not if there are clusters.
        let kinds = behaviour.nodes().iter().map(|node| &node.kind);
        let has_clusters = kinds
            .into_iter()
            .any(|kind| matches!(kind, Kind::Machine(_)));
        if !has_clusters {
            out.push_str("    graph [ordering=out];\n");
        }
        let rows = tree(behaviour, &mut out);
        if has_clusters {
            in_order(&rows, &mut out);
        }
    }
    out.push_str("}\n");
    out
}

/// Returns the rows of boxes that belong side by side.
fn tree(behaviour: &Behaviour, out: &mut String) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut pending = vec![behaviour.root()];
    while let Some(id) = pending.pop() {
        let node = behaviour.node(id);
        let number = id.index();
        let shape = match &node.kind {
            Kind::Condition { .. } | Kind::Check { .. } => ", shape=hexagon",
            _ if node.children.is_empty() && decision_of(behaviour, id).is_none() => {
                ", style=rounded"
            }
            _ => "",
        };
        let label = label_of(&lines(behaviour, id));
        let _ = writeln!(out, "    n{number} [label={label}{shape}];");
        if let Some(parent) = node
            .parent
            .filter(|of| decision_of(behaviour, *of).is_none())
        {
            edge(behaviour, parent, id, out);
        }
        if let Some(machine) = Placed::of(behaviour, id) {
            states(machine, out);
            let _ = writeln!(
                out,
                "    n{number} -> {} [lhead=cluster_{}, style=dashed];",
                state_id(machine, 0),
                state_id(machine, 0)
            );
            continue;
        }
        let mut is_asked = HashSet::new();
        if let Some(decision) = decision_of(behaviour, id) {
            rows.extend(tests(behaviour, id, decision, out));
            is_asked.extend(asked(behaviour, id, decision));
        } else {
            rows.extend(parts_of(behaviour, id, out));
        }
        let children = node.children.iter().rev();
        pending.extend(children.filter(|child| !is_asked.contains(*child)));
    }
    rows
}

/// Draws goals, tasks and methods of a planner, or the rules of `rules`. Returns the rows of boxes below the node: those
/// of its children, or of its rules, each with a row of tasks.
fn parts_of(behaviour: &Behaviour, id: NodeId, out: &mut String) -> Vec<Vec<String>> {
    let parts = parts(behaviour, id);
    for part in &parts.boxes {
        let (id, label) = (&part.id, label_of(&part.lines));
        let shape = if part.is_goal {
            "ellipse"
        } else {
            "parallelogram"
        };
        let _ = writeln!(out, "    {id} [label={label}, shape={shape}];");
    }
    for link in &parts.links {
        let mut more = Vec::new();
        more.extend(
            link.label
                .as_ref()
                .map(|label| format!("label={}", text(label))),
        );
        if link.is_use {
            // Who uses what says nothing about who stands above whom.
            more.push("style=dashed, constraint=false".to_owned());
        }
        let _ = match more.is_empty() {
            true => writeln!(out, "    {} -> {};", link.from, link.to),
            false => writeln!(
                out,
                "    {} -> {} [{}];",
                link.from,
                link.to,
                more.join(", ")
            ),
        };
    }
    let children = &behaviour.node(id).children;
    let placed = children.iter().enumerate();
    let mut placed: Vec<(String, String)> = placed
        .map(|(at, child)| (above(behaviour, id, at), format!("n{}", child.index())))
        .collect();
    if let Kind::Rules { .. } = behaviour.node(id).kind {
        let rules = parts.boxes.iter().map(|one| one.id.clone());
        placed.extend(rules.map(|rule| (String::new(), rule)));
    }
    let rows = placed.chunk_by(|one, next| one.0 == next.0);
    rows.map(|row| row.iter().map(|(_, id)| id.clone()).collect())
        .collect()
}

/// Keeps rows in order with invisible edges.
fn in_order(rows: &[Vec<String>], out: &mut String) {
    for row in rows.iter().filter(|row| row.len() > 1) {
        let row = row.join(" -> ");
        let _ = writeln!(out, "    {{ rank=same; edge [style=invis]; {row}; }}");
    }
}

/// Draws the tests of a decision tree and their edges. Returns, for each test, the boxes that only this test leads to.
fn tests(
    behaviour: &Behaviour,
    id: NodeId,
    decision: &Decision,
    out: &mut String,
) -> Vec<Vec<String>> {
    let drawn = drawn(behaviour, id, decision);
    for (test, label) in &drawn.tests {
        let _ = writeln!(out, "    {test} [label={}, shape=diamond];", text(label));
    }
    if let Some(none) = &drawn.none {
        let _ = writeln!(out, "    {none} [label=\"none\", style=rounded];");
    }
    for (from, to, label) in &drawn.edges {
        let _ = match label {
            Some(label) => writeln!(out, "    {from} -> {to} [label={}];", text(label)),
            None => writeln!(out, "    {from} -> {to};"),
        };
    }
    let mut ways_to: HashMap<&str, usize> = HashMap::new();
    for (_, to, _) in &drawn.edges {
        *ways_to.entry(to).or_default() += 1;
    }
    let own = drawn
        .edges
        .iter()
        .filter(|(_, to, _)| ways_to[to.as_str()] == 1);
    let own: Vec<(&str, &str)> = own
        .map(|(from, to, _)| (from.as_str(), to.as_str()))
        .collect();
    let rows = own.chunk_by(|one, next| one.0 == next.0);
    rows.map(|row| row.iter().map(|(_, to)| (*to).to_owned()).collect())
        .collect()
}

fn edge(behaviour: &Behaviour, parent: NodeId, id: NodeId, out: &mut String) {
    let children = &behaviour.node(parent).children;
    let index = children.partition_point(|child| child.index() < id.index());
    let (from, to) = (above(behaviour, parent, index), id.index());
    let _ = match branch(behaviour, parent, index) {
        Some(label) => writeln!(out, "    {from} -> n{to} [label={}];", text(&label)),
        None => writeln!(out, "    {from} -> n{to};"),
    };
}

/// The name of a state, or of the point at which a state with states inside is entered.
fn state_id(machine: Placed<'_>, state: StateIndex) -> String {
    format!("n{}s{state}", machine.node.index())
}

fn history_id(machine: Placed<'_>, state: StateIndex, depth: Depth) -> String {
    let word = match depth {
        Depth::Shallow => "h",
        Depth::Deep => "d",
    };
    format!("{}{word}", state_id(machine, state))
}

/// A machine as a cluster.
fn states(machine: Placed<'_>, out: &mut String) {
    let mut open: Vec<StateIndex> = Vec::new();
    for (index, state) in machine.machine.states.iter().enumerate() {
        // Closes the states that are not around this state.
        while open
            .last()
            .is_some_and(|last| !machine.machine.is_inside(index, *last))
        {
            open.pop();
            let _ = writeln!(out, "{}}}", indent(open.len() + 1));
        }
        let at = indent(open.len() + 1);
        let id = state_id(machine, index);
        let mut lines = vec![state.name.clone()];
        lines.extend(machine.all_of(index));
        let label = label_of(&lines);
        if !machine.is_composite(index) {
            let shape = match state.kind {
                StateKind::Final { success: true } => ", peripheries=2",
                StateKind::Final { success: false } => ", peripheries=2, color=red",
                _ => "",
            };
            let _ = writeln!(out, "{at}{id} [label={label}, style=rounded{shape}];");
            continue;
        }
        let style = if machine.is_parallel(index) {
            "dashed"
        } else {
            "rounded"
        };
        let _ = writeln!(out, "{at}subgraph cluster_{id} {{");
        let _ = writeln!(out, "{at}    label={label};");
        let _ = writeln!(out, "{at}    style={style};");
        let _ = writeln!(out, "{at}    {id} [shape=point];");
        for depth in [Depth::Shallow, Depth::Deep] {
            if is_remembered(machine, index, depth) {
                let word = if depth == Depth::Deep { "H*" } else { "H" };
                let id = history_id(machine, index, depth);
                let _ = writeln!(out, "{at}    {id} [label=\"{word}\", shape=circle];");
            }
        }
        open.push(index);
    }
    while open.pop().is_some() {
        let _ = writeln!(out, "{}}}", indent(open.len() + 1));
    }
    beginnings(machine, out);
    for transition in &machine.machine.transitions {
        arrows(machine, transition, out);
    }
}

/// Whether some transition leads to this history of a state.
fn is_remembered(machine: Placed<'_>, state: StateIndex, depth: Depth) -> bool {
    let transitions = machine.machine.transitions.iter();
    let mut targets = transitions.flat_map(|transition| &transition.targets);
    targets.any(|end| target(end) == (state, Some(depth)))
}

/// Edges from the entry points of states to the states in which they begin.
fn beginnings(machine: Placed<'_>, out: &mut String) {
    for (index, state) in machine.machine.states.iter().enumerate() {
        let from = state_id(machine, index);
        if state.kind == StateKind::Parallel {
            for region in machine.machine.children(index) {
                let to = state_id(machine, region);
                let _ = writeln!(out, "    {from} -> {to};");
            }
        }
        for (first, history) in begins(&state.kind) {
            let to = state_id(machine, first);
            let label = match history {
                Some(Depth::Deep) => " [label=\"H*\"]",
                Some(Depth::Shallow) => " [label=\"H\"]",
                None => "",
            };
            let _ = writeln!(out, "    {from} -> {to}{label};");
        }
    }
}

fn arrows(machine: Placed<'_>, transition: &Transition, out: &mut String) {
    let source = transition.source;
    let from = state_id(machine, source);
    let label = machine.label(transition);
    for (state, history) in transition.targets.iter().map(target) {
        let mut more: Vec<String> = Vec::new();
        if !label.is_empty() {
            more.push(format!("label={}", text(&label)));
        }
        let to = match history {
            Some(depth) => history_id(machine, state, depth),
            None => state_id(machine, state),
        };
        // An edge ends at the border of a cluster, unless its other end is inside the cluster.
        let lies_in = |inner: StateIndex, outer: StateIndex| {
            inner == outer || machine.machine.is_inside(inner, outer)
        };
        if machine.is_composite(source) && !lies_in(state, source) {
            more.push(format!("ltail=cluster_{from}"));
        }
        if history.is_none() && machine.is_composite(state) && !lies_in(source, state) {
            more.push(format!("lhead=cluster_{to}"));
        }
        let _ = match more.is_empty() {
            true => writeln!(out, "    {from} -> {to};"),
            false => writeln!(out, "    {from} -> {to} [{}];", more.join(", ")),
        };
    }
}

fn indent(level: usize) -> String {
    "    ".repeat(level)
}

/// A text in quotes.
fn text(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// The name of a state, and below it, to the left, what the state carries out.
fn label_of(lines: &[String]) -> String {
    match lines {
        [name] => text(name),
        lines => {
            let lines: Vec<String> = lines
                .iter()
                .map(|line| format!("{}\\l", escaped(line)))
                .collect();
            format!("\"{}\"", lines.concat())
        }
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in visible(text).chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' | '\r' => out.push(' '),
            other => out.push(other),
        }
    }
    out
}
