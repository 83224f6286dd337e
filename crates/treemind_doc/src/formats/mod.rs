//! The formats that documents are read from, written in and drawn as.

#[cfg(feature = "btcpp")]
pub(crate) mod btcpp;
#[cfg(feature = "diagram")]
pub(crate) mod diagram;
pub(crate) mod json;
#[cfg(any(feature = "convert", feature = "edit"))]
pub(crate) mod kdl;
#[cfg(feature = "schema")]
pub(crate) mod schema;
pub mod script;
#[cfg(feature = "scxml")]
pub mod scxml;
#[cfg(feature = "table")]
pub(crate) mod table;
#[cfg(any(feature = "btcpp", feature = "scxml"))]
pub(crate) mod xml;
