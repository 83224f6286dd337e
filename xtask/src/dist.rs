//! Builds what is committed although it is made from other files: the page of the studio.

use anyhow::{Context as _, Result, ensure};
use std::path::Path;
use std::process::Command;

/// Installs what the page needs, exactly as its lock file says, and builds it.
pub(crate) fn run(root: &Path) -> Result<()> {
    let steps: [&[&str]; 2] = [&["ci", "--no-audit", "--no-fund"], &["run", "build"]];
    for args in steps {
        let status = Command::new("npm")
            .args(args)
            .current_dir(root.join("studio"))
            .status()
            .context("npm does not start: the page of the studio is built with Node and npm")?;
        ensure!(status.success(), "`npm {}` failed", args.join(" "));
    }
    Ok(())
}
