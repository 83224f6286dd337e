//! Expressions compiled to code over columns, 64 agents at a time.

mod code;
mod compared;
mod composed;
mod functions;
mod lanes;
mod lists;
mod op;
mod run;
mod score;
mod shared;
mod short;
mod texts;
mod time;
mod vector;

pub(crate) use code::ExprCode;
pub(crate) use lanes::bits_of;
pub(crate) use op::StackSizes;
pub(crate) use run::{Draws, ExprStacks, Sources};
pub(crate) use short::Short;
