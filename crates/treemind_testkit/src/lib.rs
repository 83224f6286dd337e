//! What Treemind is tested with; not published, and a dependency of tests alone.
//!
//! - [`mod@reference`]: a plain, recursive interpreter for one agent, written from `docs/semantics.md` and independent of
//!   the executor. It is meant to be obviously right; how fast it is does not matter.
//! - [`scripts`]: scripted leaves for it, as `treemind_core::host::Scripted` gives them to the executor.
//! - [`generate`]: random behaviours, scripts and plans, each known by its seed.
//! - [`compare`]: runs executor and reference side by side and says where they differ, in the smallest case it finds;
//!   [`compare::Paired`] checks at every call what the executor promises to hosts.
//! - [`conformance`]: the scenarios in `conformance/`, which define what nodes do, for both.
//!
//! # Running
//! `cargo test -p treemind_testkit` compares some two thousand cases in well under a minute. Environment variables:
//!
//! - `TREEMIND_THOROUGH=1` compares eight times as many, as `cargo xtask ci --thorough` does.
//! - `TREEMIND_CASES=200000` compares that many small cases, and larger populations in proportion (about five
//!   minutes for this number).
//! - `TREEMIND_FIRST_SEED=1000000` begins with other seeds. A failure names its seed, and the same seed gives the
//!   same case everywhere.
//! - `UPDATE_EXPECTED=1` writes what the scenarios expect anew, from the reference alone. Every changed line is to be
//!   checked by hand against `docs/semantics.md`.

pub mod compare;
pub mod conformance;
pub mod generate;
pub mod random;
pub mod reference;
pub mod scripts;
