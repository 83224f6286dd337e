//! The site: built as quickly as can be, and opened in a browser.

use super::binaries::{self, Binary};
use crate::{machine, site};
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where it is built, so that a site that somebody has built for use stays.
fn folder(root: &Path) -> PathBuf {
    root.join("target/ci-site")
}

/// Builds the site with the book, if the compiler has the target of pages or can get it. All blocks of the book that have a
/// button play: they need no browser, so they are tried at once.
///
/// Nothing is optimised: pages play more slowly, but by the same code, and the build costs a tenth.
pub(super) fn build(root: &Path) -> Result<()> {
    let out = folder(root);
    if out.exists() {
        std::fs::remove_dir_all(&out)?;
    }
    if !has_target(root) && std::env::var_os("CI").is_some() {
        // A compiler that was there before this project has only its own target, and gets no others by itself.
        machine::works("rustup", &["target", "add", site::TARGET]);
    }
    if !has_target(root) {
        let target = site::TARGET;
        println!("ci: the site is left out; `rustup target add {target}` adds what it needs");
        return Ok(());
    }
    let has_book = site::has_mdbook(root);
    if !has_book {
        println!("ci: there is no mdbook, and none can be installed: the site has no book");
    }
    site::run(
        root,
        &site::Options {
            out: Some(out.clone()),
            is_quick: true,
            has_book,
            has_studio: true,
            is_tested: false,
        },
    )?;
    if has_book {
        site::blocks_play(root, &out)?;
    }
    Ok(())
}

/// Whether the compiler has the standard library for pages.
fn has_target(root: &Path) -> bool {
    let output = Command::new("rustc")
        .current_dir(root)
        .args(["--print=target-libdir", "--target", site::TARGET])
        .output();
    output.is_ok_and(|output| {
        let folder = String::from_utf8_lossy(&output.stdout);
        output.status.success() && Path::new(folder.trim()).is_dir()
    })
}

/// Opens the site that was built in a browser.
pub(super) fn test(root: &Path, built: &[Binary]) -> Result<()> {
    let out = folder(root);
    if !out.exists() {
        return Ok(());
    }
    binaries::on_the_site(&out, built)
}
