//! What documents are read from, written in and drawn as.

pub(crate) mod btcpp;
pub(crate) mod diagram;
pub(crate) mod json;
pub(crate) mod kdl;
pub(crate) mod schema;
pub mod script;
pub mod scxml;
pub(crate) mod table;
mod xml;
