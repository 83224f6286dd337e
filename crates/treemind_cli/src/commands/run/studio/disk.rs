//! The files that pages edit.

use super::new_file;
use crate::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};
use treemind_doc::Said;
use treemind_doc::files::{Replaced, replace, replace_if};
use treemind_doc::said;
use treemind_studio::Shelf;

/// The folder of a document on disk: what pages see and edit is there, and nowhere else.
#[derive(Clone, Debug, Default)]
pub(super) struct Disk {
    /// Where it really is; `None` if it could not be found, so that nothing is in it.
    folder: Option<PathBuf>,
    /// The files that were replaced lately: another program that has one of them open may still write into it.
    late: Late,
}

/// What was replaced, and when. A copy of a folder has replaced nothing.
#[derive(Debug, Default)]
struct Late(Vec<(String, String, Replaced, Instant)>);

impl Clone for Late {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Disk {
    /// The folder in which a document is. If that is a link, it is the folder to which it leads now.
    pub(super) fn of(document: &Path) -> Self {
        let place = document.canonicalize();
        Self {
            folder: place
                .ok()
                .and_then(|place| Some(place.parent()?.to_owned())),
            late: Late::default(),
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

/// For how long a program may have a file open before it writes into it, and how many such files are watched.
const LATE: Duration = Duration::from_secs(3);
const MOST_LATE: usize = 64;

/// For how long a text has to be as it is to count as whole.
const fn rest_of(text: &str) -> Duration {
    match text.is_empty() {
        true => EMPTY_REST,
        false => REST,
    }
}

fn changed_at(name: &str) -> Option<SystemTime> {
    std::fs::metadata(name).ok()?.modified().ok()
}

fn text_of(bytes: &[u8], name: &str) -> Option<String> {
    let text = treemind_doc::text_of(bytes, name).ok();
    text.map(std::borrow::Cow::into_owned)
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
                Some(text) => rest_of(text),
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
        let is_still = |now: &[u8]| text_of(now, name).is_some_and(|now| now == was);
        let written = replace_if(path, text.as_bytes(), is_still);
        let written = written.map_err(|error| new_file::not_written(name, &error))?;
        let is_written = written.is_some();
        if let Some(old) = written {
            if self.late.0.len() == MOST_LATE {
                self.late.0.remove(0);
            }
            let late = (name.to_owned(), was.to_owned(), old, Instant::now());
            self.late.0.push(late);
        }
        Ok(is_written)
    }

    fn late(&mut self, name: &str) -> Option<[String; 2]> {
        let mut found = None;
        self.late.0.retain_mut(|(of, was, old, at)| {
            if of != name || found.is_some() {
                return true;
            }
            let now = old.now().ok().and_then(|now| text_of(&now, name));
            let Some(now) = now.filter(|now| now != was) else {
                return at.elapsed() < LATE;
            };
            // Whoever writes it may not be done.
            let age = old.written().ok().and_then(|at| at.elapsed().ok());
            if age.is_some_and(|age| age < rest_of(&now)) {
                return true;
            }
            found = Some([std::mem::take(was), now]);
            false
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::{Disk, EMPTY_REST, REST};
    use std::fs;
    use std::io::Write as _;
    use std::thread;
    use treemind_studio::Shelf as _;

    /// A program that has the file open writes into it after it was replaced: that is told once, when it is whole.
    #[cfg(unix)]
    #[test]
    fn what_comes_into_the_file_that_was_replaced_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("guard.kdl");
        fs::write(&path, "read").expect("it is written");
        let mut disk = Disk::of(&path);
        let name = path.to_str().expect("a name").to_owned();
        let mut theirs = fs::OpenOptions::new()
            .write(true)
            .open(&path)
            .expect("it is there");
        assert_eq!(disk.replace(&name, "read", "mine"), Ok(true));
        assert_eq!(disk.late(&name), None);
        theirs.set_len(0).expect("it is ours");
        theirs.write_all(b"theirs").expect("there is room");
        // Perhaps there is more to come.
        thread::sleep(REST * 2);
        assert_eq!(
            disk.late(&name),
            Some(["read", "theirs"].map(str::to_owned))
        );
        assert_eq!(disk.late(&name), None);
        assert_eq!(disk.read(&name), Ok(Some("mine".to_owned())));
    }

    /// Two programs write without pause, one of them through the studio: each text is somewhere.
    #[cfg(target_os = "linux")]
    #[test]
    fn no_outside_change_is_lost_while_somebody_types() {
        use std::sync::atomic::{AtomicU32, Ordering};
        const TIMES: u32 = 120;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("guard.kdl");
        fs::write(&path, "mine").expect("it is written");
        let mut disk = Disk::of(&path);
        let name = path.to_str().expect("a name").to_owned();
        let other = folder.path().join("other");
        let known = AtomicU32::new(0);
        thread::scope(|scope| {
            scope.spawn(|| {
                for nth in 0..TIMES {
                    let text = format!("theirs {nth}");
                    let written = match nth % 2 {
                        0 => fs::write(&other, &text).and_then(|()| fs::rename(&other, &path)),
                        _ => fs::write(&path, &text),
                    };
                    written.expect("it is written");
                    // Not two of them at once.
                    let begun = std::time::Instant::now();
                    while known.load(Ordering::SeqCst) <= nth {
                        let waits = begun.elapsed().as_secs();
                        assert!(waits < 10, "{nth} is lost");
                        thread::yield_now();
                    }
                }
            });
            let mut kept = "mine".to_owned();
            let mut count = 0;
            while known.load(Ordering::SeqCst) < TIMES && count < 100_000 {
                count += 1;
                let wanted = format!("theirs {}", known.load(Ordering::SeqCst));
                let next = format!("mine {count}");
                if disk.replace(&name, &kept, &next) == Ok(true) {
                    kept = next;
                } else if let Ok(Some(now)) = disk.read(&name) {
                    kept = now;
                }
                let late = disk.late(&name).is_some_and(|[_, theirs]| theirs == wanted);
                if late || kept == wanted {
                    known.fetch_add(1, Ordering::SeqCst);
                }
            }
        });
        assert_eq!(known.load(Ordering::SeqCst), TIMES);
        let files = fs::read_dir(folder.path()).expect("a folder");
        assert_eq!(files.count(), 1, "nothing is left beside it");
    }

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
