//! Test tools for Treemind. This crate is not published, and only tests depend on it.
//!
//! - [`mod@reference`]: a plain, recursive interpreter for one agent, written from `docs/semantics.md` and
//!   independent of
//!   the executor. It is meant to be obviously right; speed does not matter.
//! - [`scripts`]: scripted leaves for it, like `treemind_core::host::Scripted` for the executor.
//! - [`generate`]: random behaviours, scripts and plans, each determined by its seed.
//! - [`compare`]: runs executor and reference side by side and reports where they differ, in the smallest case it
//!   finds;
//!   [`compare::Paired`] checks at every call the executor's promises to hosts.
//! - [`conformance`]: the scenarios in `conformance/`, which define what nodes do, for both.
//! - `terminal`, on Linux: a terminal of its own for a program, for tests of what is drawn in one.
//!
//! # Running
//! `cargo test -p treemind_testkit` compares about two thousand cases in well under a minute. Environment variables:
//!
//! - `TREEMIND_THOROUGH=1` compares fifty times as many, as in `cargo xtask ci --thorough`.
//! - `TREEMIND_CASES=200000` compares that many small cases, and larger populations in proportion (about five
//!   minutes for this number).
//! - `TREEMIND_FIRST_SEED=1000000` starts with other seeds. A failure names its seed, and the same seed gives the
//!   same case on every machine.
//! - `UPDATE_EXPECTED=1` rewrites the expectations of the scenarios, from the reference alone. Check every changed line
//!   by hand against `docs/semantics.md`.

pub mod compare;
pub mod conformance;
pub mod generate;
pub mod random;
pub mod reference;
pub mod scripts;
#[cfg(target_os = "linux")]
pub mod terminal;
