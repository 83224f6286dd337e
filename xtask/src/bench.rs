//! Measures everything and writes docs/performance.md.

use anyhow::{Context as _, Result, ensure};
use std::path::Path;
use std::process::Command;

/// Builds the benchmark program with the profile `dist`, and lets it write the page.
pub(crate) fn run(root: &Path) -> Result<()> {
    let commit = commit(root)?;
    let status = crate::cargo(root)
        .args([
            "run",
            "--profile=dist",
            "--quiet",
            "--package=treemind_bench",
        ])
        .args(["--", "page", "--commit", &commit])
        .status()
        .context("cargo does not start")?;
    ensure!(status.success(), "nothing was written");
    Ok(())
}

/// The current commit, with a remark if files have changed since.
fn commit(root: &Path) -> Result<String> {
    let args = ["describe", "--always", "--dirty=, changed", "--exclude=*"];
    let output = Command::new("git")
        .current_dir(root)
        .args(args)
        .output()
        .context("git does not start")?;
    ensure!(output.status.success(), "this is no repository of git");
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
