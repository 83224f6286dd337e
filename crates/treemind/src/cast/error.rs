//! Why a document cannot join a cast, or an archetype cannot be spawned.

use crate::registry::{BindError, RunError, closest};
use std::fmt;
use treemind_core::RestoreError;
use treemind_core::society::{ChangeError, JoinError};
use treemind_doc::Diagnostics;

/// Why a document cannot be added to a cast.
#[non_exhaustive]
pub enum CastError {
    /// The document has errors.
    Document(Diagnostics),
    /// The tree, machine or decision tree of this name needs something that the registry does not have.
    Bind(String, BindError),
    /// It declares something that it shares with others differently than they do.
    Join(JoinError),
    /// Two files have an archetype of the same name.
    SameName {
        /// The name.
        name: String,
        /// Where the first one is: `FILE:LINE:COLUMN`.
        first: String,
        /// Where the second one is.
        second: String,
    },
    /// What was saved cannot be restored.
    Restore(RestoreError),
    /// The states of what agents run cannot be restored.
    Run(RunError),
    /// A changed document declares something that it shares with others differently than they do.
    Change(ChangeError),
    /// A changed document no longer has what agents run.
    Gone {
        /// The tree, machine or decision tree.
        name: String,
        /// How many agents run it.
        agents: usize,
    },
    /// The cast has no document from a file of this name.
    UnknownDocument(String),
    /// The cast was saved with a document from a file of this name, which is not given.
    MissingDocument(String),
}

impl From<RestoreError> for CastError {
    fn from(error: RestoreError) -> Self {
        CastError::Restore(error)
    }
}

impl From<RunError> for CastError {
    fn from(error: RunError) -> Self {
        CastError::Run(error)
    }
}

impl From<ChangeError> for CastError {
    fn from(error: ChangeError) -> Self {
        CastError::Change(error)
    }
}

impl From<Diagnostics> for CastError {
    fn from(diagnostics: Diagnostics) -> Self {
        CastError::Document(diagnostics)
    }
}

impl From<JoinError> for CastError {
    fn from(error: JoinError) -> Self {
        CastError::Join(error)
    }
}

impl fmt::Display for CastError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CastError::Document(diagnostics) => diagnostics.fmt(out),
            CastError::Bind(name, error) => write!(out, "`{name}`: {error}"),
            CastError::Join(error) => error.fmt(out),
            CastError::SameName {
                name,
                first,
                second,
            } => write!(
                out,
                "there are two archetypes `{name}`: {first} and {second}; `add_as` gives those of a document a prefix"
            ),
            CastError::Restore(error) => error.fmt(out),
            CastError::Run(error) => error.fmt(out),
            CastError::Change(error) => error.fmt(out),
            CastError::Gone { name, agents: 1 } => {
                write!(
                    out,
                    "`{name}` is gone, and an agent runs it: remove it before"
                )
            }
            CastError::Gone { name, agents } => write!(
                out,
                "`{name}` is gone, and {agents} agents run it: remove them before"
            ),
            CastError::UnknownDocument(name) => {
                write!(out, "the cast has no document `{name}`")
            }
            CastError::MissingDocument(name) => {
                write!(
                    out,
                    "the cast was saved with the document `{name}`, which is not given"
                )
            }
        }
    }
}

/// Written for people: see [`Error`](crate::Error).
impl fmt::Debug for CastError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CastError::Document(diagnostics) => fmt::Debug::fmt(diagnostics, out),
            error => fmt::Display::fmt(error, out),
        }
    }
}

impl std::error::Error for CastError {}

/// There is no archetype of that name in the cast.
#[derive(Clone, PartialEq, Eq)]
pub struct UnknownArchetype {
    /// The name that was asked for.
    pub name: String,
    /// An archetype with a similar name.
    pub suggestion: Option<String>,
}

pub(super) fn unknown<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> UnknownArchetype {
    UnknownArchetype {
        name: name.to_owned(),
        suggestion: closest(name, known),
    }
}

impl fmt::Display for UnknownArchetype {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "there is no archetype `{}`", self.name)?;
        match &self.suggestion {
            Some(suggestion) => write!(out, "; did you mean `{suggestion}`?"),
            None => Ok(()),
        }
    }
}

/// Written for people: see [`Error`](crate::Error).
impl fmt::Debug for UnknownArchetype {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl std::error::Error for UnknownArchetype {}
