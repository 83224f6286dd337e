//! The interfaces through which rows of the table read and write nodes.

use crate::Said;
use crate::diagnostic::Sink;
use crate::syntax::{Entry, Node, Text};
use treemind_core::behaviour::{Arg, LogPart, Score};
use treemind_core::expr::Assign;
use treemind_core::{Behaviour, Expr, KeyId, LabelId, LeafId, SemaphoreId, Type};

/// The line of a node, with the context in which it is read. All methods report mistakes, and then return `None`.
pub(crate) trait Read<'n> {
    fn node(&self) -> &'n Node;

    fn sink(&mut self) -> &mut Sink;

    /// How many children it has.
    fn children(&self) -> usize;

    /// A property; marks it as read.
    fn property(&mut self, name: &str) -> Option<&'n Entry>;

    /// `#true` or `#false`; false by default.
    fn flag(&mut self, name: &str) -> bool;

    /// The only value without a name, which is required; `what` describes it if it is missing.
    fn value(&mut self, what: &Said, example: &str) -> Option<&'n Entry>;

    /// Reports values without a name.
    fn no_values(&mut self);

    /// A literal, `"{key}"` or an expression of this type.
    fn number(&mut self, entry: &Entry, want: Type, what: &Said) -> Option<Expr>;

    /// A number of seconds; a literal must not be negative.
    fn time(&mut self, entry: &Entry, what: &Said) -> Option<Expr>;

    /// A number that is evaluated again and again; a literal must not be negative.
    fn not_negative(&mut self, entry: &Entry, what: &Said) -> Option<Expr>;

    /// The `bool` expression in a text.
    fn test(&mut self, text: &Text) -> Option<Expr>;

    /// Whether there is a key with this name.
    fn has_key(&self, name: &str) -> bool;

    /// The key that the node names.
    fn key(&mut self) -> Option<KeyId>;

    /// The same, for a key that is unset.
    fn key_to_unset(&mut self) -> Option<KeyId>;

    /// The label to interrupt.
    fn interrupted(&mut self) -> Option<LabelId>;

    /// The label under which the node can be interrupted.
    fn interruptible(&mut self) -> Option<LabelId>;

    fn semaphore(&mut self) -> Option<SemaphoreId>;

    /// The text of a `log`.
    fn log(&mut self, text: &Text) -> Option<Vec<LogPart>>;

    /// The weights of the children of a `weighted-selector`.
    fn weights(&self) -> Option<Vec<Expr>>;

    /// The scores of the children of a `utility-selector`.
    fn scores(&self) -> Option<Vec<Score>>;
}

/// A line being written. Everything that it writes begins with a space.
pub(crate) trait Show {
    fn behaviour(&self) -> &Behaviour;

    /// A value, as it is to be written.
    fn value(&mut self, text: &str);

    fn property(&mut self, name: &str, text: &str);

    /// An expression in place of a number: a literal, or a text that begins with `=`.
    fn number(&self, expr: &Expr) -> String;

    /// An expression in quotes.
    fn expression(&self, expr: &Expr) -> String;

    /// Statements in quotes.
    fn statements(&self, assigns: &[Assign]) -> String;

    /// A name, in quotes where it needs them.
    fn name(&self, name: &str) -> String;

    /// A leaf, with its arguments.
    fn leaf(&mut self, leaf: LeafId, args: &[Arg]) {
        let name = self.name(&self.behaviour().leaf(leaf).name);
        self.value(&name);
        self.args(leaf, args);
    }

    /// The arguments of a leaf.
    fn args(&mut self, leaf: LeafId, args: &[Arg]);
}
