//! What agents did, kept so that every tick can be reached again, and what there is to see of it.
//!
//! - [`observe`] writes what agents do on a [tape](treemind_core::tape), wherever the tape goes: to a file, to a page, to a
//!   view in the terminal.
//! - [`history`] keeps tapes, and reaches any tick again from what is kept nearest before it, in either direction.
//! - [`follow`] knows of the agents that somebody looks at what each line of their behaviour did, what their keys held and
//!   why, and of all agents what they do.
//! - [`view`] is what a page or a panel shows of one tick, as data.
//!
//! Nothing here serves pages, starts threads or reads a clock.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod follow;
pub mod history;
pub mod observe;
pub mod view;
