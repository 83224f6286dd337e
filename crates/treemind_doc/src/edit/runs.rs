//! What runs of a document stays what runs when something else that could comes to it.

use super::error::EditError;
use super::{At, Change, Editor, Spot};
use crate::check::DefinitionKind;
use crate::syntax::{Node, write};

/// What runs of a document of which no `main` says what runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    word: &'static str,
    name: String,
    /// How many definitions of the first file could run; some of them may have no name yet.
    own: usize,
}

impl Editor {
    /// What runs of the document because nothing else could; `None` where `main` says it.
    pub fn runs(&self) -> Option<Running> {
        let (what, name) = self.document().main_definition()?;
        if self.has_main() {
            return None;
        }
        Some(Running {
            word: what.word(),
            name: name.to_owned(),
            own: self.own_definitions(),
        })
    }

    /// Names in `main` what ran before a change, if something else came that could run, perhaps without a name yet, and
    /// nothing says which of them does; `None` if that is not so.
    ///
    /// # Errors
    /// None, as long as the text can be changed at all.
    pub fn name_main(&self, before: &Running) -> Result<Option<Change>, EditError> {
        let own = self.own_definitions();
        let is_second = before.own < own && own > 1;
        let is_open = is_second || self.document().main_definition().is_none();
        if self.has_main() || !is_open || self.file(0)?.nodes.is_empty() {
            return Ok(None);
        }
        self.let_run(before.word, &before.name).map(Some)
    }

    /// Writes a `main` that lets a definition run.
    ///
    /// # Errors
    /// When the text cannot be changed, or has a `main`.
    pub fn let_run(&self, word: &str, name: &str) -> Result<Change, EditError> {
        let mut line = format!("main {word}=");
        write::word(name, &mut line);
        let spot = match self.file(0)?.nodes.first() {
            Some(first) => Spot::Before(At::from(first.span.start)),
            None => Spot::Top(0, 0),
        };
        self.paste(spot, &line)
    }

    /// The words and names of what could run of the document: what the first file defines, or else what it imports.
    pub fn could_run(&self) -> Vec<(&'static str, &str)> {
        self.document().could_run()
    }

    fn has_main(&self) -> bool {
        let mut top = self.top_nodes();
        top.any(|node| node.name.value == "main")
    }

    fn own_definitions(&self) -> usize {
        let is_one = |node: &&Node| {
            let mut kinds = DefinitionKind::ALL.into_iter();
            kinds.any(|what| what.word() == node.name.value)
        };
        self.top_nodes().filter(is_one).count()
    }

    fn top_nodes(&self) -> impl Iterator<Item = &Node> {
        self.files.first().into_iter().flat_map(|file| &file.nodes)
    }
}
