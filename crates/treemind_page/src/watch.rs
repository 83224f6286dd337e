//! Files that are looked at again and again: whenever one of them is asked about, because nothing happens by itself here.

use crate::disk;
use std::cell::{Cell, RefCell};
use std::path::PathBuf;

type Contents = Vec<Option<Vec<u8>>>;
type Read<T> = Box<dyn FnMut() -> (T, Option<Vec<PathBuf>>)>;

/// Files that are watched.
pub(crate) struct Watch<T> {
    state: RefCell<State<T>>,
    /// The revision of all files at the last look.
    looked: Cell<u64>,
}

struct State<T> {
    files: Vec<PathBuf>,
    used: Contents,
    read: Read<T>,
}

impl<T> Watch<T> {
    /// Watches files whose content is used now. Whenever they have changed, `read` reads them; it returns what is new, and
    /// which files to watch from then on if they are others.
    pub(crate) fn new(
        files: Vec<PathBuf>,
        read: impl FnMut() -> (T, Option<Vec<PathBuf>>) + 'static,
    ) -> std::io::Result<Self> {
        let used = contents(&files);
        let read = Box::new(read);
        Ok(Self {
            state: RefCell::new(State { files, used, read }),
            looked: Cell::new(disk::revision()),
        })
    }

    /// What is new since the last time.
    pub(crate) fn news(&self) -> Option<T> {
        if self.looked.replace(disk::revision()) == disk::revision() {
            return None;
        }
        let mut state = self.state.borrow_mut();
        let now = contents(&state.files);
        if now == state.used {
            return None;
        }
        state.used = now;
        let (new, others) = (state.read)();
        if let Some(others) = others.filter(|others| *others != state.files) {
            state.used = contents(&others);
            state.files = others;
        }
        Some(new)
    }
}

fn contents(files: &[PathBuf]) -> Contents {
    files.iter().map(|path| disk::read(path)).collect()
}
