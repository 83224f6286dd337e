//! Whether the crates that users take can be published.

use crate::{cargo, machine, tidy};
use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Checks manifests and sources, prints the order of publishing, and makes all packages without a network.
///
/// Cargo resolves the packages among each other, as if those before had been published. `is_built` builds each of them
/// from its package, and its documentation as docs.rs does.
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
    if is_built {
        documented(root, &order)?;
    }
    compared(root, &order)
}

/// Builds the documentation as docs.rs does: with the features that the manifest names for it, and with what items need
/// beside them.
fn documented(root: &Path, order: &[String]) -> Result<()> {
    let output = cargo(root)
        .args(["metadata", "--no-deps", "--offline", "--format-version=1"])
        .output()
        .context("cargo does not start")?;
    let all: Value = serde_json::from_slice(&output.stdout).context("cargo says no JSON")?;
    for name in order {
        // docs.rs has a nightly compiler; ours is told that it is one. What is built so is kept apart.
        let status = cargo(root)
            .args(["doc", "--no-deps", "--quiet", "--package", name])
            .args(features(&all, name))
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTDOCFLAGS", "--cfg docsrs -D warnings")
            .env("CARGO_TARGET_DIR", root.join("target/docsrs"))
            .status()
            .context("cargo does not start")?;
        ensure!(status.success(), "docs.rs could not show {name}");
    }
    println!("docs.rs can show all of them");
    Ok(())
}

/// The features with which docs.rs documents a package, as options of cargo.
fn features(all: &Value, name: &str) -> Vec<String> {
    let mut packages = all["packages"].as_array().into_iter().flatten();
    let package = packages.find(|package| package["name"] == name);
    let wanted = package.map_or(&Value::Null, |package| &package["metadata"]["docs"]["rs"]);
    let mut options = Vec::new();
    if wanted["all-features"] == true {
        options.push("--all-features".to_owned());
    }
    let features = wanted["features"].as_array().into_iter().flatten();
    let features: Vec<&str> = features.filter_map(Value::as_str).collect();
    if !features.is_empty() {
        options.push(format!("--features={}", features.join(",")));
    }
    options
}

/// Compares the items of the libraries with those of the last release, if there is one: a version that breaks its users has
/// another number.
fn compared(root: &Path, order: &[String]) -> Result<()> {
    let output = Command::new("git")
        .current_dir(root)
        .args([
            "tag",
            "--list",
            "v*",
            "--merged",
            "HEAD",
            "--sort=-version:refname",
        ])
        .output()
        .context("git does not start")?;
    let tags = String::from_utf8_lossy(&output.stdout).into_owned();
    let Some(last) = last_release(&tags) else {
        println!("nothing has been released, so there is nothing to compare with");
        return Ok(());
    };
    ensure!(
        machine::works("cargo", &["semver-checks", "--version"]),
        "`cargo install cargo-semver-checks --locked` installs what compares with {last}"
    );
    let mut command = cargo(root);
    command.args(["semver-checks", "--baseline-rev", last]);
    for name in order.iter().filter(|name| is_library(root, name)) {
        command.args(["--package", name]);
    }
    let status = command.status().context("cargo does not start")?;
    ensure!(
        status.success(),
        "the version needs another number: it breaks users of {last}"
    );
    Ok(())
}

/// Whether a package has items to compare. Neither a program has, nor what only derives.
fn is_library(root: &Path, name: &str) -> bool {
    let folder = root.join("crates").join(name);
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    folder.join("src/lib.rs").exists() && !manifest.contains("proc-macro = true")
}

/// The newest of the tags of releases, of which the newest comes first: `v1.2.3`.
fn last_release(tags: &str) -> Option<&str> {
    let is_release = |tag: &&str| {
        let numbers = tag.strip_prefix('v').unwrap_or_default().split('.');
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit());
        numbers.clone().count() == 3 && numbers.clone().all(is_number)
    };
    tags.lines().find(is_release)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documentation_has_the_features_that_the_manifest_names() {
        let docs = |rs: Value| serde_json::json!({"docs": {"rs": rs}});
        let all = serde_json::json!({"packages": [
            {"name": "a", "metadata": docs(serde_json::json!({"features": ["one", "two"]}))},
            {"name": "b", "metadata": docs(serde_json::json!({"all-features": true}))},
            {"name": "c", "metadata": null},
        ]});
        assert_eq!(features(&all, "a"), ["--features=one,two"]);
        assert_eq!(features(&all, "b"), ["--all-features"]);
        assert!(features(&all, "c").is_empty());
    }

    #[test]
    fn only_tags_of_releases_count() {
        assert_eq!(
            last_release("v1.0.0-rc.1\nvillage\nv0.2.0\nv0.1.0\n"),
            Some("v0.2.0")
        );
        assert_eq!(last_release("v2\nv1.x.0\n"), None);
        assert_eq!(last_release(""), None);
    }
}
