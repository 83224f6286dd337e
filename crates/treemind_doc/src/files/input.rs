//! Reading files, pipes and devices that a person named.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// The bytes of a file, of a pipe or of a device.
///
/// A pipe, such as one that a shell makes for `<(…)`, is read until its writer closes it. A pipe without a writer
/// is an error; `read` does not wait for one.
///
/// # Errors
/// When the file cannot be opened or read, is a folder, or has more than `most_bytes` (`/dev/zero` never ends).
pub fn read(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    let mut file = open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let begin = begin(&mut file)?;
    read_all((&begin[..]).chain(file), most_bytes)
}

/// A file on a disk, open for reading; `None` if the path is that of something else, such as a pipe or a device.
///
/// # Errors
/// When the file cannot be opened.
pub fn regular(path: &Path) -> io::Result<Option<File>> {
    // Opening a pipe once more could take what its writer has written.
    if !fs::metadata(path)?.is_file() {
        return Ok(None);
    }
    let mut file = open(path)?;
    let is_file = file.metadata()?.is_file();
    begin(&mut file)?;
    Ok(is_file.then_some(file))
}

/// The bytes of a regular file: neither a pipe nor a device, which may make a reader wait or never end.
///
/// For files that somebody else named, such as an import of a document, and for those that are read again and again.
///
/// # Errors
/// When the file cannot be opened or read, is no regular file, or has more than `most_bytes`.
pub fn read_regular(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    // Opening a device may do something, so it is looked at first. Between the two it may become something else.
    must_be_file(&fs::metadata(path)?)?;
    let file = open(path)?;
    let known = file.metadata()?;
    must_be_file(&known)?;
    match known.len() > most_bytes {
        true => Err(too_large(most_bytes)),
        false => read_all(file, most_bytes),
    }
}

fn must_be_file(known: &Metadata) -> io::Result<()> {
    match other_than_file(known) {
        None => Ok(()),
        Some(_) if known.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Some(what) => Err(io::Error::new(io::ErrorKind::InvalidInput, what)),
    }
}

/// What something is that is no regular file, in a sentence; `None` for a regular file.
pub fn other_than_file(known: &Metadata) -> Option<&'static str> {
    let kind = known.file_type();
    if kind.is_file() {
        return None;
    }
    if kind.is_dir() {
        return Some("it is a folder");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_fifo() {
            return Some("it is a pipe, not a file");
        }
        if kind.is_socket() {
            return Some("it is a socket, not a file");
        }
        if kind.is_char_device() || kind.is_block_device() {
            return Some("it is a device, not a file");
        }
    }
    Some("it is not a regular file")
}

/// All bytes of a reader.
///
/// # Errors
/// When the reader fails, or has more than `most_bytes`.
pub fn read_all(reader: impl Read, most_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut reader = reader.take(most_bytes.saturating_add(1));
    reader.read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most_bytes {
        true => Err(too_large(most_bytes)),
        false => Ok(bytes),
    }
}

fn too_large(most_bytes: u64) -> io::Error {
    let sentence = match most_bytes.trailing_zeros() {
        ..20 => format!("it is larger than {most_bytes} bytes"),
        20.. => format!("it is larger than {} MiB", most_bytes >> 20),
    };
    io::Error::new(io::ErrorKind::FileTooLarge, sentence)
}

/// Opens a file without waiting, not even for a writer of a pipe.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt as _;
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let mut options = File::options();
    options.read(true).custom_flags(flags.bits() as i32);
    options.open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Lets reads block from now on, and returns the first bytes of a pipe: only a read shows whether it has a writer.
#[cfg(unix)]
fn begin(file: &mut File) -> io::Result<Vec<u8>> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use std::os::unix::fs::FileTypeExt as _;
    let mut begin = Vec::new();
    if file.metadata()?.file_type().is_fifo() {
        begin.resize(4096, 0);
        let count = match file.read(&mut begin) {
            Ok(0) => {
                let sentence = "it is a pipe without a writer";
                return Err(io::Error::new(io::ErrorKind::BrokenPipe, sentence));
            }
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => 0,
            Err(error) => return Err(error),
        };
        begin.truncate(count);
    }
    let flags = fcntl_getfl(&*file)?;
    fcntl_setfl(&*file, flags - OFlags::NONBLOCK)?;
    Ok(begin)
}

#[cfg(not(unix))]
fn begin(_: &mut File) -> io::Result<Vec<u8>> {
    Ok(Vec::new())
}
