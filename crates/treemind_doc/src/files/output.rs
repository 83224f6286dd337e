//! Writing files as a whole.

use atomic_write_file::AtomicWriteFile;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The largest number of symbolic links to follow in a row; the same as on Linux.
const MOST_LINKS: usize = 40;

/// Replaces the contents of a file, completely or not at all.
///
/// The bytes are written to a file beside the old one and flushed to the disk before they take its place. So a full
/// disk, a limit, a crash or a kill at any moment leaves either the old file or the new one. Mode and owner stay
/// the same, as far as the system allows. A symbolic link stays, and its target is replaced; a file with several
/// names (hard links) is replaced under this name only.
///
/// A target that is not a file, such as a pipe, a terminal or `/dev/stdout`, is written to directly.
///
/// # Errors
/// When the file or its folder cannot be written to. The file is then unchanged.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match target(path)? {
        Target::File(path) => staged(&path, &path, bytes)?.commit(),
        Target::Stream(path) => write_to_stream(&path, bytes),
    }
}

/// A shell that redirected a stream into a file may have written to the file before.
fn write_to_stream(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut stream = File::options().append(true).open(path)?;
    stream.write_all(bytes)
}

/// Writes a file that is not there yet, completely or not at all.
///
/// The bytes are written to a file beside it and flushed to the disk before it gets its name. Where a file system has no
/// hard links, a kill while it is written may leave the first part of it.
///
/// # Errors
/// When something of this name exists, also a link that leads nowhere, with
/// [`AlreadyExists`](io::ErrorKind::AlreadyExists); when the file or its folder cannot be written to. Nothing new is left
/// then.
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = beside(path)?;
    if path.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    write_new(&beside, bytes)?;
    let linked = fs::hard_link(&beside, path);
    let removed = fs::remove_file(&beside);
    match linked {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        Err(_) => write_new(path, bytes),
        Ok(()) => removed,
    }
}

/// A name for a file beside another one, which nobody else uses.
pub(super) fn beside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut beside = std::ffi::OsString::from(".");
    beside.push(name);
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |now| now.subsec_nanos());
    beside.push(format!(".{}-{now}", std::process::id()));
    Ok(folder_of(path).join(beside))
}

/// Writes a file that is not there yet; one that cannot be written to its end is removed.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).create_new(true).open(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    written.inspect_err(|_| {
        let _ = fs::remove_file(path);
    })
}

/// Where the bytes go.
pub(crate) enum Target {
    /// A file that may not exist yet.
    File(PathBuf),
    /// A stream, which does not store bytes, or a file that this process was given open.
    Stream(PathBuf),
}

/// The folder of a path; for a name alone, the current one.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The target of a path.
pub(crate) fn target(path: &Path) -> io::Result<Target> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let folder = folder_of(&path);
        // `/dev/stdout` may lead to a file, but the process that opened it keeps writing to it.
        let is_open_already = folder
            .canonicalize()
            .is_ok_and(|folder| folder.starts_with("/proc") || folder.starts_with("/dev/fd"));
        let kind = match fs::symlink_metadata(&path) {
            Ok(_) if is_open_already => return Ok(Target::Stream(path)),
            Ok(known) => known.file_type(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Target::File(path));
            }
            Err(error) => return Err(error),
        };
        if kind.is_symlink() {
            path = folder.join(fs::read_link(&path)?);
        } else if kind.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        } else if kind.is_file() {
            return Ok(Target::File(path));
        } else {
            return Ok(Target::Stream(path));
        }
    }
    Err(io::Error::other("its links form a cycle"))
}

/// The bytes on the disk, about to take the place of what `name` leads to. The file at `path` says what may be written.
pub(super) fn staged(path: &Path, name: &Path, bytes: &[u8]) -> io::Result<AtomicWriteFile> {
    // A new file could replace one that is write-protected.
    match File::options().write(true).open(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = AtomicWriteFile::open(name).map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => {
            let sentence = "no permission to create a file in its folder";
            io::Error::new(error.kind(), sentence)
        }
        _ => error,
    })?;
    file.write_all(bytes)?;
    file.sync_all()?;
    Ok(file)
}
