//! Enumerations that grow: whoever matches one in another crate has an arm for what comes later, and our own crates
//! still hear of a variant that they do not name.

use super::{Finding, Tree};
use anyhow::Result;
use std::path::Path;

/// The public enumerations of these folders grow, except those below.
const SOURCES: [&str; 3] = [
    "crates/treemind_core/src",
    "crates/treemind_doc/src",
    "crates/treemind/src",
];

/// What has all its variants by its meaning: games match them without a last arm.
const CLOSED: [&str; 29] = [
    "Aim",
    "Arg",
    "Arith",
    "Change",
    "Circle",
    "Compare",
    "Counting",
    "Depth",
    "Doing",
    "Family",
    "FindFrom",
    "Flaw",
    "Form",
    "GivenIf",
    "Mode",
    "NoPlan",
    "Outcome",
    "Part",
    "PieceKind",
    "Search",
    "Severity",
    "Side",
    "Skips",
    "Stack",
    "Status",
    "Threshold",
    "Times",
    "Way",
    "Yields",
];

const ATTRIBUTE: &str = "#[non_exhaustive]";
const LINT: &str = "wildcard_enum_match_arm";
const ARM: &str = "unlisted(";

/// Checks both sides.
pub(super) fn check(tree: &Tree) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for file in tree.with_extension(&["rs"]) {
        let text = tree.text(file)?;
        let lines: Vec<&str> = text.lines().collect();
        let is_of_library = SOURCES.iter().any(|folder| file.starts_with(folder));
        // Tests and what is for tests only fail when they come to such an arm.
        let is_test = file.components().any(|part| part.as_os_str() == "tests")
            || file.starts_with("crates/treemind_testkit")
            || file.starts_with("xtask");
        for at in 0..lines.len() {
            if is_of_library {
                findings.extend(open_enum(file, &lines, at));
            }
            if !is_test {
                findings.extend(arm_without_lint(file, &lines, at));
            }
        }
    }
    Ok(findings)
}

/// A public enumeration that is neither closed nor marked.
fn open_enum(file: &Path, lines: &[&str], at: usize) -> Option<Finding> {
    let rest = lines[at].strip_prefix("pub enum ")?;
    let name = rest.split(|c: char| !c.is_alphanumeric()).next()?;
    let is_marked = attributes_above(lines, at).any(|line| line == ATTRIBUTE);
    if is_marked || CLOSED.contains(&name) {
        return None;
    }
    let sentence = format!(
        "`{name}` may grow: mark it `{ATTRIBUTE}`, or say in xtask/src/tidy/growing.rs that it is closed"
    );
    Some(Finding::new(file, at + 1, sentence))
}

/// A last arm that is never reached, where clippy does not look whether the others are all there are.
fn arm_without_lint(file: &Path, lines: &[&str], at: usize) -> Option<Finding> {
    let line = lines[at].trim_start();
    if !line.contains(ARM) || line.starts_with("//") || line.contains("fn ") {
        return None;
    }
    let is_function = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().take(4).collect();
        words.contains(&"fn") && !words[0].starts_with("//")
    };
    let function = (0..at).rev().find(|above| is_function(lines[*above]))?;
    let has_lint = attributes_above(lines, function).any(|line| line.contains(LINT));
    let has_lint = has_lint || lines[function..at].iter().any(|line| line.contains(LINT));
    if has_lint {
        return None;
    }
    let sentence = format!("put `#[warn(clippy::{LINT})]` above the function with this arm");
    Some(Finding::new(file, at + 1, sentence))
}

/// The lines with attributes and documentation right above a line.
fn attributes_above<'a>(lines: &'a [&str], at: usize) -> impl Iterator<Item = &'a str> {
    let above = lines[..at].iter().rev().map(|line| line.trim());
    above.take_while(|line| !line.is_empty() && !line.ends_with('}'))
}

#[cfg(test)]
mod tests {
    use super::super::planted::findings;

    #[test]
    fn an_enumeration_that_may_grow_is_found() {
        let text = "//! A value.\n\n/// A value.\npub enum Value {\n    A,\n}\n\n/// Closed.\npub enum Status {\n    A,\n}\n";
        let found = findings(&[("crates/treemind_doc/src/value.rs", text)]);
        let sentence = "`Value` may grow: mark it `#[non_exhaustive]`, or say in xtask/src/tidy/growing.rs that it is closed";
        assert!(
            found.contains(&format!("crates/treemind_doc/src/value.rs:4: {sentence}")),
            "{found:?}"
        );
        assert!(!found.iter().any(|one| one.contains("Status")), "{found:?}");
        let marked = text.replace("pub enum Value", "#[non_exhaustive]\npub enum Value");
        let found = findings(&[("crates/treemind_doc/src/value.rs", &marked)]);
        assert!(
            !found.iter().any(|one| one.contains("may grow")),
            "{found:?}"
        );
    }

    #[test]
    fn a_last_arm_needs_the_lint() {
        let text = "fn name(value: Value) -> u8 {\n    match value {\n        Value::A => 1,\n        _ => treemind_core::unlisted(&value),\n    }\n}\n";
        let sentence =
            "put `#[warn(clippy::wildcard_enum_match_arm)]` above the function with this arm";
        let found = findings(&[("examples/name.rs", text)]);
        assert_eq!(found, [format!("examples/name.rs:4: {sentence}")]);
        let with_lint = format!("#[warn(clippy::wildcard_enum_match_arm)]\n{text}");
        assert_eq!(findings(&[("examples/name.rs", &with_lint)]), [""; 0]);
        assert_eq!(
            findings(&[("crates/treemind_doc/tests/it/name.rs", text)]),
            [""; 0]
        );
    }
}
