//! Checks whether two forms of a decision tree decide alike, by going through every case that can be distinguished.

use super::question::Questions;
use super::{Balanced, NotBalanced, Subject};
use std::collections::HashSet;
use std::fmt;
use treemind_core::behaviour::{Decision, DecisionStep, Way};
use treemind_doc::Document;
use treemind_doc::internals::Facts;

/// The check stops after this many cases.
const MOST_CASES: u64 = 1 << 17;

/// The cases that were checked and found alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// How many combinations of answers there are, as far as they matter.
    pub cases: u64,
    /// Whether these are all cases; otherwise there are too many to check.
    pub is_complete: bool,
}

/// A difference between two forms of a decision tree, which is a defect of this crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The second form is not a decision tree that can be compared.
    Unsound(NotBalanced),
    /// They lead to different tasks, or ask different questions; as a sentence.
    Answers(String),
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsound(why) => write!(out, "{why}"),
            Self::Answers(what) => write!(out, "{what}"),
        }
    }
}

impl std::error::Error for Difference {}

/// Checks whether a decision tree of a document and its new form in `after` lead to the same task in every case
/// that their questions can distinguish, and whether the new form asks nothing that could cause a fault where the
/// old one did not ask it.
///
/// # Errors
/// The first difference.
pub fn same_decisions(
    document: &Document,
    after: &Document,
    name: &str,
    balanced: &Balanced,
) -> Result<Proof, Difference> {
    let before = Subject::of(document, name).map_err(Difference::Unsound)?;
    let after = Subject::of(after, name).map_err(Difference::Unsound)?;
    let questions = Questions::new(before.layout, before.declared());
    let others = Questions::new(after.layout, after.declared());
    let (Some(questions), Some(others)) = (questions, others) else {
        return Err(Difference::Unsound(NotBalanced::TooLarge));
    };
    let mut both = Both {
        before: &before,
        after: &after,
        questions: &questions,
        same: same_questions(&questions, &others)?,
        others: &others,
        balanced,
        cases: 0,
        pending: Vec::new(),
    };
    both.all()?;
    Ok(Proof {
        cases: both.cases,
        is_complete: both.cases < MOST_CASES,
    })
}

/// For each question of the second form, the question of the first form.
fn same_questions(
    questions: &Questions<'_>,
    others: &Questions<'_>,
) -> Result<Vec<usize>, Difference> {
    let all = others.all.iter().map(|other| {
        let mut known = questions.all.iter();
        known.position(|known| known.asks.is_same(&other.asks))
    });
    let all: Option<Vec<usize>> = all.collect();
    all.ok_or_else(|| Difference::Answers("it has a test that was not there before".to_owned()))
}

struct Both<'a> {
    before: &'a Subject<'a>,
    after: &'a Subject<'a>,
    questions: &'a Questions<'a>,
    others: &'a Questions<'a>,
    same: Vec<usize>,
    balanced: &'a Balanced,
    cases: u64,
    pending: Vec<(Way, Way)>,
}

/// The current position in both forms, and what is known there.
#[derive(Clone)]
struct Case<'a> {
    ways: (Way, Way),
    facts: Facts<'a>,
    answers: Vec<Option<usize>>,
    /// The questions that the first form has asked.
    asked: u128,
}

impl<'a> Both<'a> {
    fn all(&mut self) -> Result<(), Difference> {
        if self.before.keys != self.after.keys {
            return Err(Difference::Answers("its keys differ".to_owned()));
        }
        self.same_draws()?;
        let (before, after) = (&self.before.layout.decision, &self.after.layout.decision);
        let mut seen = HashSet::new();
        self.pending.push((before.first, after.first));
        while let Some(ways) = self.pending.pop() {
            if seen.insert(ways) {
                self.compare(ways)?;
            }
        }
        Ok(())
    }

    fn same_draws(&self) -> Result<(), Difference> {
        let (old, new) = (self.before.draws(), self.after.draws());
        let draw = |decision: &Decision, step: usize| match &decision.steps[step] {
            DecisionStep::Random { options, lasts, .. } => {
                let weights = options.iter().map(|(weight, _)| weight.clone());
                Some((weights.collect::<Vec<_>>(), Some(lasts.clone())))
            }
            DecisionStep::Best {
                options,
                hysteresis,
                ..
            } => {
                let scores = options.iter().map(|(score, _)| score);
                Some((scores.chain([hysteresis]).cloned().collect(), None))
            }
            _ => None,
        };
        let (before, after) = (&self.before.layout.decision, &self.after.layout.decision);
        let alike = old.len() == new.len()
            && self.balanced.randoms.len() == new.len()
            && new.iter().zip(&self.balanced.randoms).all(|(step, place)| {
                let old = old.get(*place);
                old.is_some_and(|old| draw(before, *old) == draw(after, *step))
            });
        match alike {
            true => Ok(()),
            false => Err(Difference::Answers("its random choices differ".to_owned())),
        }
    }

    fn compare(&mut self, ways: (Way, Way)) -> Result<(), Difference> {
        let mut cases = vec![Case {
            ways,
            facts: Facts::default(),
            answers: vec![None; self.questions.all.len()],
            asked: 0,
        }];
        while let Some(case) = cases.pop() {
            if self.cases >= MOST_CASES {
                return Ok(());
            }
            let first = self.question(true, case.ways.0);
            let second = self.question(false, case.ways.1);
            match (first, second) {
                (Some((step, question)), _) => self.go_on(case, true, (step, question), &mut cases),
                (None, Some((step, question))) => {
                    let asked = &self.questions.all[question];
                    if asked.is_timid && case.asked >> question & 1 == 0 {
                        let test = &self.before.layout.decision.tests[asked.step].test;
                        return Err(Difference::Answers(format!(
                            "`{test}` is asked in a place where it was not asked before, and could be at fault there"
                        )));
                    }
                    self.go_on(case, false, (step, question), &mut cases);
                }
                (None, None) => {
                    self.cases += 1;
                    self.same_end(&case)?;
                }
            }
        }
        Ok(())
    }

    /// The test that a way leads to, and its question as numbered in the first form; a draw counts as an end.
    fn question(&self, first: bool, way: Way) -> Option<(usize, usize)> {
        let Way::Step(step) = way else { return None };
        let question = match first {
            true => self.questions.of_step[step]?,
            false => self.same[self.others.of_step[step]?],
        };
        Some((step, question))
    }

    /// The cases into which a test splits one.
    fn go_on(
        &self,
        mut case: Case<'a>,
        first: bool,
        (step, question): (usize, usize),
        cases: &mut Vec<Case<'a>>,
    ) {
        if first {
            case.asked |= 1 << question;
        }
        let form = if first { self.before } else { self.after };
        let ways = form.layout.decision.steps[step].ways();
        let answers: Vec<usize> = match case.answers[question] {
            Some(answer) => vec![answer],
            None => (0..ways.len()).collect(),
        };
        for answer in answers {
            let Some(facts) = self.questions.after(&case.facts, question, answer) else {
                continue;
            };
            let mut next = Case {
                facts,
                ..case.clone()
            };
            next.answers[question] = Some(answer);
            match first {
                true => next.ways.0 = ways[answer],
                false => next.ways.1 = ways[answer],
            }
            cases.push(next);
        }
    }

    fn same_end(&mut self, case: &Case<'_>) -> Result<(), Difference> {
        let leaves = self.after.leaves();
        let alike = match case.ways {
            (Way::None, Way::None) => true,
            (Way::Leaf(old), Way::Leaf(new)) => {
                let place = leaves.iter().position(|leaf| *leaf == new);
                place.and_then(|place| self.balanced.leaves.get(place)) == Some(&old)
            }
            (Way::Step(old), Way::Step(new)) => {
                let place = self.after.draws().iter().position(|step| *step == new);
                let place = place.and_then(|place| self.balanced.randoms.get(place));
                let is_same =
                    place.is_some_and(|place| self.before.draws().get(*place) == Some(&old));
                let (before, after) = (&self.before.layout.decision, &self.after.layout.decision);
                let ways = before.steps[old].ways().into_iter();
                self.pending.extend(ways.zip(after.steps[new].ways()));
                is_same
            }
            _ => false,
        };
        match alike {
            true => Ok(()),
            false => Err(Difference::Answers(self.describe(case))),
        }
    }

    /// A case as a sentence.
    fn describe(&self, case: &Case<'_>) -> String {
        let tests = &self.before.layout.decision.tests;
        let answers = case.answers.iter().enumerate();
        let answers = answers.filter_map(|(question, answer)| {
            let name = &tests[self.questions.all[question].step];
            Some(format!("`{}` {}", name.test, name.ways[(*answer)?]))
        });
        let answers: Vec<String> = answers.collect();
        format!("it leads to another task when {}", answers.join(", "))
    }
}
