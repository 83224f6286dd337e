//! Tests of the language server, over its protocol.

mod actions;
mod client;
mod flood;
mod hostile;
mod names;
mod reading;
mod tests_run;
mod workspace;
