//! What a search has looked at, as a graph.

use super::Prospect;
use treemind_core::planning::{COST_SCALE, Desk, Search, Situation};
use treemind_core::{KeyId, Value};

/// A situation that a search has reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Reached {
    /// Its predecessor, by its position in the list, and the step that leads from there; `None` of the first one.
    pub from: Option<(usize, usize)>,
    /// How many steps lead to it.
    pub steps: usize,
    /// What they cost.
    pub cost: f64,
    /// What is still to be paid at least.
    pub estimate: f64,
    /// Whether the search has looked at it; otherwise it has only been reached.
    pub is_looked_at: bool,
    /// Whether the plan leads through it.
    pub is_on_plan: bool,
    /// The facts that are others than in its predecessor.
    pub changes: Vec<(KeyId, Option<Value>)>,
}

/// What a search has reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Searched {
    /// The situations, in the order in which they were reached; the first ones of many.
    pub situations: Vec<Reached>,
    /// How many there were.
    pub of: usize,
    /// How many of them the search looked at.
    pub expansions: u32,
}

/// How many situations are looked at.
const MOST_EXPANSIONS: u32 = 50_000;

impl Prospect<'_> {
    /// What the search for a plan for a goal has reached: the first `most` situations, and all through which the plan leads.
    /// There are none of a goal that does a task.
    pub fn search_of(&self, goal: usize, most: usize) -> Searched {
        let mut desk = Desk::default();
        let found =
            self.domain
                .search(goal, &self.facts, self.left_out, MOST_EXPANSIONS, &mut desk);
        let all: Vec<_> = desk.situations().collect();
        let mut on_plan = Vec::new();
        if matches!(found, Search::Found { .. }) && !all.is_empty() {
            on_plan = through(&all, &desk.plan);
        }
        let first = |at: &usize| *at < most || on_plan.contains(at);
        let shown: Vec<usize> = (0..all.len()).filter(first).collect();
        let situations = shown.iter().map(|at| {
            let one = all[*at];
            let from = one.from.and_then(|(before, step)| {
                let place = shown.binary_search(&before).ok()?;
                Some((place, step))
            });
            let changes = one.from.map_or(Vec::new(), |(before, _)| {
                self.differences(&desk.facts(before), &desk.facts(*at))
            });
            Reached {
                from,
                steps: one.steps,
                cost: one.cost as f64 / COST_SCALE,
                estimate: one.estimate as f64 / COST_SCALE,
                is_looked_at: one.is_closed,
                is_on_plan: on_plan.contains(at),
                changes,
            }
        });
        Searched {
            situations: situations.collect(),
            of: all.len(),
            expansions: desk.expansions,
        }
    }

    pub(super) fn differences(&self, before: &[u64], now: &[u64]) -> Vec<(KeyId, Option<Value>)> {
        let facts = self.domain.facts();
        let values = facts.map(|key| (key, self.domain.value(now, key)));
        values
            .filter(|(key, value)| self.domain.value(before, *key) != *value)
            .collect()
    }
}

/// The situations through which a plan leads, by their numbers.
fn through(all: &[Situation], plan: &[u8]) -> Vec<usize> {
    let mut on_plan = vec![0];
    for step in plan {
        let from = on_plan.last().map(|before| (*before, usize::from(*step)));
        on_plan.extend(all.iter().position(|one| one.from == from));
    }
    on_plan
}
