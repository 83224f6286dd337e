//! Which definitions hold which others, and which ones hold themselves.

use super::DefinitionKind;
use super::subtree::{DefinitionNode, Item};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::said;
use crate::symbols::SymbolKind;
use crate::syntax::{Node, shortened};
use crate::text::cycles::{circles, row};
use std::collections::{HashMap, HashSet};
use std::ops::{Deref, DerefMut};

/// All trees, machines and decision trees, as seen by the definitions that hold them.
#[derive(Debug, Default)]
pub(super) struct DefinitionGraph<'n> {
    all: Vec<DefinitionNode<'n>>,
    /// The first definition with each name.
    ids: HashMap<DefinitionKind, HashMap<String, usize>>,
    /// How many times definitions hold one another.
    pub(super) uses: usize,
    /// The decision trees that transitions use.
    pub(super) deciders: Vec<usize>,
}

impl<'n> Deref for DefinitionGraph<'n> {
    type Target = [DefinitionNode<'n>];

    fn deref(&self) -> &Self::Target {
        &self.all
    }
}

impl DerefMut for DefinitionGraph<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.all
    }
}

impl<'n> DefinitionGraph<'n> {
    pub(super) fn add(&mut self, held: DefinitionNode<'n>) {
        let ids = self.ids.entry(held.what).or_default();
        ids.entry(held.name.clone()).or_insert(self.all.len());
        self.all.push(held);
    }

    /// The tree, machine or decision tree with that name.
    pub(super) fn named(&self, what: DefinitionKind, name: &str) -> Option<usize> {
        self.ids.get(&what)?.get(name).copied()
    }

    /// The same, as names are resolved.
    pub(super) fn resolved(&self, (kind, name): (SymbolKind, &str)) -> Option<usize> {
        let mut all = DefinitionKind::ALL.into_iter();
        self.named(all.find(|what| what.symbol() == kind)?, name)
    }

    /// The definition that a node of a tree stands for.
    pub(super) fn stands_for(&self, node: &Node) -> Option<usize> {
        let mut all = DefinitionKind::ALL.into_iter();
        let what = all.find(|what| what.node_word() == node.name.value)?;
        self.named(what, &node.first_text()?.value)
    }

    /// Whether there are only planners without goals: sets of steps for other files.
    pub(super) fn is_only_steps(&self) -> bool {
        self.all.iter().all(|one| one.lacks_goals)
    }

    /// Whether another planner takes the steps of this one.
    pub(super) fn is_used(&self, held: usize) -> bool {
        let mut others = (0..self.all.len()).filter(|other| *other != held);
        others.any(|other| self.used_by(other).any(|used| used == held))
    }

    /// The planners whose steps a planner takes with `use`.
    fn used_by(&self, planner: usize) -> impl Iterator<Item = usize> {
        let planner = &self.all[planner];
        let is_planner = planner.what == DefinitionKind::Planner;
        let parts = planner.node.children().iter();
        let used = parts.filter(move |part| is_planner && part.name.value == "use");
        used.filter_map(|part| self.named(DefinitionKind::Planner, &part.first_text()?.value))
    }

    /// Whether a planner takes the steps of another one, or of one that takes them.
    fn takes_steps_of(&self, planner: usize, held: usize) -> bool {
        let mut seen = HashSet::new();
        let mut pending: Vec<usize> = self.used_by(planner).collect();
        while let Some(used) = pending.pop() {
            if seen.insert(used) {
                pending.extend(self.used_by(used));
            }
        }
        seen.contains(&held)
    }

    /// The definitions that others hold or may hold.
    pub(super) fn by_others(&self) -> HashSet<usize> {
        if self.all.iter().any(|held| held.chooses_freely) {
            return (0..self.all.len()).collect();
        }
        let uses = self.all.iter().flat_map(|held| &held.uses);
        uses.map(|(held, _)| *held).collect()
    }

    /// The trees that can run at the end of `path` without arguments: a tree must not be on the path, and must not lead
    /// back to it.
    pub(super) fn not_on_the_way(&self, path: &[usize]) -> Vec<usize> {
        let count = self.all.len();
        let mut holders: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (holder, held) in self.all.iter().enumerate() {
            for (inner, _) in &held.uses {
                holders[*inner].push(holder);
            }
        }
        let mut leads_back = vec![false; count];
        let mut pending = path.to_vec();
        while let Some(tree) = pending.pop() {
            if !std::mem::replace(&mut leads_back[tree], true) {
                pending.extend(&holders[tree]);
            }
        }
        let may = |index: &usize| {
            let held = &self.all[*index];
            let is_first = self.named(DefinitionKind::Tree, &held.name) == Some(*index);
            let needs = held.items.iter().any(Item::is_required) || held.heir_of.is_some();
            is_first && !needs && !leads_back[*index]
        };
        (0..count).filter(may).collect()
    }

    /// Reports definitions that hold themselves.
    pub(super) fn judge_cycles(&self, sink: &mut Sink) {
        let count = self.all.len();
        for (circle, span) in circles(count, count, |held| &self.all[held].uses) {
            let name = |held: usize| format!("`{}`", shortened(&self.all[held].name));
            let (own, word) = (name(circle[0]), self.all[circle[0]].what.called());
            let message = match circle.len() {
                1 => said!("{} {} contains itself", word, own),
                _ => said!("{} {} contains itself: {}", word, own, row(&circle, name)),
            };
            let is_decision = |held: &usize| self.all[*held].what == DefinitionKind::Decision;
            let mut next = circle.iter().cycle().skip(1);
            let is_by_use = circle.iter().all(|planner| {
                let held = next.next();
                held.is_some_and(|held| self.takes_steps_of(*planner, *held))
            });
            let help = match circle.iter().all(is_decision) {
                true => said!("remove the cycle: decisions are made again in every tick anyway"),
                false if is_by_use && self.used_by(circle[0]).any(|used| [used] == circle[..]) => {
                    said!("remove this `use`: a planner has its own steps anyway")
                }
                false if is_by_use => said!(
                    "remove one `use`; steps and tasks that several planners need can stand in one of their own, which all of them use"
                ),
                false => sink.say(
                    said!("to do something again, use a loop such as `repeat forever { … }`"),
                    said!("to do something again, use a loop such as `<Repeat>`"),
                ),
            };
            sink.error(Code::Cycle, span, message).with_help(help);
        }
    }
}
