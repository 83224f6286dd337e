//! Saved minds, which know their documents.

use super::{Error, Mind, Minds};
use crate::registry::Registry;
use std::sync::Arc;
use treemind_core::{Migration, Population, Program};
use treemind_doc::{Document, Source};

impl<W: 'static> Mind<W> {
    /// The whole state of the agent, and the text of its document: see [`Minds::save`].
    pub fn save(&self) -> Vec<u8> {
        self.0.save()
    }

    /// The agent that was [saved](Self::save): see [`Minds::restore`].
    ///
    /// # Errors
    /// As [`Minds::restore`], and when not exactly one agent was saved.
    pub fn restore(saved: &[u8], document: &Document, leaves: &Registry<W>) -> Result<Self, Error> {
        Minds::restore(saved, document, leaves).and_then(Self::of_one)
    }

    /// The agent that was [saved](Self::save), perhaps with another version of its document: see
    /// [`Minds::restore_changed`].
    ///
    /// # Errors
    /// As [`Minds::restore_changed`], and when not exactly one agent was saved.
    pub fn restore_changed(
        saved: &[u8],
        document: &Document,
        leaves: &Registry<W>,
        world: &mut W,
    ) -> Result<(Self, Migration), Error> {
        let (minds, migration) = Minds::restore_changed(saved, document, leaves, world)?;
        Ok((Self::of_one(minds)?, migration))
    }

    fn of_one(minds: Minds<W>) -> Result<Self, Error> {
        match minds.population.len() {
            1 => Ok(Self(minds)),
            agents => Err(Error::NotOne(agents)),
        }
    }
}

impl<W: 'static> Minds<W> {
    /// The whole state of all agents, between two ticks, with the texts of their document and its imports: see
    /// [`Population::save`]. [`Population::restore`] takes these bytes, too.
    pub fn save(&self) -> Vec<u8> {
        self.population.save_with_texts(&self.texts)
    }

    /// The agents that were [saved](Self::save), in this process or another. They go on as if they had never stopped.
    ///
    /// # Errors
    /// When the bytes are damaged, or were saved with a document that has changed since; when there is an error in the
    /// document, or it needs a leaf or a key that `leaves` does not have.
    pub fn restore(saved: &[u8], document: &Document, leaves: &Registry<W>) -> Result<Self, Error> {
        let behaviour = document.behaviour(None)?;
        let bound = leaves.bind(&behaviour)?;
        let population = Population::restore(Arc::new(Program::new(behaviour)), saved)?;
        bound.reserve(population.len());
        Ok(Self {
            population,
            bound,
            texts: texts_of(document),
        })
    }

    /// Like [`restore`](Self::restore), but the agents may have been saved with another version of the document, whose text
    /// is in the bytes: they go on with this one, as after a [reload](Self::reload). Returns what that did. `leaves` has to
    /// have the leaves of both versions, because what does not go on is stopped.
    ///
    /// # Errors
    /// As [`restore`](Self::restore); documents that have changed are an error only if the agents were saved without the
    /// text of their document.
    pub fn restore_changed(
        saved: &[u8],
        document: &Document,
        leaves: &Registry<W>,
        world: &mut W,
    ) -> Result<(Self, Migration), Error> {
        let mut minds = match Self::restore(saved, document, leaves) {
            Err(Error::Restore(error)) if error.is_other_program() => {
                let texts = Population::saved_texts(saved)?;
                let old = document_of(&texts).ok_or(error)?;
                Self::restore(saved, &old, leaves)?
            }
            restored => restored?,
        };
        let migration = minds.reload(document, leaves, world)?;
        Ok((minds, migration))
    }
}

/// The names and texts of a document and its imports.
pub(super) fn texts_of(document: &Document) -> Vec<(String, String)> {
    let text = |source: &Source| (source.name().to_owned(), source.text().to_owned());
    document.sources().map(text).collect()
}

/// The document with these texts; `None` if there are none.
fn document_of(texts: &[(&str, &str)]) -> Option<Document> {
    let ((name, text), imports) = texts.split_first()?;
    let load = |path: &str| {
        let found = imports.iter().find(|(name, _)| *name == path);
        let text = found.map(|(_, text)| text.as_bytes().to_vec());
        text.ok_or("it was not saved")
    };
    Some(Document::read_with(text.as_bytes(), name, load))
}
