//! Reading documents from the files of the page. It has the functions that the program has there, as far as games need them.

use crate::disk;
use std::io::Error;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use treemind_doc::edit::Version;
use treemind_doc::testing::Subject;
use treemind_doc::{Document, Format, Said, said, visible_line};

/// How long a text may be, in bytes.
pub(crate) const MOST_BYTES: u64 = 8 << 20;

/// Why something could not be done.
#[derive(Debug)]
pub(crate) enum Failure {
    /// With a sentence that says why.
    Failed(Said),
    /// The command line makes no sense.
    Usage(String),
}

impl Failure {
    /// A document or a run failed, for this reason.
    pub(crate) fn failed(why: impl Into<Said>) -> Self {
        Self::Failed(why.into())
    }

    /// What it says.
    pub(crate) fn sentence(self) -> Said {
        match self {
            Failure::Failed(sentence) => sentence,
            Failure::Usage(sentence) => sentence.into(),
        }
    }
}

/// What is known about a document apart from its name: nothing.
#[derive(Clone, Copy, Debug, Default)]
#[allow(dead_code)]
pub(crate) struct Known<'a> {
    pub(crate) is_watched: bool,
    pub(crate) of: PhantomData<&'a ()>,
}

impl Known<'_> {
    pub(crate) fn in_studio() -> Self {
        Self::default()
    }
}

/// The part of a document to play: what the document says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection;

impl Selection {
    pub(crate) fn known(&self) -> Known<'_> {
        Known::default()
    }

    pub(crate) fn subject(&self) -> Option<Subject> {
        None
    }
}

/// A place to write to. There is none in a page.
#[derive(Clone, Debug)]
pub(crate) struct Output(PathBuf);

impl Output {
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

/// A line for the terminal.
pub(crate) struct Line;

impl Line {
    pub(crate) fn fault(_: &str) -> Self {
        Self
    }
}

/// There is no terminal: whatever matters is part of what pages see.
pub(crate) fn tell<L>(_: L) {}

/// There are no other threads: it is done at once.
pub(crate) fn aside(work: impl FnOnce() + Send + 'static) {
    work();
}

/// The name of a path in messages, on one line whatever is in it.
pub(crate) fn display_name(path: &Path) -> String {
    visible_line(&source_name(path)).into_owned()
}

/// The name of a path as that of a document, by which its imports are found.
pub(crate) fn source_name(path: &Path) -> String {
    path.display().to_string()
}

/// The reason as a sentence.
pub(crate) fn reason(error: &Error) -> Said {
    error.to_string().into()
}

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    disk::found(path)
}

/// The bytes of a saved game. There are none in a page.
pub(crate) fn read_saved(path: &Path) -> Result<Vec<u8>, Failure> {
    read(path)
}

/// The text of a file.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    let text = String::from_utf8(read(path)?);
    text.map_err(|_| Failure::Failed(said!("{} is not text", display_name(path))))
}

/// The text of a file; `None` if there is no such file.
pub(crate) fn read_if_there(path: &Path, _: u64) -> Result<Option<String>, Said> {
    match disk::read(path) {
        None => Ok(None),
        Some(_) => read_text(path).map(Some).map_err(Failure::sentence),
    }
}

/// Reads a document and everything that it imports.
pub(crate) fn document(path: &Path, known: Known<'_>) -> Result<Document, Failure> {
    let bytes = read(path)?;
    let name = source_name(path);
    let format = Format::of(&name, std::str::from_utf8(&bytes).unwrap_or(""));
    let load = loader(path, known);
    Ok(Document::read_as_with(&bytes, &name, format, load))
}

/// A loader of the files that a document refers to.
pub(crate) fn loader(_: &Path, _: Known<'_>) -> impl Fn(&str) -> Result<Vec<u8>, String> {
    move |path| disk::read(Path::new(path)).ok_or_else(|| "there is no such file".to_owned())
}

/// Reads a document in KDL and everything that it imports, to compare it with another version.
pub(crate) fn version(path: &Path, known: Known<'_>) -> Result<Version, Failure> {
    let bytes = read(path)?;
    let name = source_name(path);
    match Format::of(&name, std::str::from_utf8(&bytes).unwrap_or("")) {
        Format::Kdl => Ok(Version::read(&bytes, &name, loader(path, known))),
        _ => Err(Failure::failed(format!("{name} is not in KDL"))),
    }
}
