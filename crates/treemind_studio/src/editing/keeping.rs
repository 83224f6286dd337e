//! The files of a document that is edited.

use super::Editing;
use treemind_replay::view::protocol::Whose;

/// Who has done what was done outside of the studio.
const ANOTHER: &str = "another program";

/// Where the files are.
pub trait Shelf {
    /// Reads a file.
    ///
    /// # Errors
    /// Why it cannot be read, in a sentence.
    fn read(&mut self, name: &str) -> Result<String, String>;

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
            if shelf.read(&name)? != self.kept[file] {
                return Err(format!(
                    "{name} was changed by another program, and here, too"
                ));
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
            let text = shelf.read(self.editor().name(file))?;
            if text != self.kept[file] && whose == Whose::Theirs {
                let change = self.editor().rewrite(file, &text);
                self.take(change.map_err(|error| error.to_string())?)?;
                self.note(1, ANOTHER, None);
            }
            self.kept[file] = text;
        }
        Ok(())
    }

    /// Takes over what another program has written into the files. Where nothing waits to be saved, that is a change of
    /// the document like any other, and can be undone; otherwise it is said, and nothing is lost.
    pub fn look(&mut self, shelf: &mut dyn Shelf) {
        for file in 0..self.editor().file_count() {
            let name = self.editor().name(file).to_owned();
            let Ok(text) = shelf.read(&name) else {
                continue;
            };
            if text == self.kept[file] || text == self.editor().text(file) {
                self.kept[file] = text;
                continue;
            }
            if !self.is_saved(file) {
                self.say(Some(format!(
                    "{name} was changed by another program, and here, too"
                )));
                continue;
            }
            let change = self.editor().rewrite(file, &text);
            if change.is_ok_and(|change| self.take(change).is_ok()) {
                self.kept[file] = text;
                self.note(1, ANOTHER, None);
            }
        }
    }
}
