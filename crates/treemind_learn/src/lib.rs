//! Decision trees: learning them from tables, and making them cheaper with profiles.
//!
//! [`Table::read`] takes comma-separated values and finds out what the columns hold: whole numbers, numbers, truth
//! values or categories, any of which may be missing. [`Examples::of`] picks the column to predict. [`learn`] grows
//! a tree of yes-or-no tests over the other columns and prunes it; [`find_ccp_alpha`] finds how far to prune.
//! [`Judgement`] says how good the tree is on rows that it has not seen, and [`document`] writes it as a `decide`
//! document for people to edit. [`right_rows`] says how good a decision tree is that a document has already.
//!
//! The method is CART (Breiman, Friedman, Olshen and Stone, "Classification and Regression Trees", 1984), with
//! cost-complexity pruning. Missing values go to the side where they do least harm, as in gradient-boosted trees
//! (Chen and Guestrin, "XGBoost", 2016); the documents ask `has(key)` for that. This crate does not use a library
//! for it, because those for Rust support neither categories nor missing values, and do not give access to the
//! parts of their trees.
//!
//! A [`Profile`] records how often the tests of a decision tree were asked, and what they answered. With it,
//! [`balance`] puts likelier and cheaper tests first without changing the answers, and [`same_decisions`] compares
//! the two forms case by case. [`decision_size`] measures a decision tree.
//!
//! [`onnx_weights`] makes the weights of a small neural network, as documents name them, from a model in ONNX.
//!
//! Everything is deterministic: the same table, options and seed give the same document.

mod balance;
mod decision_size;
mod document;
mod examples;
mod grow;
mod judge;
mod onnx;
mod present;
pub mod profile;
mod prune;
mod split;
mod table;
mod validate;

pub use balance::{
    Alone, Balanced, Difference, Expected, NotBalanced, Proof, balance, decision_alone,
    decisions_alone, same_decisions,
};
pub use decision_size::{DecisionSize, decision_size};
pub use document::document;
pub use examples::{Examples, ExamplesError};
pub use grow::{Criterion, LearnedTree, Options, learn};
pub use judge::Judgement;
pub use onnx::{OnnxError, onnx_weights};
pub use present::{NotJudged, right_rows};
pub use profile::Profile;
pub use split::Test;
pub use table::{Cells, Column, Table, TableError};
pub use validate::find_ccp_alpha;
