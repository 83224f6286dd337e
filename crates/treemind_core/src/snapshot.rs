//! Snapshots as bytes: how state is written, and how it is read back from bytes that cannot be trusted.
//!
//! A snapshot is a header, what the game attached to it, the state, the texts that the state uses, and a checksum over
//! everything before it. All numbers are little-endian, whatever the machine. A text is stored once, and named by its
//! position.
//!
//! A recording compares states, to see what the game has changed between two ticks. For that there is a raw form, which
//! is only the state: it has neither header nor checksum, and a text is the number that the recording process knows it
//! by.

mod before;
mod readable;

pub(crate) use before::{Before, End, Since};
pub use readable::Readable;

use crate::ids::EnumId;
use crate::text::Text;
use crate::value::Value;
use std::collections::HashMap;
use std::fmt;
use twox_hash::XxHash3_64;

/// The first bytes of every snapshot.
const MAGIC: [u8; 8] = *b"treemind";
/// The version of the form. Whoever changes what is written counts it up.
const VERSION: u32 = 4;
/// The magic, the version, what the snapshot holds, and how many bytes of state there are.
const HEADER_BYTES: usize = 8 + 4 + 4 + 8;
const CHECKSUM_BYTES: usize = 8;
/// Counters of a snapshot are below this, so that they never overflow afterwards.
const MOST_COUNTED: u64 = 1 << 62;

/// What a snapshot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Population = 1,
    Society = 2,
}

/// Added to what a snapshot holds: something is attached, in front of the state.
const ATTACHED: u32 = 1 << 8;

impl Content {
    fn as_str(self) -> &'static str {
        match self {
            Content::Population => "a population",
            Content::Society => "a society",
        }
    }
}

/// Why bytes could not be restored. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoreError(Problem);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    Foreign,
    Version(u32),
    Content(Content),
    Cut,
    Damaged,
    OtherProgram(String),
    Impossible(&'static str),
    Refused(String),
}

impl RestoreError {
    /// Whether the snapshot is sound but was made with another program: the document has changed since.
    pub fn is_other_program(&self) -> bool {
        matches!(self.0, Problem::OtherProgram(_))
    }

    /// The state was made with another program; the name of the behaviour at that time.
    pub fn other_program(name: &str) -> Self {
        Self(Problem::OtherProgram(name.to_owned()))
    }

    /// The checksum is right, but no population can be in such a state.
    pub(crate) fn impossible(what: &'static str) -> Self {
        Self(Problem::Impossible(what))
    }

    /// The snapshot is sound, but does not fit what it is to be restored into.
    pub fn refused(why: String) -> Self {
        Self(Problem::Refused(why))
    }
}

impl fmt::Display for RestoreError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Problem::Foreign => out.write_str("this is not a snapshot of Treemind"),
            Problem::Version(version) => write!(
                out,
                "the snapshot has version {version}, and this program reads version {VERSION}"
            ),
            Problem::Content(content) => {
                let content = content.as_str();
                write!(out, "the snapshot holds {content}, not what is asked for")
            }
            Problem::Cut => out.write_str("the snapshot is cut off"),
            Problem::Damaged => {
                out.write_str("the snapshot is damaged: its checksum does not fit its content")
            }
            Problem::OtherProgram(name) => write!(
                out,
                "the snapshot was made with another version of `{name}`: the document has changed since"
            ),
            Problem::Impossible(what) => write!(out, "the snapshot is not valid: {what}"),
            Problem::Refused(why) => out.write_str(why),
        }
    }
}

impl std::error::Error for RestoreError {}

/// A stable hash of bytes.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

/// A snapshot that is being written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writer {
    bytes: Vec<u8>,
    texts: Vec<Text>,
    positions: HashMap<Text, u32>,
    numbers: Numbers,
    /// In the raw form: where its sections begin, so that a change in one does not move the others.
    cuts: Vec<usize>,
}

/// How texts are named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Numbers {
    /// By their positions in the snapshot.
    Positions,
    /// As this process knows them.
    #[default]
    Own,
    /// As the process knew them that recorded; that of a text that it did not know is `u32::MAX`.
    Recorded,
}

impl Writer {
    pub(crate) fn new(content: Content) -> Self {
        let mut writer = Self {
            bytes: MAGIC.to_vec(),
            numbers: Numbers::Positions,
            ..Self::default()
        };
        writer.u32(VERSION);
        writer.u32(content as u32);
        // How many bytes of state there are is known at the end.
        writer.u64(0);
        writer
    }

    /// The same with bytes of the game attached, which are not looked at here; none if they are empty.
    pub(crate) fn with(content: Content, attached: &[u8]) -> Self {
        let mut writer = Self::new(content);
        if !attached.is_empty() {
            let held = content as u32 | ATTACHED;
            writer.bytes[12..16].copy_from_slice(&held.to_le_bytes());
            writer.count(attached.len());
            writer.bytes(attached);
        }
        writer
    }

    /// A writer of the raw form in a process that plays a recording. It [learns](Self::learn) how the recording process
    /// knew texts.
    pub(crate) fn recorded() -> Self {
        Self {
            numbers: Numbers::Recorded,
            ..Self::default()
        }
    }

    /// Forgets everything but how texts are named, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.cuts.clear();
    }

    /// Begins a section of the raw form.
    pub(crate) fn cut(&mut self) {
        if self.numbers != Numbers::Positions {
            self.cuts.push(self.bytes.len());
        }
    }

    /// The raw form: its bytes, and where its sections begin.
    pub(crate) fn raw(&self) -> (&[u8], &[usize]) {
        (&self.bytes, &self.cuts)
    }

    /// Learns how the recording process knew a text.
    pub(crate) fn learn(&mut self, text: Text, number: u32) {
        self.positions.insert(text, number);
    }

    /// Adds the texts and the checksum.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let state = (self.bytes.len() - HEADER_BYTES) as u64;
        self.bytes[HEADER_BYTES - 8..HEADER_BYTES].copy_from_slice(&state.to_le_bytes());
        let texts = std::mem::take(&mut self.texts);
        self.count(texts.len());
        for text in texts {
            self.str(text.as_str());
        }
        let checksum = hash(&self.bytes);
        self.u64(checksum);
        self.bytes
    }

    pub(crate) fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(crate) fn bool(&mut self, value: bool) {
        self.u8(u8::from(value));
    }

    /// Whether something has to be looked at, which it always may be. The raw form does not know it: there it depends
    /// on whether there was a trace, and raw states are compared.
    pub(crate) fn hint(&mut self, value: bool) {
        self.bool(value || self.numbers != Numbers::Positions);
    }

    /// What tells programs apart. It takes long to find out, and the raw form is only compared with that of the same
    /// program, so there it is 0.
    pub(crate) fn fingerprint(&mut self, of_program: impl FnOnce() -> u64) {
        let number = match self.numbers {
            Numbers::Positions => of_program(),
            Numbers::Own | Numbers::Recorded => 0,
        };
        self.u64(number);
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn count(&mut self, count: usize) {
        self.u64(count as u64);
    }

    pub(crate) fn bytes(&mut self, values: &[u8]) {
        self.bytes.extend_from_slice(values);
    }

    pub(crate) fn u32s(&mut self, values: &[u32]) {
        if cfg!(target_endian = "little") {
            return self.bytes(bytemuck::cast_slice(values));
        }
        values.iter().for_each(|value| self.u32(*value));
    }

    pub(crate) fn u64s(&mut self, values: &[u64]) {
        if cfg!(target_endian = "little") {
            return self.bytes(bytemuck::cast_slice(values));
        }
        values.iter().for_each(|value| self.u64(*value));
    }

    pub(crate) fn str(&mut self, text: &str) {
        self.count(text.len());
        self.bytes(text.as_bytes());
    }

    /// The number that a text is stored as: its position among those of the snapshot, unless the form is raw.
    pub(crate) fn position(&mut self, text: Text) -> u32 {
        let Self {
            texts, positions, ..
        } = self;
        match self.numbers {
            Numbers::Positions => *positions.entry(text).or_insert_with(|| {
                texts.push(text);
                texts.len() as u32 - 1
            }),
            Numbers::Own => text.number(),
            Numbers::Recorded => positions.get(&text).copied().unwrap_or(u32::MAX),
        }
    }

    /// Whether texts are stored as they are in columns.
    pub(crate) fn has_own_texts(&self) -> bool {
        self.numbers == Numbers::Own
    }

    pub(crate) fn text(&mut self, text: Text) {
        let position = self.position(text);
        self.u32(position);
    }

    pub(crate) fn value(&mut self, value: Value) {
        self.u8(match value {
            Value::Bool(_) => 0,
            Value::Int(_) => 1,
            Value::Float(_) => 2,
            Value::Double(_) => 3,
            Value::Enum(..) => 4,
            Value::Entity(_) => 5,
            Value::Vec2(_) => 6,
            Value::Vec3(_) => 7,
            Value::Text(_) => 8,
        });
        match value {
            Value::Bool(value) => self.bool(value),
            Value::Int(value) => self.u64(value as u64),
            Value::Float(value) => self.u32(value.to_bits()),
            Value::Double(value) => self.u64(value.to_bits()),
            Value::Enum(list, value) => self.u32s(&[list.0, value]),
            Value::Entity(value) => self.u64(value),
            Value::Vec2(parts) => self.u32s(&parts.map(f32::to_bits)),
            Value::Vec3(parts) => self.u32s(&parts.map(f32::to_bits)),
            Value::Text(text) => self.text(text),
        }
    }
}

/// A snapshot that is being read. Nothing is allocated for more than the bytes that are left.
pub(crate) struct Reader<'b> {
    rest: &'b [u8],
    texts: Vec<Text>,
    /// How many values each enumeration of the program has.
    pub(crate) enums: Vec<usize>,
    /// Whether it is in the raw form, which does not say of which program it is.
    pub(crate) is_raw: bool,
    /// What the game attached.
    pub(crate) attached: &'b [u8],
}

type Read<T> = Result<T, RestoreError>;

impl<'b> Reader<'b> {
    /// Checks that the bytes are a whole snapshot.
    pub(crate) fn open(bytes: &'b [u8], content: Content) -> Read<Self> {
        let refuse = |problem| Err(RestoreError(problem));
        let start = &bytes[..bytes.len().min(MAGIC.len())];
        if start.is_empty() || !MAGIC.starts_with(start) {
            return refuse(Problem::Foreign);
        }
        let Some(end) = bytes.len().checked_sub(CHECKSUM_BYTES) else {
            return refuse(Problem::Cut);
        };
        let (body, checksum) = bytes.split_at(end);
        let mut reader = Self {
            rest: body,
            texts: Vec::new(),
            enums: Vec::new(),
            is_raw: false,
            attached: &[],
        };
        reader.take(MAGIC.len())?;
        let version = reader.u32()?;
        if version != VERSION {
            return refuse(Problem::Version(version));
        }
        let held = reader.u32()?;
        let state = reader.u64()?;
        if state > reader.rest.len() as u64 {
            return refuse(Problem::Cut);
        }
        if hash(body).to_le_bytes() != checksum {
            return refuse(Problem::Damaged);
        }
        let has_attached = held & ATTACHED != 0;
        if held & !ATTACHED != content as u32 {
            let all = [Content::Population, Content::Society];
            let known = |one: &Content| *one as u32 == held & !ATTACHED;
            return refuse(match all.into_iter().find(known) {
                Some(held) => Problem::Content(held),
                None => Problem::Impossible("it holds nothing known"),
            });
        }
        let (state, texts) = reader.rest.split_at(state as usize);
        reader.rest = texts;
        let count = reader.count(8)?;
        let texts: Vec<&str> = (0..count).map(|_| reader.str()).collect::<Read<_>>()?;
        reader.close()?;
        reader.texts = texts.into_iter().map(Text::new).collect();
        reader.rest = state;
        if has_attached {
            let count = reader.count(1)?;
            reader.attached = reader.take(count)?;
        }
        Ok(reader)
    }

    /// A reader of the raw form, given the texts by the numbers that the recording process knew them by.
    pub(crate) fn raw(bytes: &'b [u8], texts: &[Text]) -> Self {
        Self {
            rest: bytes,
            texts: texts.to_vec(),
            enums: Vec::new(),
            is_raw: true,
            attached: &[],
        }
    }

    /// Checks that everything was read.
    pub(crate) fn close(&self) -> Read<()> {
        match self.rest {
            [] => Ok(()),
            _ => Err(RestoreError::impossible("there is more than belongs to it")),
        }
    }

    /// Checks that this many bytes are left.
    pub(crate) fn has(&self, bytes: usize) -> Read<()> {
        match bytes <= self.rest.len() {
            true => Ok(()),
            false => Err(RestoreError(Problem::Cut)),
        }
    }

    fn take(&mut self, bytes: usize) -> Read<&'b [u8]> {
        self.has(bytes)?;
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(crate) fn u8(&mut self) -> Read<u8> {
        self.array().map(u8::from_le_bytes)
    }

    pub(crate) fn bool(&mut self) -> Read<bool> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(RestoreError::impossible("a bool is neither false nor true")),
        }
    }

    pub(crate) fn u32(&mut self) -> Read<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Read<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// A number that is counted up from here on.
    pub(crate) fn counted(&mut self) -> Read<u64> {
        let value = self.u64()?;
        match value < MOST_COUNTED {
            true => Ok(value),
            false => Err(RestoreError::impossible("a counter is too large")),
        }
    }

    /// How many things follow that take at least this many bytes each.
    pub(crate) fn count(&mut self, bytes_each: usize) -> Read<usize> {
        let count = self.u64()?;
        let most = (self.rest.len() / bytes_each.max(1)) as u64;
        match count <= most {
            true => Ok(count as usize),
            false => Err(RestoreError(Problem::Cut)),
        }
    }

    /// A position in a list of this many.
    pub(crate) fn index(&mut self, below: usize) -> Read<u32> {
        let index = self.u32()?;
        match (index as usize) < below {
            true => Ok(index),
            false => Err(RestoreError::impossible("an index is too large")),
        }
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Read<&'b [u8]> {
        self.take(count)
    }

    /// As many numbers as there is room for.
    pub(crate) fn u32s(&mut self, into: &mut [u32]) -> Read<()> {
        let bytes = self.take(into.len() * 4)?;
        for (value, bytes) in into.iter_mut().zip(bytes.as_chunks().0) {
            *value = u32::from_le_bytes(*bytes);
        }
        Ok(())
    }

    /// As many numbers as there is room for.
    pub(crate) fn u64s(&mut self, into: &mut [u64]) -> Read<()> {
        let bytes = self.take(into.len() * 8)?;
        for (value, bytes) in into.iter_mut().zip(bytes.as_chunks().0) {
            *value = u64::from_le_bytes(*bytes);
        }
        Ok(())
    }

    pub(crate) fn str(&mut self) -> Read<&'b str> {
        let count = self.count(1)?;
        let text = std::str::from_utf8(self.take(count)?);
        text.map_err(|_| RestoreError::impossible("a text is not UTF-8"))
    }

    /// The text at a position among those of the snapshot.
    pub(crate) fn text_at(&self, position: u32) -> Read<Text> {
        let text = self.texts.get(position as usize).copied();
        text.ok_or(RestoreError::impossible("a text is missing"))
    }

    pub(crate) fn text(&mut self) -> Read<Text> {
        let position = self.u32()?;
        self.text_at(position)
    }

    /// Checks that an enumeration has a value.
    pub(crate) fn check_enum(&self, list: EnumId, value: u32) -> Read<()> {
        match self.enums.get(list.index()) {
            Some(values) if (value as usize) < *values => Ok(()),
            _ => Err(RestoreError::impossible("an enumeration has no such value")),
        }
    }

    fn float(&mut self) -> Read<f32> {
        self.u32().map(f32::from_bits)
    }

    pub(crate) fn value(&mut self) -> Read<Value> {
        Ok(match self.u8()? {
            0 => Value::Bool(self.bool()?),
            1 => Value::Int(self.u64()? as i64),
            2 => Value::Float(self.float()?),
            3 => Value::Double(f64::from_bits(self.u64()?)),
            4 => {
                let (list, value) = (EnumId(self.u32()?), self.u32()?);
                self.check_enum(list, value)?;
                Value::Enum(list, value)
            }
            5 => Value::Entity(self.u64()?),
            6 => Value::Vec2([self.float()?, self.float()?]),
            7 => Value::Vec3([self.float()?, self.float()?, self.float()?]),
            8 => Value::Text(self.text()?),
            _ => return Err(RestoreError::impossible("a value is of no known type")),
        })
    }
}
