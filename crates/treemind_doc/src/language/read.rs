//! What rows of the table read a node with, and what they write it with.

use crate::diagnostic::Sink;
use crate::syntax::{Entry, Node, Text};
use treemind_core::behaviour::{Arg, LogPart, Score};
use treemind_core::expr::Assign;
use treemind_core::{Behaviour, Expr, KeyId, LabelId, LeafId, SemaphoreId, Type};

/// The line of a node, and what is known where it stands. All report what is wrong, and are `None` then.
pub(crate) trait Read<'n> {
    fn node(&self) -> &'n Node;

    fn sink(&mut self) -> &mut Sink;

    /// How many children it has.
    fn children(&self) -> usize;

    /// A property, which counts as read.
    fn property(&mut self, name: &str) -> Option<&'n Entry>;

    /// `#true` or `#false`; false when it is not given.
    fn flag(&mut self, name: &str) -> bool;

    /// The one value without a name, which must be there; `what` is missing when it is not.
    fn value(&mut self, what: &str, example: &str) -> Option<&'n Entry>;

    /// Reports values without a name.
    fn no_values(&mut self);

    /// A literal, `"{key}"` or an expression of that type.
    fn number(&mut self, entry: &Entry, want: Type, what: &str) -> Option<Expr>;

    /// So many seconds; a literal is not negative.
    fn time(&mut self, entry: &Entry, what: &str) -> Option<Expr>;

    /// A number that is asked for again and again; a literal is not negative.
    fn not_negative(&mut self, entry: &Entry, what: &str) -> Option<Expr>;

    /// The `bool` expression in a text.
    fn test(&mut self, text: &Text) -> Option<Expr>;

    /// Whether a key of that name is known.
    fn has_key(&self, name: &str) -> bool;

    /// The key that the node is about.
    fn key(&mut self) -> Option<KeyId>;

    /// The same, if it is taken away.
    fn key_to_unset(&mut self) -> Option<KeyId>;

    /// The label of what is to be interrupted.
    fn interrupted(&mut self) -> Option<LabelId>;

    /// The label under which the node can be interrupted.
    fn interruptible(&mut self) -> Option<LabelId>;

    fn semaphore(&mut self) -> Option<SemaphoreId>;

    /// The text of a `log`.
    fn log(&mut self, text: &Text) -> Option<Vec<LogPart>>;

    /// What the children of a `weighted-selector` weigh.
    fn weights(&self) -> Option<Vec<Expr>>;

    /// What speaks for the children of a `utility-selector`.
    fn scores(&self) -> Option<Vec<Score>>;
}

/// A line that is written. What it writes begins with a space.
pub(crate) trait Show {
    fn behaviour(&self) -> &Behaviour;

    /// A value, as it is to stand there.
    fn value(&mut self, text: &str);

    fn property(&mut self, name: &str, text: &str);

    /// An expression where a number stands: a literal, or a text that begins with `=`.
    fn number(&self, expr: &Expr) -> String;

    /// An expression in quotes.
    fn expression(&self, expr: &Expr) -> String;

    /// Statements in quotes.
    fn statements(&self, assigns: &[Assign]) -> String;

    /// A name, in quotes where it needs them.
    fn name(&self, name: &str) -> String;

    /// A leaf, and what it is given.
    fn leaf(&mut self, leaf: LeafId, args: &[Arg]);
}
