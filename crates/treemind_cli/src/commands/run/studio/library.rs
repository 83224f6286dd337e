//! The files that the studio may open.

use super::super::{files_in, map_beside};
use crate::io::{self, Failure, Known};
use include_dir::{Dir, include_dir};
use std::path::{Path, PathBuf};
use treemind_arena::YARD;
use treemind_doc::Document;

/// The examples, so that there is something to watch without any file.
static EXAMPLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../examples");

/// The endings of files that a folder is searched for.
const ENDINGS: [&str; 4] = ["kdl", "json", "scxml", "mcap"];

/// Where a file is.
#[derive(Clone, Debug)]
enum Place {
    Disk(PathBuf),
    Example(&'static include_dir::File<'static>),
}

/// A file that may be opened.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    place: Place,
}

impl Entry {
    /// Whether it is a recording.
    pub(super) fn is_recording(&self) -> bool {
        self.name.ends_with(".mcap")
    }

    /// Where it is on disk, if it is there.
    pub(super) fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::Disk(path) => Some(path),
            Place::Example(_) => None,
        }
    }

    /// Its text.
    pub(super) fn text(&self) -> Result<String, Failure> {
        match &self.place {
            Place::Disk(path) => io::read_text(path),
            Place::Example(file) => Ok(file.contents_utf8().unwrap_or_default().to_owned()),
        }
    }

    /// The document.
    pub(super) fn document(&self) -> Result<Document, Failure> {
        match &self.place {
            Place::Disk(path) => io::document(path, Known::default()),
            Place::Example(file) => Ok(Document::read(file.contents(), &self.name)),
        }
    }

    /// The text of its map.
    pub(super) fn map(&self) -> Result<String, Failure> {
        match &self.place {
            Place::Disk(path) => match map_beside(path) {
                Some(map) => io::read_text(&map),
                None => Ok(YARD.to_owned()),
            },
            Place::Example(file) => {
                let beside = file.path().parent().and_then(|of| EXAMPLES.get_dir(of));
                let mut maps = beside.into_iter().flat_map(|folder| folder.files());
                let map = maps.find(|one| one.path().extension().is_some_and(|end| end == "map"));
                let text = map.and_then(|map| map.contents_utf8());
                Ok(text.unwrap_or(YARD).to_owned())
            }
        }
    }
}

/// The files that may be opened, in order.
#[derive(Debug)]
pub(super) struct Library {
    entries: Vec<Entry>,
    /// Where new documents go; `None` if none can be made.
    folder: Option<PathBuf>,
}

impl Library {
    /// The files that are named, and those in folders that are named; the examples if none is.
    pub(super) fn of(files: &[PathBuf]) -> Result<Self, Failure> {
        if files.is_empty() {
            return Ok(Self {
                entries: examples(),
                folder: Some(PathBuf::from(".")),
            });
        }
        let mut entries = Vec::new();
        for file in files {
            let found = match file.is_dir() {
                true => in_folder(file),
                false => vec![file.clone()],
            };
            if found.is_empty() && files.len() == 1 {
                // There is something to begin from.
                return Ok(Self {
                    entries: examples(),
                    folder: Some(file.clone()),
                });
            }
            if found.is_empty() {
                let name = io::display_name(file);
                let text = format!("there is no document and no recording in the folder {name}");
                return Err(Failure::Failed(text));
            }
            entries.extend(found.into_iter().map(|path| Entry {
                name: io::display_name(&path),
                place: Place::Disk(path),
            }));
        }
        // What cannot be read at all is said at once.
        for entry in &entries {
            match entry.path() {
                // A recording may be larger than memory.
                Some(path) if entry.is_recording() => drop(io::regular(path)?),
                Some(path) => drop(io::read(path)?),
                None => {}
            }
        }
        let first = &files[0];
        let folder = match first.is_dir() {
            true => first.clone(),
            false => first.parent().map(Path::to_owned).unwrap_or_default(),
        };
        let is_here = folder.as_os_str().is_empty();
        let folder = if is_here { PathBuf::from(".") } else { folder };
        Ok(Self {
            entries,
            folder: Some(folder),
        })
    }

    /// Only this file.
    pub(super) fn only(path: PathBuf) -> Self {
        let name = io::display_name(&path);
        let place = Place::Disk(path);
        Self {
            entries: vec![Entry { name, place }],
            folder: None,
        }
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(super) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Adds a file that was made; returns its name.
    pub(super) fn add(&mut self, path: PathBuf) -> String {
        let path = path.strip_prefix(".").map(Path::to_owned).unwrap_or(path);
        let name = io::display_name(&path);
        let place = Place::Disk(path);
        self.entries.push(Entry {
            name: name.clone(),
            place,
        });
        name
    }

    /// The file with this name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.entries.iter().position(|entry| entry.name == name)
    }
}

fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = ENDINGS
        .iter()
        .flat_map(|end| files_in(folder, end))
        .collect();
    found.sort();
    found
}

/// The documents among the examples that play in the arena.
fn examples() -> Vec<Entry> {
    let folders = EXAMPLES.dirs().filter(|folder| {
        let mut files = folder.files();
        files.any(|file| file.path().extension().is_some_and(|end| end == "map"))
    });
    let files = folders.flat_map(|folder| folder.files());
    let documents = files.filter(|file| file.path().extension().is_some_and(|end| end == "kdl"));
    let mut entries: Vec<Entry> = documents
        .map(|file| Entry {
            name: file.path().to_string_lossy().into_owned(),
            place: Place::Example(file),
        })
        .collect();
    entries.sort_by(|left, right| left.name.cmp(&right.name));
    // The guard of the first pages comes first.
    if let Some(guard) = entries
        .iter()
        .position(|one| one.name.ends_with("/guard.kdl"))
    {
        entries[..=guard].rotate_right(1);
    }
    entries
}
