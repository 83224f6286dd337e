//! Files that are looked at again and again.

use crate::io;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How long to wait before looking at files again.
const PAUSE: Duration = Duration::from_millis(250);

/// What a file contains, in short.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Content {
    /// How many bytes, and their fingerprint.
    Bytes(usize, u64),
    /// Why it cannot be read: it is gone, or has become a pipe or a device.
    Unreadable(String),
}

impl Content {
    fn of(path: &Path) -> Self {
        match treemind_doc::files::read_regular(path, io::most_bytes()) {
            Ok(bytes) => {
                let mut hasher = DefaultHasher::new();
                bytes.hash(&mut hasher);
                Content::Bytes(bytes.len(), hasher.finish())
            }
            Err(error) => Content::Unreadable(io::reason(&error).to_string()),
        }
    }
}

/// Files, and what they contained when they were used. Only regular files are read.
pub(crate) struct Files {
    files: Vec<PathBuf>,
    used: Vec<Content>,
    /// What they contained at the last look.
    seen: Vec<Content>,
}

impl Files {
    /// Files whose content is used now.
    pub(crate) fn new(files: Vec<PathBuf>) -> Self {
        let used = contents(&files);
        Self {
            files,
            seen: used.clone(),
            used,
        }
    }

    /// Looks at these files from now on. What is known of the content of those that were watched before stays known.
    pub(crate) fn turn_to(&mut self, files: Vec<PathBuf>) {
        if files != self.files {
            *self = Self::new(files);
        }
    }

    /// Whether files have changed since they were used: then what they contain now counts as used.
    fn have_changed(&mut self) -> bool {
        let now = contents(&self.files);
        // An editor may write a file in pieces.
        let is_settled = now == self.seen;
        self.seen = now;
        let have_changed = is_settled && self.seen != self.used;
        if have_changed {
            self.used.clone_from(&self.seen);
        }
        have_changed
    }

    /// Waits until files have changed.
    pub(crate) fn wait(&mut self) {
        while !self.have_changed() {
            std::thread::sleep(PAUSE);
        }
    }
}

fn contents(files: &[PathBuf]) -> Vec<Content> {
    files.iter().map(|path| Content::of(path)).collect()
}

/// Files that are watched on a thread of their own: a slow disk or a large file does not hold up a game.
pub(crate) struct Watch<T> {
    news: Receiver<T>,
    /// When this is dropped, the thread ends.
    _stop: Sender<()>,
}

impl<T: Send + 'static> Watch<T> {
    /// Watches files whose content is used now. Whenever they have changed, `read` reads them on that thread; it returns what
    /// is new, and which files to watch from then on if they are others.
    pub(crate) fn new(
        files: Vec<PathBuf>,
        mut read: impl FnMut() -> (T, Option<Vec<PathBuf>>) + Send + 'static,
    ) -> std::io::Result<Self> {
        let (_stop, stopped) = channel();
        let (sender, news) = channel();
        let mut files = Files::new(files);
        let look = move || {
            while stopped.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                if !files.have_changed() {
                    continue;
                }
                let (new, others) = read();
                if let Some(others) = others {
                    files.turn_to(others);
                }
                if sender.send(new).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new()
            .name("watch".to_owned())
            .spawn(look)?;
        Ok(Self { news, _stop })
    }

    /// What is new since the last time.
    pub(crate) fn news(&self) -> Option<T> {
        self.news.try_iter().last()
    }
}
