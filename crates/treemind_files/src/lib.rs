//! Careful reading and writing of files: reading always ends, and writing never leaves half a file.
//!
//! Everything that is saved goes through [`replace`], and every file named on a command line through [`read`].
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

mod input;
mod output;

pub use input::{read, read_all, regular};
pub use output::replace;
