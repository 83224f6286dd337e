//! Finds out from which commit the program is built, for `treemind --version`.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=TREEMIND_COMMIT");
    let said = env::var("TREEMIND_COMMIT").ok();
    let said = said.filter(|commit| !commit.is_empty());
    if let Some(commit) = said.or_else(of_package).or_else(of_checkout) {
        println!("cargo::rustc-env=TREEMIND_COMMIT={commit}");
    }
}

/// The commit that cargo has noted in a package of the registry.
fn of_package() -> Option<String> {
    let note = ".cargo_vcs_info.json";
    if !Path::new(note).exists() {
        return None;
    }
    println!("cargo::rerun-if-changed={note}");
    let note = std::fs::read_to_string(note).ok()?;
    let (_, rest) = note.split_once("\"sha1\"")?;
    Some(rest.split('"').nth(1)?.get(..12)?.to_owned())
}

/// The commit that git has checked out. Only optimised builds ask for it: those for development would compile this crate anew
/// after every commit.
fn of_checkout() -> Option<String> {
    // In sources that somebody has copied into a repository of their own, the commit would be one of that.
    let is_ours =
        || git(&["rev-parse", "--show-prefix"]).is_some_and(|it| it == "crates/treemind_cli/");
    if env::var("PROFILE").as_deref() != Ok("release") || !is_ours() {
        return None;
    }
    let moves = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    if Path::new(&moves).exists() {
        println!("cargo::rerun-if-changed={moves}");
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let said = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| said.trim().to_owned())
}
