//! Texts: places in them, problems with them, and their nodes.

mod addresses;
mod bytes;
pub(crate) mod code;
pub(crate) mod cycles;
pub(crate) mod diagnostic;
#[cfg(any(feature = "btcpp", feature = "scxml"))]
mod doctype;
mod format;
#[cfg(feature = "btcpp")]
mod mended;
#[cfg(feature = "convert")]
mod notes;
mod paths;
mod room;
pub(crate) mod said;
pub(crate) mod source;
pub(crate) mod suggest;
pub(crate) mod syntax;
pub(crate) mod visible;
mod weights;

pub(crate) use addresses::ByAddress;
pub use bytes::text_of;
pub(crate) use bytes::{decoded, refused};
#[cfg(any(feature = "btcpp", feature = "scxml"))]
pub(crate) use doctype::harmless_doctype;
pub use format::Format;
#[cfg(feature = "btcpp")]
pub(crate) use mended::{Mended, place_mended};
#[cfg(feature = "convert")]
pub(crate) use notes::{Notes, in_block};
pub(crate) use paths::{beside, normal};
pub(crate) use room::with_room;
pub use weights::{BadWeights, Weights};
pub(crate) use weights::{Noun, counted};
