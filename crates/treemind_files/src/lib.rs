//! Careful reading and writing of files: reading always ends, and writing never leaves half a file.
//!
//! Everything that is saved goes through [`replace`], and every file named on a command line through [`read`]; files that
//! somebody else named go through [`read_regular`]. [`Claims`] knows what a program reads and writes, so that no output
//! destroys an input.
//!
//! With the feature `write`, which is on by default; without it, files are only read.
//!
//! ```
//! # fn main() -> std::io::Result<()> {
//! # let folder = tempfile::tempdir()?;
//! let path = folder.path().join("guard.kdl");
//! treemind_files::replace(&path, b"tree guard { succeed; }")?;
//! assert_eq!(treemind_files::read(&path, 1 << 20)?, b"tree guard { succeed; }");
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "write")]
mod claims;
mod input;
#[cfg(feature = "write")]
mod output;

#[cfg(feature = "write")]
pub use claims::{Claims, Clash};
pub use input::{other_than_file, read, read_all, read_regular, regular};
#[cfg(feature = "write")]
pub use output::replace;
