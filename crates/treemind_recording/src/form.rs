//! The form of the messages in a recording.

use serde::{Deserialize, Serialize};
use treemind_doc::{Document, Format};

/// The profile in the header of the file, with the version of the form of all messages.
pub(crate) const PROFILE: &str = "treemind/3";
/// The profiles that can be read.
pub(crate) const PROFILES: [&str; 2] = ["treemind/2", PROFILE];
/// The profile without the version.
pub(crate) const OUR_PROFILES: &str = "treemind/";
const ENCODING: &str = "treemind";
const JSON: &str = "json";

/// The topics of the channels, with the encodings of their messages. In form 2, whose messages do not say which recording
/// they belong to, the first channel had the number 1; now it has [`FIRST_CHANNEL`].
pub(crate) const TOPICS: [(&str, &str); 5] = [
    ("treemind.document", JSON),
    ("treemind.state", ENCODING),
    ("treemind.ticks", ENCODING),
    ("treemind.note", ENCODING),
    ("treemind.end", JSON),
];
pub(crate) const FIRST_CHANNEL: u16 = 5;
pub(crate) const DOCUMENT: u16 = 0;
pub(crate) const STATE: u16 = 1;
pub(crate) const TICKS: u16 = 2;
pub(crate) const NOTE: u16 = 3;
pub(crate) const END: u16 = 4;

/// The number of a channel's topic, and whether its messages say which recording they belong to; `None` for channels of
/// others.
pub(crate) fn topic_of(channel: u16) -> Option<(u16, bool)> {
    match channel {
        1..FIRST_CHANNEL => Some((channel - 1, false)),
        _ => {
            let topic = channel.checked_sub(FIRST_CHANNEL)?;
            (usize::from(topic) < TOPICS.len()).then_some((topic, true))
        }
    }
}

/// The identity of a recording in JSON: sixteen digits of base 16, because numbers there have not enough.
pub(crate) mod identity {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub(crate) fn serialize<S: Serializer>(id: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{id:016x}"))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        u64::from_str_radix(&text, 16).map_err(D::Error::custom)
    }
}

/// A message in JSON, with the recording that it belongs to.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Of<T> {
    #[serde(with = "identity", default)]
    pub(crate) recording: u64,
    #[serde(flatten)]
    pub(crate) message: T,
}

/// What a finished recording had.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct End {
    /// The last tick before it, and the time after that, in nanoseconds.
    pub(crate) begin: u64,
    pub(crate) begin_ns: u64,
    pub(crate) last: u64,
    /// The time after the last tick, in nanoseconds.
    pub(crate) now_ns: u64,
    pub(crate) notes: u64,
}

/// A document with everything that it imports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeptDocument {
    pub(crate) number: u32,
    #[serde(with = "format_name")]
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
    Planner(String),
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
#[serde(rename_all = "lowercase")]
enum FormatName {
    Kdl,
    Json,
    BtCpp,
    Scxml,
    Table,
}

/// How a field with a format is written and read.
mod format_name {
    use super::{Format, FormatName};
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    #[warn(clippy::wildcard_enum_match_arm)]
    pub(super) fn serialize<S: Serializer>(format: &Format, to: S) -> Result<S::Ok, S::Error> {
        let name = match format {
            Format::Kdl => FormatName::Kdl,
            Format::Json => FormatName::Json,
            Format::BtCpp => FormatName::BtCpp,
            Format::Scxml => FormatName::Scxml,
            Format::Table => FormatName::Table,
            _ => treemind_core::unlisted(format),
        };
        name.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Format, D::Error> {
        Ok(match FormatName::deserialize(from)? {
            FormatName::Kdl => Format::Kdl,
            FormatName::Json => Format::Json,
            FormatName::BtCpp => Format::BtCpp,
            FormatName::Scxml => Format::Scxml,
            FormatName::Table => Format::Table,
        })
    }
}
