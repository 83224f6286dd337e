//! What runs of a document stays what runs when something else that could comes to it.

use super::error::EditError;
use super::{At, Change, Editor, Spot};
use crate::syntax::write;

impl Editor {
    /// The word and the name of what runs of the document: what `main` names, or the only thing that can.
    pub fn runs(&self) -> Option<(&'static str, String)> {
        let (what, name) = self.document().main_definition()?;
        Some((what.word(), name.to_owned()))
    }

    /// Names in `main` what ran before a change, if there are several things now that could, and nothing says which of them
    /// does; `None` if that is not so.
    ///
    /// # Errors
    /// None, as long as the text can be changed at all.
    pub fn name_main(&self, (word, name): (&str, &str)) -> Result<Option<Change>, EditError> {
        let file = self.file(0)?;
        let has_main = file.nodes.iter().any(|node| node.name.value == "main");
        let first = file.nodes.first().filter(|_| !has_main);
        let Some(first) = first.filter(|_| self.document().main_definition().is_none()) else {
            return Ok(None);
        };
        let mut line = format!("main {word}=");
        write::word(name, &mut line);
        let before = At::from(first.span.start);
        self.paste(Spot::Before(before), &line).map(Some)
    }
}
