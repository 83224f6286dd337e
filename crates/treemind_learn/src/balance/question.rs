//! The questions of a decision tree. Tests that ask the same thing are one question, wherever they are.

use crate::profile::{HOST_COST, TEST_COST};
use std::collections::HashSet;
use treemind_core::behaviour::{Arg, DecisionStep, Form, Key, Node, TestName};
use treemind_core::{Expr, KeyId, Kind, Type};
use treemind_doc::internals::{Declared, Facts, Layout};

/// A set of questions is stored as the bits of a word.
pub(super) const MOST_QUESTIONS: usize = 128;

/// What a question asks.
pub(super) enum Asks<'l> {
    Keys(&'l Expr),
    Host(&'l Node),
    Cases(Vec<&'l Expr>),
}

/// A test, or several that ask the same.
pub(super) struct Question<'l> {
    pub(super) asks: Asks<'l>,
    /// The first test that asks it.
    pub(super) step: usize,
    pub(super) ways: usize,
    pub(super) cost: f64,
    /// It may cause a fault, or makes a sensor with an interval compute, so it is asked only where it was asked before.
    pub(super) is_timid: bool,
    /// Its last way is never taken.
    takes_all: bool,
    keys: HashSet<KeyId>,
}

/// All questions of a decision tree, in an order in which they may be asked.
pub(super) struct Questions<'l> {
    pub(super) all: Vec<Question<'l>>,
    /// By test; a `random` asks nothing.
    pub(super) of_step: Vec<Option<usize>>,
    pub(super) declared: Declared<'l>,
}

impl<'l> Questions<'l> {
    /// The questions of a decision tree; `declared` holds its keys. `None`: there are too many.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub(super) fn new(layout: &'l Layout, declared: Declared<'l>) -> Option<Self> {
        let mut all: Vec<Question<'l>> = Vec::new();
        let mut of_step = Vec::new();
        for (number, (step, (_, takes_all))) in
            layout.decision.steps.iter().zip(&layout.steps).enumerate()
        {
            let asks = match step {
                DecisionStep::Test { test, .. } => Asks::Keys(test),
                DecisionStep::Ask { child, .. } => Asks::Host(&layout.children[*child]),
                DecisionStep::Switch { cases, .. } => {
                    Asks::Cases(cases.iter().map(|(case, _)| case).collect())
                }
                DecisionStep::Random { .. } | DecisionStep::Best { .. } => {
                    of_step.push(None);
                    continue;
                }
                _ => treemind_core::unlisted(&step),
            };
            let known = all.iter().position(|known| known.asks.is_same(&asks));
            of_step.push(Some(known.unwrap_or_else(|| {
                all.push(Question::new(asks, number, step, *takes_all, declared.keys));
                all.len() - 1
            })));
        }
        let questions = Self {
            all,
            of_step,
            declared,
        };
        (questions.all.len() <= MOST_QUESTIONS).then_some(questions)
    }

    /// The facts after a question has had this answer; `None`: it cannot have it.
    pub(super) fn after(
        &self,
        facts: &Facts<'l>,
        question: usize,
        way: usize,
    ) -> Option<Facts<'l>> {
        let asked = &self.all[question];
        match &asked.asks {
            Asks::Host(_) => Some(facts.clone()),
            Asks::Keys(test) => facts.after(test, way == 0, self.declared),
            Asks::Cases(_) if asked.takes_all && way + 1 == asked.ways => None,
            Asks::Cases(cases) => {
                let mut facts = facts.clone();
                for (index, case) in cases.iter().take(way + 1).enumerate() {
                    facts = facts.after(case, index == way, self.declared)?;
                }
                Some(facts)
            }
        }
    }

    /// The answers that a question can still have.
    pub(super) fn open_ways(&self, facts: &Facts<'l>, question: usize) -> Vec<usize> {
        let ways = 0..self.all[question].ways;
        ways.filter(|way| self.after(facts, question, *way).is_some())
            .collect()
    }

    /// Whether one of these questions reads a key.
    pub(super) fn reads(&self, support: u128, key: KeyId) -> bool {
        let asked = self.all.iter().enumerate();
        asked
            .filter(|(number, _)| support >> number & 1 == 1)
            .any(|(_, question)| question.keys.contains(&key))
    }

    /// For each name of a test, the question that it asks. Tests with the same name ask the same question.
    pub(super) fn named<'n>(&self, tests: &'n [TestName]) -> Vec<(&'n TestName, usize)> {
        let tests = tests.iter().zip(&self.of_step);
        tests
            .filter_map(|(name, question)| Some((name, (*question)?)))
            .collect()
    }
}

impl Asks<'_> {
    /// Whether it is the same question.
    pub(super) fn is_same(&self, other: &Asks<'_>) -> bool {
        match (self, other) {
            (Asks::Keys(left), Asks::Keys(right)) => left == right,
            (Asks::Host(left), Asks::Host(right)) => left.kind == right.kind,
            (Asks::Cases(left), Asks::Cases(right)) => left == right,
            _ => false,
        }
    }
}

impl<'l> Question<'l> {
    fn new(asks: Asks<'l>, step: usize, of: &DecisionStep, takes_all: bool, keys: &[Key]) -> Self {
        let mut exprs: Vec<&Expr> = of.exprs();
        if let Asks::Host(node) = &asks
            && let Kind::Condition { args, .. } = &node.kind
        {
            exprs.extend(args.iter().filter_map(|arg| match arg {
                Arg::Value(_) | Arg::Key(_) => None,
                Arg::Expr(expr) => Some(expr),
            }));
        }
        let mut read = HashSet::new();
        for expr in &exprs {
            expr.for_each_key(&mut |key| {
                read.insert(key);
            });
        }
        let sensed = read
            .iter()
            .filter_map(|key| keys[key.index()].sensed.as_ref());
        let is_sensed = sensed.clone().next().is_some();
        let has_interval = sensed.clone().any(|sensed| sensed.interval_secs.is_some());
        let faults = exprs
            .iter()
            .any(|expr| may_fault(expr, keys, &mut Vec::new()));
        let host = is_sensed || matches!(asks, Asks::Host(_));
        Self {
            step,
            ways: of.ways().len(),
            cost: if host { HOST_COST } else { TEST_COST },
            is_timid: faults || has_interval,
            takes_all,
            keys: read,
            asks,
        }
    }
}

/// Whether evaluating an expression may cause a fault; `set` holds the optional keys that are known to have a value.
fn may_fault(expr: &Expr, keys: &[Key], set: &mut Vec<KeyId>) -> bool {
    let own = match expr {
        Expr::Key(key, _) => match keys[key.index()].form {
            Form::One => false,
            _ => !set.contains(key),
        },
        Expr::Neg(_) | Expr::Arith(..) | Expr::Call(treemind_core::expr::Func::Abs, _) => {
            expr.ty() == Type::Int
        }
        // Refused before this point, so nothing is known about it.
        Expr::Random(..) => true,
        // There may be no such item.
        Expr::Item(..) | Expr::Nearest(..) => true,
        _ => false,
    };
    let before = set.len();
    let with = |part: &Expr, known: &Expr, holds: bool, set: &mut Vec<KeyId>| {
        has_value(known, holds, set);
        let faults = may_fault(part, keys, set);
        set.truncate(before);
        faults
    };
    own || match expr {
        Expr::And(left, right) => may_fault(left, keys, set) || with(right, left, true, set),
        Expr::Or(left, right) => may_fault(left, keys, set) || with(right, left, false, set),
        Expr::If(test, then, other) => {
            may_fault(test, keys, set)
                || with(then, test, true, set)
                || with(other, test, false, set)
        }
        _ => expr.parts().any(|part| may_fault(part, keys, set)),
    }
}

/// Adds the keys that must have a value if a test holds, or if it does not.
fn has_value(test: &Expr, holds: bool, set: &mut Vec<KeyId>) {
    match (test, holds) {
        (Expr::Has(key), true) => set.push(*key),
        (Expr::Not(inner), _) => has_value(inner, !holds, set),
        (Expr::And(left, right), true) | (Expr::Or(left, right), false) => {
            has_value(left, holds, set);
            has_value(right, holds, set);
        }
        _ => {}
    }
}
