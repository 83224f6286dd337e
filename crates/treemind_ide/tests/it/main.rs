//! Tests of the answers that editors get.

mod completed_again;
mod completion;
mod fixes;
mod hostile;
mod hover;
mod refactorings;
mod structure;
mod tests_of_documents;

use std::path::{Path, PathBuf};

/// Whether everything is tried, and not a sample: with `cargo xtask ci --thorough`.
fn is_thorough() -> bool {
    std::env::var_os("TREEMIND_THOROUGH").is_some()
}

/// The documents of the examples, each with what it imports: names and texts.
fn examples() -> Vec<Vec<(String, String)>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut folders = vec![root];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "kdl") {
                files.push(path);
            }
        }
    }
    files.sort();
    let read = |path: &PathBuf| {
        let name = path.to_str().expect("a path");
        let text = std::fs::read(path).expect("a text");
        treemind_doc::Document::read_with(&text, name, |path| std::fs::read(path)).texts()
    };
    files.iter().map(read).collect()
}
