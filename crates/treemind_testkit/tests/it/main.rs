//! Tests of the reference, and of the executor against it.

mod against_executor;
mod allocations;
mod btcpp;
mod conformance;
mod edits;
mod formats;
mod generator;
mod generator_keys;
mod generator_options;
mod guards;
mod machines;
mod options;
mod own;
mod pages;
mod reference;
mod removal;
mod shrinking;
mod statecharts;
mod threads;
mod utility;
