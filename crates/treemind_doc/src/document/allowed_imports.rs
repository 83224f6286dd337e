//! Which files a document may import, and how they are read.

use crate::document::normal;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The largest size of a file, which is also the largest size of a document.
const MOST_BYTES: u64 = 16 << 20;

/// How many entries of folders are looked at.
const MOST_LISTED: usize = 10_000;

/// How deep below a folder files are listed.
const MOST_DEEP: usize = 4;

/// The files that a document may import: those in its own folder and below, and in other folders that are allowed.
///
/// A document may come from anyone, so its imports are checked with care: only regular files of at most 16 MiB are
/// read, and links count as their targets. Files elsewhere are not touched; the error does not even say whether
/// they exist.
///
/// ```no_run
/// use treemind_doc::{Document, Imports};
///
/// # fn main() -> std::io::Result<()> {
/// let name = "guards/guard.kdl";
/// let imports = Imports::of(name).allow("common");
/// let document = Document::read_with(&std::fs::read(name)?, name, |path| imports.read(path));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Imports {
    /// The folders that files are listed of, that of the document first.
    folders: Vec<PathBuf>,
    /// Those that files are only read from.
    read_only: Vec<PathBuf>,
}

impl Imports {
    /// The files in the folder of a document and below; for a name without a folder, this is the current folder.
    pub fn of(document: impl AsRef<Path>) -> Self {
        let folder = document.as_ref().parent().unwrap_or(Path::new(""));
        Self {
            folders: vec![folder.to_owned()],
            read_only: Vec::new(),
        }
    }

    /// Allows the files in another folder and below as well.
    #[must_use]
    pub fn allow(mut self, folder: impl AsRef<Path>) -> Self {
        self.folders.push(folder.as_ref().to_owned());
        self
    }

    /// Allows the files in another folder and below if they are named; trees are not looked for there. The folder of a
    /// manifest is one: what lies beside it has often nothing to do with the document.
    #[must_use]
    pub fn allow_named(mut self, folder: impl AsRef<Path>) -> Self {
        self.read_only.push(folder.as_ref().to_owned());
        self
    }

    /// The bytes of the file at a path, as [`Document::read_with`](crate::Document::read_with) asks for them. For a path
    /// that ends with `*.xml`, the names of the XML files in that folder, one a line: trees of BehaviorTree.CPP may
    /// stand in any of them. For one that ends with `**/*.xml`, the paths of those in the folders below it.
    ///
    /// # Errors
    /// When the path leads out of the allowed folders, or to something that cannot be read as a file.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Vec<u8>, ImportError> {
        let path = path.as_ref();
        let written = whole(path)?;
        let folders = self.folders.iter().chain(&self.read_only);
        let folders: Vec<[PathBuf; 2]> = folders.filter_map(both).collect();
        let is_below = |path: &Path| {
            folders
                .iter()
                .flatten()
                .any(|folder| path.starts_with(folder))
        };
        // The text of the path is checked first, so that nothing is revealed about files elsewhere.
        if !is_below(&written) {
            return Err(ImportError::Outside);
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        if path.file_name().is_some_and(|name| name == "*.xml") {
            let deep = folder.file_name().is_some_and(|name| name == "**");
            let folder = match folder.parent().filter(|_| deep) {
                Some(folder) => folder,
                None => folder,
            };
            return match is_below(&fs::canonicalize(Path::new(".").join(folder))?) {
                true => self.listed(folder, deep),
                false => Err(ImportError::LinkedOutside),
            };
        }
        let real = fs::canonicalize(path)?;
        if !is_below(&real) {
            return Err(ImportError::LinkedOutside);
        }
        if let Some(what) = crate::files::other_than_file(&fs::metadata(&real)?) {
            return Err(ImportError::NoFile(what));
        }
        let read = crate::files::read_regular(&real, MOST_BYTES);
        read.map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => ImportError::TooLarge,
            _ => ImportError::Io(error),
        })
    }

    /// The names of the XML files in a folder, and their paths in the other folders that are allowed, one a line; `deep`:
    /// those in the folders below.
    fn listed(&self, folder: &Path, deep: bool) -> Result<Vec<u8>, ImportError> {
        let mut names: Vec<String> = Vec::new();
        for (nth, allowed) in self.folders.iter().enumerate() {
            // The first is that of the document, and is not gone through as deeply as it may be read.
            let found = match nth {
                0 => folder,
                _ => allowed.as_path(),
            };
            let depth = if deep { MOST_DEEP } else { 0 };
            let mut inside = xml_files(found, depth);
            if deep {
                inside.retain(|path| path.contains('/'));
            }
            match nth {
                0 => names.append(&mut inside),
                _ => {
                    for path in inside {
                        let path = std::path::absolute(allowed.join(path))?;
                        names.extend(path.to_str().map(str::to_owned));
                    }
                }
            }
        }
        Ok(names.join("\n").into_bytes())
    }
}

/// The paths of the XML files in a folder, and in those below it up to a depth, in their order. Links to folders are not
/// followed, and hidden folders are left out.
fn xml_files(folder: &Path, depth: usize) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut pending = vec![(String::new(), 0)];
    let mut left = MOST_LISTED;
    while let Some((below, level)) = pending.pop() {
        // An empty path is no folder.
        let Ok(entries) = fs::read_dir(Path::new(".").join(folder).join(&below)) else {
            continue;
        };
        for entry in entries.flatten() {
            if left == 0 {
                break;
            }
            left -= 1;
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder && level < depth && !name.starts_with('.') {
                pending.push((format!("{below}{name}/"), level + 1));
            } else if name.to_ascii_lowercase().ends_with(".xml") && !name.contains('\n') {
                found.push(format!("{below}{name}"));
            }
        }
    }
    found.sort();
    found
}

/// A folder as it is written, and with links resolved; `None` if there is no such folder.
fn both(folder: &PathBuf) -> Option<[PathBuf; 2]> {
    let folder = Path::new(".").join(folder);
    Some([whole(&folder).ok()?, fs::canonicalize(&folder).ok()?])
}

/// An absolute path without `.` and `..`.
fn whole(path: &Path) -> io::Result<PathBuf> {
    Ok(PathBuf::from(normal(std::path::absolute(path)?)))
}

/// Why a file cannot be imported.
#[derive(Debug)]
#[non_exhaustive]
pub enum ImportError {
    /// It is not below any allowed folder.
    Outside,
    /// It is below one, but a link there leads to a file that is below none.
    LinkedOutside,
    /// It is a folder, a pipe or a device; the text says which.
    NoFile(&'static str),
    /// It has more bytes than a document may have.
    TooLarge,
    /// It cannot be read.
    Io(io::Error),
}

impl From<io::Error> for ImportError {
    fn from(error: io::Error) -> Self {
        ImportError::Io(error)
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImportError::Outside => {
                out.write_str("it is not in the folder of the document or below it")
            }
            ImportError::LinkedOutside => {
                out.write_str("a link there leads out of the folder of the document")
            }
            ImportError::NoFile(what) => out.write_str(what),
            ImportError::TooLarge => write!(out, "it is larger than {} MiB", MOST_BYTES >> 20),
            ImportError::Io(error) => match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                    out.write_str("there is no such file")
                }
                io::ErrorKind::PermissionDenied => out.write_str("permission denied"),
                _ => error.fmt(out),
            },
        }
    }
}

impl std::error::Error for ImportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ImportError::Io(error) => Some(error),
            _ => None,
        }
    }
}
