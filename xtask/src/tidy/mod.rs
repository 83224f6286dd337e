//! The rules that no compiler checks.

mod folders;
mod growing;
mod layers;
mod length;
mod licences;
mod manifest;
mod modules;
mod nodes;
mod pages;
#[cfg(test)]
mod planted;
mod publishing;
mod surface;

use anyhow::{Context as _, Result, bail};
use std::fmt;
use std::path::{Path, PathBuf};

/// A violation of a rule.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    /// Relative to the root of the workspace.
    file: PathBuf,
    /// From 1.
    line: usize,
    /// What is wrong and, where it is not obvious, what to do.
    sentence: String,
}

impl Finding {
    fn new(file: impl Into<PathBuf>, line: usize, sentence: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            line,
            sentence: sentence.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{}:{}: {}",
            self.file.display(),
            self.line,
            self.sentence
        )
    }
}

/// Applies every rule to the workspace, prints the findings, and fails if there are any.
pub(crate) fn run(root: &Path) -> Result<()> {
    let tree = Tree::read(root)?;
    let mut findings = in_files(&tree)?;
    findings.extend(publishing::check(&tree, &manifest::read_all(&tree)?));
    findings.extend(licences::check(&licences::resolved_packages(root)?));
    findings.sort();
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => Ok(()),
        1 => bail!("one thing is not tidy"),
        many => bail!("{many} things are not tidy"),
    }
}

/// The crates that users take.
pub(crate) struct Publishing {
    /// In the order of publishing.
    pub(crate) order: Vec<String>,
    /// What each of them includes although it would not be in its package.
    pub(crate) outside: Vec<String>,
}

/// How the crates that users take can be published. Prints what is wrong with manifests, and fails if there is any.
pub(crate) fn publishing(root: &Path) -> Result<Publishing> {
    let tree = Tree::read(root)?;
    let packages = manifest::read_all(&tree)?;
    let findings = publishing::check(&tree, &packages);
    for finding in &findings {
        println!("{finding}");
    }
    match publishing::order(&packages) {
        Ok(order) if findings.is_empty() => Ok(Publishing {
            order: order.into_iter().map(str::to_owned).collect(),
            outside: publishing::outside(&tree, &packages)?
                .iter()
                .map(Finding::to_string)
                .collect(),
        }),
        _ => bail!("{} things are wrong with manifests", findings.len()),
    }
}

/// All rules except those that call cargo.
fn in_files(tree: &Tree) -> Result<Vec<Finding>> {
    let packages = manifest::read_all(tree)?;
    let mut findings = manifest::check(tree, &packages)?;
    findings.extend(layers::check(&packages));
    for package in &packages {
        findings.extend(modules::check(tree, package)?);
        findings.extend(folders::check(tree, package)?);
    }
    findings.extend(growing::check(tree)?);
    findings.extend(length::check(tree)?);
    findings.extend(nodes::check(tree)?);
    findings.extend(pages::check(tree)?);
    findings.extend(surface::check(tree)?);
    Ok(findings)
}

/// The files of the workspace, without build results and downloads.
struct Tree {
    root: PathBuf,
    /// Relative to the root, sorted.
    files: Vec<PathBuf>,
}

impl Tree {
    /// Folders without files written by hand.
    const PASSED_OVER: [&str; 2] = [".git", "target"];

    fn read(root: &Path) -> Result<Self> {
        let mut files = Vec::new();
        let mut pending = vec![PathBuf::new()];
        while let Some(folder) = pending.pop() {
            let full = root.join(&folder);
            let entries = full
                .read_dir()
                .with_context(|| format!("cannot read {}", full.display()))?;
            for entry in entries {
                let entry = entry?;
                let path = folder.join(entry.file_name());
                let kind = entry.file_type()?;
                if kind.is_dir()
                    && !Self::PASSED_OVER
                        .iter()
                        .any(|name| entry.file_name() == *name)
                {
                    pending.push(path);
                } else if kind.is_file() {
                    files.push(path);
                }
            }
        }
        files.sort();
        Ok(Self {
            root: root.to_owned(),
            files,
        })
    }

    fn text(&self, file: &Path) -> Result<String> {
        let full = self.root.join(file);
        std::fs::read_to_string(&full).with_context(|| format!("cannot read {}", full.display()))
    }

    /// The files with one of these extensions.
    fn with_extension<'a>(&'a self, extensions: &'a [&str]) -> impl Iterator<Item = &'a Path> {
        self.files.iter().map(PathBuf::as_path).filter(move |file| {
            file.extension()
                .is_some_and(|extension| extensions.iter().any(|wanted| extension == *wanted))
        })
    }

    /// Whether a file or folder exists; `path` may contain `..`.
    fn has(&self, path: &Path) -> bool {
        self.root.join(path).exists()
    }
}
