//! What a change may have broken, in a minute or two.

use crate::ci::step;
use crate::{cargo, dist, tidy};
use anyhow::{Context as _, Result, ensure};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Files that are no code of a crate, and the tests that hold them: the beginning of a path, a package, the name of its
/// test program, and what the names of the tests begin with.
const HELD: [(&str, &str, &str, &str); 5] = [
    ("conformance/", "treemind_testkit", "it", "conformance::"),
    ("docs/codes/", "treemind_doc", "it", "codes::"),
    ("docs/nodes/", "treemind_testkit", "it", "pages::"),
    ("docs/command-line.md", "treemind_cli", "it", "shown::"),
    ("examples/", "treemind_test", "it", "examples::"),
];

/// What a change touches.
#[derive(Debug, Default, PartialEq)]
struct Touched {
    packages: BTreeSet<String>,
    held: BTreeSet<(&'static str, &'static str, &'static str)>,
    is_page: bool,
}

/// Checks what differs from a commit. Builds are incremental, unlike those of `ci`.
pub(crate) fn run(root: &Path, base: &str) -> Result<()> {
    let touched = touched(&changed(root, base)?);
    step("formatting", || {
        run_cargo(root, &["fmt", "--all", "--check"])
    })?;
    step("tidiness", || tidy::run(root))?;
    if touched.is_page {
        step("page", || {
            if !root.join("studio/node_modules").exists() {
                dist::npm(root, &["ci", "--no-audit", "--no-fund"])?;
            }
            dist::npm(root, &["run", "lint"])?;
            dist::npm(root, &["test"])
        })?;
    }
    if !touched.packages.is_empty() {
        let of_each = |package: &String| format!("--package={package}");
        let packages: Vec<String> = touched.packages.iter().map(of_each).collect();
        let packages: Vec<&str> = packages.iter().map(String::as_str).collect();
        let lints = [&["clippy"], &packages[..], &["--all-targets", "--quiet"]];
        let lints = [&lints.concat()[..], &["--", "-D", "warnings"]].concat();
        step("lints", || run_cargo(root, &lints))?;
        let tests = [&["test"], &packages[..], &["--lib", "--bins", "--quiet"]];
        step("unit tests", || run_cargo(root, &tests.concat()))?;
    }
    for (package, program, prefix) in &touched.held {
        let args = ["test", "--package", package, "--test", program, "--quiet"];
        let args = [&args[..], &["--", prefix]].concat();
        step(&format!("tests {prefix}"), || run_cargo(root, &args))?;
    }
    println!("quick: passed; `cargo xtask ci` also checks what depends on the change");
    Ok(())
}

/// The files that differ from a commit, and those that git does not know and does not ignore.
fn changed(root: &Path, base: &str) -> Result<Vec<String>> {
    let mut paths = Vec::new();
    for args in [
        &["diff", "--name-only", "-z", base, "--"][..],
        &["ls-files", "--others", "--exclude-standard", "-z"],
    ] {
        let output = Command::new("git")
            .args(args)
            .current_dir(root)
            .output()
            .context("git does not start")?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "git: {}", errors.trim());
        let text = String::from_utf8_lossy(&output.stdout);
        let names = text.split('\0').filter(|name| !name.is_empty());
        paths.extend(names.map(str::to_owned));
    }
    Ok(paths)
}

fn touched(paths: &[String]) -> Touched {
    let mut touched = Touched::default();
    for path in paths {
        let below = |folder: &str| path.strip_prefix(folder)?.split('/').next();
        if let Some(package) = below("crates/") {
            touched.packages.insert(package.to_owned());
        }
        if path.starts_with("xtask/") {
            touched.packages.insert("xtask".to_owned());
        }
        touched.is_page |= path.starts_with("studio/");
        let held = HELD.iter().filter(|(start, ..)| path.starts_with(start));
        touched
            .held
            .extend(held.map(|&(_, package, program, prefix)| (package, program, prefix)));
    }
    touched
}

fn run_cargo(root: &Path, args: &[&str]) -> Result<()> {
    let status = cargo(root).args(args).status();
    let status = status.context("cargo does not start")?;
    ensure!(status.success(), "`cargo {}` failed", args.join(" "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_touches_packages_pages_and_what_holds_other_files() {
        let paths = [
            "crates/treemind_core/src/lib.rs",
            "crates/treemind_core/tests/it/main.rs",
            "xtask/src/main.rs",
            "docs/codes/T0101.md",
            "studio/src/main.tsx",
            "README.md",
        ];
        let found = touched(&paths.map(str::to_owned));
        let packages = ["treemind_core", "xtask"].map(str::to_owned);
        assert_eq!(found.packages, BTreeSet::from(packages));
        assert_eq!(
            found.held,
            BTreeSet::from([("treemind_doc", "it", "codes::")])
        );
        assert!(found.is_page);
        assert_eq!(touched(&["README.md".to_owned()]), Touched::default());
    }

    /// A test that is renamed would no longer be run: cargo passes when no test matches.
    #[test]
    fn tests_that_hold_files_exist() {
        let root = crate::workspace_root().unwrap();
        for (start, package, program, prefix) in HELD {
            assert!(root.join(start).exists(), "{start}");
            let module = prefix.trim_end_matches("::");
            let file = root.join(format!("crates/{package}/tests/{program}/{module}.rs"));
            assert!(file.exists(), "{} of {start}", file.display());
        }
    }
}
