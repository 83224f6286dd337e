//! The form of the messages in a recording.

use serde::{Deserialize, Serialize};
use treemind_doc::{Document, Format};

/// The profile in the header of the file, with the version of the form of all messages.
pub(crate) const PROFILE: &str = "treemind/2";
/// The profile without the version.
pub(crate) const OUR_PROFILES: &str = "treemind/";
const ENCODING: &str = "treemind";
const JSON: &str = "json";

/// The channels with the encodings of their messages. The first has the number 1.
pub(crate) const TOPICS: [(&str, &str); 4] = [
    ("treemind.document", JSON),
    ("treemind.state", ENCODING),
    ("treemind.ticks", ENCODING),
    ("treemind.note", ENCODING),
];
pub(crate) const DOCUMENT: usize = 0;
pub(crate) const STATE: usize = 1;
pub(crate) const TICKS: usize = 2;
pub(crate) const NOTE: usize = 3;

/// A document with everything that it imports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeptDocument {
    pub(crate) number: u32,
    #[serde(with = "FormatName")]
    pub(crate) format: Format,
    /// Name and text of each file; the first is the document.
    pub(crate) files: Vec<(String, String)>,
}

/// What a population runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Role {
    /// The position of the population in its society.
    pub(crate) place: u16,
    pub(crate) document: u32,
    pub(crate) part: Part,
}

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Part {
    Main,
    Tree(String),
    Machine(String),
    Decision(String),
    Archetype(String),
}

impl KeptDocument {
    pub(crate) fn new(number: u32, document: &Document) -> Self {
        Self {
            number,
            format: document.format(),
            files: document.texts(),
        }
    }

    /// The document again; `None` if it has no files.
    pub(crate) fn read(&self) -> Option<Document> {
        Document::of_texts(self.format, &self.files)
    }
}

/// The formats by name.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Format", rename_all = "lowercase")]
enum FormatName {
    Kdl,
    Json,
    BtCpp,
    Scxml,
    Table,
}

/// Takes a number from the front.
pub(crate) fn number(from: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = from.split_first()?;
        *from = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Takes this many bytes from the front.
pub(crate) fn take<'b>(from: &mut &'b [u8], count: usize) -> Option<&'b [u8]> {
    let (taken, rest) = from.split_at_checked(count)?;
    *from = rest;
    Some(taken)
}

/// Takes bytes behind their number from the front.
pub(crate) fn bytes<'b>(from: &mut &'b [u8]) -> Option<&'b [u8]> {
    let count = usize::try_from(number(from)?).ok()?;
    take(from, count)
}
