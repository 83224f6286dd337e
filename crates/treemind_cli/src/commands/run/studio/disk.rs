//! The files that pages edit.

use super::new_file;
use crate::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};
use treemind_doc::Said;
use treemind_doc::files::{replace, replace_if};
use treemind_doc::said;
use treemind_studio::Shelf;

/// The folder of a document on disk: what pages see and edit is there, and nowhere else.
#[derive(Clone, Debug, Default)]
pub(super) struct Disk {
    /// Where it really is; `None` if it could not be found, so that nothing is in it.
    folder: Option<PathBuf>,
}

impl Disk {
    /// The folder in which a document is. If that is a link, it is the folder to which it leads now.
    pub(super) fn of(document: &Path) -> Self {
        let place = document.canonicalize();
        Self {
            folder: place
                .ok()
                .and_then(|place| Some(place.parent()?.to_owned())),
        }
    }

    /// Refuses a link that leads out of the folder. A file that is gone is where it was.
    pub(super) fn may_touch(&self, path: &Path) -> Result<(), Said> {
        let place = path.canonicalize().or_else(|error| {
            let folder = path.parent().filter(|_| is_gone(&error)).ok_or(error)?;
            match folder.as_os_str().is_empty() {
                true => Path::new(".").canonicalize(),
                false => folder.canonicalize(),
            }
        });
        let name = || io::display_name(path);
        let place = place.map_err(|error| said!("{}: {}", name(), io::reason(&error)))?;
        let mut folder = self.folder.iter();
        match folder.any(|folder| place.starts_with(folder)) {
            true => Ok(()),
            false => Err(said!(
                "{} leads out of the folder of the document, and is neither read nor written",
                name()
            )),
        }
    }
}

/// For how long a file has to be as it is to count as whole; one that is empty, for longer.
const REST: Duration = Duration::from_millis(30);
const EMPTY_REST: Duration = Duration::from_millis(250);
/// A file that is written all the time is taken as it is then.
const LONGEST_WAIT: Duration = Duration::from_millis(500);

fn changed_at(name: &str) -> Option<SystemTime> {
    std::fs::metadata(name).ok()?.modified().ok()
}

fn is_gone(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::NotFound
}

impl Shelf for Disk {
    fn read(&mut self, name: &str) -> Result<Option<String>, Said> {
        match std::fs::symlink_metadata(name) {
            Err(error) if is_gone(&error) => Ok(None),
            _ => {
                self.may_touch(Path::new(name))?;
                let text = io::read_watched_told(Path::new(name));
                text.map(Some).map_err(io::Failure::sentence)
            }
        }
    }

    fn read_whole(&mut self, name: &str) -> Result<Option<String>, Said> {
        let begun = Instant::now();
        loop {
            let changed = changed_at(name);
            let read = self.read(name)?;
            let rest = match &read {
                Some(text) if text.is_empty() => EMPTY_REST,
                Some(_) => REST,
                None => return Ok(read),
            };
            // A file from the future is taken as it is.
            let is_still = changed.is_none_or(|at| at.elapsed().map_or(true, |age| age >= rest));
            if (is_still && changed_at(name) == changed) || begun.elapsed() >= LONGEST_WAIT {
                return Ok(read);
            }
            std::thread::sleep(REST / 3);
        }
    }

    fn write(&mut self, name: &str, text: &str) -> Result<(), Said> {
        let path = Path::new(name);
        self.may_touch(path)?;
        let written = replace(path, text.as_bytes());
        written.map_err(|error| new_file::not_written(name, &error))
    }

    fn replace(&mut self, name: &str, was: &str, text: &str) -> Result<bool, Said> {
        let path = Path::new(name);
        self.may_touch(path)?;
        // Until the new text is on the disk, there is time for others to write.
        let is_still = || matches!(self.read(name), Ok(Some(now)) if now == was);
        let written = replace_if(path, text.as_bytes(), is_still);
        written.map_err(|error| new_file::not_written(name, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::{Disk, EMPTY_REST, REST};
    use std::fs;
    use std::io::Write as _;
    use std::thread;
    use treemind_studio::Shelf as _;

    #[test]
    fn a_file_that_is_being_written_is_read_when_it_is_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("guard.kdl");
        fs::write(&path, "tree a").expect("it is written");
        let mut disk = Disk::of(&path);
        let name = path.to_str().expect("a name").to_owned();
        // Emptied, and then written.
        let mut file = fs::File::create(&path).expect("it is ours");
        let writer = thread::spawn(move || {
            thread::sleep(REST / 2);
            file.write_all(b"tree b { succeed; }")
                .expect("there is room");
        });
        let read = disk.read_whole(&name).expect("it can be read");
        writer.join().expect("it is written");
        assert_eq!(read.as_deref(), Some("tree b { succeed; }"));
        // One that stays empty is empty.
        fs::write(&path, "").expect("it is written");
        let begun = std::time::Instant::now();
        assert_eq!(disk.read_whole(&name).expect("a text").as_deref(), Some(""));
        assert!(begun.elapsed() >= EMPTY_REST / 2);
    }
}
