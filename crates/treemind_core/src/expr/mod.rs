//! Expressions: typed when they are built, compiled to code over columns, 64 agents at a time.

mod code;
mod eval;
mod tree;

pub(crate) use code::{ExprCode, StackSizes};
pub(crate) use eval::{ExprFaults, ExprStacks, Sources};
pub use tree::{Arith, Assign, Compare, Expr, Func};
