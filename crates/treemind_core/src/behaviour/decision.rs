//! Decision trees: tests that lead down to one task.
//!
//! The tests form a graph rather than a tree: parts may be shared. Steps lead only to later steps, so there are no
//! cycles.

use super::machine::ChildIndex;
use super::{Kind, KindPart, Node};
use crate::expr::Expr;
use crate::value::Type;

/// The tests of a decision tree, from the top to its leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Where it begins.
    pub first: Way,
    /// The tests; each leads only to later ones.
    pub steps: Vec<DecisionStep>,
    /// The names of parts, by the way that leads to each part. They are for people; nothing depends on them.
    pub names: Vec<(Way, String)>,
    /// The names of its tests as they are written, one per step, or empty. They are for tools, which recognise a
    /// test by its name; nothing depends on them.
    pub tests: Vec<TestName>,
}

/// The name of a test, from its source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TestName {
    /// The decision tree in which it is written, which may be another one than the one in which it runs.
    pub of: String,
    /// Its text, in one line. Another test of that decision tree has the same text only if it asks the same.
    pub test: String,
    /// The texts of its ways, in the order of [`DecisionStep::ways`].
    pub ways: Vec<String>,
}

/// Where a test leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// To another test, by its position.
    Step(usize),
    /// To a task, by its position among the children.
    Leaf(ChildIndex),
    /// To nothing.
    None,
}

/// One test.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum DecisionStep {
    /// A test of the agent's keys.
    Test {
        /// A `bool` expression; a fault counts as `false`.
        test: Expr,
        /// Where it leads when it holds.
        yes: Way,
        /// Where it leads when it does not.
        no: Way,
    },
    /// A test by the host: a child that is ticked once.
    Ask {
        /// The child, by its position; nothing else uses it.
        child: ChildIndex,
        /// Where it leads when it succeeds.
        yes: Way,
        /// Where it leads otherwise; if it is running then, it is aborted.
        no: Way,
    },
    /// The first case that holds.
    Switch {
        /// `bool` expressions; a fault counts as `false`.
        cases: Vec<(Expr, Way)>,
        /// Where it leads when none holds.
        otherwise: Way,
    },
    /// A random choice that is kept as long as the agent comes here in every tick.
    Random {
        /// `double` expressions, evaluated at each draw; an option whose value is not above 0, or faults, is never
        /// drawn.
        options: Vec<(Expr, Way)>,
        /// Where it leads when nothing can be drawn.
        otherwise: Way,
        /// How long a draw is kept at most.
        lasts: Lasts,
    },
    /// The option with the best score.
    Best {
        /// `double` expressions: the score of each option. One that faults, or is not finite, is 0.
        options: Vec<(Expr, Way)>,
        /// For each option, a `bool` expression: whether the agent is where it leads already.
        held: Vec<Expr>,
        /// By how much the score of another option must exceed that of one that is held, a `double` expression.
        hysteresis: Expr,
        /// Where it leads when no score is above 0.
        otherwise: Way,
    },
}

/// How long a draw is kept.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Lasts {
    /// As long as the agent comes there in every tick.
    Always,
    /// At most for a time since the draw.
    Secs(
        /// Seconds, a `double` expression evaluated at the draw; after a fault or a value that is no duration, the
        /// draw is kept as with `Always`.
        Expr,
    ),
    /// At most for a number of ticks since the draw; 1 draws again in every tick.
    Ticks(
        /// 1 or more.
        u32,
    ),
}

impl DecisionStep {
    /// The ways that it may take, in the order in which traces number them: yes before no; cases or options in
    /// order, then `otherwise`.
    pub fn ways(&self) -> Vec<Way> {
        match self {
            DecisionStep::Test { yes, no, .. } | DecisionStep::Ask { yes, no, .. } => {
                vec![*yes, *no]
            }
            DecisionStep::Switch {
                cases: ways,
                otherwise,
            }
            | DecisionStep::Random {
                options: ways,
                otherwise,
                ..
            }
            | DecisionStep::Best {
                options: ways,
                otherwise,
                ..
            } => {
                let ways = ways.iter().map(|(_, way)| *way);
                ways.chain([*otherwise]).collect()
            }
        }
    }

    /// Calls `see` with every part of its tests.
    pub(super) fn parts<'k>(&'k self, see: &mut dyn FnMut(KindPart<'k>)) {
        match self {
            DecisionStep::Test { test, .. } => see(KindPart::test(test, Type::Bool)),
            DecisionStep::Ask { .. } => {}
            DecisionStep::Switch { cases, .. } => {
                let cases = cases.iter().map(|(case, _)| case);
                cases.for_each(|case| see(KindPart::test(case, Type::Bool)));
            }
            DecisionStep::Random { options, lasts, .. } => {
                let weights = options.iter().map(|(weight, _)| weight);
                weights.for_each(|weight| see(KindPart::test(weight, Type::Double)));
                match lasts {
                    Lasts::Secs(secs) => see(KindPart::drawing(secs, Type::Double)),
                    Lasts::Always | Lasts::Ticks(_) => {}
                }
            }
            DecisionStep::Best {
                options,
                held,
                hysteresis,
                otherwise: _,
            } => {
                let scores = options.iter().map(|(score, _)| score);
                scores.for_each(|score| see(KindPart::test(score, Type::Double)));
                held.iter()
                    .for_each(|held| see(KindPart::test(held, Type::Bool)));
                see(KindPart::test(hysteresis, Type::Double));
            }
        }
    }

    /// The expressions in it.
    pub fn exprs(&self) -> Vec<&Expr> {
        let mut found = Vec::new();
        self.parts(&mut |part| part.for_each_expr(&mut |expr| found.push(expr)));
        found
    }
}

impl Decision {
    /// Applies a function to every way, including those of names.
    pub fn for_all_ways(&mut self, change: &mut dyn FnMut(&mut Way)) {
        change(&mut self.first);
        for step in &mut self.steps {
            match step {
                DecisionStep::Test { yes, no, .. } | DecisionStep::Ask { yes, no, .. } => {
                    change(yes);
                    change(no);
                }
                DecisionStep::Switch {
                    cases: ways,
                    otherwise,
                }
                | DecisionStep::Random {
                    options: ways,
                    otherwise,
                    ..
                }
                | DecisionStep::Best {
                    options: ways,
                    otherwise,
                    ..
                } => {
                    ways.iter_mut().for_each(|(_, way)| change(way));
                    change(otherwise);
                }
            }
        }
        self.names.iter_mut().for_each(|(way, _)| change(way));
    }

    /// How many ways lead to each step and to each child, counting those from the beginning and from steps.
    pub fn uses(&self, children: usize) -> (Vec<usize>, Vec<usize>) {
        let mut uses = (vec![0; self.steps.len()], vec![0; children]);
        let ways = self.steps.iter().flat_map(DecisionStep::ways);
        for way in ways.chain([self.first]) {
            match way {
                Way::Step(step) => uses.0[step] += 1,
                Way::Leaf(child) => uses.1[child] += 1,
                Way::None => {}
            }
        }
        uses
    }

    /// Whether some way leads to nothing.
    pub fn may_lead_to_nothing(&self) -> bool {
        let ways = self.steps.iter().flat_map(DecisionStep::ways);
        ways.chain([self.first]).any(|way| way == Way::None)
    }

    /// For each child, whether a test asks it; the other children are leaves.
    pub fn asked(&self, children: usize) -> Vec<bool> {
        let mut asked = vec![false; children];
        for step in &self.steps {
            if let DecisionStep::Ask { child, .. } = step {
                asked[*child] = true;
            }
        }
        asked
    }
}

pub(super) fn check(decision: &Decision, children: usize) -> Result<(), String> {
    let mut asked = vec![false; children];
    let reached = check_steps(decision, children, &mut asked)?;
    let mut uses = asked.iter().zip(&reached);
    match uses.find(|(asked, reached)| asked == reached) {
        Some((true, _)) => Err("a child that is asked and is a leaf".to_owned()),
        Some((false, _)) => Err("a child that nothing leads to".to_owned()),
        None => Ok(()),
    }
}

/// Checks the tests of a decision tree, and records the children that they ask. Returns which leaves they lead to.
pub(super) fn check_steps(
    decision: &Decision,
    leaves: usize,
    asked: &mut [bool],
) -> Result<Vec<bool>, String> {
    let mut reached = vec![false; leaves];
    let mut check_way = |way: Way, from: Option<usize>| match way {
        Way::Step(step) if step >= decision.steps.len() => Err("a test that is not there"),
        Way::Step(step) if from.is_some_and(|from| step <= from) => Err("a way back"),
        Way::Leaf(leaf) => match reached.get_mut(leaf) {
            Some(reached) => {
                *reached = true;
                Ok(())
            }
            None => Err("a leaf that is not there"),
        },
        Way::Step(_) | Way::None => Ok(()),
    };
    check_way(decision.first, None)?;
    for (index, step) in decision.steps.iter().enumerate() {
        for way in step.ways() {
            check_way(way, Some(index))?;
        }
        check_step(step, asked)?;
    }
    let is_there = |(way, _): &(Way, String)| match way {
        Way::Step(step) => *step < decision.steps.len(),
        Way::Leaf(leaf) => *leaf < leaves,
        Way::None => true,
    };
    if !decision.names.iter().all(is_there) {
        return Err("a name of what is not there".to_owned());
    }
    let mut steps = decision.tests.iter().zip(&decision.steps);
    let all_named = decision.tests.len() == decision.steps.len();
    let is_named = |(name, step): (&TestName, &DecisionStep)| name.ways.len() == step.ways().len();
    let are_named = decision.tests.is_empty() || all_named && steps.all(is_named);
    if !are_named {
        return Err("a test without a name among those that have one".to_owned());
    }
    Ok(reached)
}

fn check_step(step: &DecisionStep, asked: &mut [bool]) -> Result<(), String> {
    match step {
        DecisionStep::Ask { child, .. } => match asked.get_mut(*child) {
            Some(asked) if !*asked => {
                *asked = true;
                Ok(())
            }
            _ => Err("a question that is not there, or is asked twice".to_owned()),
        },
        DecisionStep::Random {
            lasts: Lasts::Ticks(0),
            ..
        } => Err("a draw that lasts no tick".to_owned()),
        DecisionStep::Best { options, held, .. } if options.len() != held.len() => {
            Err("options of which it is not known whether they are held".to_owned())
        }
        DecisionStep::Test { .. }
        | DecisionStep::Switch { .. }
        | DecisionStep::Random { .. }
        | DecisionStep::Best { .. } => Ok(()),
    }
}

/// Checks that the children that are asked take no time.
pub(super) fn check_asked(decision: &Decision, children: &[Node]) -> Result<(), String> {
    let is_condition = |child: &Node| matches!(child.kind, Kind::Condition { .. });
    let mut asked = decision.steps.iter().filter_map(|step| match step {
        DecisionStep::Ask { child, .. } => children.get(*child),
        _ => None,
    });
    match asked.find(|child| !is_condition(child)) {
        Some(_) => Err("a test asks something else than a condition".to_owned()),
        None => Ok(()),
    }
}
