//! The examples, in a package of their own: a package holds only files that lie below its manifest.

use include_dir::{Dir, include_dir};

/// The folders of all examples, as `01-guard`.
pub static EXAMPLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR");
