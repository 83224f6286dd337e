//! Checks that the files named in pages exist, and that tests compile the code in README.md.

use super::{Finding, Tree};
use anyhow::Result;
use std::path::Path;

/// A word with one of these endings is taken as a file name.
const FILE_ENDINGS: [&str; 12] = [
    ".rs", ".md", ".toml", ".lock", ".kdl", ".json", ".xml", ".scxml", ".csv", ".sh", ".txt",
    ".yml",
];

/// The pages at the root that are checked. CHANGELOG.md is not: it also names what has gone.
const AT_ROOT: [&str; 4] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
];

/// Checks every path in backticks and every relative link, in the pages at the root and under docs.
pub(super) fn check(tree: &Tree) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for page in tree.with_extension(&["md"]) {
        let at_root = AT_ROOT.iter().any(|name| page == Path::new(name));
        if !at_root && !page.starts_with("docs") {
            continue;
        }
        let text = tree.text(page)?;
        for (line, mention) in mentions(&text) {
            if !is_there(tree, page, &mention) {
                let sentence = match mention {
                    Mention::Path(path) => {
                        format!("`{path}` is not a file or folder of the repository")
                    }
                    Mention::Link(target) => {
                        format!("the link leads to `{target}`, which does not exist")
                    }
                };
                findings.push(Finding::new(page, line, sentence));
            }
        }
    }
    findings.extend(uncompiled(tree)?);
    Ok(findings)
}

/// How a library includes the code of README.md in its documentation tests.
const COMPILES_README: &str = "include_str!(\"../../../README.md\")";

/// Rust code in README.md that no documentation test compiles.
fn uncompiled(tree: &Tree) -> Result<Vec<Finding>> {
    let readme = Path::new("README.md");
    if !tree.has(readme) {
        return Ok(Vec::new());
    }
    let mut is_compiled = false;
    for file in tree.with_extension(&["rs"]) {
        if file.ends_with("src/lib.rs") {
            is_compiled |= tree.text(file)?.contains(COMPILES_README);
        }
    }
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(tree.text(readme)?.lines()) {
        let Some(info) = line.trim_start().strip_prefix("```rust") else {
            continue;
        };
        if info.split(',').any(|word| word.trim() == "ignore") {
            let sentence = "this code is not compiled: take `ignore` away";
            findings.push(Finding::new(readme, number, sentence));
        } else if !is_compiled {
            let sentence = format!(
                "this code is not compiled: no library has `#[doc = {COMPILES_README}]` for its tests"
            );
            findings.push(Finding::new(readme, number, sentence));
        }
    }
    Ok(findings)
}

/// A mention of a file on a page.
#[derive(Debug, PartialEq)]
enum Mention<'a> {
    /// In backticks.
    Path(&'a str),
    /// The target of a link, without its fragment.
    Link(&'a str),
}

/// Paths and links of a page with their lines; fenced blocks are skipped, because they show what readers may type.
fn mentions(text: &str) -> Vec<(usize, Mention<'_>)> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let trimmed = line.trim_start();
        let opens = ["```", "~~~"]
            .into_iter()
            .find(|mark| trimmed.starts_with(mark));
        match (fence, opens) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) => {
                let spans = line.split('`').skip(1).step_by(2);
                found.extend(
                    spans
                        .filter(|span| is_path(span))
                        .map(|span| (number, Mention::Path(span))),
                );
                let links =
                    links(line).filter_map(|target| Some((number, Mention::Link(local(target)?))));
                found.extend(links);
            }
            (Some(_), _) => {}
        }
    }
    found
}

/// The targets of the links of a line: `[text](target)`.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once(')')?.0.trim()))
}

/// The part of a link that is a file; `None` for links to the web or within the page.
fn local(target: &str) -> Option<&str> {
    let path = target.split(['#', ' ']).next().unwrap_or_default();
    let is_web = path.contains("://") || path.starts_with("mailto:");
    (!path.is_empty() && !is_web).then_some(path)
}

/// Whether a word in backticks is a path.
fn is_path(word: &str) -> bool {
    let plain = |character: char| character.is_ascii_alphanumeric() || "_-./*".contains(character);
    // A number on one side means a quotient; a leading slash means an operator, or a path outside of the repository.
    let is_quotient = word.split('/').any(|part| part.parse::<f64>().is_ok());
    word.chars().all(plain)
        && !word.starts_with(['/', '*'])
        && !is_quotient
        && (word.contains('/')
            || FILE_ENDINGS
                .iter()
                .any(|ending| word.len() > ending.len() && word.ends_with(ending)))
}

/// Whether the mentioned file exists. A path is looked up from the root and from its page; a bare name matches any
/// file with that name; and for a pattern, only the part before the first `*` is looked up. A link is looked up
/// from its page alone.
fn is_there(tree: &Tree, page: &Path, mention: &Mention<'_>) -> bool {
    let folder = page.parent().unwrap_or(Path::new(""));
    match *mention {
        Mention::Link(target) => tree.has(&folder.join(target)),
        Mention::Path(path) => {
            let fixed = match path.find('*') {
                Some(star) => path[..star].rfind('/').map_or("", |slash| &path[..slash]),
                None => path,
            };
            let is_name = |file: &Path| file.file_name().is_some_and(|name| name == path);
            tree.has(Path::new(fixed))
                || tree.has(&folder.join(fixed))
                || (!path.contains('/') && tree.files.iter().any(|file| is_name(file)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::planted::findings;
    use super::*;

    #[test]
    fn paths_that_lead_nowhere_are_found() {
        let page = "See `crates/treemind_core/src/lib.rs`, `lib.rs` and `crates/*/src`.\n\
            Then `crates/treemind_core/src/gone.rs`, `gone.kdl` and `gone/*.kdl`.\n";
        assert_eq!(
            findings(&[("ARCHITECTURE.md", page)]),
            [
                "ARCHITECTURE.md:2: `crates/treemind_core/src/gone.rs` is not a file or folder of the repository",
                "ARCHITECTURE.md:2: `gone.kdl` is not a file or folder of the repository",
                "ARCHITECTURE.md:2: `gone/*.kdl` is not a file or folder of the repository",
            ]
        );
    }

    #[test]
    fn links_that_lead_nowhere_are_found() {
        let page = "[well](../Cargo.toml), [well](#part), [well](https://example.org/a)\n\n[ill](Cargo.toml#part)\n";
        assert_eq!(
            findings(&[
                ("docs/more/page.md", "[well](../page.md)\n"),
                ("docs/page.md", page)
            ]),
            ["docs/page.md:3: the link leads to `Cargo.toml`, which does not exist"]
        );
    }

    #[test]
    fn words_that_are_no_paths_are_passed_over() {
        let page = "`!`, `a / b`, `/`, `health < 20`, `1/2`, `--dt`, `std::fmt`, `0.25`, `{key}`, `wait`\n\
            ```sh\ntreemind check gone.kdl `gone.kdl`\n```\n";
        assert_eq!(findings(&[("README.md", page)]), [""; 0]);
    }

    #[test]
    fn code_that_no_test_compiles_is_found() {
        let readme = "```rust\nfn main() {}\n```\n";
        assert_eq!(
            findings(&[("README.md", readme)]),
            [
                "README.md:1: this code is not compiled: no library has `#[doc = include_str!(\"../../../README.md\")]` for its tests"
            ]
        );
        let library = "//! Core.\n#[cfg(doctest)]\n#[doc = include_str!(\"../../../README.md\")]\nstruct Readme;\n";
        let library = ("crates/treemind_core/src/lib.rs", library);
        assert_eq!(findings(&[("README.md", readme), library]), [""; 0]);
        let ignored = "```rust,ignore\n```\n";
        assert_eq!(
            findings(&[("README.md", ignored), library]),
            ["README.md:1: this code is not compiled: take `ignore` away"]
        );
    }

    #[test]
    fn other_pages_are_passed_over() {
        assert_eq!(findings(&[("CHANGELOG.md", "`gone.rs`\n")]), [""; 0]);
    }

    #[test]
    fn mentions_have_lines() {
        assert_eq!(
            mentions("one\n`a/b` [c](d.md#e)\n"),
            [(2, Mention::Path("a/b")), (2, Mention::Link("d.md"))]
        );
    }
}
