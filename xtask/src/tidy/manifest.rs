//! Manifests: what every package of the workspace must inherit.

use super::{Finding, Tree};
use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// A package of the workspace.
pub(super) struct Package {
    pub(super) name: String,
    /// Relative to the root of the workspace.
    pub(super) manifest: PathBuf,
    pub(super) dependencies: Vec<Dependency>,
    pub(super) text: String,
    pub(super) table: Table,
}

/// One line of a dependency table.
pub(super) struct Dependency {
    /// The name of the package, even if the dependency is renamed.
    pub(super) package: String,
    pub(super) section: Section,
    pub(super) line: usize,
    /// Whether it names a version, and not only a path.
    pub(super) has_version: bool,
}

/// The kind of a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Normal,
    Build,
    Dev,
}

impl Section {
    const ALL: [(Section, &str); 3] = [
        (Section::Normal, "dependencies"),
        (Section::Build, "build-dependencies"),
        (Section::Dev, "dev-dependencies"),
    ];
}

impl Package {
    /// The folder of the package, relative to the root of the workspace.
    pub(super) fn folder(&self) -> &Path {
        self.manifest.parent().unwrap_or(Path::new(""))
    }

    /// A field of `[package]`.
    pub(super) fn field(&self, key: &str) -> Option<&Value> {
        self.table.get("package")?.get(key)
    }

    fn parse(manifest: &Path, text: String, renamed: &Table) -> Result<Option<Self>> {
        let table: Table = text
            .parse()
            .with_context(|| format!("{} is not TOML", manifest.display()))?;
        let Some(name) = table
            .get("package")
            .and_then(|package| package.get("name")?.as_str())
        else {
            return Ok(None);
        };
        let mut dependencies = Vec::new();
        let targets = table.get("target").and_then(Value::as_table);
        let per_target = targets
            .into_iter()
            .flat_map(Table::values)
            .filter_map(Value::as_table);
        for place in std::iter::once(&table).chain(per_target) {
            for (section, title) in Section::ALL {
                for (key, value) in place
                    .get(title)
                    .and_then(Value::as_table)
                    .into_iter()
                    .flatten()
                {
                    dependencies.push(Dependency {
                        package: real_name(key, value, renamed),
                        section,
                        line: line_of(&text, title, key),
                        has_version: has_version(key, value, renamed),
                    });
                }
            }
        }
        Ok(Some(Self {
            name: name.to_owned(),
            manifest: manifest.to_owned(),
            dependencies,
            text,
            table,
        }))
    }
}

/// The name of the package behind a key, which may differ from the key.
fn real_name(key: &str, value: &Value, of_workspace: &Table) -> String {
    let value = resolved(key, value, of_workspace);
    let renamed = value.and_then(|value| value.get("package")?.as_str());
    renamed.unwrap_or(key).to_owned()
}

fn has_version(key: &str, value: &Value, of_workspace: &Table) -> bool {
    let value = resolved(key, value, of_workspace);
    value.is_some_and(|value| value.is_str() || value.get("version").is_some())
}

/// What a dependency says, or the workspace says for it.
fn resolved<'a>(key: &str, value: &'a Value, of_workspace: &'a Table) -> Option<&'a Value> {
    let inherited = value.get("workspace").and_then(Value::as_bool) == Some(true);
    if inherited {
        of_workspace.get(key)
    } else {
        Some(value)
    }
}

/// The line of a key in a section, or else the line where the section begins.
pub(super) fn line_of(text: &str, section: &str, key: &str) -> usize {
    let (mut inside, mut header) = (false, 1);
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if let Some(title) = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        {
            if title == format!("{section}.{key}") || title.ends_with(&format!(".{section}.{key}"))
            {
                return number;
            }
            inside = title == section || title.ends_with(&format!(".{section}"));
            if inside {
                header = number;
            }
        } else if inside
            && let Some(rest) = line.trim_start_matches('"').strip_prefix(key)
            && rest.starts_with(['=', '.', ' ', '\t', '"'])
        {
            return number;
        }
    }
    header
}

/// Every package of the tree; a manifest without a package is skipped.
pub(super) fn read_all(tree: &Tree) -> Result<Vec<Package>> {
    let workspace: Table = tree
        .text(Path::new("Cargo.toml"))?
        .parse()
        .context("Cargo.toml is not TOML")?;
    let of_workspace = workspace
        .get("workspace")
        .and_then(|workspace| workspace.get("dependencies")?.as_table())
        .cloned()
        .unwrap_or_default();
    let excluded: Vec<&str> = workspace
        .get("workspace")
        .and_then(|workspace| workspace.get("exclude")?.as_array())
        .map(|list| list.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let mut packages = Vec::new();
    for file in tree.with_extension(&["toml"]) {
        let is_manifest = file.file_name().is_some_and(|name| name == "Cargo.toml");
        if is_manifest && !excluded.iter().any(|folder| file.starts_with(folder)) {
            packages.extend(Package::parse(file, tree.text(file)?, &of_workspace)?);
        }
    }
    Ok(packages)
}

/// Checks that every package inherits the lints and the licence of the workspace, and that no test of a library is
/// switched off.
pub(super) fn check(tree: &Tree, packages: &[Package]) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for package in packages {
        findings.extend(never_run(tree, package)?);
        let inherits = |value: Option<&Value>| {
            value.and_then(|value| value.get("workspace")?.as_bool()) == Some(true)
        };
        if !inherits(package.table.get("lints")) {
            let line = line_of(&package.text, "lints", "");
            let sentence = format!(
                "`{}` does not take the lints of the workspace: add `[lints]` with `workspace = true`",
                package.name
            );
            findings.push(Finding::new(&package.manifest, line, sentence));
        }
        if !inherits(
            package
                .table
                .get("package")
                .and_then(|package| package.get("license")),
        ) {
            let line = line_of(&package.text, "package", "license");
            let sentence = format!(
                "`{}` does not take the licence of the workspace: write `license.workspace = true`",
                package.name
            );
            findings.push(Finding::new(&package.manifest, line, sentence));
        }
    }
    Ok(findings)
}

/// The tests in a library that says that it has none: they would never run.
fn never_run(tree: &Tree, package: &Package) -> Result<Vec<Finding>> {
    let tests = package.table.get("lib").and_then(|lib| lib.get("test"));
    if tests.and_then(Value::as_bool) != Some(false) {
        return Ok(Vec::new());
    }
    let folder = package.folder().join("src");
    let mut findings = Vec::new();
    for file in tree.with_extension(&["rs"]) {
        if !file.starts_with(&folder) {
            continue;
        }
        let text = tree.text(file)?;
        let is_test = |line: &str| line.trim() == "#[test]";
        if let Some(number) = text.lines().position(is_test) {
            let sentence = format!(
                "this test never runs: the manifest of `{}` says `test = false`; move it to `tests/`",
                package.name
            );
            findings.push(Finding::new(file, number + 1, sentence));
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::super::planted::{MANIFEST, Planted, findings};
    use super::*;

    #[test]
    fn own_lints_and_licences_are_found() {
        let manifest = "[package]\nname = \"treemind_core\"\nlicense = \"GPL-3.0\"\n[lints.rust]\nunused = \"allow\"\n";
        assert_eq!(
            findings(&[("crates/treemind_core/Cargo.toml", manifest)]),
            [
                "crates/treemind_core/Cargo.toml:1: `treemind_core` does not take the lints of the workspace: add `[lints]` with `workspace = true`",
                "crates/treemind_core/Cargo.toml:3: `treemind_core` does not take the licence of the workspace: write `license.workspace = true`",
            ]
        );
    }

    #[test]
    fn tests_that_never_run_are_found() {
        let manifest = format!("{MANIFEST}\n[lib]\ntest = false\n");
        let code = "//! The core.\n\n#[test]\nfn works() {}\n";
        assert_eq!(
            findings(&[
                ("crates/treemind_core/Cargo.toml", &manifest),
                ("crates/treemind_core/src/lib.rs", code),
            ]),
            [
                "crates/treemind_core/src/lib.rs:3: this test never runs: the manifest of `treemind_core` says `test = false`; move it to `tests/`"
            ]
        );
    }

    #[test]
    fn dependencies_are_read_however_they_are_written() {
        let text = "[package]\nname = \"a\"\n\
            [dependencies]\nserde.workspace = true\ncore = { package = \"treemind_core\", path = \"x\" }\n\
            [dev-dependencies.proptest]\nversion = \"1\"\n\
            [target.'cfg(unix)'.build-dependencies]\n\"cc\" = \"1\"\n";
        let planted = Planted::new(&[("crates/a/Cargo.toml", text)]);
        let packages = read_all(&planted.tree()).unwrap();
        let found: Vec<_> = packages[0]
            .dependencies
            .iter()
            .map(|dependency| {
                (
                    dependency.package.as_str(),
                    dependency.section,
                    dependency.line,
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                ("treemind_core", Section::Normal, 5),
                ("serde", Section::Normal, 4),
                ("proptest", Section::Dev, 6),
                ("cc", Section::Build, 9),
            ]
        );
    }
}
