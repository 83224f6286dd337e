//! The files that the studio may open.

use super::super::{files_in, map_beside};
use super::folders::Allowed;
use crate::io::{self, Failure, Known};
use std::path::{Path, PathBuf};
use treemind_arena::YARD;
use treemind_doc::Document;
use treemind_doc::edit::Version;
use treemind_examples::EXAMPLES;
use treemind_replay::view::protocol::Folder;

/// The endings of files that a folder is searched for.
const ENDINGS: [&str; 4] = ["kdl", "json", "scxml", "mcap"];

/// How many files there may be, because pages list all of them.
const MOST_FILES: usize = 2000;

/// Where a file is.
#[derive(Clone, Debug)]
enum Place {
    Disk(PathBuf),
    /// Among the examples, so that there is something to watch without any file.
    Example(&'static include_dir::File<'static>),
}

/// A file that may be opened.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    place: Place,
}

impl Entry {
    fn on_disk(path: PathBuf) -> Self {
        Self {
            name: io::display_name(&path),
            place: Place::Disk(path),
        }
    }

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

    /// The document with all that it imports.
    pub(super) fn version(&self) -> Result<Version, Failure> {
        match &self.place {
            Place::Disk(path) => io::version(path, Known::default()),
            Place::Example(_) => self.text().map(Version::text),
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
        Ok(self.own_map()?.unwrap_or_else(|| YARD.to_owned()))
    }

    /// The seed that it plays with: that of `treemind run`, if nothing is said.
    pub(super) fn seed(&self) -> u64 {
        0
    }

    /// The text of its map; `None` if it plays in the yard.
    pub(super) fn own_map(&self) -> Result<Option<String>, Failure> {
        match &self.place {
            Place::Disk(path) => map_beside(path).map(|map| io::read_text(&map)).transpose(),
            Place::Example(file) => {
                let beside = file.path().parent().and_then(|of| EXAMPLES.get_dir(of));
                let mut maps = beside.into_iter().flat_map(|folder| folder.files());
                let map = maps.find(|one| one.path().extension().is_some_and(|end| end == "map"));
                let text = map.and_then(|map| map.contents_utf8());
                Ok(text.map(str::to_owned))
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
    /// The folders that may be opened, with all below them.
    allowed: Allowed,
}

impl Library {
    /// The files that are named, and those in folders that are named; the examples if none is.
    ///
    /// Folders may be opened that are named, or in which files are that are named, and those that are `allowed` besides.
    pub(super) fn of(files: &[PathBuf], allowed: &[PathBuf]) -> Result<Self, Failure> {
        let named: Vec<PathBuf> = match files {
            [] => vec![PathBuf::from(".")],
            files => files.iter().map(|file| folder_of(file)).collect(),
        };
        let allowed = Allowed::of(named.iter().chain(allowed))?;
        if files.is_empty() {
            return Ok(Self {
                entries: examples(),
                folder: Some(PathBuf::from(".")),
                allowed,
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
                    allowed,
                });
            }
            if found.is_empty() {
                let name = io::display_name(file);
                let text = format!("there is no document and no recording in the folder {name}");
                return Err(Failure::Failed(text));
            }
            entries.extend(found.into_iter().map(Entry::on_disk));
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
        Ok(Self {
            entries,
            folder: named.into_iter().next(),
            allowed,
        })
    }

    /// Only this file.
    pub(super) fn only(path: PathBuf) -> Self {
        Self {
            entries: vec![Entry::on_disk(path)],
            folder: None,
            allowed: Allowed::default(),
        }
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(super) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Adds a file; returns its name.
    pub(super) fn add(&mut self, path: PathBuf) -> String {
        let path = path.strip_prefix(".").map(Path::to_owned).unwrap_or(path);
        let entry = Entry::on_disk(path);
        let name = entry.name.clone();
        if self.find(&name).is_none() {
            self.entries.push(entry);
        }
        name
    }

    /// Where new documents go that are to be in a folder, or in the first one if that has no name.
    pub(super) fn folder_named(&self, name: &str) -> Result<PathBuf, String> {
        match (name, &self.folder) {
            (_, None) => Err("no documents can be made here".to_owned()),
            ("", Some(folder)) => Ok(folder.clone()),
            (name, Some(_)) => self.allowed.folder(name),
        }
    }

    /// What is in a folder; opens it, too, if that is wanted.
    pub(super) fn look_into(&mut self, name: &str, opens: bool) -> Result<Folder, String> {
        let (mut found, documents) = match name {
            "" => (self.allowed.all(), Vec::new()),
            name => self.allowed.look_into(name)?,
        };
        if opens {
            if self.entries.len() + documents.len() > MOST_FILES {
                return Err(format!("at most {MOST_FILES} files can be open"));
            }
            found.is_opened = !name.is_empty();
            for path in documents {
                self.add(path);
            }
        }
        found.files = self
            .entries
            .iter()
            .map(|entry| entry.name.clone())
            .collect();
        Ok(found)
    }

    /// The file with this name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.entries.iter().position(|entry| entry.name == name)
    }
}

/// The folder of a file, or the folder itself.
fn folder_of(file: &Path) -> PathBuf {
    let folder = match file.is_dir() {
        true => file.to_owned(),
        false => file.parent().map(Path::to_owned).unwrap_or_default(),
    };
    match folder.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => folder,
    }
}

pub(super) fn in_folder(folder: &Path) -> Vec<PathBuf> {
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
