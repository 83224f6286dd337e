//! Careful reading and writing of files: reading always ends, and writing never leaves half a file.
//!
//! Everything that is saved goes through [`replace`], or [`create`] where nothing may be overwritten. Every file named on
//! a command line goes through [`read`], and files that somebody else named through [`read_regular`]. [`Claims`] knows what a program reads and writes, so that no output
//! destroys an input.
//!
//! Files are written with the feature `files`; without it, they are only read.
//!
//! ```
//! # fn main() -> std::io::Result<()> {
//! # let folder = tempfile::tempdir()?;
//! let path = folder.path().join("guard.kdl");
//! treemind_doc::files::replace(&path, b"tree guard { succeed; }")?;
//! assert_eq!(treemind_doc::files::read(&path, 1 << 20)?, b"tree guard { succeed; }");
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "files")]
mod claims;
mod input;
#[cfg(feature = "files")]
mod output;
#[cfg(feature = "files")]
mod seen;

#[cfg(feature = "files")]
pub use claims::{Claims, Clash};
pub use input::{other_than_file, read, read_all, read_regular, regular};
#[cfg(feature = "files")]
pub use output::{create, replace};
#[cfg(feature = "files")]
pub use seen::{Replaced, replace_if};
