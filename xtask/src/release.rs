//! Whether the crates that users take can be published.

use crate::{cargo, tidy};
use anyhow::{Context as _, Result, ensure};
use std::path::Path;

/// Checks manifests and sources, prints the order of publishing, and makes all packages without a network.
///
/// Cargo resolves the packages among each other, as if those before had been published. `is_built` builds each of them
/// from its package.
pub(crate) fn check(root: &Path, is_built: bool) -> Result<()> {
    let tidy::Publishing { order, outside } = tidy::publishing(root)?;
    for (number, name) in (1..).zip(&order) {
        println!("{number:>3} {name}");
    }
    let mut command = cargo(root);
    command.args(["package", "--offline", "--allow-dirty", "--quiet"]);
    if !is_built {
        command.arg("--no-verify");
    }
    for name in &order {
        command.args(["--package", name]);
    }
    let status = command.status().context("cargo does not start")?;
    ensure!(status.success(), "cargo cannot make the packages");
    println!("{} packages are in target/package", order.len());
    for finding in &outside {
        println!("{finding}");
    }
    ensure!(
        outside.is_empty(),
        "packages would not build: files are missing in them"
    );
    Ok(())
}
