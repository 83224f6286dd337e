//! Reports for people: the tree, the agent's script, what both sides did.

use super::Mismatch;
use crate::generate::Case;
use crate::reference::Cell;
use crate::scripts::letter;
use std::fmt::Write as _;
use treemind_core::behaviour::DecisionStep;
use treemind_core::{Behaviour, NodeId};
use treemind_doc::{About, outline_lines};

/// How many lines to show before the first difference, and from it on.
const LINES_BEFORE: usize = 20;
const LINES_AFTER: usize = 12;

/// All information needed to understand a mismatch.
pub fn report(case: &Case, mismatch: &Mismatch) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{} agents, {:?}, seed {}; differs: {}",
        case.agents, case.order, case.seed, mismatch.what
    );
    match case.behaviour() {
        Ok(behaviour) => out.push_str(&outline(&behaviour)),
        Err(error) => out.push_str(&error.to_string()),
    }
    for (place, key) in case.parts.keys.iter().enumerate() {
        let start = Cell::start(key);
        let _ = write!(out, "key {place} {} {:?} = {start:?}", key.name, key.form);
        let _ = match (&key.sensed, case.readings.get(place)) {
            (Some(sensed), Some(readings)) => writeln!(out, " {sensed:?} {readings:?}"),
            _ => writeln!(out, " {:?}", key.scope),
        };
    }
    let agent = mismatch.agent;
    let _ = writeln!(out, "script of agent {agent}:");
    for (label, answers) in case.scripts.get(agent).into_iter().flatten() {
        let letters: Vec<String> = answers.iter().map(|s| letter(*s).to_string()).collect();
        let _ = writeln!(out, "  {label}: {}", letters.join(" "));
    }
    for write in &case.writes {
        let _ = writeln!(out, "  {write:?}");
    }
    for (index, step) in case.steps.iter().enumerate() {
        if !step.ops.is_empty() {
            let _ = writeln!(out, "before tick {}: {:?}", index + 1, step.ops);
        }
    }
    let dts: Vec<u128> = case.steps.iter().map(|step| step.dt.as_millis()).collect();
    let _ = writeln!(out, "dt in ms: {dts:?}");
    let _ = writeln!(out, "tick {}, agent {agent}", mismatch.tick);
    let (executor, reference) = (&mismatch.executor, &mismatch.reference);
    let alike = executor
        .iter()
        .zip(reference)
        .take_while(|(a, b)| a == b)
        .count();
    for (whose, lines) in [("executor", executor), ("reference", reference)] {
        let _ = writeln!(out, "{whose}:");
        out.push_str(&window(lines, alike));
    }
    out
}

/// The lines around the first difference.
fn window(lines: &[String], alike: usize) -> String {
    let from = alike.saturating_sub(LINES_BEFORE);
    let to = lines.len().min(alike + LINES_AFTER);
    let mut out = String::new();
    if from > 0 {
        let _ = writeln!(out, "  ({from} lines alike)");
    }
    for (index, line) in lines.iter().enumerate().take(to).skip(from) {
        let mark = if index == alike { '>' } else { ' ' };
        let _ = writeln!(out, "{mark} {line}");
    }
    if to < lines.len() {
        let _ = writeln!(out, "  ({} more lines)", lines.len() - to);
    }
    out
}

/// The outline, with the numbers of nodes in front of their lines.
pub fn outline(behaviour: &Behaviour) -> String {
    let whole = treemind_doc::outline(behaviour);
    let lines = outline_lines(behaviour);
    // A machine or decision tree without a tree is the first line.
    let root = About::Node(behaviour.root());
    let root = if lines.iter().any(|line| line.about == root) {
        ""
    } else {
        "#0"
    };
    let mut out = String::new();
    let _ = writeln!(out, "{root:<4}{}", whole.lines().next().unwrap_or_default());
    for line in lines {
        let node = match line.about {
            About::Node(id) => Some(id),
            About::Test(id, step) => asked(behaviour, id, step),
            _ => None,
        };
        let number = node.map_or(String::new(), |id| format!("#{}", id.index()));
        let _ = writeln!(out, "{number:<4}{:2$}{1}", "", line.text, line.indent);
    }
    out
}

/// The condition that a test of a decision tree asks.
fn asked(behaviour: &Behaviour, id: NodeId, step: usize) -> Option<NodeId> {
    let node = behaviour.node(id);
    match node.kind.test(step) {
        Some(DecisionStep::Ask { child, .. }) => Some(node.children[*child]),
        _ => None,
    }
}
