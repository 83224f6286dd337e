//! Why a mind cannot be made, or one of its keys cannot be read or set.

use crate::cast::CastError;
use crate::registry::{BindError, RunError};
use std::fmt;
use std::sync::Arc;
use treemind_core::RestoreError;
use treemind_doc::Diagnostics;

/// Why a mind cannot be made from a document.
#[derive(Clone)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be read, with the reason.
    Read(String),
    /// The document has errors.
    Document(Diagnostics),
    /// The document needs something that the registry does not have.
    Bind(BindError),
    /// What was saved cannot be restored.
    Restore(RestoreError),
    /// The states of what agents run cannot be restored.
    Run(RunError),
    /// A saved cast cannot be read.
    Cast(Arc<CastError>),
    /// This many agents were saved, not exactly one.
    NotOne(usize),
}

impl From<RestoreError> for Error {
    fn from(error: RestoreError) -> Self {
        Error::Restore(error)
    }
}

impl From<RunError> for Error {
    fn from(error: RunError) -> Self {
        Error::Run(error)
    }
}

impl From<Diagnostics> for Error {
    fn from(diagnostics: Diagnostics) -> Self {
        Error::Document(diagnostics)
    }
}

impl From<BindError> for Error {
    fn from(error: BindError) -> Self {
        Error::Bind(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Read(reason) => out.write_str(reason),
            Error::Document(diagnostics) => diagnostics.fmt(out),
            Error::Bind(error) => error.fmt(out),
            Error::Restore(error) => error.fmt(out),
            Error::Run(error) => error.fmt(out),
            Error::Cast(error) => error.fmt(out),
            Error::NotOne(agents) => write!(out, "{agents} agents were saved, and a mind is one"),
        }
    }
}

/// Written for people, because a `main` that returns an error prints it with `Debug`: the same text as
/// [`Display`](fmt::Display), and with the feature `fancy` also the lines of the document.
impl fmt::Debug for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Read(reason) => out.write_str(reason),
            Error::Document(diagnostics) => fmt::Debug::fmt(diagnostics, out),
            Error::Bind(error) => fmt::Debug::fmt(error, out),
            Error::Restore(_) | Error::Run(_) | Error::Cast(_) | Error::NotOne(_) => {
                fmt::Display::fmt(self, out)
            }
        }
    }
}

impl std::error::Error for Error {}

/// Why a key of the blackboard cannot be read or set by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// There is no such key.
    Missing {
        /// The name that was asked for.
        name: String,
        /// A key with a similar name.
        suggestion: Option<String>,
    },
    /// The key is of another type.
    WrongType {
        /// The key.
        name: String,
        /// The type of the key, in the words of documents.
        declared: &'static str,
        /// The type in the code, in the words of documents.
        asked: &'static str,
    },
    /// The key is a list. Lists are read and changed item by item; see
    /// [`Population::held`](crate::population::Population::held) and [`Population::board`](crate::population::Population::board).
    List {
        /// The key.
        name: String,
    },
    /// The key is not one of the world.
    NotOfWorld {
        /// The key.
        name: String,
    },
    /// The agent no longer exists.
    Dead,
    /// The key has no value now.
    Unset {
        /// The key.
        name: String,
    },
}

impl fmt::Display for KeyError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyError::Missing { name, suggestion } => {
                write!(out, "unknown key `{name}`")?;
                match suggestion {
                    Some(suggestion) => write!(out, "; did you mean `{suggestion}`?"),
                    None => Ok(()),
                }
            }
            KeyError::WrongType {
                name,
                declared,
                asked,
            } => write!(
                out,
                "the key `{name}` is `{declared}`, but the code has `{asked}`"
            ),
            KeyError::List { name } => {
                write!(out, "the key `{name}` is a list, not a single value")
            }
            KeyError::NotOfWorld { name } => write!(
                out,
                "the key `{name}` is not declared with `scope=world`, so each agent or group has its own"
            ),
            KeyError::Dead => out.write_str("there is no such agent any more"),
            KeyError::Unset { name } => write!(out, "the key `{name}` has no value"),
        }
    }
}

impl std::error::Error for KeyError {}
