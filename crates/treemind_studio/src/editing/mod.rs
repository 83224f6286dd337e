//! Documents that pages edit.
//!
//! A page says what it means, such as "put this after that node"; what that does to the text is up to
//! [`treemind_doc::edit`]. All pages edit one text, with one history: what one of them does, the others see and can undo.

mod edits;
mod ids;
mod keeping;
mod sheet;
mod words;

pub use keeping::Shelf;
pub(crate) use words::words;

use ids::Ids;
use std::time::Duration;
use treemind_doc::Document;
use treemind_doc::edit::{Change, Editor, History};
use treemind_replay::view::protocol::Edit;

/// What is typed without a longer break is undone at once.
const BREAK: Duration = Duration::from_millis(500);

/// Something that was done, and can be undone.
#[derive(Clone, Debug)]
struct Entry {
    label: String,
    /// Who did it.
    by: String,
    /// Of how many changes of the history it consists.
    changes: usize,
    /// When it was typed, if it was.
    typed: Option<Duration>,
}

/// A document that pages edit: its files, what was done, and what of it is saved.
#[derive(Clone, Debug)]
pub struct Editing {
    history: History,
    /// Grows with every change.
    revision: u64,
    done: Vec<Entry>,
    undone: Vec<Entry>,
    /// The texts of the files as they were read or saved last.
    kept: Vec<String>,
    ids: Ids,
    /// What kept the texts from being saved.
    unsaved: Option<String>,
}

impl Editing {
    /// Begins to edit a document.
    ///
    /// # Errors
    /// When the document is not KDL, or not text.
    pub fn new(document: Document) -> Result<Self, String> {
        let editor = Editor::new(document).map_err(|error| error.to_string())?;
        let kept = (0..editor.file_count()).map(|file| editor.text(file).to_owned());
        Ok(Self {
            kept: kept.collect(),
            ids: Ids::of(&editor),
            history: History::new(editor),
            revision: 1,
            done: Vec::new(),
            undone: Vec::new(),
            unsaved: None,
        })
    }

    /// The texts as they are now.
    pub fn editor(&self) -> &Editor {
        self.history.editor()
    }

    /// A number that grows with every change.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Does what a page wants, and writes the files that change; `by` says who wants it, and `now` how long the program runs.
    /// A file that cannot be written is not lost: the sheet says why, and it is written the next time.
    ///
    /// # Errors
    /// Why it cannot be done. Then nothing is changed.
    pub fn edit(
        &mut self,
        edit: &Edit,
        by: &str,
        now: Duration,
        shelf: &mut dyn Shelf,
    ) -> Result<(), String> {
        self.look(shelf);
        self.change(edit, by, now, shelf)?;
        self.save(shelf);
        Ok(())
    }

    fn change(
        &mut self,
        edit: &Edit,
        by: &str,
        now: Duration,
        shelf: &mut dyn Shelf,
    ) -> Result<(), String> {
        match edit {
            Edit::Undo => return self.undo(),
            Edit::Redo => return self.redo(),
            Edit::Save { whose } => return self.settle(*whose, shelf),
            _ => {}
        }
        let typed = matches!(edit, Edit::Type { .. }).then_some(now);
        let begun = self.history.done().len();
        for step in edits::steps(edit) {
            let done =
                edits::change(self.editor(), &self.ids, &step).and_then(|one| self.take(one));
            if let Err(why) = done {
                // Everything, or nothing.
                while self.history.done().len() > begun {
                    self.take_back();
                }
                return Err(why);
            }
        }
        self.note(self.history.done().len() - begun, by, typed);
        Ok(())
    }

    /// Applies a change.
    fn take(&mut self, change: Change) -> Result<(), String> {
        let before = self.editor().clone();
        let applied = self.history.apply(change.clone());
        applied.map_err(|error| error.to_string())?;
        self.ids.follow(&before, self.history.editor(), &change);
        Ok(())
    }

    fn take_back(&mut self) {
        let before = self.editor().clone();
        if let Some(change) = self.history.undo().map(Change::inverse) {
            self.ids.follow(&before, self.history.editor(), &change);
        }
    }

    /// Takes down that the last changes of the history are one thing that was done.
    fn note(&mut self, changes: usize, by: &str, typed: Option<Duration>) {
        let Some(first) = self.history.done().len().checked_sub(changes) else {
            return;
        };
        let Some(first) = self.history.done().get(first) else {
            return;
        };
        self.revision += 1;
        self.undone.clear();
        let is_same = |entry: &&mut Entry| {
            let both = typed.zip(entry.typed);
            entry.by == by && both.is_some_and(|(now, then)| now.saturating_sub(then) < BREAK)
        };
        match self.done.last_mut().filter(is_same) {
            Some(entry) => {
                entry.changes += changes;
                entry.typed = typed;
            }
            None => self.done.push(Entry {
                label: first.label().to_owned(),
                by: by.to_owned(),
                changes,
                typed,
            }),
        }
    }

    fn undo(&mut self) -> Result<(), String> {
        let entry = self.done.pop().ok_or("there is nothing to undo")?;
        (0..entry.changes).for_each(|_| self.take_back());
        self.undone.push(entry);
        self.revision += 1;
        Ok(())
    }

    fn redo(&mut self) -> Result<(), String> {
        let mut entry = self.undone.pop().ok_or("there is nothing to redo")?;
        for _ in 0..entry.changes {
            let before = self.editor().clone();
            if let Some(change) = self.history.redo().cloned() {
                self.ids.follow(&before, self.history.editor(), &change);
            }
        }
        // What is typed next is another entry.
        entry.typed = None;
        self.done.push(entry);
        self.revision += 1;
        Ok(())
    }
}
