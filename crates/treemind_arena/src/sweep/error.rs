//! Why a sweep cannot be made, or a run not be asked.

use crate::session::SessionError;
use std::fmt;
use treemind::doc::Diagnostics;

/// Why a sweep cannot be made, or a run not be asked.
#[derive(Debug)]
#[non_exhaustive]
pub enum SweepError {
    /// The document has errors.
    Document(Diagnostics),
    /// The text is not a map.
    Map(String),
    /// The document and the map do not fit together.
    Session(SessionError),
    /// An expression makes no sense: the expression, and why.
    Expression(String, String),
    /// No behaviour of the map has this key.
    NoKey(String),
    /// The arena writes this key before every tick, so it makes no difference what it starts with.
    Written(String),
    /// A value is of another type than the key.
    Value {
        /// The key.
        key: String,
        /// Its type.
        ty: &'static str,
        /// The value, as it was written.
        text: String,
    },
    /// There are more combinations of values than this, or none.
    Settings(usize),
    /// A run could not be recorded.
    Record(String),
    /// Nobody can be [steered](crate::steer) in this way.
    Steer(String),
}

impl fmt::Display for SweepError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Document(problems) => problems.fmt(out),
            Self::Map(text) => write!(out, "the map: {text}"),
            Self::Session(error) => error.fmt(out),
            Self::Expression(expression, text) => write!(out, "`{expression}`: {text}"),
            Self::NoKey(key) => write!(
                out,
                "no tree or machine that is played on this map has a key `{key}`"
            ),
            Self::Written(key) => write!(
                out,
                "the arena writes the key `{key}` before every tick, so other start values change nothing: vary a key \
                 of your own that it is compared with, such as `{key} < my_limit`"
            ),
            Self::Value { key, ty, text } => {
                write!(out, "the key `{key}` is `{ty}`, which `{text}` is not")
            }
            Self::Settings(most) => write!(
                out,
                "there are no values for a key, or more than {most} combinations of values"
            ),
            Self::Steer(text) => out.write_str(text),
            Self::Record(text) => write!(out, "the recording: {text}"),
        }
    }
}

impl std::error::Error for SweepError {}

impl From<SessionError> for SweepError {
    fn from(error: SessionError) -> Self {
        Self::Session(error)
    }
}
