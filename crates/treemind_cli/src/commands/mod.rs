//! The subcommands, one file or folder each.

pub(crate) mod balance;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod explain_code;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod learn;
pub(crate) mod lsp;
pub(crate) mod machine;
pub(crate) mod new;
pub(crate) mod plan;
pub(crate) mod print;
mod profile;
pub(crate) mod run;
pub(crate) mod saved;
pub(crate) mod schema;
pub(crate) mod sweep;
pub(crate) mod test;
pub(crate) mod trace;
pub(crate) mod words;

pub(crate) use run::{explain, replay, studio};
