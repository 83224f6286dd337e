//! Trees and machines that hold themselves.

use super::Checker;
use crate::code::Code;
use crate::syntax::{Span, shortened};

impl Checker<'_> {
    /// Finds trees that hold themselves. Trees may hold one another in a long row, so it does not recurse.
    pub(super) fn cycles(&mut self) {
        // `None`: not seen; else how many of its uses have been looked at.
        const DONE: usize = usize::MAX;
        let mut next: Vec<Option<usize>> = vec![None; self.held.len()];
        for first in 0..self.held.len() {
            let mut path = vec![first];
            while let Some(&tree) = path.last() {
                let at = next[tree].unwrap_or(0);
                if at == DONE || at >= self.held[tree].uses.len() {
                    next[tree] = Some(DONE);
                    path.pop();
                    continue;
                }
                next[tree] = Some(at + 1);
                let (held, span) = self.held[tree].uses[at].clone();
                match next[held] {
                    None => path.push(held),
                    Some(DONE) => {}
                    Some(_) => {
                        let from = path.iter().position(|tree| *tree == held).unwrap_or(0);
                        let circle = &path[from..];
                        self.cycle(held, circle, span);
                    }
                }
            }
        }
    }

    fn cycle(&mut self, held: usize, circle: &[usize], span: Span) {
        const MOST: usize = 12;
        let name = |tree: &usize| format!("`{}`", shortened(&self.held[*tree].name));
        let mut names: Vec<String> = circle.iter().take(MOST).map(name).collect();
        if circle.len() > MOST {
            names.push("…".to_owned());
        }
        let own = name(&held);
        let word = self.held[held].what.word();
        let message = if circle.len() == 1 {
            format!("{word} {own} holds itself")
        } else {
            names.push(own.clone());
            format!("{word} {own} holds itself: {}", names.join(" → "))
        };
        self.sink
            .error(Code::Cycle, span, message)
            .with_help("a loop, such as `repeat forever { … }`, does things again");
    }
}
