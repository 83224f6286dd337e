//! Expressions: typed when they are built, compiled to code over columns, 64 agents at a time.

mod code;
mod composed;
mod eval;
mod op;
mod score;
mod shared;
mod tree;

pub(crate) use code::ExprCode;
pub(crate) use eval::{Draws, ExprStacks, Sources};
pub(crate) use op::StackSizes;
pub use tree::{Arith, Assign, Compare, Expr, Func, Part};
