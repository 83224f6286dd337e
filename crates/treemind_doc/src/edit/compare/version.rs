//! Versions of a document with the files that it imports.

use super::super::Editor;
use crate::document::{Document, normal};
use crate::source::Source;
use crate::text::Format;
use std::fmt;
use std::path::Path;

/// A version of a document: its text, and the texts in KDL that it imports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The names, in relation to the folder of the document, and the texts; the document first.
    files: Vec<(String, String)>,
    missing: Vec<String>,
}

impl Version {
    /// Only a text, without what it imports.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            files: vec![(String::new(), text.into())],
            missing: Vec::new(),
        }
    }

    /// The texts that are edited.
    pub fn of(editor: &Editor) -> Self {
        let files = (0..editor.file_count()).map(|file| {
            let name = editor.name(file).to_owned();
            (name, editor.text(file).to_owned())
        });
        Self::named(files.collect(), Vec::new())
    }

    /// Reads a document and everything that it imports; `load` is as for
    /// [`Document::read_with`](crate::Document::read_with).
    pub fn read<E: fmt::Display>(
        bytes: &[u8],
        name: &str,
        mut load: impl FnMut(&str) -> Result<Vec<u8>, E>,
    ) -> Self {
        let mut missing = Vec::new();
        let document = Document::read_with(bytes, name, |path: &str| {
            let loaded = load(path).map_err(|error| error.to_string());
            if loaded.is_err() {
                missing.push(path.to_owned());
            }
            loaded
        });
        let sources = document.sources().enumerate();
        let known = sources.filter(|(nth, source)| {
            *nth == 0 || Format::of(source.name(), source.text()) == Format::Kdl
        });
        let files = known.map(|(_, one)| (one.name().to_owned(), one.text().to_owned()));
        Self::named(files.collect(), missing)
    }

    /// The imported files that could not be read.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// Makes the names relative to the folder of the first one.
    fn named(mut files: Vec<(String, String)>, mut missing: Vec<String>) -> Self {
        let first = files.first().map(|(name, _)| normal(name));
        let first = first.unwrap_or_default();
        let folder = Path::new(&first).parent().unwrap_or(Path::new(""));
        let relative = |name: &mut String| {
            let path = normal(&*name);
            let inside = Path::new(&path).strip_prefix(folder);
            *name = inside.map_or(path.clone(), |path| path.to_string_lossy().into_owned());
        };
        files.iter_mut().for_each(|(name, _)| relative(name));
        missing.iter_mut().for_each(relative);
        // Two versions of a document may have other names.
        if let Some((name, _)) = files.first_mut() {
            name.clear();
        }
        Self { files, missing }
    }
}

/// The files of a version as one text, so that nodes are found again that have gone from one file into another.
pub(super) struct Joined {
    source: Source,
    /// Where each file begins, and its name.
    files: Vec<(usize, String)>,
}

impl Joined {
    /// Two versions: files that both have are in the same order, and what one of them could not read is in neither.
    pub(super) fn both(old: &Version, new: &Version) -> [Self; 2] {
        let is_known = |name: &String| !old.missing.contains(name) && !new.missing.contains(name);
        let names = |version: &Version| -> Vec<String> {
            let names = version.files.iter().map(|(name, _)| name.clone());
            names.filter(is_known).collect()
        };
        let order = names(new);
        let mut before = names(old);
        before.sort_by_key(|name| {
            order
                .iter()
                .position(|one| one == name)
                .unwrap_or(usize::MAX)
        });
        [(old, before), (new, order)].map(|(version, names)| Self::of(version, &names))
    }

    fn of(version: &Version, names: &[String]) -> Self {
        let (mut all, mut files) = (String::new(), Vec::new());
        for name in names {
            let Some((_, text)) = version.files.iter().find(|(known, _)| known == name) else {
                continue;
            };
            if !all.is_empty() && !all.ends_with('\n') {
                all.push('\n');
            }
            files.push((all.len(), name.clone()));
            // A mark of the byte order is one only where a text begins.
            let is_first = files.len() == 1;
            all.push_str(match is_first {
                true => text,
                false => text.trim_start_matches('\u{feff}'),
            });
        }
        Self {
            source: Source::new("", &all),
            files,
        }
    }

    pub(super) fn text(&self) -> &str {
        self.source.text()
    }

    /// The line in its file, from 1.
    pub(super) fn line(&self, offset: usize) -> usize {
        let (start, _) = self.file_at(offset);
        let line = |offset: usize| self.source.line_column(offset).0;
        line(offset) - line(*start) + 1
    }

    /// The imported file; `None` for the document itself.
    pub(super) fn file(&self, offset: usize) -> Option<&str> {
        let (_, name) = self.file_at(offset);
        (!name.is_empty()).then_some(name.as_str())
    }

    fn file_at(&self, offset: usize) -> &(usize, String) {
        let nth = self.files.partition_point(|(start, _)| *start <= offset);
        &self.files[nth.saturating_sub(1)]
    }
}
