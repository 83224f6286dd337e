//! The files that pages edit.

use super::new_file;
use crate::io;
use std::path::{Path, PathBuf};
use treemind_doc::Said;
use treemind_doc::files::replace;
use treemind_doc::said;
use treemind_studio::Shelf;

/// The folder of a document on disk: what pages edit is written there, and nowhere else.
pub(super) struct Disk {
    folder: PathBuf,
}

impl Disk {
    pub(super) fn of(document: &Path) -> std::io::Result<Self> {
        let document = document.canonicalize()?;
        let folder = document.parent().map(Path::to_owned);
        Ok(Self {
            folder: folder.unwrap_or_default(),
        })
    }

    /// Where a file is; a link may not lead out of the folder.
    fn place(&self, name: &str) -> Result<PathBuf, Said> {
        let path = PathBuf::from(name);
        // A file that is gone may be written again where it was.
        let place = path.canonicalize().or_else(|error| {
            let folder = path.parent().filter(|_| is_gone(&error)).ok_or(error)?;
            folder.canonicalize()
        });
        let place = place.map_err(|error| said!("{}: {}", name, io::reason(&error)))?;
        match place.starts_with(&self.folder) {
            true => Ok(path),
            false => Err(said!(
                "{} is not in the folder of the document, and is not written",
                name
            )),
        }
    }
}

fn is_gone(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::NotFound
}

impl Shelf for Disk {
    fn read(&mut self, name: &str) -> Result<Option<String>, Said> {
        match std::fs::symlink_metadata(name) {
            Err(error) if is_gone(&error) => Ok(None),
            _ => {
                let text = io::read_watched_text(Path::new(name));
                text.map(Some).map_err(io::Failure::sentence)
            }
        }
    }

    fn write(&mut self, name: &str, text: &str) -> Result<(), Said> {
        let written = replace(&self.place(name)?, text.as_bytes());
        written.map_err(|error| new_file::not_written(name, &error))
    }
}
