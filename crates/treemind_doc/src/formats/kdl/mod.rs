//! Writing KDL: documents in one style, and nodes that have no text of their own.

#[cfg(feature = "edit")]
mod compare;
#[cfg(feature = "edit")]
mod format;
#[cfg(feature = "convert")]
mod print;
#[cfg(feature = "edit")]
pub(crate) mod printer;

#[cfg(feature = "edit")]
pub use format::format;
#[cfg(feature = "convert")]
pub(crate) use print::print;
