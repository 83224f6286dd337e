//! Semaphores that wait for themselves: their places are held by the nodes around them.

use super::tree::present;
use super::{Checker, What};
use crate::code::Code;
use crate::syntax::{Node, shortened};
use std::collections::BTreeMap;

/// By name, how many places of each semaphore are asked for one within the other.
type Asked = BTreeMap<String, u32>;

impl Checker<'_> {
    /// Warns of nodes that ask for a place which is never free there, also by way of trees that they hold.
    pub(super) fn judge_self_waits(&mut self) {
        if self.scope.semaphores.is_empty() || self.sink.has_errors() {
            return;
        }
        // Nothing holds itself, as there are no errors: those that are held come first.
        let mut asked: Vec<Option<Asked>> = vec![None; self.held.len()];
        for first in 0..self.held.len() {
            let mut path = vec![(first, 0)];
            while let Some((held, next)) = path.pop() {
                if asked[held].is_some() {
                    continue;
                }
                if let Some((used, _)) = self.held[held].uses.get(next) {
                    path.push((held, next + 1));
                    path.push((*used, 0));
                    continue;
                }
                let mut walk = Walk {
                    asked: &asked,
                    around: Asked::new(),
                    deepest: Asked::new(),
                };
                let node = self.held[held].node;
                self.waits_in(node, &mut walk);
                asked[held] = Some(walk.deepest);
            }
        }
    }

    fn waits_in(&mut self, node: &Node, walk: &mut Walk<'_>) {
        for child in present(node.children()) {
            let word = child.name.value.as_str();
            if word == "semaphore" {
                let Some(name) = child.first_text() else {
                    continue;
                };
                let name = name.value.as_str();
                let around = walk.around.get(name).copied().unwrap_or(0) + 1;
                self.judge_wait(child, name, around, 1);
                walk.note(name, around);
                walk.around.insert(name.to_owned(), around);
                self.waits_in(child, walk);
                walk.around.insert(name.to_owned(), around - 1);
                continue;
            }
            let what = What::ALL.into_iter().find(|what| what.node_word() == word);
            let held = what.zip(child.first_text());
            let held = held.and_then(|(what, name)| self.held_named(what, &name.value));
            let asked = walk.asked;
            let inside = held.and_then(|held| asked[held].as_ref());
            for (name, inner) in inside.into_iter().flatten() {
                let around = walk.around.get(name).copied().unwrap_or(0);
                if around > 0 {
                    self.judge_wait(child, name, around + inner, *inner);
                }
                walk.note(name, around + inner);
            }
            self.waits_in(child, walk);
        }
    }

    /// `node` asks for `inner` places one within the other, and with those that are held around it for `asked`.
    fn judge_wait(&mut self, node: &Node, name: &str, asked: u32, inner: u32) {
        let places = self.scope.semaphores.places(name).unwrap_or(u32::MAX);
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
}

/// A definition that is walked through.
struct Walk<'a> {
    /// What the others ask for, as far as that is known.
    asked: &'a [Option<Asked>],
    /// What the nodes around the next one hold.
    around: Asked,
    /// The most that is asked for at once.
    deepest: Asked,
}

impl Walk<'_> {
    fn note(&mut self, name: &str, asked: u32) {
        let deepest = self.deepest.entry(name.to_owned()).or_insert(0);
        *deepest = (*deepest).max(asked);
    }
}
