//! Turns the draft of a decision tree into the graph that runs.

use super::super::Synchronization;
use super::{Draft, Goal};
use crate::syntax::Span;
use treemind_core::behaviour::{self, Decision, DecisionStep, TestName, Way};

/// A decision tree alone, with the places of its parts in the text. Other decision trees inside it are its leaves.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "internals"), expect(dead_code))]
pub struct Layout {
    /// The decision itself.
    pub decision: Decision,
    /// The nodes that it leads to and asks.
    pub children: Vec<behaviour::Node>,
    /// One per test: the span of its head, and whether it is a `switch` whose cases take every value.
    pub steps: Vec<(Span, bool)>,
    /// The spans of the children, without their blocks.
    pub spans: Vec<Span>,
    /// Its own keys, which come after those of the document.
    pub(crate) keys: Vec<behaviour::Key>,
    pub(crate) synchronization: Synchronization,
}

impl Draft<'_> {
    /// Finds the goal that the decision begins with, given its first part, and the tests that can be reached, each
    /// before those that it leads to. Nothing leads back to itself; an earlier check makes sure of that.
    pub(super) fn settle(&mut self, first: usize) -> (Goal, Vec<usize>) {
        self.resolve();
        let first = self.resolved(Goal::Part(first));
        (first, self.order(first))
    }

    /// The decision, with the children that it can reach, in the order of the text, and their spans.
    pub(super) fn finish(
        self,
        first: Goal,
        order: &[usize],
        tests: Vec<TestName>,
    ) -> (Decision, Vec<behaviour::Node>, Vec<Span>) {
        let mut place = vec![usize::MAX; self.steps.len()];
        for (at, step) in order.iter().enumerate() {
            place[*step] = at;
        }
        let mut is_reached = vec![false; self.children.len()];
        let mut reach = |goal: Goal| {
            if let Goal::Leaf(leaf) = goal {
                is_reached[leaf] = true;
            }
        };
        reach(first);
        for step in order {
            let step = &self.steps[*step];
            step.goals.iter().for_each(|goal| reach(*goal));
            if let DecisionStep::Ask { child, .. } = step.step {
                reach(Goal::Leaf(child));
            }
        }
        let names = self.names(&place, &is_reached);
        let mut kept: Vec<usize> = (0..is_reached.len())
            .filter(|child| is_reached[*child])
            .collect();
        kept.sort_by_key(|child| self.children[*child].1.start);
        let mut index = vec![usize::MAX; is_reached.len()];
        for (at, child) in kept.iter().enumerate() {
            index[*child] = at;
        }
        let way = |goal: Goal| match goal {
            Goal::Step(step) => Way::Step(place[step]),
            Goal::Leaf(leaf) => Way::Leaf(index[leaf]),
            Goal::Part(_) | Goal::Said | Goal::None => Way::None,
        };
        let steps = order.iter().map(|step| {
            let step = &self.steps[*step];
            let ways: Vec<Way> = step.goals.iter().map(|goal| way(*goal)).collect();
            with_ways(&step.step, &ways, &index)
        });
        let decision = Decision {
            first: way(first),
            steps: steps.collect(),
            names: names
                .into_iter()
                .map(|(goal, name)| (way(goal), name))
                .collect(),
            tests,
        };
        let spans = kept.iter().map(|child| self.children[*child].1.clone());
        let spans = spans.collect();
        let mut children: Vec<Option<behaviour::Node>> = self
            .children
            .into_iter()
            .map(|(child, _)| Some(child))
            .collect();
        let children = kept.iter().filter_map(|child| children[*child].take());
        (decision, children.collect(), spans)
    }

    /// The names of branches and of other decision trees inside this one, each with the goal that it begins with.
    fn names(&self, place: &[usize], is_reached: &[bool]) -> Vec<(Goal, String)> {
        let mut names = Vec::new();
        for placed in &self.placed {
            if let Some(name) = &placed.name {
                names.push((Goal::Part(placed.part), name.clone()));
            }
            for (name, part) in placed.branches.begun() {
                let name = match &placed.name {
                    Some(of) => format!("{of}.{name}"),
                    None => name.to_owned(),
                };
                names.push((Goal::Part(part), name));
            }
        }
        let mut names: Vec<(Goal, String)> = names
            .into_iter()
            .map(|(goal, name)| (self.resolved(goal), name))
            .collect();
        names.retain(|(goal, _)| match goal {
            Goal::Step(step) => place[*step] != usize::MAX,
            Goal::Leaf(leaf) => is_reached[*leaf],
            Goal::Part(_) | Goal::Said | Goal::None => false,
        });
        names
    }

    /// Follows every part to the test or task that it begins with. Parts may begin with other parts, so each part is
    /// followed only once.
    fn resolve(&mut self) {
        for first in 0..self.parts.len() {
            let mut path = vec![first];
            let end = loop {
                match self.parts[path[path.len() - 1]].entry {
                    Goal::Part(next) => path.push(next),
                    other => break other,
                }
            };
            for part in path {
                self.parts[part].entry = end;
            }
        }
        for step in 0..self.steps.len() {
            for way in 0..self.steps[step].goals.len() {
                let goal = self.steps[step].goals[way];
                self.steps[step].goals[way] = self.resolved(goal);
            }
        }
    }

    fn resolved(&self, goal: Goal) -> Goal {
        match goal {
            Goal::Part(part) => self.parts[part].entry,
            other => other,
        }
    }

    /// The tests that can be reached, each before those that it leads to, and otherwise in the order of the text.
    fn order(&self, first: Goal) -> Vec<usize> {
        let Goal::Step(first) = first else {
            return Vec::new();
        };
        let mut is_seen = vec![false; self.steps.len()];
        let mut order = Vec::new();
        // A test, and how many of its ways have been followed, beginning with the last way.
        let mut path = vec![(first, 0)];
        is_seen[first] = true;
        while let Some((step, followed)) = path.last_mut() {
            let goals = &self.steps[*step].goals;
            let Some(at) = goals.len().checked_sub(*followed + 1) else {
                order.push(*step);
                path.pop();
                continue;
            };
            *followed += 1;
            if let Goal::Step(next) = goals[at]
                && !std::mem::replace(&mut is_seen[next], true)
            {
                path.push((next, 0));
            }
        }
        order.reverse();
        order
    }
}

/// The test with its ways, in the order of [`DecisionStep::ways`], and with the indices of children.
#[warn(clippy::wildcard_enum_match_arm)]
fn with_ways(step: &DecisionStep, ways: &[Way], index: &[usize]) -> DecisionStep {
    let pairs = |exprs: &[(treemind_core::Expr, Way)]| {
        let exprs = exprs.iter().zip(ways);
        exprs.map(|((expr, _), way)| (expr.clone(), *way)).collect()
    };
    let last = ways.last().copied().unwrap_or(Way::None);
    match step {
        DecisionStep::Test { test, .. } => DecisionStep::Test {
            test: test.clone(),
            yes: ways[0],
            no: ways[1],
        },
        DecisionStep::Ask { child, .. } => DecisionStep::Ask {
            child: index[*child],
            yes: ways[0],
            no: ways[1],
        },
        DecisionStep::Switch { cases, .. } => DecisionStep::Switch {
            cases: pairs(cases),
            otherwise: last,
        },
        DecisionStep::Random { options, lasts, .. } => DecisionStep::Random {
            options: pairs(options),
            otherwise: last,
            lasts: lasts.clone(),
        },
        DecisionStep::Best {
            options,
            held,
            hysteresis,
            ..
        } => DecisionStep::Best {
            options: pairs(options),
            held: held.clone(),
            hysteresis: hysteresis.clone(),
            otherwise: last,
        },
        _ => treemind_core::unlisted(&step),
    }
}
