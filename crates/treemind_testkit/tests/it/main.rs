//! Tests of the reference, and of the executor against it.

use std::sync::Arc;
use treemind_core::{Population, Program, Trace};
use treemind_testkit::compare::{Meddler, case_of_seed};

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
mod markov;
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

/// Whether an agent does so little that a thousand of them can be played many times. A machine that never comes to rest
/// takes as many steps in each tick as it may.
fn is_quick(seed: u64) -> bool {
    let case = case_of_seed(seed, 1, 12);
    let program = Arc::new(Program::new(case.behaviour().expect("its parts fit")));
    let mut population = Population::new(Arc::clone(&program), 1).with_seed(case.seed);
    let mut host = Meddler::new(&case, program.behaviour());
    let mut trace = Trace::new();
    let mut events = 0;
    for step in &case.steps {
        population.tick_traced(&mut host, step.dt, &mut trace);
        events += trace.records().len();
    }
    events < 4_000
}
