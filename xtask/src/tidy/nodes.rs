//! Checks that pages about nodes are in their index, and that the scenarios named in pages exist. A test of
//! `treemind_doc` checks that every node has a page, and that the page agrees with the table of the language.

use super::{Finding, Tree};
use anyhow::Result;
use std::path::Path;

const PAGES: &str = "docs/nodes";

/// The page that compares behaviours, each with the scenario that shows it.
const COMPARED: &str = "docs/compared.md";

/// Checks the index, and the scenarios that pages name.
pub(super) fn check(tree: &Tree) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    let index = Path::new(PAGES).join("README.md");
    let listed = match tree.has(&index) {
        true => tree.text(&index)?,
        false => String::new(),
    };
    for page in tree.with_extension(&["md"]) {
        let is_node = page.parent() == Some(Path::new(PAGES)) && page != index;
        if !is_node && !page.starts_with("docs") {
            continue;
        }
        let text = tree.text(page)?;
        let named = scenarios(&text);
        findings.extend(untrue(tree, page, &named)?);
        if !is_node {
            continue;
        }
        let name = page.file_stem().unwrap_or_default().to_string_lossy();
        if !listed.contains(&format!("]({name}.md)")) {
            let sentence = format!("{} does not name this page", index.display());
            findings.push(Finding::new(page, 1, sentence));
        }
        if named.is_empty() {
            let sentence = "this page names no file of scenarios";
            findings.push(Finding::new(page, 1, sentence));
        }
    }
    Ok(findings)
}

/// A link to a file of scenarios, and the title in quotes after it.
struct Named<'a> {
    line: usize,
    target: &'a str,
    title: Option<&'a str>,
}

/// The scenarios that a page names, such as `[wait](../conformance/wait.scenarios): "Zero is success at once"`.
fn scenarios(text: &str) -> Vec<Named<'_>> {
    let mut found = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        for part in content.split("](").skip(1) {
            let Some((target, rest)) = part.split_once(')') else {
                continue;
            };
            if target.ends_with(".scenarios") {
                let title = rest.strip_prefix(": \"").and_then(|rest| {
                    let (title, _) = rest.split_once('"')?;
                    Some(title)
                });
                found.push(Named {
                    line,
                    target,
                    title,
                });
            }
        }
    }
    found
}

/// Titles that no scenario of the file has. Another rule, for the links of all pages, checks that the file exists.
fn untrue(tree: &Tree, page: &Path, named: &[Named<'_>]) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for Named {
        line,
        target,
        title,
    } in named
    {
        let Some(title) = title else {
            if page == Path::new(COMPARED) {
                let sentence = format!("behind {target} stands no title, as in `: \"TITLE\"`");
                findings.push(Finding::new(page, *line, sentence));
            }
            continue;
        };
        let file = page.parent().unwrap_or(Path::new("")).join(target);
        if tree.has(&file) {
            let wanted = format!("scenario {title}");
            if !tree.text(&file)?.lines().any(|line| line == wanted) {
                let sentence = format!("{target} has no scenario \"{title}\"");
                findings.push(Finding::new(page, *line, sentence));
            }
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::super::planted::{MANIFEST, findings};
    use super::*;

    const PAGE: &str = "[Scenarios](../../conformance/wait.scenarios)\n";
    const INDEX: &str = "[a](wait.md) [b](run.md)\n";
    const SCENARIOS: &str = "scenario Zero is success at once\ntree:\n    wait 0\nrun: ticks=1\n";

    /// The findings when these files are added to those of a crate; a later file replaces an earlier one.
    fn with(files: &[(&str, &str)]) -> Vec<String> {
        let manifest = MANIFEST.replace("treemind_core", "treemind_doc");
        let mut all = vec![
            ("crates/treemind_doc/Cargo.toml", manifest.as_str()),
            ("crates/treemind_doc/src/lib.rs", "//! Documents.\n"),
            ("conformance/wait.scenarios", SCENARIOS),
            ("docs/nodes/README.md", INDEX),
            ("docs/nodes/wait.md", PAGE),
        ];
        all.extend(files);
        findings(&all)
    }

    const RUN: (&str, &str) = ("docs/nodes/run.md", PAGE);

    #[test]
    fn pages_in_the_index_are_well() {
        assert_eq!(with(&[RUN]), [""; 0]);
    }

    #[test]
    fn a_page_that_the_index_lacks_is_found() {
        assert_eq!(
            with(&[RUN, ("docs/nodes/README.md", "[a](wait.md)\n")]),
            ["docs/nodes/run.md:1: docs/nodes/README.md does not name this page"]
        );
    }

    #[test]
    fn a_page_without_scenarios_is_found() {
        assert_eq!(
            with(&[("docs/nodes/run.md", "It runs.\n")]),
            ["docs/nodes/run.md:1: this page names no file of scenarios"]
        );
        assert_eq!(
            with(&[(
                "docs/nodes/run.md",
                "[Scenarios](../../conformance/run.scenarios)\n"
            )]),
            [
                "docs/nodes/run.md:1: the link leads to `../../conformance/run.scenarios`, which does not exist"
            ]
        );
    }

    #[test]
    fn scenarios_that_do_not_exist_are_found() {
        let page = "[wait](../conformance/wait.scenarios): \"Zero is success at once\"\n\
            [wait](../conformance/wait.scenarios): \"Zero is failure\"\n\
            [wait](../conformance/wait.scenarios)\n";
        assert_eq!(
            with(&[RUN, (COMPARED, page)]),
            [
                "docs/compared.md:2: ../conformance/wait.scenarios has no scenario \"Zero is failure\"",
                "docs/compared.md:3: behind ../conformance/wait.scenarios stands no title, as in `: \"TITLE\"`",
            ]
        );
    }
}
