//! Expressions: typed when they are built, compiled to code over columns, 64 agents at a time.

mod tree;

pub use tree::{Arith, Assign, Compare, Expr, Func};
