//! Why a mind cannot be made.

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
