//! The folders that pages may open.

use super::library::Found;
use crate::io::{self, Failure};
use std::path::{Component, Path, PathBuf};
use treemind_doc::{Said, said};
use treemind_replay::view::protocol::Folder;

/// How many folders are listed of one.
const MOST_LISTED: usize = 1000;

/// Folders that may be opened, with all below them. Links are not followed out of them.
#[derive(Debug, Default)]
pub(super) struct Allowed {
    /// As they were named, and where they are.
    roots: Vec<(PathBuf, PathBuf)>,
}

impl Allowed {
    /// These folders.
    pub(super) fn of<'p>(named: impl IntoIterator<Item = &'p PathBuf>) -> Result<Self, Failure> {
        let mut roots: Vec<(PathBuf, PathBuf)> = Vec::new();
        for path in named {
            let place = path.canonicalize().map_err(|error| {
                let (name, reason) = (io::display_name(path), io::reason(&error));
                Failure::failed(format!("{name}: {reason}"))
            })?;
            if !place.is_dir() {
                let name = io::display_name(path);
                return Err(Failure::failed(format!("{name} is not a folder")));
            }
            if !roots.iter().any(|(_, known)| *known == place) {
                roots.push((path.clone(), place));
            }
        }
        Ok(Self { roots })
    }

    /// All of them, to choose from.
    pub(super) fn all(&self) -> Folder {
        let names = self.roots.iter().map(|(path, _)| io::display_name(path));
        Folder {
            folder: String::new(),
            up: None,
            folders: names.collect(),
            documents: Vec::new(),
            is_opened: false,
            files: Vec::new(),
        }
    }

    /// The folder that has this name. One that may not be opened is not touched beyond finding out where it is.
    pub(super) fn folder(&self, name: &str) -> Result<PathBuf, Said> {
        let path = PathBuf::from(name);
        let is_plain = |part: Component<'_>| !matches!(part, Component::ParentDir);
        let place = path.canonicalize().ok();
        let place = place.filter(|place| path.components().all(is_plain) && self.has(place));
        match place.is_some_and(|place| place.is_dir()) {
            true => Ok(path),
            false => Err(said!(
                "this is not one of the folders that may be opened; `treemind studio --allow-folder FOLDER` allows another one"
            )),
        }
    }

    fn has(&self, place: &Path) -> bool {
        let mut roots = self.roots.iter();
        roots.any(|(_, root)| place.starts_with(root))
    }

    /// What is in a folder, and where its documents are.
    pub(super) fn look_into(&self, name: &str) -> Result<(Folder, Vec<PathBuf>), Said> {
        let path = self.folder(name)?;
        let is_inside = |path: &PathBuf| path.canonicalize().is_ok_and(|place| self.has(&place));
        let mut documents = Found::below(&path).files;
        documents.retain(|path| path.is_file() && is_inside(path));
        let entries = std::fs::read_dir(&path).map_err(|error| io::reason(&error))?;
        let entries = entries.filter_map(Result::ok);
        let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let names = folders.filter_map(|entry| {
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            // What is not text cannot be named by a page.
            let path = entry.path();
            let path = path.strip_prefix(".").map(Path::to_owned).unwrap_or(path);
            (!is_hidden).then(|| path.to_str().map(str::to_owned))?
        });
        let mut folders: Vec<String> = names.take(MOST_LISTED).collect();
        folders.sort();
        let mut roots = self.roots.iter();
        let place = path.canonicalize().unwrap_or_default();
        let is_root = roots.any(|(_, root)| *root == place);
        let up = path.parent().filter(|_| !is_root);
        let up = up.map(|up| match up.as_os_str().is_empty() {
            true => ".".to_owned(),
            false => up.to_string_lossy().into_owned(),
        });
        let of_documents = documents.iter().map(|document| {
            let name = document.strip_prefix(&path).unwrap_or(document);
            treemind_doc::visible_line(&name.to_string_lossy()).into_owned()
        });
        let found = Folder {
            folder: name.to_owned(),
            up: Some(up.unwrap_or_default()),
            folders,
            documents: of_documents.collect(),
            is_opened: false,
            files: Vec::new(),
        };
        Ok((found, documents))
    }
}
