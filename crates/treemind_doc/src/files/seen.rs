//! Replacing a file that other programs may be writing.
//!
//! To look at a file and then rename another one over it leaves a moment in which somebody else may write, and what they wrote
//! is gone. So nothing is renamed over it where the system can do better: the new file and the old one change places in one
//! step, and what was replaced is in hand. If that is not what was read, both change places again. What a program writes that
//! had the old file open all the time goes into the old one, also later: so that stays open for a while.

use super::output::{Target, beside, staged, target};
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _};
use std::path::Path;
use std::time::SystemTime;

/// A file that was replaced. It has no name any more, and is there as long as somebody has it open: a program that opened it
/// before may still write into it.
#[derive(Debug)]
pub struct Replaced {
    old: File,
}

impl Replaced {
    /// What is in it now.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn now(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.old.rewind()?;
        self.old.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// When it was written last.
    ///
    /// # Errors
    /// When the system does not know.
    pub fn written(&self) -> io::Result<SystemTime> {
        self.old.metadata()?.modified()
    }
}

/// As [`replace`](super::replace), if the file has what the caller `knows`; anything else that other programs have put there
/// by then stays, and `None` says so. Returns the file that was replaced.
///
/// On Linux and macOS, nothing that is there when the file is replaced is lost. Elsewhere, and on file systems without hard
/// links or without a way to exchange two files, what another program puts there between the last look and the rename is.
///
/// # Errors
/// When the file or its folder cannot be written to, and when it is no file. It is then unchanged.
pub fn replace_if(
    path: &Path,
    bytes: &[u8],
    knows: impl Fn(&[u8]) -> bool,
) -> io::Result<Option<Replaced>> {
    replace_when(path, bytes, knows, || {})
}

/// The same; `meanwhile` is done in the moment between the last look and the replacement.
fn replace_when(
    path: &Path,
    bytes: &[u8],
    knows: impl Fn(&[u8]) -> bool,
    meanwhile: impl FnOnce(),
) -> io::Result<Option<Replaced>> {
    let Target::File(path) = target(path)? else {
        return Err(io::Error::other("it is no file"));
    };
    let path = &*path;
    let look = || match File::open(path) {
        Ok(old) => {
            let mut old = Replaced { old };
            let is_known = knows(&old.now()?);
            Ok(is_known.then_some(old))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    };
    if look()?.is_none() {
        return Ok(None);
    }
    // Another name of the old file: what takes its place there gets its mode and owner.
    let beside = beside(path)?;
    if fs::hard_link(path, &beside).is_err() {
        let file = staged(path, path, bytes)?;
        let Some(old) = look()? else {
            return file.discard().map(|()| None);
        };
        meanwhile();
        return file.commit().map(|()| Some(old));
    }
    // Until both have changed places, what is there is the new file, or the old one under its other name.
    let gives_up = |why| {
        let _ = fs::remove_file(&beside);
        why
    };
    let staged = staged(path, &beside, bytes).and_then(|file| file.commit());
    let looked = staged.and_then(|()| look()).map_err(gives_up)?;
    let Some(old) = looked else {
        return fs::remove_file(&beside).map(|()| None);
    };
    meanwhile();
    match exchange(&beside, path) {
        Ok(()) => {}
        // Somebody has removed it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return fs::remove_file(&beside).map(|()| None);
        }
        Err(_) => {
            let renamed = fs::rename(&beside, path).map_err(gives_up);
            return renamed.map(|()| Some(old));
        }
    }
    let taken = File::open(&beside).and_then(|old| {
        let mut taken = Replaced { old };
        Ok((knows(&taken.now()?), taken))
    });
    if let Ok((true, taken)) = taken {
        return fs::remove_file(&beside).map(|()| Some(taken));
    }
    // Somebody else's text goes back where they have put it. As long as that fails, it stays where it is.
    exchange(&beside, path)?;
    if fs::read(&beside)? != bytes {
        // And a later one than that, which has replaced this one, stays.
        exchange(&beside, path)?;
    }
    fs::remove_file(&beside)?;
    taken.map(|_| None)
}

/// Two files change places in one step.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    let done = renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE);
    done.map_err(io::Error::from)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(all(test, unix))]
mod tests {
    use super::replace_when;
    use std::fs::{self, File};
    use std::io::Write as _;

    fn names(folder: &tempfile::TempDir) -> Vec<String> {
        let all = fs::read_dir(folder.path()).unwrap();
        let names = all.map(|one| one.unwrap().file_name().into_string().unwrap());
        names.collect()
    }

    /// Whatever another program does to the file in the last moment is there afterwards.
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    #[test]
    fn what_comes_in_the_last_moment_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("guard.kdl");
        let other = folder.path().join("other");
        let by_rename = || {
            fs::write(&other, "theirs").unwrap();
            fs::rename(&other, &path).unwrap();
        };
        let in_place = || fs::write(&path, "theirs").unwrap();
        let ways: [&dyn Fn(); 2] = [&by_rename, &in_place];
        for meanwhile in ways {
            fs::write(&path, "read").unwrap();
            let replaced = replace_when(&path, b"mine", |now| now == b"read", meanwhile);
            assert!(replaced.unwrap().is_none());
            assert_eq!(fs::read(&path).unwrap(), b"theirs");
            assert_eq!(names(&folder), ["guard.kdl"], "nothing is left beside it");
        }
    }

    /// A program that had the file open writes into the old one, which is still in hand.
    #[test]
    fn what_is_written_into_the_file_that_was_replaced_is_in_hand() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("guard.kdl");
        fs::write(&path, "read").unwrap();
        let mut theirs = File::options().write(true).open(&path).unwrap();
        let replaced = replace_when(&path, b"mine", |now| now == b"read", || {});
        let mut replaced = replaced.unwrap().unwrap();
        assert_eq!(replaced.now().unwrap(), b"read");
        theirs.set_len(0).unwrap();
        theirs.write_all(b"theirs").unwrap();
        assert_eq!(replaced.now().unwrap(), b"theirs");
        assert_eq!(fs::read(&path).unwrap(), b"mine");
        assert_eq!(names(&folder), ["guard.kdl"], "nothing is left beside it");
    }
}
