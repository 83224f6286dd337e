//! The book.

use anyhow::Result;
use std::path::Path;

pub(super) fn build(_: &Path, _: &Path) -> Result<()> {
    anyhow::bail!("no book yet")
}
