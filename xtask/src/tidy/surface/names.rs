//! Modules, and what names in them stand for.

use super::super::Tree;
use super::items::{self, Listed};
use anyhow::{Context as _, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::{Attribute, Item, Meta, UseTree, Visibility};

/// A module: its crate and the modules that it lies in.
pub(super) type ModulePath = Vec<String>;

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target {
    Module(ModulePath),
    /// The module that defines an item, and its name there.
    Item(ModulePath, String),
}

/// A `use` of one name, or of all names of a module.
pub(super) struct Use {
    /// `None` for all names.
    pub(super) name: Option<String>,
    path: Vec<String>,
    pub(super) is_public: bool,
}

#[derive(Default)]
pub(super) struct Module {
    /// The modules in it, and whether they are public.
    pub(super) modules: BTreeMap<String, bool>,
    /// What it defines; a name may stand for a type and a function at once.
    pub(super) items: BTreeMap<String, Vec<Listed>>,
    pub(super) uses: Vec<Use>,
}

/// The crates that were read.
#[derive(Default)]
pub(super) struct Crates {
    pub(super) modules: BTreeMap<ModulePath, Module>,
    /// The lines about each type that `impl` blocks give: methods and traits.
    pub(super) members: BTreeMap<Target, BTreeSet<(items::Order, String)>>,
}

/// An `impl` block that was read, and where.
struct Block {
    within: ModulePath,
    of: Vec<String>,
    lines: Vec<(items::Order, String)>,
}

impl Crates {
    pub(super) fn read(&mut self, tree: &Tree, name: &str) -> Result<()> {
        let source = Path::new("crates").join(name).join("src");
        let mut blocks = Vec::new();
        let path = vec![name.to_owned()];
        self.read_file(tree, &source.join("lib.rs"), &source, path, &mut blocks)?;
        for block in blocks {
            if let Some(target) = self.resolve(&block.within, &block.of, 0) {
                self.members.entry(target).or_default().extend(block.lines);
            }
        }
        Ok(())
    }

    fn read_file(
        &mut self,
        tree: &Tree,
        file: &Path,
        folder: &Path,
        path: ModulePath,
        blocks: &mut Vec<Block>,
    ) -> Result<()> {
        let text = tree.text(file)?;
        let parsed =
            syn::parse_file(&text).with_context(|| format!("{} is not Rust", file.display()))?;
        self.read_items(tree, (&text, folder), parsed.items, path, blocks)
    }

    fn read_items(
        &mut self,
        tree: &Tree,
        (text, folder): (&str, &Path),
        all: Vec<Item>,
        path: ModulePath,
        blocks: &mut Vec<Block>,
    ) -> Result<()> {
        let mut module = Module::default();
        for item in all {
            match item {
                Item::Mod(one) if !is_left_out(&one.attrs) => {
                    let name = one.ident.to_string();
                    let is_public = matches!(one.vis, Visibility::Public(_));
                    module.modules.insert(name.clone(), is_public);
                    let inner = [&path[..], std::slice::from_ref(&name)].concat();
                    let below = folder.join(&name);
                    match one.content {
                        Some((_, items)) => {
                            self.read_items(tree, (text, &below), items, inner, blocks)?;
                        }
                        None => {
                            let file = file_of(tree, &below)?;
                            self.read_file(tree, &file, &below, inner, blocks)?;
                        }
                    }
                }
                Item::Use(one) if !is_left_out(&one.attrs) => {
                    let is_public = matches!(one.vis, Visibility::Public(_));
                    note_uses(&one.tree, &mut Vec::new(), is_public, &mut module.uses);
                }
                Item::Impl(one) if !is_left_out(&one.attrs) => {
                    if let Some((of, lines)) = items::of_impl(&one, text) {
                        let within = path.clone();
                        blocks.push(Block { within, of, lines });
                    }
                }
                other => {
                    if let Some((name, listed)) = items::listed(&other, text) {
                        module.items.entry(name).or_default().push(listed);
                    }
                }
            }
        }
        self.modules.insert(path, module);
        Ok(())
    }

    /// What a path in a module stands for, if it is in one of these crates.
    pub(super) fn resolve(&self, within: &[String], path: &[String], depth: u32) -> Option<Target> {
        // Names that stand for one another in a circle do not compile.
        if depth > 32 {
            return None;
        }
        let (first, rest) = path.split_first()?;
        let start = match first.as_str() {
            "crate" => Target::Module(within[..1].to_vec()),
            "self" => Target::Module(within.to_vec()),
            "super" => Target::Module(within[..within.len() - 1].to_vec()),
            name => self.name(within, name, depth)?,
        };
        match (start, rest) {
            (target, []) => Some(target),
            (Target::Module(module), rest) => {
                if rest[0] == "super" || rest[0] == "self" {
                    return self.resolve(&module, rest, depth + 1);
                }
                let next = self.name_in(&module, &rest[0], depth)?;
                match (next, &rest[1..]) {
                    (target, []) => Some(target),
                    (Target::Module(module), rest) => {
                        let path = [&["self".to_owned()], rest].concat();
                        self.resolve(&module, &path, depth + 1)
                    }
                    (Target::Item(..), _) => None,
                }
            }
            (Target::Item(..), _) => None,
        }
    }

    fn name(&self, within: &[String], name: &str, depth: u32) -> Option<Target> {
        let here = self.name_in(within, name, depth);
        let root = vec![name.to_owned()];
        here.or_else(|| {
            self.modules
                .contains_key(&root)
                .then_some(Target::Module(root))
        })
    }

    /// What a name of a module stands for.
    pub(super) fn name_in(&self, within: &[String], name: &str, depth: u32) -> Option<Target> {
        let module = self.modules.get(within)?;
        if module.items.contains_key(name) {
            return Some(Target::Item(within.to_vec(), name.to_owned()));
        }
        if module.modules.contains_key(name) {
            return Some(Target::Module([within, &[name.to_owned()]].concat()));
        }
        let mut uses = module.uses.iter();
        if let Some(one) = uses.find(|one| one.name.as_deref() == Some(name)) {
            return self.resolve(within, &one.path, depth + 1);
        }
        let mut globs = module.uses.iter().filter(|one| one.name.is_none());
        globs.find_map(|glob| match self.resolve(within, &glob.path, depth + 1)? {
            Target::Module(module) => self.name_in(&module, name, depth + 1),
            Target::Item(..) => None,
        })
    }

    /// The public names of a module.
    pub(super) fn public_names(&self, within: &[String], depth: u32) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let Some(module) = self.modules.get(within).filter(|_| depth < 8) else {
            return names;
        };
        let modules = module.modules.iter().filter(|(_, is_public)| **is_public);
        names.extend(modules.map(|(name, _)| name.clone()));
        let items = module.items.iter();
        let items = items.filter(|(_, all)| all.iter().any(|one| one.is_public));
        names.extend(items.map(|(name, _)| name.clone()));
        for one in module.uses.iter().filter(|one| one.is_public) {
            match &one.name {
                Some(name) => _ = names.insert(name.clone()),
                None => {
                    if let Some(Target::Module(of)) = self.resolve(within, &one.path, 0) {
                        names.extend(self.public_names(&of, depth + 1));
                    }
                }
            }
        }
        names
    }
}

/// Only for tests, or hidden.
pub(super) fn is_left_out(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let Meta::List(list) = &attribute.meta else {
            return false;
        };
        let words = list.tokens.to_string();
        list.path.is_ident("cfg")
            && (words == "test" || words.starts_with("doctest") || words.contains("doctest"))
            || list.path.is_ident("doc") && words == "hidden"
    })
}

fn file_of(tree: &Tree, below: &Path) -> Result<PathBuf> {
    let places = [below.with_extension("rs"), below.join("mod.rs")];
    match places.into_iter().find(|place| tree.has(place)) {
        Some(place) => Ok(place),
        None => bail!("the module {} has no file", below.display()),
    }
}

fn note_uses(tree: &UseTree, before: &mut Vec<String>, is_public: bool, uses: &mut Vec<Use>) {
    let mut note = |name: Option<String>, path: Vec<String>| {
        uses.push(Use {
            name,
            path,
            is_public,
        });
    };
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            note_uses(&path.tree, before, is_public, uses);
            before.pop();
        }
        UseTree::Name(name) if name.ident == "self" => {
            note(before.last().cloned(), before.clone());
        }
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            let path = [&before[..], std::slice::from_ref(&name)].concat();
            note(Some(name), path);
        }
        UseTree::Rename(rename) => {
            let path = [&before[..], &[rename.ident.to_string()]].concat();
            note(Some(rename.rename.to_string()), path);
        }
        UseTree::Glob(_) => note(None, before.clone()),
        UseTree::Group(group) => {
            for one in &group.items {
                note_uses(one, before, is_public, uses);
            }
        }
    }
}
