//! Public items of libraries say what they are, and every source belongs to a module.

use super::manifest::Package;
use super::{Finding, Tree};
use anyhow::{Context as _, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use syn::{Attribute, Expr, Fields, ImplItem, Item, Lit, Meta, TraitItem, Visibility};

/// Reads the modules of a package from its roots down; what only tests see is left out.
pub(super) fn check(tree: &Tree, package: &Package) -> Result<Vec<Finding>> {
    let source = package.folder().join("src");
    let mut findings = Vec::new();
    let mut named = BTreeSet::new();
    for root in roots(tree, &source) {
        let is_library = root == source.join("lib.rs");
        let mut walk = Walk {
            tree,
            is_library,
            named: &mut named,
            findings: &mut findings,
        };
        let folder = root.parent().unwrap_or(&source).to_owned();
        walk.file(&root, &folder, false)?;
    }
    for file in tree.with_extension(&["rs"]) {
        if file.starts_with(&source) && !named.contains(file) {
            findings.push(Finding::new(file, 1, "no module names this file"));
        }
    }
    Ok(findings)
}

/// The files where the modules of a package begin.
fn roots(tree: &Tree, source: &Path) -> Vec<PathBuf> {
    let in_bin = |file: &&Path| file.parent() == Some(&source.join("bin"));
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

struct Walk<'a> {
    tree: &'a Tree,
    is_library: bool,
    named: &'a mut BTreeSet<PathBuf>,
    findings: &'a mut Vec<Finding>,
}

impl Walk<'_> {
    /// Reads a file; the modules that it names lie in `folder`. Says whether it begins with documentation.
    fn file(&mut self, file: &Path, folder: &Path, is_test: bool) -> Result<bool> {
        self.named.insert(file.to_owned());
        let text = self.tree.text(file)?;
        let parsed =
            syn::parse_file(&text).with_context(|| format!("{} is not Rust", file.display()))?;
        if self.is_library && !is_test && file.ends_with("lib.rs") && !is_documented(&parsed.attrs)
        {
            self.findings
                .push(Finding::new(file, 1, "the crate has no documentation"));
        }
        self.items(file, folder, &parsed.items, is_test)?;
        Ok(is_documented(&parsed.attrs))
    }

    fn items(&mut self, file: &Path, folder: &Path, items: &[Item], is_test: bool) -> Result<()> {
        for item in items {
            if let Item::Mod(module) = item {
                self.module(file, folder, module, is_test)?;
            } else if self.is_library && !is_test {
                self.item(file, item);
            }
        }
        Ok(())
    }

    fn module(
        &mut self,
        file: &Path,
        folder: &Path,
        module: &syn::ItemMod,
        is_test: bool,
    ) -> Result<()> {
        let is_test = is_test || is_only_for_tests(&module.attrs);
        let name = module.ident.to_string();
        let folder = folder.join(&name);
        let mut documented = is_documented(&module.attrs);
        if let Some((_, items)) = &module.content {
            self.items(file, &folder, items, is_test)?;
        } else {
            let beside = folder.with_extension("rs");
            let within = folder.join("mod.rs");
            let other = path_attribute(&module.attrs).map(|path| file.with_file_name(path));
            let places = [other, Some(beside), Some(within)];
            // A module that is nowhere does not compile, which the compiler says better.
            if let Some(place) = places
                .into_iter()
                .flatten()
                .find(|place| self.tree.files.contains(place))
            {
                documented |= self.file(&place, &folder, is_test)?;
            }
        }
        if self.is_library && !is_test && is_public(&module.vis) && !documented {
            self.lacks(file, &module.ident, "module", &name);
        }
        Ok(())
    }

    fn item(&mut self, file: &Path, item: &Item) {
        let (attributes, visibility, name, what) = match item {
            Item::Fn(item) => (&item.attrs, &item.vis, &item.sig.ident, "function"),
            Item::Struct(item) => (&item.attrs, &item.vis, &item.ident, "struct"),
            Item::Union(item) => (&item.attrs, &item.vis, &item.ident, "union"),
            Item::Enum(item) => (&item.attrs, &item.vis, &item.ident, "enum"),
            Item::Trait(item) => (&item.attrs, &item.vis, &item.ident, "trait"),
            Item::Type(item) => (&item.attrs, &item.vis, &item.ident, "type"),
            Item::Const(item) => (&item.attrs, &item.vis, &item.ident, "constant"),
            Item::Static(item) => (&item.attrs, &item.vis, &item.ident, "static"),
            Item::Impl(item) => return self.methods(file, item),
            _ => return,
        };
        if !is_public(visibility) || is_only_for_tests(attributes) {
            return;
        }
        self.require(file, attributes, name, what, &name.to_string());
        match item {
            Item::Struct(item) => self.fields(file, &item.fields, name, is_public),
            Item::Enum(item) => {
                for variant in &item.variants {
                    let path = format!("{name}::{}", variant.ident);
                    self.require(file, &variant.attrs, &variant.ident, "variant", &path);
                    self.fields(file, &variant.fields, &variant.ident, |_| true);
                }
            }
            Item::Trait(item) => {
                for inner in &item.items {
                    let (attributes, inner, what) = match inner {
                        TraitItem::Fn(inner) => (&inner.attrs, &inner.sig.ident, "method"),
                        TraitItem::Const(inner) => (&inner.attrs, &inner.ident, "constant"),
                        TraitItem::Type(inner) => (&inner.attrs, &inner.ident, "type"),
                        _ => continue,
                    };
                    self.require(file, attributes, inner, what, &format!("{name}::{inner}"));
                }
            }
            _ => {}
        }
    }

    /// Named fields; those of a tuple are described with the whole.
    fn fields(
        &mut self,
        file: &Path,
        fields: &Fields,
        of: &syn::Ident,
        counts: fn(&Visibility) -> bool,
    ) {
        for field in fields.iter().filter(|field| counts(&field.vis)) {
            if let Some(name) = &field.ident {
                self.require(file, &field.attrs, name, "field", &format!("{of}::{name}"));
            }
        }
    }

    /// What an `impl` gives to a type; what it owes to a trait is described there.
    fn methods(&mut self, file: &Path, block: &syn::ItemImpl) {
        if block.trait_.is_some() || is_only_for_tests(&block.attrs) {
            return;
        }
        for item in &block.items {
            let (attributes, visibility, name, what) = match item {
                ImplItem::Fn(item) => (&item.attrs, &item.vis, &item.sig.ident, "method"),
                ImplItem::Const(item) => (&item.attrs, &item.vis, &item.ident, "constant"),
                _ => continue,
            };
            if is_public(visibility) && !is_only_for_tests(attributes) {
                self.require(file, attributes, name, what, &name.to_string());
            }
        }
    }

    fn require(
        &mut self,
        file: &Path,
        attributes: &[Attribute],
        place: &syn::Ident,
        what: &str,
        name: &str,
    ) {
        if !is_documented(attributes) {
            self.lacks(file, place, what, name);
        }
    }

    fn lacks(&mut self, file: &Path, place: &syn::Ident, what: &str, name: &str) {
        let line = place.span().start().line;
        let sentence = format!("the public {what} `{name}` has no documentation");
        self.findings.push(Finding::new(file, line, sentence));
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Whether there is a doc comment that says something, or one that hides the item.
fn is_documented(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("doc"))
        .any(|attribute| match &attribute.meta {
            Meta::NameValue(pair) => match &pair.value {
                Expr::Lit(literal) => match &literal.lit {
                    Lit::Str(text) => !text.value().trim().is_empty(),
                    _ => false,
                },
                // `include_str!` and the like.
                _ => true,
            },
            Meta::List(list) => list.tokens.to_string() == "hidden",
            Meta::Path(_) => false,
        })
}

/// Whether there is `#[cfg(test)]`, or `#[cfg(all(test, …))]`.
fn is_only_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let Meta::List(list) = &attribute.meta else {
            return false;
        };
        let condition = list.tokens.to_string().replace(' ', "");
        attribute.path().is_ident("cfg")
            && (condition == "test" || condition.starts_with("all(test,"))
    })
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

    const LIB: &str = "crates/treemind_core/src/lib.rs";

    /// What is found when the core is this.
    fn with(text: &str) -> Vec<String> {
        findings(&[(LIB, &format!("//! The core.\n{text}"))])
    }

    #[test]
    fn every_sort_of_public_item_needs_documentation() {
        let text = "pub fn a() {}\n\
            pub struct B { pub x: u8, y: u8 }\n\
            pub enum C { D { z: u8 } }\n\
            pub trait E { fn f(); const G: u8; type H; }\n\
            pub type I = u8;\n\
            pub const J: u8 = 0;\n\
            pub static K: u8 = 0;\n\
            impl B { pub fn l() {} pub const M: u8 = 0; fn n() {} }\n\
            pub mod o {}\n\
            /// Well.\npub struct P(pub u8);\n\
            ///\npub fn q() {}\n";
        let expected = [
            "2: the public function `a`",
            "3: the public field `B::x`",
            "3: the public struct `B`",
            "4: the public enum `C`",
            "4: the public field `D::z`",
            "4: the public variant `C::D`",
            "5: the public constant `E::G`",
            "5: the public method `E::f`",
            "5: the public trait `E`",
            "5: the public type `E::H`",
            "6: the public type `I`",
            "7: the public constant `J`",
            "8: the public static `K`",
            "9: the public constant `M`",
            "9: the public method `l`",
            "10: the public module `o`",
            "14: the public function `q`",
        ];
        assert_eq!(
            with(text),
            expected.map(|start| format!("{LIB}:{start} has no documentation"))
        );
    }

    #[test]
    fn what_is_not_public_needs_none() {
        let text = "pub(crate) fn a() {}\nfn b() {}\nstruct C { pub(crate) x: u8 }\n\
            #[cfg(test)]\nmod tests { pub fn d() {} }\n\
            #[cfg(test)]\npub fn e() {}\n\
            impl Default for C { fn default() -> Self { C { x: 0 } } }\n\
            #[doc(hidden)]\npub fn f() {}\n\
            #[doc = include_str!(\"page.md\")]\npub struct G;\n";
        assert_eq!(with(text), [""; 0]);
    }

    #[test]
    fn modules_are_followed_into_their_files() {
        let found = findings(&[
            (
                LIB,
                "//! The core.\npub mod ids;\nmod text;\n#[cfg(test)]\nmod tests;\nmod time { mod deep; }\n",
            ),
            (
                "crates/treemind_core/src/ids.rs",
                "//! Well.\npub fn a() {}\nmod inner;\n",
            ),
            ("crates/treemind_core/src/ids/inner.rs", "pub fn b() {}\n"),
            ("crates/treemind_core/src/text/mod.rs", "\npub fn c() {}\n"),
            (
                "crates/treemind_core/src/time/deep.rs",
                "\n\npub fn d() {}\n",
            ),
            ("crates/treemind_core/src/tests.rs", "pub fn e() {}\n"),
        ]);
        assert_eq!(
            found,
            [
                "crates/treemind_core/src/ids/inner.rs:1: the public function `b` has no documentation",
                "crates/treemind_core/src/ids.rs:2: the public function `a` has no documentation",
                "crates/treemind_core/src/text/mod.rs:2: the public function `c` has no documentation",
                "crates/treemind_core/src/time/deep.rs:3: the public function `d` has no documentation",
            ]
        );
    }

    #[test]
    fn a_file_that_no_module_names_is_found() {
        assert_eq!(
            findings(&[("crates/treemind_core/src/fault.rs", "")]),
            ["crates/treemind_core/src/fault.rs:1: no module names this file"]
        );
    }

    #[test]
    fn a_crate_needs_documentation() {
        assert_eq!(
            findings(&[(LIB, "mod inner {}\n")]),
            [format!("{LIB}:1: the crate has no documentation")]
        );
    }

    #[test]
    fn programs_need_no_documentation() {
        let manifest = super::super::planted::MANIFEST.replace("treemind_core", "treemind_cli");
        assert_eq!(
            findings(&[
                ("crates/treemind_cli/Cargo.toml", &manifest),
                ("crates/treemind_cli/src/main.rs", "pub fn a() {}\nmod b;\n"),
                ("crates/treemind_cli/src/b.rs", "pub fn c() {}\n"),
                ("crates/treemind_cli/src/bin/other.rs", "pub fn d() {}\n"),
            ]),
            [""; 0]
        );
    }
}
