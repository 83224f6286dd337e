//! The tree of an expression as written, untyped.

use crate::syntax::Span;
use treemind_core::expr::{Arith, Compare};

/// Position of a node in [`Ast::nodes`]; children come before their parents.
pub(crate) type AstId = usize;

/// A node and where it stands within the expression's text.
#[derive(Debug)]
pub(crate) struct AstNode {
    pub(crate) kind: AstKind,
    pub(crate) span: Span,
    /// How many nodes there are on the longest way down, itself included.
    pub(crate) depth: usize,
}

#[derive(Debug)]
pub(crate) enum AstKind {
    /// A whole number, or `None` when it is larger than any type holds.
    Int(Option<u64>),
    /// A number with a point or an exponent.
    Decimal(Span),
    Bool(bool),
    /// Text in single quotes, and where it stands without them.
    Str(Span),
    /// A key or the value of an enumeration.
    Name(Span),
    Not(AstId),
    Neg(AstId),
    /// A part of a vector, and its name.
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
    /// The operator of `+=` and the like.
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
