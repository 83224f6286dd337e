//! The files that the studio may open.

use super::super::{files_in, map_beside};
use super::disk::Disk;
use super::folders::Allowed;
use crate::io::{self, Failure, Known};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use treemind_arena::YARD;
use treemind_doc::Document;
use treemind_doc::Said;
use treemind_doc::edit::Version;
use treemind_doc::said;
use treemind_examples::EXAMPLES;
use treemind_replay::view::protocol::Folder;
use treemind_studio::not_made;

/// The endings of files that a folder is searched for.
const ENDINGS: [&str; 4] = ["kdl", "json", "scxml", "mcap"];

/// Those that a folder below is searched for: what ends in `.json` there is rarely a document.
const ENDINGS_BELOW: [&str; 3] = ["kdl", "scxml", "mcap"];

/// Folders of what programs make, which are not searched.
const MADE: [&str; 2] = ["target", "node_modules"];

/// How many files there may be, because pages list all of them.
const MOST_FILES: usize = 2000;

/// How many folders are searched, and how deep they may be.
const MOST_FOLDERS: usize = 1000;
const MOST_DEEP: usize = 8;

/// Where a file is.
#[derive(Clone, Debug)]
enum Place {
    Disk(PathBuf, Disk),
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
        let disk = Disk::of(&path);
        Self {
            name: io::display_name(&path),
            place: Place::Disk(path, disk),
        }
    }

    /// Whether it is a recording.
    pub(super) fn is_recording(&self) -> bool {
        self.name.ends_with(".mcap")
    }

    /// Where it is on disk, if it is there.
    pub(super) fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::Disk(path, _) => Some(path),
            Place::Example(_) => None,
        }
    }

    /// The folder in which it is on disk, out of which no link leads.
    pub(super) fn disk(&self) -> Disk {
        match &self.place {
            Place::Disk(_, disk) => disk.clone(),
            Place::Example(_) => Disk::default(),
        }
    }

    /// Refuses it if it is now a link that leads elsewhere.
    pub(super) fn stays(&self) -> Result<(), Failure> {
        match &self.place {
            Place::Disk(path, disk) if path.exists() => {
                disk.may_touch(path).map_err(Failure::failed)
            }
            _ => Ok(()),
        }
    }

    /// The document with all that it imports.
    pub(super) fn version(&self) -> Result<Version, Failure> {
        self.stays()?;
        match &self.place {
            Place::Disk(path, _) => io::version(path, Known::in_studio()),
            Place::Example(_) => self.text().map(Version::text),
        }
    }

    /// Its text.
    pub(super) fn text(&self) -> Result<String, Failure> {
        self.stays()?;
        match &self.place {
            Place::Disk(path, _) => io::read_told(path),
            Place::Example(file) => Ok(file.contents_utf8().unwrap_or_default().to_owned()),
        }
    }

    /// The document.
    pub(super) fn document(&self) -> Result<Document, Failure> {
        self.stays()?;
        match &self.place {
            Place::Disk(path, _) => io::document(path, Known::in_studio()),
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
            Place::Disk(path, disk) => {
                let read = |map: PathBuf| {
                    disk.may_touch(&map).map_err(Failure::failed)?;
                    io::read_told(&map)
                };
                map_beside(path).map(read).transpose()
            }
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
    /// The folders whose files these are: what appears in them can be opened, too.
    searched: Vec<PathBuf>,
    /// Where new documents go; `None` if none can be made.
    folder: Option<PathBuf>,
    /// The folders that may be opened, with all below them.
    allowed: Allowed,
    /// Whether the folder that was named has nothing to show.
    is_empty: bool,
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
                searched: Vec::new(),
                folder: Some(PathBuf::from(".")),
                allowed,
                is_empty: false,
            });
        }
        let mut entries = Vec::new();
        for file in files {
            let name = io::display_name(file);
            let found = match file.is_dir() {
                true => Found::below(file),
                false => Found {
                    files: vec![file.clone()],
                    is_all: true,
                },
            };
            if !found.is_all {
                io::tell(format!(
                    "{name} holds more than can be shown: only a part of the folders in it was searched"
                ));
            }
            let found = found.files;
            if found.is_empty() && files.len() == 1 {
                // There is something to begin from.
                io::tell(format!(
                    "there is no document and no recording in {name}, nor in the folders in it: the page shows the examples"
                ));
                return Ok(Self {
                    entries: examples(),
                    searched: vec![file.clone()],
                    folder: Some(file.clone()),
                    allowed,
                    is_empty: true,
                });
            }
            if found.is_empty() {
                let text = format!("there is no document and no recording in the folder {name}");
                return Err(Failure::failed(text));
            }
            // What cannot be read at all is said at once; of what is in folders below, when it is opened. The other files of
            // a folder can be edited all the same.
            let is_named = |path: &&PathBuf| !file.is_dir() || path.parent() == Some(file);
            for path in found.iter().filter(is_named) {
                let read = match path.extension().is_some_and(|end| end == "mcap") {
                    // A recording may be larger than memory.
                    true => io::regular(path).map(drop),
                    false => io::read(path).map(drop),
                };
                match read {
                    Err(failure) if file.is_dir() => io::tell(failure.sentence().to_string()),
                    read => read?,
                }
            }
            entries.extend(found.into_iter().map(Entry::on_disk));
        }
        let folders = files.iter().filter(|file| file.is_dir());
        Ok(Self {
            entries,
            searched: folders.cloned().collect(),
            folder: named.into_iter().next(),
            allowed,
            is_empty: false,
        })
    }

    /// Only this file.
    pub(super) fn only(path: PathBuf) -> Self {
        Self {
            entries: vec![Entry::on_disk(path)],
            searched: Vec::new(),
            folder: None,
            allowed: Allowed::default(),
            is_empty: false,
        }
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(super) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Whether the folder that was named has nothing to show, so that the files are the examples.
    pub(super) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Adds the files that have appeared in the folders. Those that are gone stay: somebody may have them open.
    pub(super) fn look_again(&mut self) {
        let found: Vec<PathBuf> = (self.searched.iter())
            .flat_map(|folder| Found::below(folder).files)
            .collect();
        let known = self.entries.iter().filter_map(Entry::path);
        let mut known: HashSet<PathBuf> = known.map(Path::to_owned).collect();
        // Folders may lie in one another.
        let fresh = found.into_iter().filter(|path| known.insert(path.clone()));
        let room = MOST_FILES.saturating_sub(self.entries.len());
        let fresh: Vec<Entry> = fresh.take(room).map(Entry::on_disk).collect();
        self.is_empty &= fresh.is_empty();
        let at = self.first_example();
        self.entries.splice(at..at, fresh);
    }

    /// Where the examples begin: what somebody has stands before them.
    fn first_example(&self) -> usize {
        let mut entries = self.entries.iter();
        let first = entries.position(|one| one.path().is_none());
        first.unwrap_or(self.entries.len())
    }

    /// Adds a file; returns its name.
    pub(super) fn add(&mut self, path: PathBuf) -> String {
        self.is_empty = false;
        let path = path.strip_prefix(".").map(Path::to_owned).unwrap_or(path);
        let entry = Entry::on_disk(path);
        let name = entry.name.clone();
        if self.find(&name).is_none() {
            self.entries.insert(self.first_example(), entry);
        }
        name
    }

    /// Where new documents go that are to be in a folder, or in the first one if that has no name.
    pub(super) fn folder_named(&self, name: &str) -> Result<PathBuf, Said> {
        match (name, &self.folder) {
            (_, None) => Err(not_made()),
            ("", Some(folder)) => Ok(folder.clone()),
            (name, Some(_)) => self.allowed.folder(name),
        }
    }

    /// What is in a folder; opens it, too, if that is wanted.
    pub(super) fn look_into(&mut self, name: &str, opens: bool) -> Result<Folder, Said> {
        let (mut found, documents) = match name {
            "" => (self.allowed.all(), Vec::new()),
            name => self.allowed.look_into(name)?,
        };
        if opens {
            if self.entries.len() + documents.len() > MOST_FILES {
                return Err(said!("at most {} files can be open", MOST_FILES));
            }
            found.is_opened = !name.is_empty();
            if found.is_opened
                && !self
                    .searched
                    .iter()
                    .any(|known| known.as_path() == Path::new(name))
            {
                self.searched.push(PathBuf::from(name));
            }
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

/// The documents and recordings in a folder, and in the folders in it.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) files: Vec<PathBuf>,
    /// Whether all of it was searched.
    pub(super) is_all: bool,
}

impl Found {
    /// Searches a folder: its own files come first. Links out of it are not followed, and in the folders below no links at
    /// all. What is hidden or made by programs is left out.
    pub(super) fn below(folder: &Path) -> Self {
        let mut files = with_endings(folder, &ENDINGS);
        let root = folder.canonicalize().unwrap_or_default();
        let leads_out = |path: &PathBuf| {
            path.is_symlink()
                && !path
                    .canonicalize()
                    .is_ok_and(|place| place.starts_with(&root))
        };
        files.retain(|path| !leads_out(path));
        let (mut searched, mut is_all) = (vec![(folder.to_owned(), 0)], true);
        let mut below = Vec::new();
        let mut nth = 0;
        while let Some((folder, depth)) = searched.get(nth).cloned() {
            nth += 1;
            if depth > 0 {
                let mut own = with_endings(&folder, &ENDINGS_BELOW);
                own.retain(|path| path.symlink_metadata().is_ok_and(|of| of.is_file()));
                below.extend(own);
            }
            for inner in folders_in(&folder) {
                if depth == MOST_DEEP || searched.len() == MOST_FOLDERS {
                    is_all = false;
                    break;
                }
                searched.push((inner, depth + 1));
            }
        }
        below.sort();
        files.append(&mut below);
        is_all &= files.len() <= MOST_FILES;
        files.truncate(MOST_FILES);
        Self { files, is_all }
    }
}

/// The folders in a folder that are searched, in order.
fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let folders = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            !name.starts_with('.') && !MADE.contains(&&*name)
        });
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
    folders.sort();
    folders
}

fn with_endings(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = endings
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// What the studio says of imports from elsewhere is what helps there.
    #[test]
    fn imports_from_elsewhere_get_advice_that_works_here() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("game")).expect("a folder");
        std::fs::write(at("leaves.kdl"), "leaves { action go; }\n").expect("written");
        symlink("../leaves.kdl", at("game/link.kdl")).expect("a link");
        for (import, said) in [
            (
                "../leaves.kdl",
                "it is not in the folder of the document or below it",
            ),
            (
                "link.kdl",
                "a link there leads out of the folder of the document",
            ),
        ] {
            let text = format!("import \"{import}\"\ntree t {{ action go; }}\n");
            std::fs::write(at("game/guard.kdl"), text).expect("written");
            let document = Entry::on_disk(at("game/guard.kdl")).document();
            let document = document.unwrap_or_else(|_| panic!("it is read"));
            let first = document.diagnostics()[0].to_plain();
            let wanted = format!(
                "cannot import `{import}`: {said}, and the studio imports nothing from elsewhere: put the file there"
            );
            assert!(first.contains(&wanted), "{first}");
            assert!(!first.contains("--allow-imports"), "{first}");
        }
    }
}
