//! Within a crate: which folder may name which.

use super::manifest::Package;
use super::{Finding, Tree};
use anyhow::{Context as _, Result, anyhow};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::path::Path;
use syn::{Item, UseTree, Visibility};

/// The modules of a crate, from the bottom layer up: each may name only those before it. What is a folder for
/// readers is a module for the compiler, even if it is a single file.
const ORDERS: &[(&str, &[&str])] = &[
    (
        "treemind_core",
        &[
            "ids",
            "files",
            "text",
            "time",
            "status",
            "chance",
            "vectors",
            "curve",
            "angle",
            "value",
            "snapshot",
            "lives",
            "network",
            "expr",
            "blackboard",
            "behaviour",
            "planning",
            "fault",
            "trace",
            "eval",
            "program",
            "host",
            "population",
            "society",
            "tape",
            "observer",
        ],
    ),
    (
        "treemind_doc",
        &[
            "files",
            "text",
            "names",
            "expression",
            "language",
            "symbols",
            "outline",
            "check",
            "formats",
            "document",
            "testing",
            "edit",
            "tree",
            "internals",
        ],
    ),
];

/// Checks the modules of a package against its order, if it has one. Tests may name anything.
pub(super) fn check(tree: &Tree, package: &Package) -> Result<Vec<Finding>> {
    match ORDERS.iter().find(|(name, _)| *name == package.name) {
        Some((_, order)) => check_order(tree, package, order),
        None => Ok(Vec::new()),
    }
}

fn check_order(tree: &Tree, package: &Package, order: &[&str]) -> Result<Vec<Finding>> {
    let source = package.folder().join("src");
    let root = source.join("lib.rs");
    let handed_on = handed_on(&parse(tree, &root)?);
    let mut findings = Vec::new();
    for file in tree.with_extension(&["rs"]) {
        let Ok(inside) = file.strip_prefix(&source) else {
            continue;
        };
        let path = modules(inside);
        let Some(module) = path.first() else {
            continue;
        };
        if path.iter().any(|module| module == "tests") {
            continue;
        }
        let place = |name: &str| order.iter().position(|known| *known == name);
        let Some(own) = place(module) else {
            let sentence =
                format!("`{module}` is not in the order of modules in xtask/src/tidy/folders.rs");
            findings.push(Finding::new(file, 1, sentence));
            continue;
        };
        let tokens: TokenStream = tree
            .text(file)?
            .parse()
            .map_err(|error| anyhow!("{}: {error}", file.display()))?;
        let mut named = Vec::new();
        names(tokens, path.len(), &mut named);
        for (name, line) in named {
            let name = handed_on.get(&name).unwrap_or(&name);
            if place(name).is_some_and(|other| other > own) {
                let sentence = format!("`{module}` must not name `{name}`, which is built on it");
                findings.push(Finding::new(file, line, sentence));
            }
        }
    }
    findings.dedup();
    Ok(findings)
}

fn parse(tree: &Tree, file: &Path) -> Result<syn::File> {
    syn::parse_file(&tree.text(file)?).with_context(|| format!("cannot parse {}", file.display()))
}

/// The modules that a file belongs to, outermost first; none for the root.
fn modules(inside: &Path) -> Vec<String> {
    let without = inside.with_extension("");
    let mut path: Vec<String> = without
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    if matches!(
        path.last().map(String::as_str),
        Some("mod" | "lib" | "main")
    ) {
        path.pop();
    }
    path
}

/// How many tokens belong to the item that begins here, if it is only for tests.
fn of_test(tokens: &[TokenTree]) -> Option<usize> {
    let [TokenTree::Punct(sign), TokenTree::Group(attribute), ..] = tokens else {
        return None;
    };
    let text = attribute.stream().to_string().replace(' ', "");
    if sign.as_char() != '#' || text != "cfg(test)" {
        return None;
    }
    let ends = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(sign) => sign.as_char() == ';',
        _ => false,
    };
    tokens.iter().position(ends)
}

/// The items that the root of a crate re-exports, with the modules that they come from.
fn handed_on(root: &syn::File) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for item in &root.items {
        if let Item::Use(item) = item
            && !matches!(item.vis, Visibility::Inherited)
            && let UseTree::Path(path) = &item.tree
        {
            collect(&path.ident.to_string(), &path.tree, &mut found);
        }
    }
    found
}

fn collect(module: &str, tree: &UseTree, found: &mut BTreeMap<String, String>) {
    match tree {
        UseTree::Path(path) => collect(module, &path.tree, found),
        UseTree::Name(name) => {
            found.insert(name.ident.to_string(), module.to_owned());
        }
        UseTree::Rename(rename) => {
            found.insert(rename.rename.to_string(), module.to_owned());
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                collect(module, tree, found);
            }
        }
        UseTree::Glob(_) => {}
    }
}

/// The names after `crate::`, and after as many `super::` as lead to the root, with their lines.
fn names(tokens: TokenStream, depth: usize, found: &mut Vec<(String, usize)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_path_sign = |at: usize| {
        let is_colon = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(sign)) if sign.as_char() == ':');
        is_colon(tokens.get(at)) && is_colon(tokens.get(at + 1))
    };
    let mut at = 0;
    while at < tokens.len() {
        if let Some(last) = of_test(&tokens[at..]) {
            at += last + 1;
            continue;
        }
        let mut ups = 0;
        let is_root = match &tokens[at] {
            TokenTree::Group(group) => {
                names(group.stream(), depth, found);
                false
            }
            TokenTree::Ident(ident) if ident == "crate" => true,
            TokenTree::Ident(ident) if ident == "super" => {
                while matches!(&tokens[at], TokenTree::Ident(ident) if ident == "super")
                    && is_path_sign(at + 1)
                {
                    ups += 1;
                    if !matches!(tokens.get(at + 3), Some(TokenTree::Ident(next)) if next == "super")
                    {
                        break;
                    }
                    at += 3;
                }
                ups == depth
            }
            _ => false,
        };
        if is_root && is_path_sign(at + 1) {
            match tokens.get(at + 3) {
                Some(TokenTree::Ident(name)) => {
                    found.push((name.to_string(), name.span().start().line));
                }
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                    first_names(group.stream(), found);
                }
                _ => {}
            }
        }
        at += 1;
    }
}

/// The beginnings of the paths in the braces of a `use`.
fn first_names(tokens: TokenStream, found: &mut Vec<(String, usize)>) {
    let mut is_first = true;
    for token in tokens {
        match token {
            TokenTree::Ident(name) if is_first => {
                found.push((name.to_string(), name.span().start().line));
                is_first = false;
            }
            TokenTree::Punct(sign) if sign.as_char() == ',' => is_first = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::planted::findings;

    fn core(file: &str, text: &str) -> Vec<String> {
        let root = "//! The core.\nmod behaviour;\nmod ids;\nmod population;\nmod program;\npub use population::{Population, Tally};\n";
        let quiet = "//! A module.\n";
        let path = format!("crates/treemind_core/src/{file}");
        let mut files = vec![("crates/treemind_core/src/lib.rs", root)];
        for module in ["behaviour", "ids", "population"] {
            let known = match module {
                "behaviour" => "crates/treemind_core/src/behaviour.rs",
                "ids" => "crates/treemind_core/src/ids.rs",
                _ => "crates/treemind_core/src/population.rs",
            };
            files.push((known, quiet));
        }
        files.push((
            "crates/treemind_core/src/program/mod.rs",
            "//! Programs.\nmod op;\n",
        ));
        files.push(("crates/treemind_core/src/program/op.rs", quiet));
        let text = format!("{quiet}{text}\n");
        files.push((&path, &text));
        findings(&files)
    }

    #[test]
    fn a_module_names_only_what_stands_before_it() {
        let sentence = "`program` must not name `population`, which is built on it";
        let found = format!("crates/treemind_core/src/program/op.rs:2: {sentence}");
        for text in [
            "use crate::population::Trail;",
            "use crate::{ids::NodeId, population::Trail};",
            "use crate::Tally;",
            "use super::super::population::Trail;",
            "fn f() { g!(crate::population::f()) }",
        ] {
            assert_eq!(
                core("program/op.rs", text),
                std::slice::from_ref(&found),
                "{text}"
            );
        }
        for text in [
            "use crate::behaviour::Kind;",
            "use super::Program;",
            "#[cfg(test)]\nmod tests {\n    use crate::population::Trail;\n}",
        ] {
            assert_eq!(core("program/op.rs", text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_module_that_nobody_placed_is_found() {
        assert_eq!(
            core("extra.rs", ""),
            [
                "crates/treemind_core/src/extra.rs:1: `extra` is not in the order of modules in xtask/src/tidy/folders.rs",
                "crates/treemind_core/src/extra.rs:1: no module names this file",
            ]
        );
    }
}
