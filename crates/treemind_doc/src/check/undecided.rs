//! Decision trees that may decide nothing.

use super::definition_graph::DefinitionGraph;
use super::tree::present;
use super::{Archetype, DefinitionKind};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::language;
use crate::said;
use crate::syntax::{Node, shortened};
use std::collections::HashSet;

/// Warns of an open way in a decision tree, which is perhaps forgotten. The warning is only for a decision tree that
/// runs alone, that is a task of one that does, or that says where a transition leads. Elsewhere the open way may be
/// intended, so that a `selector` tries something else.
pub(super) fn judge(
    graph: &DefinitionGraph<'_>,
    main: Option<&(DefinitionKind, String)>,
    archetypes: &[Archetype],
    sink: &mut Sink,
) {
    let archetypes = archetypes.iter().map(|one| &one.runs);
    let alone = main.into_iter().chain(archetypes);
    let alone = alone.filter_map(|(what, name)| graph.named(*what, name));
    let mut pending: Vec<usize> = alone.chain(graph.deciders.iter().copied()).collect();
    let mut seen = HashSet::new();
    while let Some(index) = pending.pop() {
        if !seen.insert(index) {
            continue;
        }
        let held = &graph[index];
        if let Some(span) = &held.unsaid {
            let name = shortened(&held.name);
            let message = said!("`{}` may end without a decision after this test", name);
            sink.warning(Code::NoAnswer, span.clone(), message)
                .with_help(said!("add what to do then, or `none` for nothing"));
        }
        let tasks = match held.what {
            DefinitionKind::Tree => root_of(held.node).into_iter().collect(),
            DefinitionKind::Decision => tasks_of(held.node),
            // A step of a planner may fail: the planner then looks for another way.
            DefinitionKind::Machine | DefinitionKind::Planner => Vec::new(),
        };
        // A node that stands for another definition has the answer of that definition.
        pending.extend(tasks.into_iter().filter_map(|task| graph.stands_for(task)));
    }
}

/// The root of a tree.
pub(super) fn root_of(tree: &Node) -> Option<&Node> {
    let mut nodes = present(tree.children()).into_iter();
    nodes.find(|node| !language::is_item(&node.name.value))
}

/// The tasks that a decision tree leads to.
pub(super) fn tasks_of(decision: &Node) -> Vec<&Node> {
    let mut tasks = Vec::new();
    let mut lists = vec![decision];
    while let Some(list) = lists.pop() {
        for node in present(list.children()) {
            match language::is_decision_list(&node.name.value) {
                true => lists.push(node),
                false => tasks.push(node),
            }
        }
    }
    tasks
}
