//! Decision trees written in code: their tests, for [`Declarations::decide`].
//!
//! ```
//! use treemind_doc::tree::{self, Declarations, decisions};
//!
//! let declared = Declarations::new()
//!     .condition("is-armed")
//!     .action("strike", tree::NO_PARAMS)
//!     .action("walk-to-hut", tree::NO_PARAMS)
//!     .action("patrol", tree::NO_PARAMS)
//!     .key("enemy_distance", 50.0_f32)
//!     .choice("weather", &["clear", "rain", "storm"], "clear")
//!     .decide("watchman", decisions::decide([
//!         decisions::range("enemy_distance", [
//!             decisions::test_condition("is-armed", [
//!                 decisions::yes([tree::action("strike")]),
//!                 decisions::no([decisions::goto("shelter")]),
//!             ]),
//!         ])
//!         .max(3.0),
//!         decisions::switch("weather", [
//!             decisions::case("rain", [decisions::goto("shelter")]).value("storm"),
//!         ]),
//!         tree::action("patrol"),
//!         decisions::branch("shelter", [tree::action("walk-to-hut")]),
//!     ]));
//! // It runs by itself, or as a task of a tree.
//! let watchman = declared.decision_behaviour("watchman")?;
//! assert_eq!(watchman.nodes().len(), 5);
//! let guard = tree::decide("watchman").when("enemy_distance < 100");
//! assert_eq!(guard.behaviour("guard", &declared)?.nodes().len(), 5);
//!
//! let lost = Declarations::new().key("alarm", true).decide("sentry", decisions::decide([
//!     decisions::test("alarm", [decisions::goto("shelte")]),
//!     decisions::none(),
//!     decisions::branch("shelter", [tree::run()]),
//! ]));
//! let error = lost.decision_behaviour("sentry").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "sentry > test alarm > goto shelte: unknown branch `shelte`; did you mean `shelter`?"
//! );
//! # Ok::<(), treemind_doc::tree::TreeError>(())
//! ```
//!
//! As with trees, they may contain whatever documents may contain, and the same code checks them. A decision tree that
//! leads to states says where a transition leads: [`states::transition_by`](super::states::transition_by).
//! [`Node::problems`] of a tree that contains [`tree::decide`](super::decide()) also has the warnings, such as a branch
//! that no `goto` leads to, or a way that leads to nothing.
//!
//! [`Declarations::decide`]: super::Declarations::decide

pub use super::words::decisions::*;

use super::Node;

/// A decision tree with its tests and what they lead to. Its keys and ports come first: [`key`](super::key()),
/// [`input`](super::input()), [`output`](super::output()), [`inout`](super::inout()).
pub fn decide(parts: impl IntoIterator<Item = Node>) -> Node {
    Node::new("decide").children(parts)
}
