//! Files that are looked at again and again.

use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long to wait before looking at files again.
const PAUSE: Duration = Duration::from_millis(250);

/// What files contain; `None` for those that cannot be read.
type Contents = Vec<Option<Vec<u8>>>;

/// Files, and what they contained when they were used.
pub(crate) struct Watch {
    files: Vec<PathBuf>,
    used: Contents,
    /// What they contained at the last look, and when that was.
    seen: Contents,
    looked: Instant,
}

impl Watch {
    /// Watches files whose content is used now.
    pub(crate) fn new(files: Vec<PathBuf>) -> Self {
        let used = contents(&files);
        Self {
            files,
            seen: used.clone(),
            used,
            looked: Instant::now(),
        }
    }

    /// Watches these files from now on. What is known of the content of those that were watched before stays known.
    pub(crate) fn turn_to(&mut self, files: Vec<PathBuf>) {
        if files != self.files {
            *self = Self::new(files);
        }
    }

    /// Whether files have changed since they were used: then what they contain now counts as used. Looks only from time
    /// to time.
    pub(crate) fn has_changed(&mut self) -> bool {
        if self.looked.elapsed() < PAUSE {
            return false;
        }
        self.looked = Instant::now();
        let now = contents(&self.files);
        // An editor may write a file in pieces.
        let is_settled = now == self.seen;
        self.seen = now;
        let has_changed = is_settled && self.seen != self.used;
        if has_changed {
            self.used.clone_from(&self.seen);
        }
        has_changed
    }

    /// Waits until files have changed.
    pub(crate) fn wait(&mut self) {
        while !self.has_changed() {
            std::thread::sleep(PAUSE);
        }
    }
}

fn contents(files: &[PathBuf]) -> Contents {
    let files = files.iter();
    files.map(|path| std::fs::read(path).ok()).collect()
}
