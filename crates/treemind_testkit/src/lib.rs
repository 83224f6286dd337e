//! What Treemind is tested with.

pub mod compare;
pub mod conformance;
pub mod generate;
pub mod random;
pub mod reference;
pub mod scripts;

pub use reference::{Leaves, Reference, ReferenceFault};
pub use scripts::Scripts;
