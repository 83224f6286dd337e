//! The files of a document that is edited.

use super::Editing;
use treemind_replay::view::protocol::Whose;

/// Who has done what was done outside of the studio.
const ANOTHER: &str = "another program";
/// What that is called.
const OUTSIDE: &str = "change on disk";

/// Where the files are.
pub trait Shelf {
    /// Reads a file; `None` if it is gone.
    ///
    /// # Errors
    /// Why it cannot be read, in a sentence.
    fn read(&mut self, name: &str) -> Result<Option<String>, String>;

    /// Replaces a file, as a whole or not at all.
    ///
    /// # Errors
    /// Why it cannot be written, in a sentence.
    fn write(&mut self, name: &str, text: &str) -> Result<(), String>;
}

impl Editing {
    /// Whether what was read or saved last is what there is now.
    pub(super) fn is_saved(&self, file: usize) -> bool {
        self.kept.get(file).map(String::as_str) == Some(self.editor().text(file))
    }

    /// Writes the files that were changed, each only if it still is what was read.
    pub(super) fn save(&mut self, shelf: &mut dyn Shelf) {
        let unsaved = self.try_save(shelf).err();
        self.say(unsaved);
    }

    /// Pages see what keeps the texts from being saved.
    fn say(&mut self, unsaved: Option<String>) {
        if self.unsaved != unsaved {
            self.unsaved = unsaved;
            self.revision += 1;
        }
    }

    fn try_save(&mut self, shelf: &mut dyn Shelf) -> Result<(), String> {
        for file in 0..self.editor().file_count() {
            if self.is_saved(file) {
                continue;
            }
            let name = self.editor().name(file).to_owned();
            match shelf.read(&name)? {
                None => return Err(format!("{name} is gone; \"Keep mine\" writes it again")),
                Some(text) if text != self.kept[file] => return Err(both(&name)),
                Some(_) => {}
            }
            let text = self.editor().text(file).to_owned();
            shelf.write(&name, &text)?;
            self.kept[file] = text;
        }
        Ok(())
    }

    /// After another program has changed what was changed here, too: says which text counts.
    pub(super) fn settle(&mut self, whose: Whose, shelf: &mut dyn Shelf) -> Result<(), String> {
        for file in 0..self.editor().file_count() {
            let name = self.editor().name(file).to_owned();
            match (shelf.read(&name)?, whose) {
                (Some(text), Whose::Theirs) => self.take_over(file, text),
                (Some(text), Whose::Mine) => self.kept[file] = text,
                (None, Whose::Theirs) => return Err(format!("{name} is gone")),
                (None, Whose::Mine) => {
                    let text = self.editor().text(file).to_owned();
                    shelf.write(&name, &text)?;
                    self.kept[file] = text;
                }
            }
        }
        Ok(())
    }

    /// Another program's text of a file, as a step of the history.
    fn take_over(&mut self, file: usize, text: String) {
        let change = self.editor().rewrite(file, &text);
        let begun = self.history.done().len();
        if change.is_ok_and(|change| self.take(change).is_ok()) {
            self.kept[file] = text;
            self.note(self.history.done().len() - begun, ANOTHER, None);
            if let Some(entry) = self.done.last_mut() {
                OUTSIDE.clone_into(&mut entry.label);
            }
        }
    }

    /// Takes over what another program has written into the files. Where nothing waits to be saved, that is a change of
    /// the document like any other, and can be undone; otherwise it is said, and nothing is lost.
    pub fn look(&mut self, shelf: &mut dyn Shelf) {
        for file in 0..self.editor().file_count() {
            let name = self.editor().name(file).to_owned();
            let Ok(Some(text)) = shelf.read(&name) else {
                continue;
            };
            if text == self.kept[file] || text == self.editor().text(file) {
                self.kept[file] = text;
            } else if self.is_saved(file) {
                self.take_over(file, text);
            } else {
                self.say(Some(both(&name)));
            }
        }
    }
}

/// That a file was changed in two places.
fn both(name: &str) -> String {
    format!("{name} was changed by another program, and here, too")
}
