//! The files that a command writes. None of them is a file that it reads, and no two are the same.

use super::{Failure, display_name, is_stdin, reason};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use treemind_doc::files::{Claims, Clash};
use treemind_doc::visible_line;

/// What this program reads and writes. Whatever is read is noted where it is read, so that no command can forget it.
static CLAIMS: Mutex<Claims> = Mutex::new(Claims::new());

fn claims() -> MutexGuard<'static, Claims> {
    CLAIMS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes that a file is an input.
pub(super) fn note_input(path: &Path) {
    match is_stdin(path) {
        // It may be a file, too.
        true => claims().reads(Path::new("/dev/stdin")),
        false => claims().reads(path),
    }
}

/// A file that a command writes.
///
/// A command claims its outputs after it has read its inputs, and before it writes or plays anything.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    /// What the command line calls it.
    what: &'static str,
    path: PathBuf,
    /// The inputs that it may replace.
    replaced: Vec<PathBuf>,
}

impl Output {
    /// Claims a file for the output with this name.
    pub(crate) fn claim(what: &'static str, path: &Path) -> Result<Self, Failure> {
        Self::claim_over(what, path, None).map_err(refused)
    }

    /// Like [`claim`](Self::claim), where the output is meant to take the place of an input: a game that goes on and is
    /// saved again.
    pub(crate) fn claim_over<'p>(
        what: &'static str,
        path: &Path,
        replaced: impl IntoIterator<Item = &'p PathBuf>,
    ) -> Result<Self, Clash> {
        let replaced: Vec<PathBuf> = replaced.into_iter().cloned().collect();
        let paths: Vec<&Path> = replaced.iter().map(PathBuf::as_path).collect();
        claims().writes(what, path, &paths)?;
        Ok(Self {
            what,
            path: path.to_owned(),
            replaced,
        })
    }

    /// A file that the command is there to change.
    pub(crate) fn in_place(path: &Path) -> Self {
        Self {
            what: "FILE",
            path: path.to_owned(),
            replaced: vec![path.to_owned()],
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the file as a whole, and replaces an existing one.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        // A document that changes under a game may import the file by now.
        let replaced: Vec<&Path> = self.replaced.iter().map(PathBuf::as_path).collect();
        let checked = claims().check(self.what, &self.path, &replaced);
        checked.map_err(|clash| Failure::failed(sentence(&clash)))?;
        treemind_doc::files::replace(&self.path, bytes).map_err(|error| {
            let reason = match error.kind() {
                io::ErrorKind::NotFound => "there is no such folder".to_owned(),
                _ => reason(&error).to_string(),
            };
            Failure::failed(format!(
                "cannot write {}: {reason}",
                display_name(&self.path)
            ))
        })
    }

    /// Reads what was written before.
    pub(crate) fn read(&self) -> Result<Vec<u8>, Failure> {
        super::read_saved_quietly(&self.path)
    }
}

/// The failure when an output would destroy something.
pub(crate) fn refused(clash: Clash) -> Failure {
    Failure::Usage(sentence(&clash))
}

/// What would be destroyed, on one line whatever the files are called.
pub(crate) fn sentence(clash: &Clash) -> String {
    visible_line(&clash.to_string()).into_owned()
}

/// Finishes outputs that do not depend on each other: a failure of one does not stop the others, and all are told.
pub(crate) fn finish_all(
    done: impl IntoIterator<Item = Result<(), Failure>>,
) -> Result<(), Failure> {
    let mut failures: Vec<Failure> = done.into_iter().filter_map(Result::err).collect();
    // Whoever does not read on knows it.
    let is_closed = failures
        .iter()
        .any(|one| matches!(one, Failure::NobodyReads));
    failures.retain(|one| !matches!(one, Failure::NobodyReads));
    match failures.len() {
        0 if is_closed => Err(Failure::NobodyReads),
        0 => Ok(()),
        1 => Err(failures.remove(0)),
        _ => {
            for failure in failures {
                failure.report();
            }
            Err(Failure::Reported)
        }
    }
}
