//! Decision trees that may come to nothing.

use super::definition_graph::DefinitionGraph;
use super::tree::present;
use super::{Archetype, DefinitionKind};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::language;
use crate::syntax::{Node, shortened};
use std::collections::HashSet;

/// What a decision tree leaves open is perhaps forgotten, where nothing is done about it: where it runs by itself, is a
/// task of one that does, or says where a transition leads. Elsewhere it may be what is wanted, so that a `selector`
/// goes on to something else.
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
            let message = format!("`{name}` may come to nothing behind this test");
            sink.warning(Code::NoAnswer, span.clone(), message)
                .with_help("say what is done then, or `none` if nothing is");
        }
        let tasks = match held.what {
            DefinitionKind::Tree => root_of(held.node).into_iter().collect(),
            DefinitionKind::Decision => tasks_of(held.node),
            DefinitionKind::Machine => Vec::new(),
        };
        // The answer of a node that stands for another definition is that one's.
        pending.extend(tasks.into_iter().filter_map(|task| graph.stands_for(task)));
    }
}

/// The root of a tree.
pub(super) fn root_of(tree: &Node) -> Option<&Node> {
    let mut nodes = present(tree.children()).into_iter();
    nodes.find(|node| !language::is_item(&node.name.value))
}

/// What the tests of a decision tree lead to.
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
