//! Decision trees learned from tables, and put into a cheaper order by profiles.
//!
//! [`Table::read`] takes comma-separated values and finds out what the columns hold: whole numbers, numbers, truth
//! values or categories, any of which may be missing. [`Examples::of`] picks the column that is to be foretold,
//! [`learn`] grows a tree of yes-or-no tests over the others and cuts it back, as far as [`find_ccp_alpha`] finds
//! good, [`Judgement`] says how good it is on rows that it has not seen, and [`document`] writes it as a `decide`
//! document that people edit.
//!
//! The method is that of CART (Breiman, Friedman, Olshen and Stone, "Classification and Regression Trees", 1984), with
//! cost-complexity pruning. Missing values go to the side where they do least harm, as in gradient-boosted trees
//! (Chen and Guestrin, "XGBoost", 2016); the documents ask `has(key)` for that. No library was taken for it: those for
//! Rust know neither categories nor missing values, and their trees cannot be taken apart.
//!
//! A [`Profile`] says how often the tests of a decision tree were asked, and what they answered. [`balance`] puts likelier
//! and cheaper tests first by it, with the same answers, and [`same_decisions`] compares the two case by case.
//! [`decision_size`] says how large a decision tree is.
//!
//! Everything is deterministic: the same table, options and seed give the same document.

mod balance;
mod decision_size;
mod document;
mod examples;
mod grow;
mod judge;
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
pub use profile::Profile;
pub use split::Test;
pub use table::{Cells, Column, Table, TableError};
pub use validate::find_ccp_alpha;
