//! The chained builder.

use super::error::{TreeError, TreeProblem};
use super::write::label;
use super::{Given, Line, Node, Part};
use crate::diagnostic::Severity;
use crate::language::{Children, node_word};

/// Builds a tree step by step: every added node becomes the current one, [`back`](Self::back) makes its parent the
/// current one, and [`end`](Self::end) returns the tree, closing all open nodes.
///
/// ```
/// use treemind_doc::tree::{Declarations, NO_PARAMS, TreeBuilder};
///
/// let guard = TreeBuilder::new()
///     .reactive_selector()
///         .reactive_sequence().name("fight")
///             .condition("see-enemy").back()
///             .action("attack").param("range", 2.5).back()
///         .back()
///         .action("patrol")
///     .end()?;
/// let declared = Declarations::new()
///     .condition("see-enemy")
///     .action("attack", [("range", 2.0_f32)])
///     .action("patrol", NO_PARAMS);
/// assert_eq!(guard.behaviour("guard", &declared)?.nodes().len(), 5);
///
/// let error = TreeBuilder::new()
///     .selector()
///         .condition("see-enemy")
///         .action("patrol") // a `back()` is missing
///     .end()
///     .unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "selector > see-enemy: `condition` takes no children, but `action` was added to it; is a `back()` missing?"
/// );
/// # Ok::<(), treemind_doc::tree::TreeError>(())
/// ```
///
/// Calls that make no sense, such as one `back()` too many, are recorded; `end` returns the first one as an error.
#[derive(Clone, Debug, Default)]
pub struct TreeBuilder {
    parts: Vec<Part>,
    /// Where the open nodes begin, the current one last.
    open: Vec<usize>,
    problem: Option<TreeProblem>,
}

impl TreeBuilder {
    /// An empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a node of a kind, given as the word in documents.
    #[must_use]
    pub fn of_kind(self, word: &str) -> Self {
        self.open(word, None)
    }

    /// Adds a finished tree to the current node, or makes it the root. The current node stays the same.
    #[must_use]
    pub fn put(mut self, node: Node) -> Self {
        let word = match node.parts.first() {
            Some(Part::Open(line)) => line.word.clone(),
            _ => String::new(),
        };
        if self.takes(&word) {
            self.parts.extend(node.parts);
        }
        self
    }

    /// Gives the current node one more value, as it follows the node's word in documents.
    #[must_use]
    pub fn value(self, value: impl Into<Given>) -> Self {
        self.change("value", |line| line.values.push(value.into()))
    }

    /// Sets an option of the current node, by its name in documents.
    #[must_use]
    pub fn option(self, name: &str, value: impl Into<Given>) -> Self {
        self.change(name, |line| line.option(name, value.into()))
    }

    /// Sets a parameter of the current node's leaf, or of the tree that it contains.
    #[must_use]
    pub fn param(self, name: &str, value: impl Into<Given>) -> Self {
        self.change(name, |line| {
            line.params.push((name.to_owned(), value.into()))
        })
    }

    /// Makes the parent of the current node the current one.
    #[must_use]
    pub fn back(mut self) -> Self {
        if self.open.pop().is_some() {
            self.parts.push(Part::Close);
        } else {
            self.wrong("`back()` has no node to go back from");
        }
        self
    }

    /// The tree. All open nodes are closed.
    ///
    /// # Errors
    /// The first call that made no sense: a node in one that takes none, a second root, one `back()` too many, an
    /// option without a node, or no node at all. [`Node::behaviour`](super::Node::behaviour) checks everything
    /// else.
    pub fn end(mut self) -> Result<Node, TreeError> {
        if self.parts.is_empty() {
            self.wrong("there is no node in the tree");
        }
        if let Some(problem) = self.problem {
            return Err(TreeError::of(problem));
        }
        let open = self.open.len();
        self.parts.extend(std::iter::repeat_n(Part::Close, open));
        Ok(Node { parts: self.parts })
    }

    pub(super) fn open(mut self, word: &str, value: Option<Given>) -> Self {
        if self.takes(word) {
            let mut line = Line::new(word);
            line.values.extend(value);
            self.open.push(self.parts.len());
            self.parts.push(Part::Open(line));
        }
        self
    }

    /// Whether a node can be added at the builder's position.
    fn takes(&mut self, word: &str) -> bool {
        let above = self.current().map(|line| line.word.clone());
        let slip = match above {
            None if self.parts.is_empty() => return true,
            None => format!(
                "the tree already has a root, and `{word}` would be a second one; is there a `back()` too many?"
            ),
            Some(above) => {
                let known = node_word(&above);
                if known.is_none_or(|known| known.children() != Children::None) {
                    return true;
                }
                format!(
                    "`{above}` takes no children, but `{word}` was added to it; is a `back()` missing?"
                )
            }
        };
        self.wrong(slip);
        false
    }

    fn current(&mut self) -> Option<&mut Line> {
        match self.open.last().map(|at| &mut self.parts[*at]) {
            Some(Part::Open(line)) => Some(line),
            _ => None,
        }
    }

    fn change(mut self, what: &str, change: impl FnOnce(&mut Line)) -> Self {
        match self.current() {
            Some(line) => change(line),
            None => self.wrong(format!("`{what}` was set before any node")),
        }
        self
    }

    /// Records the first call that makes no sense.
    fn wrong(&mut self, message: impl Into<String>) {
        if self.problem.is_none() {
            let open = self.open.iter().map(|at| &self.parts[*at]);
            let labels: Vec<String> = open
                .map(|part| match part {
                    Part::Open(line) => label(line),
                    Part::Close => String::new(),
                })
                .collect();
            let node = (!labels.is_empty()).then(|| labels.join(" > "));
            self.problem = Some(TreeProblem::new(
                Severity::Error,
                node,
                message.into(),
                None,
            ));
        }
    }
}
