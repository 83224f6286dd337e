//! Sentences as data, and how they are written in a language.
//!
//! Whoever has something to say makes [`Words`]: a [`Sentence`] of the [table], with other words in its holes.
//! They become text at the end, in the [`Language`] of the reader. What depends on the language stands here and in the
//! table: lists, quotes, the spaces of Chinese.

mod faults;
mod table;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use treemind_core::{Fault, FaultKind, Outcome, Status};
use treemind_doc::visible_line;

pub use table::Sentence;

/// A language in which reasons are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// Simplified Chinese.
    #[serde(rename = "zh")]
    Chinese,
}

/// Words that can be written in each language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Words {
    /// A sentence of the table, or a part of one.
    Sentence(Arc<Sentence>),
    /// A name or an expression: it stands in backticks.
    Code(Arc<str>),
    /// A value or a line of a document. In English it stands as it is.
    Value(Arc<str>),
    /// A number, or a text from elsewhere.
    Plain(Arc<str>),
    /// The number of a tick.
    Tick(u64),
    /// A text from elsewhere that comes in each language.
    Both {
        /// In English.
        english: Arc<str>,
        /// In Chinese.
        chinese: Arc<str>,
    },
    /// Several, one after the other.
    Several(Join, Arc<[Words]>),
    /// Nothing, in a hole that has nothing to say.
    Nothing,
}

/// How several are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Join {
    /// `a, b and c`.
    And,
    /// `a, b or c`.
    Or,
    /// `a, b, c`: names.
    Names,
    /// The same: parts of a sentence.
    Clauses,
    /// `a; b; c`: sentences.
    Sentences,
}

/// Words from a sentence of the table: `say!(NotReached, name)`, `say!(Failed, name = words, when = Words::Nothing)`.
#[macro_export]
macro_rules! say {
    (@ $hole:ident) => { $crate::Words::from($hole) };
    (@ $hole:ident = $value:expr) => { $crate::Words::from($value) };
    ($sentence:ident $(, $hole:ident $(= $value:expr)?)* $(,)?) => {
        $crate::Words::from($crate::Sentence::$sentence {
            $($hole: $crate::say!(@ $hole $(= $value)?)),*
        })
    };
}

impl Words {
    /// A name or an expression of a document.
    pub fn code(text: impl AsRef<str>) -> Self {
        Self::Code(text.as_ref().into())
    }

    /// A value or a line of a document.
    pub fn value(text: impl AsRef<str>) -> Self {
        Self::Value(text.as_ref().into())
    }

    /// A number, or a text from elsewhere.
    pub fn plain(text: impl ToString) -> Self {
        Self::Plain(text.to_string().into())
    }

    /// Several, one after the other.
    pub fn several(join: Join, all: impl IntoIterator<Item = Words>) -> Self {
        Self::Several(join, all.into_iter().collect())
    }

    /// What a node did: `` `flee` succeeded in tick 9 ``.
    pub fn did(name: impl Into<Words>, status: Status, when: impl Into<Words>) -> Self {
        let (name, when) = (name.into(), when.into());
        match status {
            Status::Success => say!(Succeeded, name, when),
            Status::Failure => say!(Failed, name, when),
            Status::Running => say!(IsRunning, name, since = when),
            Status::Skipped => say!(WasSkipped, name, when),
        }
    }

    /// An answer in a word.
    pub fn answer(status: Status) -> Self {
        match status {
            Status::Success => say!(Success),
            Status::Failure => say!(Failure),
            Status::Running => say!(Running),
            Status::Skipped => say!(Skipped),
        }
    }

    /// How an action ended: `` `flee` ended with success ``.
    pub fn ended(name: impl Into<Words>, outcome: Outcome, when: impl Into<Words>) -> Self {
        let (name, when) = (name.into(), when.into());
        match outcome {
            Outcome::Success => say!(EndedWithSuccess, name, when),
            Outcome::Failure => say!(EndedWithFailure, name, when),
            Outcome::Aborted => say!(WasCutOff, name, when),
        }
    }

    /// A fault, with who it happened to.
    pub fn fault(who: impl Into<Words>, fault: &Fault) -> Self {
        say!(Colon, one = who.into(), more = Self::wrong(&fault.kind))
    }

    /// What went wrong.
    pub fn wrong(kind: &FaultKind) -> Self {
        Self::Both {
            english: kind.to_string().into(),
            chinese: faults::chinese(kind).into(),
        }
    }

    /// The same, with more behind it.
    #[must_use]
    pub fn plus(self, more: impl Into<Words>) -> Self {
        match more.into() {
            Self::Nothing => self,
            more => say!(Plus, one = self, more),
        }
    }

    /// The first tick that they name.
    pub fn tick(&self) -> Option<u64> {
        match self {
            Self::Tick(tick) => Some(*tick),
            Self::Sentence(sentence) => sentence.holes().into_iter().find_map(Self::tick),
            Self::Several(_, all) => all.iter().find_map(Self::tick),
            _ => None,
        }
    }

    /// As text in a language, on one line and [made visible](visible_line).
    pub fn written(&self, language: Language) -> String {
        let text = In(language, self).to_string();
        let text = match language {
            Language::English => text,
            Language::Chinese => spaced(&text),
        };
        match visible_line(&text) {
            Cow::Owned(shown) => shown,
            Cow::Borrowed(_) => text,
        }
    }
}

impl From<Sentence> for Words {
    fn from(sentence: Sentence) -> Self {
        Self::Sentence(Arc::new(sentence))
    }
}

impl From<Option<Words>> for Words {
    fn from(words: Option<Words>) -> Self {
        words.unwrap_or(Self::Nothing)
    }
}

/// Words in a language.
pub(crate) struct In<'a>(Language, &'a Words);

impl fmt::Display for In<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(language, words) = *self;
        match (words, language) {
            (Words::Sentence(sentence), _) => sentence.write(language, out),
            (Words::Value(text), Language::Chinese) if &**text == "unset" => {
                out.write_str("未设置")
            }
            (Words::Code(text), _) | (Words::Value(text), Language::Chinese) => {
                write!(out, "`{text}`")
            }
            (Words::Value(text), Language::English) | (Words::Plain(text), _) => {
                out.write_str(text)
            }
            (Words::Tick(tick), _) => write!(out, "{tick}"),
            (Words::Both { english, .. }, Language::English) => out.write_str(english),
            (Words::Both { chinese, .. }, Language::Chinese) => out.write_str(chinese),
            (Words::Several(join, all), _) => write_all(language, *join, all, out),
            (Words::Nothing, _) => Ok(()),
        }
    }
}

/// Writes several, one after the other.
fn write_all(
    language: Language,
    join: Join,
    all: &[Words],
    out: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let (between, last) = match (language, join) {
        (Language::English, Join::And) => (", ", " and "),
        (Language::English, Join::Or) => (", ", " or "),
        (Language::English, Join::Names | Join::Clauses) => (", ", ", "),
        (Language::English, Join::Sentences) => ("; ", "; "),
        (Language::Chinese, Join::And) => ("、", "和"),
        (Language::Chinese, Join::Or) => ("、", "或"),
        (Language::Chinese, Join::Names) => ("、", "、"),
        (Language::Chinese, Join::Clauses) => ("，", "，"),
        (Language::Chinese, Join::Sentences) => ("；", "；"),
    };
    for (nth, one) in all.iter().enumerate() {
        match nth {
            0 => {}
            nth if nth + 1 == all.len() => out.write_str(last)?,
            _ => out.write_str(between)?,
        }
        write!(out, "{}", In(language, one))?;
    }
    Ok(())
}

/// Whether a letter is Chinese.
fn is_chinese(letter: char) -> bool {
    matches!(letter, '\u{4e00}'..='\u{9fff}')
}

/// Puts a space between Chinese and what is not, as one does: `第 5 帧`. What stands in backticks stays as it is.
fn spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let (mut before, mut is_code) = (' ', false);
    for letter in text.chars() {
        let is_other = |letter: char| letter == '`' || letter.is_ascii_alphanumeric();
        let is_edge =
            is_chinese(before) && is_other(letter) || is_other(before) && is_chinese(letter);
        if is_edge && !is_code {
            out.push(' ');
        }
        is_code ^= letter == '`';
        out.push(letter);
        // The first letter of a name follows its backtick at once.
        before = if is_code { ' ' } else { letter };
    }
    out
}

/// Makes the sentences from a table: each has an id, holes, and a text in each language. A hole that one of the texts does
/// not have is an error of the compiler.
macro_rules! sentences {
    ($($id:ident($($hole:ident),*) $english:literal $chinese:literal;)*) => {
        /// A sentence with its holes, or a part of one.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum Sentence {
            $(
                #[doc = concat!("`` ", $english, " ``")]
                $id {
                    $(
                        #[doc = concat!("What stands in `", stringify!($hole), "`.")]
                        $hole: $crate::Words,
                    )*
                },
            )*
        }

        impl Sentence {
            /// What stands in its holes.
            pub(super) fn holes(&self) -> Vec<&$crate::Words> {
                match self {
                    $(Self::$id { $($hole),* } => vec![$($hole),*],)*
                }
            }

            /// Writes it in a language.
            pub(super) fn write(
                &self,
                language: super::Language,
                out: &mut std::fmt::Formatter<'_>,
            ) -> std::fmt::Result {
                match self {
                    $(Self::$id { $($hole),* } => match language {
                        super::Language::English => {
                            write!(out, $english $(, $hole = super::In(language, $hole))*)
                        }
                        super::Language::Chinese => {
                            write!(out, $chinese $(, $hole = super::In(language, $hole))*)
                        }
                    },)*
                }
            }
        }

        /// All sentences: in English, in Chinese.
        #[cfg(test)]
        pub(super) const ALL: &[(&str, &str)] = &[$(($english, $chinese)),*];
    };
}
use sentences;
