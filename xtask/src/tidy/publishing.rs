//! What a registry asks of the crates that users take, and the order in which they can be published.

use super::manifest::{Package, Section, line_of};
use super::{Finding, Tree};
use anyhow::Result;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use toml::Value;

/// The packages that nobody else uses.
const OURS: [&str; 6] = [
    "treemind_bench",
    "treemind_fuzz",
    "treemind_page",
    "treemind_python",
    "treemind_testkit",
    "xtask",
];

/// The categories of crates.io that we use: it drops those that it does not know.
const CATEGORIES: [&str; 9] = [
    "algorithms",
    "command-line-utilities",
    "development-tools",
    "development-tools::debugging",
    "development-tools::testing",
    "game-development",
    "science::robotics",
    "simulation",
    "text-editors",
];

/// How long a description may be so that lists show all of it.
const LONGEST_DESCRIPTION: usize = 130;

/// Checks the manifests of all packages.
pub(super) fn check(tree: &Tree, packages: &[Package]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages {
        let is_ours = OURS.contains(&package.name.as_str());
        let is_published = is_published(package);
        let sentence = match (is_ours, is_published) {
            (true, true) => "is not for users: write `publish = false`",
            (false, false) => "is for users: take `publish = false` away",
            (true, false) => continue,
            (false, true) => {
                fields(tree, package, &mut findings);
                continue;
            }
        };
        findings.push(at(package, "publish", sentence));
    }
    match order(packages) {
        Ok(_) => {}
        Err(more) => findings.extend(more),
    }
    findings
}

fn is_published(package: &Package) -> bool {
    package.field("publish").and_then(Value::as_bool) != Some(false)
}

fn at(package: &Package, key: &str, sentence: impl AsRef<str>) -> Finding {
    let line = line_of(&package.text, "package", key);
    let sentence = format!("`{}` {}", package.name, sentence.as_ref());
    Finding::new(&package.manifest, line, sentence)
}

/// What the manifest of a published package says about it.
fn fields(tree: &Tree, package: &Package, findings: &mut Vec<Finding>) {
    let mut wrong = |key: &str, sentence: &str| findings.push(at(package, key, sentence));
    match package.field("description").and_then(Value::as_str) {
        None => wrong("description", "has no `description`"),
        Some(text) if text.len() > LONGEST_DESCRIPTION || text.ends_with('.') => wrong(
            "description",
            &format!(
                "needs a description of at most {LONGEST_DESCRIPTION} bytes without a full stop"
            ),
        ),
        Some(_) => {}
    }
    for key in ["rust-version", "version"] {
        if package.field(key).is_none() {
            wrong(key, &format!("has no `{key}`"));
        }
    }
    let keywords = list(package, "keywords");
    if !(1..=5).contains(&keywords.len()) || !keywords.iter().all(|word| is_keyword(word)) {
        wrong(
            "keywords",
            "needs one to five `keywords` of at most 20 letters, digits, `-` and `_`",
        );
    }
    let categories = list(package, "categories");
    let is_known = |one: &&str| CATEGORIES.contains(one);
    if !(1..=5).contains(&categories.len()) || !categories.iter().all(is_known) {
        let known = CATEGORIES.join("`, `");
        wrong(
            "categories",
            &format!("needs one to five `categories` of these: `{known}`"),
        );
    }
    let readme = package.field("readme").and_then(Value::as_str);
    let readme = package.folder().join(readme.unwrap_or("README.md"));
    if !tree.has(&readme) {
        wrong("readme", &format!("has no `{}`", readme.display()));
    }
    if !shows_features(package) {
        wrong(
            "name",
            "has features that docs.rs does not show: write `all-features = true` or `features`, and `rustdoc-args = [\"--cfg\", \"docsrs\"]`, under `[package.metadata.docs.rs]`",
        );
    }
}

fn list<'a>(package: &'a Package, key: &str) -> Vec<&'a str> {
    let values = package.field(key).and_then(Value::as_array);
    values
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn is_keyword(word: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "-_+".contains(c);
    word.len() <= 20
        && word.starts_with(|c: char| c.is_ascii_alphanumeric())
        && word.chars().all(is_sign)
}

/// Whether the pages at docs.rs are of all features, and say which item needs which.
fn shows_features(package: &Package) -> bool {
    let features = package.table.get("features").and_then(Value::as_table);
    if features.is_none_or(toml::Table::is_empty) {
        return true;
    }
    let metadata = package.field("metadata");
    let Some(docs) = metadata.and_then(|all| all.get("docs")?.get("rs")) else {
        return false;
    };
    let has_all = docs.get("all-features").and_then(Value::as_bool) == Some(true);
    let args = docs.get("rustdoc-args").and_then(Value::as_array);
    let says_so = args.is_some_and(|args| args.iter().any(|arg| arg.as_str() == Some("docsrs")));
    says_so && (has_all || docs.get("features").is_some())
}

/// The published packages, each after all that it needs in the registry; or what stands in the way.
///
/// Dependencies of tests count too unless they have no version: only then cargo leaves them out of the package.
pub(super) fn order(packages: &[Package]) -> Result<Vec<&str>, Vec<Finding>> {
    let published: BTreeSet<&str> = packages
        .iter()
        .filter(|one| is_published(one))
        .map(|one| one.name.as_str())
        .collect();
    let is_of_workspace = |name: &str| packages.iter().any(|one| one.name == name);
    let mut findings = Vec::new();
    let mut pending = Vec::new();
    for package in packages.iter().filter(|one| is_published(one)) {
        let mut needs = BTreeSet::new();
        for dependency in &package.dependencies {
            let name = dependency.package.as_str();
            let is_left_out = dependency.section == Section::Dev && !dependency.has_version;
            if is_left_out || !is_of_workspace(name) {
                continue;
            }
            let mut wrong = |sentence: String| {
                findings.push(Finding::new(&package.manifest, dependency.line, sentence));
            };
            if !published.contains(name) {
                wrong(format!(
                    "`{}` is published and needs `{name}`, which is not",
                    package.name
                ));
            } else if !dependency.has_version {
                wrong(format!("`{name}` needs a version beside its path"));
            } else {
                needs.insert(name);
            }
        }
        pending.push((package, needs));
    }
    let mut order: Vec<&str> = Vec::new();
    while let Some(next) = pending
        .iter()
        .position(|(_, needs)| needs.iter().all(|name| order.contains(name)))
    {
        order.push(&pending.remove(next).0.name);
    }
    if findings.is_empty() {
        for (package, needs) in &pending {
            let open: Vec<&str> = needs
                .iter()
                .copied()
                .filter(|n| !order.contains(n))
                .collect();
            let sentence = format!(
                "waits for `{}` to be published, which waits for it: what only tests need takes a path without a version",
                open.join("`, `")
            );
            findings.push(at(package, "name", sentence));
        }
    }
    match findings.is_empty() {
        true => Ok(order),
        false => Err(findings),
    }
}

/// Files outside of a published package that its code includes: they are not there when it is built from a registry.
pub(super) fn outside(tree: &Tree, packages: &[Package]) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for package in packages.iter().filter(|one| is_published(one)) {
        let source = package.folder().join("src");
        let mut texts = Vec::new();
        for file in tree.with_extension(&["rs"]) {
            if file.starts_with(&source) {
                texts.push((file, tree.text(file)?));
            }
        }
        for (file, text) in &texts {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            let of_tests = format!("#[cfg(test)]\nmod {stem};");
            let is_test = file.components().any(|part| part.as_os_str() == "tests")
                || texts.iter().any(|(_, text)| text.contains(&of_tests));
            if is_test {
                continue;
            }
            for (line, path) in included(text, file, package.folder()) {
                if !path.starts_with(package.folder()) {
                    let sentence = format!(
                        "`{}` is published without `{}`, which this line includes",
                        package.name,
                        path.display()
                    );
                    findings.push(Finding::new(*file, line, sentence));
                }
            }
        }
    }
    Ok(findings)
}

/// What a source includes outside of its tests: lines and paths.
fn included(text: &str, file: &Path, package: &Path) -> Vec<(usize, PathBuf)> {
    const STARTS: [&str; 4] = [
        "include_str!(\"",
        "include_bytes!(\"",
        "include_dir!(\"",
        "#[path = \"",
    ];
    let text = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or(text);
    let mut found = Vec::new();
    let mut before = "";
    for (number, line) in (1..).zip(text.lines()) {
        let is_tested = before.contains("doctest");
        before = line;
        let Some((_, rest)) = STARTS.iter().find_map(|start| line.split_once(start)) else {
            continue;
        };
        let path = rest.split('"').next().unwrap_or(rest);
        let path = match path.strip_prefix("$CARGO_MANIFEST_DIR/") {
            Some(path) => package.join(path),
            None => file.parent().unwrap_or(package).join(path),
        };
        if !is_tested {
            found.push((number, plain(&path)));
        }
    }
    found
}

/// A path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            part => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::manifest::read_all;
    use super::super::planted::Planted;
    use super::*;

    const GOOD: &str = "[package]\nname = \"NAME\"\nversion.workspace = true\ndescription = \"A crate\"\n\
        rust-version = \"1.90\"\nkeywords = [\"ai\"]\ncategories = [\"algorithms\"]\n";

    fn planted(manifests: &[(&str, &str)]) -> Planted {
        let files: Vec<(String, String)> = manifests
            .iter()
            .flat_map(|(name, rest)| {
                let manifest = format!("{}{rest}", GOOD.replace("NAME", name));
                [
                    (format!("crates/{name}/Cargo.toml"), manifest),
                    (format!("crates/{name}/README.md"), String::new()),
                ]
            })
            .collect();
        let mut files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
        files.push(("crates/treemind_core/Cargo.toml", ""));
        Planted::new(&files)
    }

    fn found(manifests: &[(&str, &str)]) -> Vec<String> {
        let tree = planted(manifests);
        let tree = tree.tree();
        let packages = read_all(&tree).unwrap();
        let findings = check(&tree, &packages);
        findings.iter().map(Finding::to_string).collect()
    }

    #[test]
    fn packages_come_after_what_they_need() {
        let planted = planted(&[
            (
                "a",
                "[dependencies]\nb = { path = \"../b\", version = \"=0.1.0\" }\n",
            ),
            (
                "b",
                "[dev-dependencies]\na = { path = \"../a\" }\n[build-dependencies]\nc = { path = \"../c\", version = \"1\" }\n",
            ),
            ("c", ""),
        ]);
        let packages = read_all(&planted.tree()).unwrap();
        assert_eq!(order(&packages).unwrap(), ["c", "b", "a"]);
    }

    #[test]
    fn what_cannot_be_published_is_found() {
        let circle = [
            (
                "a",
                "[dependencies]\nb = { path = \"../b\", version = \"1\" }\n",
            ),
            (
                "b",
                "[dev-dependencies]\na = { path = \"../a\", version = \"1\" }\n",
            ),
        ];
        let found_in_circle = found(&circle);
        assert_eq!(found_in_circle.len(), 2, "{found_in_circle:?}");
        assert!(
            found_in_circle[0].contains("`a` waits for `b`"),
            "{found_in_circle:?}"
        );
        let without = found(&[
            (
                "a",
                "[dependencies]\ntreemind_testkit = { path = \"../b\", version = \"1\" }\nc = { path = \"../c\" }\n",
            ),
            ("c", "publish = false\n"),
            ("treemind_testkit", "publish = false\n"),
        ]);
        assert_eq!(
            without,
            [
                "crates/c/Cargo.toml:8: `c` is for users: take `publish = false` away",
                "crates/a/Cargo.toml:10: `a` is published and needs `c`, which is not",
                "crates/a/Cargo.toml:9: `a` is published and needs `treemind_testkit`, which is not",
            ]
        );
    }

    #[test]
    fn what_a_registry_asks_for_is_found() {
        let manifest = "[package]\nname = \"a\"\nkeywords = [\"a word of more than twenty\"]\ncategories = [\"games\"]\n\
            description = \"A crate.\"\n[features]\nb = []\n";
        let planted = Planted::new(&[
            ("crates/treemind_core/Cargo.toml", ""),
            ("crates/a/Cargo.toml", manifest),
        ]);
        let tree = planted.tree();
        let findings = check(&tree, &read_all(&tree).unwrap());
        let lines: Vec<usize> = findings.iter().map(|one| one.line).collect();
        assert_eq!(lines, [5, 1, 1, 3, 4, 1, 2], "{findings:?}");
        assert_eq!(found(&[("a", "")]), [""; 0]);
    }

    #[test]
    fn files_from_outside_are_found() {
        let code = "static A: &str = include_str!(\"../b.txt\");\n#[cfg(doctest)]\n#[doc = include_str!(\"../../../c.md\")]\n\
            static D: Dir = include_dir!(\"$CARGO_MANIFEST_DIR/../../docs\");\n\n#[cfg(test)]\nmod tests {\n\
            const E: &str = include_str!(\"../../../e.md\");\n}\n";
        let found = included(
            code,
            Path::new("crates/a/src/lib.rs"),
            Path::new("crates/a"),
        );
        assert_eq!(
            found,
            [
                (1, PathBuf::from("crates/a/b.txt")),
                (4, PathBuf::from("docs"))
            ]
        );
    }
}
