//! The problems of a tree written in code.

use crate::diagnostic::Severity;
use std::fmt;

/// Why a tree written in code cannot be made into a behaviour: all its problems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeError {
    problems: Vec<TreeProblem>,
}

/// One problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeProblem {
    severity: Severity,
    node: Option<String>,
    message: String,
    help: Option<String>,
}

impl TreeError {
    pub(super) fn of(problem: TreeProblem) -> Self {
        Self {
            problems: vec![problem],
        }
    }

    pub(super) fn all(problems: Vec<TreeProblem>) -> Self {
        Self { problems }
    }

    /// All problems, in the order of the tree.
    pub fn problems(&self) -> &[TreeProblem] {
        &self.problems
    }
}

impl TreeProblem {
    pub(super) fn new(
        severity: Severity,
        node: Option<String>,
        message: String,
        help: Option<String>,
    ) -> Self {
        Self {
            severity,
            node,
            message,
            help,
        }
    }

    /// Whether it is an error or a warning.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The labels of the nodes from the root down to the one at fault: their names, else their leaves, else their
    /// kinds. `None` when it is not about a node.
    pub fn node(&self) -> Option<&str> {
        self.node.as_deref()
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it, if there is a suggestion.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

impl fmt::Display for TreeProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(node) = &self.node {
            write!(out, "{node}: ")?;
        }
        out.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(out, "; {help}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for TreeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(out, "{separator}{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for TreeError {}
