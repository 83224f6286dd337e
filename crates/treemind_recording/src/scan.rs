//! Finding what is whole in a file.

use crate::form::{
    DOCUMENT, KeptDocument, NOTE, OUR_PROFILES, PROFILE, STATE, TICKS, bytes, number, take,
};
use crate::recording::{OpenError, Span, State, Ticks};

/// The opcodes of the records that matter.
const HEADER: u8 = 0x01;
const FOOTER: u8 = 0x02;
const MESSAGE: u8 = 0x05;
const CHUNK: u8 = 0x06;
const STATISTICS: u8 = 0x0b;
/// The greatest opcode of MCAP.
const LAST_OPCODE: u8 = 0x0f;
/// The opcode and the length of a record.
const FRAME_BYTES: usize = 9;
const MESSAGE_HEADER_BYTES: usize = 22;
/// What is before the records of an uncompressed chunk.
const CHUNK_HEADER_BYTES: usize = 40;
/// Where the statistics say how many chunks there are.
const CHUNK_COUNT: Span = 22..26;
/// Searching for whole chunks computes checksums of at most this many times the bytes of the file. A file that is made
/// to look like chunks everywhere would take the square of its size.
const MOST_SUMS: usize = 16;

/// What has been found in a file so far.
///
/// The records are read here, and not by `mcap`: it panics at some bytes, and does not say where damage begins.
#[derive(Default)]
pub(crate) struct Scan {
    pub(crate) documents: Vec<KeptDocument>,
    pub(crate) states: Vec<State>,
    pub(crate) ticks: Vec<Ticks>,
    pub(crate) notes: Vec<(u64, Span, Span)>,
    pub(crate) losses: Vec<String>,
    /// Whether the begin of the file says that it is a recording.
    pub(crate) has_header: bool,
    damaged: Vec<Span>,
    /// How many chunks there were, damaged ones too.
    chunks: u32,
    /// How many there were when it was finished.
    chunks_written: Option<u32>,
    /// Where the last search for a whole chunk began, and where it found one, if it did.
    searched: Option<(usize, Option<usize>)>,
    /// How many bytes may still be summed up in searches.
    sums_left: usize,
}

/// A record: its opcode, and where its content is.
fn record(file: &[u8], at: usize, end: usize) -> Option<(u8, Span)> {
    let head = file.get(at..at.checked_add(FRAME_BYTES)?)?;
    let length = u64::from_le_bytes(head[1..].try_into().ok()?);
    let start = at + FRAME_BYTES;
    let stop = start.checked_add(usize::try_from(length).ok()?)?;
    (stop <= end).then_some((head[0], start..stop))
}

impl Scan {
    /// Reads the chunks of a file, also those that are whole behind damage.
    pub(crate) fn file(&mut self, file: &[u8]) -> Result<(), OpenError> {
        self.sums_left = file.len().saturating_mul(MOST_SUMS);
        let header = header(file)?;
        self.has_header = header.is_some();
        let end = self.records(file, header);
        for span in &self.damaged {
            let (count, at) = (span.len(), span.start);
            self.losses
                .push(format!("{count} bytes are damaged, from byte {at} on"));
        }
        match file.len() - end {
            _ if file.ends_with(mcap::MAGIC) => {}
            0 => self
                .losses
                .push("the recording was not finished".to_owned()),
            lost => self.losses.push(format!(
                "the recording is cut off: its last {lost} bytes are not whole"
            )),
        }
        self.compare_chunks();
        Ok(())
    }

    /// Reads the records from here on; `None` is the begin of a file whose header is damaged. Returns the end of what is
    /// whole.
    fn records(&mut self, file: &[u8], header: Option<usize>) -> usize {
        let mut at = header.unwrap_or(0);
        loop {
            let Some((opcode, span)) = self.whole_record(file, at) else {
                let Some(next) = self.behind_damage(file, at) else {
                    // A file that has its end is not cut off.
                    if at < file.len() && file.ends_with(mcap::MAGIC) {
                        self.add_damage(at..file.len());
                    }
                    return at;
                };
                self.add_damage(at..next);
                at = next;
                continue;
            };
            match opcode {
                FOOTER if file[span.end..] == *mcap::MAGIC => return file.len(),
                CHUNK => self.chunk(file, span.clone()),
                STATISTICS => self.chunks_written = read_count(&file[span.clone()]),
                _ => {}
            }
            at = span.end;
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
    fn whole_record(&mut self, file: &[u8], at: usize) -> Option<(u8, Span)> {
        if at == 0 {
            return None;
        }
        let (opcode, span) = record(file, at, file.len()).filter(|one| is_known(one.0))?;
        let is_whole = match opcode {
            CHUNK => self.next_chunk(file, at) == Some(at),
            _ => self
                .next_chunk(file, at + 1)
                .is_none_or(|next| next >= span.end),
        };
        is_whole.then_some((opcode, span))
    }

    /// Where to go on behind a record that is damaged; `None` if nothing whole follows.
    fn behind_damage(&mut self, file: &[u8], at: usize) -> Option<usize> {
        let chunk = self.next_chunk(file, at + 1);
        // Its length is right if a record follows, and no chunk begins before.
        let Some((opcode, span)) = record(file, at, file.len()) else {
            return chunk;
        };
        let follows = record(file, span.end, file.len()).is_some_and(|next| is_known(next.0));
        if !follows || chunk.is_some_and(|chunk| chunk < span.end) {
            return chunk;
        }
        self.chunks += u32::from(opcode == CHUNK);
        Some(span.end)
    }

    /// The first whole chunk from here on. Each is looked for and summed up only once.
    fn next_chunk(&mut self, file: &[u8], from: usize) -> Option<usize> {
        match self.searched {
            Some((begin, found)) if begin <= from && found.is_none_or(|found| found >= from) => {
                found
            }
            _ => {
                let found = self.search_chunk(file, from);
                self.searched = Some((from, found));
                found
            }
        }
    }

    fn search_chunk(&mut self, file: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            at += file.get(at..)?.iter().position(|byte| *byte == CHUNK)?;
            if let Some((_, span)) = record(file, at, file.len())
                && has_chunk_lengths(&file[span.clone()])
            {
                self.sums_left = self.sums_left.checked_sub(span.len())?;
                if has_right_sum(&file[span]) {
                    return Some(at);
                }
            }
            at += 1;
        }
    }

    /// At the end there is the number of chunks. It tells of damage that hides some of them.
    fn compare_chunks(&mut self) {
        let is_wrong = self
            .chunks_written
            .is_some_and(|count| count != self.chunks);
        if is_wrong && self.losses.is_empty() {
            let text = "the recording is damaged, and some of it may be missing";
            self.losses.push(text.to_owned());
        }
    }

    /// Reads a chunk that is whole.
    fn chunk(&mut self, file: &[u8], span: Span) {
        self.chunks += 1;
        let mut at = span.start + CHUNK_HEADER_BYTES;
        while let Some((opcode, inner)) = record(file, at, span.end) {
            if opcode == MESSAGE && inner.len() >= MESSAGE_HEADER_BYTES {
                self.message(file, inner.clone());
            }
            at = inner.end;
        }
    }

    fn message(&mut self, file: &[u8], span: Span) {
        let number = u16::from_le_bytes([file[span.start], file[span.start + 1]]);
        let content = span.start + MESSAGE_HEADER_BYTES..span.end;
        let read = match usize::from(number).wrapping_sub(1) {
            DOCUMENT => self.document(&file[content.clone()]),
            STATE => self.state(file, content.clone()),
            TICKS => self.some_ticks(file, content.clone()),
            NOTE => self.note(file, content.clone()),
            _ => Some(()),
        };
        if read.is_none() {
            let at = content.start;
            self.losses
                .push(format!("a message means nothing, at byte {at}"));
        }
    }

    fn document(&mut self, content: &[u8]) -> Option<()> {
        let document: KeptDocument = serde_json::from_slice(content).ok()?;
        // The end of the file has the documents once more.
        if self
            .documents
            .iter()
            .all(|known| known.number != document.number)
        {
            self.documents.push(document);
        }
        Some(())
    }

    fn state(&mut self, file: &[u8], span: Span) -> Option<()> {
        let mut rest = &file[span.clone()];
        let roles = serde_json::from_slice(bytes(&mut rest)?).ok()?;
        let place = |rest: &[u8]| span.end - rest.len();
        let state = bytes(&mut rest)?;
        let tick = treemind_core::tape::Playback::ticks_of(state).ok()?;
        let end = place(rest);
        let state = end - state.len()..end;
        let game = bytes(&mut rest)?;
        let end = place(rest);
        // So that counting on from it never overflows.
        (tick < u64::MAX / 2).then(|| {
            self.states.push(State {
                tick,
                roles,
                state,
                game: end - game.len()..end,
            });
        })
    }

    fn some_ticks(&mut self, file: &[u8], span: Span) -> Option<()> {
        let mut rest = &file[span.clone()];
        let (first, count) = (number(&mut rest)?, number(&mut rest)?);
        let is_possible = first < u64::MAX / 2 && (1..=rest.len() as u64).contains(&count);
        is_possible.then(|| {
            self.ticks.push(Ticks {
                first,
                count,
                span: span.end - rest.len()..span.end,
            });
        })
    }

    fn note(&mut self, file: &[u8], span: Span) -> Option<()> {
        let mut rest = &file[span.clone()];
        let tick = number(&mut rest)?;
        let name = bytes(&mut rest)?;
        let start = span.end - rest.len();
        self.notes
            .push((tick, start - name.len()..start, start..span.end));
        Some(())
    }
}

/// Takes a text as MCAP writes them.
fn text<'b>(from: &mut &'b [u8]) -> Option<&'b str> {
    let length = u32::from_le_bytes(take(from, 4)?.try_into().ok()?);
    std::str::from_utf8(take(from, length as usize)?).ok()
}

/// Where the header ends; `None` if it is damaged, or that of another kind of file.
fn header(file: &[u8]) -> Result<Option<usize>, OpenError> {
    let at = mcap::MAGIC.len();
    let found = record(file, at, file.len()).filter(|(opcode, _)| *opcode == HEADER);
    let Some((_, span)) = found.filter(|_| file.starts_with(mcap::MAGIC)) else {
        return Ok(None);
    };
    match text(&mut &file[span.clone()]) {
        Some(PROFILE) => Ok(Some(span.end)),
        Some(profile) if profile.starts_with(OUR_PROFILES) => Err(OpenError::Version),
        _ => Ok(None),
    }
}

/// How many chunks there are, as the statistics say.
fn read_count(statistics: &[u8]) -> Option<u32> {
    let count = statistics.get(CHUNK_COUNT)?.try_into().ok()?;
    Some(u32::from_le_bytes(count))
}

fn is_known(opcode: u8) -> bool {
    (1..=LAST_OPCODE).contains(&opcode)
}

/// Whether the lengths of a chunk fit each other.
fn has_chunk_lengths(chunk: &[u8]) -> bool {
    let records = chunk.len().checked_sub(CHUNK_HEADER_BYTES);
    records.is_some_and(|records| {
        // Behind two times, how many bytes it has, and the checksum: no name of a compression, and how many bytes follow.
        chunk[28..32] == [0; 4] && chunk[32..40] == (records as u64).to_le_bytes()
    })
}

/// Whether a chunk, whose lengths fit, has the checksum of its records.
fn has_right_sum(chunk: &[u8]) -> bool {
    let (head, records) = chunk.split_at(CHUNK_HEADER_BYTES);
    head[24..28] == crc32fast::hash(records).to_le_bytes()
}
