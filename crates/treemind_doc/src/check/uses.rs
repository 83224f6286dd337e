//! Which trees and machines hold which, and those that hold themselves.

use super::subtree::{Item, MAX_NODES};
use super::{Checker, What};
use crate::code::Code;
use crate::syntax::{Span, shortened};
use std::collections::HashSet;

impl Checker<'_> {
    /// Notes that the tree that is being checked holds others. False when all trees together hold more than fit: each
    /// of them will be put there.
    pub(super) fn note_uses(&mut self, held: &[usize], span: &Span) -> bool {
        self.uses += held.len();
        if self.uses > MAX_NODES {
            self.too_large(span.clone());
            return false;
        }
        let uses = held.iter().map(|held| (*held, span.clone()));
        self.held[self.current].uses.extend(uses);
        true
    }

    /// The trees that others hold, or may.
    pub(super) fn held_by_others(&self) -> HashSet<usize> {
        if self.held.iter().any(|held| held.chooses_freely) {
            return (0..self.held.len()).collect();
        }
        let uses = self.held.iter().flat_map(|held| &held.uses);
        uses.map(|(held, _)| *held).collect()
    }

    /// Notes that a key may choose any tree in the one that is being checked.
    pub(super) fn note_free_choice(&mut self) {
        self.held[self.current].chooses_freely = true;
    }

    /// Whether trees are being put into one that nothing holds there.
    pub(super) fn is_outermost(&self) -> bool {
        let places = self.places.as_ref();
        places.is_some_and(|places| places.path.len() == 1)
    }

    /// The trees that may stand here, with nothing given to them: none that is on the way here, or leads back there.
    pub(super) fn not_on_the_way(&mut self) -> Vec<usize> {
        let all = self.held.len();
        self.spend(all + self.uses);
        let mut holders: Vec<Vec<usize>> = vec![Vec::new(); all];
        for (holder, held) in self.held.iter().enumerate() {
            for (inner, _) in &held.uses {
                holders[*inner].push(holder);
            }
        }
        let mut leads_back = vec![false; all];
        let mut pending = self
            .places
            .as_ref()
            .map_or(Vec::new(), |places| places.path.clone());
        while let Some(tree) = pending.pop() {
            if !std::mem::replace(&mut leads_back[tree], true) {
                pending.extend(&holders[tree]);
            }
        }
        let may = |index: &usize| {
            let held = &self.held[*index];
            let is_first = self.held_ids.get(&held.name) == Some(index);
            let needs = held.items.iter().any(Item::is_required) || held.heir_of.is_some();
            is_first && !needs && !leads_back[*index]
        };
        (0..all).filter(may).collect()
    }

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
        let word = self.held[held].what.called();
        let message = if circle.len() == 1 {
            format!("{word} {own} holds itself")
        } else {
            names.push(own.clone());
            format!("{word} {own} holds itself: {}", names.join(" → "))
        };
        let is_decision = |held: &usize| self.held[*held].what == What::Decision;
        let help = match circle.iter().all(is_decision) {
            true => "it is decided afresh in every tick anyway",
            false => "a loop, such as `repeat forever { … }`, does things again",
        };
        self.sink.error(Code::Cycle, span, message).with_help(help);
    }
}
