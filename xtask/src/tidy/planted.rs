//! Workspaces in temporary folders, with violations planted in them.

use super::{Finding, Tree, in_files};
use tempfile::TempDir;

/// A workspace with the given files and those that every workspace has.
pub(super) struct Planted(TempDir);

const CLEAN: [(&str, &str); 3] = [
    (
        "Cargo.toml",
        "[workspace]\nmembers = [\"crates/*\"]\n[workspace.dependencies]\ntreemind_core = { path = \"crates/treemind_core\" }\n",
    ),
    ("crates/treemind_core/Cargo.toml", MANIFEST),
    ("crates/treemind_core/src/lib.rs", "//! The core.\n"),
];

/// The manifest of a core package without violations.
pub(super) const MANIFEST: &str =
    "[package]\nname = \"treemind_core\"\nlicense.workspace = true\n\n[lints]\nworkspace = true\n";

impl Planted {
    pub(super) fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in CLEAN.iter().chain(files) {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Self(folder)
    }

    pub(super) fn tree(&self) -> Tree {
        Tree::read(self.0.path()).unwrap()
    }

    /// The findings of all rules, one per line.
    pub(super) fn findings(&self) -> Vec<String> {
        let mut findings = in_files(&self.tree()).unwrap();
        findings.sort();
        findings.iter().map(Finding::to_string).collect()
    }
}

/// The findings of all rules in a clean workspace with these files added.
pub(super) fn findings(files: &[(&str, &str)]) -> Vec<String> {
    Planted::new(files).findings()
}

#[test]
fn a_clean_workspace_is_tidy() {
    assert_eq!(findings(&[]), [""; 0]);
}

#[test]
fn what_is_built_or_fetched_is_passed_over() {
    let long = "//\n".repeat(601);
    assert_eq!(
        findings(&[("target/a.rs", &long), (".git/b.rs", &long)]),
        [""; 0]
    );
}
