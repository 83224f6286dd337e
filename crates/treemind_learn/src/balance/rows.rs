//! The answers in a profile, and the cost of a decision tree with them.
//!
//! A path in a profile gives the answers to some questions, and says nothing about the others. Anything that
//! follows from the answers counts as known. For every other question, its overall share of answers in the profile
//! is used (with one of each answer added), as if it did not depend on the other questions.

use super::diagram::End;
use super::forest::{Forest, Tree, TreeId};
use super::question::Questions;
use crate::profile::DecisionProfile;
use std::collections::HashMap;
use treemind_core::behaviour::{DecisionStep, Way};
use treemind_doc::internals::{Facts, Layout};

/// Smaller weights are left out, relative to a whole of 1 per row.
const LIGHTEST: f64 = 1e-9;

/// Answers that came together, with how often they did.
pub(super) struct Row {
    pub(super) count: f64,
    /// By question.
    pub(super) answers: Vec<Option<usize>>,
    /// The drawn options, by test.
    drawn: HashMap<usize, usize>,
}

/// Everything that a profile says about one decision tree.
pub(super) struct Rows {
    pub(super) all: Vec<Row>,
    /// By question: how likely its answers are if nothing else is known.
    pub(super) shares: Vec<Vec<f64>>,
    costs: Vec<f64>,
}

/// Rows, with the weight of each.
pub(super) type Weights = Vec<(usize, f64)>;

/// The total cost of decisions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    pub(super) tests: f64,
    pub(super) cost: f64,
    /// How many of the answers were estimated.
    pub(super) guessed: f64,
}

impl Rows {
    pub(super) fn new(
        layout: &Layout,
        questions: &Questions<'_>,
        profile: &DecisionProfile,
    ) -> Self {
        let tests = &layout.decision.tests;
        let all = profile.answers(tests).into_iter().map(|(path, count)| {
            let mut row = Row {
                count,
                answers: vec![None; questions.all.len()],
                drawn: HashMap::new(),
            };
            let mut facts = Some(Facts::default());
            for (step, way) in path {
                match questions.of_step[step] {
                    Some(question) => {
                        row.answers[question] = Some(way);
                        facts = facts.and_then(|facts| questions.after(&facts, question, way));
                    }
                    None => {
                        row.drawn.insert(step, way);
                    }
                }
            }
            if let Some(facts) = facts {
                row.follow(questions, &facts);
            }
            row
        });
        let all: Vec<Row> = all.collect();
        let mut shares: Vec<Vec<f64>> = questions
            .all
            .iter()
            .map(|one| vec![1.0; one.ways])
            .collect();
        for row in &all {
            for (question, answer) in row.answers.iter().enumerate() {
                if let Some(way) = answer {
                    shares[question][*way] += row.count;
                }
            }
        }
        for share in &mut shares {
            let sum: f64 = share.iter().sum();
            share.iter_mut().for_each(|share| *share /= sum);
        }
        let known = questions.named(tests);
        let cost = |question: usize| {
            let mut names = known.iter().filter(|(_, other)| *other == question);
            let known = names.find_map(|(name, _)| profile.position(name));
            known.map_or(questions.all[question].cost, |test| {
                profile.tests()[test].cost
            })
        };
        let costs = (0..questions.all.len()).map(cost).collect();
        Self { all, shares, costs }
    }

    /// All rows, as they arrive at the start of the decision tree.
    pub(super) fn whole(&self) -> Weights {
        let rows = self.all.iter().enumerate();
        rows.map(|(number, row)| (number, row.count)).collect()
    }

    /// The cost of a question.
    pub(super) fn cost_of(&self, question: usize) -> f64 {
        self.costs[question]
    }

    /// The rows that arrive at each decision: at the whole tree, and after the options of each `random`.
    pub(super) fn arrivals(
        &self,
        layout: &Layout,
        questions: &Questions<'_>,
    ) -> HashMap<Way, Weights> {
        let mut arrivals: HashMap<Way, Weights> = HashMap::new();
        for (number, row) in self.all.iter().enumerate() {
            let mut way = layout.decision.first;
            arrivals.entry(way).or_default().push((number, row.count));
            while let Way::Step(step) = way {
                let ways = layout.decision.steps[step].ways();
                let taken = match questions.of_step[step] {
                    Some(question) => row.answers[question],
                    None => row.drawn.get(&step).copied(),
                };
                let Some(taken) = taken else { break };
                way = ways[taken];
                if questions.of_step[step].is_none() {
                    arrivals.entry(way).or_default().push((number, row.count));
                }
            }
        }
        arrivals
    }

    /// The end that a row reaches in a decision, if it is known.
    pub(super) fn end(
        &self,
        layout: &Layout,
        questions: &Questions<'_>,
        row: usize,
        mut way: Way,
    ) -> Option<End> {
        loop {
            way = match way {
                Way::None => return Some(End::Nothing),
                Way::Leaf(leaf) => return Some(End::Leaf(leaf)),
                Way::Step(step) => match questions.of_step[step] {
                    None => return Some(End::Random(step)),
                    Some(question) => {
                        layout.decision.steps[step].ways()[self.all[row].answers[question]?]
                    }
                },
            };
        }
    }

    /// The rows for each of the answers that a question can still have.
    pub(super) fn split(&self, weights: &Weights, question: usize, open: &[usize]) -> Vec<Weights> {
        let shares = &self.shares[question];
        let whole: f64 = open.iter().map(|way| shares[*way]).sum();
        let mut parts = vec![Weights::new(); open.len()];
        for (row, weight) in weights {
            let answer = self.all[*row].answers[question];
            if let Some(at) = answer.and_then(|answer| open.iter().position(|way| *way == answer)) {
                parts[at].push((*row, *weight));
                continue;
            }
            for (part, way) in parts.iter_mut().zip(open) {
                let weight = weight * shares[*way] / whole;
                if weight > LIGHTEST * self.all[*row].count {
                    part.push((*row, weight));
                }
            }
        }
        parts
    }

    /// The cost of a decision tree with these rows.
    pub(super) fn weigh(&self, forest: &Forest, tree: TreeId, weights: Weights) -> Sum {
        let mut sum = Sum::default();
        let mut pending = vec![(tree, weights)];
        while let Some((tree, weights)) = pending.pop() {
            if weights.is_empty() {
                continue;
            }
            let whole: f64 = weights.iter().map(|(_, weight)| weight).sum();
            match forest.get(tree) {
                Tree::Leaf(_) | Tree::Nothing => {}
                Tree::Ask(question, ways) => {
                    sum.tests += whole;
                    sum.cost += whole * self.costs[*question];
                    let unknown = weights.iter();
                    let unknown =
                        unknown.filter(|(row, _)| self.all[*row].answers[*question].is_none());
                    sum.guessed += unknown.map(|(_, weight)| weight).sum::<f64>();
                    let open: Vec<usize> =
                        (0..ways.len()).filter(|way| ways[*way].is_some()).collect();
                    let parts = self.split(&weights, *question, &open);
                    pending.extend(ways.iter().flatten().copied().zip(parts));
                }
                Tree::Random(step, ways) => {
                    sum.tests += whole;
                    sum.cost += whole * crate::profile::TEST_COST;
                    for (way, tree) in ways.iter().enumerate() {
                        let drawn = |row: &usize| self.all[*row].drawn.get(step) == Some(&way);
                        let part = weights.iter().filter(|(row, _)| drawn(row));
                        pending.push((*tree, part.copied().collect()));
                    }
                }
            }
        }
        sum
    }
}

impl Row {
    /// Fills in answers that follow from the known ones.
    fn follow(&mut self, questions: &Questions<'_>, facts: &Facts<'_>) {
        for question in 0..questions.all.len() {
            if self.answers[question].is_none()
                && let [only] = questions.open_ways(facts, question)[..]
            {
                self.answers[question] = Some(only);
            }
        }
    }
}

/// Whether a test is a draw, or a choice by scores: neither can be told from answers.
pub(super) fn is_random(step: &DecisionStep) -> bool {
    matches!(
        step,
        DecisionStep::Random { .. } | DecisionStep::Best { .. }
    )
}
