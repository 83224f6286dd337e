//! The files that the page may open.

use crate::disk;
use crate::io::{self, Failure, Known};
use std::path::{Path, PathBuf};
use treemind_arena::YARD;
use treemind_doc::Document;
use treemind_doc::Said;
use treemind_doc::edit::Version;
use treemind_replay::view::protocol::Folder;
use treemind_studio::no_folders;

/// Where new documents go.
const OWN: &str = "my";
/// How many files there may be, because pages list all of them.
const MOST_FILES: usize = 2000;

/// A file that may be opened.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    path: PathBuf,
}

impl Entry {
    pub(crate) fn of(path: PathBuf) -> Self {
        Self {
            name: io::display_name(&path),
            path,
        }
    }

    /// Whether it is a recording.
    pub(crate) fn is_recording(&self) -> bool {
        self.name.ends_with(".mcap")
    }

    /// Where it is.
    pub(crate) fn path(&self) -> Option<&Path> {
        Some(&self.path)
    }

    /// Where what pages edit is written.
    pub(crate) fn disk(&self) -> disk::shelf::Disk {
        disk::shelf::Disk
    }

    /// A file here is no link that leads elsewhere.
    pub(crate) fn stays(&self) -> Result<(), Failure> {
        Ok(())
    }

    /// The document with all that it imports.
    pub(crate) fn version(&self) -> Result<Version, Failure> {
        io::version(&self.path, Known::default())
    }

    /// Its text.
    pub(crate) fn text(&self) -> Result<String, Failure> {
        io::read_text(&self.path)
    }

    /// The document.
    pub(crate) fn document(&self) -> Result<Document, Failure> {
        io::document(&self.path, Known::default())
    }

    /// The text of its map.
    pub(crate) fn map(&self) -> Result<String, Failure> {
        Ok(self.own_map()?.unwrap_or_else(|| YARD.to_owned()))
    }

    /// The seed that it plays with.
    pub(crate) fn seed(&self) -> u64 {
        disk::seed()
    }

    /// The text of its map; `None` if it plays in the yard.
    pub(crate) fn own_map(&self) -> Result<Option<String>, Failure> {
        let map = disk::map_beside(&self.path);
        map.map(|map| io::read_text(&map)).transpose()
    }
}

/// The files that may be opened, in order.
#[derive(Debug)]
pub(crate) struct Library {
    entries: Vec<Entry>,
}

impl Library {
    /// All documents that the page has, in the order in which it names them.
    pub(crate) fn all() -> Self {
        let files = ["kdl", "json", "scxml", "mcap"].map(disk::with_ending);
        let mut entries: Vec<Entry> = files.into_iter().flatten().map(Entry::of).collect();
        entries.truncate(MOST_FILES);
        // The guard of the first pages comes first.
        let is_guard = |one: &Entry| one.name.ends_with("/guard.kdl");
        if let Some(guard) = entries.iter().position(is_guard) {
            entries[..=guard].rotate_right(1);
        }
        Self { entries }
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Whether there is nothing to show.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Only this file.
    pub(crate) fn only(path: PathBuf) -> Self {
        Self {
            entries: vec![Entry::of(path)],
        }
    }

    pub(crate) fn folder(&self) -> Option<&Path> {
        Some(Path::new(OWN))
    }

    /// Files appear here only by what the page does, which adds them.
    pub(crate) fn look_again(&mut self) {}

    /// Adds a file; returns its name.
    pub(crate) fn add(&mut self, path: PathBuf) -> String {
        let entry = Entry::of(path);
        let name = entry.name.clone();
        if self.find(&name).is_none() {
            self.entries.push(entry);
        }
        name
    }

    /// Where new documents go.
    pub(crate) fn folder_named(&self, name: &str) -> Result<PathBuf, Said> {
        match name {
            "" | OWN => Ok(PathBuf::from(OWN)),
            _ => Err(no_folders()),
        }
    }

    pub(crate) fn look_into(&mut self, _: &str, _: bool) -> Result<Folder, Said> {
        Err(no_folders())
    }

    /// The file with this name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.entries.iter().position(|entry| entry.name == name)
    }
}
