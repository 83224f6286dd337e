//! The tree of an expression as written, untyped.

use crate::syntax::Span;
use treemind_core::expr::{Arith, Compare};

/// Position of a node in [`Ast::nodes`]; children come before their parents.
pub(crate) type AstId = usize;

/// A node and its place within the expression's text.
#[derive(Debug)]
pub(crate) struct AstNode {
    pub(crate) kind: AstKind,
    pub(crate) span: Span,
    /// The number of nodes on the longest path down, including itself.
    pub(crate) depth: usize,
}

#[derive(Debug)]
pub(crate) enum AstKind {
    /// A whole number, or `None` when it is larger than every type allows.
    Int(Option<u64>),
    /// A number with a point or an exponent.
    Decimal(Span),
    Bool(bool),
    /// Text in single quotes, with the place of the text between the quotes.
    Str(Span),
    /// A key or the value of an enumeration.
    Name(Span),
    Not(AstId),
    Neg(AstId),
    /// A component of a vector, with its name.
    Part(AstId, Span),
    Arith(Arith, AstId, AstId),
    Compare(Compare, AstId, AstId),
    And(AstId, AstId),
    Or(AstId, AstId),
    If(AstId, AstId, AstId),
    Between(AstId, AstId, AstId),
    /// A function's name, and its arguments.
    Call(Span, Vec<AstId>),
}

/// `key op value` or `key.part op value`.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) key: Span,
    pub(crate) part: Option<Span>,
    /// The operator of `+=` and similar assignments.
    pub(crate) op: Option<Arith>,
    pub(crate) value: AstId,
}

/// An expression (the last node is its root), or statements.
#[derive(Debug, Default)]
pub(crate) struct Ast {
    pub(crate) nodes: Vec<AstNode>,
    pub(crate) statements: Vec<Statement>,
}

impl Ast {
    pub(crate) fn root(&self) -> AstId {
        self.nodes.len() - 1
    }
}
