//! Tests of the reference, and of the executor against it.

mod against_executor;
mod allocations;
mod btcpp;
mod calls;
mod census;
mod conformance;
mod edits;
mod formats;
mod generator;
mod generator_keys;
mod generator_options;
mod guards;
mod machines;
mod migration;
mod moving;
mod on_fault;
mod options;
mod own;
mod pages;
mod planners;
mod post;
mod readable;
mod reference;
mod removal;
mod resting;
mod rollback;
mod rules;
mod saving;
mod shrinking;
mod societies;
mod statecharts;
mod threads;
mod utility;
mod waiting;

/// How many cases to try: `all` if `TREEMIND_THOROUGH` is set, which `cargo xtask ci --thorough` does.
fn cases(all: u64, usual: u64) -> u64 {
    let is_thorough = std::env::var_os("TREEMIND_THOROUGH").is_some();
    if is_thorough { all } else { usual }
}
