//! Semaphores that wait for themselves because the nodes around them hold all places.

use super::definition_graph::DefinitionGraph;
use super::tree::present;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::expression::Semaphores;
use crate::said;
use crate::syntax::{Node, shortened};
use std::collections::BTreeMap;

/// For each semaphore name: how many places nested nodes ask for.
type Asked = BTreeMap<String, u32>;

/// Warns of nodes that ask for a place that is never free there, also through the trees that they hold. No definition
/// contains itself here.
pub(super) fn judge(graph: &DefinitionGraph<'_>, semaphores: &Semaphores, sink: &mut Sink) {
    if semaphores.is_empty() {
        return;
    }
    // Definitions that are held come before those that hold them.
    let mut asked: Vec<Option<Asked>> = vec![None; graph.len()];
    for first in 0..graph.len() {
        let mut path = vec![(first, 0)];
        while let Some((held, next)) = path.pop() {
            if asked[held].is_some() {
                continue;
            }
            if let Some((used, _)) = graph[held].uses.get(next) {
                path.push((held, next + 1));
                path.push((*used, 0));
                continue;
            }
            let mut walk = Walk {
                graph,
                semaphores,
                sink,
                asked: &asked,
                around: Asked::new(),
                deepest: Asked::new(),
            };
            walk.waits_in(graph[held].node);
            asked[held] = Some(walk.deepest);
        }
    }
}

/// The walk through one definition.
struct Walk<'a, 'n> {
    graph: &'a DefinitionGraph<'n>,
    semaphores: &'a Semaphores,
    sink: &'a mut Sink,
    /// What the other definitions ask for, where that is known already.
    asked: &'a [Option<Asked>],
    /// What the nodes around the next one hold.
    around: Asked,
    /// The most places that are asked for at once.
    deepest: Asked,
}

impl Walk<'_, '_> {
    fn waits_in(&mut self, node: &Node) {
        for child in present(node.children()) {
            if child.name.value == "semaphore" {
                let Some(name) = child.first_text() else {
                    continue;
                };
                let name = name.value.as_str();
                let around = self.around.get(name).copied().unwrap_or(0) + 1;
                self.judge_wait(child, name, around, 1);
                self.note(name, around);
                self.around.insert(name.to_owned(), around);
                self.waits_in(child);
                self.around.insert(name.to_owned(), around - 1);
                continue;
            }
            let held = self.graph.stands_for(child);
            let asked = self.asked;
            let inside = held.and_then(|held| asked[held].as_ref());
            for (name, inner) in inside.into_iter().flatten() {
                let around = self.around.get(name).copied().unwrap_or(0);
                if around > 0 {
                    self.judge_wait(child, name, around + inner, *inner);
                }
                self.note(name, around + inner);
            }
            self.waits_in(child);
        }
    }

    /// `node` asks for `inner` nested places. Together with the places that the nodes around it hold, that makes
    /// `asked`.
    fn judge_wait(&mut self, node: &Node, name: &str, asked: u32, inner: u32) {
        let places = self.semaphores.places(name).unwrap_or(u32::MAX);
        // Warn only at the first node that exceeds the number of places. If the nodes inside need too many, the mistake
        // is there; if the nodes around hold too many, it was reported there.
        if asked <= places || inner > places || asked - inner > places {
            return;
        }
        let word = shortened(name);
        let message = said!(
            "this waits for itself: its ancestors hold all places of semaphore `{}`",
            word
        );
        let places = match places {
            1 => said!("there is 1 place"),
            places => said!("there are {} places", places),
        };
        self.sink
            .warning(Code::NeverRuns, node.span.clone(), message)
            .with_help(said!(
                "remove it, or increase `max=`: {}, and this asks for one more before any is free",
                places
            ));
    }

    fn note(&mut self, name: &str, asked: u32) {
        let deepest = self.deepest.entry(name.to_owned()).or_insert(0);
        *deepest = (*deepest).max(asked);
    }
}
