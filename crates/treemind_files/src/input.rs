//! Reading files, pipes and devices that a person named.

use std::fs::File;
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
    if !std::fs::metadata(path)?.is_file() {
        return Ok(None);
    }
    let mut file = open(path)?;
    let is_file = file.metadata()?.is_file();
    begin(&mut file)?;
    Ok(is_file.then_some(file))
}

/// All bytes of a reader.
///
/// # Errors
/// When the reader fails, or has more than `most_bytes`.
pub fn read_all(reader: impl Read, most_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut reader = reader.take(most_bytes.saturating_add(1));
    reader.read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most_bytes {
        let sentence = match most_bytes.trailing_zeros() {
            ..20 => format!("it is larger than {most_bytes} bytes"),
            20.. => format!("it is larger than {} MiB", most_bytes >> 20),
        };
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, sentence));
    }
    Ok(bytes)
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
