//! Builds what is committed although it is made from other files: the page of the studio.

use anyhow::{Context as _, Result, ensure};
use std::path::Path;
use std::process::Command;

/// Installs what the page needs, exactly as its lock file says, and builds it.
pub(crate) fn run(root: &Path) -> Result<()> {
    install(root)?;
    npm(root, &["run", "build"])
}

/// Checks the page: its sources are formatted and have no mistakes, their unit tests pass, and the committed page is the
/// one that they make.
pub(crate) fn check(root: &Path) -> Result<()> {
    install(root)?;
    npm(root, &["run", "lint"])?;
    npm(root, &["test"])?;
    prove(root)
}

/// Builds the page elsewhere, and compares it with the committed one.
fn prove(root: &Path) -> Result<()> {
    let folder = root.join("target/page");
    let out = format!("--outDir={}", folder.display());
    npm(root, &["run", "build", "--", &out, "--emptyOutDir"])?;
    let read = |path: &Path| {
        std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))
    };
    for name in ["index.html", "editor.js", "words.zh.json"] {
        let built = read(&folder.join(name))?;
        let committed = read(&root.join("crates/treemind_studio/page").join(name))?;
        ensure!(
            built == committed,
            "the committed page of the studio is not the one that studio/ makes: `cargo xtask dist` builds it again"
        );
    }
    Ok(())
}

/// Installs what the page needs, exactly as its lock file says.
fn install(root: &Path) -> Result<()> {
    npm(root, &["ci", "--no-audit", "--no-fund"])
}

/// Runs npm in the folder of the page.
pub(crate) fn npm(root: &Path, args: &[&str]) -> Result<()> {
    let status = Command::new("npm")
        .args(args)
        .current_dir(root.join("studio"))
        .status()
        .context("npm does not start: the page of the studio is built with Node and npm")?;
    ensure!(status.success(), "`npm {}` failed", args.join(" "));
    Ok(())
}
