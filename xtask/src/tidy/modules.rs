//! Checks that every source belongs to a module. A compiler lint, which all packages enable, checks that public
//! items are documented.

use super::manifest::Package;
use super::{Finding, Tree};
use anyhow::{Context as _, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use syn::{Attribute, Expr, Item, Lit, Meta};

/// Reads the modules of a package from its roots down.
pub(super) fn check(tree: &Tree, package: &Package) -> Result<Vec<Finding>> {
    let source = package.folder().join("src");
    let mut named = BTreeSet::new();
    for root in roots(tree, &source) {
        let folder = root.parent().unwrap_or(&source).to_owned();
        read(tree, &root, &folder, &mut named)?;
    }
    let sources = tree.with_extension(&["rs"]);
    let sources = sources.filter(|file| file.starts_with(&source));
    let findings = sources
        .filter(|file| !named.contains(*file))
        .map(|file| Finding::new(file, 1, "no module names this file"));
    Ok(findings.collect())
}

/// The files where the modules of a package begin.
fn roots(tree: &Tree, source: &Path) -> Vec<PathBuf> {
    // `bin/NAME.rs` and `bin/NAME/main.rs`, as in Cargo.
    let bin = source.join("bin");
    let in_bin = |file: &&Path| {
        let folder = file.parent();
        let is_main = file.ends_with("main.rs");
        folder == Some(&bin) || is_main && folder.and_then(Path::parent) == Some(&bin)
    };
    let main = [source.join("lib.rs"), source.join("main.rs")];
    let mut roots: Vec<PathBuf> = main
        .into_iter()
        .filter(|file| tree.files.contains(file))
        .collect();
    roots.extend(
        tree.with_extension(&["rs"])
            .filter(in_bin)
            .map(Path::to_owned),
    );
    roots
}

/// Reads a file; the modules that it names are in `folder`.
fn read(tree: &Tree, file: &Path, folder: &Path, named: &mut BTreeSet<PathBuf>) -> Result<()> {
    named.insert(file.to_owned());
    let text = tree.text(file)?;
    let parsed =
        syn::parse_file(&text).with_context(|| format!("{} is not Rust", file.display()))?;
    modules(tree, file, folder, &parsed.items, named)
}

fn modules(
    tree: &Tree,
    file: &Path,
    folder: &Path,
    items: &[Item],
    named: &mut BTreeSet<PathBuf>,
) -> Result<()> {
    for item in items {
        let Item::Mod(module) = item else {
            continue;
        };
        let folder = folder.join(module.ident.to_string());
        if let Some((_, items)) = &module.content {
            modules(tree, file, &folder, items, named)?;
            continue;
        }
        let beside = folder.with_extension("rs");
        let within = folder.join("mod.rs");
        let other = path_attribute(&module.attrs).map(|path| file.with_file_name(path));
        // If a module has no file, the code does not compile, and the compiler's message is better.
        let mut places = [other, Some(beside), Some(within)].into_iter().flatten();
        if let Some(place) = places.find(|place| tree.files.contains(place)) {
            read(tree, &place, &folder, named)?;
        }
    }
    Ok(())
}

/// The `x` of `#[path = "x"]`.
fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| {
        let Meta::NameValue(pair) = &attribute.meta else {
            return None;
        };
        match &pair.value {
            Expr::Lit(literal) if attribute.path().is_ident("path") => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::planted::findings;

    const CORE: &str = "crates/treemind_core/src";

    #[test]
    fn modules_are_followed_into_their_files() {
        let lib = "pub mod ids;\nmod text;\n#[cfg(test)]\nmod tests;\n#[path = \"times.rs\"]\nmod time;\nmod curve { mod deep; }\n";
        let files = [
            ("lib.rs", lib),
            ("ids.rs", "mod inner;\n"),
            ("ids/inner.rs", ""),
            ("text/mod.rs", ""),
            ("tests.rs", ""),
            ("times.rs", ""),
            ("curve/deep.rs", ""),
        ];
        let files = files.map(|(file, text)| (format!("{CORE}/{file}"), text));
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(file, text)| (file.as_str(), *text))
            .collect();
        let other = format!("{CORE}/times.rs:1: `times` is not in the order of modules");
        let found = findings(&files);
        let found: Vec<&String> = found
            .iter()
            .filter(|found| !found.starts_with(&other))
            .collect();
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn a_file_that_no_module_names_is_found() {
        let path = format!("{CORE}/fault.rs");
        let expected = [format!("{path}:1: no module names this file")];
        assert_eq!(findings(&[(&path, "")]), expected);
    }

    #[test]
    fn programs_have_modules_too() {
        let manifest = super::super::planted::MANIFEST.replace("treemind_core", "treemind_cli");
        assert_eq!(
            findings(&[
                ("crates/treemind_cli/Cargo.toml", &manifest),
                ("crates/treemind_cli/src/main.rs", "mod b;\n"),
                ("crates/treemind_cli/src/b.rs", ""),
                ("crates/treemind_cli/src/bin/other.rs", ""),
                ("crates/treemind_cli/src/bin/third/main.rs", "mod c;\n"),
                ("crates/treemind_cli/src/bin/third/c.rs", ""),
            ]),
            [""; 0]
        );
    }
}
