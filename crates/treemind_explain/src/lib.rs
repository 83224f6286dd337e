//! Says in sentences why an agent did what it did: which tests led to the action that it carries out, why the
//! alternatives were not chosen, what cut off the action that ran before, when the deciding facts last changed, and
//! who wrote them.
//!
//! An [`Explainer`] follows one agent from tick to tick, and explains the last tick:
//!
//! ```
//! use std::{sync::Arc, time::Duration};
//! use treemind_core::{Population, Program, Value, host::Scripted, trace::Trace};
//! use treemind_explain::Explainer;
//!
//! let text = br#"
//!     blackboard { key health type=float default=100.0; }
//!     leaves { action flee; action fight; }
//!     tree guard {
//!         reactive-selector {
//!             reactive-sequence { check "health < 20"; action flee; }
//!             action fight
//!         }
//!     }
//! "#;
//! let behaviour = treemind_doc::Document::read(text, "guard.kdl").behaviour(None)?;
//! let mut host = Scripted::new(&behaviour, 1);
//! for action in ["fight", "flee"] {
//!     host.set(0, action, &[treemind_core::Status::Running]);
//! }
//! let mut guards = Population::new(Arc::new(Program::new(behaviour)), 1);
//! let mut explainer = Explainer::new(&guards, 0);
//! let health = guards.program().behaviour().key_id("health").unwrap();
//! for value in [100.0, 18.0] {
//!     guards.set(0, health, Value::Float(value))?;
//!     explainer.before_tick(&guards);
//!     let mut trace = Trace::with_values();
//!     guards.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
//!     explainer.after_tick(&guards, &trace);
//! }
//! let explanation = explainer.explain(&guards).to_string();
//! assert!(explanation.contains("`fight` was cut off"), "{explanation}");
//! assert!(explanation.contains("`health < 20.0` holds: 18.0 < 20.0"), "{explanation}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It needs a trace [with values](treemind_core::trace::Trace::with_values); without them it still says which node
//! decided, but not by which values.

#![cfg_attr(docsrs, feature(doc_cfg))]

/// The program in the page on reasons, so that tests compile it.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/reasons.md")]
struct Reasons;

mod bids;
mod causes;
mod changes;
mod choices;
mod evaluated;
mod explainer;
mod explanation;
mod facts;
mod fellows;
mod find;
mod gates;
mod history;
mod names;
mod networks;
mod outscored;
mod plans;
mod rated;
mod rules;
mod shared;
mod tick;
mod transitions;
mod unreached;
mod words;

pub use explainer::Explainer;
pub use explanation::{Explanation, Reason};
pub use fellows::Fellows;
pub use find::{Judged, Looked, Search, Sought, candidate_text};
pub use plans::score_text;
pub use plans::{Asked, GoalOutlook, Planned, Prospect, Reached, Searched, goal_asked, outlook};
pub use rules::{RuleTold, RuleVerdict, guards_read};
pub use tick::is_of_expression;
pub use transitions::{Before, Candidate, Verdict, refusal_word, transition_line};
pub use words::{Join, Language, Sentence, Words};
