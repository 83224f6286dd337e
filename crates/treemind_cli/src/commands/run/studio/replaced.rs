//! Files that others take the place of while they are open.

use std::collections::HashMap;
use std::fs::Metadata;
use std::path::Path;
use treemind_studio::LOOK_EVERY;
use treemind_studio::clock::Instant;

/// Which file was opened under a path, and how long it was when it was looked at last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    which: Option<(u64, u64)>,
    bytes: u64,
}

impl Mark {
    fn of(path: &Path) -> Option<Self> {
        let file = path.metadata().ok()?;
        Some(Self {
            which: identity(&file),
            bytes: file.len(),
        })
    }
}

#[cfg(unix)]
fn identity(file: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    Some((file.dev(), file.ino()))
}

/// Elsewhere, only a file that has become shorter is known to be another one.
#[cfg(not(unix))]
fn identity(_: &Metadata) -> Option<(u64, u64)> {
    None
}

/// The files that are open, by their names.
#[derive(Debug, Default)]
pub(super) struct Marks(HashMap<String, (Instant, Mark)>);

impl Marks {
    /// A file is opened.
    pub(super) fn note(&mut self, name: &str, path: &Path) {
        if let Some(mark) = Mark::of(path) {
            self.0.insert(name.to_owned(), (Instant::now(), mark));
        }
    }

    /// Whether another file is there now, or the file was begun again. Asked often, it looks from time to time.
    pub(super) fn is_replaced(&mut self, name: &str, path: &Path) -> bool {
        let Some((looked, before)) = self.0.get_mut(name) else {
            return false;
        };
        if looked.elapsed() < LOOK_EVERY {
            return false;
        }
        *looked = Instant::now();
        let Some(now) = Mark::of(path) else {
            return false;
        };
        if now.which != before.which || now.bytes < before.bytes {
            return true;
        }
        before.bytes = now.bytes;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::{LOOK_EVERY, Marks};
    use std::fs;

    #[test]
    fn a_file_that_is_renamed_over_or_begun_again_is_another_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        fs::write(&path, "one").expect("it is written");
        let mut marks = Marks::default();
        let is_replaced = |marks: &mut Marks| {
            std::thread::sleep(LOOK_EVERY);
            marks.is_replaced("a", &path)
        };
        marks.note("a", &path);
        fs::write(&path, "one and more").expect("it is written");
        assert!(!is_replaced(&mut marks), "it has grown");
        fs::write(&path, "two").expect("it is written");
        assert!(is_replaced(&mut marks), "it is shorter");
        if cfg!(unix) {
            marks.note("a", &path);
            let other = folder.path().join("b");
            fs::write(&other, "three, which is longer").expect("it is written");
            fs::rename(&other, &path).expect("it is renamed");
            assert!(is_replaced(&mut marks), "it is another one");
        }
    }
}
