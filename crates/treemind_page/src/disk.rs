//! The files of a page, in memory.

use crate::io::{self, Failure};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use treemind_doc::said;

thread_local! {
    static FILES: RefCell<Files> = RefCell::default();
}

#[derive(Default)]
struct Files {
    texts: BTreeMap<PathBuf, Vec<u8>>,
    /// How often something was written.
    revision: u64,
    /// What was written here and has not been told to the page yet.
    written: Vec<PathBuf>,
    /// Where chance begins in whatever is played of them.
    seed: u64,
}

/// Where chance begins in whatever is played.
pub(crate) fn seed() -> u64 {
    FILES.with_borrow(|files| files.seed)
}

/// Sets where chance begins in whatever is opened from now on.
pub(crate) fn sow(seed: u64) {
    FILES.with_borrow_mut(|files| files.seed = seed);
}

/// Puts a file there that the page has.
pub(crate) fn put(path: &Path, bytes: Vec<u8>) {
    FILES.with_borrow_mut(|files| {
        files.texts.insert(path.to_owned(), bytes);
        files.revision += 1;
    });
}

/// The bytes of a file, if there is one.
pub(crate) fn read(path: &Path) -> Option<Vec<u8>> {
    FILES.with_borrow(|files| files.texts.get(&plain(path)).cloned())
}

/// Writes a file; the page hears of it.
pub(crate) fn write(path: &Path, text: &str) {
    let path = plain(path);
    put(&path, text.as_bytes().to_vec());
    FILES.with_borrow_mut(|files| {
        files.written.retain(|known| *known != path);
        files.written.push(path);
    });
}

/// The next file that was written here, with its text.
pub(crate) fn next_written() -> Option<(String, Vec<u8>)> {
    let path = FILES.with_borrow_mut(|files| files.written.pop())?;
    let bytes = read(&path)?;
    Some((path.to_string_lossy().into_owned(), bytes))
}

/// Another number whenever a file has changed.
pub(crate) fn revision() -> u64 {
    FILES.with_borrow(|files| files.revision)
}

/// The files with this ending, in order.
pub(crate) fn with_ending(ending: &str) -> Vec<PathBuf> {
    FILES.with_borrow(|files| {
        let all = files.texts.keys();
        let found = all.filter(|path| path.extension().is_some_and(|end| end == ending));
        found.cloned().collect()
    })
}

/// The map beside a document: the one of the same name, else the only one in its folder that is no other document's own.
pub(crate) fn map_beside(document: &Path) -> Option<PathBuf> {
    let document = plain(document);
    let maps = with_ending("map");
    let same = document.with_extension("map");
    if maps.contains(&same) {
        return Some(same);
    }
    let is_owned = |map: &PathBuf| {
        let endings = ["kdl", "json", "scxml"];
        let mut documents = endings.iter().map(|ending| map.with_extension(ending));
        FILES.with_borrow(|files| documents.any(|one| files.texts.contains_key(&one)))
    };
    let mut free = maps
        .into_iter()
        .filter(|map| map.parent() == document.parent() && !is_owned(map));
    let only = free.next()?;
    free.next().is_none().then_some(only)
}

/// A path without what means nothing, such as `./` and `a/../`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::Normal(name) => plain.push(name),
            std::path::Component::ParentDir => drop(plain.pop()),
            _ => {}
        }
    }
    plain
}

/// What pages edit is written here.
pub(crate) mod shelf {
    use super::{Path, io};
    use treemind_doc::Said;
    use treemind_studio::Shelf;

    /// The files of a document.
    #[derive(Clone, Debug, Default)]
    pub(crate) struct Disk;

    impl Disk {
        /// There are no links here.
        pub(crate) fn may_touch(&self, _: &Path) -> Result<(), Said> {
            Ok(())
        }
    }

    impl Shelf for Disk {
        fn read(&mut self, name: &str) -> Result<Option<String>, Said> {
            Ok(io::read_if_there(Path::new(name), io::MOST_BYTES)?)
        }

        fn write(&mut self, name: &str, text: &str) -> Result<(), Said> {
            super::write(Path::new(name), text);
            Ok(())
        }
    }
}

/// New files.
pub(crate) mod new_file {
    use super::{Path, PathBuf, io, map_beside};
    use treemind_doc::Said;
    use treemind_doc::said;

    /// The longest name of a new file, in bytes.
    const LONGEST: usize = 120;

    /// Writes a new file into a folder; returns where it is. Nothing is overwritten.
    pub(crate) fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Said> {
        let shown = treemind_doc::visible_line(name);
        if name.len() > LONGEST {
            return Err(said!(
                "the name of the file is too long: {} bytes, and {} are allowed",
                name.len(),
                LONGEST
            ));
        }
        if name.is_empty() || name.contains(['\\', ':', '\0', '/']) {
            return Err(said!("`{}` is not a name of a file", &*shown));
        }
        if Path::new(name).extension().is_none_or(|end| end != "kdl") {
            return Err(said!("the name of a new document ends with `.kdl`"));
        }
        let place = folder.join(name);
        write_new(&place, text)?;
        Ok(place)
    }

    /// Writes a file that is not there yet.
    pub(crate) fn write_new(place: &Path, text: &str) -> Result<(), Said> {
        if super::read(place).is_some() {
            let name = io::display_name(place);
            return Err(said!("{} already exists, and nothing is overwritten", name));
        }
        super::write(place, text);
        Ok(())
    }

    /// Writes the map of a document that was copied beside the copy.
    pub(crate) fn copy_map(copy: &Path, map: &str) -> Option<Said> {
        let known = map_beside(copy).and_then(|path| super::read(&path));
        if known.is_some_and(|known| known == map.as_bytes()) {
            return None;
        }
        write_new(&copy.with_extension("map"), map).err()
    }
}

/// The bytes of a file, or that there is none.
pub(crate) fn found(path: &Path) -> Result<Vec<u8>, Failure> {
    read(path).ok_or_else(|| {
        let name = io::display_name(path);
        Failure::Failed(said!(
            "cannot read {}: {}",
            name,
            said!("there is no such file")
        ))
    })
}
