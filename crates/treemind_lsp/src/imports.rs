//! Which files import which, in the folders of a workspace and among the open texts.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::Path;
use treemind_doc::edit::Editor;
use treemind_ide::{file_beside, named_file};

/// How many files of a workspace are looked at, and how deep its folders are.
const MOST_FILES: usize = 5_000;
const MOST_DEEP: usize = 16;

/// The endings of the files that may be documents.
const ENDINGS: [&str; 4] = ["kdl", "json", "xml", "scxml"];

/// The documents in a folder and below. Hidden folders, and those with what programs have made, are left out.
pub(crate) fn documents_in(folder: &str, found: &mut BTreeSet<String>) {
    let mut pending = vec![(Path::new(folder).to_owned(), 0)];
    while let Some((folder, depth)) = pending.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let is_left_out = name.starts_with('.') || matches!(&*name, "target" | "node_modules");
            // A link could lead around in a circle.
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if is_left_out || found.len() >= MOST_FILES {
                continue;
            }
            if kind.is_dir() && depth < MOST_DEEP {
                pending.push((path, depth + 1));
            } else if kind.is_file()
                && is_document(&name)
                && let Some(path) = path.to_str()
            {
                found.insert(path.to_owned());
            }
        }
    }
}

/// Whether a file may be a document, by the ending of its name.
pub(crate) fn is_document(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| ENDINGS.contains(&ending))
}

/// The files that a text in KDL imports, and those with the weights of its networks.
pub(crate) fn imports_of(name: &str, text: &str) -> Vec<String> {
    if !WORDS.iter().any(|word| text.contains(word)) {
        return Vec::new();
    }
    let editor = Editor::of_texts(&[(name, text)]);
    let top = editor
        .read_nodes(0)
        .into_iter()
        .filter(|one| one.parent.is_none());
    let paths = top.filter_map(|one| Some(file_beside(name, &named_file(&one.node)?.value)));
    paths.collect()
}

/// The words of lines that name other files.
const WORDS: [&str; 2] = ["import", "network"];

/// The lines of a text that may import something: as long as they stay the same, so do its imports.
pub(crate) fn import_lines(text: &str) -> String {
    let names_one = |line: &&str| WORDS.iter().any(|word| line.contains(word));
    let lines = text.lines().filter(names_one);
    lines.collect::<Vec<_>>().join("\n")
}

/// Which files import which.
#[derive(Debug, Default)]
pub(crate) struct Imports {
    of: BTreeMap<String, Vec<String>>,
}

impl Imports {
    pub(crate) fn set(&mut self, file: &str, imports: Vec<String>) {
        match imports.is_empty() {
            true => self.of.remove(file),
            false => self.of.insert(file.to_owned(), imports),
        };
    }

    pub(crate) fn remove(&mut self, file: &str) {
        self.of.remove(file);
    }

    pub(crate) fn clear(&mut self) {
        self.of.clear();
    }

    /// The files that import a file directly.
    pub(crate) fn importers<'i>(&'i self, file: &'i str) -> impl Iterator<Item = &'i str> {
        let all = self
            .of
            .iter()
            .filter(move |(_, imports)| imports.iter().any(|one| one == file));
        all.map(|(name, _)| name.as_str())
    }

    /// The documents that a file is part of: those that lead to it and that nothing imports; itself if nothing does.
    pub(crate) fn roots(&self, file: &str) -> Vec<String> {
        let mut seen: HashSet<&str> = HashSet::from([file]);
        let mut pending = vec![file];
        let mut roots = Vec::new();
        while let Some(one) = pending.pop() {
            let mut is_root = true;
            for importer in self.importers(one) {
                is_root = false;
                if seen.insert(importer) {
                    pending.push(importer);
                }
            }
            if is_root {
                roots.push(one.to_owned());
            }
        }
        if roots.is_empty() {
            // All of them import one another in a circle.
            roots.push(file.to_owned());
        }
        roots.sort();
        roots
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_what_nothing_imports() {
        let mut imports = Imports::default();
        let set = |imports: &mut Imports, of: &str, all: &[&str]| {
            imports.set(of, all.iter().map(|one| (*one).to_owned()).collect());
        };
        set(&mut imports, "a", &["x"]);
        set(&mut imports, "b", &["x", "y"]);
        set(&mut imports, "x", &["y"]);
        set(&mut imports, "c", &["d"]);
        set(&mut imports, "d", &["c"]);
        assert_eq!(imports.roots("y"), ["a", "b"]);
        assert_eq!(imports.roots("a"), ["a"]);
        assert_eq!(imports.roots("c"), ["c"]);
        assert_eq!(imports.roots("z"), ["z"]);
    }
}
