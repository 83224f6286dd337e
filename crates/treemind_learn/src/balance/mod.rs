//! Decision trees rewritten so that likelier and cheaper tests come first, with the same answers.
//!
//! The decision tree is split into [questions](question) and a [diagram](diagram) of what follows from their
//! answers, so that questions in any order lead to the same result. The cost of an order is estimated from a
//! profile ([rows](rows)). A better order is [searched](search) and [written](write) with the original lines, and
//! the result is [compared](prove) with the original, case by case.

mod alone;
mod diagram;
mod forest;
mod prove;
mod question;
mod rows;
mod search;
mod text;
mod write;

pub use alone::{Alone, decision_alone, decisions_alone};
pub use prove::{Difference, Proof, same_decisions};

use crate::profile::{Profile, Stale};
use forest::Forest;
use question::Questions;
use rows::{Rows, Sum};
use search::Search;
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use text::Written;
use treemind_core::behaviour::{Enum, Key, Semaphore, Way};
use treemind_doc::internals::{self, Declared, Layout};
use treemind_doc::{Document, Format, Tree};

/// The average effort of a decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// How many tests are asked.
    pub tests: f64,
    /// Their cost, in units of the cost of a test of keys.
    pub cost: f64,
}

/// A decision tree that was rewritten, or would not improve.
#[derive(Clone, Debug, PartialEq)]
pub struct Balanced {
    /// The whole file with the decision tree in its new form; unchanged if nothing better was found.
    pub text: String,
    /// Whether anything changed.
    pub is_changed: bool,
    /// The effort before, by the profile.
    pub before: Expected,
    /// The effort now.
    pub after: Expected,
    /// How many of the answers in `after`, per decision, the profile does not know, so that they are estimated.
    pub guessed: f64,
    /// The tasks in the new order, by their positions in the old one.
    pub(crate) leaves: Vec<usize>,
    /// The tests that draw, in the new order, each by the number of tests that draw before it in the old text.
    pub(crate) randoms: Vec<usize>,
}

/// Why a decision tree was not rewritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotBalanced {
    /// There are errors in the document.
    Errors,
    /// There is no such decision tree.
    Unknown(String),
    /// Only documents in KDL have decision trees.
    NotKdl,
    /// It is not in the document's first file; the file that it is in.
    Elsewhere(String),
    /// The profile has no data for it, or none on how it was asked.
    NoProfile,
    /// The profile is for another form of it.
    Stale(Stale),
    /// It has parts that nothing leads to; they would be lost.
    Unread(Range<usize>),
    /// It contains something disabled with `/-` within a line.
    Dropped(Range<usize>),
    /// It asks too many questions.
    TooLarge,
    /// The result has errors, which is a defect of this crate.
    Defect(String),
}

impl fmt::Display for NotBalanced {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Errors => write!(out, "the document has errors"),
            Self::Unknown(name) => write!(out, "unknown decision tree `{name}`"),
            Self::NotKdl => write!(out, "only documents in KDL have decision trees"),
            Self::Elsewhere(file) => write!(out, "it is in {file}; balance that file"),
            Self::NoProfile => write!(out, "the profile has no counts for it"),
            Self::Stale(stale) => {
                let names = stale.unknown.join("`, `");
                write!(
                    out,
                    "the profile belongs to another version of it, without `{names}`"
                )
            }
            Self::Unread(_) => write!(
                out,
                "this is never reached and would be lost; remove it, or put `/-` before it"
            ),
            Self::Dropped(_) => write!(
                out,
                "this line has something commented out with `/-`, which would be lost; remove it"
            ),
            Self::TooLarge => write!(
                out,
                "it has more than {} different tests, or they depend on each other in too many ways",
                question::MOST_QUESTIONS
            ),
            Self::Defect(what) => write!(
                out,
                "it could not be rewritten, which is a defect of Treemind: {what}"
            ),
        }
    }
}

impl std::error::Error for NotBalanced {}

impl NotBalanced {
    /// Its place in the text, in bytes.
    pub fn span(&self) -> Option<Range<usize>> {
        match self {
            Self::Unread(span) | Self::Dropped(span) => Some(span.clone()),
            _ => None,
        }
    }
}

/// A decision tree and everything known about it.
struct Subject<'d> {
    layout: &'d Layout,
    tree: &'d Tree,
    /// Where its file begins among all files.
    begin: usize,
    keys: Vec<Key>,
    enums: &'d [Enum],
    semaphores: &'d [Semaphore],
}

/// Rewrites a decision tree of a document so that it costs less according to a profile. The answers stay the same,
/// which [`same_decisions`] checks. The resulting document has to be parsed again.
///
/// # Errors
/// Why this is not possible.
pub fn balance(
    document: &Document,
    name: &str,
    profile: &Profile,
) -> Result<Balanced, NotBalanced> {
    let subject = Subject::of(document, name)?;
    let source = subject.tree.source();
    let is_first = document.sources().next();
    if is_first.is_none_or(|first| !std::ptr::eq(first, source)) {
        return Err(NotBalanced::Elsewhere(source.name().to_owned()));
    }
    let layout = subject.layout;
    let known = profile.decision(name).filter(|known| known.asked() > 0);
    let known = known.ok_or(NotBalanced::NoProfile)?;
    let stale = known.stale(&layout.decision.tests);
    if !stale.unknown.is_empty() {
        return Err(NotBalanced::Stale(stale));
    }
    let questions = Questions::new(layout, subject.declared()).ok_or(NotBalanced::TooLarge)?;
    let rows = Rows::new(layout, &questions, known);
    let mut forest = Forest::default();
    let parts = search::as_it_is(layout, &questions, &mut forest);
    let old = search::whole(&parts, layout.decision.first, &mut forest);
    let whole = rows.whole();
    let before = rows.weigh(&forest, old, whole.clone());
    let most = 2 * layout.decision.steps.len() + 4;
    let (mut best, mut after) = (old, before);
    let mut is_found = false;
    for shares in [false, true] {
        let found = Search::new(layout, &questions, &rows, shares).best(&mut forest);
        is_found |= found.is_some();
        let Some(found) = found.filter(|found| forest.tests(*found) <= most) else {
            continue;
        };
        let sum = rows.weigh(&forest, found, whole.clone());
        if sum.cost < after.cost - 1e-9 * before.cost.max(1.0) {
            (best, after) = (found, sum);
        }
    }
    if !is_found {
        return Err(NotBalanced::TooLarge);
    }
    let asked = known.asked() as f64;
    let expected = |sum: Sum| Expected {
        tests: sum.tests / asked,
        cost: sum.cost / asked,
    };
    let mut balanced = Balanced {
        text: source.text().to_owned(),
        is_changed: best != old,
        before: expected(before),
        after: expected(after),
        guessed: after.guessed / asked,
        leaves: subject.leaves(),
        randoms: Vec::new(),
    };
    balanced.randoms = (0..subject.draws().len()).collect();
    if best != old {
        subject.rewrite(&questions, &forest, (best, &parts), &mut balanced)?;
    }
    Ok(balanced)
}

impl<'d> Subject<'d> {
    fn of(document: &'d Document, name: &str) -> Result<Self, NotBalanced> {
        if document.format() != Format::Kdl {
            return Err(NotBalanced::NotKdl);
        }
        if !document.can_run() {
            return Err(NotBalanced::Errors);
        }
        let mut all = document.decisions().iter();
        let tree = all.find(|tree| tree.name() == name);
        let tree = tree.ok_or_else(|| NotBalanced::Unknown(name.to_owned()))?;
        let decided = internals::decided(document, name);
        let decided =
            decided.ok_or_else(|| NotBalanced::Defect("it was not preserved".to_owned()))?;
        Ok(Self {
            layout: decided.layout,
            tree,
            begin: decided.span.start - tree.span().start,
            keys: decided.keys,
            enums: decided.enums,
            semaphores: decided.semaphores,
        })
    }

    fn declared(&self) -> Declared<'_> {
        Declared {
            keys: &self.keys,
            enums: self.enums,
        }
    }

    /// The tasks, in the order of the text.
    fn leaves(&self) -> Vec<usize> {
        let asked = self.layout.decision.asked(self.layout.children.len());
        (0..asked.len()).filter(|child| !asked[*child]).collect()
    }

    /// The tests that draw, in the order of the text.
    fn draws(&self) -> Vec<usize> {
        let steps = self.layout.decision.steps.iter().enumerate();
        let draws = steps.filter(|(_, step)| rows::is_random(step));
        let mut draws: Vec<usize> = draws.map(|(number, _)| number).collect();
        draws.sort_by_key(|step| self.layout.steps[*step].0.start);
        draws
    }

    fn rewrite(
        &self,
        questions: &Questions<'_>,
        forest: &Forest,
        (tree, parts): (usize, &[usize]),
        balanced: &mut Balanced,
    ) -> Result<(), NotBalanced> {
        let start = |span: &Range<usize>| span.start - self.begin;
        let leaves = self.leaves();
        let tasks: HashSet<usize> = leaves
            .iter()
            .map(|leaf| start(&self.layout.spans[*leaf]))
            .collect();
        let written = Written::new(self.tree, &tasks)?;
        let line = |span: &Range<usize>| {
            let line = written.by_start.get(&start(span)).copied();
            line.ok_or_else(|| NotBalanced::Defect("a line has moved".to_owned()))
        };
        let steps = self.layout.steps.iter().map(|(span, _)| line(span));
        let steps: Vec<usize> = steps.collect::<Result<_, _>>()?;
        let mut lines = write::Lines {
            steps,
            leaves: vec![0; self.layout.children.len()],
        };
        for leaf in &leaves {
            lines.leaves[*leaf] = line(&self.layout.spans[*leaf])?;
        }
        written.all_read(&lines)?;
        let named = written.branches(|tree_line| {
            let step = lines.steps.iter().position(|line| *line == tree_line);
            let leaf = leaves.iter().find(|leaf| lines.leaves[**leaf] == tree_line);
            let way = match (step, leaf) {
                (Some(step), _) => Some(Way::Step(step)),
                (None, leaf) => leaf.map(|leaf| Way::Leaf(*leaf)),
            };
            way.and_then(|way| forest.known(parts, way))
        });
        let mut page = write::Page::new(&written, self.layout, questions, forest, &lines);
        let text = page.print(tree, &named)?;
        let mut lost = leaves.iter().filter(|leaf| !page.leaves.contains(leaf));
        if let Some(lost) = lost.next() {
            let span = &self.layout.spans[*lost];
            return Err(NotBalanced::Unread(start(span)..span.end - self.begin));
        }
        let draws = self.draws();
        let drawn = page
            .randoms
            .iter()
            .map(|step| draws.iter().position(|draw| draw == step));
        balanced.randoms = drawn.flatten().collect();
        balanced.leaves = page.leaves;
        let all = self.tree.source().text();
        balanced.text = format!(
            "{}{text}{}",
            &all[..written.whole.start],
            &all[written.whole.end..]
        );
        Ok(())
    }
}
