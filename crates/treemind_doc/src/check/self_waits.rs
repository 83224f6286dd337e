//! Semaphores that wait for themselves: their places are held by the nodes around them.

use super::definition_graph::DefinitionGraph;
use super::tree::present;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::expression::Semaphores;
use crate::syntax::{Node, shortened};
use std::collections::BTreeMap;

/// By name, how many places of each semaphore are asked for one within the other.
type Asked = BTreeMap<String, u32>;

/// Warns of nodes that ask for a place which is never free there, also by way of trees that they hold. Nothing holds
/// itself.
pub(super) fn judge(graph: &DefinitionGraph<'_>, semaphores: &Semaphores, sink: &mut Sink) {
    if semaphores.is_empty() {
        return;
    }
    // Those that are held come first.
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

/// A definition that is walked through.
struct Walk<'a, 'n> {
    graph: &'a DefinitionGraph<'n>,
    semaphores: &'a Semaphores,
    sink: &'a mut Sink,
    /// What the others ask for, as far as that is known.
    asked: &'a [Option<Asked>],
    /// What the nodes around the next one hold.
    around: Asked,
    /// The most that is asked for at once.
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

    /// `node` asks for `inner` places one within the other, and with those that are held around it for `asked`.
    fn judge_wait(&mut self, node: &Node, name: &str, asked: u32, inner: u32) {
        let places = self.semaphores.places(name).unwrap_or(u32::MAX);
        // Where fewer places than it has are held around it, the mistake is inside, or not here for the first time.
        if asked <= places || inner > places || asked - inner > places {
            return;
        }
        let word = shortened(name);
        let message =
            format!("this waits for itself: nodes around it hold all places of semaphore `{word}`");
        let places = match places {
            1 => "there is 1 place".to_owned(),
            places => format!("there are {places} places"),
        };
        self.sink
            .warning(Code::NeverRuns, node.span.clone(), message)
            .with_help(format!(
                "{places}, and this asks for one more before one is given back: take it out, or make `max=` larger"
            ));
    }

    fn note(&mut self, name: &str, asked: u32) {
        let deepest = self.deepest.entry(name.to_owned()).or_insert(0);
        *deepest = (*deepest).max(asked);
    }
}
