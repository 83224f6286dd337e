//! The bytes of a file: in memory, or read as they are needed.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of the file.
pub(crate) type Span = std::ops::Range<u64>;

/// So many bytes are read at once.
const PIECE_BYTES: u64 = 1 << 16;

/// Where the bytes of a recording are. A clone shares them.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Memory(Arc<Vec<u8>>),
    /// A file and its length. It may be larger than memory.
    File(Arc<Mutex<File>>, u64),
}

impl Source {
    pub(crate) fn of_file(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self::File(Arc::new(Mutex::new(file)), length))
    }

    /// The same file, if it is longer now.
    pub(crate) fn grown(&self) -> io::Result<Option<Self>> {
        let Self::File(file, length) = self else {
            return Ok(None);
        };
        let now = file.lock().unwrap_or_else(PoisonError::into_inner);
        let now = now.metadata()?.len();
        match now < *length {
            true => Err(io::Error::other("the file was written anew")),
            false => Ok((now > *length).then(|| Self::File(Arc::clone(file), now))),
        }
    }

    pub(crate) fn len(&self) -> u64 {
        match self {
            Source::Memory(bytes) => bytes.len() as u64,
            Source::File(_, length) => *length,
        }
    }

    /// Bytes that are there.
    pub(crate) fn bytes(&self, span: &Span) -> io::Result<Cow<'_, [u8]>> {
        match self {
            Source::Memory(bytes) => {
                let place = usize::try_from(span.start)
                    .ok()
                    .zip(usize::try_from(span.end).ok());
                let found = place.and_then(|(start, end)| bytes.get(start..end));
                found
                    .map(Cow::Borrowed)
                    .ok_or(io::ErrorKind::UnexpectedEof.into())
            }
            Source::File(file, length) => {
                // Lengths in the file are not trusted with memory.
                if span.end > *length {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(span.start))?;
                let count = span.end.saturating_sub(span.start);
                let mut bytes = Vec::new();
                (&mut *file).take(count).read_to_end(&mut bytes)?;
                match bytes.len() as u64 == count {
                    true => Ok(Cow::Owned(bytes)),
                    false => Err(io::ErrorKind::UnexpectedEof.into()),
                }
            }
        }
    }

    /// The checksum of bytes that are there.
    pub(crate) fn sum(&self, span: &Span) -> io::Result<u32> {
        let mut hasher = crc32fast::Hasher::new();
        let mut at = span.start;
        while at < span.end {
            let next = span.end.min(at + PIECE_BYTES);
            hasher.update(&self.bytes(&(at..next))?);
            at = next;
        }
        Ok(hasher.finalize())
    }
}

/// Reads a source from front to back, a piece at a time.
pub(crate) struct Window<'s> {
    pub(crate) source: &'s Source,
    begin: u64,
    piece: Cow<'s, [u8]>,
}

impl<'s> Window<'s> {
    pub(crate) fn new(source: &'s Source) -> Self {
        Self {
            source,
            begin: 0,
            piece: Cow::Borrowed(&[]),
        }
    }

    /// At least so many bytes from here on, or as many as there are.
    pub(crate) fn from(&mut self, at: u64, least: u64) -> io::Result<&[u8]> {
        let end = self.source.len();
        let wanted = end.min(at.saturating_add(least)).max(at);
        let there = self.begin..self.begin + self.piece.len() as u64;
        if at < there.start || wanted > there.end || at > there.end {
            if at >= end {
                return Ok(&[]);
            }
            // What is in memory needs no pieces.
            let stop = match self.source {
                Source::Memory(_) => end,
                Source::File(..) => end.min(at + least.max(PIECE_BYTES)),
            };
            self.piece = self.source.bytes(&(at..stop))?;
            self.begin = at;
        }
        Ok(&self.piece[(at - self.begin) as usize..])
    }

    /// Exactly these bytes; `None` if they are not all there.
    pub(crate) fn get(&mut self, span: Span) -> io::Result<Option<&[u8]>> {
        let count = span.end.saturating_sub(span.start);
        let bytes = self.from(span.start, count)?;
        Ok(usize::try_from(count)
            .ok()
            .and_then(|count| bytes.get(..count)))
    }
}

/// Takes numbers and bytes from the front of a message.
pub(crate) struct Cursor<'w, 's> {
    pub(crate) window: &'w mut Window<'s>,
    pub(crate) span: Span,
}

impl Cursor<'_, '_> {
    /// Takes a number, seven bits a byte.
    pub(crate) fn number(&mut self) -> io::Result<Option<u64>> {
        let (start, most) = (self.span.start, self.span.end.min(self.span.start + 10));
        let Some(bytes) = self.window.get(start..most)? else {
            return Ok(None);
        };
        let mut number = 0;
        for (nth, byte) in bytes.iter().enumerate() {
            number |= u64::from(byte & 0x7f).unbounded_shl(7 * nth as u32);
            if byte & 0x80 == 0 {
                self.span.start += nth as u64 + 1;
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Takes so many bytes, and says where they are.
    pub(crate) fn take(&mut self, count: u64) -> Option<Span> {
        let end = self.span.start.checked_add(count)?;
        let taken = self.span.start..end;
        (end <= self.span.end).then(|| {
            self.span.start = end;
            taken
        })
    }

    /// Takes bytes behind their number, and says where they are.
    pub(crate) fn bytes(&mut self) -> io::Result<Option<Span>> {
        let count = self.number()?;
        Ok(count.and_then(|count| self.take(count)))
    }
}
