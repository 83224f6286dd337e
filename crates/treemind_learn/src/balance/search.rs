//! Searches the cheapest order of questions.
//!
//! The search goes from the top down. It tries some of the questions that still matter, each with the best tree
//! found for each of its answers. The [diagram](super::diagram) tells which questions matter, so the order can
//! change only what is asked and not what is decided. If there are few questions, every order is tried; if there
//! are many, only the most promising questions are tried, so the result may not be the best.

use super::diagram::{Diagram, End, Func};
use super::forest::{Forest, Tree, TreeId};
use super::question::Questions;
use super::rows::{Rows, Weights, is_random};
use std::collections::HashMap;
use treemind_core::KeyId;
use treemind_core::behaviour::Way;
use treemind_doc::internals::{Facts, Layout, Set};

/// Up to this many questions, every order is tried.
const FEW: usize = 5;
/// With more questions, this many of the most promising are tried.
const TRIED: usize = 3;
/// After this many decisions, only the most promising question is tried.
const WIDE: usize = 20_000;
/// After this many decisions, the search stops.
const MOST: usize = 100_000;

/// The key under which a solution is reused: what is decided, what is known about its keys, and which rows arrive.
type Known = (
    Way,
    Func,
    Vec<(KeyId, Set)>,
    Vec<Option<usize>>,
    Vec<(usize, u64)>,
);

pub(super) struct Search<'l> {
    layout: &'l Layout,
    questions: &'l Questions<'l>,
    rows: &'l Rows,
    /// Decisions that differ only in their rows get the same solution, so that they are written once.
    shares: bool,
    diagram: Diagram,
    funcs: HashMap<Way, Func>,
    randoms: HashMap<usize, TreeId>,
    memo: HashMap<Known, (f64, TreeId)>,
    made: usize,
    /// Where the current decision begins.
    from: Way,
}

/// A position in the search.
#[derive(Clone)]
struct Place<'l> {
    func: Func,
    facts: Facts<'l>,
    /// By question, the answer that was given or that follows.
    answers: Vec<Option<usize>>,
    weights: Weights,
}

impl<'l> Search<'l> {
    pub(super) fn new(
        layout: &'l Layout,
        questions: &'l Questions<'l>,
        rows: &'l Rows,
        shares: bool,
    ) -> Self {
        Self {
            layout,
            questions,
            rows,
            shares,
            diagram: Diagram::default(),
            funcs: HashMap::new(),
            randoms: HashMap::new(),
            memo: HashMap::new(),
            made: 0,
            from: Way::None,
        }
    }

    /// The best tree found; `None`: the decision tree is too large for the search.
    pub(super) fn best(&mut self, forest: &mut Forest) -> Option<TreeId> {
        let mut arrivals = self.rows.arrivals(self.layout, self.questions);
        let steps = &self.layout.decision.steps;
        for (number, step) in steps.iter().enumerate().rev() {
            if is_random(step) {
                let ways = step.ways().into_iter();
                let ways = ways.map(|way| {
                    self.decision(forest, way, arrivals.get(&way).cloned().unwrap_or_default())
                });
                let ways: Option<Vec<TreeId>> = ways.collect();
                let tree = forest.add(Tree::Random(number, ways?));
                self.randoms.insert(number, tree);
            }
        }
        let first = self.layout.decision.first;
        self.decision(forest, first, arrivals.remove(&first).unwrap_or_default())
    }

    fn decision(&mut self, forest: &mut Forest, from: Way, weights: Weights) -> Option<TreeId> {
        self.from = from;
        let place = Place {
            func: self.func(from)?,
            facts: Facts::default(),
            answers: vec![None; self.questions.all.len()],
            weights,
        };
        let (_, tree) = self.solve(forest, place)?;
        Some(tree)
    }

    /// What is decided from a way on.
    fn func(&mut self, from: Way) -> Option<Func> {
        // Tests lead only to later tests.
        for number in (0..self.layout.decision.steps.len()).rev() {
            if self.funcs.contains_key(&Way::Step(number)) {
                continue;
            }
            let func = match self.questions.of_step[number] {
                None => self.diagram.end(End::Random(number)),
                Some(question) => {
                    let ways = self.layout.decision.steps[number].ways().into_iter();
                    let ways = ways.map(|way| self.known_func(way)).collect();
                    self.diagram.by_answer(question, ways)
                }
            };
            self.funcs.insert(Way::Step(number), func);
        }
        (!self.diagram.is_full()).then(|| self.known_func(from))
    }

    fn known_func(&mut self, way: Way) -> Func {
        match way {
            Way::Step(step) => self.funcs[&Way::Step(step)],
            Way::Leaf(leaf) => self.diagram.end(End::Leaf(leaf)),
            Way::None => self.diagram.end(End::Nothing),
        }
    }

    /// The best order of the open questions, and its cost.
    fn solve(&mut self, forest: &mut Forest, mut place: Place<'l>) -> Option<(f64, TreeId)> {
        self.made += 1;
        if self.made > MOST || self.diagram.is_full() {
            return None;
        }
        self.follow(&mut place);
        if let Some(end) = self.diagram.always(place.func) {
            return Some((0.0, forest.end(end, &self.randoms)));
        }
        let known = self.known(&place);
        if let Some(found) = self.memo.get(&known) {
            return Some(*found);
        }
        let mut best: Option<(f64, TreeId)> = None;
        for question in self.candidates(&place) {
            let whole: f64 = place.weights.iter().map(|(_, weight)| weight).sum();
            let own = whole * self.rows.cost_of(question);
            // Tiny improvements do not count, because numbers are rounded.
            let is_hopeless = |cost: f64| best.is_some_and(|(best, _)| cost >= best - 1e-9);
            if is_hopeless(own) {
                continue;
            }
            let open = self.questions.open_ways(&place.facts, question);
            let parts = self.rows.split(&place.weights, question, &open);
            let mut cost = own;
            let mut ways = vec![None; self.questions.all[question].ways];
            for (way, weights) in open.into_iter().zip(parts) {
                let mut answers = place.answers.clone();
                answers[question] = Some(way);
                let inner = Place {
                    func: self.diagram.restrict(place.func, question, way),
                    facts: self.questions.after(&place.facts, question, way)?,
                    answers,
                    weights,
                };
                let (below, tree) = self.solve(forest, inner)?;
                cost += below;
                ways[way] = Some(tree);
            }
            if !is_hopeless(cost) {
                best = Some((cost, forest.add(Tree::Ask(question, ways))));
            }
        }
        if let Some(best) = best {
            self.memo.insert(known, best);
        }
        best
    }

    /// Fills in answers that follow from the known ones.
    fn follow(&mut self, place: &mut Place<'l>) {
        let support = self.diagram.support(place.func);
        for question in bits(support) {
            if let [only] = self.questions.open_ways(&place.facts, question)[..] {
                place.func = self.diagram.restrict(place.func, question, only);
                place.answers[question] = Some(only);
            }
        }
    }

    fn known(&self, place: &Place<'l>) -> Known {
        let support = self.diagram.support(place.func);
        let wanted = |key| self.questions.reads(support, key);
        let facts = place.facts.of_keys(wanted);
        let has_timid = bits(support).any(|question| self.questions.all[question].is_timid);
        let answers = match has_timid {
            true => place.answers.clone(),
            false => Vec::new(),
        };
        let weights = place.weights.iter();
        let weights = weights.map(|(row, weight)| (*row, weight.to_bits()));
        let weights = match self.shares {
            true => Vec::new(),
            false => weights.collect(),
        };
        (self.from, place.func, facts, answers, weights)
    }

    /// The questions to try: first the one that the original asks next, then the most promising ones.
    fn candidates(&self, place: &Place<'l>) -> Vec<usize> {
        let support = self.diagram.support(place.func);
        let next = self.next(place);
        let is_free = |question: &usize| {
            !self.questions.all[*question].is_timid || self.is_sure(place, *question)
        };
        let mut tried: Vec<usize> = bits(support).filter(is_free).collect();
        if tried.is_empty() {
            return next.into_iter().collect();
        }
        let first = next.filter(|next| tried.contains(next)).unwrap_or(tried[0]);
        if place.weights.is_empty() {
            return vec![first];
        }
        let count = tried.len();
        let mut scored: Vec<(f64, usize)> = tried
            .drain(..)
            .map(|question| (self.promise(place, question), question))
            .collect();
        scored.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
        let most = match (self.made > WIDE, count <= FEW) {
            (true, _) => 1,
            (false, true) => count,
            (false, false) => TRIED,
        };
        let mut tried: Vec<usize> = scored.into_iter().map(|(_, question)| question).collect();
        tried.truncate(most);
        if self.made <= WIDE {
            tried.retain(|question| *question != first);
            tried.insert(0, first);
        }
        tried
    }

    /// How much an answer tells about the result, in bits per cost (as in ID3, Quinlan 1986).
    fn promise(&self, place: &Place<'l>, question: usize) -> f64 {
        let open = self.questions.open_ways(&place.facts, question);
        let parts = self.rows.split(&place.weights, question, &open);
        let after: f64 = parts.iter().map(|part| self.disorder(part)).sum();
        let gain = self.disorder(&place.weights) - after;
        gain / self.rows.cost_of(question).max(1e-6)
    }

    /// The entropy of the results of rows, times the weight of the rows.
    fn disorder(&self, weights: &Weights) -> f64 {
        let mut ends: HashMap<Option<End>, f64> = HashMap::new();
        for (row, weight) in weights {
            let end = self.rows.end(self.layout, self.questions, *row, self.from);
            *ends.entry(end).or_default() += weight;
        }
        let whole: f64 = weights.iter().map(|(_, weight)| weight).sum();
        let mut shares: Vec<f64> = ends.into_values().collect();
        // Sorted, so that the sum is the same in every run.
        shares.sort_by(f64::total_cmp);
        shares
            .iter()
            .map(|share| -share * (share / whole).log2())
            .sum()
    }

    /// The question that the original decision tree asks next.
    fn next(&self, place: &Place<'l>) -> Option<usize> {
        let mut way = self.from;
        while let Way::Step(step) = way {
            let question = self.questions.of_step[step]?;
            let Some(answer) = place.answers[question] else {
                match self.questions.open_ways(&place.facts, question)[..] {
                    [only] => way = self.layout.decision.steps[step].ways()[only],
                    _ => return Some(question),
                }
                continue;
            };
            way = self.layout.decision.steps[step].ways()[answer];
        }
        None
    }

    /// Whether the original decision tree asks a question whatever the answers to the other open questions are.
    fn is_sure(&self, place: &Place<'l>, question: usize) -> bool {
        let steps = &self.layout.decision.steps;
        let mut sure: Vec<bool> = vec![false; steps.len()];
        let is_sure = |sure: &[bool], way: Way| match way {
            Way::Step(step) => sure[step],
            Way::Leaf(_) | Way::None => false,
        };
        for (number, step) in steps.iter().enumerate().rev() {
            let Some(asked) = self.questions.of_step[number] else {
                continue;
            };
            let ways = step.ways();
            sure[number] = asked == question
                || match place.answers[asked] {
                    Some(answer) => is_sure(&sure, ways[answer]),
                    None => {
                        let open = self.questions.open_ways(&place.facts, asked);
                        !open.is_empty() && open.iter().all(|way| is_sure(&sure, ways[*way]))
                    }
                };
        }
        is_sure(&sure, self.from)
    }
}

/// The original decision tree.
pub(super) fn as_it_is(
    layout: &Layout,
    questions: &Questions<'_>,
    forest: &mut Forest,
) -> Vec<TreeId> {
    let mut trees: Vec<TreeId> = vec![0; layout.decision.steps.len()];
    for (number, step) in layout.decision.steps.iter().enumerate().rev() {
        let ways = step.ways().into_iter();
        let ways = ways.map(|way| whole(&trees, way, forest));
        let ways: Vec<TreeId> = ways.collect();
        trees[number] = match questions.of_step[number] {
            Some(question) => {
                let ways = ways.into_iter().enumerate();
                let none = Facts::default();
                let ways =
                    ways.map(|(way, tree)| questions.after(&none, question, way).map(|_| tree));
                let ways = ways.collect();
                forest.add(Tree::Ask(question, ways))
            }
            None => forest.add(Tree::Random(number, ways)),
        };
    }
    trees
}

/// The tree that a way leads to.
pub(super) fn whole(trees: &[TreeId], way: Way, forest: &mut Forest) -> TreeId {
    match way {
        Way::Step(step) => trees[step],
        Way::Leaf(leaf) => forest.add(Tree::Leaf(leaf)),
        Way::None => forest.add(Tree::Nothing),
    }
}

fn bits(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let bit = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(bit)
    })
}
