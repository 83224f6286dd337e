//! The pages of this folder that the program `treemind` prints, in a package of their own: a package holds only files
//! that lie below its manifest.

use include_dir::{Dir, include_dir};

/// The pages of nodes, as `sequence.md`.
pub static NODES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/nodes");

/// The pages of diagnostics by their codes, as `T0102.md`.
pub static CODES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/codes");
