//! Files that are too long to read in one go.

use super::{Finding, Tree};
use anyhow::Result;

/// Files with more lines need a reason.
const MAX_LINES: usize = 600;

/// The reason must be within this many lines.
const TOP_LINES: usize = 10;

const MARK: &str = "// long: ";

/// Checks that every source is short, or says near its top why it is not.
pub(super) fn check(tree: &Tree) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for file in tree.with_extension(&["rs"]) {
        let text = tree.text(file)?;
        let lines = text.lines().count();
        let reason = |line: &str| {
            line.trim()
                .strip_prefix(MARK)
                .is_some_and(|reason| !reason.trim().is_empty())
        };
        if lines > MAX_LINES && !text.lines().take(TOP_LINES).any(reason) {
            let sentence = format!(
                "{lines} lines, more than {MAX_LINES}: divide it, or say why not near its top with `{MARK}REASON`"
            );
            findings.push(Finding::new(file, lines, sentence));
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::super::planted::findings;
    use super::*;

    fn source(first: &str, lines: usize) -> String {
        format!("{first}\n{}", "//\n".repeat(lines - 1))
    }

    #[test]
    fn long_sources_are_found() {
        let found = findings(&[
            ("examples/short.rs", &source("//", MAX_LINES)),
            ("examples/long.rs", &source("// long: ", MAX_LINES + 1)),
            ("examples/long.txt", &source("//", MAX_LINES + 1)),
        ]);
        let sentence = "601: 601 lines, more than 600: divide it, or say why not near its top with `// long: REASON`";
        assert_eq!(found, [format!("examples/long.rs:{sentence}")]);
    }

    #[test]
    fn a_reason_near_the_top_is_enough() {
        let with_reason = source("// long: one match over all kinds of nodes", 700);
        assert_eq!(findings(&[("examples/long.rs", &with_reason)]), [""; 0]);
        let too_late = format!("{}// long: too late\n", source("//", 700));
        assert_eq!(findings(&[("examples/long.rs", &too_late)]).len(), 1);
    }
}
