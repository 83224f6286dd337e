//! Finding what is whole in a file.

use crate::form::{OUR_PROFILES, PROFILES};
use crate::recording::OpenError;
use crate::runs::Runs;
use crate::source::{Source, Span, Window};
use std::io;

/// The opcodes of the records that matter.
const HEADER: u8 = 0x01;
const MESSAGE: u8 = 0x05;
const CHUNK: u8 = 0x06;
const STATISTICS: u8 = 0x0b;
/// The greatest opcode of MCAP.
const LAST_OPCODE: u8 = 0x0f;
/// The opcode and the length of a record.
const FRAME_BYTES: u64 = 9;
const MAGIC_BYTES: u64 = mcap::MAGIC.len() as u64;
const MESSAGE_HEADER_BYTES: u64 = 22;
/// What is before the records of an uncompressed chunk.
const CHUNK_HEADER_BYTES: u64 = 40;
/// Where the statistics say how many chunks there are.
const CHUNK_COUNT: std::ops::Range<usize> = 22..26;
/// No header is larger.
const MOST_HEADER_BYTES: u64 = 1 << 16;
/// Searching for whole chunks computes checksums of at most this many times the bytes of the file. A file that is made
/// to look like chunks everywhere would take the square of its size.
const MOST_SUMS: u64 = 16;

/// How far a file is read that may still grow.
#[derive(Debug, Default)]
pub(crate) struct Mark {
    runs: Runs,
    /// Where what is whole ends.
    whole: u64,
    chunks: u32,
}

/// What has been found in a file so far.
///
/// The records are read here, and not by `mcap`: it panics at some bytes, and does not say where damage begins.
pub(crate) struct Scan<'s> {
    window: Window<'s>,
    /// The end of the file.
    end: u64,
    pub(crate) runs: Runs,
    /// Whether the begin of the file says that it is a recording.
    pub(crate) has_header: bool,
    /// The bytes that mean nothing.
    pub(crate) damaged: Vec<Span>,
    /// Where what is whole ends, and whether that is the end of a file that was finished.
    pub(crate) whole: u64,
    pub(crate) is_finished: bool,
    /// Whether there are fewer chunks than at the end of a file that was finished.
    pub(crate) misses_chunks: bool,
    /// How many chunks there were since the last begin of a file, damaged ones too.
    chunks: u32,
    /// Where the last search for a whole chunk began, and where it found one, if it did.
    searched: Option<(u64, Option<u64>)>,
    /// How many bytes may still be summed up in searches.
    sums_left: u64,
}

impl<'s> Scan<'s> {
    /// Reads the chunks of a file, also those that are whole behind damage. With a mark, it reads on from there.
    pub(crate) fn of(source: &'s Source, mark: Option<Mark>) -> Result<Self, OpenError> {
        let mark = mark.unwrap_or_default();
        let mut scan = Self {
            window: Window::new(source),
            end: source.len(),
            runs: mark.runs,
            has_header: false,
            damaged: Vec::new(),
            whole: 0,
            is_finished: false,
            misses_chunks: false,
            chunks: mark.chunks,
            searched: None,
            sums_left: source.len().saturating_mul(MOST_SUMS),
        };
        let header = scan.header()?;
        scan.has_header = header.is_some();
        let from = header.map(|header| header.max(mark.whole));
        scan.records(from).map_err(OpenError::Io)?;
        Ok(scan)
    }

    /// Where to read on when the file has grown. What is damaged is read from its beginning, and what is finished does not
    /// grow.
    pub(crate) fn mark(&self) -> Option<Mark> {
        let may_grow = self.has_header && self.damaged.is_empty() && !self.is_finished;
        may_grow.then(|| Mark {
            runs: self.runs.clone(),
            whole: self.whole,
            chunks: self.chunks,
        })
    }

    /// Where the header ends; `None` if it is damaged, or that of another kind of file.
    fn header(&mut self) -> Result<Option<u64>, OpenError> {
        let found = self.header_profile().map_err(OpenError::Io)?;
        match found {
            Some((end, profile)) if PROFILES.contains(&&*profile) => Ok(Some(end)),
            Some((_, profile)) => match profile.strip_prefix(OUR_PROFILES) {
                Some(form) => Err(OpenError::Version(form.to_owned())),
                None => Ok(None),
            },
            None => Ok(None),
        }
    }

    fn header_profile(&mut self) -> io::Result<Option<(u64, String)>> {
        if !self.is_magic(0)? {
            return Ok(None);
        }
        let found = self.record(MAGIC_BYTES, self.end)?;
        let found = found.filter(|(opcode, span)| {
            *opcode == HEADER && span.end - span.start <= MOST_HEADER_BYTES
        });
        let Some((_, span)) = found else {
            return Ok(None);
        };
        let content = self.window.get(span.clone())?;
        let profile = content.and_then(text).map(str::to_owned);
        Ok(profile.map(|profile| (span.end, profile)))
    }

    /// Whether the sign that begins and ends a file is here.
    fn is_magic(&mut self, at: u64) -> io::Result<bool> {
        let found = self.window.get(at..at.saturating_add(MAGIC_BYTES))?;
        Ok(found == Some(mcap::MAGIC))
    }

    /// A record: its opcode, and where its content is.
    fn record(&mut self, at: u64, end: u64) -> io::Result<Option<(u8, Span)>> {
        let Some(head) = self.window.get(at..at.saturating_add(FRAME_BYTES))? else {
            return Ok(None);
        };
        let opcode = head[0];
        let length: [u8; 8] = head[1..].try_into().expect("there are nine bytes");
        let start = at + FRAME_BYTES;
        let stop = start.checked_add(u64::from_le_bytes(length));
        Ok(stop
            .filter(|stop| *stop <= end)
            .map(|stop| (opcode, start..stop)))
    }

    /// Reads the records from here on; `None` is the begin of a file whose header is damaged.
    fn records(&mut self, header: Option<u64>) -> io::Result<()> {
        let mut at = header.unwrap_or(0);
        while at < self.end {
            // Files may follow one another.
            if at > 0 && self.is_magic(at)? {
                at += MAGIC_BYTES;
                self.is_finished = at == self.end;
                let begins = self.record(at, self.end)?;
                if begins.is_some_and(|(opcode, _)| opcode == HEADER) {
                    self.chunks = 0;
                }
                continue;
            }
            let Some((opcode, span)) = self.whole_record(at)? else {
                let next = self.behind_damage(at)?;
                let is_end = next.is_none() && self.ends_with_magic()?;
                // A file that has its end is not cut off.
                let next = if is_end {
                    Some(self.end - MAGIC_BYTES)
                } else {
                    next
                };
                let Some(next) = next.filter(|next| *next > at) else {
                    break;
                };
                self.add_damage(at..next);
                at = next;
                continue;
            };
            match opcode {
                CHUNK => self.chunk(&span)?,
                STATISTICS => self.compare_chunks(&span)?,
                _ => {}
            }
            at = span.end;
        }
        self.whole = at;
        Ok(())
    }

    fn ends_with_magic(&mut self) -> io::Result<bool> {
        match self.end.checked_sub(MAGIC_BYTES) {
            Some(at) => self.is_magic(at),
            None => Ok(false),
        }
    }

    fn add_damage(&mut self, span: Span) {
        match self.damaged.last_mut() {
            Some(last) if last.end == span.start => last.end = span.end,
            _ => self.damaged.push(span),
        }
    }

    /// The record here, unless it is damaged as far as one can see. A chunk must have the checksum of its content. No
    /// other record holds a chunk: one that seems to has a wrong length. A file does not begin with a record.
    fn whole_record(&mut self, at: u64) -> io::Result<Option<(u8, Span)>> {
        if at == 0 {
            return Ok(None);
        }
        let found = self.record(at, self.end)?;
        let Some((opcode, span)) = found.filter(|one| is_known(one.0)) else {
            return Ok(None);
        };
        let is_whole = match opcode {
            CHUNK => self.next_chunk(at)? == Some(at),
            _ => {
                let next = self.next_chunk(at + 1)?;
                next.is_none_or(|next| next >= span.end)
            }
        };
        Ok(is_whole.then_some((opcode, span)))
    }

    /// Where to continue behind a record that is damaged; `None` if nothing whole follows.
    fn behind_damage(&mut self, at: u64) -> io::Result<Option<u64>> {
        let chunk = self.next_chunk(at + 1)?;
        // Its length is right if a record follows, and no chunk begins before.
        let Some((opcode, span)) = self.record(at, self.end)? else {
            return Ok(chunk);
        };
        let next = self.record(span.end, self.end)?;
        let follows = next.is_some_and(|next| is_known(next.0));
        if !follows || chunk.is_some_and(|chunk| chunk < span.end) {
            return Ok(chunk);
        }
        self.chunks += u32::from(opcode == CHUNK);
        Ok(Some(span.end))
    }

    /// The first whole chunk from here on. Each is looked for and summed up only once.
    fn next_chunk(&mut self, from: u64) -> io::Result<Option<u64>> {
        match self.searched {
            Some((begin, found)) if begin <= from && found.is_none_or(|found| found >= from) => {
                Ok(found)
            }
            _ => {
                let found = self.search_chunk(from)?;
                self.searched = Some((from, found));
                Ok(found)
            }
        }
    }

    fn search_chunk(&mut self, from: u64) -> io::Result<Option<u64>> {
        let mut at = from;
        loop {
            let piece = self.window.from(at, 1)?;
            if piece.is_empty() {
                return Ok(None);
            }
            let Some(next) = piece.iter().position(|byte| *byte == CHUNK) else {
                at += piece.len() as u64;
                continue;
            };
            at += next as u64;
            if let Some((_, span)) = self.record(at, self.end)?
                && let Some(sum) = self.chunk_sum(&span)?
            {
                let Some(left) = self.sums_left.checked_sub(span.end - span.start) else {
                    return Ok(None);
                };
                self.sums_left = left;
                let content = span.start + CHUNK_HEADER_BYTES..span.end;
                if self.window.source.sum(&content)? == sum {
                    return Ok(Some(at));
                }
            }
            at += 1;
        }
    }

    /// The checksum that a chunk says it has, if its lengths fit each other.
    fn chunk_sum(&mut self, span: &Span) -> io::Result<Option<u32>> {
        let head = self
            .window
            .get(span.start..span.start.saturating_add(CHUNK_HEADER_BYTES))?;
        let records = (span.end - span.start).checked_sub(CHUNK_HEADER_BYTES);
        let (Some(head), Some(records)) = (head, records) else {
            return Ok(None);
        };
        // Behind two times, how many bytes it has, and the checksum: no name of a compression, and how many bytes follow.
        let fits = head[28..32] == [0; 4] && head[32..40] == records.to_le_bytes();
        let sum: [u8; 4] = head[24..28].try_into().expect("there are four bytes");
        Ok(fits.then_some(u32::from_le_bytes(sum)))
    }

    /// At the end there is the number of chunks. It tells of damage that hides some of them.
    fn compare_chunks(&mut self, span: &Span) -> io::Result<()> {
        let count = self.window.get(span.clone())?.and_then(read_count);
        self.misses_chunks |= count.is_some_and(|count| count > self.chunks);
        Ok(())
    }

    /// Reads a chunk that is whole.
    fn chunk(&mut self, span: &Span) -> io::Result<()> {
        self.chunks += 1;
        self.runs.begin_chunk(span.start);
        let mut at = span.start + CHUNK_HEADER_BYTES;
        while let Some((opcode, inner)) = self.record(at, span.end)? {
            if opcode == MESSAGE && inner.end - inner.start >= MESSAGE_HEADER_BYTES {
                let content = inner.start + MESSAGE_HEADER_BYTES..inner.end;
                let head = self.window.get(inner.start..content.start)?;
                let head = head.map(|head| {
                    let number = u16::from_le_bytes([head[0], head[1]]);
                    let sequence = u32::from_le_bytes([head[2], head[3], head[4], head[5]]);
                    let time: [u8; 8] = head[6..14].try_into().expect("there are 22 bytes");
                    (number, sequence, u64::from_le_bytes(time))
                });
                if let Some(head) = head {
                    self.runs.message(&mut self.window, head, content)?;
                }
            }
            at = inner.end;
        }
        Ok(())
    }
}

/// A text as MCAP writes them.
fn text(from: &[u8]) -> Option<&str> {
    let (length, rest) = from.split_first_chunk::<4>()?;
    let length = u32::from_le_bytes(*length) as usize;
    std::str::from_utf8(rest.get(..length)?).ok()
}

/// How many chunks there are, as the statistics say.
fn read_count(statistics: &[u8]) -> Option<u32> {
    let count = statistics.get(CHUNK_COUNT)?.try_into().ok()?;
    Some(u32::from_le_bytes(count))
}

fn is_known(opcode: u8) -> bool {
    (1..=LAST_OPCODE).contains(&opcode)
}
