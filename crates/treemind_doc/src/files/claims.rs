//! What a program reads and writes: no output destroys an input or another output.

use super::output::{Target, folder_of, target};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// The files that a program reads and those that it writes.
///
/// Files are compared by what they are, not by what they are called: a link, a hard link and `./guard.kdl` are the same
/// file as `guard.kdl`. Pipes and devices hold nothing that could be destroyed.
///
/// ```
/// # use std::path::Path;
/// # fn main() -> std::io::Result<()> {
/// # let folder = tempfile::tempdir()?;
/// # let (guard, other) = (folder.path().join("guard.kdl"), folder.path().join("./guard.kdl"));
/// # std::fs::write(&guard, "")?;
/// let mut claims = treemind_doc::files::Claims::new();
/// claims.reads(&guard);
/// assert!(claims.writes("--record", &other, &[]).is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct Claims {
    read: Vec<PathBuf>,
    written: Vec<(String, PathBuf)>,
}

impl Claims {
    /// No files yet.
    pub const fn new() -> Self {
        Self {
            read: Vec::new(),
            written: Vec::new(),
        }
    }

    /// The program reads this file, or has read it.
    pub fn reads(&mut self, path: &Path) {
        if !self.read.iter().any(|known| known == path) {
            self.read.push(path.to_owned());
        }
    }

    /// The program is going to write this file. `what` names the output in messages, such as `--record`. It may be one of
    /// the inputs that are listed as `replaced`.
    ///
    /// # Errors
    /// When it is another input, or another output. Nothing is claimed then.
    pub fn writes(&mut self, what: &str, path: &Path, replaced: &[&Path]) -> Result<(), Clash> {
        self.check(what, path, replaced)?;
        if !self.written.iter().any(|(known, _)| known == what) {
            self.written.push((what.to_owned(), path.to_owned()));
        }
        Ok(())
    }

    /// Like [`writes`](Self::writes), but claims nothing.
    ///
    /// # Errors
    /// As [`writes`](Self::writes).
    pub fn check(&self, what: &str, path: &Path, replaced: &[&Path]) -> Result<(), Clash> {
        // Paths are looked up again each time: meanwhile, an editor may have replaced a file by another one.
        let Some(own) = identity(path) else {
            return Ok(());
        };
        let is_own = |path: &Path| identity(path).is_some_and(|other| other == own);
        let clash = |with| Clash {
            what: what.to_owned(),
            path: path.to_owned(),
            with,
        };
        if !replaced.iter().any(|path| is_own(path))
            && let Some(read) = self.read.iter().find(|read| is_own(read))
        {
            return Err(clash(With::Input(read.clone())));
        }
        let others = self.written.iter().filter(|(other, _)| other != what);
        for (other, written) in others {
            if is_own(written) {
                return Err(clash(With::Output(other.clone())));
            }
        }
        Ok(())
    }
}

/// An output that would destroy an input or another output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    what: String,
    path: PathBuf,
    with: With,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum With {
    Input(PathBuf),
    Output(String),
}

impl Clash {
    /// The output.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl fmt::Display for Clash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, path) = (&self.what, self.path.display());
        match &self.with {
            With::Input(read) if *read == self.path => {
                write!(out, "`{what}` would overwrite {path}, which is an input")
            }
            With::Input(read) => write!(
                out,
                "`{what}` would overwrite an input: {path} is the same file as {}",
                read.display()
            ),
            With::Output(other) => {
                write!(out, "`{what}` and `{other}` would both write {path}")
            }
        }?;
        out.write_str("; name another file")
    }
}

impl std::error::Error for Clash {}

/// What a path leads to, whatever it is called.
#[derive(Debug, PartialEq, Eq)]
enum Identity {
    /// A file, by its device and its number there.
    #[cfg(unix)]
    Number(u64, u64),
    /// The real path of a file, also of one that does not exist yet.
    Path(PathBuf),
}

/// What a path leads to; `None` for what is no file, or cannot be found.
fn identity(path: &Path) -> Option<Identity> {
    match fs::metadata(path) {
        Ok(known) if !known.is_file() => None,
        #[cfg(unix)]
        Ok(known) => {
            use std::os::unix::fs::MetadataExt as _;
            Some(Identity::Number(known.dev(), known.ino()))
        }
        #[cfg(not(unix))]
        Ok(_) => Some(Identity::Path(fs::canonicalize(path).ok()?)),
        Err(_) => {
            let Target::File(path) = target(path).ok()? else {
                return None;
            };
            let folder = fs::canonicalize(folder_of(&path)).ok()?;
            Some(Identity::Path(folder.join(path.file_name()?)))
        }
    }
}
