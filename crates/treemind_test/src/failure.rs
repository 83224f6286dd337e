//! Why a test failed, for people.

use crate::random::Plan;
use std::fmt;
use treemind_doc::Said;

/// Why a test failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The line of the document that was not met, from 1, and its text.
    pub at: (usize, String),
    /// What was expected.
    pub expected: Said,
    /// What happened instead.
    pub got: Said,
    /// The tick after which it was found; 0 before the first.
    pub tick: u64,
    /// The tree, with the answers of that tick before its nodes.
    pub tree: String,
    /// For tries at random: the number of the first one that failed, from 1. What happened, and the tree, are those of
    /// [`fixed`](Self::fixed), which is shorter.
    pub attempt: Option<u64>,
    /// For tries at random: a test without chance that fails in the same way.
    pub fixed: Option<String>,
    /// What happens before each tick of it, after the steps of the test.
    pub(crate) shortest: Option<Plan>,
    /// What failed, apart from the tick.
    pub(crate) cause: Cause,
}

/// What failed in a test, so that a shorter test can be told from one that fails for another reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Cause {
    /// What was expected was not met.
    #[default]
    Unmet,
    /// The test ended before it was met, after so many ticks.
    End(u64),
    /// There was this fault, or a step could not be carried out.
    Fault(Said),
}

impl Failure {
    /// A failure before the first tick.
    pub(crate) fn new(at: (usize, String), expected: Said, got: Said) -> Self {
        Self {
            at,
            expected,
            got,
            tick: 0,
            tree: String::new(),
            attempt: None,
            fixed: None,
            shortest: None,
            cause: Cause::default(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, text) = &self.at;
        writeln!(out, "  line {line}: {text}")?;
        writeln!(out, "    expected: {}", self.expected)?;
        writeln!(out, "    got:      {}", self.got)?;
        if let Some(attempt) = self.attempt {
            writeln!(
                out,
                "    found in: try {attempt}; `treemind trace FILE --test NAME --try {attempt}` plays it"
            )?;
        }
        if !self.tree.is_empty() {
            writeln!(out, "  in tick {}:", self.tick)?;
            for line in self.tree.lines() {
                writeln!(out, "    {line}")?;
            }
        }
        if let Some(fixed) = &self.fixed {
            writeln!(out, "  the same without chance, to add to the document:")?;
            for line in fixed.lines() {
                writeln!(out, "    {line}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for super::Outcome {
    /// `guard.kdl:12: patrols`, and for a failed test, why it failed.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}:{}: {}", self.file, self.line, self.name)?;
        match &self.failure {
            Some(failure) => failure.fmt(out),
            None => Ok(()),
        }
    }
}
