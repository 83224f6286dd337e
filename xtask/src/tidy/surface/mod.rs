//! The public surface of `treemind`, held against a file, so that nobody changes it without seeing it.

mod items;
mod listing;
mod names;

use super::{Finding, Tree};
use anyhow::{Context as _, Result};
use names::Crates;
use std::path::Path;

/// What is public, one item or method a line.
const FILE: &str = "crates/treemind/public-api.txt";

/// The crates that a game reaches through the first one.
const CRATES: [&str; 3] = ["treemind", "treemind_core", "treemind_doc"];

const HOW: &str =
    "look at what has changed, then write it down: `UPDATE_EXPECTED=1 cargo xtask tidy`";

/// Compares the public items of `treemind`, and of what it passes on, with the file. `UPDATE_EXPECTED=1` writes it anew.
pub(super) fn check(tree: &Tree) -> Result<Vec<Finding>> {
    let is_there = |name: &&str| tree.has(Path::new(&format!("crates/{name}/src/lib.rs")));
    if !CRATES.iter().all(is_there) {
        return Ok(Vec::new());
    }
    let mut crates = Crates::default();
    for name in CRATES {
        crates.read(tree, name)?;
    }
    let now = listing::of(&crates);
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        let full = tree.root.join(FILE);
        std::fs::write(&full, now).with_context(|| format!("cannot write {}", full.display()))?;
        return Ok(Vec::new());
    }
    let known = match tree.has(Path::new(FILE)) {
        true => tree.text(Path::new(FILE))?,
        false => String::new(),
    };
    Ok(difference(&known, &now).into_iter().collect())
}

/// The first line that differs.
fn difference(known: &str, now: &str) -> Option<Finding> {
    if known == now {
        return None;
    }
    let mut lines = known.lines().zip(now.lines());
    let same = lines.position(|(known, now)| known != now);
    let same = same.unwrap_or_else(|| known.lines().count().min(now.lines().count()));
    let shown = |text: &str| match text.lines().nth(same) {
        Some(line) => format!("`{}`", line.trim()),
        None => "nothing more".to_owned(),
    };
    let sentence = format!(
        "the public surface of `treemind` has changed: the file says {}, the code {}; {HOW}",
        shown(known),
        shown(now)
    );
    Some(Finding::new(FILE, same + 1, sentence))
}

#[cfg(test)]
mod tests {
    use super::super::planted::findings;

    const LIB: &str = "//! Docs.\nmod part;\npub use part::Thing;\npub use treemind_core as core;\n\
        pub mod prelude { pub use crate::Thing; }\n";
    const PART: &str = "/// A thing.\n#[derive(Clone)]\npub struct Thing { /// Public.\n pub size: u32, hidden: u8 }\n\
        impl Thing {\n /// Makes one.\n pub fn new(size: u32) -> Self { Self { size, hidden: 0 } }\n fn inner(&self) {}\n}\n\
        impl Default for Thing { fn default() -> Self { Self::new(1) } }\n";
    const CORE: &str = "/// Grows.\n#[non_exhaustive]\npub enum Kind { /// One.\n One(u8), /// Two.\n Two }\nmod hidden { pub fn unseen() {} }\n";
    const LISTED: &str = "\
mod treemind
  struct Thing
    impl Clone
    impl Default
    pub size: u32
    pub fn new(size: u32) -> Self
mod treemind::core
  #[non_exhaustive] enum Kind
    One(u8)
    Two
mod treemind::prelude
  Thing is treemind::Thing
";

    fn found(part: &str) -> Vec<String> {
        findings(&[
            ("crates/treemind/src/lib.rs", LIB),
            ("crates/treemind/src/part.rs", part),
            ("crates/treemind/public-api.txt", LISTED),
            ("crates/treemind_core/src/lib.rs", CORE),
            ("crates/treemind_doc/src/lib.rs", ""),
        ])
    }

    #[test]
    fn the_surface_is_what_the_file_says() {
        assert_eq!(found(PART), [""; 0]);
    }

    #[test]
    fn a_changed_signature_is_found() {
        let sentence = "the public surface of `treemind` has changed: the file says `pub fn new(size: u32) -> Self`, the code `pub fn new(size: u64) -> Self`; look at what has changed, then write it down: `UPDATE_EXPECTED=1 cargo xtask tidy`";
        let changed = PART.replace("new(size: u32)", "new(size: u64)");
        assert_eq!(
            found(&changed),
            [format!("crates/treemind/public-api.txt:6: {sentence}")]
        );
    }
}
